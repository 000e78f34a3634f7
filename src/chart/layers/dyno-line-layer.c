/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "dyno-chart-base-private.h"
#include "dyno-chart-layers-private.h"
#include "dyno-ink.h"

#define MARKER_SIZE    4.0
#define MARKER_SPACING 12.0
/* The distance of the points of a line that labels keep away from. */
#define KEPT_FREE 8.0

struct _DynoLineLayer
{
  DynoLayer parent_instance;

  gboolean is_labelled;
};

G_DEFINE_FINAL_TYPE (DynoLineLayer, dyno_line_layer, DYNO_TYPE_LAYER)

/* Segments to or from an unsteady point are dashed. */
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
      dyno_label_occupy (plot, left, top, 2 * MARKER_SIZE, 2 * MARKER_SIZE);
    }
}

static gboolean
has_markers (const DynoPlot *plot, guint first, guint end)
{
  return (end - first) * MARKER_SPACING <= plot->width;
}

static void
dyno_line_layer_render (DynoLayer *self, cairo_t *cr, const DynoPlot *plot, const DynoChartStyle *style)
{
  DynoSeries *series = dyno_layer_get_series (self);
  g_autoptr (GArray) columns = dyno_plot_decimate (plot, series, 1);
  guint first, end;

  dyno_plot_get_visible_points (plot, series, &first, &end);
  gboolean with_markers = has_markers (plot, first, end);
  dyno_ink_set_line (cr, style, dyno_series_get_slot (series), !with_markers);
  if (columns != NULL)
    dyno_layer_draw_columns (series, columns, cr, plot, style->line_width);
  else if (dyno_series_has_doubt (series, DYNO_DOUBT_UNSTEADY))
    draw_mixed_line (series, cr, plot, first, end);
  else
    {
      const double *x = dyno_series_get_x (series);
      const double *y = dyno_series_get_y (series);

      for (guint i = first; i < end; i++)
        cairo_line_to (cr, dyno_plot_get_x (plot, x[i]), dyno_plot_get_y (plot, y[i]));
      cairo_stroke (cr);
    }
  if (with_markers)
    draw_markers (series, cr, plot, style, first, end);
  if (with_markers && DYNO_LINE_LAYER (self)->is_labelled)
    {
      const double *x = dyno_series_get_x (series);
      const double *y = dyno_series_get_y (series);

      for (guint i = first + 1; i < end; i++)
        {
          double left = dyno_plot_get_x (plot, x[i - 1]), top = dyno_plot_get_y (plot, y[i - 1]);
          double width = dyno_plot_get_x (plot, x[i]) - left;
          double height = dyno_plot_get_y (plot, y[i]) - top;
          double n = MAX (ceil (hypot (width, height) / KEPT_FREE), 1);

          for (double part = 0; part <= n; part++)
            dyno_label_occupy (plot, left + width * part / n, top + height * part / n, 1, 1);
        }
    }
}

static void
write_label (DynoSeries *series,
             guint point,
             const char *label,
             cairo_t *cr,
             const DynoPlot *plot,
             const DynoChartStyle *style)
{
  DynoText text = { .text = label, .size = DYNO_TEXT_SMALL, .halo = TRUE };

  text.x = dyno_plot_get_x (plot, dyno_series_get_x (series)[point]);
  text.y = dyno_plot_get_y (plot, dyno_series_get_y (series)[point]);
  if (dyno_plot_contains (plot, text.x, text.y))
    dyno_label_try_around (plot, &text,
                           2 * MARKER_SIZE + dyno_ink_get_ring_room (dyno_series_get_doubt (series, point)),
                           cr, style);
}

/* Writes the value of a line that has one point. */
static void
dyno_line_layer_annotate (DynoLayer *layer, cairo_t *cr, const DynoPlot *plot, const DynoChartStyle *style)
{
  DynoSeries *series = dyno_layer_get_series (layer);

  if (DYNO_LINE_LAYER (layer)->is_labelled)
    {
      guint first, end;

      dyno_plot_get_visible_points (plot, series, &first, &end);
      for (guint i = first; has_markers (plot, first, end) && i < end; i++)
        if (dyno_series_get_label (series, i) != NULL)
          write_label (series, i, dyno_series_get_label (series, i), cr, plot, style);
    }
  if (dyno_series_get_length (series) > 1 ||
      (DYNO_LINE_LAYER (layer)->is_labelled && dyno_series_get_label (series, 0) != NULL))
    return;
  g_autofree char *value = dyno_axis_format (plot->y_axis, dyno_series_get_y (series)[0]);
  write_label (series, 0, value, cr, plot, style);
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
  return dyno_layer_new (DYNO_TYPE_LINE_LAYER, series, dyno_series_get_mark (series));
}

DynoLayer *
dyno_line_layer_new_labelled (DynoSeries *series)
{
  DynoLayer *self = dyno_line_layer_new (series);

  DYNO_LINE_LAYER (self)->is_labelled = TRUE;
  return self;
}
