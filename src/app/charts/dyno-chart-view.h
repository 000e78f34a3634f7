/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "dyno-chart.h"

G_BEGIN_DECLS

#define DYNO_TYPE_CHART_VIEW (dyno_chart_view_get_type ())

/**
 * DynoChartView:
 *
 * A chart with its title, finding, legend, the table of its data, and export to a file, the clipboard or by
 * dragging. Properties, read-write: `chart` (DynoChart, nullable), `show-table` (boolean).
 *
 * Actions: `chart.export`, `chart.copy`, `chart.show-table`, `chart.copy-table`, `chart.save-table`,
 * `chart.reset-zoom`.
 *
 * Signal `activated (GObject *subject)`: the user clicked the mark of a DynoResult, a
 * DynoOperator or, by its id alone, a DynoRun.
 */
G_DECLARE_FINAL_TYPE (DynoChartView, dyno_chart_view, DYNO, CHART_VIEW, AdwBin)

/* Returns a new view. @chart may be NULL. */
GtkWidget *dyno_chart_view_new (DynoChart *chart);

/* Returns its chart; NULL if there is none. */
DynoChart *dyno_chart_view_get_chart (DynoChartView *self);
/* @chart may be NULL. */
void dyno_chart_view_set_chart (DynoChartView *self, DynoChart *chart);
/* Returns whether the data is shown as a table. */
gboolean dyno_chart_view_get_show_table (DynoChartView *self);
void dyno_chart_view_set_show_table (DynoChartView *self, gboolean show_table);

/* Shows the data as a table and selects that row. Returns whether there is such a row. */
gboolean dyno_chart_view_show_row (DynoChartView *self, const char *text);

G_END_DECLS
