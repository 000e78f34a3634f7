/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-result.h"

G_BEGIN_DECLS

/**
 * DynoMissing:
 * @reason: the reason; numbers that differ between the cases are a range
 * @names: (element-type utf8): the distinct names of the values
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
/* Returns the topics and the number of its values, such as “Power and energy (14 values)”. */
char *dyno_missing_dup_title (const DynoMissing *self);

G_END_DECLS
