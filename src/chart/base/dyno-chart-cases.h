/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-run.h"
#include "dyno-series.h"

G_BEGIN_DECLS

/* The maximum number of series that can be told apart; charts that draw one per case stop there and say so. */
#define DYNO_CHART_MAX_CASES 12

/**
 * DynoChartCase:
 * @run: the run it belongs to
 * @run_title: what to call that among the runs of the chart
 * @subject: what came of it, as it was found
 * @result: the same as far as charts can compute with it, see [func@Dyno.chart_guard_result]
 * @n_threads: how many threads it had: the requested number, or one per core that the worker may use; 0 where the
 *   machine is not known
 * @n_busy_threads: how many of them worked at the same time, as [func@Dyno.roofline_count_busy_threads] says
 * @is_software: whether its device is emulated on the CPU
 * @is_prompt_alone: whether other cases of the run have its model generate, but this one does not
 * @ceilings: (nullable) (element-type DynoCeiling): the ceilings of the machine; %NULL if they are not measured
 * @roofs_device: (nullable): which of these are its roofs, as [func@Dyno.roofline_dup_device] says
 *
 * A measured case in a chart.
 */
typedef struct
{
  DynoRun *run;
  char *run_title;
  DynoResult *subject;
  DynoResult *result;
  guint n_threads;
  guint n_busy_threads;
  gboolean is_software;
  gboolean is_prompt_alone;
  GPtrArray *ceilings;
  char *roofs_device;
} DynoChartCase;

/**
 * DynoDimension:
 *
 * In what cases can differ, as bits. A name is made of those dimensions in which they do.
 */
typedef enum
{
  DYNO_DIMENSION_MODEL = 1 << 0,
  DYNO_DIMENSION_BACKEND = 1 << 1,
  DYNO_DIMENSION_DEVICE = 1 << 2,
  DYNO_DIMENSION_PRECISION = 1 << 3,
  DYNO_DIMENSION_BATCH = 1 << 4,
  DYNO_DIMENSION_SEQUENCE = 1 << 5,
  DYNO_DIMENSION_THREADS = 1 << 6,
  DYNO_DIMENSION_GENERATE = 1 << 7,
  DYNO_DIMENSION_FREE = 1 << 8,
  DYNO_DIMENSION_PINNING = 1 << 9,
  DYNO_DIMENSION_OPTIONS = 1 << 10,
  DYNO_DIMENSION_LOAD = 1 << 11,
  DYNO_DIMENSION_RUN = 1 << 12,
} DynoDimension;

#define DYNO_ALL_DIMENSIONS ((guint)(DYNO_DIMENSION_RUN << 1) - 1)
/* What points of a chart are coloured by, where each stands for a case. */
#define DYNO_COLOR_DIMENSIONS ((guint)(DYNO_DIMENSION_RUN | DYNO_DIMENSION_BACKEND | DYNO_DIMENSION_DEVICE))

/* Returns their measured cases, run by run, as listed in the plan. Elements are DynoChartCase. The caller
 * owns it. @runs holds DynoRun. */
GPtrArray *dyno_chart_cases_collect (GPtrArray *runs);
GPtrArray *dyno_chart_cases_new_single (DynoRun *run, DynoResult *result);
/* Returns the first cases that have data. Elements are DynoChartCase. The caller owns it. @cases holds
 * DynoChartCase. @limit: how many at most. */
GPtrArray *dyno_chart_cases_select (GPtrArray *cases, gboolean (*has_data) (DynoResult *result), guint limit);

/* @cases holds DynoChartCase. @ceilings: what the machine of each run can do at most. */
void dyno_chart_cases_set_ceilings (GPtrArray *cases, GHashTable *ceilings);

/* Returns the DynoDimension in which they differ. @cases holds DynoChartCase. */
guint dyno_chart_cases_get_varying (GPtrArray *cases);
/* Returns the case in words; empty when no dimension says anything. */
char *dyno_chart_cases_dup_parts (const DynoChartCase *kase, guint dimensions);
/* Returns the case in words, without its model; its engine when no dimension says anything. */
char *dyno_chart_cases_dup_part_name (const DynoChartCase *kase, guint dimensions);
/* Returns what a column of it is called. */
const char *dyno_chart_cases_get_heading (DynoDimension dimension);
/* Returns what stands in a column of that dimension. */
char *dyno_chart_cases_dup_cell (const DynoChartCase *kase, DynoDimension dimension, double *number);
/* Returns how many of them are doubtful, and why; NULL if there is none. @cases holds DynoChartCase. */
char *dyno_chart_cases_dup_doubtful (GPtrArray *cases);
/* Returns the unit in which people read it: see dyno_item_unit_find_common(). @cases holds DynoChartCase. */
const char *dyno_chart_cases_get_unit (GPtrArray *cases, const char *unit);
/* Returns what those are. @cases: the cases of a chart that shows intervals of their medians. */
char *dyno_chart_cases_dup_interval_words (GPtrArray *cases);
/* Returns the heading of a column of their ends. @cases: the cases of a chart that shows intervals of
 * their medians. */
const char *dyno_chart_cases_get_interval_heading (GPtrArray *cases, gboolean is_high);
/* Returns the DynoDimension in which cases of one model differ. @cases holds DynoChartCase. */
guint dyno_chart_cases_get_varying_within_models (GPtrArray *cases);
/* Returns the cases of each model, in the order in which models come first. Elements are GPtrArray. The
 * caller owns it. @cases holds DynoChartCase. */
GPtrArray *dyno_chart_cases_part_by_model (GPtrArray *cases);
/* Returns whether its latency never became steady, so that its numbers are of the whole measurement. */
gboolean dyno_chart_cases_is_unsteady (DynoResult *result);
/* What is measured in its own right, such as memory, is not unsteady because the latency is. Returns why
 * the value deserves doubt, by its quality and by the state of the case. */
DynoDoubt dyno_chart_cases_get_doubt (DynoResult *result, const char *value);
/* Ties the point to its case, and marks it if its value deserves doubt. @index: one of its points. */
void
dyno_chart_cases_mark_point (DynoSeries *series, guint index, const DynoChartCase *kase, const char *value);
/* Returns the name of a series that has no points to mark; it says if they deserve doubt. @value: the
 * stable name of the value that stands for what its series shows. */
char *dyno_chart_cases_dup_marked_name (const DynoChartCase *kase, guint dimensions, const char *value);
/* Returns the word for the table of a chart that says that its numbers deserve doubt; empty where they do
 * not. */
const char *dyno_chart_cases_get_mark (DynoResult *result);
/* Returns the case in words; its model when no dimension says anything. */
char *dyno_chart_cases_dup_name (const DynoChartCase *kase, guint dimensions);
/* Returns the case in few letters, such as `BERT b4 s64`, for a point in a picture. */
char *dyno_chart_cases_dup_label (const DynoChartCase *kase, guint dimensions);
/* Returns the caption, which says what the letters of the labels stand for. @cases holds DynoChartCase. */
char *dyno_chart_cases_dup_labelled_caption (GPtrArray *cases);
/* Returns what all cases have in common, and where and when they were measured. @cases holds
 * DynoChartCase. */
char *dyno_chart_cases_dup_caption (GPtrArray *cases, guint left_out);
/* Returns the caption, which says when cases with data are not shown. @cases holds DynoChartCase. @shown
 * holds DynoChartCase. */
char *dyno_chart_cases_dup_limited_caption (GPtrArray *cases,
                                            GPtrArray *shown,
                                            gboolean (*has_data) (DynoResult *result));

/* Returns why cases lack the value, each reason once; empty if none says why. @cases holds DynoChartCase. */
char *dyno_chart_cases_dup_reasons (GPtrArray *cases, const char *value);
/* Returns what a chart of latencies says when there is none. @cases holds DynoChartCase. */
char *dyno_chart_cases_dup_no_latency (GPtrArray *cases);
/* Returns what a chart of throughputs says when there is none. @cases holds DynoChartCase. */
char *dyno_chart_cases_dup_no_throughput (GPtrArray *cases);
/* Returns what a chart of energy says when there is none: why, and what to do. @cases holds DynoChartCase. */
char *dyno_chart_cases_dup_no_energy (GPtrArray *cases);
/* Returns whether it is a number in one of them at least. @cases holds DynoChartCase. */
gboolean dyno_chart_cases_any_has (GPtrArray *cases, const char *value);
/* Returns whether the value is a number that was not measured. */
gboolean dyno_chart_cases_is_estimated (DynoResult *result, const char *value);

/* Returns how many latencies dyno_chart_cases_pool_steady() gives. */
guint dyno_chart_cases_count_steady (DynoResult *result);
/* Returns the latencies of the steps that count, in ms, of one process after another, in the order they
 * ran; all steps where the phases are not known. Elements are double. The caller owns it. */
GArray *dyno_chart_cases_pool_steady (DynoResult *result);
/* Returns the readings of all invocations, each beginning where the one before was over, although other
 * cases were measured in between; NULL otherwise. The caller owns it. */
DynoTrace *dyno_chart_cases_join_trace (DynoResult *result, const char *name);
/* Returns whether the result has readings of that name. */
gboolean dyno_chart_cases_has_trace (DynoResult *result, const char *trace);
/* Returns the readings over time, in s, of one invocation after another. @value: the stable name of the
 * value that sums the trace up. */
DynoSeries *dyno_chart_cases_create_series (
    const char *trace, const DynoChartCase *kase, guint slot, guint dimensions, const char *value);

G_END_DECLS
