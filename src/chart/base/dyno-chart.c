/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-category-axis.h"
#include "dyno-chart-cases.h"
#include "dyno-chart-cursor.h"
#include "dyno-chart-frame.h"
#include "dyno-chart-kind.h"
#include "dyno-chart-private.h"
#include "dyno-chart-tooltip.h"
#include "dyno-ink.h"
#include "dyno-text.h"
#include "dyno-time-axis.h"
#include "dyno-trace-chart.h"

#define CURSOR_SIZE 6.0

struct _DynoChart
{
  GObject parent_instance;

  DynoChartKind kind;
  GPtrArray *runs;
  DynoResult *result;
  DynoTrace *trace;
  GHashTable *ceilings;
  guint aspect;

  char *title;
  char *caption;
  char *finding;
  char *empty_message;
  char *cursor_text;
  DynoAxis *x_axis;
  DynoAxis *y_axis;
  GPtrArray *series;
  GPtrArray *layers;
  GPtrArray *rows;
  GPtrArray *aspects;
  DynoAxis *lower_axis;
  gboolean labels_lines;

  DynoPlot plot;
  DynoPlot lower;
  GArray *taken;
  DynoChartCursor cursor;
};

enum
{
  CHANGED,
  N_SIGNALS
};

G_DEFINE_FINAL_TYPE (DynoChart, dyno_chart, G_TYPE_OBJECT)

static guint signals[N_SIGNALS];

static void
clear_contents (DynoChart *self)
{
  g_clear_pointer (&self->title, g_free);
  g_clear_pointer (&self->caption, g_free);
  g_clear_pointer (&self->finding, g_free);
  g_clear_pointer (&self->empty_message, g_free);
  g_clear_pointer (&self->cursor_text, g_free);
  g_clear_object (&self->x_axis);
  g_clear_object (&self->y_axis);
  g_clear_object (&self->lower_axis);
  g_ptr_array_set_size (self->aspects, 0);
  g_ptr_array_set_size (self->series, 0);
  g_ptr_array_set_size (self->layers, 0);
  g_ptr_array_set_size (self->rows, 0);
  self->plot = self->lower = (DynoPlot){ 0 };
}

static void
dyno_chart_finalize (GObject *object)
{
  DynoChart *self = DYNO_CHART (object);

  clear_contents (self);
  g_ptr_array_unref (self->series);
  g_ptr_array_unref (self->layers);
  g_ptr_array_unref (self->rows);
  g_ptr_array_unref (self->runs);
  g_ptr_array_unref (self->aspects);
  g_hash_table_unref (self->ceilings);
  g_array_unref (self->taken);
  g_clear_object (&self->result);
  g_clear_object (&self->trace);

  G_OBJECT_CLASS (dyno_chart_parent_class)->finalize (object);
}

static void
dyno_chart_class_init (DynoChartClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = dyno_chart_finalize;

  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                   NULL, G_TYPE_NONE, 0);
}

static void
dyno_chart_init (DynoChart *self)
{
  self->runs = g_ptr_array_new_with_free_func (g_object_unref);
  self->series = g_ptr_array_new_with_free_func (g_object_unref);
  self->layers = g_ptr_array_new_with_free_func (g_object_unref);
  self->rows = g_ptr_array_new_with_free_func ((GDestroyNotify)g_strfreev);
  self->aspects = g_ptr_array_new_with_free_func (g_free);
  self->ceilings = g_hash_table_new_full (NULL, NULL, g_object_unref, (GDestroyNotify)g_ptr_array_unref);
  self->taken = g_array_new (FALSE, FALSE, sizeof (DynoTextBox));
  self->cursor.series = self->series;
  self->cursor.layers = self->layers;
  self->cursor.plot = &self->plot;
  self->cursor.lower = &self->lower;
}

static void
emit_changed (DynoChart *self)
{
  g_signal_emit (self, signals[CHANGED], 0);
}

static void
build (DynoChart *self)
{
  g_autoptr (GPtrArray) cases = NULL;

  if (self->trace != NULL)
    {
      dyno_trace_chart_build (self, self->trace);
      return;
    }
  cases = self->result != NULL ? dyno_chart_cases_new_single (g_ptr_array_index (self->runs, 0), self->result)
                               : dyno_chart_cases_collect (self->runs);
  dyno_chart_cases_set_ceilings (cases, self->ceilings);
  dyno_chart_kind_build (self->kind, self, cases);
}

/* --- what the files of the kinds use --- */

GPtrArray *
dyno_chart_get_runs (DynoChart *self)
{
  return self->runs;
}

void
dyno_chart_take_title (DynoChart *self, char *title)
{
  g_free (self->title);
  self->title = title;
}

void
dyno_chart_take_caption (DynoChart *self, char *caption)
{
  g_free (self->caption);
  self->caption = caption;
}

void
dyno_chart_take_finding (DynoChart *self, char *finding)
{
  g_free (self->finding);
  self->finding = finding;
}

void
dyno_chart_set_empty_message (DynoChart *self, const char *message)
{
  g_free (self->empty_message);
  self->empty_message = g_strdup (message);
}

void
dyno_chart_take_axes (DynoChart *self, DynoAxis *x_axis, DynoAxis *y_axis)
{
  g_clear_object (&self->x_axis);
  g_clear_object (&self->y_axis);
  self->x_axis = self->plot.x_axis = x_axis;
  self->y_axis = self->plot.y_axis = y_axis;
}

/**
 * dyno_chart_take_lower_axis:
 * @self: a chart
 * @y_axis: the y axis of a second panel, below the first and over the same x axis
 */
void
dyno_chart_take_lower_axis (DynoChart *self, DynoAxis *y_axis)
{
  g_clear_object (&self->lower_axis);
  self->lower_axis = self->lower.y_axis = y_axis;
}

/**
 * dyno_chart_add_aspect:
 * @self: a chart
 * @name: what can be shown of the same data
 *
 * Offers a choice; see [method@Dyno.Chart.get_aspect].
 */
void
dyno_chart_add_aspect (DynoChart *self, const char *name)
{
  g_ptr_array_add (self->aspects, g_strdup (name));
}

/**
 * dyno_chart_set_labels_lines:
 * @self: a chart
 * @labels_lines: whether the names of series may stand at the ends of their lines instead of in a legend
 */
void
dyno_chart_set_labels_lines (DynoChart *self, gboolean labels_lines)
{
  self->labels_lines = labels_lines;
}

void
dyno_chart_add_series (DynoChart *self, DynoSeries *series)
{
  g_ptr_array_add (self->series, g_object_ref (series));
}

void
dyno_chart_take_layer (DynoChart *self, DynoLayer *layer)
{
  g_ptr_array_add (self->layers, layer);
}

void
dyno_chart_take_lower_layer (DynoChart *self, DynoLayer *layer)
{
  dyno_layer_set_lower (layer, TRUE);
  dyno_chart_take_layer (self, layer);
}

/**
 * dyno_chart_add_row:
 * @self: a chart
 * @...: the cells of a row of its table, %NULL behind the last
 */
void
dyno_chart_add_row (DynoChart *self, ...)
{
  g_autoptr (GStrvBuilder) cells = g_strv_builder_new ();
  const char *cell;
  va_list list;

  va_start (list, self);
  while ((cell = va_arg (list, const char *)) != NULL)
    g_strv_builder_add (cells, cell);
  va_end (list);
  dyno_chart_take_row (self, g_strv_builder_end (cells));
}

void
dyno_chart_take_row (DynoChart *self, char **cells)
{
  g_ptr_array_add (self->rows, cells);
}

/* --- public --- */

/**
 * dyno_chart_new:
 * @kind: what to show
 * @runs: (element-type DynoRun): runs with their results loaded, one or more
 *
 * Makes a chart of all cases that were measured in @runs; with several runs the series are named by run.
 *
 * Returns: (transfer full): a chart, possibly empty
 */
DynoChart *
dyno_chart_new (DynoChartKind kind, GPtrArray *runs)
{
  DynoChart *self;

  g_return_val_if_fail (kind < DYNO_N_CHARTS, NULL);
  g_return_val_if_fail (runs != NULL, NULL);

  self = g_object_new (DYNO_TYPE_CHART, NULL);
  self->kind = kind;
  for (guint i = 0; i < runs->len; i++)
    g_ptr_array_add (self->runs, g_object_ref (g_ptr_array_index (runs, i)));
  build (self);
  return self;
}

/**
 * dyno_chart_new_for_result:
 * @kind: what to show
 * @run: the run
 * @result: one of its results
 *
 * Returns: (transfer full): a chart of this case alone, possibly empty
 */
DynoChart *
dyno_chart_new_for_result (DynoChartKind kind, DynoRun *run, DynoResult *result)
{
  DynoChart *self;

  g_return_val_if_fail (kind < DYNO_N_CHARTS, NULL);
  g_return_val_if_fail (DYNO_IS_RUN (run), NULL);
  g_return_val_if_fail (DYNO_IS_RESULT (result), NULL);

  self = g_object_new (DYNO_TYPE_CHART, NULL);
  self->kind = kind;
  self->result = g_object_ref (result);
  g_ptr_array_add (self->runs, g_object_ref (run));
  build (self);
  return self;
}

/**
 * dyno_chart_new_for_trace:
 * @trace: a trace, which may still grow
 * @title: what it is of
 *
 * Returns: (transfer full): a chart of the trace over time
 */
DynoChart *
dyno_chart_new_for_trace (DynoTrace *trace, const char *title)
{
  DynoChart *self;

  g_return_val_if_fail (DYNO_IS_TRACE (trace), NULL);
  g_return_val_if_fail (title != NULL, NULL);

  self = g_object_new (DYNO_TYPE_CHART, NULL);
  self->trace = g_object_ref (trace);
  build (self);
  dyno_chart_take_title (self, g_strdup (title));
  return self;
}

static void
restore_visibility (DynoChart *self, GHashTable *hidden)
{
  for (guint i = 0; i < self->series->len; i++)
    {
      DynoSeries *series = g_ptr_array_index (self->series, i);

      dyno_series_set_visible (series, !g_hash_table_contains (hidden, dyno_series_get_name (series)));
    }
}

static GHashTable *
list_hidden (DynoChart *self)
{
  GHashTable *hidden = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < self->series->len; i++)
    if (!dyno_chart_get_series_visible (self, i))
      g_hash_table_add (hidden, g_strdup (dyno_chart_get_series_name (self, i)));
  return hidden;
}

static void
restore_zoom (DynoAxis *axis, DynoAxis *before)
{
  if (axis != NULL && before != NULL && G_OBJECT_TYPE (axis) == G_OBJECT_TYPE (before) &&
      g_str_equal (dyno_axis_get_title (axis), dyno_axis_get_title (before)) &&
      g_str_equal (dyno_axis_get_unit (axis), dyno_axis_get_unit (before)))
    dyno_axis_copy_zoom (axis, before);
}

/**
 * dyno_chart_refresh:
 * @self: a chart
 *
 * Reads its data again, and keeps zoom, hidden series and cursor.
 */
void
dyno_chart_refresh (DynoChart *self)
{
  g_autoptr (GHashTable) hidden = NULL;
  g_autoptr (DynoAxis) x_axis = NULL;
  g_autoptr (DynoAxis) y_axis = NULL;
  g_autofree char *title = NULL;

  g_return_if_fail (DYNO_IS_CHART (self));

  hidden = list_hidden (self);
  x_axis = g_steal_pointer (&self->x_axis);
  y_axis = g_steal_pointer (&self->y_axis);
  title = g_strdup (self->title);
  clear_contents (self);
  build (self);
  if (self->title == NULL)
    dyno_chart_take_title (self, g_steal_pointer (&title));
  restore_visibility (self, hidden);
  restore_zoom (self->x_axis, x_axis);
  restore_zoom (self->y_axis, y_axis);
  dyno_chart_cursor_check (&self->cursor);
  emit_changed (self);
}

/**
 * dyno_chart_set_ceilings:
 * @self: a chart
 * @run: a run, shown or not
 * @ceilings: (element-type DynoCeiling): what its machine can do at most, possibly nothing
 *
 * Tells the chart of the roofs, and makes it anew if it shows any.
 */
void
dyno_chart_set_ceilings (DynoChart *self, DynoRun *run, GPtrArray *ceilings)
{
  g_return_if_fail (DYNO_IS_CHART (self));
  g_return_if_fail (DYNO_IS_RUN (run));
  g_return_if_fail (ceilings != NULL);

  g_hash_table_insert (self->ceilings, g_object_ref (run), g_ptr_array_ref (ceilings));
  if (dyno_chart_kind_has_roofs (self->kind) && self->trace == NULL)
    dyno_chart_refresh (self);
}

guint
dyno_chart_get_n_rows (DynoChart *self)
{
  DynoCategoryAxis *axis;

  g_return_val_if_fail (DYNO_IS_CHART (self), 0);

  if (!DYNO_IS_CATEGORY_AXIS (self->y_axis))
    return 0;
  axis = DYNO_CATEGORY_AXIS (self->y_axis);
  return dyno_category_axis_get_length (axis) * dyno_category_axis_get_n_lanes (axis);
}

guint
dyno_chart_get_n_aspects (DynoChart *self)
{
  g_return_val_if_fail (DYNO_IS_CHART (self), 0);
  return self->aspects->len;
}

const char *
dyno_chart_get_aspect_name (DynoChart *self, guint aspect)
{
  g_return_val_if_fail (DYNO_IS_CHART (self), NULL);
  g_return_val_if_fail (aspect < self->aspects->len, NULL);
  return g_ptr_array_index (self->aspects, aspect);
}

/**
 * dyno_chart_get_aspect:
 * @self: a chart
 *
 * Returns: which of the ways to show its data it shows; 0 at first
 */
guint
dyno_chart_get_aspect (DynoChart *self)
{
  g_return_val_if_fail (DYNO_IS_CHART (self), 0);
  return self->aspect;
}

void
dyno_chart_set_aspect (DynoChart *self, guint aspect)
{
  g_return_if_fail (DYNO_IS_CHART (self));
  g_return_if_fail (aspect < self->aspects->len);

  if (aspect == self->aspect)
    return;
  self->aspect = aspect;
  dyno_chart_refresh (self);
}

const char *
dyno_chart_get_title (DynoChart *self)
{
  g_return_val_if_fail (DYNO_IS_CHART (self), NULL);
  return self->title;
}

/**
 * dyno_chart_get_caption:
 * @self: a chart
 *
 * Returns: (transfer none): what all of the data have in common: the kind of case, the machine, the day
 */
const char *
dyno_chart_get_caption (DynoChart *self)
{
  g_return_val_if_fail (DYNO_IS_CHART (self), NULL);
  return self->caption != NULL ? self->caption : "";
}

/**
 * dyno_chart_get_finding:
 * @self: a chart
 *
 * Returns: (transfer none): what the picture shows, in a sentence computed from the data; the empty message
 * when there are none
 */
const char *
dyno_chart_get_finding (DynoChart *self)
{
  g_return_val_if_fail (DYNO_IS_CHART (self), NULL);
  if (dyno_chart_get_empty_message (self) != NULL)
    return self->empty_message;
  return self->finding != NULL ? self->finding : "";
}

/**
 * dyno_chart_get_empty_message:
 * @self: a chart
 *
 * Returns: (transfer none) (nullable): why there is nothing to see; %NULL when there is
 */
const char *
dyno_chart_get_empty_message (DynoChart *self)
{
  g_return_val_if_fail (DYNO_IS_CHART (self), NULL);

  for (guint i = 0; i < self->series->len; i++)
    if (dyno_series_get_length (g_ptr_array_index (self->series, i)) > 0)
      return NULL;
  return self->empty_message;
}

guint
dyno_chart_get_n_series (DynoChart *self)
{
  g_return_val_if_fail (DYNO_IS_CHART (self), 0);
  return self->series->len;
}

const char *
dyno_chart_get_series_name (DynoChart *self, guint series)
{
  g_return_val_if_fail (DYNO_IS_CHART (self), NULL);
  g_return_val_if_fail (series < self->series->len, NULL);
  return dyno_series_get_name (g_ptr_array_index (self->series, series));
}

gboolean
dyno_chart_get_series_visible (DynoChart *self, guint series)
{
  g_return_val_if_fail (DYNO_IS_CHART (self), FALSE);
  g_return_val_if_fail (series < self->series->len, FALSE);
  return dyno_series_get_visible (g_ptr_array_index (self->series, series));
}

void
dyno_chart_set_series_visible (DynoChart *self, guint series, gboolean visible)
{
  g_return_if_fail (DYNO_IS_CHART (self));
  g_return_if_fail (series < self->series->len);

  if (dyno_chart_get_series_visible (self, series) == visible)
    return;
  dyno_series_set_visible (g_ptr_array_index (self->series, series), visible);
  dyno_chart_cursor_check (&self->cursor);
  emit_changed (self);
}

/**
 * dyno_chart_render_swatch:
 * @self: a chart
 * @series: one of its series
 * @cr: where; it fills the rectangle at the origin
 * @width: how wide
 * @height: how high
 * @style: how
 *
 * Draws what a legend shows of a series: its colour, dash and marker.
 */
void
dyno_chart_render_swatch (
    DynoChart *self, guint series, cairo_t *cr, double width, double height, const DynoChartStyle *style)
{
  g_return_if_fail (DYNO_IS_CHART (self));
  g_return_if_fail (series < self->series->len);
  dyno_ink_draw_swatch (g_ptr_array_index (self->series, series), cr, style, width, height);
}

/* --- drawing --- */

static void
draw_cursor (DynoChart *self, cairo_t *cr, double width, double height, const DynoChartStyle *style)
{
  DynoLayer *layer = dyno_chart_cursor_get_layer (&self->cursor);
  const DynoPlot *plot;
  g_autofree char *text = NULL;
  double x, y;

  if (layer == NULL)
    return;
  plot = dyno_chart_cursor_get_plot (&self->cursor);
  if (plot->height <= 0)
    return;
  dyno_layer_locate (layer, plot, self->cursor.point, &x, &y);
  if (!dyno_plot_contains (plot, x, y))
    return;
  cairo_new_path (cr);
  cairo_arc (cr, x, y, CURSOR_SIZE, 0, 2 * G_PI);
  dyno_ink_set_faded (cr, &style->accent, 0.25);
  cairo_fill_preserve (cr);
  dyno_ink_set (cr, &style->accent);
  cairo_set_dash (cr, NULL, 0, 0);
  cairo_set_line_width (cr, 2);
  cairo_stroke (cr);
  text = dyno_chart_cursor_describe (&self->cursor);
  dyno_chart_tooltip_draw (self->series->len > 1 ? dyno_chart_get_series_name (self, self->cursor.index)
                                                 : NULL,
                           text, x, y, width, height, cr, style);
}

static void
draw_panel (DynoChart *self, gboolean lower, cairo_t *cr, const DynoChartStyle *style)
{
  const double slack = 5;
  const DynoPlot *plot = lower ? &self->lower : &self->plot;

  if (plot->height <= 0)
    return;
  cairo_save (cr);
  cairo_rectangle (cr, plot->x - (DYNO_IS_CATEGORY_AXIS (self->y_axis) ? 0 : slack), plot->y - slack,
                   plot->width + 2 * slack, plot->height + 2 * slack);
  cairo_clip (cr);
  g_array_set_size (self->taken, 0);
  for (guint i = 0; i < self->layers->len; i++)
    if (dyno_layer_is_lower (g_ptr_array_index (self->layers, i)) == lower)
      dyno_layer_render (g_ptr_array_index (self->layers, i), cr, plot, style);
  for (guint i = 0; i < self->layers->len; i++)
    if (dyno_layer_is_lower (g_ptr_array_index (self->layers, i)) == lower)
      dyno_layer_annotate (g_ptr_array_index (self->layers, i), cr, plot, style);
  cairo_restore (cr);
}

static void
draw_contents (DynoChart *self, cairo_t *cr, double width, double height, const DynoChartStyle *style)
{
  DynoChartFrame frame = {
    .title = self->title,
    .finding = dyno_chart_get_finding (self),
    .caption = dyno_chart_get_caption (self),
    .series = self->series,
    .labels_lines = self->labels_lines,
    .width = width,
    .height = height,
    .plot = { .x_axis = self->x_axis, .y_axis = self->y_axis, .taken = self->taken },
    .lower = { .x_axis = self->x_axis, .y_axis = self->lower_axis, .taken = self->taken },
  };

  if (dyno_chart_get_empty_message (self) != NULL)
    {
      dyno_chart_frame_draw_message (&frame, self->empty_message, cr, style);
      return;
    }
  dyno_chart_frame_layout (&frame, cr, style);
  self->plot = frame.plot;
  self->lower = frame.lower;
  dyno_chart_frame_draw_grid (&frame, cr, style);
  draw_panel (self, FALSE, cr, style);
  draw_panel (self, TRUE, cr, style);
  dyno_chart_frame_draw_axes (&frame, cr, style);
  dyno_chart_frame_draw_words (&frame, cr, style);
  draw_cursor (self, cr, width, height, style);
  dyno_chart_frame_clear (&frame);
}

/**
 * dyno_chart_render:
 * @self: a chart
 * @cr: where to draw it
 * @width: the width of the picture, in px
 * @height: its height
 * @style: how it looks
 *
 * Draws the chart with its top left corner at the origin.
 */
void
dyno_chart_render (DynoChart *self, cairo_t *cr, double width, double height, const DynoChartStyle *style)
{
  g_return_if_fail (DYNO_IS_CHART (self));
  g_return_if_fail (cr != NULL);
  g_return_if_fail (style != NULL);

  if (width < 1 || height < 1)
    return;
  cairo_save (cr);
  cairo_rectangle (cr, 0, 0, width, height);
  cairo_clip (cr);
  if (style->background.alpha > 0)
    {
      dyno_ink_set (cr, &style->background);
      cairo_paint (cr);
    }
  draw_contents (self, cr, width, height, style);
  cairo_restore (cr);
}

/* --- cursor --- */

/**
 * dyno_chart_hover:
 * @self: a chart that was drawn
 * @x: where the pointer is
 * @y: where the pointer is
 *
 * Puts the cursor on the point nearest to the pointer.
 *
 * Returns: whether there is one
 */
gboolean
dyno_chart_hover (DynoChart *self, double x, double y)
{
  g_return_val_if_fail (DYNO_IS_CHART (self), FALSE);

  if (dyno_chart_cursor_pick (&self->cursor, x, y))
    emit_changed (self);
  return self->cursor.is_set;
}

void
dyno_chart_unhover (DynoChart *self)
{
  g_return_if_fail (DYNO_IS_CHART (self));

  if (dyno_chart_cursor_clear (&self->cursor))
    emit_changed (self);
}

/**
 * dyno_chart_move_cursor:
 * @self: a chart
 * @d_point: how many points to go along the series
 * @d_series: how many series to go down
 *
 * Moves the keyboard cursor, which appears with the first move. In charts of rows both go from row to row.
 * Through long series one step goes a few pixels.
 *
 * Returns: whether it moved
 */
gboolean
dyno_chart_move_cursor (DynoChart *self, int d_point, int d_series)
{
  gboolean moved;

  g_return_val_if_fail (DYNO_IS_CHART (self), FALSE);

  moved = dyno_chart_cursor_move (&self->cursor, d_point, d_series);
  if (moved)
    emit_changed (self);
  return moved;
}

/**
 * dyno_chart_get_cursor_text:
 * @self: a chart
 *
 * Returns: (transfer none) (nullable): what is said of the point under the cursor
 */
const char *
dyno_chart_get_cursor_text (DynoChart *self)
{
  g_autofree char *text = NULL;

  g_return_val_if_fail (DYNO_IS_CHART (self), NULL);

  g_clear_pointer (&self->cursor_text, g_free);
  if (!self->cursor.is_set)
    return NULL;
  text = dyno_chart_cursor_describe (&self->cursor);
  self->cursor_text =
      self->series->len > 1
          ? g_strdup_printf ("%s. %s", dyno_chart_get_series_name (self, self->cursor.index), text)
          : g_steal_pointer (&text);
  return self->cursor_text;
}

/**
 * dyno_chart_get_cursor_subject:
 * @self: a chart
 *
 * Returns: (transfer none) (nullable): what the point under the cursor stands for, a [class@Dyno.Result] or a
 *   [class@Dyno.Operator], to go there with a click
 */
GObject *
dyno_chart_get_cursor_subject (DynoChart *self)
{
  g_return_val_if_fail (DYNO_IS_CHART (self), NULL);
  return self->cursor.is_set ? dyno_series_get_subject (g_ptr_array_index (self->series, self->cursor.index),
                                                        self->cursor.point)
                             : NULL;
}

/* --- zoom --- */

static gboolean
can_zoom (DynoAxis *axis)
{
  return axis != NULL && dyno_axis_get_zoomable (axis);
}

/**
 * dyno_chart_zoom:
 * @self: a chart that was drawn
 * @factor: above 1 comes closer
 * @x: the place that stays where it is
 * @y: the place that stays where it is
 *
 * Zooms both axes; beside an axis only that one, and charts over time keep their heights.
 */
void
dyno_chart_zoom (DynoChart *self, double factor, double x, double y)
{
  gboolean below, left;

  g_return_if_fail (DYNO_IS_CHART (self));
  g_return_if_fail (factor > 0);

  if (self->plot.width <= 0)
    return;
  left = x < self->plot.x;
  below = y > self->plot.y + self->plot.height;
  if (can_zoom (self->x_axis) && !left)
    dyno_axis_zoom (self->x_axis, factor, CLAMP ((x - self->plot.x) / self->plot.width, 0, 1));
  if (can_zoom (self->y_axis) && !below && (left || !DYNO_IS_TIME_AXIS (self->x_axis)))
    dyno_axis_zoom (self->y_axis, factor, CLAMP (1 - (y - self->plot.y) / self->plot.height, 0, 1));
  emit_changed (self);
}

/**
 * dyno_chart_pan:
 * @self: a chart that was drawn
 * @dx: how far the data follow the pointer to the right, in px
 * @dy: how far they follow it down
 */
void
dyno_chart_pan (DynoChart *self, double dx, double dy)
{
  g_return_if_fail (DYNO_IS_CHART (self));

  if (self->plot.width <= 0)
    return;
  if (can_zoom (self->x_axis))
    dyno_axis_pan (self->x_axis, -dx / self->plot.width);
  if (DYNO_IS_CATEGORY_AXIS (self->y_axis))
    dyno_axis_pan (self->y_axis, -dy / self->plot.height);
  else if (can_zoom (self->y_axis))
    dyno_axis_pan (self->y_axis, dy / self->plot.height);
  emit_changed (self);
}

void
dyno_chart_reset_zoom (DynoChart *self)
{
  g_return_if_fail (DYNO_IS_CHART (self));

  if (!dyno_chart_is_zoomed (self))
    return;
  dyno_axis_reset (self->x_axis);
  dyno_axis_reset (self->y_axis);
  emit_changed (self);
}

gboolean
dyno_chart_is_zoomed (DynoChart *self)
{
  g_return_val_if_fail (DYNO_IS_CHART (self), FALSE);
  return self->x_axis != NULL && (dyno_axis_is_zoomed (self->x_axis) || dyno_axis_is_zoomed (self->y_axis));
}

/**
 * dyno_chart_get_table:
 * @self: a chart
 *
 * Returns: (transfer none) (element-type GStrv): the same data as rows of cells, each a %NULL-terminated
 * array of strings, all of the same length; the first row holds the headings
 */
GPtrArray *
dyno_chart_get_table (DynoChart *self)
{
  g_return_val_if_fail (DYNO_IS_CHART (self), NULL);
  return self->rows;
}
