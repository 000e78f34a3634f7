/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-result.h"

G_BEGIN_DECLS

/* Returns whether its mean latency is worth a column: it replaces a missing median, or another tool
 * reported it. */
gboolean dyno_further_values_tells_mean (DynoResult *result);
/* Returns the names of the imported values that are worth further columns: those that most cases have; of
 * equally many, whole energy and power first, the others in the order of their files. The caller owns it.
 * @shown: the names of values that the table has columns for. */
GPtrArray *dyno_further_values_choose (GListModel *results, const char *const *shown);
/* Returns the imported values that are in no column, each with its title; NULL if there is none. @shown:
 * the names of values that the table has columns for. */
char *dyno_further_values_dup_rest (DynoResult *result,
                                    const char *const *shown,
                                    GPtrArray *chosen,
                                    char *(*format) (DynoValue *value));

G_END_DECLS
