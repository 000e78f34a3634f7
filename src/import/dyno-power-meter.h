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
