/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-ink.h"
#include "dyno-span-layer.h"
#include "dyno-text.h"

#define LABEL_GAP 4.0

struct _DynoSpanLayer
{
  DynoLayer parent_instance;

  DynoTrace *phases;
};

G_DEFINE_FINAL_TYPE (DynoSpanLayer, dyno_span_layer, DYNO_TYPE_LAYER)

static void
set_tint (DynoPhase phase, cairo_t *cr, const DynoChartStyle *style)
{
  if (phase < G_N_ELEMENTS (style->phases))
    dyno_ink_set (cr, &style->phases[phase]);
  else
    dyno_ink_set_faded (cr, &style->dim, 0.12);
}

static void
draw_name (DynoPhase phase,
           double left,
           double right,
           cairo_t *cr,
           const DynoPlot *plot,
           const DynoChartStyle *style)
{
  DynoText text = { .text = dyno_span_layer_get_phase_name (phase), .size = DYNO_TEXT_SMALL };
  double width, height;

  text.color = &style->dim;
  text.x = left + LABEL_GAP;
  text.y = plot->y + 2;
  dyno_text_measure (&text, cr, style, &width, &height);
  if (width + 2 * LABEL_GAP <= right - left)
    dyno_text_draw (&text, cr, style);
}

static void
draw_span (DynoPhase phase,
           double left,
           double right,
           cairo_t *cr,
           const DynoPlot *plot,
           const DynoChartStyle *style)
{
  left = MAX (left, plot->x);
  right = MIN (right, plot->x + plot->width);
  if (phase >= DYNO_N_PHASES || right <= left)
    return;
  cairo_rectangle (cr, left, plot->y, right - left, plot->height);
  set_tint (phase, cr, style);
  cairo_fill (cr);
  if (style->high_contrast && left > plot->x)
    {
      cairo_rectangle (cr, round (left), plot->y, 1, plot->height);
      dyno_ink_set (cr, &style->dim);
      cairo_fill (cr);
    }
  draw_name (phase, left, right, cr, plot, style);
}

static void
dyno_span_layer_render (DynoLayer *layer, cairo_t *cr, const DynoPlot *plot, const DynoChartStyle *style)
{
  DynoTrace *phases = DYNO_SPAN_LAYER (layer)->phases;
  const gint64 *times = dyno_trace_get_times (phases);
  const double *values = dyno_trace_get_values (phases);
  gsize length = dyno_trace_get_length (phases);

  for (gsize i = 0; i < length; i++)
    {
      double left = dyno_plot_get_x (plot, times[i] / 1e9);
      double right = i + 1 < length ? dyno_plot_get_x (plot, times[i + 1] / 1e9) : plot->x + plot->width;

      draw_span ((DynoPhase)CLAMP (values[i], 0, DYNO_N_PHASES), left, right, cr, plot, style);
    }
}

static void
dyno_span_layer_finalize (GObject *object)
{
  g_object_unref (DYNO_SPAN_LAYER (object)->phases);

  G_OBJECT_CLASS (dyno_span_layer_parent_class)->finalize (object);
}

static void
dyno_span_layer_class_init (DynoSpanLayerClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = dyno_span_layer_finalize;
  DYNO_LAYER_CLASS (klass)->render = dyno_span_layer_render;
}

static void
dyno_span_layer_init (DynoSpanLayer *self)
{
}

/**
 * dyno_span_layer_new:
 * @phases: the trace `phases` of a result
 *
 * Returns: (transfer full): a layer for an axis of seconds
 */
DynoLayer *
dyno_span_layer_new (DynoTrace *phases)
{
  DynoSpanLayer *self;

  g_return_val_if_fail (DYNO_IS_TRACE (phases), NULL);

  self = g_object_new (DYNO_TYPE_SPAN_LAYER, NULL);
  self->phases = g_object_ref (phases);
  return DYNO_LAYER (self);
}

/**
 * dyno_span_layer_get_phase_name:
 * @phase: a phase
 *
 * Returns: (transfer none): its name for people
 */
const char *
dyno_span_layer_get_phase_name (DynoPhase phase)
{
  switch (phase)
    {
    case DYNO_PHASE_LOAD:
      return _ ("Load");
    case DYNO_PHASE_FIRST_RUN:
      return _ ("First run");
    case DYNO_PHASE_WARM_UP:
      return _ ("Warm-up");
    case DYNO_PHASE_MEASURE:
      return _ ("Measurement");
    case DYNO_PHASE_ANALYSE:
      return _ ("Analysis");
    case DYNO_N_PHASES:
    default:
      return "";
    }
}
