/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "dyno-app-compare-private.h"
#include "dyno-app-widgets-private.h"
#include "dyno-compat.h"

#define WIDTH     220
#define LEAST     96
#define HEIGHT    16
#define DOT       9.0f
#define RING      2.0f
#define BAR       3.0f
#define FAINT     0.09f
#define MIDDLE    0.35f
#define END       8.0f
#define END_WIDTH 2.0f

struct _DynoRatioGlyph
{
  GtkWidget parent_instance;

  DynoVerdict verdict;
  double value;
  double low;
  double high;
  double widest;
  double tolerance;
};

G_DEFINE_FINAL_TYPE (DynoRatioGlyph, dyno_ratio_glyph, GTK_TYPE_WIDGET)

static float
place (DynoRatioGlyph *self, double advantage)
{
  float half = (float)gtk_widget_get_width (GTK_WIDGET (self)) / 2;

  return half + (half - DOT) * (float)CLAMP (advantage / self->widest, -1, 1);
}

static void
dyno_ratio_glyph_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  DynoRatioGlyph *self = DYNO_RATIO_GLYPH (widget);
  float height = (float)gtk_widget_get_height (widget), y = height / 2;
  gboolean is_certain = self->verdict == DYNO_VERDICT_BETTER || self->verdict == DYNO_VERDICT_WORSE ||
                        self->verdict == DYNO_VERDICT_SAME;
  gboolean is_better = self->verdict == DYNO_VERDICT_BETTER || self->verdict == DYNO_VERDICT_PROBABLY_BETTER;
  gboolean is_worse = self->verdict == DYNO_VERDICT_WORSE || self->verdict == DYNO_VERDICT_PROBABLY_WORSE;
  /* The colour says the direction, and a hollow dot that it is not certain. */
  const char *color_name = is_better ? "success_color" : is_worse ? "error_color" : "dyno_chart_dim";
  GdkRGBA color, grid, middle;
  float x = place (self, self->value), left, right;

  if (!isfinite (self->value) || !dyno_compat_lookup_color (widget, color_name, &color))
    return;
  dyno_compat_lookup_color (widget, "dyno_chart_foreground", &grid);
  middle = grid;
  grid.alpha *= FAINT;
  middle.alpha *= MIDDLE;
  dyno_glyph_draw_bar (snapshot, place (self, -self->tolerance), place (self, self->tolerance), y, height,
                       &grid);
  dyno_glyph_draw_bar (snapshot, place (self, 0), place (self, 0) + 1, y, height, &middle);
  if (isfinite (self->low) && isfinite (self->high))
    {
      left = place (self, self->low);
      right = place (self, self->high);
      dyno_glyph_draw_bar (snapshot, left, is_certain ? right : MAX (x - DOT / 2, left), y, BAR, &color);
      dyno_glyph_draw_bar (snapshot, is_certain ? left : MIN (x + DOT / 2, right), right, y, BAR, &color);
      dyno_glyph_draw_bar (snapshot, left, left + END_WIDTH, y, END, &color);
      dyno_glyph_draw_bar (snapshot, right - END_WIDTH, right, y, END, &color);
    }
  dyno_glyph_draw_dot (snapshot, x, y, DOT, is_certain ? 0 : RING, &color);
}

static void
dyno_ratio_glyph_measure (GtkWidget *widget,
                          GtkOrientation orientation,
                          int for_size,
                          int *minimum,
                          int *natural,
                          int *minimum_baseline,
                          int *natural_baseline)
{
  *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? WIDTH : HEIGHT;
  *minimum = orientation == GTK_ORIENTATION_HORIZONTAL ? LEAST : HEIGHT;
}

static void
dyno_ratio_glyph_class_init (DynoRatioGlyphClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  widget_class->snapshot = dyno_ratio_glyph_snapshot;
  widget_class->measure = dyno_ratio_glyph_measure;
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
dyno_ratio_glyph_init (DynoRatioGlyph *self)
{
  self->value = NAN;
  self->widest = 1;
}

void
dyno_ratio_glyph_set (DynoRatioGlyph *self,
                      const DynoComparison *comparison,
                      const DynoComparedCase *kase,
                      double widest)
{
  gboolean turned = !dyno_verdict_more_is_better (comparison->metric);
  double floor = fmax (comparison->threshold, dyno_comparison_get_noise_floor (comparison));

  g_return_if_fail (DYNO_IS_RATIO_GLYPH (self));

  self->verdict = kase->verdict;
  self->value = turned ? -log (kase->ratio) : log (kase->ratio);
  self->low = turned ? -log (kase->high) : log (kase->low);
  self->high = turned ? -log (kase->low) : log (kase->high);
  self->widest = widest;
  self->tolerance = log1p (floor);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}
