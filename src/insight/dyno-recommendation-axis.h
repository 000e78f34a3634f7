/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-case-parts.h"

G_BEGIN_DECLS

const char *const *dyno_recommendation_axis_list (void);
DynoCaseParts dyno_recommendation_axis_get_parts (const char *axis);
gboolean dyno_recommendation_axis_check (const char *axis, GPtrArray *results, GError **error);
char *dyno_recommendation_axis_dup_title (const char *axis);
char *dyno_recommendation_axis_dup_place (const char *axis, DynoResult *result, DynoCaseParts varying);
char *dyno_recommendation_axis_dup_order (const char *axis, DynoResult *result);

G_END_DECLS
