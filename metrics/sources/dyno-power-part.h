/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-energy-trace.h"
#include "dyno-random.h"
#include "dyno-sensor-device.h"

G_BEGIN_DECLS

/**
 * DynoPowerPart:
 * @info: what its first sensor is
 * @gauge_info: (nullable): what its first gauge is
 * @counters: (element-type DynoTrace): energies that add up to the part's
 * @gauges: (element-type DynoTrace): powers that add up to the part's
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

DynoPowerPart *dyno_power_part_new (const DynoSensorInfo *info);
void dyno_power_part_take_trace (DynoPowerPart *self, const DynoSensorInfo *info, DynoTrace *trace);
void dyno_power_part_free (DynoPowerPart *self);

DynoTrace *dyno_power_part_create_energy (DynoPowerPart *self);
DynoTrace *dyno_power_part_create_power (DynoPowerPart *self);
gboolean dyno_power_part_measure (DynoPowerPart *self, GArray *stretches, DynoEnergy *energy);
double dyno_power_part_draw_phase (DynoPowerPart *self, double step_seconds, DynoRandom *random);
gboolean dyno_power_part_compare (DynoPowerPart *self, GArray *stretches, double *counted, double *polled);
void dyno_power_part_distrust_counter (DynoPowerPart *self);
double dyno_power_part_find_gap (DynoPowerPart *self, GArray *stretches);
gboolean dyno_power_part_stands_still (DynoPowerPart *self, GArray *stretches);
char *dyno_power_part_describe (DynoPowerPart *self);

DynoPowerPart *dyno_power_part_choose (GPtrArray *parts, gboolean on_device, const DynoSensorInfo *device);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoPowerPart, dyno_power_part_free)

G_END_DECLS
