/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-power-log.h"
#include "dyno-run.h"

G_BEGIN_DECLS

/**
 * DYNO_POWER_METER_TRACE:
 *
 * The name of the series that holds the readings of an external power meter.
 */
#define DYNO_POWER_METER_TRACE "power_meter"

gboolean dyno_power_meter_add_to_result (DynoResult *result, const DynoPowerLog *log, const char *file_name);
guint dyno_power_meter_add_to_run (DynoRun *run, const DynoPowerLog *log, const char *file_name);
guint dyno_power_meter_count_cases (DynoRun *run);

G_END_DECLS
