/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-import-private.h"
#include "dyno-run.h"

G_BEGIN_DECLS

/**
 * DYNO_POWER_METER_TRACE:
 *
 * The name of the series that holds the readings of an external power meter.
 */
#define DYNO_POWER_METER_TRACE "power_meter"

/**
 * DynoPowerReceipt:
 * @n_added: the number of cases that got new readings
 * @n_present: the number of cases that already had these readings
 * @reason: (nullable): why a case did not accept them; a sentence
 *
 * The result of adding the readings of a power log.
 */
typedef struct
{
  guint n_added;
  guint n_present;
  char *reason;
} DynoPowerReceipt;

void dyno_power_receipt_clear (DynoPowerReceipt *self);

/* Finds the readings of the time at which each process measured, by the wall clock that was kept with it,
 * and computes the power and energy of its steady state. They have the quality *imported*. If no sensor of
 * the machine measured power, they also become the power and energy of the case, unless the log is of GPUs
 * and the case ran on none, or the log does not say which device it is of. They replace other readings that
 * a process has of that time. */
void dyno_power_meter_add_to_result (DynoResult *result,
                                     const DynoPowerLog *log,
                                     const char *file_name,
                                     DynoPowerReceipt *receipt);
void dyno_power_meter_add_to_run (DynoRun *run,
                                  const DynoPowerLog *log,
                                  const char *file_name,
                                  DynoPowerReceipt *receipt);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (DynoPowerReceipt, dyno_power_receipt_clear)

G_END_DECLS
