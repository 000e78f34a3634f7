/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-axis.h"

G_BEGIN_DECLS

#define DYNO_TYPE_TIME_AXIS (dyno_time_axis_get_type ())

/**
 * DynoTimeAxis:
 *
 * An axis of seconds since the beginning, marked in minutes and hours if they are easier to read.
 */
G_DECLARE_FINAL_TYPE (DynoTimeAxis, dyno_time_axis, DYNO, TIME_AXIS, DynoAxis)

/* Returns an axis of seconds. */
DynoAxis *dyno_time_axis_new (const char *title);

G_END_DECLS
