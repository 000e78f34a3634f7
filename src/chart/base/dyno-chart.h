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
 * A picture of data: axes, layers of series, title, legend and caption, drawn with Cairo alone. It does not
 * depend on widgets: windows, PNG, SVG, PDF and tests use the same dyno_chart_render(). Some charts
 * have several panels, small multiples with a title each.
 *
 * The signal `changed` asks for a redraw (zoom, toggled series, moved cursor).
 */
G_DECLARE_FINAL_TYPE (DynoChart, dyno_chart, DYNO, CHART, GObject)

/* Reads its data again; keeps zoom, hidden series and cursor. */
void dyno_chart_refresh (DynoChart *self);

#define DYNO_TYPE_CHART_LINK (dyno_chart_link_get_type ())

/**
 * DynoChartLink:
 *
 * Charts beside each other that are read together. Axes that measure the same have one range in all of them, in
 * panels of the same name; time is the same everywhere. Zoom and cursor of one chart are those of the others.
 * It does not own its charts, and each chart may come and go.
 */
G_DECLARE_FINAL_TYPE (DynoChartLink, dyno_chart_link, DYNO, CHART_LINK, GObject)

DynoChartLink *dyno_chart_link_new (void);
/* @link: charts to be read together with this one; NULL to be alone, with its own ranges. */
void dyno_chart_set_link (DynoChart *self, DynoChartLink *link);

/* Sets the roofs; builds the chart again if it shows any. @ceilings holds DynoCeiling. */
void dyno_chart_set_ceilings (DynoChart *self, DynoRun *run, GPtrArray *ceilings);

/* Reads and sorts the steps of long cases of its runs in a thread, so that the charts of these open at once. */
void dyno_chart_prepare_cases (DynoChart *self);

/* The alternative views of its data, of which a chart shows one; most charts have none. */
guint dyno_chart_get_n_aspects (DynoChart *self);
const char *dyno_chart_get_aspect_name (DynoChart *self, guint aspect);
/* Returns the current aspect; 0 at first. */
guint dyno_chart_get_aspect (DynoChart *self);
void dyno_chart_set_aspect (DynoChart *self, guint aspect);

const char *dyno_chart_get_title (DynoChart *self);
/* Returns the properties that all data have in common: the kind of case, the machine, the day. */
const char *dyno_chart_get_caption (DynoChart *self);
/* Returns the finding, a sentence computed from the data; the empty message if there are none. */
const char *dyno_chart_get_finding (DynoChart *self);
/* Returns the meaning of its marks, such as bands and whiskers; possibly empty. */
const char *dyno_chart_get_note (DynoChart *self);
/* Returns why it shows nothing; NULL if it shows something. */
const char *dyno_chart_get_empty_message (DynoChart *self);

/* Draws the chart with its top left corner at the origin. */
void
dyno_chart_render (DynoChart *self, cairo_t *cr, double width, double height, const DynoChartStyle *style);

/* Returns its preferred height, without title and caption, in px; 0 if any height will do. */
double dyno_chart_get_natural_height (DynoChart *self, double width);
guint dyno_chart_get_n_panels (DynoChart *self);
/* Returns the number of its plots; a panel may have two, below each other. */
guint dyno_chart_get_n_plots (DynoChart *self);
/* Returns the title of the panel; NULL for the only panel of a chart. */
const char *dyno_chart_get_panel_title (DynoChart *self, guint panel);

/* Returns whether the last picture named its series beside their lines, where it needs no legend. */
gboolean dyno_chart_names_lines (DynoChart *self);

/* Legend: one entry per series. */
guint dyno_chart_get_n_series (DynoChart *self);
const char *dyno_chart_get_series_name (DynoChart *self, guint series);
gboolean dyno_chart_get_series_visible (DynoChart *self, guint series);
void dyno_chart_set_series_visible (DynoChart *self, guint series, gboolean visible);
/* Draws the legend symbol of a series: its colour, dash and marker. */
void dyno_chart_render_swatch (
    DynoChart *self, guint series, cairo_t *cr, double width, double height, const DynoChartStyle *style);

/* Coordinates are those of the last render. */

/* Puts the cursor on the point nearest to the pointer. Returns whether there is one. */
gboolean dyno_chart_hover (DynoChart *self, double x, double y);
void dyno_chart_unhover (DynoChart *self);
/* Moves the keyboard cursor; the first call shows it. In charts of rows both arguments move from row to row.
 * In long series one step is a few pixels. Returns whether it moved. @d_point: the number of points to move
 * along the series. */
gboolean dyno_chart_move_cursor (DynoChart *self, int d_point, int d_series);
/* Returns the text for the point under the cursor; NULL if there is none. */
const char *dyno_chart_get_cursor_text (DynoChart *self);
/* Returns the object behind the point under the cursor, a DynoResult or a DynoOperator, which a click opens;
 * NULL if there is none. */
GObject *dyno_chart_get_cursor_subject (DynoChart *self);
/* Zooms both axes of the panel at that position, or only one axis if the position is beside it; charts over
 * time keep their vertical range. @factor: above 1 zooms in. */
void dyno_chart_zoom (DynoChart *self, double factor, double x, double y);
/* @dx: how far the data move to the right, in px. */
void dyno_chart_pan (DynoChart *self, double x, double y, double dx, double dy);
/* Charts over time select a part of the time; linked charts have one selection, and what they say is about it.
 * A chart built of the steps of a run, such as a distribution, then shows those of that part. */

/* Returns whether a part of it can be selected. */
gboolean dyno_chart_can_select (DynoChart *self);
/* Selects the time between two positions, in px. @is_done: FALSE while it still moves: then it is only marked. */
void dyno_chart_select (DynoChart *self, double x, double other_x, gboolean is_done);
/* Moves the cursor, and selects the time from the point where it was before the first move. Returns whether it
 * moved. */
gboolean dyno_chart_extend_selection (DynoChart *self, int d_point);
void dyno_chart_unselect (DynoChart *self);
/* Returns whether a part of the time is selected, in s. */
gboolean dyno_chart_get_selection (DynoChart *self, double *from, double *to);
/* Shows the selected time alone, in all linked charts. */
void dyno_chart_zoom_to_selection (DynoChart *self);
void dyno_chart_reset_zoom (DynoChart *self);
gboolean dyno_chart_is_zoomed (DynoChart *self);

/**
 * DynoChartMark:
 * @x: the left edge of the area of a point, in px
 * @y: its top
 * @width: its width
 * @height: its height
 * @text: the description of the point
 *
 * The area of a point in a picture.
 */
typedef struct
{
  double x;
  double y;
  double width;
  double height;
  char *text;
} DynoChartMark;

/* Returns the areas of the points of the last render; for very long series, of some points that do not
 * overlap. Those in front come last. Elements are DynoChartMark. */
GArray *dyno_chart_list_marks (DynoChart *self);

/* Returns the same data as rows of cells, each a NULL-terminated array of strings, all of the same length;
 * the first row holds the headings. Elements are GStrv. */
GPtrArray *dyno_chart_get_table (DynoChart *self);
/* Returns its table as text, with numbers in a form for programs. */
char *dyno_chart_dup_table (DynoChart *self, char separator);

G_END_DECLS
