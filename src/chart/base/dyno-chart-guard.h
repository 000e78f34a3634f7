/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-result.h"

G_BEGIN_DECLS

/* The one place where data enter the charts: what passes it is finite, ordered and of a size that can be computed with. */

/* Returns the same case with those of its data that charts can compute with. The caller owns it. @result:
 * a result from anywhere, such as a document of a stranger. */
DynoResult *dyno_chart_guard_result (DynoResult *result);
/* Returns the trace, or a copy without the points that cannot be: those that are not finite, far out of
 * any range, or earlier than the point before. The caller owns it. */
DynoTrace *dyno_chart_guard_trace (DynoTrace *trace);

G_END_DECLS
