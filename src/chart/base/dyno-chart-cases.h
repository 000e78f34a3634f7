/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-run.h"
#include "dyno-series.h"

G_BEGIN_DECLS

/* The maximum number of distinguishable series; charts with one series per case draw no more and say so. */
#define DYNO_CHART_MAX_CASES 12

/**
 * DynoChartCase:
 * @run: the run it belongs to
 * @run_title: the name of @run among the runs of the chart
 * @subject: its result, unchanged
 * @result: the same without data that charts cannot use, see dyno_chart_guard_result()
 * @n_threads: its number of threads: the requested number, or one per core that the worker may use; 0 if the
 *   machine is unknown
 * @n_busy_threads: how many of them worked at the same time, see dyno_roofline_count_busy_threads()
 * @is_software: whether its device is emulated on the CPU
 * @is_prompt_alone: whether it only reads the prompt, but other cases of the run generate with its model
 * @ceilings: (nullable) (element-type DynoCeiling): the ceilings of the machine; NULL if there are none
 * @roofs_device: (nullable): the device whose ceilings are its roofs, see dyno_roofline_dup_device()
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
 * The dimensions in which cases can differ, as bits. The name of a case lists only those in which they do.
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
  DYNO_DIMENSION_IMAGES = 1 << 8,
  DYNO_DIMENSION_FREE = 1 << 9,
  DYNO_DIMENSION_PINNING = 1 << 10,
  DYNO_DIMENSION_OPTIONS = 1 << 11,
  DYNO_DIMENSION_LOAD = 1 << 12,
  DYNO_DIMENSION_RUN = 1 << 13,
} DynoDimension;

#define DYNO_ALL_DIMENSIONS ((guint)(DYNO_DIMENSION_RUN << 1) - 1)
/* Points are coloured by these dimensions where each point is a case. */
#define DYNO_COLOR_DIMENSIONS ((guint)(DYNO_DIMENSION_RUN | DYNO_DIMENSION_BACKEND | DYNO_DIMENSION_DEVICE))

/* Returns their measured cases, run by run, as listed in the plan. Elements are DynoChartCase. The caller
 * owns it. @runs holds DynoRun. */
GPtrArray *dyno_chart_cases_collect (GPtrArray *runs);
GPtrArray *dyno_chart_cases_new_single (DynoRun *run, DynoResult *result);
/* Returns the first cases that have data. Elements are DynoChartCase. The caller owns it. @cases holds
 * DynoChartCase. @limit: how many at most. */
GPtrArray *dyno_chart_cases_select (GPtrArray *cases, gboolean (*has_data) (DynoResult *result), guint limit);
/* Returns the same cases. The caller owns the list, but not its elements. */
GPtrArray *dyno_chart_cases_copy (GPtrArray *cases);
/* Sorts the list by a number of the results. */
void dyno_chart_cases_sort (GPtrArray *cases, const char *value, gboolean is_descending);

/* @cases holds DynoChartCase. @ceilings: the measured ceilings for each run. */
void dyno_chart_cases_set_ceilings (GPtrArray *cases, GHashTable *ceilings);

/* Returns the DynoDimension in which they differ. @cases holds DynoChartCase. */
guint dyno_chart_cases_get_varying (GPtrArray *cases);
/* Returns the name of the case; empty when no dimension adds to it. */
char *dyno_chart_cases_dup_parts (const DynoChartCase *kase, guint dimensions);
/* Returns the name of the case without its model; its engine when no dimension adds to it. */
char *dyno_chart_cases_dup_part_name (const DynoChartCase *kase, guint dimensions);
/* Returns the column heading for the dimension. */
const char *dyno_chart_cases_get_heading (DynoDimension dimension);
/* Returns the cell text for the dimension. */
char *dyno_chart_cases_dup_cell (const DynoChartCase *kase, DynoDimension dimension, double *number);
/* Returns how many cases are doubtful, and why; NULL if there is none. @cases holds DynoChartCase. */
char *dyno_chart_cases_dup_doubtful (GPtrArray *cases);
/* Returns the display unit, see dyno_item_unit_find_common(). @cases holds DynoChartCase. */
const char *dyno_chart_cases_get_unit (GPtrArray *cases, const char *unit);
/* Returns a description of the intervals. @cases: the cases of a chart that shows intervals of their medians. */
char *dyno_chart_cases_dup_interval_words (GPtrArray *cases);
/* Returns the heading of the column for one end of the intervals. @cases: the cases of a chart that shows
 * intervals of their medians. */
const char *dyno_chart_cases_get_interval_heading (GPtrArray *cases, gboolean is_high);
/* Returns the DynoDimension in which cases of one model differ. @cases holds DynoChartCase. */
guint dyno_chart_cases_get_varying_within_models (GPtrArray *cases);
/* Returns the cases of each model, ordered by the first case of each model. Elements are GPtrArray. The
 * caller owns it. @cases holds DynoChartCase. */
GPtrArray *dyno_chart_cases_part_by_model (GPtrArray *cases);
/* Returns whether its latency never became steady; its numbers then cover the whole measurement. */
gboolean dyno_chart_cases_is_unsteady (DynoResult *result);
/* Values measured independently, such as memory, are not unsteady because the latency is. Returns the doubt
 * about the value, from its quality and the state of the case. */
DynoDoubt dyno_chart_cases_get_doubt (DynoResult *result, const char *value);
/* Links the point to its case, and marks it if its value is doubtful. @index: one of its points. */
void
dyno_chart_cases_mark_point (DynoSeries *series, guint index, const DynoChartCase *kase, const char *value);
/* Returns the name of a series that has no points to mark; the name mentions any doubt. @value: the stable
 * name of the value that the series shows. */
char *dyno_chart_cases_dup_marked_name (const DynoChartCase *kase, guint dimensions, const char *value);
/* Returns the word that marks a doubtful row in the table of a chart; empty if there is no doubt. */
const char *dyno_chart_cases_get_mark (DynoResult *result);
/* Returns the name of the case; its model when no dimension adds to it. */
char *dyno_chart_cases_dup_name (const DynoChartCase *kase, guint dimensions);
/* Returns a short name of the case, such as `BERT b4 s64`, for a point in a picture. */
char *dyno_chart_cases_dup_label (const DynoChartCase *kase, guint dimensions);
/* Returns the caption with a key to the letters in the labels. @cases holds DynoChartCase. */
char *dyno_chart_cases_dup_labelled_caption (GPtrArray *cases);
/* Returns the settings that all cases have in common, and where and when they were measured. @cases holds
 * DynoChartCase. */
char *dyno_chart_cases_dup_caption (GPtrArray *cases, guint left_out);
/* Returns the caption, which mentions any cases with data that are not shown. @cases holds DynoChartCase.
 * @shown holds DynoChartCase. */
char *dyno_chart_cases_dup_limited_caption (GPtrArray *cases,
                                            GPtrArray *shown,
                                            gboolean (*has_data) (DynoResult *result));

/* Returns the reasons why cases lack the value, each once; empty if no case gives a reason. @cases holds
 * DynoChartCase. */
char *dyno_chart_cases_dup_reasons (GPtrArray *cases, const char *value);
/* Returns the message of a latency chart without data. @cases holds DynoChartCase. */
char *dyno_chart_cases_dup_no_latency (GPtrArray *cases);
/* Returns the message of a throughput chart without data. @cases holds DynoChartCase. */
char *dyno_chart_cases_dup_no_throughput (GPtrArray *cases);
/* Returns the message of an energy chart without data: the cause and the remedy. @cases holds DynoChartCase. */
char *dyno_chart_cases_dup_no_energy (GPtrArray *cases);
/* Returns whether at least one of the cases has a number for the value. @cases holds DynoChartCase. */
gboolean dyno_chart_cases_any_has (GPtrArray *cases, const char *value);
/* Returns whether the value is a number that was estimated, not measured. */
gboolean dyno_chart_cases_is_estimated (DynoResult *result, const char *value);

/* Returns the number of counted steps; of all steps if the phases are unknown. */
guint dyno_chart_cases_count_steady (DynoResult *result);
/* Returns the readings of all invocations joined: each begins at the end of the one before, even if other
 * cases ran in between; NULL if there are none. The caller owns it. */
DynoTrace *dyno_chart_cases_join_trace (DynoResult *result, const char *name);
/* Returns whether the result has readings of that name. */
gboolean dyno_chart_cases_has_trace (DynoResult *result, const char *trace);
/* Returns the readings over time, in s, of one invocation after another. @value: the stable name of the value
 * that summarises the trace. */
DynoSeries *dyno_chart_cases_create_series (
    const char *trace, const DynoChartCase *kase, guint slot, guint dimensions, const char *value);

G_END_DECLS
