/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-result.h"

G_BEGIN_DECLS

/**
 * DynoReportFigure:
 * @metric: the value that it is made of
 * @words: (nullable): what tells it from the median latency, in a name; %NULL for that
 * @is_rate: whether it is what a thing takes, made of how many there are in a second
 *
 * The one number of a case that programs follow over time: a time in ms, of which less is better.
 */
typedef struct
{
  const char *metric;
  const char *words;
  gboolean is_rate;
} DynoReportFigure;

/* Programs judge by it, and what never became steady is in no verdict. Returns its number; NULL where it
 * has neither a steady latency nor a steady rate. */
const DynoReportFigure *dyno_report_figure_find (DynoResult *result);
/* Returns the number, in ms: a latency, or 1000 over a rate; NaN where the result has none that is steady. */
double dyno_report_figure_get (const DynoReportFigure *figure, DynoResult *result);
/* Returns the name of the series that it belongs to, which is of one kind of number. */
char *dyno_report_figure_dup_name (const DynoReportFigure *figure, DynoResult *result);
/* Returns whether there is anything to write; FALSE with @error otherwise. @runs holds DynoRun. @format:
 * the name of a format that holds such numbers and nothing else. */
gboolean dyno_report_figure_check (GPtrArray *runs, const char *format, GError **error);

G_END_DECLS
