/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-axis.h"

G_BEGIN_DECLS

#define DYNO_TYPE_LINEAR_AXIS (dyno_linear_axis_get_type ())

/**
 * DynoLinearAxis:
 *
 * An axis on which equal differences have equal distances.
 */
G_DECLARE_FINAL_TYPE (DynoLinearAxis, dyno_linear_axis, DYNO, LINEAR_AXIS, DynoAxis)

/* Returns an axis from 0 to 1. */
DynoAxis *dyno_linear_axis_new (const char *title, const char *unit);
/* Sets the range to round numbers around the data, but not across zero. */
void dyno_linear_axis_set_nice_range (DynoAxis *axis, double low, double high);

G_END_DECLS
