/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-trace.h"

G_BEGIN_DECLS

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

G_END_DECLS
