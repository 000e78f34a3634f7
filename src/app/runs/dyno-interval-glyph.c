/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "dyno-app-runs-private.h"
#include "dyno-app-widgets-private.h"
#include "dyno-compat.h"

#define WIDTH  100
#define HEIGHT 12
#define DOT    7.0f
#define BAR    3.0f
#define FAINT  0.15f

struct _DynoIntervalGlyph
{
  GtkWidget parent_instance;

  double low;
  double high;
  double widest;
  gboolean doubtful;
};

G_DEFINE_FINAL_TYPE (DynoIntervalGlyph, dyno_interval_glyph, GTK_TYPE_WIDGET)

/* Returns the position of a deviation from the median; the median is in the middle. */
static float
place (DynoIntervalGlyph *self, double deviation)
{
  float half = (float)gtk_widget_get_width (GTK_WIDGET (self)) / 2;

  return half + half * (float)CLAMP (deviation / self->widest, -1, 1);
}

static void
dyno_interval_glyph_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  DynoIntervalGlyph *self = DYNO_INTERVAL_GLYPH (widget);
  float y = (float)gtk_widget_get_height (widget) / 2;
  GdkRGBA color, faint;

  if (!isfinite (self->low) || !isfinite (self->high) || !(self->widest > 0))
    return;
  if (!dyno_compat_lookup_color (widget, self->doubtful ? "warning_color" : "accent_color", &color))
    return;
  faint = color;
  faint.alpha *= FAINT;
  dyno_glyph_draw_bar (snapshot, 0, (float)gtk_widget_get_width (widget), y, 1, &faint);
  dyno_glyph_draw_bar (snapshot, place (self, self->low), place (self, self->high), y, BAR, &color);
  dyno_glyph_draw_dot (snapshot, place (self, 0), y, DOT, 0, &color);
}

static void
dyno_interval_glyph_measure (GtkWidget *widget,
                             GtkOrientation orientation,
                             int for_size,
                             int *minimum,
                             int *natural,
                             int *minimum_baseline,
                             int *natural_baseline)
{
  *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? WIDTH : HEIGHT;
  *minimum = orientation == GTK_ORIENTATION_HORIZONTAL ? WIDTH / 2 : HEIGHT;
}

static void
dyno_interval_glyph_class_init (DynoIntervalGlyphClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  widget_class->snapshot = dyno_interval_glyph_snapshot;
  widget_class->measure = dyno_interval_glyph_measure;
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
dyno_interval_glyph_init (DynoIntervalGlyph *self)
{
}

void
dyno_interval_glyph_set (DynoIntervalGlyph *self, double low, double high, double widest, gboolean doubtful)
{
  g_return_if_fail (DYNO_IS_INTERVAL_GLYPH (self));

  self->low = low;
  self->high = high;
  self->widest = widest;
  self->doubtful = doubtful;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}
