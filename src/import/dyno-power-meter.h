/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-run.h"
#include "dyno-trace.h"

G_BEGIN_DECLS

/* dyno-power-log */

/**
 * DynoPowerLog:
 * @power: the readings of a power meter, in W; times are ns since 1970 UTC, by the meter's clock
 * @period: the usual time between two readings, in s
 * @column: the source column, or the columns that were added up
 * @n_gpus: the number of GPUs whose power it is; 0 for a meter outside the machine
 * @is_guessed: whether its columns have no names, so that they were only assumed to be the power of GPUs
 * @is_local: whether the times have no zone
 *
 * The log of an external power meter.
 */
typedef struct
{
  DynoTrace *power;
  double period;
  char *column;
  guint n_gpus;
  gboolean is_guessed;
  gboolean is_local;
} DynoPowerLog;

void dyno_power_log_free (DynoPowerLog *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoPowerLog, dyno_power_log_free)

/* dyno-power-meter */

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
