/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "dyno-chart-base-private.h"

struct _DynoLinearAxis
{
  DynoAxis parent_instance;
};

G_DEFINE_FINAL_TYPE (DynoLinearAxis, dyno_linear_axis, DYNO_TYPE_AXIS)

static void
dyno_linear_axis_class_init (DynoLinearAxisClass *klass)
{
}

static void
dyno_linear_axis_init (DynoLinearAxis *self)
{
}

DynoAxis *
dyno_linear_axis_new (const char *title, const char *unit)
{
  DynoAxis *self = g_object_new (DYNO_TYPE_LINEAR_AXIS, NULL);

  dyno_axis_set_title (self, title);
  dyno_axis_set_unit (self, unit);
  return self;
}

DynoAxis *
dyno_linear_axis_new_nice (const char *title, const char *unit, double low, double high)
{
  DynoAxis *self = dyno_linear_axis_new (title, unit);

  if (high > low)
    {
      double half_step = dyno_axis_get_nice_step ((high - low) / 5) / 2;

      dyno_axis_set_range (self, floor (low / half_step) * half_step, ceil (high / half_step) * half_step);
    }
  else
    dyno_axis_set_range (self, low, high);
  return self;
}
