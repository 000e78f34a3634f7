/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-linear-axis.h"

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

/**
 * dyno_linear_axis_new:
 * @title: what runs along it
 * @unit: the unit of its values
 *
 * Returns: (transfer full): an axis from 0 to 1
 */
DynoAxis *
dyno_linear_axis_new (const char *title, const char *unit)
{
  DynoAxis *self = g_object_new (DYNO_TYPE_LINEAR_AXIS, NULL);

  dyno_axis_set_title (self, title);
  dyno_axis_set_unit (self, unit);
  return self;
}

/**
 * dyno_linear_axis_set_nice_range:
 * @axis: an axis
 * @low: the least value
 * @high: the greatest
 *
 * Sets the range with a little room beyond the data, but not across zero.
 */
void
dyno_linear_axis_set_nice_range (DynoAxis *axis, double low, double high)
{
  double room = (high - low) * 0.06;

  dyno_axis_set_range (axis, low >= 0 ? MAX (low - room, 0) : low - room, high + room);
}
