/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-trace.h"

G_BEGIN_DECLS

/**
 * DynoStretch:
 * @start_ns: when it began, on the traces' axis of time
 * @end_ns: when it ended
 *
 * A period of time without a pause.
 */
typedef struct
{
  gint64 start_ns;
  gint64 end_ns;
} DynoStretch;

/**
 * DynoEnergy:
 * @joules: energy of the stretches that were measured
 * @seconds: their total duration
 * @n_stretches: number of stretches, after joining those that no counter could separate
 *
 * Energy over some time.
 */
typedef struct
{
  double joules;
  double seconds;
  guint n_stretches;
} DynoEnergy;

/* Returns the energy since the first reading, in J, by trapezoids. The caller owns it. @power: readings of
 * power, in W. */
DynoTrace *dyno_energy_trace_integrate (DynoTrace *power);
/* Returns the energy of the whole, at the times of the first part for which all parts have readings around. The
 * caller owns it. @traces: growing energies of the parts of a whole, in J; at least one. */
DynoTrace *dyno_energy_trace_add_up (GPtrArray *traces);
/* Returns whether there are readings around that time. @self: a growing energy, in J. @joules: the energy at that
 * time, by linear interpolation between the readings around it. */
gboolean dyno_energy_trace_at (DynoTrace *self, gint64 time_ns, double *joules);
/* Returns whether there are readings for all of it. @self: a growing energy, in J. @period_seconds: the update period
 * of the counter; a shorter pause is included in time and energy. */
gboolean dyno_energy_trace_measure (DynoTrace *self,
                                    const DynoStretch *stretches,
                                    guint n_stretches,
                                    double period_seconds,
                                    DynoEnergy *energy);
/* Returns the mean rate of each interval, at its end. The caller owns it. @unit: the unit of the rate: the quantity's
 * per second. @min_interval_ns: shortest time to average over, so that the counter's steps do not show. */
DynoTrace *
dyno_energy_trace_to_rate (DynoTrace *self, const char *name, const char *unit, gint64 min_interval_ns);
/* Returns the median time from one point to the next, in s; 0 for fewer than two points. */
double dyno_energy_trace_find_period (DynoTrace *self);
/* Returns whether there is one. @stretches holds DynoStretch. @highest: the highest of the means that lie within the
 * stretches. */
gboolean dyno_energy_trace_find_highest (DynoTrace *rate, GArray *stretches, double *highest);
/* Returns the mean power of each interval, in W, at its end. The caller owns it. @self: a growing energy,
 * in J. @min_interval_ns: shortest time to average over, so that the counter's steps do not show. */
DynoTrace *dyno_energy_trace_to_power (DynoTrace *self, const char *name, gint64 min_interval_ns);

G_END_DECLS
