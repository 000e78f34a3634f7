/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "dyno-chart-base-private.h"

struct _DynoCategoryAxis
{
  DynoAxis parent_instance;

  GPtrArray *names;
  guint n_lanes;
};

G_DEFINE_FINAL_TYPE (DynoCategoryAxis, dyno_category_axis, DYNO_TYPE_AXIS)

static void
dyno_category_axis_add_ticks (DynoAxis *axis, double low, double high, guint n_wanted, GArray *ticks)
{
  DynoCategoryAxis *self = DYNO_CATEGORY_AXIS (axis);

  for (guint i = 0; i < self->names->len; i++)
    if (i >= low && i <= high)
      dyno_axis_add_tick (ticks, i, FALSE, g_strdup (g_ptr_array_index (self->names, i)));
}

static char *
dyno_category_axis_format (DynoAxis *axis, double value)
{
  DynoCategoryAxis *self = DYNO_CATEGORY_AXIS (axis);
  double index = round (value);

  if (index < 0 || index >= self->names->len)
    return g_strdup ("");
  return g_strdup (g_ptr_array_index (self->names, (guint)index));
}

static void
dyno_category_axis_finalize (GObject *object)
{
  g_ptr_array_unref (DYNO_CATEGORY_AXIS (object)->names);

  G_OBJECT_CLASS (dyno_category_axis_parent_class)->finalize (object);
}

static void
dyno_category_axis_class_init (DynoCategoryAxisClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = dyno_category_axis_finalize;
  DYNO_AXIS_CLASS (klass)->add_ticks = dyno_category_axis_add_ticks;
  DYNO_AXIS_CLASS (klass)->format = dyno_category_axis_format;
}

static void
dyno_category_axis_init (DynoCategoryAxis *self)
{
  self->n_lanes = 1;
  self->names = g_ptr_array_new_with_free_func (g_free);
  dyno_axis_set_range (DYNO_AXIS (self), -0.5, 0.5);
}

DynoAxis *
dyno_category_axis_new (const char *title)
{
  DynoAxis *self = g_object_new (DYNO_TYPE_CATEGORY_AXIS, NULL);

  dyno_axis_set_title (self, title);
  return self;
}

guint
dyno_category_axis_add (DynoCategoryAxis *self, const char *name)
{
  g_return_val_if_fail (DYNO_IS_CATEGORY_AXIS (self), 0);
  g_return_val_if_fail (name != NULL, 0);

  g_ptr_array_add (self->names, g_strdup (name));
  dyno_axis_set_range (DYNO_AXIS (self), -0.5, self->names->len - 0.5);
  return self->names->len - 1;
}

guint
dyno_category_axis_get_length (DynoCategoryAxis *self)
{
  g_return_val_if_fail (DYNO_IS_CATEGORY_AXIS (self), 0);
  return self->names->len;
}

const char *
dyno_category_axis_get_name (DynoCategoryAxis *self, guint index)
{
  g_return_val_if_fail (DYNO_IS_CATEGORY_AXIS (self), NULL);
  g_return_val_if_fail (index < self->names->len, NULL);
  return g_ptr_array_index (self->names, index);
}

void
dyno_category_axis_set_n_lanes (DynoCategoryAxis *self, guint n_lanes)
{
  g_return_if_fail (DYNO_IS_CATEGORY_AXIS (self));
  self->n_lanes = n_lanes;
}

guint
dyno_category_axis_get_n_lanes (DynoCategoryAxis *self)
{
  g_return_val_if_fail (DYNO_IS_CATEGORY_AXIS (self), 1);
  return self->n_lanes;
}
