/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "dyno-chart-base-private.h"
#include "dyno-chart-layers-private.h"
#include "dyno-ink.h"

#define LABEL_GAP 4.0

typedef struct
{
  double value;
  char *label;
} Rule;

struct _DynoRuleLayer
{
  DynoLayer parent_instance;

  GArray *rules;
  char *note;
};

G_DEFINE_FINAL_TYPE (DynoRuleLayer, dyno_rule_layer, DYNO_TYPE_LAYER)

static void
clear_rule (gpointer data)
{
  g_free (((Rule *)data)->label);
}

/* Each label is one row lower than the one before, so that neighbours do not overlap. */
static void
draw_rule (const Rule *rule, guint row, cairo_t *cr, const DynoPlot *plot, const DynoChartStyle *style)
{
  static const double dash[] = { 4, 3 };
  double x = round (dyno_plot_get_x (plot, rule->value));
  double thickness = style->high_contrast ? 2 : 1;
  double line_height = dyno_text_get_line_height (DYNO_TEXT_SMALL, cr, style);
  DynoText text = { .text = rule->label, .size = DYNO_TEXT_SMALL, .halo = TRUE };
  double width, height;

  cairo_move_to (cr, x + thickness / 2, plot->y + row * line_height);
  cairo_line_to (cr, x + thickness / 2, plot->y + plot->height);
  dyno_ink_stroke_over (cr, style, thickness, dash, G_N_ELEMENTS (dash));
  text.x = x + LABEL_GAP;
  text.y = plot->y + row * line_height;
  dyno_text_measure (&text, cr, style, &width, &height);
  if (text.x + width > plot->x + plot->width)
    {
      text.x = x - LABEL_GAP;
      text.align_x = 1;
    }
  if (text.x - text.align_x * width >= plot->x && text.y + height <= plot->y + plot->height)
    dyno_text_draw (&text, cr, style);
}

static void
dyno_rule_layer_render (DynoLayer *layer, cairo_t *cr, const DynoPlot *plot, const DynoChartStyle *style)
{
  DynoRuleLayer *self = DYNO_RULE_LAYER (layer);
  guint row = 0;

  for (guint i = 0; i < self->rules->len; i++)
    {
      const Rule *rule = &g_array_index (self->rules, Rule, i);
      double position = dyno_axis_normalize (plot->x_axis, rule->value);

      if (position >= 0 && position <= 1)
        draw_rule (rule, row++, cr, plot, style);
    }
  if (self->note != NULL)
    {
      /* The first row below the labels, so that it overlaps none of them. */
      double line_height = dyno_text_get_line_height (DYNO_TEXT_SMALL, cr, style);
      DynoText text = { .text = self->note, .size = DYNO_TEXT_SMALL, .color = &style->dim, .halo = TRUE };
      double width, height;

      dyno_text_measure (&text, cr, style, &width, &height);
      text.x = plot->x + plot->width;
      text.y = plot->y + row * line_height;
      text.align_x = 1;
      for (guint i = self->rules->len; i > 0; i--)
        {
          double x = dyno_plot_get_x (plot, g_array_index (self->rules, Rule, i - 1).value);

          if (x < text.x && x > text.x - width)
            text.x = x - LABEL_GAP;
        }
      if (text.x - width >= plot->x && text.y + line_height <= plot->y + plot->height)
        dyno_text_draw (&text, cr, style);
    }
}

static void
dyno_rule_layer_finalize (GObject *object)
{
  DynoRuleLayer *self = DYNO_RULE_LAYER (object);

  g_array_unref (self->rules);
  g_free (self->note);

  G_OBJECT_CLASS (dyno_rule_layer_parent_class)->finalize (object);
}

static void
dyno_rule_layer_class_init (DynoRuleLayerClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = dyno_rule_layer_finalize;
  DYNO_LAYER_CLASS (klass)->render = dyno_rule_layer_render;
}

static void
dyno_rule_layer_init (DynoRuleLayer *self)
{
  self->rules = g_array_new (FALSE, FALSE, sizeof (Rule));
  g_array_set_clear_func (self->rules, clear_rule);
}

DynoLayer *
dyno_rule_layer_new (void)
{
  return g_object_new (DYNO_TYPE_RULE_LAYER, NULL);
}

void
dyno_rule_layer_add (DynoRuleLayer *self, double value, const char *label)
{
  Rule rule = { value, g_strdup (label) };

  g_return_if_fail (DYNO_IS_RULE_LAYER (self));
  g_array_append_val (self->rules, rule);
}

void
dyno_rule_layer_set_note (DynoRuleLayer *self, const char *note)
{
  g_return_if_fail (DYNO_IS_RULE_LAYER (self));
  g_free (self->note);
  self->note = g_strdup (note);
}
