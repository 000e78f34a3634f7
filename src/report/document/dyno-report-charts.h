/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-report-document.h"
#include "dyno-run.h"

G_BEGIN_DECLS

/* Returns its height in a document, in px: no higher than its rows and panels need, with room for the text
 * below it. */
double dyno_report_charts_get_height (DynoChart *chart, double width);
/* Charts of one case are only in a report if the run has a single case, and then come first. Returns the
 * charts that have something to show, in the order of DYNO_CHART_KINDS. Elements are DynoChart. @ceilings may
 * be NULL. @ceilings holds DynoRun and GPtrArray. */
GPtrArray *dyno_report_charts_list (DynoRun *run, GHashTable *ceilings);
/* Adds the main chart and removes it from the list. @charts holds DynoChart. */
void dyno_report_charts_put_main (GPtrArray *charts, DynoReportDocument *document);
/* @charts holds DynoChart. */
void dyno_report_charts_put (GPtrArray *charts, DynoReportDocument *document);

G_END_DECLS
