/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "dyno-chart-base-private.h"
#include "dyno-chart-layers-private.h"
#include "dyno-ink.h"

#define SPACING   8.0
#define LABEL_GAP 4.0

struct _DynoStretchLayer
{
  DynoLayer parent_instance;

  DynoTrace *trace;
  char *name;
};

/* The extent of a stretch, in px. */
typedef struct
{
  double left;
  double right;
} Stretch;

G_DEFINE_FINAL_TYPE (DynoStretchLayer, dyno_stretch_layer, DYNO_TYPE_LAYER)

/* Finds the next visible stretch, from reading @index on. */
static gboolean
find_next (DynoStretchLayer *self, const DynoPlot *plot, gsize *index, Stretch *stretch)
{
  const gint64 *times = dyno_trace_get_times (self->trace);
  const double *values = dyno_trace_get_values (self->trace);
  gsize length = dyno_trace_get_length (self->trace);

  while (*index < length)
    {
      gsize first, end;

      for (first = *index; first < length && values[first] <= 0; first++)
        continue;
      for (end = first; end < length && values[end] > 0; end++)
        continue;
      *index = end;
      if (first == length)
        return FALSE;
      stretch->left = MAX (dyno_plot_get_x (plot, times[first] / 1e9), plot->x);
      stretch->right = dyno_plot_get_x (plot, times[MIN (end, length - 1)] / 1e9);
      stretch->right = MIN (MAX (stretch->right, stretch->left + 1), plot->x + plot->width);
      if (stretch->right > stretch->left)
        return TRUE;
    }
  return FALSE;
}

static void
dyno_stretch_layer_render (DynoLayer *layer, cairo_t *cr, const DynoPlot *plot, const DynoChartStyle *style)
{
  gsize index = 0;
  Stretch stretch;

  while (find_next (DYNO_STRETCH_LAYER (layer), plot, &index, &stretch))
    {
      cairo_save (cr);
      cairo_rectangle (cr, stretch.left, plot->y, stretch.right - stretch.left, plot->height);
      cairo_clip (cr);
      dyno_ink_set_faded (cr, &style->foreground, style->high_contrast ? 0.16 : 0.08);
      cairo_paint (cr);
      for (double x = floor ((stretch.left - plot->height) / SPACING) * SPACING; x < stretch.right;
           x += SPACING)
        {
          cairo_move_to (cr, x, plot->y + plot->height);
          cairo_line_to (cr, x + plot->height, plot->y);
        }
      dyno_ink_set_faded (cr, &style->foreground, style->high_contrast ? 0.5 : 0.2);
      cairo_set_line_width (cr, 1);
      cairo_stroke (cr);
      cairo_restore (cr);
    }
}

/* Writes the name in the first free row from the top. */
static void
dyno_stretch_layer_annotate (DynoLayer *layer, cairo_t *cr, const DynoPlot *plot, const DynoChartStyle *style)
{
  DynoStretchLayer *self = DYNO_STRETCH_LAYER (layer);
  gsize index = 0;
  Stretch stretch;

  while (self->name != NULL && find_next (self, plot, &index, &stretch))
    {
      DynoText text = { .text = self->name, .size = DYNO_TEXT_SMALL, .halo = TRUE };
      double width, height;

      dyno_text_measure (&text, cr, style, &width, &height);
      text.x = MIN (stretch.left + LABEL_GAP, plot->x + plot->width - width - 1);
      text.y = plot->y + 2;
      while (text.y + height < plot->y + plot->height &&
             !dyno_label_try (plot, &text, width, height, cr, style))
        text.y += height;
    }
}

static void
dyno_stretch_layer_finalize (GObject *object)
{
  DynoStretchLayer *self = DYNO_STRETCH_LAYER (object);

  g_object_unref (self->trace);
  g_free (self->name);

  G_OBJECT_CLASS (dyno_stretch_layer_parent_class)->finalize (object);
}

static void
dyno_stretch_layer_class_init (DynoStretchLayerClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = dyno_stretch_layer_finalize;
  DYNO_LAYER_CLASS (klass)->render = dyno_stretch_layer_render;
  DYNO_LAYER_CLASS (klass)->annotate = dyno_stretch_layer_annotate;
}

static void
dyno_stretch_layer_init (DynoStretchLayer *self)
{
}

DynoLayer *
dyno_stretch_layer_new (DynoTrace *trace, const char *name)
{
  g_return_val_if_fail (DYNO_IS_TRACE (trace), NULL);

  DynoStretchLayer *self = g_object_new (DYNO_TYPE_STRETCH_LAYER, NULL);
  self->trace = g_object_ref (trace);
  self->name = g_strdup (name);
  return DYNO_LAYER (self);
}
