/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-result.h"

G_BEGIN_DECLS

gboolean dyno_further_values_tells_mean (DynoResult *result);
GPtrArray *dyno_further_values_choose (GListModel *results, const char *const *shown);
char *dyno_further_values_dup_rest (DynoResult *result,
                                    const char *const *shown,
                                    GPtrArray *chosen,
                                    char *(*format) (DynoValue *value));

G_END_DECLS
