/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-backend.h"
#include "dyno-cases.h"
#include "dyno-comparison-differences.h"
#include "dyno-comparison.h"
#include "dyno-goal.h"
#include "dyno-machine.h"
#include "dyno-race.h"
#include "dyno-recommendation.h"
#include "dyno-result.h"
#include "dyno-sample.h"

G_BEGIN_DECLS

/* dyno-case-parts */

/* Returns the text that @dup makes of these parts if all results share it; NULL if they differ. @results holds
 * DynoResult. */
char *dyno_case_parts_dup_common (GPtrArray *results,
                                  DynoCaseParts parts,
                                  char *(*dup) (DynoResult *result, DynoCaseParts parts));

/* Returns the parts that are not the same in all @results, which holds DynoResult. */
DynoCaseParts dyno_case_parts_find_varying_in (GPtrArray *results);

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
  guint n_processes;
  GPtrArray *undisturbed;
} DynoCaseSamples;

/* A percentile of a case needs enough samples in all of its processes together. One process may have too
 * few to report a percentile, but its percentile is still one draw of the variation between processes: its
 * error shows in their spread. Returns for the median latency, the steady latencies of each process; for
 * its other percentiles, that of the steady latencies of each process; for all other values, that value of
 * each process. Without groups where there is no number. @undisturbed: whether the median latency is of undisturbed
 * steps. */
DynoCaseSamples *dyno_case_samples_new (DynoResult *result, const char *metric, gboolean undisturbed);
/* Returns the number to show beside the other side's: a median of the undisturbed steps is only compared with
 * another such, otherwise that of all steps is; NaN if there is none. */
double dyno_case_samples_get_number (DynoResult *result, DynoResult *other, const char *metric);
void dyno_case_samples_free (DynoCaseSamples *self);

/**
 * DynoRoundRatios:
 * @blocks: (element-type DynoSample): for each block that both cases measured in turns, the ratio of each round
 * @n_rounds: the number of rounds of all blocks
 *
 * The ratios of two cases that took turns: of the medians of the two turns of each round.
 */
typedef struct
{
  GArray *blocks;
  guint n_rounds;

  /*< private >*/
  GPtrArray *numbers;
} DynoRoundRatios;

/* Returns the series of which the value is the median, so that turns have it too; NULL for any other value. */
const char *dyno_round_ratios_find_series (const char *metric);
/* Returns the ratios of @result over @baseline, two cases of one run; NULL if they took no turns together, or turns do not
 * have the value. */
DynoRoundRatios *dyno_round_ratios_new (DynoResult *baseline, DynoResult *result, const char *metric);
void dyno_round_ratios_free (DynoRoundRatios *self);
/* Returns whether both cases did the same work in turns, in one run or in two. */
gboolean dyno_round_ratios_exist (DynoResult *baseline, DynoResult *result);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoRoundRatios, dyno_round_ratios_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoCaseSamples, dyno_case_samples_free)

/* dyno-comparison-judge */

/**
 * DYNO_COMPARISON_MIN_PROCESSES:
 *
 * With fewer processes on either side nothing is certain: the rank test cannot tell them from chance.
 */
#define DYNO_COMPARISON_MIN_PROCESSES 5
/* More processes for each case are not asked for: people wait for them. */
#define DYNO_COMPARISON_MOST_PROCESSES 30

/* Gives each case its ratio with the 95 % interval between processes, and its verdict. A difference is
 * claimed where the interval leaves out 1, the processes differ in rank (Mann–Whitney; in blocks also by a
 * paired t-test), the ratio is beyond the practical threshold, and the p-value, corrected for the number of
 * cases by Benjamini and Hochberg, is below 0.05; sameness by two one-sided tests, corrected in the same
 * way. Cases of one run are compared within its blocks. A difference that is shown, but smaller than the
 * machine's noise floor, is within the noise. One that is not shown, but beyond threshold and noise floor with at
 * least 96 % of the resamples on its side, is probable; so is one between single processes that is beyond their own
 * noise floor. @self: a comparison with its cases, of which those that are
 * confounded have that verdict already. */
void dyno_comparison_judge (DynoComparison *self);
/* Judges them as one family of tests: p-values are corrected for the number of cases of all comparisons,
 * because a reader who looks at all of them finds the few chance differences. @comparisons: comparisons as
 * dyno_comparison_judge() takes them. */
void dyno_comparison_judge_together (DynoComparison *const *comparisons, gsize n_comparisons);

/* dyno-comparison-tally */

/**
 * DynoSideTally:
 * @comparison: the comparison
 * @side: the index of the side that is compared with the baseline
 * @title: its title
 * @baseline: the title of the baseline
 * @of: (element-type DynoComparedCase): its cases, by their verdicts
 * @n: the number of all its cases
 *
 * The cases of one side of a comparison.
 */
typedef struct
{
  const DynoComparison *comparison;
  guint side;
  const char *title;
  const char *baseline;
  GPtrArray *of[DYNO_N_VERDICTS];
  guint n;
} DynoSideTally;

void dyno_side_tally_init (DynoSideTally *self, const DynoComparison *comparison, guint side);
void dyno_side_tally_clear (DynoSideTally *self);
/* Returns a ratio in either direction as “1.9 times” or “3 %”. */
char *dyno_side_tally_dup_factor (double ratio);
/* Returns the interval of one case, or the least and the greatest ratio of several, as “1.8 to 2.0 times” or “3 to
 * 5 %”; NULL where the interval is missing or holds both directions. */
char *dyno_side_tally_dup_range (GPtrArray *cases);
double dyno_side_tally_get_mean_ratio (GPtrArray *cases);
/* Returns how the numbers look where nothing is shown: a sentence. */
char *dyno_side_tally_dup_look (const DynoSideTally *self);
/* Returns the reason that all cases share; empty where they differ. */
const char *dyno_side_tally_get_common_reason (GPtrArray *cases);
/* Returns why the first case that the side shares with the baseline is not compared; empty where they share none. */
const char *dyno_side_tally_get_reason_of_shared (const DynoSideTally *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (DynoSideTally, dyno_side_tally_clear)

/* dyno-next-step */

/* Returns a sentence with the next measurement to make and the number that suggests it; NULL if there is
 * none. @results: cases of one model that differ in sizes and threads only. */
char *dyno_next_step_dup (GPtrArray *results);
/* Returns the type of operator that takes most of the time; NULL if there is none. @share: its share of the
 * time of all operators, 0…1. */
char *dyno_next_step_dup_operator (DynoResult *result, double *share);

/* dyno-race-plan */

/* Adds each separate device, except those that the processor emulates; an engine with one device, or none, is added by
 * its name. */
void dyno_race_plan_add_places (GStrvBuilder *places, DynoBackend *backend, DynoProbe *probe);

/* dyno-race-stored */

/**
 * DynoStoredSettings:
 * The results of a model that a store has of this machine.
 */
typedef struct _DynoStoredSettings DynoStoredSettings;

/* Reads the store. */
DynoStoredSettings *
dyno_stored_settings_new (DynoStore *store, DynoMachine *machine, const char *model, const DynoGoal *goal);
void dyno_stored_settings_free (DynoStoredSettings *self);
/* Returns the newest result of the case, by the same engine and version of Dyno; NULL if there is none. It has no label. */
DynoStoredSetting *dyno_stored_settings_find (DynoStoredSettings *self, DynoCase *kase);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoStoredSettings, dyno_stored_settings_free)

/* dyno-run-summary */

/* Returns the ends of a range, or one of them if they are the same. */
char *dyno_range_dup (const char *least, const char *most);
/* Returns the rate by which a summary describes a case; NAN for a case that it describes by another value. */
double dyno_run_summary_get_rate (DynoResult *result);

/* dyno-stage-summary */

/* Returns sentences on the stage of the model that takes most of the time: the time of each stage, what bounds this one,
 * and its share in the work and the weights, as far as they are known; NULL if the model is one graph. */
char *dyno_stage_summary_dup (DynoResult *result);

G_END_DECLS
