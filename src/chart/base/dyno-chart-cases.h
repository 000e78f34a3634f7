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

GPtrArray *dyno_chart_cases_collect (GPtrArray *runs);
GPtrArray *dyno_chart_cases_new_single (DynoRun *run, DynoResult *result);
GPtrArray *dyno_chart_cases_select (GPtrArray *cases, gboolean (*has_data) (DynoResult *result), guint limit);

void dyno_chart_cases_set_ceilings (GPtrArray *cases, GHashTable *ceilings);

guint dyno_chart_cases_get_varying (GPtrArray *cases);
char *dyno_chart_cases_dup_parts (const DynoChartCase *kase, guint dimensions);
char *dyno_chart_cases_dup_part_name (const DynoChartCase *kase, guint dimensions);
const char *dyno_chart_cases_get_heading (DynoDimension dimension);
char *dyno_chart_cases_dup_cell (const DynoChartCase *kase, DynoDimension dimension, double *number);
char *dyno_chart_cases_dup_doubtful (GPtrArray *cases);
const char *dyno_chart_cases_get_unit (GPtrArray *cases, const char *unit);
char *dyno_chart_cases_dup_interval_words (GPtrArray *cases);
const char *dyno_chart_cases_get_interval_heading (GPtrArray *cases, gboolean is_high);
guint dyno_chart_cases_get_varying_within_models (GPtrArray *cases);
GPtrArray *dyno_chart_cases_part_by_model (GPtrArray *cases);
gboolean dyno_chart_cases_is_unsteady (DynoResult *result);
DynoDoubt dyno_chart_cases_get_doubt (DynoResult *result, const char *value);
void
dyno_chart_cases_mark_point (DynoSeries *series, guint index, const DynoChartCase *kase, const char *value);
char *dyno_chart_cases_dup_marked_name (const DynoChartCase *kase, guint dimensions, const char *value);
const char *dyno_chart_cases_get_mark (DynoResult *result);
char *dyno_chart_cases_dup_name (const DynoChartCase *kase, guint dimensions);
char *dyno_chart_cases_dup_label (const DynoChartCase *kase, guint dimensions);
char *dyno_chart_cases_dup_labelled_caption (GPtrArray *cases);
char *dyno_chart_cases_dup_caption (GPtrArray *cases, guint left_out);
char *dyno_chart_cases_dup_limited_caption (GPtrArray *cases,
                                            GPtrArray *shown,
                                            gboolean (*has_data) (DynoResult *result));

char *dyno_chart_cases_dup_reasons (GPtrArray *cases, const char *value);
char *dyno_chart_cases_dup_no_latency (GPtrArray *cases);
char *dyno_chart_cases_dup_no_throughput (GPtrArray *cases);
char *dyno_chart_cases_dup_no_energy (GPtrArray *cases);
gboolean dyno_chart_cases_any_has (GPtrArray *cases, const char *value);
gboolean dyno_chart_cases_is_estimated (DynoResult *result, const char *value);

guint dyno_chart_cases_count_steady (DynoResult *result);
GArray *dyno_chart_cases_pool_steady (DynoResult *result);
DynoTrace *dyno_chart_cases_join_trace (DynoResult *result, const char *name);
gboolean dyno_chart_cases_has_trace (DynoResult *result, const char *trace);
DynoSeries *dyno_chart_cases_create_series (
    const char *trace, const DynoChartCase *kase, guint slot, guint dimensions, const char *value);

G_END_DECLS
