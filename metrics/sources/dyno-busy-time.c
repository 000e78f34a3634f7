/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-metrics-sources-private.h"

gboolean
dyno_busy_time_advance (DynoBusyTime *self, double percent, gint64 now_ns, double *busy)
{
  if (!(percent >= 0 && percent <= 100))
    self->is_broken = self->is_broken || self->is_started;
  if (self->is_broken || !(percent >= 0 && percent <= 100))
    return FALSE;
  if (self->is_started && now_ns > self->last_ns)
    self->busy += percent * (double)(now_ns - self->last_ns) / 1e9;
  self->last_ns = self->is_started ? MAX (now_ns, self->last_ns) : now_ns;
  self->is_started = TRUE;
  *busy = self->busy;
  return TRUE;
}
