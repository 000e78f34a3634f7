/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-chart-base-private.h"

/* Longer axes have ticks in clock format. */
#define MIN_CLOCK_SECONDS 180
#define SECONDS_PER_HOUR  3600

struct _DynoTimeAxis
{
  DynoAxis parent_instance;
};

G_DEFINE_FINAL_TYPE (DynoTimeAxis, dyno_time_axis, DYNO_TYPE_AXIS)

static double
get_end (DynoAxis *axis)
{
  double low, high;

  dyno_axis_get_range (axis, &low, &high);
  return high;
}

static void
dyno_time_axis_add_ticks (DynoAxis *axis, double low, double high, guint n_wanted, GArray *ticks)
{
  static const double steps[] = { 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800 };
  double step = (high - low) / n_wanted;
  guint next = 0;

  if (get_end (axis) < MIN_CLOCK_SECONDS)
    {
      dyno_axis_add_even_ticks (axis, low, high, n_wanted, ticks);
      return;
    }
  while (next < G_N_ELEMENTS (steps) && step > steps[next])
    next++;
  if (step < 1)
    step = dyno_axis_get_nice_step (step);
  else
    step = next < G_N_ELEMENTS (steps)
               ? steps[next]
               : SECONDS_PER_HOUR * exp2 (ceil (log2 (MAX (step / SECONDS_PER_HOUR, 1))));
  int decimals = CLAMP ((int)ceil (-log10 (step) - 1e-9), 0, 9);
  for (guint i = 0; i <= 2 * n_wanted; i++)
    {
      double value = (ceil (low / step - 1e-9) + i) * step;

      if (value > high)
        return;
      double rounded = round (value * pow (10, decimals)) / pow (10, decimals);
      gint64 minutes = (gint64)(rounded / 60);
      double seconds = rounded - 60.0 * minutes;
      g_autofree char *text = dyno_unit_format_number (seconds, decimals);
      const char *zero = seconds < 10 ? "0" : "";
      dyno_axis_add_tick (ticks, MAX (value, low), FALSE,
                          get_end (axis) >= SECONDS_PER_HOUR
                              ? g_strdup_printf ("%" G_GINT64_FORMAT ":%02d:%s%s", minutes / 60,
                                                 (int)(minutes % 60), zero, text)
                              : g_strdup_printf ("%" G_GINT64_FORMAT ":%s%s", minutes, zero, text));
    }
}

static const char *
dyno_time_axis_get_tick_unit (DynoAxis *axis)
{
  if (get_end (axis) < MIN_CLOCK_SECONDS)
    return DYNO_AXIS_CLASS (dyno_time_axis_parent_class)->get_tick_unit (axis);
  return get_end (axis) < SECONDS_PER_HOUR ? "min:s" : "h:min:s";
}

static void
dyno_time_axis_class_init (DynoTimeAxisClass *klass)
{
  DynoAxisClass *axis_class = DYNO_AXIS_CLASS (klass);

  axis_class->add_ticks = dyno_time_axis_add_ticks;
  axis_class->get_tick_unit = dyno_time_axis_get_tick_unit;
}

static void
dyno_time_axis_init (DynoTimeAxis *self)
{
  dyno_axis_set_unit (DYNO_AXIS (self), "s");
}

DynoAxis *
dyno_time_axis_new (const char *title)
{
  DynoAxis *self = g_object_new (DYNO_TYPE_TIME_AXIS, NULL);

  dyno_axis_set_title (self, title);
  return self;
}

DynoAxis *
dyno_time_axis_new_between (double begin, double end)
{
  DynoAxis *self = dyno_time_axis_new (_ ("Time"));

  dyno_axis_set_range (self, begin, end);
  dyno_axis_set_zoomable (self, TRUE);
  return self;
}
