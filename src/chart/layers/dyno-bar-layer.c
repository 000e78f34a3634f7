/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "dyno-chart-base-private.h"
#include "dyno-chart-layers-private.h"
#include "dyno-ink.h"

#define FILL_SHARE    0.7
#define LANES_SHARE   0.86
#define MAX_THICKNESS 30.0
#define LABEL_GAP     6.0
/* The share of its height that a line of digits actually fills. */
#define TIGHT       0.85
#define CAP         3.0
#define MARKER_ROOM 9.0
/* Room around letters on a hatched bar. */
#define BACKING 3.0

struct _DynoBarLayer
{
  DynoLayer parent_instance;

  guint lane;
  guint n_lanes;
  gboolean values_aside;
  gboolean is_stacked;
  DynoSeries *below; /* (nullable) */
};

typedef struct
{
  double x;
  double y;
  double width;
  double height;
} Bar;

G_DEFINE_FINAL_TYPE (DynoBarLayer, dyno_bar_layer, DYNO_TYPE_LAYER)

static Bar
get_bar (DynoBarLayer *self, const DynoPlot *plot, guint point)
{
  DynoSeries *series = dyno_layer_get_series (DYNO_LAYER (self));
  double row = dyno_series_get_x (series)[point];
  double row_height = dyno_plot_get_y (plot, row + 0.5) - dyno_plot_get_y (plot, row - 0.5);
  double thickness =
      MIN (row_height * (self->n_lanes > 1 ? LANES_SHARE : FILL_SHARE), MAX_THICKNESS * self->n_lanes) /
      self->n_lanes;
  double middle = dyno_plot_get_y (plot, row) + (self->lane + 0.5 - self->n_lanes / 2.0) * thickness;
  double base = self->below != NULL ? dyno_series_get_y (self->below)[point] : 0;
  double start = self->below != NULL ? dyno_plot_get_x (plot, base) : plot->x;
  double end = dyno_plot_get_x (plot, base + dyno_series_get_y (series)[point]);

  return (Bar){ start, round (middle - thickness / 2), MAX (end - start, 1),
                MAX (round (thickness - (self->n_lanes > 1 ? 1 : 0)), 1) };
}

/* Bars that share a row differ in more than their colour. */
static gboolean
has_marker (DynoBarLayer *self)
{
  return self->n_lanes > 1 || self->is_stacked;
}

static gboolean
is_seen (const Bar *bar, const DynoPlot *plot)
{
  double middle = bar->y + bar->height / 2;

  return middle > plot->y && middle < plot->y + plot->height;
}

static void
draw_whisker (DynoBarLayer *self,
              guint point,
              const Bar *bar,
              cairo_t *cr,
              const DynoPlot *plot,
              const DynoChartStyle *style)
{
  double middle = bar->y + bar->height / 2;
  double low, high;

  if (!dyno_series_get_band (dyno_layer_get_series (DYNO_LAYER (self)), point, &low, &high))
    return;
  low = MAX (dyno_plot_get_x (plot, low), plot->x);
  high = dyno_plot_get_x (plot, high);
  gboolean cut = high > plot->x + plot->width + 0.5;
  high = cut ? plot->x + plot->width : high;
  if (low > high)
    return;
  cairo_move_to (cr, low, middle);
  cairo_line_to (cr, high, middle);
  cairo_move_to (cr, low, middle - CAP);
  cairo_line_to (cr, low, middle + CAP);
  if (cut)
    dyno_ink_add_cut (cr, high, middle, 1, 0);
  cairo_move_to (cr, high, middle - (cut ? 0 : CAP));
  cairo_line_to (cr, high, middle + (cut ? 0 : CAP));
  dyno_ink_stroke_over (cr, style, style->high_contrast ? 2 : 1.25, NULL, 0);
}

static void
write_inside (const Bar *bar,
              DynoText *text,
              double width,
              double height,
              gboolean filled,
              cairo_t *cr,
              const DynoChartStyle *style)
{
  DynoColor inside = style->background;

  inside.alpha = 1;
  if (text->x + width + LABEL_GAP >= bar->x + bar->width)
    return;
  if (filled)
    text->color = &inside;
  else
    {
      /* Letters are unreadable on hatches or on the line of an interval, and so are letters in the background
       * colour on a bar that is not filled. */
      cairo_rectangle (cr, text->x - BACKING, round (text->y - height * TIGHT / 2), width + 2 * BACKING,
                       round (height * TIGHT));
      dyno_ink_set_background (cr, style);
      cairo_fill (cr);
    }
  dyno_text_draw (text, cr, style);
}

static void
write_value (DynoBarLayer *self,
             guint point,
             const Bar *bar,
             cairo_t *cr,
             const DynoPlot *plot,
             const DynoChartStyle *style)
{
  DynoSeries *series = dyno_layer_get_series (DYNO_LAYER (self));
  gboolean filled = dyno_series_get_mark (series) != DYNO_MARK_HATCH &&
                    dyno_series_get_doubt (series, point) != DYNO_DOUBT_UNSTEADY;
  g_autofree char *label = dyno_axis_format (plot->x_axis, dyno_series_get_y (series)[point]);
  /* At the right edge the label may overlap a grid line. */
  DynoText text = { .text = label, .size = DYNO_TEXT_SMALL, .align_y = 0.5, .halo = self->values_aside };
  double right = plot->x + plot->width, end = bar->x + bar->width;
  double width, height, low, high;
  gboolean has_band = dyno_series_get_band (series, point, &low, &high);

  text.y = bar->y + bar->height / 2;
  dyno_text_measure (&text, cr, style, &width, &height);
  if (height * TIGHT > (self->n_lanes > 1 ? bar->height + 1 : bar->height / FILL_SHARE))
    return;
  if (has_band)
    end = MAX (dyno_plot_get_x (plot, high), end);
  text.align_x = self->values_aside ? 1 : 0;
  text.x = self->values_aside ? right : end + LABEL_GAP;
  if (!self->is_stacked && (self->values_aside || text.x + width <= right))
    {
      dyno_text_draw (&text, cr, style);
      return;
    }
  /* There is no room beside the bar. */
  text.x = bar->x + (has_marker (self) ? 2 * MARKER_ROOM : LABEL_GAP);
  if (has_band)
    filled &=
        dyno_plot_get_x (plot, low) >= text.x + width + BACKING || dyno_plot_get_x (plot, high) <= text.x;
  write_inside (bar, &text, width, height, filled, cr, style);
}

static void
dyno_bar_layer_render (DynoLayer *layer, cairo_t *cr, const DynoPlot *plot, const DynoChartStyle *style)
{
  DynoBarLayer *self = DYNO_BAR_LAYER (layer);
  DynoSeries *series = dyno_layer_get_series (layer);
  guint slot = dyno_series_get_slot (series);

  for (guint i = 0; i < dyno_series_get_length (series); i++)
    {
      Bar bar = get_bar (self, plot, i);
      DynoDoubt doubt = dyno_series_get_doubt (series, i);

      if (!is_seen (&bar, plot))
        continue;
      if (dyno_series_get_mark (series) == DYNO_MARK_HATCH)
        dyno_ink_fill_hatched (cr, style, slot, bar.x, bar.y, bar.width, bar.height);
      else
        {
          cairo_rectangle (cr, bar.x, bar.y, bar.width, bar.height);
          if (doubt == DYNO_DOUBT_UNSTEADY)
            dyno_ink_draw_outline (cr, style, slot);
          else
            {
              dyno_ink_set_faded (cr, dyno_ink_get_color (style, slot), style->high_contrast ? 1 : 0.85);
              cairo_fill (cr);
            }
        }
      cairo_rectangle (cr, bar.x, bar.y, bar.width, bar.height);
      dyno_ink_draw_edge (cr, style, doubt);
      if (has_marker (self) && bar.width > 3 * MARKER_ROOM)
        dyno_ink_draw_marker (cr, style, slot, bar.x + MARKER_ROOM, bar.y + bar.height / 2,
                              MIN (4, bar.height / 3));
      draw_whisker (self, i, &bar, cr, plot, style);
    }
}

/* Writes the values above anything that other layers draw across the bars. */
static void
dyno_bar_layer_annotate (DynoLayer *layer, cairo_t *cr, const DynoPlot *plot, const DynoChartStyle *style)
{
  DynoBarLayer *self = DYNO_BAR_LAYER (layer);
  guint length = dyno_series_get_length (dyno_layer_get_series (layer));

  for (guint i = 0; i < length; i++)
    {
      Bar bar = get_bar (self, plot, i);

      if (is_seen (&bar, plot))
        write_value (self, i, &bar, cr, plot, style);
    }
}

static gboolean
dyno_bar_layer_pick (
    DynoLayer *layer, const DynoPlot *plot, double x, double y, guint *point, double *distance)
{
  guint length = dyno_series_get_length (dyno_layer_get_series (layer));

  *distance = INFINITY;
  for (guint i = 0; i < length; i++)
    {
      Bar bar = get_bar (DYNO_BAR_LAYER (layer), plot, i);
      double here = fabs (bar.y + bar.height / 2 - y);

      if (is_seen (&bar, plot) && here < *distance)
        {
          *distance = here;
          *point = i;
        }
    }
  return isfinite (*distance);
}

static void
dyno_bar_layer_locate (DynoLayer *layer, const DynoPlot *plot, guint point, double *x, double *y)
{
  Bar bar = get_bar (DYNO_BAR_LAYER (layer), plot, point);

  *x = bar.x + bar.width;
  *y = bar.y + bar.height / 2;
}

static void
dyno_bar_layer_dispose (GObject *object)
{
  g_clear_object (&DYNO_BAR_LAYER (object)->below);

  G_OBJECT_CLASS (dyno_bar_layer_parent_class)->dispose (object);
}

static void
dyno_bar_layer_class_init (DynoBarLayerClass *klass)
{
  DynoLayerClass *layer_class = DYNO_LAYER_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = dyno_bar_layer_dispose;

  layer_class->render = dyno_bar_layer_render;
  layer_class->annotate = dyno_bar_layer_annotate;
  layer_class->pick = dyno_bar_layer_pick;
  layer_class->locate = dyno_bar_layer_locate;
}

static void
dyno_bar_layer_init (DynoBarLayer *self)
{
}

DynoLayer *
dyno_bar_layer_new (DynoSeries *series, guint lane, guint n_lanes)
{
  g_return_val_if_fail (lane < n_lanes, NULL);

  DynoBarLayer *self =
      dyno_layer_new (DYNO_TYPE_BAR_LAYER, series,
                      dyno_series_get_mark (series) == DYNO_MARK_HATCH ? DYNO_MARK_HATCH : DYNO_MARK_BAR);
  self->lane = lane;
  self->n_lanes = n_lanes;
  return DYNO_LAYER (self);
}

void
dyno_bar_layer_set_values_aside (DynoBarLayer *self, gboolean values_aside)
{
  g_return_if_fail (DYNO_IS_BAR_LAYER (self));
  self->values_aside = values_aside;
}

void
dyno_bar_layer_stack (DynoBarLayer *self, DynoSeries *below)
{
  g_return_if_fail (DYNO_IS_BAR_LAYER (self));
  self->is_stacked = TRUE;
  g_set_object (&self->below, below);
}
