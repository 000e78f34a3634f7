/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-trace.h"

G_BEGIN_DECLS

/**
 * DynoPowerLog:
 * @power: what a power meter showed, in W; times are ns since 1970 UTC, by the meter's clock
 * @period: the usual time between two readings, in s
 * @column: the column that it is from, or several of which it is the sum
 * @n_gpus: how many GPUs it is the power of; 0 for a meter outside the machine
 * @is_guessed: whether its columns have no names, so that they were only taken for the power of GPUs
 * @is_local: whether the times said nothing of their zone
 *
 * What an external power meter has recorded.
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
