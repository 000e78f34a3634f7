/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-app-benchmark-private.h"
#include "dyno-compat.h"

#define N_COLORS 8
#define HEIGHT   10
/* Blocks that are narrower than this touch each other. */
#define LEAST_FOR_A_GAP 4

struct _DynoPlanStrip
{
  GtkWidget parent_instance;

  GArray *blocks;
  double whole;
};

G_DEFINE_FINAL_TYPE (DynoPlanStrip, dyno_plan_strip, GTK_TYPE_WIDGET)

static void
dyno_plan_strip_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  DynoPlanStrip *self = DYNO_PLAN_STRIP (widget);
  gboolean rtl = gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL;
  float full = (float)gtk_widget_get_width (widget);
  float height = (float)gtk_widget_get_height (widget);
  float x = 0;

  for (guint i = 0; i < self->blocks->len && self->whole > 0; i++)
    {
      const DynoPlanBlock *block = &g_array_index (self->blocks, DynoPlanBlock, i);
      g_autofree char *name = g_strdup_printf ("dyno_series_%u", block->engine % N_COLORS + 1);
      float width = full * (float)(block->seconds / self->whole);
      float drawn = width >= LEAST_FOR_A_GAP ? width - 1 : width;
      GdkRGBA color;

      if (dyno_compat_lookup_color (widget, name, &color))
        gtk_snapshot_append_color (snapshot, &color,
                                   &GRAPHENE_RECT_INIT (rtl ? full - x - drawn : x, 0, drawn, height));
      x += width;
    }
}

static void
dyno_plan_strip_measure (GtkWidget *widget,
                         GtkOrientation orientation,
                         int for_size,
                         int *minimum,
                         int *natural,
                         int *minimum_baseline,
                         int *natural_baseline)
{
  *minimum = *natural = HEIGHT;
}

static void
dyno_plan_strip_finalize (GObject *object)
{
  g_array_unref (DYNO_PLAN_STRIP (object)->blocks);

  G_OBJECT_CLASS (dyno_plan_strip_parent_class)->finalize (object);
}

static void
dyno_plan_strip_class_init (DynoPlanStripClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = dyno_plan_strip_finalize;
  widget_class->snapshot = dyno_plan_strip_snapshot;
  widget_class->measure = dyno_plan_strip_measure;

  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_PRESENTATION);
}

static void
dyno_plan_strip_init (DynoPlanStrip *self)
{
  gtk_widget_set_valign (GTK_WIDGET (self), GTK_ALIGN_CENTER);
}

GtkWidget *
dyno_plan_strip_new (GArray *blocks, double whole)
{
  DynoPlanStrip *self = g_object_new (DYNO_TYPE_PLAN_STRIP, NULL);

  self->blocks = g_array_ref (blocks);
  self->whole = whole;
  return GTK_WIDGET (self);
}
