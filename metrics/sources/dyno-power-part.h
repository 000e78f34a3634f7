/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-energy-trace.h"
#include "dyno-random.h"
#include "dyno-sensor-device.h"

G_BEGIN_DECLS

/**
 * DynoPowerPart:
 * @info: the description of its first sensor
 * @gauge_info: (nullable): the description of its first gauge
 * @counters: (element-type DynoTrace): energies whose sum is that of the part
 * @gauges: (element-type DynoTrace): powers whose sum is that of the part
 *
 * A part of the machine whose power is known: all packages together, one device, the board. It has counters of energy,
 * or gauges of power, or both.
 */
typedef struct
{
  const DynoSensorInfo *info;
  const DynoSensorInfo *gauge_info;
  GPtrArray *counters;
  GPtrArray *gauges;
} DynoPowerPart;

/* Returns a part without readings. @info: the description of its first sensor; must outlive the part. */
DynoPowerPart *dyno_power_part_new (const DynoSensorInfo *info);
/* @info: a sensor of it; must outlive the part. Takes @trace. */
void dyno_power_part_take_trace (DynoPowerPart *self, const DynoSensorInfo *info, DynoTrace *trace);
void dyno_power_part_free (DynoPowerPart *self);

/* Returns the part's growing energy, in J: from its counters, else from its gauges by trapezoids. */
DynoTrace *dyno_power_part_create_energy (DynoPowerPart *self);
/* Returns the part's power over time, in W, named after it: a gauge's readings if one gauge covers the part, else
 * means of the energy. */
DynoTrace *dyno_power_part_create_power (DynoPowerPart *self);
/* Returns whether there are readings for all of it. @stretches holds DynoStretch. @energy: its energy; by gauges
 * possibly of the later part of the stretches only, because a reading is about the time before it as well (Yang,
 * Adamek, Armour: Part-time Power Measurements, 2023). */
gboolean dyno_power_part_measure (DynoPowerPart *self, GArray *stretches, DynoEnergy *energy);
/* Some gauges see only a part of each of their periods. They might always see steps of about the same duration at the
 * same place, so each stretch begins at another one (Yang, Adamek, Armour, 2023). A counter sees everything. Returns
 * how long to wait before a stretch, in s: less than a step and than a period of the gauge; 0 for a counter. */
double dyno_power_part_draw_phase (DynoPowerPart *self, double step_seconds, DynoRandom *random);
/* Returns whether the part has both a counter and a gauge, and both gave its power. @stretches holds DynoStretch.
 * @counted: mean power by its counters, in W. @polled: mean power by its gauges, in W. */
gboolean dyno_power_part_compare (DynoPowerPart *self, GArray *stretches, double *counted, double *polled);
/* Ignores the counters from now on. */
void dyno_power_part_distrust_counter (DynoPowerPart *self);
/* A counter goes on counting while nobody reads it, but missed readings of a gauge are lost. Returns the longest time
 * in s in which its power could not be read, 0 for none. @stretches holds DynoStretch. */
double dyno_power_part_find_gap (DynoPowerPart *self, GArray *stretches);
/* Some virtual machines show counters that never move. For an estimate, zero is a valid result. Returns whether one
 * of its sensors reports no energy at all. @stretches holds DynoStretch. */
gboolean dyno_power_part_stands_still (DynoPowerPart *self, GArray *stretches);
/* Returns the source of its numbers, in words. The caller owns it. */
char *dyno_power_part_describe (DynoPowerPart *self);

/* Returns the one part with which a case is charged; NULL if there is none. @parts holds DynoPowerPart. @device may
 * be NULL. */
DynoPowerPart *dyno_power_part_choose (GPtrArray *parts, gboolean on_device, const DynoSensorInfo *device);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoPowerPart, dyno_power_part_free)

G_END_DECLS
