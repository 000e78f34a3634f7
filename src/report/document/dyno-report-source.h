/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-comparison-builder.h"
#include "dyno-goal.h"
#include "dyno-report-document.h"
#include "dyno-run.h"

G_BEGIN_DECLS

/**
 * DynoReportSource:
 * @runs: (element-type DynoRun): the runs, with their results
 * @ceilings: (nullable) (element-type DynoRun GPtrArray): what the machines of the runs can do at most, for charts with
 *   roofs
 * @comparison: how runs are compared
 * @goal: (nullable): what hardware is selected by; %NULL for the least latency
 * @row_axis: (nullable): the rows of that matrix, an axis of [struct@Dyno.Recommendation]; %NULL for models
 * @column_axis: (nullable): its columns; %NULL for sizes
 *
 * What a report is about.
 */
typedef struct
{
  GPtrArray *runs;
  GHashTable *ceilings;
  DynoComparisonOptions comparison;
  const DynoGoal *goal;
  const char *row_axis;
  const char *column_axis;
} DynoReportSource;

/**
 * DynoReportTemplate:
 * @name: a stable name, for command lines
 * @label: what people call it, to be translated
 * @build: makes the document; %NULL with an error where these runs are none for it
 *
 * What a report says and in which order.
 */
typedef struct
{
  const char *name;
  const char *label;
  DynoReportDocument *(*build) (const DynoReportSource *source, GError **error);
} DynoReportTemplate;

extern const DynoReportTemplate dyno_report_run_template;
extern const DynoReportTemplate dyno_report_comparison_template;
extern const DynoReportTemplate dyno_report_hardware_template;

G_END_DECLS
