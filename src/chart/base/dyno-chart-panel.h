/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-plot.h"

G_BEGIN_DECLS

/**
 * DynoChartPanel:
 * @title: (nullable): what it shows, where a chart has several panels
 * @finding: (nullable): what can be seen in it, in a few words
 * @x_axis: (nullable): what runs to the right; panels can share it
 * @y_axis: (nullable): what runs upwards
 * @lower_axis: (nullable): the y axis of a second plot below the first
 * @cell: the part of the picture it was drawn in last, in px; only place and size are used
 * @plot: where its data were drawn last; a width of 0 if they never were
 * @lower: the same of its second plot; a height of 0 if there is none
 *
 * One of the small multiples of a chart. Most charts have one panel, which is the whole picture.
 */
typedef struct
{
  char *title;
  char *finding;
  DynoAxis *x_axis;
  DynoAxis *y_axis;
  DynoAxis *lower_axis;
  DynoPlot cell;
  DynoPlot plot;
  DynoPlot lower;
} DynoChartPanel;

DynoChartPanel *dyno_chart_panel_new (void);
void dyno_chart_panel_free (DynoChartPanel *self);
/* Forgets where it was drawn. */
void dyno_chart_panel_forget (DynoChartPanel *self);
void dyno_chart_panel_move (DynoChartPanel *self, double dx, double dy);
/* Returns how many bars can lie below each other; 0 where it has no rows. */
guint dyno_chart_panel_count_rows (const DynoChartPanel *self);

/* Returns how high it is best. @panels holds DynoChartPanel. */
double dyno_chart_panels_get_height (GPtrArray *panels, double width);
/* Gives each panel its cell, from left to right in lines. Where there is too little room, the last ones
 * have none. Returns how many have one. @panels holds DynoChartPanel. */
guint dyno_chart_panels_layout (GPtrArray *panels, const DynoPlot *content);

G_END_DECLS
