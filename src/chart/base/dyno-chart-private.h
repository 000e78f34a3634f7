/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-chart-data.h"
#include "dyno-chart-info.h"
#include "dyno-chart-table.h"
#include "dyno-comparison.h"
#include "dyno-history.h"
#include "dyno-layer.h"
#include "dyno-recommendation.h"

G_BEGIN_DECLS

/* The functions with which the file of each kind fills a chart. */

/**
 * DynoChartPart:
 * @series: points
 * @panel: (nullable): the title of their panel
 * @x_axis: the horizontal axis of the panel
 * @y_axis: its vertical axis
 *
 * A series of a chart with its axes.
 */
typedef struct
{
  DynoSeries *series;
  const char *panel;
  DynoAxis *x_axis;
  DynoAxis *y_axis;
} DynoChartPart;

/* Returns its visible series that have points, in order. Elements are DynoChartPart. */
GArray *dyno_chart_list_parts (DynoChart *self);
/* Returns a chart. */
DynoChart *dyno_chart_create (const DynoChartInfo *info, DynoChartData *data);
/* Returns a chart. */
DynoChart *dyno_chart_create_trace (const DynoChartInfo *info, DynoTrace *trace);
/* Returns a chart. */
DynoChart *dyno_chart_create_comparison (const DynoChartInfo *info, DynoComparison *comparison);
/* Returns a chart. */
DynoChart *dyno_chart_create_recommendation (const DynoChartInfo *info, DynoRecommendation *recommendation);
/* Returns a chart. */
DynoChart *dyno_chart_create_history (const DynoChartInfo *info, DynoHistory *history);
GPtrArray *dyno_chart_get_runs (DynoChart *self);
DynoTrace *dyno_chart_get_trace (DynoChart *self);
DynoComparison *dyno_chart_get_comparison (DynoChart *self);
DynoRecommendation *dyno_chart_get_recommendation (DynoChart *self);
DynoHistory *dyno_chart_get_history (DynoChart *self);
/* Returns the slot of the case's series, see DynoChartLooks. @among: the DynoDimension in which series of
 * this chart could differ. */
guint dyno_chart_get_slot (DynoChart *self, const DynoChartCase *kase, guint among);
/* Returns the series of that name; adds it if it is new. @all holds DynoSeries. @among: the DynoDimension in
 * which series of this chart could differ. */
DynoSeries *dyno_chart_find_series (
    DynoChart *self, GPtrArray *all, const DynoChartCase *kase, const char *name, guint among);
/* @note (nullable): the meaning of its bands or whiskers; written in the picture wherever it is shown,
 * together with the meaning of point marks. */
void dyno_chart_take_note (DynoChart *self, char *note);
/* Appends to the note how many cases are doubtful, and why. @cases holds DynoChartCase. */
void dyno_chart_tell_doubtful (DynoChart *self, GPtrArray *cases);
/* Starts a panel; axes and layers taken from here on belong to it. */
void dyno_chart_begin_panel (DynoChart *self, const char *title);
void dyno_chart_take_panel_finding (DynoChart *self, char *finding);
void dyno_chart_take_title (DynoChart *self, char *title);
void dyno_chart_take_caption (DynoChart *self, char *caption);
void dyno_chart_take_finding (DynoChart *self, char *finding);
void dyno_chart_set_empty_message (DynoChart *self, const char *message);
void dyno_chart_take_axes (DynoChart *self, DynoAxis *x_axis, DynoAxis *y_axis);
/* @y_axis: the y axis of a second plot in the panel, below the first and over the same x axis. */
void dyno_chart_take_lower_axis (DynoChart *self, DynoAxis *y_axis);
/* @labels_lines: whether the names of series may be at the ends of their lines instead of in a legend. */
void dyno_chart_set_labels_lines (DynoChart *self, gboolean labels_lines);
/* Keeps room to the right of the plot for the labels of points and the names of their series. */
void dyno_chart_keep_aside (DynoChart *self);
void dyno_chart_add_series (DynoChart *self, DynoSeries *series);
void dyno_chart_take_layer (DynoChart *self, DynoLayer *layer);
void dyno_chart_take_lower_layer (DynoChart *self, DynoLayer *layer);
/* Adds an aspect that people can choose; see dyno_chart_get_aspect(). */
void dyno_chart_add_aspect (DynoChart *self, const char *name);
DynoChartTable *dyno_chart_build_table (DynoChart *self);

G_END_DECLS
