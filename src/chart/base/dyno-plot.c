/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "dyno-chart-base-private.h"

double
dyno_plot_get_x (const DynoPlot *plot, double value)
{
  return plot->x + dyno_axis_normalize (plot->x_axis, value) * plot->width;
}

double
dyno_plot_get_y (const DynoPlot *plot, double value)
{
  double position = dyno_axis_normalize (plot->y_axis, value);

  return plot->y + (DYNO_IS_CATEGORY_AXIS (plot->y_axis) ? position : 1 - position) * plot->height;
}

double
dyno_plot_get_x_value (const DynoPlot *plot, double x)
{
  return dyno_axis_denormalize (plot->x_axis, (x - plot->x) / plot->width);
}

gboolean
dyno_plot_contains (const DynoPlot *plot, double x, double y)
{
  const double slack = 0.5;

  return x >= plot->x - slack && x <= plot->x + plot->width + slack && y >= plot->y - slack &&
         y <= plot->y + plot->height + slack;
}

static void
find_points (const DynoPlot *plot, DynoSeries *series, guint *first, guint *end)
{
  double low, high;

  dyno_axis_get_visible (plot->x_axis, &low, &high);
  dyno_series_find_range (series, low, high, first, end);
}

void
dyno_plot_get_visible_points (const DynoPlot *plot, DynoSeries *series, guint *first, guint *end)
{
  find_points (plot, series, first, end);
  *first -= *first > 0;
  *end += *end < dyno_series_get_length (series);
}

GArray *
dyno_plot_decimate (const DynoPlot *plot, DynoSeries *series, double density)
{
  guint first, end;
  guint n_columns = MAX ((guint)ceil (plot->width), 1);

  find_points (plot, series, &first, &end);
  if (end - first <= density * n_columns)
    return NULL;
  GArray *columns = g_array_sized_new (FALSE, FALSE, sizeof (DynoColumn), n_columns);
  for (guint i = 0; i < n_columns && first < end; i++)
    {
      double edge = dyno_plot_get_x_value (plot, plot->x + i + 1);
      DynoColumn column = { plot->x + i, 1, first, 0, 0, 0 };

      column.end = i + 1 == n_columns ? end : CLAMP (dyno_series_find (series, edge), first, end);
      if (!dyno_series_get_extent (series, first, column.end, &column.least, &column.most))
        continue;
      if (columns->len > 0)
        {
          DynoColumn *before = &g_array_index (columns, DynoColumn, columns->len - 1);

          before->width = column.x - before->x;
        }
      g_array_append_val (columns, column);
      first = column.end;
    }
  return columns;
}
