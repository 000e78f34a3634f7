/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

#include "dyno-goal.h"
#include "dyno-recommendation.h"
#include "dyno-result.h"

G_BEGIN_DECLS

/* dyno-report-figure */

/**
 * DynoReportFigure:
 * @metric: the value that it is computed from
 * @words: (nullable): the words that distinguish its name from the median latency; NULL for that
 * @is_rate: whether it is the time per item, computed from a rate per second
 *
 * The one number of a case that programs follow over time: a time in ms; less is better.
 */
typedef struct
{
  const char *metric;
  const char *words;
  gboolean is_rate;
} DynoReportFigure;

/* Programs judge by it, so values that never became steady are excluded. Returns the figure of the result;
 * NULL if it has neither a steady latency nor a steady rate. */
const DynoReportFigure *dyno_report_figure_find (DynoResult *result);
/* Returns the number, in ms: a latency, or 1000 over a rate; NaN if the result has no steady one. */
double dyno_report_figure_get (const DynoReportFigure *figure, DynoResult *result);
/* Returns the name of its series; each series has one kind of number. */
char *dyno_report_figure_dup_name (const DynoReportFigure *figure, DynoResult *result);
/* Returns whether there is anything to write; FALSE with @error otherwise. @runs holds DynoRun. @format: the
 * name of a format that holds only such numbers. */
gboolean dyno_report_figure_check (GPtrArray *runs, const char *format, GError **error);

/* dyno-report-member */

/* Adds the case of the result. */
void dyno_report_member_add_case (JsonBuilder *builder, DynoResult *result);
/* Adds why the candidate is doubted or refused, and the ratio of the best case over it with its interval and verdict.
 * @candidate may be NULL. */
void
dyno_report_member_add_standing (JsonBuilder *builder, const DynoGoal *goal, const DynoCandidate *candidate);

/* dyno-report-text */

char *dyno_report_text_format_number (double number);
char *dyno_report_text_format_exact (double number);
char *dyno_report_text_escape (const char *text);

G_END_DECLS
