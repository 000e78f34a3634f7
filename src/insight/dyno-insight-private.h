/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-cases.h"
#include "dyno-comparison.h"
#include "dyno-goal.h"
#include "dyno-result.h"
#include "dyno-sample.h"

G_BEGIN_DECLS

/* dyno-candidate */

/**
 * DynoCandidate:
 * @run: the run that measured it
 * @result: the case
 * @label: the choice in words, such as “openvino · bf16”
 * @cost: its cost by the goal; less is better
 * @doubt: (nullable): why its numbers are doubtful
 * @reason: (nullable): why it may not be recommended
 * @margin: (nullable): the best one compared with this one; NULL for the best one and for one that may not be
 *   recommended
 *
 * One way to do the work of a cell.
 */
typedef struct
{
  DynoRun *run;
  DynoResult *result;
  char *label;
  double cost;
  char *doubt;
  char *reason;
  DynoComparedCase *margin;
} DynoCandidate;

void dyno_candidate_free (DynoCandidate *self);
/* Returns whether it was shown to be as good as the best one, or differs by less than the machine's noise.
 **/
gboolean dyno_candidate_is_tied (const DynoCandidate *self);
/* Returns how much better the best one is, with its interval, and whether that was shown. */
char *dyno_candidate_dup_margin (const DynoCandidate *self, const DynoGoal *goal);
/* Returns the case and its run, in the form that the command line accepts. */
char *dyno_candidate_dup_evidence (const DynoCandidate *self);

/* dyno-case-alignment */

/**
 * DYNO_CASE_ALTERNATIVES:
 *
 * The parts of a case that a user may choose for the same work, and so compare: where and how it runs, not
 * its sizes.
 */
#define DYNO_CASE_ALTERNATIVES (DYNO_CASE_PLACE | DYNO_CASE_THREADS | DYNO_CASE_PINNING | DYNO_CASE_OPTIONS)

/**
 * DynoCasePair:
 *
 * The same case on two sides.
 */
typedef struct
{
  DynoResult *baseline;
  DynoResult *result;
} DynoCasePair;

/**
 * DynoCaseAlignment:
 * @pairs: (element-type DynoCasePair): the cases that both have, in the order of the second
 * @only_baseline: (element-type DynoResult): the cases that the second does not have
 * @only_results: (element-type DynoResult): the cases that the first does not have
 * @compared: the parts that need not match, because each list has one value for all its cases and the two values
 *   differ: these parts are compared
 *
 * The matching cases of two lists. Models and the sizes of the work must match.
 */
typedef struct
{
  GArray *pairs;
  GPtrArray *only_baseline;
  GPtrArray *only_results;
  DynoCaseParts compared;
} DynoCaseAlignment;

/* Returns the matching cases of the two lists. Cases that match in all parts are paired first; then cases
 * that differ in the device alone, as users compare devices, if each has a single partner. @baseline holds
 * DynoResult. @results holds DynoResult. */
DynoCaseAlignment *dyno_case_alignment_new (GPtrArray *baseline, GPtrArray *results);
void dyno_case_alignment_free (DynoCaseAlignment *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoCaseAlignment, dyno_case_alignment_free)

/* dyno-case-samples */

/**
 * DynoCaseSamples:
 * @groups: (element-type DynoSample): the sample of each process
 * @blocks: (element-type guint): the block of the run in which each process ran
 *
 * The samples of a case, process by process. They belong to the result.
 */
typedef struct
{
  GArray *groups;
  GArray *blocks;

  /*< private >*/
  double *numbers;
} DynoCaseSamples;

/* A percentile of a case needs enough samples in all of its processes together. One process may have too
 * few to report a percentile, but its percentile is still one draw of the variation between processes: its
 * error shows in their spread. Returns for the median latency, the steady latencies of each process; for
 * its other percentiles, that of the steady latencies of each process; for all other values, that value of
 * each process. Without groups where there is no number. */
DynoCaseSamples *dyno_case_samples_new (DynoResult *result, const char *metric);
void dyno_case_samples_free (DynoCaseSamples *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoCaseSamples, dyno_case_samples_free)

/* dyno-comparison-judge */

/**
 * DYNO_COMPARISON_MIN_PROCESSES:
 *
 * With fewer processes on either side no claim is made: the rank test cannot tell them from chance.
 */
#define DYNO_COMPARISON_MIN_PROCESSES 5

/* Gives each case its ratio with the 95 % interval between processes, and its verdict. A difference is
 * claimed where the interval leaves out 1, the processes differ in rank (Mann–Whitney; in blocks also by a
 * paired t-test), the ratio is beyond the practical threshold, and the p-value, corrected for the number of
 * cases by Benjamini and Hochberg, is below 0.05; sameness by two one-sided tests, corrected in the same
 * way. Cases of one run are compared within its blocks. A difference that is shown, but smaller than the
 * machine's noise floor, is within the noise. @self: a comparison with its cases, of which those that are
 * confounded have that verdict already. */
void dyno_comparison_judge (DynoComparison *self);
/* Judges them as one family of tests: p-values are corrected for the number of cases of all comparisons,
 * because a reader who looks at all of them finds the few chance differences. @comparisons: comparisons as
 * dyno_comparison_judge() takes them. */
void dyno_comparison_judge_together (DynoComparison *const *comparisons, gsize n_comparisons);

/* dyno-next-step */

/* Returns a sentence with the next measurement to make and the number that suggests it; NULL if there is
 * none. @results: cases of one model that differ in sizes and threads only. */
char *dyno_next_step_dup (GPtrArray *results);
/* Returns the type of operator that takes most of the time; NULL if there is none. @share: its share of the
 * time of all operators, 0…1. */
char *dyno_next_step_dup_operator (DynoResult *result, double *share);

/* dyno-stage-summary */

/* Returns a sentence with the stage of the model that takes most of the time, and the time of each stage;
 * NULL if the model is one graph. */
char *dyno_stage_summary_dup (DynoResult *result);

G_END_DECLS
