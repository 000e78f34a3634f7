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

/**
 * DynoPowerReceipt:
 * @n_added: how many cases got readings that they had not
 * @n_present: how many others have these already
 * @reason: (nullable): why those of another case were not taken; a sentence
 *
 * What became of the readings of a power log.
 */
typedef struct
{
  guint n_added;
  guint n_present;
  char *reason;
} DynoPowerReceipt;

void dyno_power_receipt_clear (DynoPowerReceipt *self);

/* Finds the readings of the time at which each process measured, by the wall clock that was kept with it,
 * and works out the power and energy of its steady state. They have the quality *imported*. Where no
 * sensor of the machine measured power, they are also what the case is charged with, unless the log is of
 * GPUs and the case ran on none, or nothing says what the log is of. Other readings that a process has of
 * that time give way to them. */
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
