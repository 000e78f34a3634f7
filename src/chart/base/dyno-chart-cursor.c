/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-chart-base-private.h"

/* The minimum distance in px that one key press moves through a long series. */
#define STEP 4.0
/* The number of steps through a long series in a picture that was never drawn. */
#define DEFAULT_STEPS 100
/* The greatest distance of points at the same place in two charts, as a share of the axis. */
#define NEAR 0.05

static DynoSeries *
get_series (DynoChartCursor *self, guint index)
{
  return g_ptr_array_index (self->series, index);
}

static double
get_x (DynoChartCursor *self)
{
  return dyno_series_get_x (get_series (self, self->index))[self->point];
}

/* All panels of a chart are of one kind. */
static gboolean
has_rows (DynoChartCursor *self)
{
  return DYNO_IS_CATEGORY_AXIS (((DynoChartPanel *)g_ptr_array_index (self->panels, 0))->y_axis);
}

static const DynoPlot *
get_plot (DynoChartCursor *self, DynoLayer *layer)
{
  const DynoChartPanel *panel = g_ptr_array_index (self->panels, dyno_layer_get_panel (layer));

  return dyno_layer_is_lower (layer) ? &panel->lower : &panel->plot;
}

static DynoLayer *
find_layer (DynoChartCursor *self, guint index)
{
  for (guint i = 0; i < self->layers->len; i++)
    {
      DynoLayer *layer = g_ptr_array_index (self->layers, i);

      if (dyno_layer_has_points (layer) && dyno_layer_get_series (layer) == get_series (self, index))
        return layer;
    }
  return NULL;
}

static gboolean
set (DynoChartCursor *self, guint index, guint point)
{
  if (self->is_set && self->index == index && self->point == point)
    return FALSE;
  self->is_set = TRUE;
  self->index = index;
  self->point = point;
  return TRUE;
}

static const DynoPlot *
get_series_plot (DynoChartCursor *self, guint index)
{
  return get_plot (self, find_layer (self, index));
}

gboolean
dyno_chart_cursor_clear (DynoChartCursor *self)
{
  gboolean was_set = self->is_set;

  self->is_set = FALSE;
  return was_set;
}

gboolean
dyno_chart_cursor_pick (DynoChartCursor *self, double x, double y)
{
  DynoLayer *nearest = NULL;
  double least = INFINITY;
  guint nearest_point = 0;
  guint index = 0;

  for (guint i = 0; i < self->layers->len; i++)
    {
      DynoLayer *layer = g_ptr_array_index (self->layers, i);
      const DynoPlot *plot = get_plot (self, layer);
      double distance;
      guint point;

      if (plot->width > 0 && plot->height > 0 && dyno_plot_contains (plot, x, y) &&
          dyno_layer_pick (layer, plot, x, y, &point, &distance) && distance < least)
        {
          least = distance;
          nearest = layer;
          nearest_point = point;
        }
    }
  if (nearest == NULL || !g_ptr_array_find (self->series, dyno_layer_get_series (nearest), &index))
    return dyno_chart_cursor_clear (self);
  return set (self, index, nearest_point);
}

/* Returns the points in view; all points if the picture was never drawn. */
static void
get_points_in_view (DynoChartCursor *self, guint index, guint *first, guint *end)
{
  DynoSeries *series = get_series (self, index);
  double low, high;

  *first = 0;
  *end = dyno_series_get_length (series);
  if (has_rows (self))
    return;
  dyno_axis_get_visible (get_series_plot (self, index)->x_axis, &low, &high);
  dyno_series_find_range (series, low, high, first, end);
}

static gboolean
move_point (DynoChartCursor *self, int distance)
{
  DynoSeries *series = get_series (self, self->index);
  double width = get_series_plot (self, self->index)->width;
  double room = width > 0 ? width / STEP : DEFAULT_STEPS;
  guint first, end;

  get_points_in_view (self, self->index, &first, &end);
  gint64 stride = MAX ((guint)((end - first) / room), 1);
  gint64 point = CLAMP (self->point + distance * stride, 0, (gint64)dyno_series_get_length (series) - 1);
  return set (self, self->index, (guint)point);
}

static guint
find_nearest (DynoSeries *series, double x)
{
  const double *values = dyno_series_get_x (series);
  guint point = dyno_series_find (series, x);

  if (point == dyno_series_get_length (series) || (point > 0 && x - values[point - 1] < values[point] - x))
    point--;
  return point;
}

static gboolean
move_series (DynoChartCursor *self, int distance)
{
  double x = get_x (self);
  int n_series = (int)self->series->len;
  int index = (int)self->index;

  do
    index = ((index + distance) % n_series + n_series) % n_series;
  while (find_layer (self, index) == NULL && index != (int)self->index);
  return set (self, (guint)index, find_nearest (get_series (self, (guint)index), x));
}

/* In rows, the cursor follows the reading order: from row to row and from panel to panel, across series;
 * series only order bars in the same place. */
static double
get_place (DynoChartCursor *self, guint index, guint point)
{
  guint panel = dyno_layer_get_panel (find_layer (self, index));
  double row = dyno_series_get_x (get_series (self, index))[point];

  return (double)panel * G_MAXUINT16 + row + 1e-9 * index;
}

static gboolean
move_row (DynoChartCursor *self, int direction)
{
  double here = get_place (self, self->index, self->point);
  double best = INFINITY;
  guint best_series = 0;
  guint best_point = 0;

  for (guint i = 0; i < self->series->len; i++)
    for (guint j = 0; find_layer (self, i) != NULL && j < dyno_series_get_length (get_series (self, i)); j++)
      {
        double distance = (get_place (self, i, j) - here) * direction;

        if (distance > 0 && distance < best)
          {
            best = distance;
            best_series = i;
            best_point = j;
          }
      }
  return isfinite (best) && set (self, best_series, best_point);
}

static void
show_position (DynoAxis *axis, double position)
{
  if (position < 0 || position > 1)
    dyno_axis_pan (axis, position - 0.5);
}

gboolean
dyno_chart_cursor_move (DynoChartCursor *self, int d_point, int d_series)
{
  gboolean moved = FALSE;

  if (!self->is_set)
    {
      for (guint i = 0; i < self->series->len; i++)
        {
          guint first, end;

          if (find_layer (self, i) == NULL)
            continue;
          get_points_in_view (self, i, &first, &end);
          if (first < end)
            return set (self, i, first);
        }
      return FALSE;
    }
  if (has_rows (self))
    for (int i = 0; i < ABS (d_point + d_series); i++)
      moved |= move_row (self, d_point + d_series < 0 ? -1 : 1);
  else
    {
      moved |= d_series != 0 && move_series (self, d_series);
      moved |= d_point != 0 && move_point (self, d_point);
    }
  if (moved)
    {
      const DynoPlot *plot = get_series_plot (self, self->index);
      DynoAxis *along = has_rows (self) ? plot->y_axis : plot->x_axis;
      double x, y;

      show_position (along, dyno_axis_normalize (along, get_x (self)));
      if (has_rows (self) && dyno_axis_get_zoomable (plot->x_axis) && plot->width > 0)
        {
          dyno_layer_locate (find_layer (self, self->index), plot, self->point, &x, &y);
          show_position (plot->x_axis, (x - plot->x) / plot->width);
        }
    }
  return moved;
}

/* Returns the name of the panel of a series. */
static const char *
get_panel_name (const DynoChartCursor *self, DynoLayer *layer)
{
  return ((DynoChartPanel *)g_ptr_array_index (self->panels, dyno_layer_get_panel (layer)))->name;
}

/* Prefers the series of the same name; else takes the first beside it. */
static gboolean
find_beside (DynoChartCursor *self, const DynoChartCursor *leader, guint *index)
{
  DynoLayer *leading = find_layer ((DynoChartCursor *)leader, leader->index);
  DynoAxis *along = get_plot ((DynoChartCursor *)leader, leading)->x_axis;
  const char *name = dyno_series_get_name (g_ptr_array_index (leader->series, leader->index));
  gboolean is_found = FALSE;

  for (guint i = 0; i < self->series->len; i++)
    {
      DynoLayer *layer = find_layer (self, i);

      if (layer == NULL || dyno_series_get_length (get_series (self, i)) == 0 ||
          !dyno_axis_is_like (get_plot (self, layer)->x_axis, along) ||
          (!DYNO_IS_TIME_AXIS (along) &&
           g_strcmp0 (get_panel_name (self, layer), get_panel_name (leader, leading)) != 0))
        continue;
      if (!is_found)
        *index = i;
      is_found = TRUE;
      if (g_str_equal (dyno_series_get_name (get_series (self, i)), name))
        {
          *index = i;
          break;
        }
    }
  return is_found;
}

static const char *
get_row_name (DynoChartCursor *self, guint index, guint point)
{
  DynoAxis *rows = get_series_plot (self, index)->y_axis;

  return dyno_category_axis_get_name (DYNO_CATEGORY_AXIS (rows),
                                      (guint)round (dyno_series_get_x (get_series (self, index))[point]));
}

gboolean
dyno_chart_cursor_follow (DynoChartCursor *self, const DynoChartCursor *leader)
{
  DynoChartCursor *ahead = (DynoChartCursor *)leader;
  guint index;

  if (!leader->is_set || has_rows (self) != has_rows (ahead) || !find_beside (self, leader, &index))
    return dyno_chart_cursor_clear (self);
  if (has_rows (self))
    {
      const char *row = get_row_name (ahead, leader->index, leader->point);

      for (guint i = 0; i < dyno_series_get_length (get_series (self, index)); i++)
        if (g_str_equal (get_row_name (self, index, i), row))
          return set (self, index, i);
      return dyno_chart_cursor_clear (self);
    }
  DynoAxis *along = get_series_plot (self, index)->x_axis;
  double x = get_x (ahead);
  guint point = find_nearest (get_series (self, index), x);
  double distance = dyno_axis_normalize (along, dyno_series_get_x (get_series (self, index))[point]) -
                    dyno_axis_normalize (along, x);
  return fabs (distance) <= NEAR ? set (self, index, point) : dyno_chart_cursor_clear (self);
}

void
dyno_chart_cursor_check (DynoChartCursor *self)
{
  if (self->is_set && (self->index >= self->series->len || find_layer (self, self->index) == NULL ||
                       self->point >= dyno_series_get_length (get_series (self, self->index))))
    self->is_set = FALSE;
}

DynoLayer *
dyno_chart_cursor_get_layer (DynoChartCursor *self)
{
  return self->is_set ? find_layer (self, self->index) : NULL;
}

const DynoPlot *
dyno_chart_cursor_get_plot (DynoChartCursor *self)
{
  return get_plot (self, find_layer (self, self->index));
}

char *
dyno_chart_cursor_describe (DynoChartCursor *self)
{
  DynoSeries *series = get_series (self, self->index);
  const DynoPlot *plot = dyno_chart_cursor_get_plot (self);
  const char *title = dyno_axis_get_title (plot->x_axis);
  g_autofree char *x = dyno_axis_format (plot->x_axis, dyno_series_get_x (series)[self->point]);
  g_autofree char *y = dyno_axis_format (plot->y_axis, dyno_series_get_y (series)[self->point]);
  g_autofree char *text = g_strdup (dyno_series_get_text (series, self->point));
  double low, high;

  if (text == NULL && dyno_series_get_band (series, self->point, &low, &high))
    {
      g_autofree char *from = dyno_axis_format (plot->y_axis, low);
      g_autofree char *to = dyno_axis_format (plot->y_axis, high);

      /* Translators: what runs along the axis, its value, the value of the point and its interval, such as
       * “Batch size 8: 12.3 ms, between 12.1 ms and 12.6 ms” */
      text = g_strdup_printf (_ ("%s %s: %s, between %s and %s"), title, x, y, from, to);
    }
  else if (text == NULL)
    /* Translators: what runs along the axis, its value, the value of the point: “Batch size 8: 12.3 ms” */
    text = g_strdup_printf (_ ("%s %s: %s"), title, x, y);
  switch (dyno_series_get_doubt (series, self->point))
    {
    case DYNO_DOUBT_IMPORTED:
      /* Translators: about a point that another tool measured */
      return g_strdup_printf (_ ("%s, imported"), text);
    case DYNO_DOUBT_DOUBTFUL:
      /* Translators: about a point that was measured under a warning */
      return g_strdup_printf (_ ("%s, doubtful"), text);
    case DYNO_DOUBT_UNSTEADY:
      /* Translators: about a point whose latency never became steady */
      return g_strdup_printf (_ ("%s, unsteady"), text);
    case DYNO_DOUBT_NONE:
    default:
      return g_steal_pointer (&text);
    }
}
