/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <cairo.h>

#include "dyno-chart-base-private.h"
#include "dyno-chart-style.h"

G_BEGIN_DECLS

#define DYNO_CHART_FRAME_N_ASIDES 2
#define DYNO_CHART_MAX_NOTE_LINES 5
/* The minimum height of all panels together; below it, the surrounding text is dropped. */
#define DYNO_CHART_MIN_PANELS_HEIGHT 190.0

/**
 * DynoChartFrameRole:
 * @DYNO_CHART_FRAME_WHOLE: around the data of a chart that has one panel
 * @DYNO_CHART_FRAME_AROUND: around the panels of a chart that has several; its plot contains them
 * @DYNO_CHART_FRAME_PANEL: around the data of one of these
 */
typedef enum
{
  DYNO_CHART_FRAME_WHOLE,
  DYNO_CHART_FRAME_AROUND,
  DYNO_CHART_FRAME_PANEL,
} DynoChartFrameRole;

/**
 * DynoChartFrame:
 * @role: the content that it surrounds
 * @title: above everything
 * @finding: below the title
 * @note: (nullable): the meaning of the marks, below the data
 * @caption: below everything
 * @series: (element-type DynoSeries) (nullable): the series in the legend
 * @labels_lines: whether names may be beside the ends of lines
 * @aside: the widths of the text beside the rows, from the longest form to the shortest
 * @is_above: whether another panel below it has the labels of the x axis
 * @width: of the picture, in px
 * @height: of the picture
 * @plot: the data area, from dyno_chart_frame_layout()
 * @lower: a second plot below it with its own y axis, if it has one; its height is 0 if there is no room
 *
 * The surroundings of the data: divides a picture among title, legend, axes, caption and plot, and drops the
 * least important parts when there is little room.
 */
typedef struct
{
  DynoChartFrameRole role;
  const char *title;
  const char *finding;
  const char *note;
  const char *caption;
  GPtrArray *series;
  gboolean labels_lines;
  double aside[DYNO_CHART_FRAME_N_ASIDES];
  gboolean is_above;
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
  double note_y;
  double caption_y;
  double labels_width;
  double y_title_y;
  double lower_title_y;
  double x_title_y;
  guint n_finding_lines;
  guint n_note_lines;
  guint n_caption_lines;
  guint n_name_lines;
  guint n_row_lines;
  gboolean with_title;
  gboolean with_x_title;
  gboolean with_y_title;
  gboolean titles_share_line;
  GArray *x_ticks;
  GArray *y_ticks;
  GArray *lower_ticks;
} DynoChartFrame;

/* Divides the picture and fills `plot`. */
void dyno_chart_frame_layout (DynoChartFrame *frame, cairo_t *cr, const DynoChartStyle *style);
/* Draws the background of the data. */
void dyno_chart_frame_draw_grid (DynoChartFrame *frame, cairo_t *cr, const DynoChartStyle *style);
void dyno_chart_frame_draw_axes (DynoChartFrame *frame, cairo_t *cr, const DynoChartStyle *style);
/* Draws title, finding, legend and caption, if the style wants them and there is room. */
void dyno_chart_frame_draw_words (DynoChartFrame *frame, cairo_t *cr, const DynoChartStyle *style);
void dyno_chart_frame_draw_left_out (DynoChartFrame *frame,
                                     guint n_left_out,
                                     cairo_t *cr,
                                     const DynoChartStyle *style);
void dyno_chart_frame_draw_message (DynoChartFrame *frame,
                                    const char *message,
                                    cairo_t *cr,
                                    const DynoChartStyle *style);
void dyno_chart_frame_clear (DynoChartFrame *frame);

G_END_DECLS
