/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-axis.h"

G_BEGIN_DECLS

#define DYNO_TYPE_LOG_AXIS (dyno_log_axis_get_type ())

/**
 * DynoLogAxis:
 *
 * An axis on which equal ratios have equal distances, marked at powers of 2 or of 10.
 */
G_DECLARE_FINAL_TYPE (DynoLogAxis, dyno_log_axis, DYNO, LOG_AXIS, DynoAxis)

/* Returns an axis. @base: 2 or 10; its powers are marked. */
DynoAxis *dyno_log_axis_new (const char *title, const char *unit, guint base);

G_END_DECLS
