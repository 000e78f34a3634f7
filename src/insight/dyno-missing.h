/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-result.h"

G_BEGIN_DECLS

/**
 * DynoMissing:
 * @reason: why; numbers in which the cases differ are a range
 * @names: (element-type utf8): the names of the values, each once
 * @results: (element-type DynoResult): the cases
 *
 * Values that were not measured for one reason.
 */
typedef struct
{
  char *reason;
  GPtrArray *names;
  GPtrArray *results;
} DynoMissing;

/* Groups the values without a number by their reasons, in the order of their first mention. Returns the
 * groups. Elements are DynoMissing. The caller owns it. */
GPtrArray *dyno_missing_find (GListModel *results);
/* Returns what they are about and how many they are, such as “Power and energy (14 values)”. */
char *dyno_missing_dup_title (const DynoMissing *self);

G_END_DECLS
