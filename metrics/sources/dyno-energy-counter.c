/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-metrics-sources-private.h"

/* No zone of a machine takes more; a higher value means that the counter was reset, not that it wrapped. */
#define MAX_WATTS 5000

/* Counters step: a reading may include energy that was used a little earlier. */
#define STEP_SECONDS 0.2

gboolean
dyno_energy_counter_advance (DynoEnergyCounter *self, guint64 raw, gint64 now_ns, double *joules)
{
  guint64 step = 0;

  if (self->is_started)
    {
      double seconds = (double)(now_ns - self->last_ns) / 1e9 + STEP_SECONDS;

      if (raw >= self->last_raw)
        step = raw - self->last_raw;
      else if (self->range > 0 && self->range >= self->last_raw)
        step = raw + (self->range - self->last_raw);
      else
        self->is_broken = TRUE;
      if (!((double)step * self->joules_per_unit <= MAX_WATTS * seconds))
        self->is_broken = TRUE;
    }
  if (self->is_broken)
    return FALSE;
  self->is_started = TRUE;
  self->total += step;
  self->last_raw = raw;
  self->last_ns = now_ns;
  *joules = (double)self->total * self->joules_per_unit;
  return TRUE;
}
