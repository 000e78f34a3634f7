/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-trace.h"

G_BEGIN_DECLS

/**
 * DynoPowerLog:
 * @power: what a power meter showed, in W; times are ns since 1970 UTC, by the meter's clock
 * @column: the column that it is from
 * @is_local: whether the times said nothing of their zone
 *
 * What an external power meter has recorded.
 */
typedef struct
{
  DynoTrace *power;
  char *column;
  gboolean is_local;
} DynoPowerLog;

void dyno_power_log_free (DynoPowerLog *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoPowerLog, dyno_power_log_free)

G_END_DECLS
