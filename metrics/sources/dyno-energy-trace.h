/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-trace.h"

G_BEGIN_DECLS

/**
 * DynoStretch:
 * @start_ns: when it began, on the traces' axis of time
 * @end_ns: when it ended
 *
 * A stretch of time without a pause.
 */
typedef struct
{
  gint64 start_ns;
  gint64 end_ns;
} DynoStretch;

/**
 * DynoEnergy:
 * @joules: energy of the stretches that were looked at
 * @seconds: how long they were together
 * @n_stretches: how many they were, those put together that no counter could tell apart
 *
 * Energy over some time.
 */
typedef struct
{
  double joules;
  double seconds;
  guint n_stretches;
} DynoEnergy;

DynoTrace *dyno_energy_trace_integrate (DynoTrace *power);
DynoTrace *dyno_energy_trace_add_up (GPtrArray *traces);
gboolean dyno_energy_trace_at (DynoTrace *self, gint64 time_ns, double *joules);
gboolean dyno_energy_trace_measure (DynoTrace *self,
                                    const DynoStretch *stretches,
                                    guint n_stretches,
                                    double period_seconds,
                                    DynoEnergy *energy);
DynoTrace *
dyno_energy_trace_to_rate (DynoTrace *self, const char *name, const char *unit, gint64 min_interval_ns);
gboolean dyno_energy_trace_find_highest (DynoTrace *rate, GArray *stretches, double *highest);
DynoTrace *dyno_energy_trace_to_power (DynoTrace *self, const char *name, gint64 min_interval_ns);

G_END_DECLS
