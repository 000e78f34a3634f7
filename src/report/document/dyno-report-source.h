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
 * @ceilings: (nullable) (element-type DynoRun GPtrArray): the ceilings of the machines of the runs, for
 *   charts with roofs
 * @comparison: how runs are compared
 * @goal: (nullable): the goal for selecting hardware; NULL for the lowest latency
 * @row_axis: (nullable): the rows of that matrix, an axis of DynoRecommendation; NULL for models
 * @column_axis: (nullable): its columns; NULL for sizes
 *
 * The content of a report.
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

typedef struct _DynoReportKind DynoReportKind;
typedef struct _DynoReportTemplate DynoReportTemplate;

/**
 * DynoReportTemplate:
 * @name: a stable name, for command lines
 * @label: its name for people, to be translated
 * @build: makes the document; NULL with an error if it does not fit these runs
 * @kind: (nullable): the kind of models that it is about; NULL for any
 *
 * The selection and order of the content of a report.
 */
struct _DynoReportTemplate
{
  const char *name;
  const char *label;
  DynoReportDocument *(*build) (const DynoReportTemplate *self,
                                const DynoReportSource *source,
                                GError **error);
  const DynoReportKind *kind;
};

extern const DynoReportTemplate dyno_report_run_template;
extern const DynoReportTemplate dyno_report_comparison_template;
extern const DynoReportTemplate dyno_report_hardware_template;
extern const DynoReportTemplate dyno_report_engines_template;
extern const DynoReportTemplate dyno_report_language_template;
extern const DynoReportTemplate dyno_report_vision_template;
extern const DynoReportTemplate dyno_report_speech_template;
extern const DynoReportTemplate dyno_report_multimodal_template;

G_END_DECLS
