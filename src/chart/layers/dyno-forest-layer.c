/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "dyno-chart-base-private.h"
#include "dyno-chart-layers-private.h"
#include "dyno-ink.h"

#define MARKER_SIZE 5.0
#define ASIDE_GAP   10.0

struct _DynoForestLayer
{
  DynoLayer parent_instance;
};

G_DEFINE_FINAL_TYPE (DynoForestLayer, dyno_forest_layer, DYNO_TYPE_LAYER)

static double
get_middle (DynoSeries *series, guint point, const DynoPlot *plot)
{
  return dyno_plot_get_y (plot, dyno_series_get_x (series)[point]);
}

static gboolean
is_seen (double middle, const DynoPlot *plot)
{
  return middle > plot->y && middle < plot->y + plot->height;
}

static void
dyno_forest_layer_render (DynoLayer *layer, cairo_t *cr, const DynoPlot *plot, const DynoChartStyle *style)
{
  DynoSeries *series = dyno_layer_get_series (layer);
  guint slot = dyno_series_get_slot (series);

  for (guint i = 0; i < dyno_series_get_length (series); i++)
    {
      double middle = get_middle (series, i, plot);
      double x = dyno_plot_get_x (plot, dyno_series_get_y (series)[i]);
      double low, high;

      if (!is_seen (middle, plot))
        continue;
      if (dyno_series_get_band (series, i, &low, &high))
        {
          double from = dyno_plot_get_x (plot, low);
          double to = dyno_plot_get_x (plot, high);
          low = MIN (from, to);
          high = MAX (from, to);
          double left = MAX (low, plot->x);
          double right = MIN (high, plot->x + plot->width);
          if (left <= right)
            {
              /* An interval that extends beyond the plot ends in a chevron. */
              cairo_new_path (cr);
              cairo_move_to (cr, left, middle);
              cairo_line_to (cr, right, middle);
              if (low < plot->x - 0.5)
                dyno_ink_add_cut (cr, left, middle, -1, 0);
              if (high > plot->x + plot->width + 0.5)
                dyno_ink_add_cut (cr, right, middle, 1, 0);
              cairo_set_dash (cr, NULL, 0, 0);
              cairo_set_line_width (cr, style->high_contrast ? 3 : 2);
              dyno_ink_set (cr, dyno_ink_get_color (style, slot));
              cairo_stroke (cr);
            }
        }
      if (x >= plot->x && x <= plot->x + plot->width)
        dyno_ink_draw_verdict (cr, style, slot, x, middle, MARKER_SIZE);
    }
}

/* Writes the number, then the name of the series in its colour, if there is room for both. */
static void
dyno_forest_layer_annotate (DynoLayer *layer, cairo_t *cr, const DynoPlot *plot, const DynoChartStyle *style)
{
  DynoSeries *series = dyno_layer_get_series (layer);
  double room = plot->aside - ASIDE_GAP;

  for (guint i = 0; plot->aside > 0 && i < dyno_series_get_length (series); i++)
    {
      DynoText number = { .text = dyno_series_get_label (series, i),
                          .size = DYNO_TEXT_SMALL,
                          .align_y = 0.5 };
      DynoText name = number;
      double width, height, name_width;

      if (number.text == NULL || !is_seen (get_middle (series, i, plot), plot))
        continue;
      dyno_text_measure (&number, cr, style, &width, &height);
      if (width > room)
        continue;
      number.x = plot->x + plot->width + ASIDE_GAP;
      number.y = name.y = get_middle (series, i, plot);
      dyno_text_draw (&number, cr, style);
      name.text = dyno_series_get_name (series);
      name.x = number.x + width + ASIDE_GAP / 2;
      name.color = dyno_ink_get_color (style, dyno_series_get_slot (series));
      dyno_text_measure (&name, cr, style, &name_width, &height);
      if (width + ASIDE_GAP / 2 + name_width <= room)
        dyno_text_draw (&name, cr, style);
    }
}

static gboolean
dyno_forest_layer_pick (
    DynoLayer *layer, const DynoPlot *plot, double x, double y, guint *point, double *distance)
{
  DynoSeries *series = dyno_layer_get_series (layer);

  *distance = INFINITY;
  for (guint i = 0; i < dyno_series_get_length (series); i++)
    {
      double middle = get_middle (series, i, plot);

      if (is_seen (middle, plot) && fabs (middle - y) < *distance)
        {
          *distance = fabs (middle - y);
          *point = i;
        }
    }
  return isfinite (*distance);
}

static void
dyno_forest_layer_locate (DynoLayer *layer, const DynoPlot *plot, guint point, double *x, double *y)
{
  DynoSeries *series = dyno_layer_get_series (layer);

  *x = CLAMP (dyno_plot_get_x (plot, dyno_series_get_y (series)[point]), plot->x, plot->x + plot->width);
  *y = get_middle (series, point, plot);
}

static void
dyno_forest_layer_class_init (DynoForestLayerClass *klass)
{
  DynoLayerClass *layer_class = DYNO_LAYER_CLASS (klass);

  layer_class->render = dyno_forest_layer_render;
  layer_class->annotate = dyno_forest_layer_annotate;
  layer_class->pick = dyno_forest_layer_pick;
  layer_class->locate = dyno_forest_layer_locate;
}

static void
dyno_forest_layer_init (DynoForestLayer *self)
{
}

DynoLayer *
dyno_forest_layer_new (DynoSeries *series)
{
  return dyno_layer_new (DYNO_TYPE_FOREST_LAYER, series, DYNO_MARK_VERDICT);
}
