/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-chart-base-private.h"
#include "dyno-chart-layers-private.h"
#include "dyno-ink.h"

#define LABEL_GAP 4.0
/* Names use at most this many rows, and no more than this share of the height. */
#define MAX_ROWS  4
#define MAX_SHARE 0.4

struct _DynoSpanLayer
{
  DynoLayer parent_instance;

  DynoTrace *phases;
  DynoTrace *openings; /* (nullable) */
  char **stages;
  gboolean named;
};

/* The area of the written names: the right end of the last one in each row. */
typedef struct
{
  cairo_t *cr;
  const DynoPlot *plot;
  const DynoChartStyle *style;
  double limits[MAX_ROWS];
} Names;

G_DEFINE_FINAL_TYPE (DynoSpanLayer, dyno_span_layer, DYNO_TYPE_LAYER)

/* A name is in the first row if it may be and its span is wide enough, else in the first row below where it overlaps no other; a
 * line connects it to its span. */
static void
draw_name (Names *names, const char *name, double left, double right, gboolean may_be_first)
{
  const DynoPlot *plot = names->plot;
  DynoText text = { .text = name, .size = DYNO_TEXT_SMALL, .halo = TRUE };
  double width, height;
  guint row = 0;

  text.color = &names->style->dim;
  dyno_text_measure (&text, names->cr, names->style, &width, &height);
  text.x = MIN (left + LABEL_GAP, plot->x + plot->width - width - LABEL_GAP);
  if (!may_be_first || width + 2 * LABEL_GAP > right - left)
    for (row = 1; row < MAX_ROWS && text.x < names->limits[row]; row++)
      continue;
  if (row == MAX_ROWS || text.x < plot->x || (row + 1) * height > plot->height * MAX_SHARE)
    return;
  names->limits[row] = text.x + width + 2 * LABEL_GAP;
  text.y = plot->y + 2 + row * height;
  if (row > 0)
    {
      cairo_rectangle (names->cr, round (MAX (left, plot->x)), plot->y, 1, text.y + height - plot->y);
      dyno_ink_set_faded (names->cr, &names->style->dim, 0.6);
      cairo_fill (names->cr);
    }
  dyno_text_draw (&text, names->cr, names->style);
  dyno_label_occupy (plot, text.x + width / 2, text.y + height / 2, width, height);
}

/* With several processes, each has its own section, and the phases are named in the first that is seen. */
static void
draw_phases (Names *names, DynoTrace *phases, guint n_processes)
{
  const DynoPlot *plot = names->plot;
  const gint64 *times = dyno_trace_get_times (phases);
  gsize length = dyno_trace_get_length (phases);
  double begin = plot->x;
  guint process = 1, n_seen = 0;

  for (gsize i = 0; i < length; i++)
    {
      DynoPhase phase = (DynoPhase)CLAMP (dyno_trace_get_values (phases)[i], 0, DYNO_N_PHASES);
      double left = MAX (dyno_plot_get_x (plot, times[i] / 1e9), plot->x);
      double right = plot->x + plot->width;

      if (phase == DYNO_N_PHASES)
        {
          g_autofree char *name = g_strdup_printf (_ ("Process %u"), process++);

          if (n_processes > 1 && left > begin && begin < right)
            {
              draw_name (names, name, begin, MIN (left, right), TRUE);
              n_seen++;
            }
          begin = left;
          continue;
        }
      if (i + 1 < length)
        right = MIN (dyno_plot_get_x (plot, times[i + 1] / 1e9), right);
      if (right > left && n_seen == 0)
        draw_name (names, dyno_span_layer_get_phase_name (phase), left, right, n_processes == 1);
    }
}

/* The stages of the first process, where each was loaded. */
static void
draw_stages (Names *names, DynoSpanLayer *self)
{
  guint n_stages = self->openings != NULL ? g_strv_length (self->stages) : 0;

  for (guint i = 0; i < n_stages && i + 1 < dyno_trace_get_length (self->openings); i++)
    {
      double left = dyno_plot_get_x (names->plot, dyno_trace_get_times (self->openings)[i] / 1e9);
      double right = dyno_plot_get_x (names->plot, dyno_trace_get_times (self->openings)[i + 1] / 1e9);
      guint stage = (guint)dyno_trace_get_values (self->openings)[i];

      if (stage < n_stages && right > names->plot->x && left < names->plot->x + names->plot->width)
        draw_name (names, self->stages[stage], left, right, FALSE);
    }
}

static void
dyno_span_layer_render (DynoLayer *layer, cairo_t *cr, const DynoPlot *plot, const DynoChartStyle *style)
{
  DynoTrace *phases = DYNO_SPAN_LAYER (layer)->phases;
  const gint64 *times = dyno_trace_get_times (phases);
  const double *values = dyno_trace_get_values (phases);
  gsize length = dyno_trace_get_length (phases);
  Names names = { .cr = cr, .plot = plot, .style = style };
  /* The phases of each invocation end with a separate point. */
  guint n_processes = 0;

  for (gsize i = 0; i < length; i++)
    n_processes += (int)dyno_trace_get_values (phases)[i] == DYNO_N_PHASES;
  n_processes = MAX (n_processes, 1);
  for (gsize i = 0; i < length; i++)
    {
      DynoPhase phase = (DynoPhase)CLAMP (values[i], 0, DYNO_N_PHASES);
      double left = MAX (dyno_plot_get_x (plot, times[i] / 1e9), plot->x);
      double right = plot->x + plot->width;

      if (i + 1 < length)
        right = MIN (dyno_plot_get_x (plot, times[i + 1] / 1e9), right);
      if (phase == DYNO_N_PHASES || right <= left)
        continue;
      cairo_rectangle (cr, left, plot->y, right - left, plot->height);
      if (phase < G_N_ELEMENTS (style->phases))
        dyno_ink_set (cr, &style->phases[phase]);
      else
        dyno_ink_set_faded (cr, &style->dim, 0.12);
      cairo_fill (cr);
      if (style->high_contrast && left > plot->x)
        {
          cairo_rectangle (cr, round (left), plot->y, 1, plot->height);
          dyno_ink_set (cr, &style->dim);
          cairo_fill (cr);
        }
    }
  if (!DYNO_SPAN_LAYER (layer)->named)
    return;
  draw_phases (&names, phases, n_processes);
  draw_stages (&names, DYNO_SPAN_LAYER (layer));
}

static void
dyno_span_layer_finalize (GObject *object)
{
  g_object_unref (DYNO_SPAN_LAYER (object)->phases);
  g_clear_object (&DYNO_SPAN_LAYER (object)->openings);
  g_strfreev (DYNO_SPAN_LAYER (object)->stages);

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

DynoLayer *
dyno_span_layer_new (DynoTrace *phases)
{
  g_return_val_if_fail (DYNO_IS_TRACE (phases), NULL);

  DynoSpanLayer *self = g_object_new (DYNO_TYPE_SPAN_LAYER, NULL);
  self->phases = g_object_ref (phases);
  self->named = TRUE;
  return DYNO_LAYER (self);
}

void
dyno_span_layer_set_named (DynoSpanLayer *self, gboolean named)
{
  g_return_if_fail (DYNO_IS_SPAN_LAYER (self));
  self->named = named;
}

void
dyno_span_layer_set_stages (DynoSpanLayer *self, DynoTrace *openings, const char *const *stages)
{
  g_return_if_fail (DYNO_IS_SPAN_LAYER (self));
  g_set_object (&self->openings, openings);
  g_strfreev (self->stages);
  self->stages = g_strdupv ((char **)stages);
}

const char *
dyno_span_layer_find_stage (DynoTrace *openings, const char *const *stages, double seconds)
{
  gsize length = openings != NULL ? dyno_trace_get_length (openings) : 0;
  guint stage = G_MAXUINT;

  for (gsize i = 0; i < length && dyno_trace_get_times (openings)[i] / 1e9 <= seconds; i++)
    stage = (guint)CLAMP (dyno_trace_get_values (openings)[i], 0, G_MAXINT);
  return stage < g_strv_length ((char **)stages) ? stages[stage] : NULL;
}

DynoPhase
dyno_span_layer_find_phase (DynoTrace *phases, double seconds)
{
  DynoPhase phase = DYNO_N_PHASES;
  gsize length = phases != NULL ? dyno_trace_get_length (phases) : 0;

  for (gsize i = 0; i < length && dyno_trace_get_times (phases)[i] / 1e9 <= seconds; i++)
    phase = (DynoPhase)CLAMP (dyno_trace_get_values (phases)[i], 0, DYNO_N_PHASES);
  return phase;
}

const char *
dyno_span_layer_get_phase_name (DynoPhase phase)
{
  switch (phase)
    {
    case DYNO_PHASE_LOAD:
      return C_ ("phase of a case", "Load");
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
