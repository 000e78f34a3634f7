/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <cairo.h>
#include <gio/gio.h>

#include "dyno-chart-style.h"
#include "dyno-run.h"

G_BEGIN_DECLS

#define DYNO_TYPE_CHART (dyno_chart_get_type ())

/**
 * DynoChart:
 *
 * A picture of data: axes, layers of series, title, legend and caption, drawn with Cairo alone. It knows
 * nothing of widgets: the same [method@Dyno.Chart.render] serves window, PNG, SVG, PDF and tests. Some charts have
 * several panels, small multiples with a title each.
 *
 * Signal `changed`: it must be drawn again (zoom, toggled series, moved cursor).
 */
G_DECLARE_FINAL_TYPE (DynoChart, dyno_chart, DYNO, CHART, GObject)

/* Reads its data again, and keeps zoom, hidden series and cursor. */
void dyno_chart_refresh (DynoChart *self);

/* Sets the roofs, and builds the chart again if it shows any. @ceilings holds DynoCeiling. */
void dyno_chart_set_ceilings (DynoChart *self, DynoRun *run, GPtrArray *ceilings);
/* Like dyno_chart_set_ceilings() for each of many runs, but builds the chart again only once. @ceilings:
 * for each run what dyno_chart_set_ceilings() takes. */
void dyno_chart_set_all_ceilings (DynoChart *self, GHashTable *ceilings);

/* The ways in which a chart can show its data, of which it shows one; most have none. */
guint dyno_chart_get_n_aspects (DynoChart *self);
const char *dyno_chart_get_aspect_name (DynoChart *self, guint aspect);
/* Returns which of the ways to show its data it shows; 0 at first. */
guint dyno_chart_get_aspect (DynoChart *self);
void dyno_chart_set_aspect (DynoChart *self, guint aspect);

const char *dyno_chart_get_title (DynoChart *self);
/* Returns what all of the data have in common: the kind of case, the machine, the day. */
const char *dyno_chart_get_caption (DynoChart *self);
/* Returns what the picture shows, in a sentence computed from the data; the empty message when there are
 * none. */
const char *dyno_chart_get_finding (DynoChart *self);
/* Returns what its marks mean, such as bands and whiskers; possibly empty. */
const char *dyno_chart_get_note (DynoChart *self);
/* Returns why there is nothing to see; NULL when there is. */
const char *dyno_chart_get_empty_message (DynoChart *self);

/* Draws the chart with its top left corner at the origin. */
void
dyno_chart_render (DynoChart *self, cairo_t *cr, double width, double height, const DynoChartStyle *style);

/* Returns how high it is best, without title and caption; 0 where any height will do. */
double dyno_chart_get_natural_height (DynoChart *self, double width);
guint dyno_chart_get_n_panels (DynoChart *self);
/* Returns what the panel shows; NULL for that of a chart that has no other. */
const char *dyno_chart_get_panel_title (DynoChart *self, guint panel);

/* Legend: one entry per series. */
guint dyno_chart_get_n_series (DynoChart *self);
const char *dyno_chart_get_series_name (DynoChart *self, guint series);
gboolean dyno_chart_get_series_visible (DynoChart *self, guint series);
void dyno_chart_set_series_visible (DynoChart *self, guint series, gboolean visible);
/* Draws what a legend shows of a series: its colour, dash and marker. */
void dyno_chart_render_swatch (
    DynoChart *self, guint series, cairo_t *cr, double width, double height, const DynoChartStyle *style);

/* Coordinates are those of the last render. */

/* Puts the cursor on the point nearest to the pointer. Returns whether there is one. */
gboolean dyno_chart_hover (DynoChart *self, double x, double y);
void dyno_chart_unhover (DynoChart *self);
/* Moves the keyboard cursor, which appears with the first move. In charts of rows both go from row to row.
 * Through long series one step goes a few pixels. Returns whether it moved. @d_point: how many points to
 * go along the series. */
gboolean dyno_chart_move_cursor (DynoChart *self, int d_point, int d_series);
/* Returns the text for the point under the cursor; NULL if there is none. */
const char *dyno_chart_get_cursor_text (DynoChart *self);
/* Returns what the point under the cursor stands for, a DynoResult or a DynoOperator, to go there with a
 * click; NULL if there is none. */
GObject *dyno_chart_get_cursor_subject (DynoChart *self);
/* Zooms both axes of the panel there; beside an axis only that one, and charts over time keep their
 * heights. @factor: above 1 comes closer. */
void dyno_chart_zoom (DynoChart *self, double factor, double x, double y);
/* @dx: how far the data follow the pointer to the right, in px. */
void dyno_chart_pan (DynoChart *self, double x, double y, double dx, double dy);
void dyno_chart_reset_zoom (DynoChart *self);
gboolean dyno_chart_is_zoomed (DynoChart *self);

/**
 * DynoChartMark:
 * @x: the left edge of the place that stands for a point, in px
 * @y: its top
 * @width: its width
 * @height: its height
 * @text: what there is to say of the point
 *
 * Where a point lies in a picture.
 */
typedef struct
{
  double x;
  double y;
  double width;
  double height;
  char *text;
} DynoChartMark;

/* Where the points of the last render lie; of series with very many points, some that are apart. Returns
 * the marks; those in front come last. Elements are DynoChartMark. */
GArray *dyno_chart_list_marks (DynoChart *self);

/* Returns the same data as rows of cells, each a NULL-terminated array of strings, all of the same length;
 * the first row holds the headings. Elements are GStrv. */
GPtrArray *dyno_chart_get_table (DynoChart *self);
/* Returns its table as text, with numbers as programs read them. */
char *dyno_chart_dup_table (DynoChart *self, char separator);

G_END_DECLS
