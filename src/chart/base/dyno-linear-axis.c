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

void
dyno_linear_axis_set_nice_range (DynoAxis *axis, double low, double high)
{
  double half_step;

  if (!(high > low))
    {
      dyno_axis_set_range (axis, low, high);
      return;
    }
  half_step = dyno_axis_get_nice_step ((high - low) / 5) / 2;
  dyno_axis_set_range (axis, floor (low / half_step) * half_step, ceil (high / half_step) * half_step);
}
