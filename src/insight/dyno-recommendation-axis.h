/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-case-parts.h"

G_BEGIN_DECLS

/* Returns the names of the axes that there always are. */
const char *const *dyno_recommendation_axis_list (void);
/* Returns which parts of a case its place on the axis determines, beside the model. */
DynoCaseParts dyno_recommendation_axis_get_parts (const char *axis);
/* Returns whether there is such an axis, or an engine option of that name in one of the cases. @results
 * holds DynoResult. Fails with DYNO_ERROR_INVALID_ARGUMENT. */
gboolean dyno_recommendation_axis_check (const char *axis, GPtrArray *results, GError **error);
/* Returns it for people; an engine option has its own name. */
char *dyno_recommendation_axis_dup_title (const char *axis);
/* Returns what its place on the axis is called. */
char *dyno_recommendation_axis_dup_place (const char *axis, DynoResult *result, DynoCaseParts varying);
/* Returns a string for g_strcmp0() by which places on the axis are sorted and distinguished: models of one
 * architecture by their size, numbers from the least. */
char *dyno_recommendation_axis_dup_order (const char *axis, DynoResult *result);

G_END_DECLS
