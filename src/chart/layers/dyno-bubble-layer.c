/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "dyno-chart-base-private.h"
#include "dyno-chart-layers-private.h"
#include "dyno-ink.h"

#define MARKER_SIZE 5.0
#define LEAST       2.5
/* The radius of a disc of weight 1, as a share of the plot's shorter side. */
#define LARGEST_SHARE 0.13
#define LABEL_GAP     4.0
/* The maximum number of points with a name; more names would hide the points. */
#define MAX_LABELS 60
#define RING       4.0
#define PALE       0.4

struct _DynoBubbleLayer
{
  DynoLayer parent_instance;

  gboolean pale;
};

G_DEFINE_FINAL_TYPE (DynoBubbleLayer, dyno_bubble_layer, DYNO_TYPE_LAYER)

static double
get_radius (DynoSeries *series, guint point, const DynoPlot *plot)
{
  double weight = dyno_series_get_weight (series, point);

  if (weight <= 0)
    return MARKER_SIZE;
  return MAX (sqrt (weight) * MIN (plot->width, plot->height) * LARGEST_SHARE, LEAST);
}

static double
get_reach (DynoSeries *series, guint point, const DynoPlot *plot)
{
  return get_radius (series, point, plot) +
         MAX (dyno_series_get_flagged (series, point) ? RING : 0,
              dyno_ink_get_ring_room (dyno_series_get_doubt (series, point)));
}

static void
dyno_bubble_layer_render (DynoLayer *layer, cairo_t *cr, const DynoPlot *plot, const DynoChartStyle *style)
{
  DynoSeries *series = dyno_layer_get_series (layer);
  double alpha = !DYNO_BUBBLE_LAYER (layer)->pale ? 1 : style->high_contrast ? 0.55 : PALE;
  DynoChartStyle own = *style;

  /* The colours fade instead of a group, because groups leak memory in the SVG surface of cairo 1.16. */
  own.foreground.alpha *= alpha;
  own.doubt.alpha *= alpha;
  for (guint i = 0; i < DYNO_CHART_N_COLORS; i++)
    own.series[i].alpha *= alpha;
  const DynoColor *color = dyno_ink_get_color (&own, dyno_series_get_slot (series));
  cairo_set_dash (cr, NULL, 0, 0);
  dyno_ink_add_whiskers (cr, series, plot);
  dyno_ink_set (cr, color);
  cairo_set_line_width (cr, own.high_contrast ? 2 : 1.25);
  cairo_stroke (cr);
  for (guint i = 0; i < dyno_series_get_length (series); i++)
    {
      double x = dyno_plot_get_x (plot, dyno_series_get_x (series)[i]);
      double y = dyno_plot_get_y (plot, dyno_series_get_y (series)[i]);
      double radius = get_radius (series, i, plot);

      if (dyno_series_get_weight (series, i) > 0)
        {
          cairo_new_path (cr);
          cairo_arc (cr, x, y, radius, 0, 2 * G_PI);
          dyno_ink_set_faded (cr, color, own.high_contrast ? 0.6 : 0.35);
          cairo_fill_preserve (cr);
          dyno_ink_set (cr, color);
          cairo_set_line_width (cr, own.high_contrast ? 2 : 1.25);
          cairo_stroke (cr);
        }
      if (radius >= MARKER_SIZE)
        dyno_ink_draw_point (cr, &own, series, i, x, y, MIN (MARKER_SIZE - 1, radius));
      dyno_ink_draw_ring (cr, &own, dyno_series_get_doubt (series, i), x, y, radius);
      if (dyno_series_get_flagged (series, i))
        {
          cairo_new_path (cr);
          cairo_arc (cr, x, y, get_reach (series, i, plot), 0, 2 * G_PI);
          dyno_ink_set (cr, &own.foreground);
          cairo_set_line_width (cr, 2);
          cairo_stroke (cr);
        }
      dyno_label_occupy (plot, x, y, 1.6 * radius, 1.6 * radius);
    }
}

/* The largest weights come first, in case there is not enough room for all. */
static int
compare_weights (gconstpointer a, gconstpointer b, gpointer series)
{
  double left = dyno_series_get_weight (series, *(const guint *)a);
  double right = dyno_series_get_weight (series, *(const guint *)b);

  return left > right ? -1 : left < right;
}

static void
dyno_bubble_layer_annotate (DynoLayer *layer, cairo_t *cr, const DynoPlot *plot, const DynoChartStyle *style)
{
  DynoSeries *series = dyno_layer_get_series (layer);
  g_autoptr (GArray) order = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint i = 0; i < dyno_series_get_length (series); i++)
    g_array_append_val (order, i);
  g_array_sort_with_data (order, compare_weights, series);
  for (guint i = 0; i < MIN (order->len, MAX_LABELS); i++)
    {
      guint point = g_array_index (order, guint, i);
      DynoText text = { .text = dyno_series_get_label (series, point),
                        .size = DYNO_TEXT_SMALL,
                        .halo = TRUE };

      text.x = dyno_plot_get_x (plot, dyno_series_get_x (series)[point]);
      text.y = dyno_plot_get_y (plot, dyno_series_get_y (series)[point]);
      if (text.text != NULL && dyno_plot_contains (plot, text.x, text.y))
        dyno_label_try_around (plot, &text, get_reach (series, point, plot) + LABEL_GAP, cr, style);
    }
}

static void
dyno_bubble_layer_class_init (DynoBubbleLayerClass *klass)
{
  DynoLayerClass *layer_class = DYNO_LAYER_CLASS (klass);

  layer_class->render = dyno_bubble_layer_render;
  layer_class->annotate = dyno_bubble_layer_annotate;
  layer_class->pick = dyno_layer_pick_nearest;
}

static void
dyno_bubble_layer_init (DynoBubbleLayer *self)
{
}

DynoLayer *
dyno_bubble_layer_new (DynoSeries *series)
{
  return dyno_layer_new (DYNO_TYPE_BUBBLE_LAYER, series, DYNO_MARK_DOT);
}

DynoLayer *
dyno_bubble_layer_new_pale (DynoSeries *series)
{
  DynoLayer *self = dyno_bubble_layer_new (series);

  DYNO_BUBBLE_LAYER (self)->pale = TRUE;
  return self;
}
