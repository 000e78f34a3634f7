/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-ink.h"
#include "dyno-label.h"
#include "dyno-line-layer.h"

#define MARKER_SIZE    4.0
#define MARKER_SPACING 12.0

struct _DynoLineLayer
{
  DynoLayer parent_instance;
};

G_DEFINE_FINAL_TYPE (DynoLineLayer, dyno_line_layer, DYNO_TYPE_LAYER)

static void
draw_line (DynoSeries *series, cairo_t *cr, const DynoPlot *plot, guint first, guint end)
{
  const double *x = dyno_series_get_x (series);
  const double *y = dyno_series_get_y (series);

  for (guint i = first; i < end; i++)
    cairo_line_to (cr, dyno_plot_get_x (plot, x[i]), dyno_plot_get_y (plot, y[i]));
  cairo_stroke (cr);
}

/* What leads to or from an unsteady point is dashed. */
static void
draw_mixed_line (DynoSeries *series, cairo_t *cr, const DynoPlot *plot, guint first, guint end)
{
  static const double dashes[] = { 4, 4 };
  const double *x = dyno_series_get_x (series);
  const double *y = dyno_series_get_y (series);

  for (guint i = first + 1; i < end; i++)
    {
      gboolean dashed = MAX (dyno_series_get_doubt (series, i - 1), dyno_series_get_doubt (series, i)) ==
                        DYNO_DOUBT_UNSTEADY;

      cairo_move_to (cr, dyno_plot_get_x (plot, x[i - 1]), dyno_plot_get_y (plot, y[i - 1]));
      cairo_line_to (cr, dyno_plot_get_x (plot, x[i]), dyno_plot_get_y (plot, y[i]));
      cairo_save (cr);
      if (dashed)
        cairo_set_dash (cr, dashes, G_N_ELEMENTS (dashes), 0);
      cairo_stroke (cr);
      cairo_restore (cr);
    }
}

static void
draw_markers (DynoSeries *series,
              cairo_t *cr,
              const DynoPlot *plot,
              const DynoChartStyle *style,
              guint first,
              guint end)
{
  const double *x = dyno_series_get_x (series);
  const double *y = dyno_series_get_y (series);

  for (guint i = first; i < end; i++)
    {
      double left = dyno_plot_get_x (plot, x[i]);
      double top = dyno_plot_get_y (plot, y[i]);

      dyno_ink_draw_point (cr, style, series, i, left, top, MARKER_SIZE);
      dyno_ink_draw_ring (cr, style, dyno_series_get_doubt (series, i), left, top, MARKER_SIZE);
    }
}

static void
dyno_line_layer_render (DynoLayer *self, cairo_t *cr, const DynoPlot *plot, const DynoChartStyle *style)
{
  DynoSeries *series = dyno_layer_get_series (self);
  g_autoptr (GArray) columns = dyno_plot_decimate (plot, series, 1);
  gboolean with_markers;
  guint first, end;

  dyno_plot_get_visible_points (plot, series, &first, &end);
  with_markers = (end - first) * MARKER_SPACING <= plot->width;
  dyno_ink_set_line (cr, style, dyno_series_get_slot (series), !with_markers);
  if (columns != NULL)
    dyno_layer_draw_columns (series, columns, cr, plot, style->line_width);
  else if (dyno_series_has_doubt (series, DYNO_DOUBT_UNSTEADY))
    draw_mixed_line (series, cr, plot, first, end);
  else
    draw_line (series, cr, plot, first, end);
  if (with_markers)
    draw_markers (series, cr, plot, style, first, end);
}

/* A line of one point says how much that is. */
static void
dyno_line_layer_annotate (DynoLayer *self, cairo_t *cr, const DynoPlot *plot, const DynoChartStyle *style)
{
  DynoSeries *series = dyno_layer_get_series (self);
  double y = dyno_series_get_y (series)[0];
  g_autofree char *value = NULL;
  DynoText text = { .size = DYNO_TEXT_SMALL, .halo = TRUE };

  if (dyno_series_get_length (series) > 1)
    return;
  value = dyno_axis_format (plot->y_axis, y);
  text.text = value;
  text.x = dyno_plot_get_x (plot, dyno_series_get_x (series)[0]);
  text.y = dyno_plot_get_y (plot, y);
  dyno_label_try_around (plot, &text, 2 * MARKER_SIZE, cr, style);
}

static void
dyno_line_layer_class_init (DynoLineLayerClass *klass)
{
  DYNO_LAYER_CLASS (klass)->render = dyno_line_layer_render;
  DYNO_LAYER_CLASS (klass)->annotate = dyno_line_layer_annotate;
  DYNO_LAYER_CLASS (klass)->pick = dyno_layer_pick_nearest;
}

static void
dyno_line_layer_init (DynoLineLayer *self)
{
}

DynoLayer *
dyno_line_layer_new (DynoSeries *series)
{
  DynoLayer *self = g_object_new (DYNO_TYPE_LINE_LAYER, NULL);

  dyno_layer_set_series (self, series);
  return self;
}
