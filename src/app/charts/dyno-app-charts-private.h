/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>
#include <gtk/gtk.h>

#include "dyno-chart-kind.h"
#include "dyno-chart-style.h"
#include "dyno-chart.h"

G_BEGIN_DECLS

/* dyno-chart-canvas */

#define DYNO_TYPE_CHART_CANVAS (dyno_chart_canvas_get_type ())

/**
 * DynoChartCanvas:
 *
 * Draws a chart. The pointer hovers over points, Ctrl and the wheel zoom, a drag pans a zoomed chart; in a chart
 * over time, it selects a part, and pans with Shift. On the keyboard, the arrow keys walk from point to point and
 * from series to series, with Shift they select, Home and End jump, plus and minus zoom, 0 shows everything, and
 * Escape leaves the point and the selection.
 *
 * # Accessibility
 *
 * It has the role `IMG`, the chart's title as its label, and as its description the chart's finding, or the
 * point that the cursor is on.
 */
G_DECLARE_FINAL_TYPE (DynoChartCanvas, dyno_chart_canvas, DYNO, CHART_CANVAS, GtkWidget)

/* Returns its chart; NULL if there is none. */
DynoChart *dyno_chart_canvas_get_chart (DynoChartCanvas *self);
/* @chart may be NULL. */
void dyno_chart_canvas_set_chart (DynoChartCanvas *self, DynoChart *chart);
void dyno_chart_canvas_get_style (DynoChartCanvas *self, DynoChartStyle *style);

/* dyno-chart-view */

#define DYNO_TYPE_CHART_VIEW (dyno_chart_view_get_type ())

/**
 * DynoChartView:
 *
 * A chart with its title, a line with its finding and the meaning of its marks, a legend where its lines have no
 * names beside them, the table of its data, and export to a file, the clipboard or by
 * dragging. Properties, read-write: `chart` (DynoChart, nullable), `show-table` (boolean).
 *
 * Actions: `chart.export`, `chart.copy`, `chart.show-table`, `chart.copy-table`, `chart.save-table`,
 * `chart.reset-zoom`, `chart.zoom-to-selection`, `chart.unselect`.
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

/* dyno-chart-groups */

#define DYNO_TYPE_CHART_GROUPS (dyno_chart_groups_get_type ())

/**
 * DynoChartGroups:
 *
 * All charts of a run, of runs to compare, or of one case, grouped by the question they answer: how fast it
 * is, how close to the ceilings of the machine, and at which cost. Charts are made when their group is first
 * shown. A group without data has no page, and an empty chart no card.
 *
 * The charts of a case are linked, in all groups. Read-only property `has-selection` (boolean): whether a part of
 * their time is selected.
 *
 * Signal `activated (GObject *subject)`: the user clicked the point of a case or of an operator.
 */
G_DECLARE_FINAL_TYPE (DynoChartGroups, dyno_chart_groups, DYNO, CHART_GROUPS, AdwBin)

/* @result: one of the run's results, to show its charts; NULL for the charts of all. It must always be NULL,
 * or never. */
void dyno_chart_groups_set_run (DynoChartGroups *self, DynoRun *run, DynoResult *result);
/* @runs: runs with results, to draw in the same charts. */
void dyno_chart_groups_set_runs (DynoChartGroups *self, GPtrArray *runs);
/* @ceilings (nullable): the ceilings of the machines of runs, shown or not: arrays of DynoCeiling. */
void dyno_chart_groups_set_ceilings (DynoChartGroups *self, GHashTable *ceilings);
/* Adds a page of another kind, such as a table, behind those of charts. */
void dyno_chart_groups_add_page (DynoChartGroups *self, const char *name, const char *title, GtkWidget *page);
/* Shows the page of that name, unless it has no data. */
void dyno_chart_groups_show_page (DynoChartGroups *self, const char *name);
/* Shows the group of a chart. Returns its view; NULL if the chart has no data. */
DynoChartView *dyno_chart_groups_show (DynoChartGroups *self, DynoChartKind kind);

/* dyno-chart-palette */

/* Reads the colours of charts from the style sheets. The widgets around the chart show its title and caption. */
void dyno_chart_palette_fill (GtkWidget *widget, DynoChartStyle *style);

/* dyno-data-table */

#define DYNO_TYPE_DATA_TABLE (dyno_data_table_get_type ())

/**
 * DynoDataTable:
 *
 * The data of a chart in rows and columns, as an alternative to the picture.
 */
G_DECLARE_FINAL_TYPE (DynoDataTable, dyno_data_table, DYNO, DATA_TABLE, AdwBin)

/* @chart may be NULL. */
void dyno_data_table_set_chart (DynoDataTable *self, DynoChart *chart);

/* Returns whether there is such a row. */
gboolean dyno_data_table_select_row (DynoDataTable *self, const char *text);

G_END_DECLS
