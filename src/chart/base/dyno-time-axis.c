/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "dyno-time-axis.h"

/* From here on ticks are clock readings. */
#define MIN_CLOCK_SECONDS 180

struct _DynoTimeAxis
{
  DynoAxis parent_instance;
};

G_DEFINE_FINAL_TYPE (DynoTimeAxis, dyno_time_axis, DYNO_TYPE_AXIS)

static char *
format_clock (double seconds)
{
  gint64 whole = llround (seconds);

  if (whole >= 3600)
    return g_strdup_printf ("%" G_GINT64_FORMAT ":%02d:%02d", whole / 3600, (int)(whole / 60 % 60),
                            (int)(whole % 60));
  return g_strdup_printf ("%d:%02d", (int)(whole / 60), (int)(whole % 60));
}

static double
clock_step (double raw)
{
  static const double steps[] = { 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800 };

  for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
    if (raw <= steps[i])
      return steps[i];
  return 3600 * exp2 (ceil (log2 (MAX (raw / 3600, 1))));
}

static void
dyno_time_axis_add_ticks (DynoAxis *axis, double low, double high, guint n_wanted, GArray *ticks)
{
  double data_low, data_high, step;

  dyno_axis_get_range (axis, &data_low, &data_high);
  step = (high - low) / n_wanted;
  if (data_high < MIN_CLOCK_SECONDS || step < 1)
    {
      dyno_axis_add_even_ticks (axis, low, high, n_wanted, ticks);
      return;
    }
  step = clock_step (step);
  for (double value = ceil (low / step - 1e-9) * step; value <= high; value += step)
    dyno_axis_add_tick (ticks, MAX (value, low), FALSE, format_clock (value));
}

static void
dyno_time_axis_class_init (DynoTimeAxisClass *klass)
{
  DYNO_AXIS_CLASS (klass)->add_ticks = dyno_time_axis_add_ticks;
}

static void
dyno_time_axis_init (DynoTimeAxis *self)
{
  dyno_axis_set_unit (DYNO_AXIS (self), "s");
}

/**
 * dyno_time_axis_new:
 * @title: what runs along it
 *
 * Returns: (transfer full): an axis of seconds
 */
DynoAxis *
dyno_time_axis_new (const char *title)
{
  DynoAxis *self = g_object_new (DYNO_TYPE_TIME_AXIS, NULL);

  dyno_axis_set_title (self, title);
  return self;
}
