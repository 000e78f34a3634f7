/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-machine-private.h"

G_BEGIN_DECLS

/**
 * DynoDisturbance:
 * @time_ns: when it was read, or how long it took
 * @n_throttled: periods in which the control group's limit stopped this process
 * @throttled_us: how long it was stopped
 * @pressure_us: how long some task of the machine waited, for each DynoPressure
 * @group_pressure_us: how long some task of this process's control group waited
 * @voluntary_switches: how often a thread of this process gave up its processor
 * @involuntary_switches: how often one was taken from it
 * @steal_ticks: time taken by a hypervisor
 * @busy_ticks: time that the machine's processors worked for any program
 * @own_ticks: time that they worked for this process and its descendants
 * @server_ticks: time that they worked for a server that works for it; negative if none is visible
 * @all_ticks: the total time of all processors
 * @n_processors: the number of processors
 *
 * The kernel's counters of disturbances to a measurement: their values, or the differences between two
 * readings. A counter that this kernel lacks is negative.
 */
typedef struct
{
  gint64 time_ns;
  gint64 n_throttled;
  gint64 throttled_us;
  gint64 pressure_us[DYNO_N_PRESSURES];
  gint64 group_pressure_us[DYNO_N_PRESSURES];
  gint64 voluntary_switches;
  gint64 involuntary_switches;
  gint64 steal_ticks;
  gint64 busy_ticks;
  gint64 own_ticks;
  gint64 server_ticks;
  gint64 all_ticks;
  gint64 n_processors;
} DynoDisturbance;

/* Reads a few files of the kernel, among them one for each thread and each process, so call it outside the
 * timed region. @server (nullable): processes of a server that works for this process. */
void dyno_disturbance_read (DynoDisturbance *self, GArray *server);
/* @before: an earlier reading; @self becomes the difference. */
void dyno_disturbance_subtract (DynoDisturbance *self, const DynoDisturbance *before);
/* @other: the differences over another period, which are added. */
void dyno_disturbance_add (DynoDisturbance *self, const DynoDisturbance *other);
/* Returns how many processors were at work for it, on average; NaN if unknown. */
double dyno_disturbance_to_processors (const DynoDisturbance *self, gint64 ticks);
/* Returns how many processors were at work for other programs; NaN if unknown. */
double dyno_disturbance_get_others (const DynoDisturbance *self);
/* Returns the share of the processors' time that a hypervisor took, in per cent; NaN if unknown. */
double dyno_disturbance_get_steal_percent (const DynoDisturbance *self);

G_END_DECLS
