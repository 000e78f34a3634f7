/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-result.h"

G_BEGIN_DECLS

/* The only entry for data into the charts: it passes only data that are finite, ordered and of a usable size. */

/* Returns the same case without data that charts cannot use. The caller owns it. @result: a result from any
 * source, such as a stranger's document. */
DynoResult *dyno_chart_guard_result (DynoResult *result);
/* Returns the trace, or a copy without impossible points: those that are not finite, far out of any range, or
 * earlier than the point before. The caller owns it. */
DynoTrace *dyno_chart_guard_trace (DynoTrace *trace);

G_END_DECLS
