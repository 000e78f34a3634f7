/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <cairo.h>

#include "dyno-chart-style.h"
#include "dyno-plot.h"

G_BEGIN_DECLS

/**
 * DynoChartFrame:
 * @title: above everything
 * @finding: below the title
 * @caption: below everything
 * @series: (element-type DynoSeries): what the legend names
 * @labels_lines: whether names may stand beside the ends of lines
 * @width: of the picture, in px
 * @height: of the picture
 * @plot: where the data goes, from [func@Dyno.chart_frame_layout]
 * @lower: a second panel below it with a y axis of its own, if it has one; without height where there is no room
 *
 * What stands around the data: it divides a picture among title, legend, axes, caption and plot, giving up
 * what matters least when there is little room.
 */
typedef struct
{
  const char *title;
  const char *finding;
  const char *caption;
  GPtrArray *series;
  gboolean labels_lines;
  double width;
  double height;
  DynoPlot plot;
  DynoPlot lower;

  /*< private >*/
  double pad;
  double finding_y;
  double legend_y;
  double legend_height;
  double legend_row;
  double caption_y;
  double labels_width;
  double y_title_y;
  double lower_title_y;
  double x_title_y;
  guint n_finding_lines;
  guint n_caption_lines;
  gboolean with_title;
  GArray *x_ticks;
  GArray *y_ticks;
  GArray *lower_ticks;
} DynoChartFrame;

void dyno_chart_frame_layout (DynoChartFrame *frame, cairo_t *cr, const DynoChartStyle *style);
void dyno_chart_frame_draw_grid (DynoChartFrame *frame, cairo_t *cr, const DynoChartStyle *style);
void dyno_chart_frame_draw_axes (DynoChartFrame *frame, cairo_t *cr, const DynoChartStyle *style);
void dyno_chart_frame_draw_words (DynoChartFrame *frame, cairo_t *cr, const DynoChartStyle *style);
void dyno_chart_frame_draw_message (DynoChartFrame *frame,
                                    const char *message,
                                    cairo_t *cr,
                                    const DynoChartStyle *style);
void dyno_chart_frame_clear (DynoChartFrame *frame);

G_END_DECLS
