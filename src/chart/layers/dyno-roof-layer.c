/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "dyno-chart-base-private.h"
#include "dyno-chart-layers-private.h"
#include "dyno-ink.h"

#define LABEL_GAP  2.0
#define RIDGE_SIZE 4.0
/* The maximum drawn variation of a roof. */
#define WIDEST_BAND 1.8
/* The distance of the strokes in it, in px. */
#define HATCH 7.0
/* The number of positions along a line that are tried for a name. */
#define N_PLACES 12

typedef struct
{
  double intensity;
  double rate;
  char *label;
} Ridge;

/* A line on the plot, in px. */
typedef struct
{
  double x1;
  double y1;
  double x2;
  double y2;
} Line;

struct _DynoRoofLayer
{
  DynoLayer parent_instance;

  GArray *roofs;
  GArray *ridges;
};

G_DEFINE_FINAL_TYPE (DynoRoofLayer, dyno_roof_layer, DYNO_TYPE_LAYER)

static void
clear_roof (gpointer data)
{
  g_free ((char *)((DynoRoof *)data)->label);
  g_free ((char *)((DynoRoof *)data)->short_label);
}

static void
clear_ridge (gpointer data)
{
  g_free (((Ridge *)data)->label);
}

/* Both axes are logarithmic, so a memory roof is a straight line. */
static gboolean
get_line (const DynoRoof *roof, const DynoPlot *plot, Line *line)
{
  double left, right, bottom, top;

  dyno_axis_get_visible (plot->x_axis, &left, &right);
  dyno_axis_get_visible (plot->y_axis, &bottom, &top);
  double begin = roof->slope > 0 ? MAX (left, bottom / roof->slope) : MAX (left, roof->begin);
  double end = roof->slope > 0 ? MIN (right, MIN (roof->rate, top) / roof->slope) : right;
  if (begin >= end || (roof->slope == 0 && (roof->rate < bottom || roof->rate > top)))
    return FALSE;
  line->x1 = dyno_plot_get_x (plot, begin);
  line->x2 = dyno_plot_get_x (plot, end);
  line->y1 = dyno_plot_get_y (plot, roof->slope > 0 ? begin * roof->slope : roof->rate);
  line->y2 = dyno_plot_get_y (plot, roof->slope > 0 ? end * roof->slope : roof->rate);
  return TRUE;
}

/* The line is the best rate that was reached: the hatch goes down from it. */
static void
draw_band (const DynoRoof *roof, cairo_t *cr, const DynoPlot *plot, const DynoChartStyle *style)
{
  double half = MIN (roof->spread, WIDEST_BAND) / 2;
  DynoRoof lower = *roof;
  Line below, above;

  lower.slope *= 1 - half;
  lower.rate *= roof->slope > 0 ? 1 : 1 - half;

  if (half <= 0 || !get_line (&lower, plot, &below) || !get_line (roof, plot, &above))
    return;
  cairo_move_to (cr, below.x1, below.y1);
  cairo_line_to (cr, below.x2, below.y2);
  cairo_line_to (cr, above.x2, above.y2);
  cairo_line_to (cr, above.x1, above.y1);
  cairo_close_path (cr);
  cairo_save (cr);
  cairo_clip (cr);
  for (double x = below.x1 - plot->height; x < below.x2 + plot->height; x += HATCH)
    {
      cairo_move_to (cr, x, plot->y + plot->height);
      cairo_line_to (cr, x + plot->height, plot->y);
    }
  cairo_set_dash (cr, NULL, 0, 0);
  cairo_set_line_width (cr, 1);
  dyno_ink_set_faded (cr, &style->foreground, style->high_contrast ? 0.8 : 0.35);
  cairo_stroke (cr);
  cairo_restore (cr);
}

static void
dyno_roof_layer_render (DynoLayer *layer, cairo_t *cr, const DynoPlot *plot, const DynoChartStyle *style)
{
  static const double dash[] = { 6, 4 };
  DynoRoofLayer *self = DYNO_ROOF_LAYER (layer);

  for (guint i = 0; i < self->roofs->len; i++)
    draw_band (&g_array_index (self->roofs, DynoRoof, i), cr, plot, style);
  for (guint i = 0; i < self->roofs->len; i++)
    {
      const DynoRoof *roof = &g_array_index (self->roofs, DynoRoof, i);
      Line line;

      if (!get_line (roof, plot, &line))
        continue;
      cairo_move_to (cr, line.x1, line.y1);
      cairo_line_to (cr, line.x2, line.y2);
      cairo_set_dash (cr, dash, roof->theoretical ? G_N_ELEMENTS (dash) : 0, 0);
      cairo_set_line_width (cr,
                            (style->high_contrast ? 1.5 : 1) * (roof->theoretical || roof->faint ? 1 : 1.75));
      dyno_ink_set_faded (cr, &style->foreground, roof->faint && !style->high_contrast ? 0.45 : 0.8);
      cairo_stroke (cr);
    }
  for (guint i = 0; i < self->ridges->len; i++)
    {
      const Ridge *ridge = &g_array_index (self->ridges, Ridge, i);
      double x = dyno_plot_get_x (plot, ridge->intensity);
      double y = dyno_plot_get_y (plot, ridge->rate);

      if (!dyno_plot_contains (plot, x, y))
        continue;
      cairo_new_path (cr);
      cairo_arc (cr, x, y, RIDGE_SIZE, 0, 2 * G_PI);
      cairo_set_dash (cr, NULL, 0, 0);
      cairo_set_line_width (cr, 1.5);
      dyno_ink_set_background (cr, style);
      cairo_fill_preserve (cr);
      dyno_ink_set_faded (cr, &style->foreground, 0.8);
      cairo_stroke (cr);
      dyno_label_occupy (plot, x, y, 2 * RIDGE_SIZE, 2 * RIDGE_SIZE);
    }
}

static void
get_line_box (const Line *line, DynoTextBox *box)
{
  *box = (DynoTextBox){ .x = line->x1,
                        .y = line->y1,
                        .width = hypot (line->x2 - line->x1, line->y2 - line->y1) };
  box->angle = atan2 (line->y2 - line->y1, line->x2 - line->x1);
}

static gboolean
meets_line (DynoRoofLayer *self, const DynoTextBox *box, const DynoPlot *plot)
{
  for (guint i = 0; i < self->roofs->len; i++)
    {
      DynoTextBox other;
      Line line;

      if (!get_line (&g_array_index (self->roofs, DynoRoof, i), plot, &line))
        continue;
      get_line_box (&line, &other);
      if (dyno_text_box_touches (box, &other, 0))
        return TRUE;
    }
  return FALSE;
}

/* Tries names on flat roofs from the right, on slopes from the left, where lines are furthest apart; below
 * the line if there is no room above. */
static gboolean
try_label (DynoRoofLayer *self,
           const Line *line,
           const DynoRoof *roof,
           const char *label,
           gboolean strict,
           cairo_t *cr,
           const DynoPlot *plot,
           const DynoChartStyle *style)
{
  DynoText text = { .text = label, .size = DYNO_TEXT_SMALL, .color = &style->dim, .halo = TRUE };
  double length = hypot (line->x2 - line->x1, line->y2 - line->y1);
  double width, height;

  text.angle = atan2 (line->y2 - line->y1, line->x2 - line->x1);
  text.align_x = 0.5;
  dyno_text_measure (&text, cr, style, &width, &height);
  if (width + 2 * LABEL_GAP > length)
    return FALSE;
  for (guint place = 0; place < 2 * N_PLACES; place++)
    {
      double share = place % N_PLACES / (double)(N_PLACES - 1);
      double from_left = roof->slope == 0 ? 1 - share : share;
      double along = width / 2 + LABEL_GAP + from_left * (length - width - 2 * LABEL_GAP);
      double gap = place < N_PLACES ? LABEL_GAP : -LABEL_GAP;
      DynoTextBox box;

      text.x = line->x1 + along / length * (line->x2 - line->x1) + gap * sin (text.angle);
      text.y = line->y1 + along / length * (line->y2 - line->y1) - gap * cos (text.angle);
      text.align_y = place < N_PLACES ? 1 : 0;
      dyno_text_get_box (&text, width, height, &box);
      if ((!strict || !meets_line (self, &box, plot)) &&
          dyno_label_try (plot, &text, width, height, cr, style))
        return TRUE;
    }
  return FALSE;
}

/* First tries places where the name overlaps no line, shortened if need be; a name across a line is better
 * than none. */
static void
write_roof (
    DynoRoofLayer *self, const DynoRoof *roof, cairo_t *cr, const DynoPlot *plot, const DynoChartStyle *style)
{
  Line line;

  if (!get_line (roof, plot, &line))
    return;
  for (guint attempt = 0; attempt < 4; attempt++)
    {
      const char *label = attempt % 2 == 0 ? roof->label : roof->short_label;

      if (label != NULL && try_label (self, &line, roof, label, attempt < 2, cr, plot, style))
        return;
    }
}

/* Measured roofs come first, in case there is not enough room for all. */
static void
dyno_roof_layer_annotate (DynoLayer *layer, cairo_t *cr, const DynoPlot *plot, const DynoChartStyle *style)
{
  DynoRoofLayer *self = DYNO_ROOF_LAYER (layer);

  for (guint pass = 0; pass < 3; pass++)
    for (guint i = 0; i < self->roofs->len; i++)
      {
        const DynoRoof *roof = &g_array_index (self->roofs, DynoRoof, i);

        if (pass == (roof->theoretical ? 2 : roof->faint ? 1 : 0))
          write_roof (self, roof, cr, plot, style);
      }
  for (guint i = 0; i < self->ridges->len; i++)
    {
      const Ridge *ridge = &g_array_index (self->ridges, Ridge, i);
      DynoText text = { .text = ridge->label, .size = DYNO_TEXT_SMALL, .color = &style->dim, .halo = TRUE };
      double width, height;

      if (ridge->label == NULL)
        continue;
      text.x = dyno_plot_get_x (plot, ridge->intensity) + RIDGE_SIZE;
      text.y = dyno_plot_get_y (plot, ridge->rate) + RIDGE_SIZE + LABEL_GAP;
      dyno_text_measure (&text, cr, style, &width, &height);
      dyno_label_try (plot, &text, width, height, cr, style);
    }
  /* Names of points avoid the lines from now on. */
  for (guint i = 0; plot->taken != NULL && i < self->roofs->len; i++)
    {
      DynoTextBox box;
      Line line;

      if (!get_line (&g_array_index (self->roofs, DynoRoof, i), plot, &line))
        continue;
      get_line_box (&line, &box);
      box.height = 3;
      g_array_append_val (plot->taken, box);
    }
}

static void
dyno_roof_layer_finalize (GObject *object)
{
  DynoRoofLayer *self = DYNO_ROOF_LAYER (object);

  g_array_unref (self->roofs);
  g_array_unref (self->ridges);

  G_OBJECT_CLASS (dyno_roof_layer_parent_class)->finalize (object);
}

static void
dyno_roof_layer_class_init (DynoRoofLayerClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = dyno_roof_layer_finalize;
  DYNO_LAYER_CLASS (klass)->render = dyno_roof_layer_render;
  DYNO_LAYER_CLASS (klass)->annotate = dyno_roof_layer_annotate;
}

static void
dyno_roof_layer_init (DynoRoofLayer *self)
{
  self->roofs = g_array_new (FALSE, FALSE, sizeof (DynoRoof));
  g_array_set_clear_func (self->roofs, clear_roof);
  self->ridges = g_array_new (FALSE, FALSE, sizeof (Ridge));
  g_array_set_clear_func (self->ridges, clear_ridge);
}

DynoLayer *
dyno_roof_layer_new (void)
{
  return g_object_new (DYNO_TYPE_ROOF_LAYER, NULL);
}

void
dyno_roof_layer_add (DynoRoofLayer *self, const DynoRoof *roof)
{
  DynoRoof copy = *roof;

  g_return_if_fail (DYNO_IS_ROOF_LAYER (self));
  copy.label = g_strdup (roof->label);
  copy.short_label = g_strdup (roof->short_label);
  g_array_append_val (self->roofs, copy);
}

void
dyno_roof_layer_add_ridge (DynoRoofLayer *self, double intensity, double rate, const char *label)
{
  Ridge ridge = { intensity, rate, g_strdup (label) };

  g_return_if_fail (DYNO_IS_ROOF_LAYER (self));
  g_array_append_val (self->ridges, ridge);
}
