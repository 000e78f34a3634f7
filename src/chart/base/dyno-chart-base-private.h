/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <cairo.h>
#include <glib.h>

#include "dyno-axis.h"
#include "dyno-chart-cases.h"
#include "dyno-chart-info.h"
#include "dyno-chart-style.h"
#include "dyno-chart.h"
#include "dyno-ink.h"
#include "dyno-result.h"
#include "dyno-series.h"

G_BEGIN_DECLS

/* dyno-category-axis */

#define DYNO_TYPE_CATEGORY_AXIS (dyno_category_axis_get_type ())

/**
 * DynoCategoryAxis:
 *
 * An axis of names: the first is at 0, the next at 1, each in the middle of its own row.
 */
G_DECLARE_FINAL_TYPE (DynoCategoryAxis, dyno_category_axis, DYNO, CATEGORY_AXIS, DynoAxis)

/* Returns an axis without names. */
DynoAxis *dyno_category_axis_new (const char *title);
/* Returns the value of the new category. */
guint dyno_category_axis_add (DynoCategoryAxis *self, const char *name);
guint dyno_category_axis_get_length (DynoCategoryAxis *self);
const char *dyno_category_axis_get_name (DynoCategoryAxis *self, guint index);
/* @n_lanes: how many bars share a row, which then needs more room. */
void dyno_category_axis_set_n_lanes (DynoCategoryAxis *self, guint n_lanes);
guint dyno_category_axis_get_n_lanes (DynoCategoryAxis *self);

/* dyno-chart-cases */

/* Returns the latencies of the steps that dyno_chart_cases_count_steady() counts, in ms, in order. Elements are double.
 * The caller owns it, but many are shared. */
GArray *dyno_chart_cases_sort_steady (DynoResult *result);

/* dyno-chart-panel */

/**
 * DynoChartPanel:
 * @name: (nullable): its subject, if the chart has several panels
 * @names_axis: whether the title is the name and the label of the y axis
 * @title: (nullable): the title that was read last
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
  char *name;
  gboolean names_axis;
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
/* Returns its title, in the unit of its axis now; NULL for the only panel of a chart. */
const char *dyno_chart_panel_get_title (DynoChartPanel *self);
/* Forgets the area in which it was drawn. */
void dyno_chart_panel_forget (DynoChartPanel *self);
void dyno_chart_panel_move (DynoChartPanel *self, double dx, double dy);
/* Returns the maximum number of bars below each other; 0 if it has no rows. */
guint dyno_chart_panel_count_rows (const DynoChartPanel *self);

/* Returns whether they have a common time axis: they are then below each other, so that a moment has the same x in
 * all of them. @panels holds DynoChartPanel. */
gboolean dyno_chart_panels_share_time (GPtrArray *panels);
/* Returns the preferred height, in px. @panels holds DynoChartPanel. */
double dyno_chart_panels_get_height (GPtrArray *panels, double width);
/* Gives each panel its cell, from left to right in lines. If there is too little room, the last panels get
 * none. Returns how many have one. @panels holds DynoChartPanel. */
guint dyno_chart_panels_layout (GPtrArray *panels, const DynoPlot *content);

/* dyno-layer */

#define DYNO_TYPE_LAYER (dyno_layer_get_type ())

/**
 * DynoLayer:
 *
 * One way to draw data: lines, bars, bands. Rendering is pure: the same plot and style give the same picture
 * on any surface.
 */
G_DECLARE_DERIVABLE_TYPE (DynoLayer, dyno_layer, DYNO, LAYER, GObject)

/**
 * DynoLayerClass:
 * @render: draws; already clipped to the plot
 * @annotate: writes names, once all layers are drawn; see dyno_label_try ()
 * @pick: finds the point nearest to a place, with its distance in px; without it the layer has no points
 * @locate: returns the position of a point in px
 */
struct _DynoLayerClass
{
  GObjectClass parent_class;

  void (*render) (DynoLayer *self, cairo_t *cr, const DynoPlot *plot, const DynoChartStyle *style);
  void (*annotate) (DynoLayer *self, cairo_t *cr, const DynoPlot *plot, const DynoChartStyle *style);
  gboolean (*pick) (
      DynoLayer *self, const DynoPlot *plot, double x, double y, guint *point, double *distance);
  void (*locate) (DynoLayer *self, const DynoPlot *plot, guint point, double *x, double *y);
};

/* Returns the series that it draws; NULL if there is none. */
DynoSeries *dyno_layer_get_series (DynoLayer *self);
/* Returns a layer of that type which draws the series. @mark: the mark of the series in legends. */
gpointer dyno_layer_new (GType type, DynoSeries *series, DynoMark mark);
/* Returns whether the cursor can move on it: it has a visible series, and can pick. */
gboolean dyno_layer_has_points (DynoLayer *self);
/* Returns whether it belongs to the lower plot of a panel that has two. */
gboolean dyno_layer_is_lower (DynoLayer *self);
void dyno_layer_set_lower (DynoLayer *self, gboolean lower);
/* Returns the index of its panel in the chart. */
guint dyno_layer_get_panel (DynoLayer *self);
void dyno_layer_set_panel (DynoLayer *self, guint panel);

void dyno_layer_render (DynoLayer *self, cairo_t *cr, const DynoPlot *plot, const DynoChartStyle *style);
void dyno_layer_annotate (DynoLayer *self, cairo_t *cr, const DynoPlot *plot, const DynoChartStyle *style);
/* Returns whether it found a point. */
gboolean
dyno_layer_pick (DynoLayer *self, const DynoPlot *plot, double x, double y, guint *point, double *distance);
void dyno_layer_locate (DynoLayer *self, const DynoPlot *plot, guint point, double *x, double *y);

/* For subclasses: finds the nearest point of a series with increasing x. */
gboolean dyno_layer_pick_nearest (
    DynoLayer *self, const DynoPlot *plot, double x, double y, guint *point, double *distance);

/* For subclasses: draws a line through decimated points. */
void dyno_layer_draw_columns (
    DynoSeries *series, GArray *columns, cairo_t *cr, const DynoPlot *plot, double thickness);

/* dyno-chart-cursor */

/**
 * DynoChartCursor:
 * @series: (element-type DynoSeries): the series of the chart
 * @layers: (element-type DynoLayer): its layers
 * @panels: (element-type DynoChartPanel): its panels, at least one
 * @is_set: whether it is on a point
 * @index: the series it is on
 * @point: the point it is on
 *
 * The point of a chart that the pointer or keyboard selected.
 */
typedef struct
{
  GPtrArray *series;
  GPtrArray *layers;
  GPtrArray *panels;
  gboolean is_set;
  guint index;
  guint point;
} DynoChartCursor;

/* Returns whether it was on a point. */
gboolean dyno_chart_cursor_clear (DynoChartCursor *self);
/* Moves to the point nearest to the pointer, or to none. Returns whether it changed. */
gboolean dyno_chart_cursor_pick (DynoChartCursor *self, double x, double y);
/* Moves on, see dyno_chart_move_cursor(). Returns whether it changed. @d_point: the number of points to move
 * along the series. */
gboolean dyno_chart_cursor_move (DynoChartCursor *self, int d_point, int d_series);
/* Moves to the point that is nearest to the leader's in the panel and series of the same names, or to none if
 * that is far away. Returns whether it changed. */
gboolean dyno_chart_cursor_follow (DynoChartCursor *self, const DynoChartCursor *leader);
/* Clears the cursor if its point is gone or hidden. */
void dyno_chart_cursor_check (DynoChartCursor *self);

/* Returns the layer that drew its point; NULL if there is none. */
DynoLayer *dyno_chart_cursor_get_layer (DynoChartCursor *self);
/* Returns the plot in which that point was drawn. */
const DynoPlot *dyno_chart_cursor_get_plot (DynoChartCursor *self);
/* Returns the text for the point. The caller owns it. */
char *dyno_chart_cursor_describe (DynoChartCursor *self);

/* dyno-chart-data */

/* Returns the link of the charts of a single case; NULL if the data are of all cases. */
DynoChartLink *dyno_chart_data_get_link (DynoChartData *self);
/* Adds the ceilings of each run in @from to @to. */
void dyno_chart_data_copy_ceilings (GHashTable *from, GHashTable *to);

/* dyno-chart-frame */

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

/* dyno-chart-guard */

/* The only entry for data into the charts: it passes only data that are finite, ordered and of a usable size. */

/* Returns the same case without data that charts cannot use. The caller owns it. @result: a result from any
 * source, such as a stranger's document. */
DynoResult *dyno_chart_guard_result (DynoResult *result);
/* Returns the trace, or a copy without impossible points: those that are not finite, far out of any range, or
 * earlier than the point before. The caller owns it. */
DynoTrace *dyno_chart_guard_trace (DynoTrace *trace);

/* dyno-chart-legend */

/* The names of the series in a picture: in rows above the plot, or beside the ends of their lines. */

/* Returns the height of the rows it needs, in px. @series holds DynoSeries. @width: the maximum width.
 * @max_height: the maximum height. */
double dyno_chart_legend_measure (
    GPtrArray *series, cairo_t *cr, const DynoChartStyle *style, double width, double max_height);
/* Draws the visible series side by side, in rows. If some do not fit, the last row ends with their number.
 * @series holds DynoSeries. */
void dyno_chart_legend_draw (GPtrArray *series,
                             cairo_t *cr,
                             const DynoChartStyle *style,
                             double x,
                             double y,
                             double width,
                             double max_height);

/* Returns the width that the names need beside the plot. @series holds DynoSeries. */
double dyno_chart_legend_measure_labels (GPtrArray *series, cairo_t *cr, const DynoChartStyle *style);
/* Writes each name beside the end of its line; labels of lines that end close together are pushed apart.
 * @series holds DynoSeries. */
void dyno_chart_legend_draw_labels (
    GPtrArray *series, cairo_t *cr, const DynoPlot *plot, const DynoChartStyle *style, double width);

/* dyno-chart-link */

void dyno_chart_link_add (DynoChartLink *self, DynoChart *chart);
void dyno_chart_link_remove (DynoChartLink *self, DynoChart *chart);
/* Gives equal axes of its charts one range. */
void dyno_chart_link_join (DynoChartLink *self);
/* Shows the same part in the other charts. */
void dyno_chart_link_share_axes (DynoChartLink *self, DynoChart *chart);
/* Puts the cursors of the other charts on the points at the same place. */
void dyno_chart_link_share_cursor (DynoChartLink *self, DynoChart *chart);
/* Selects the same time in the other charts. */
void dyno_chart_link_share_selection (DynoChartLink *self, DynoChart *chart);

/* dyno-chart-looks */

/**
 * DynoChartLooks:
 *
 * The colours, markers and dashes of the series of a set of runs. They are assigned for all cases in the
 * order of the plan, even if some values are missing: so adjacent charts agree, and a backend has the same
 * colour everywhere.
 */
typedef struct _DynoChartLooks DynoChartLooks;

/* Returns the looks of the series. @cases holds DynoChartCase. */
DynoChartLooks *dyno_chart_looks_new (GPtrArray *cases, guint dimensions);
void dyno_chart_looks_free (DynoChartLooks *self);
/* Returns the slot of its series, which determines colour, marker and dash. */
guint dyno_chart_looks_get_slot (DynoChartLooks *self, const DynoChartCase *kase);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoChartLooks, dyno_chart_looks_free)

/* dyno-chart-table */

/**
 * DynoChartTable:
 *
 * The data of a chart as rows and columns: one column for each dimension in which its cases differ, then
 * their numbers in the units of the chart.
 */
typedef struct _DynoChartTable DynoChartTable;

DynoChartTable *dyno_chart_table_new (void);
void dyno_chart_table_free (DynoChartTable *self);

/* Adds a column for each dimension in which the cases differ, or for their model. @cases holds DynoChartCase.
 * @always: the DynoDimension that have columns even if all cases agree. */
void dyno_chart_table_add_case_columns (DynoChartTable *self, GPtrArray *cases, guint always);
void dyno_chart_table_add_column (DynoChartTable *self, const char *heading);
void dyno_chart_table_add_columns (DynoChartTable *self, ...) G_GNUC_NULL_TERMINATED;
/* Adds a column of numbers in the unit in which the chart shows them. */
void dyno_chart_table_add_quantity (
    DynoChartTable *self, const char *title, const char *unit, double least, double most);
/* Fills the case columns, if there are any. A last column marks rows of doubtful cases. @kase may be NULL. */
void dyno_chart_table_begin_row (DynoChartTable *self, const DynoChartCase *kase);
void dyno_chart_table_add_text (DynoChartTable *self, const char *text);
/* @number: a number in the unit of the column; NaN if there is none. */
void dyno_chart_table_add_number (DynoChartTable *self, double number);

/* Returns its headings and rows as people read them, without empty columns. Elements are GStrv. */
GPtrArray *dyno_chart_table_dup_rows (DynoChartTable *self);
/* Returns the same rows and columns in the format of RFC 4180: numbers in full with a decimal point, lines
 * ending in CR and LF. @separator: the character between cells: a comma for a file, a tab for pasting into a
 * spreadsheet. */
char *dyno_chart_table_dup_text (DynoChartTable *self, char separator);

/* dyno-chart-private */

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
/* Returns a chart of something else than runs. @subject: what it shows; the chart frees it with @free. */
DynoChart *dyno_chart_create_for (const DynoChartInfo *info, gpointer subject, GDestroyNotify free);
/* Returns what the chart shows in place of runs. */
gpointer dyno_chart_get_subject (DynoChart *self);
GPtrArray *dyno_chart_get_runs (DynoChart *self);
/* Returns its panels. Elements are DynoChartPanel. */
GPtrArray *dyno_chart_get_panels (DynoChart *self);
/* Returns the height of its note in a picture of this width, in px; 0 if it has none. */
double dyno_chart_get_note_height (DynoChart *self, double width);
/* Puts its cursor where that of the leader is. */
void dyno_chart_follow (DynoChart *self, DynoChart *leader);

/**
 * DynoChartSelection:
 * @is_set: whether a part of the time is selected
 * @is_done: whether it no longer moves
 * @from: its beginning, in s
 * @to: its end
 */
typedef struct
{
  gboolean is_set;
  gboolean is_done;
  double from;
  double to;
} DynoChartSelection;

const DynoChartSelection *dyno_chart_peek_selection (DynoChart *self);
void dyno_chart_take_over_selection (DynoChart *self, const DynoChartSelection *selection);
/* Returns the least, the median and the greatest value of a part of the time, as text; NULL if it has none. */
char *dyno_chart_panel_describe (const DynoChartPanel *self, DynoSeries *series, double from, double to);
/* Returns all cases while the chart is being built. Elements are DynoChartCase. */
GPtrArray *dyno_chart_get_cases (DynoChart *self);
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
void dyno_chart_begin_panel (DynoChart *self, const char *name);
/* Adds the label of the y axis to the title of the panel. */
void dyno_chart_name_panel_axis (DynoChart *self);
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

/* dyno-chart-spec */

/* A chart as data, for drawing it with other tools. */

char *dyno_chart_spec_dup_json (DynoChart *chart);
/* Returns a specification for Vega-Lite 5, as JSON, with the points of dyno_chart_spec_dup_json(): a starting
 * point for drawing the chart in another way. */
char *dyno_chart_spec_dup_vega_lite (DynoChart *chart);

/* dyno-chart-tooltip */

/* @heading may be NULL. */
void dyno_chart_tooltip_draw (const char *heading,
                              const char *text,
                              double x,
                              double y,
                              double width,
                              double height,
                              cairo_t *cr,
                              const DynoChartStyle *style);

/* dyno-text */

/**
 * DynoTextSize:
 * @DYNO_TEXT_NORMAL: as in the window
 * @DYNO_TEXT_SMALL: ticks, captions
 * @DYNO_TEXT_BOLD: as in the window, bold
 * @DYNO_TEXT_TITLE: larger and bold
 */
typedef enum
{
  DYNO_TEXT_NORMAL,
  DYNO_TEXT_SMALL,
  DYNO_TEXT_BOLD,
  DYNO_TEXT_TITLE,
} DynoTextSize;

/**
 * DynoText:
 * @text: the text
 * @size: its size
 * @color: (nullable): its colour; the foreground if NULL
 * @x: the x of its anchor
 * @y: the y of its anchor
 * @align_x: the part of it that is at @x: 0 its left, 0.5 its middle, 1 its right
 * @align_y: the part of it that is at @y
 * @width: the width at which it is ellipsized or broken; 0 for none
 * @n_lines: the maximum number of lines, after which it is cut off; 0 for one line
 * @halo: whether the letters have a rim in the background colour
 * @angle: its clockwise rotation around its anchor, in radians
 *
 * A piece of text in a picture.
 */
typedef struct
{
  const char *text;
  DynoTextSize size;
  const DynoColor *color;
  double x;
  double y;
  double align_x;
  double align_y;
  double width;
  guint n_lines;
  gboolean halo;
  double angle;
} DynoText;

/**
 * DynoTextBox:
 *
 * The area of a text: its top left corner, in the units of the surface, its size, and its clockwise rotation
 * around that corner, in radians.
 */
typedef struct
{
  char *text;
  double x;
  double y;
  double width;
  double height;
  double angle;
} DynoTextBox;

void dyno_text_measure (
    const DynoText *text, cairo_t *cr, const DynoChartStyle *style, double *width, double *height);
double dyno_text_get_line_height (DynoTextSize size, cairo_t *cr, const DynoChartStyle *style);
void dyno_text_draw (const DynoText *text, cairo_t *cr, const DynoChartStyle *style);
/* @box: its area, in the units of its anchor; without its words. */
void dyno_text_get_box (const DynoText *text, double width, double height, DynoTextBox *box);
/* Lets tests read a picture and check that its texts do not overlap. @boxes (nullable): records every text
 * that is drawn from now on. */
void dyno_text_set_recorder (GArray *boxes);

void
dyno_text_box_get_extents (const DynoTextBox *self, double *left, double *top, double *right, double *bottom);
/* Returns whether they overlap. @inset: the height to ignore at the top and the bottom of each, since a line
 * includes blank space above and below its letters; negative for more distance. */
gboolean dyno_text_box_touches (const DynoTextBox *self, const DynoTextBox *other, double inset);

/* dyno-label */

/* Names among the data: each is written where there is free room, or not at all. */

/* Keeps names away from an area that was drawn. */
void dyno_label_occupy (const DynoPlot *plot, double x, double y, double width, double height);
/* Writes a name if it stays within the plot and overlaps nothing. Returns whether it was written. */
gboolean dyno_label_try (const DynoPlot *plot,
                         const DynoText *text,
                         double width,
                         double height,
                         cairo_t *cr,
                         const DynoChartStyle *style);
/* Writes a name beside a point: to the right if there is room, else left, above or below. Returns whether it
 * was written. */
gboolean dyno_label_try_around (
    const DynoPlot *plot, const DynoText *text, double distance, cairo_t *cr, const DynoChartStyle *style);

/* dyno-linear-axis */

#define DYNO_TYPE_LINEAR_AXIS (dyno_linear_axis_get_type ())

/**
 * DynoLinearAxis:
 *
 * An axis on which equal differences have equal distances.
 */
G_DECLARE_FINAL_TYPE (DynoLinearAxis, dyno_linear_axis, DYNO, LINEAR_AXIS, DynoAxis)

/* Returns an axis from 0 to 1. */
DynoAxis *dyno_linear_axis_new (const char *title, const char *unit);
/* Returns an axis whose range is round numbers around the data, but not across zero. */
DynoAxis *dyno_linear_axis_new_nice (const char *title, const char *unit, double low, double high);

/* dyno-log-axis */

#define DYNO_TYPE_LOG_AXIS (dyno_log_axis_get_type ())

/**
 * DynoLogAxis:
 *
 * An axis on which equal ratios have equal distances, marked at powers of 2 or of 10.
 */
G_DECLARE_FINAL_TYPE (DynoLogAxis, dyno_log_axis, DYNO, LOG_AXIS, DynoAxis)

/* Returns an axis. @base: 2 or 10; its powers are marked. */
DynoAxis *dyno_log_axis_new (const char *title, const char *unit, guint base);
/* Returns an axis of base 10 with room below and above the data. @below, @above: shares of their range. */
DynoAxis *dyno_log_axis_new_around (
    const char *title, const char *unit, double least, double most, double below, double above);
/* Whether an axis is logarithmic depends on the kind of chart or on the sizes in the plan, never on measured
 * values, so that runs of one plan have the same axes. Over a small range, logarithmic looks like linear. Returns
 * whether values that follow these sizes need one. */
gboolean dyno_log_axis_suits_sizes (double least, double most);

/* dyno-quantiles */

/* A few percentiles of many values without sorting: a million values take some milliseconds. */

/* Finds the same percentiles as dyno_stats_percentile() does in sorted values, in linear time. @n: the number
 * of values, at least one. @percents: the percentiles, from 0 to 100. */
void dyno_quantiles_find (
    const double *values, guint n, const double *percents, guint n_percents, double *quantiles);

/* dyno-rate-interval */

/* With fewer steps than this there is no interval of the rate. */
#define DYNO_RATE_INTERVAL_MIN_STEPS 20

/* Work over time follows the mean of the steps, not their median: a few slow steps change the mean but not
 * the median. The 95 % interval of the mean comes from the logarithms of the means of the processes; for a single process,
 * of ten batches, which also holds for correlated steps; the rate interval is its reciprocal.
 * Schmeiser: Batch Size Effects in the Analysis of Simulation Output, 1982. A few processes have a range
 * instead, as their medians have. Returns whether there is an interval; else both ends are NaN. */
gboolean dyno_rate_interval_find (DynoResult *result, double rate, double *low, double *high);
/* Returns the meaning of the bands, or why there are none, for a note. @cases holds DynoChartCase. */
char *dyno_rate_interval_dup_description (GPtrArray *cases);

/* dyno-sentences */

/* Texts of several whole sentences, such as a caption. */

/* Appends a sentence after a space, or without one at the beginning of a line. @sentence (nullable): may be
 * empty. */
void dyno_sentences_append (GString *text, const char *sentence);
/* Returns both sentences, with a space between them. The caller owns it. @second (nullable): may be empty. */
char *dyno_sentences_join (const char *first, const char *second);

/* dyno-time-axis */

#define DYNO_TYPE_TIME_AXIS (dyno_time_axis_get_type ())

/**
 * DynoTimeAxis:
 *
 * An axis of seconds since the beginning, marked in minutes and hours if they are easier to read.
 */
G_DECLARE_FINAL_TYPE (DynoTimeAxis, dyno_time_axis, DYNO, TIME_AXIS, DynoAxis)

/* Returns an axis of seconds. */
DynoAxis *dyno_time_axis_new (const char *title);
/* Returns an axis with the title “Time” that can be zoomed, from @begin to @end, in s. */
DynoAxis *dyno_time_axis_new_between (double begin, double end);

G_END_DECLS
