/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-run.h"
#include "dyno-verdict.h"

G_BEGIN_DECLS

/**
 * DynoComparisonSide:
 * @run: where its results are
 * @results: (element-type DynoResult): those of them that belong to this side, as the plan lists them
 * @id: what it is called in options and files
 * @title: what people call it
 *
 * One of the things that are compared: a run, or the cases of a run that have one backend, precision or the like.
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
 * @side: which of the sides is compared with the baseline
 * @baseline: the case there
 * @result: the same case on this side
 * @label: the case in words
 * @baseline_value: the metric in the baseline, in its own unit
 * @value: the metric on this side
 * @ratio: of this side over the baseline: below 1 takes less
 * @low: the lower end of its 95 % interval between processes; NaN for none
 * @high: the upper end
 * @p_value: of the difference, corrected for the number of cases; NaN where it cannot be tested
 * @effect: Cliff's delta between the processes, from -1 (all of them are lower than the baseline's) to 1; NaN for none
 * @n_baseline: how many processes measured the case in the baseline
 * @n: how many on this side
 * @effective_baseline: the effective number of its samples there; NaN where there are none
 * @effective: on this side
 * @n_needed: how many processes on each side would do; 0 where that is not known or there are enough
 * @in_blocks: whether both were measured in the same blocks of one run, and the ratio is that within the blocks
 * @noise_floor: how far the value is from itself on the machine of both, as a share; NaN where that is not known or the
 *   machines differ
 * @verdict: what it comes to
 * @reason: (nullable): why it is confounded or data do not suffice, and what to do: a sentence
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
  double effect;
  guint n_baseline;
  guint n;
  double effective_baseline;
  double effective;
  guint n_needed;
  gboolean in_blocks;
  double noise_floor;
  DynoVerdict verdict;
  char *reason;
} DynoComparedCase;

/**
 * DynoLeftOutCase:
 * @side: which of the sides was to be compared with the baseline
 * @label: the case in words
 * @reason: why it is not compared: a sentence
 * @is_shared: whether both sides have the case, though one of them has no number of it
 *
 * A case for which there is nothing to compare.
 */
typedef struct
{
  guint side;
  char *label;
  char *reason;
  gboolean is_shared;
} DynoLeftOutCase;

/**
 * DynoSideDifference:
 * @side: which of the sides differs from the baseline
 * @name: in what: the processor, the runtime, the kernel
 * @baseline: what that is in the baseline
 * @value: what it is on this side
 *
 * What differs beside the numbers.
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
 * @sides: (element-type DynoComparisonSide): what is compared
 * @baseline: with which of them
 * @cases: (element-type DynoComparedCase): those that a side shares with the baseline
 * @left_out: (element-type DynoLeftOutCase): the others
 * @differences: (element-type DynoSideDifference): what else differs
 *
 * Runs, or parts of one run, compared with a baseline: case by case.
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

/* Returns a comparison of nothing, to be filled. @threshold: how far from 1 a ratio matters. */
DynoComparison *dyno_comparison_new_empty (const char *metric, const char *unit, double threshold);
DynoComparison *dyno_comparison_ref (DynoComparison *self);
void dyno_comparison_unref (DynoComparison *self);

/* Returns its number. */
guint dyno_comparison_add_side (DynoComparison *self, DynoRun *run, const char *title);
/* Takes @reason. */
void dyno_comparison_leave_out (
    DynoComparison *self, guint side, DynoResult *result, gboolean is_shared, char *reason);
void dyno_comparison_add_difference (
    DynoComparison *self, guint side, const char *name, const char *baseline, const char *value);
/* Returns the case, of which nothing is known yet: not enough data. */
DynoComparedCase *
dyno_comparison_add_case (DynoComparison *self, guint side, DynoResult *baseline, DynoResult *result);

/* Returns what it comes to: a sentence for each side but the baseline; behind them one for all sides of
 * which the same cannot be told, and those that have nothing in common with it. */
char *dyno_comparison_dup_answer (const DynoComparison *self);
/* Returns what is to be kept in mind of how the sides were measured, in one or two sentences. */
char *dyno_comparison_dup_remark (const DynoComparison *self);
/* Returns how far the machine differs from itself, or how to find out: a sentence; NULL where no case was
 * measured on one machine alone. */
char *dyno_comparison_dup_noise (const DynoComparison *self);
/* Returns the greatest of the noise floors of its cases: there is one for each machine; NaN where none is
 * known. */
double dyno_comparison_get_noise_floor (const DynoComparison *self);
const char *dyno_comparison_get_side_title (const DynoComparison *self, guint side);
/* Returns the ratio with its interval, such as “0.51 (0.49 – 0.54)”. */
char *dyno_comparison_dup_ratio (const DynoComparison *self, const DynoComparedCase *kase);
/* Returns the case in words, with its side where there are several beside the baseline. */
char *dyno_comparison_dup_case_name (const DynoComparison *self, const DynoComparedCase *kase);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoComparison, dyno_comparison_unref)

G_END_DECLS
