/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "dyno-energy-trace.h"
#include "dyno-stats.h"

/* A reading is as near to an edge as a system call; beyond that the energy is unknown. */
#define TOLERANCE_NS (10 * 1000 * 1000)

double
dyno_energy_trace_find_period (DynoTrace *self)
{
  const gint64 *times = dyno_trace_get_times (self);
  gsize n = dyno_trace_get_length (self);
  g_autofree double *periods = g_new (double, n);

  if (n < 2)
    return 0;
  for (gsize i = 1; i < n; i++)
    periods[i - 1] = (double)(times[i] - times[i - 1]) / 1e9;
  dyno_stats_sort (periods, n - 1);
  return dyno_stats_percentile (periods, n - 1, 50);
}

DynoTrace *
dyno_energy_trace_integrate (DynoTrace *power)
{
  DynoTrace *energy = dyno_trace_new (dyno_trace_get_name (power), "J", dyno_trace_get_origin (power));
  const gint64 *times = dyno_trace_get_times (power);
  const double *watts = dyno_trace_get_values (power);
  double joules = 0;

  for (gsize i = 0; i < dyno_trace_get_length (power); i++)
    {
      if (i > 0)
        joules += (watts[i - 1] + watts[i]) / 2 * (double)(times[i] - times[i - 1]) / 1e9;
      dyno_trace_add (energy, times[i], joules);
    }
  return energy;
}

gboolean
dyno_energy_trace_at (DynoTrace *self, gint64 time_ns, double *joules)
{
  const gint64 *times = dyno_trace_get_times (self);
  const double *values = dyno_trace_get_values (self);
  gsize n = dyno_trace_get_length (self);
  gsize low = 0, high = n;

  if (n == 0 || time_ns < times[0] - TOLERANCE_NS || time_ns > times[n - 1] + TOLERANCE_NS)
    return FALSE;
  while (low < high) /* the first reading at the time or after it */
    {
      gsize middle = low + (high - low) / 2;

      if (times[middle] < time_ns)
        low = middle + 1;
      else
        high = middle;
    }
  if (low == 0 || low == n || times[low] == times[low - 1])
    *joules = values[low == n ? n - 1 : low];
  else
    *joules = values[low - 1] + (values[low] - values[low - 1]) * (double)(time_ns - times[low - 1]) /
                                    (double)(times[low] - times[low - 1]);
  return TRUE;
}

/* Returns: whether all have a reading at a time; @sum is their sum, never NaN */
static gboolean
add_up_at (GPtrArray *traces, gint64 time_ns, double *sum)
{
  double joules;

  *sum = 0;
  for (guint i = 0; i < traces->len; i++)
    {
      if (!dyno_energy_trace_at (g_ptr_array_index (traces, i), time_ns, &joules))
        return FALSE;
      *sum += joules;
    }
  return TRUE;
}

DynoTrace *
dyno_energy_trace_add_up (GPtrArray *traces)
{
  DynoTrace *first = g_ptr_array_index (traces, 0);
  DynoTrace *sum = dyno_trace_new (dyno_trace_get_name (first), "J", dyno_trace_get_origin (first));
  const gint64 *times = dyno_trace_get_times (first);
  double joules;

  for (gsize i = 0; i < dyno_trace_get_length (first); i++)
    if (add_up_at (traces, times[i], &joules))
      dyno_trace_add (sum, times[i], joules);
  return sum;
}

gboolean
dyno_energy_trace_measure (DynoTrace *self,
                           const DynoStretch *stretches,
                           guint n_stretches,
                           double period_seconds,
                           DynoEnergy *energy)
{
  gint64 period_ns = (gint64)(period_seconds * 1e9);
  guint first = 0;

  *energy = (DynoEnergy){ 0 };
  for (guint i = 0; i < n_stretches; i++)
    {
      gboolean goes_on = i + 1 < n_stretches && stretches[i + 1].start_ns - stretches[i].end_ns < period_ns;

      if (goes_on)
        continue;

      gint64 start_ns = stretches[first].start_ns;
      gint64 end_ns = stretches[i].end_ns;
      double before, after;

      if (!dyno_energy_trace_at (self, start_ns, &before) || !dyno_energy_trace_at (self, end_ns, &after))
        return FALSE;
      energy->joules += after - before;
      energy->seconds += (double)(end_ns - start_ns) / 1e9;
      energy->n_stretches++;
      first = i + 1;
    }
  return energy->seconds > 0;
}

DynoTrace *
dyno_energy_trace_to_rate (DynoTrace *self, const char *name, const char *unit, gint64 min_interval_ns)
{
  DynoTrace *rate = dyno_trace_new (name, unit, dyno_trace_get_origin (self));
  const gint64 *times = dyno_trace_get_times (self);
  const double *values = dyno_trace_get_values (self);
  gsize last = 0;

  for (gsize i = 1; i < dyno_trace_get_length (self); i++)
    if (times[i] - times[last] >= min_interval_ns && times[i] > times[last])
      {
        dyno_trace_add (rate, times[i],
                        (values[i] - values[last]) / ((double)(times[i] - times[last]) / 1e9));
        last = i;
      }
  return rate;
}

static gboolean
lies_within (GArray *stretches, gint64 start_ns, gint64 end_ns)
{
  for (guint i = 0; i < stretches->len; i++)
    {
      const DynoStretch *stretch = &g_array_index (stretches, DynoStretch, i);

      if (start_ns >= stretch->start_ns && end_ns <= stretch->end_ns)
        return TRUE;
    }
  return FALSE;
}

gboolean
dyno_energy_trace_find_highest (DynoTrace *rate, GArray *stretches, double *highest)
{
  const gint64 *times = dyno_trace_get_times (rate);

  *highest = -INFINITY;
  for (gsize i = 1; i < dyno_trace_get_length (rate); i++)
    if (lies_within (stretches, times[i - 1], times[i]))
      *highest = MAX (*highest, dyno_trace_get_values (rate)[i]);
  return isfinite (*highest);
}

DynoTrace *
dyno_energy_trace_to_power (DynoTrace *self, const char *name, gint64 min_interval_ns)
{
  return dyno_energy_trace_to_rate (self, name, "W", min_interval_ns);
}
