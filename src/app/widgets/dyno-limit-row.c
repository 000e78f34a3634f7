/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "dyno-app-widgets-private.h"
#include "dyno-compat.h"

struct _DynoLimitRow
{
  AdwActionRow parent_instance;

  DynoLimit limit;
  GtkSpinButton *spin;
};

enum
{
  CHANGED,
  N_SIGNALS
};

G_DEFINE_FINAL_TYPE (DynoLimitRow, dyno_limit_row, ADW_TYPE_ACTION_ROW)

static guint signals[N_SIGNALS];

static const struct
{
  const char *title;
  const char *unit;
  double upper;
  double step;
  guint digits;
} kinds[] = {
  [DYNO_LIMIT_LATENCY] = { N_ ("Maximum p90 Latency"), "ms", 100000, 1, 1 },
  [DYNO_LIMIT_MEMORY] = { N_ ("Maximum Peak Memory"), "MB", 1000000, 100, 0 },
  [DYNO_LIMIT_POWER] = { N_ ("Maximum Mean Power"), "W", 10000, 1, 1 },
  [DYNO_LIMIT_ERROR] = { N_ ("Maximum Output Error"), "%", 100, 0.1, 2 },
};

G_STATIC_ASSERT (G_N_ELEMENTS (kinds) == DYNO_N_LIMITS);

static void
changed_cb (DynoLimitRow *self)
{
  g_signal_emit (self, signals[CHANGED], 0);
}

static void
dyno_limit_row_class_init (DynoLimitRowClass *klass)
{
  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                   NULL, G_TYPE_NONE, 0);
}

static void
dyno_limit_row_init (DynoLimitRow *self)
{
  self->spin = g_object_new (GTK_TYPE_SPIN_BUTTON, "valign", GTK_ALIGN_CENTER, "width-chars", 9, NULL);
  dyno_compat_ignore_wheel (GTK_WIDGET (self->spin));
  adw_action_row_add_suffix (ADW_ACTION_ROW (self), GTK_WIDGET (self->spin));
  adw_action_row_set_activatable_widget (ADW_ACTION_ROW (self), GTK_WIDGET (self->spin));
}

DynoLimitRow *
dyno_limit_row_new (DynoLimit limit)
{
  DynoLimitRow *self = g_object_new (DYNO_TYPE_LIMIT_ROW, "title", _ (kinds[limit].title), NULL);

  self->limit = limit;
  gtk_spin_button_configure (
      self->spin, gtk_adjustment_new (0, 0, kinds[limit].upper, kinds[limit].step, 10 * kinds[limit].step, 0),
      0, kinds[limit].digits);
  dyno_unit_spin_set_unit (self->spin, kinds[limit].unit);
  g_signal_connect_object (self->spin, "value-changed", G_CALLBACK (changed_cb), self, G_CONNECT_SWAPPED);
  return self;
}

double
dyno_limit_row_get_most (DynoLimitRow *self)
{
  g_return_val_if_fail (DYNO_IS_LIMIT_ROW (self), 0);

  return gtk_spin_button_get_value (self->spin);
}

void
dyno_limit_row_reset (DynoLimitRow *self)
{
  g_return_if_fail (DYNO_IS_LIMIT_ROW (self));

  gtk_spin_button_set_value (self->spin, 0);
}

void
dyno_limit_row_apply (DynoLimitRow *self, DynoGoal *goal)
{
  g_return_if_fail (DYNO_IS_LIMIT_ROW (self));

  if (dyno_limit_row_get_most (self) > 0)
    goal->limits[self->limit] = dyno_limit_row_get_most (self);
}
