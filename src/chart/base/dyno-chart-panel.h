/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-plot.h"

G_BEGIN_DECLS

/**
 * DynoChartPanel:
 * @title: (nullable): its title, if the chart has several panels
 * @finding: (nullable): its finding, in a few words
 * @x_axis: (nullable): the horizontal axis; panels can share it
 * @y_axis: (nullable): the vertical axis
 * @lower_axis: (nullable): the y axis of a second plot below the first
 * @cell: the part of the picture in which it was last drawn, in px; only position and size are used
 * @plot: the area in which its data were last drawn; its width is 0 if they never were
 * @lower: the same for its second plot; its height is 0 if there is none
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
/* Forgets the area in which it was drawn. */
void dyno_chart_panel_forget (DynoChartPanel *self);
void dyno_chart_panel_move (DynoChartPanel *self, double dx, double dy);
/* Returns the maximum number of bars below each other; 0 if it has no rows. */
guint dyno_chart_panel_count_rows (const DynoChartPanel *self);

/* Returns the preferred height, in px. @panels holds DynoChartPanel. */
double dyno_chart_panels_get_height (GPtrArray *panels, double width);
/* Gives each panel its cell, from left to right in lines. If there is too little room, the last panels get
 * none. Returns how many have one. @panels holds DynoChartPanel. */
guint dyno_chart_panels_layout (GPtrArray *panels, const DynoPlot *content);

G_END_DECLS
