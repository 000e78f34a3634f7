/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-case-parts.h"

G_BEGIN_DECLS

/* Returns the names of the axes that always exist. */
const char *const *dyno_recommendation_axis_list (void);
/* Returns the parts of a case that its place on the axis determines, beside the model. */
DynoCaseParts dyno_recommendation_axis_get_parts (const char *axis);
/* Returns whether the axis exists: a fixed one, or an engine option in one of the cases. @results holds
 * DynoResult. Fails with DYNO_ERROR_INVALID_ARGUMENT. */
gboolean dyno_recommendation_axis_check (const char *axis, GPtrArray *results, GError **error);
/* Returns its name for people; an engine option keeps its own name. */
char *dyno_recommendation_axis_dup_title (const char *axis);
/* Returns the name of the result's place on the axis. */
char *dyno_recommendation_axis_dup_place (const char *axis, DynoResult *result, DynoCaseParts varying);
/* Returns a key for g_strcmp0() that sorts and distinguishes places on the axis: models of one architecture
 * by their size, numbers from the smallest. */
char *dyno_recommendation_axis_dup_order (const char *axis, DynoResult *result);

G_END_DECLS
