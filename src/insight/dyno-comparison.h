/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-plan.h"
#include "dyno-run.h"
#include "dyno-verdict.h"

G_BEGIN_DECLS

/**
 * DynoComparisonSide:
 * @run: the run with its results
 * @results: (element-type DynoResult): the results of the run that belong to this side, in the order of the plan
 * @id: its name in options and files
 * @title: its name for people
 *
 * One side of a comparison: a run, or the cases of a run that have one backend, precision or the like.
 */
typedef struct
{
  DynoRun *run;
  GPtrArray *results;
  char *id;
  char *title;
} DynoComparisonSide;

/**
 * DynoComparedCase:
 * @side: the index of the side that is compared with the baseline
 * @baseline: the case in the baseline
 * @result: the same case on this side
 * @label: the case in words
 * @baseline_value: the metric in the baseline, in its own unit
 * @value: the metric on this side
 * @ratio: the value of this side over that of the baseline; below 1 is less
 * @low: the lower end of its 95 % interval between processes; NaN for none
 * @high: the upper end
 * @p_value: the p-value of the difference, corrected for the number of cases; NaN where it cannot be tested
 * @confidence: the share of the resampled ratios, widened for few processes, on its side of 1; NaN where a side has
 *   a single process
 * @effect: Cliff's delta between the processes, from -1 (all of them are lower than the baseline's) to 1; NaN for none
 * @n_baseline: the number of processes that measured the case in the baseline
 * @n: the number of processes on this side
 * @effective_baseline: the effective number of samples in the baseline; NaN where there are none
 * @effective: the effective number of samples on this side
 * @n_needed: the number of processes that certainty takes on each side; 0 where that is unknown or there are enough
 * @in_blocks: whether both were measured in the same blocks of one run, so that the ratio is taken within the blocks
 * @n_rounds: the number of rounds of turns, if both took turns, so that the ratio is taken within the rounds; else 0
 * @noise_floor: the noise floor of the value on the machine of both sides, as a share; NaN where it is unknown or the
 *   machines differ
 * @verdict: the verdict
 * @reason: (nullable): why it is confounded, only probable or not shown, and how to mend that: a sentence
 *
 * A case that a side shares with the baseline.
 */
typedef struct
{
  guint side;
  DynoResult *baseline;
  DynoResult *result;
  char *label;
  double baseline_value;
  double value;
  double ratio;
  double low;
  double high;
  double p_value;
  double confidence;
  double effect;
  guint n_baseline;
  guint n;
  double effective_baseline;
  double effective;
  guint n_needed;
  gboolean in_blocks;
  guint n_rounds;
  double noise_floor;
  DynoVerdict verdict;
  char *reason;
} DynoComparedCase;

/**
 * DynoLeftOutCase:
 * @side: the index of the side that was to be compared with the baseline
 * @label: the case in words
 * @reason: why it is not compared: a sentence
 * @is_shared: whether both sides have the case, although one of them has no number for it
 * @engine: (nullable): the engine that the whole case is, in a comparison of every engine
 * @bits: how many bits a weight has in that case; 0 for all
 *
 * A case that cannot be compared.
 */
typedef struct
{
  guint side;
  char *label;
  char *reason;
  gboolean is_shared;
  char *engine;
  guint bits;
} DynoLeftOutCase;

/**
 * DynoSideDifference:
 * @side: the index of the side that differs from the baseline
 * @name: the property: the processor, the runtime, the kernel
 * @baseline: its value in the baseline
 * @value: its value on this side
 *
 * A difference between the sides other than the numbers.
 */
typedef struct
{
  guint side;
  char *name;
  char *baseline;
  char *value;
} DynoSideDifference;

/**
 * DynoComparison:
 * @metric: the stable name of the one value that is tested
 * @unit: its unit
 * @threshold: the practical threshold: how far from 1 a ratio matters, such as 0.02
 * @sides: (element-type DynoComparisonSide): the compared sides
 * @baseline: the index of the baseline among the sides
 * @cases: (element-type DynoComparedCase): the cases that a side shares with the baseline
 * @left_out: (element-type DynoLeftOutCase): the cases that cannot be compared
 * @differences: (element-type DynoSideDifference): the other differences
 *
 * Runs, or parts of one run, compared with a baseline, case by case.
 */
typedef struct
{
  char *metric;
  char *unit;
  double threshold;
  GPtrArray *sides;
  guint baseline;
  GPtrArray *cases;
  GPtrArray *left_out;
  GPtrArray *differences;

  /*< private >*/
  gatomicrefcount ref_count;
} DynoComparison;

/* Returns an empty comparison to be filled. @threshold: how far from 1 a ratio matters. */
DynoComparison *dyno_comparison_new_empty (const char *metric, const char *unit, double threshold);
DynoComparison *dyno_comparison_ref (DynoComparison *self);
void dyno_comparison_unref (DynoComparison *self);

/* Returns the index of the new side. */
guint dyno_comparison_add_side (DynoComparison *self, DynoRun *run, const char *title);
/* Takes @reason. */
void dyno_comparison_leave_out (
    DynoComparison *self, guint side, DynoResult *result, gboolean is_shared, char *reason);
void dyno_comparison_add_difference (
    DynoComparison *self, guint side, const char *name, const char *baseline, const char *value);
/* Returns the new case, which has the verdict DYNO_VERDICT_NOT_ENOUGH_DATA until it is judged. */
DynoComparedCase *
dyno_comparison_add_case (DynoComparison *self, guint side, DynoResult *baseline, DynoResult *result);

/* Returns the answer in at most twelve words, as a headline. */
char *dyno_comparison_dup_headline (const DynoComparison *self);
/* Returns the line below the headline: the range and the number of cases, or why there is no difference; of more than
 * two sides the answer. */
char *dyno_comparison_dup_summary (const DynoComparison *self);
/* Returns the answer for one case: “12 % faster”, “probably faster”, “the same”. */
char *dyno_comparison_dup_case_words (const DynoComparison *self, const DynoComparedCase *kase);
/* Returns the answer: a sentence for each side except the baseline; after them one sentence for all sides
 * without a verdict, and one for sides that share no case with the baseline. */
char *dyno_comparison_dup_answer (const DynoComparison *self);
/* Returns one or two sentences of caution about how the sides were measured. */
char *dyno_comparison_dup_remark (const DynoComparison *self);
/* Returns a sentence about the noise floor of the machine, or how to find it; NULL where no case was
 * measured on one machine alone. */
char *dyno_comparison_dup_noise (const DynoComparison *self);
/* Returns a sentence about how much evidence the verdicts rest on: the processes of each side, in which order they were
 * measured, the interval and the noise floor; NULL where no case is compared. */
char *dyno_comparison_dup_evidence (const DynoComparison *self);
/* Returns the largest noise floor of its cases, as each machine has its own; NaN where none is known. */
double dyno_comparison_get_noise_floor (const DynoComparison *self);
const char *dyno_comparison_get_side_title (const DynoComparison *self, guint side);
/* Returns the ratio with its interval, such as “0.51 (0.49 – 0.54)”. */
char *dyno_comparison_dup_ratio (const DynoComparison *self, const DynoComparedCase *kase);
/* Returns whether the ratio is that within the blocks of a run, so that it does not divide the values beside it. */
gboolean dyno_compared_case_is_within_blocks (const DynoComparedCase *kase);
/* Returns whether that holds for a case of the comparison. */
gboolean dyno_comparison_is_within_blocks (const DynoComparison *self);
/* Returns the title of a column of these ratios. */
const char *dyno_comparison_get_ratio_title (const DynoComparison *self);
/* Returns the case in words, with its side if several sides are compared with the baseline. */
char *dyno_comparison_dup_case_name (const DynoComparison *self, const DynoComparedCase *kase);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoComparison, dyno_comparison_unref)

/* dyno-comparison-plan */

/* Returns a plan that measures the disputed cases of both sides in one run, block by block. Reads the
 * models, so it may block on a slow disk. Fails with DYNO_ERROR_NOT_FOUND where there is nothing to measure
 * again, or an error of dyno_plan_expand(). */
DynoPlan *dyno_comparison_plan_new (const DynoComparison *comparison, GError **error);
/* Returns whether there is nothing to measure again. */
gboolean dyno_comparison_is_settled (const DynoComparison *comparison);
/* Returns whether the sides differ in a setting, so that one run can hold both. */
gboolean dyno_comparison_fits_one_run (const DynoComparison *comparison);
/* Returns about how many seconds it takes to settle the cases that are open; 0 where nothing is open, or no number of
 * processes would do. @n_processes (nullable): of each case. */
double dyno_comparison_get_cost (const DynoComparison *comparison, guint *n_processes);
/* Returns a sentence about that; NULL where it is 0. */
char *dyno_comparison_dup_cost (const DynoComparison *comparison);

G_END_DECLS
