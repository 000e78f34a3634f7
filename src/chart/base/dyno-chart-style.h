/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define DYNO_CHART_N_COLORS 8

/**
 * DynoColor:
 *
 * A colour, each channel 0…1.
 */
typedef struct
{
  double red;
  double green;
  double blue;
  double alpha;
} DynoColor;

/**
 * DynoChartStyle:
 * @foreground: text and axes
 * @background: behind everything; alpha 0 means that the widget has already painted this colour
 * @grid: grid lines
 * @dim: secondary text
 * @accent: cursor and focus
 * @doubt: the ring around doubtful points
 * @series: palette of the series, in order
 * @phases: tints behind load, first run, warm-up and measurement
 * @font: a Pango font description, such as `Cantarell 10`
 * @line_width: of series, in px
 * @high_contrast: whether fills become solid, lines thicker and dashes on
 * @with_title: whether title, legend and caption are drawn (exports) or left to the window
 * @blank_text: whether text is drawn as bars of a fixed size per letter, for pictures that do not depend on
 *   the fonts installed
 *
 * How a chart looks; the window fills one from CSS, exports use dyno_chart_style_get_light().
 */
typedef struct
{
  DynoColor foreground;
  DynoColor background;
  DynoColor grid;
  DynoColor dim;
  DynoColor accent;
  DynoColor doubt;
  DynoColor series[DYNO_CHART_N_COLORS];
  DynoColor phases[4];
  const char *font;
  double line_width;
  gboolean high_contrast;
  gboolean with_title;
  gboolean blank_text;
} DynoChartStyle;

/* Returns dark ink on white, for exports and prints. */
const DynoChartStyle *dyno_chart_style_get_light (void);
/* Returns light ink on the dark background of GNOME's windows. */
const DynoChartStyle *dyno_chart_style_get_dark (void);
/* Returns black on white, thick lines, dashes, solid fills. */
const DynoChartStyle *dyno_chart_style_get_high_contrast (void);

/* Returns the contrast ratio of WCAG 2, from 1 to 21. */
double dyno_color_get_contrast (const DynoColor *color, const DynoColor *background);

G_END_DECLS
