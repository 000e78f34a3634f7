/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-axis.h"

G_BEGIN_DECLS

#define DYNO_TYPE_CATEGORY_AXIS (dyno_category_axis_get_type ())

/**
 * DynoCategoryAxis:
 *
 * An axis of names: the first is at 0, the next at 1, each in the middle of its own row.
 */
G_DECLARE_FINAL_TYPE (DynoCategoryAxis, dyno_category_axis, DYNO, CATEGORY_AXIS, DynoAxis)

/* Returns an axis without names. */
DynoAxis *dyno_category_axis_new (const char *title);
/* Returns the value of the new category. */
guint dyno_category_axis_add (DynoCategoryAxis *self, const char *name);
guint dyno_category_axis_get_length (DynoCategoryAxis *self);
const char *dyno_category_axis_get_name (DynoCategoryAxis *self, guint index);
/* @n_lanes: how many bars share a row, which then needs more room. */
void dyno_category_axis_set_n_lanes (DynoCategoryAxis *self, guint n_lanes);
guint dyno_category_axis_get_n_lanes (DynoCategoryAxis *self);

G_END_DECLS
