/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-result.h"

G_BEGIN_DECLS

/* The one place where data enter the charts: what passes it is finite, ordered and of a size that can be computed with. */

DynoResult *dyno_chart_guard_result (DynoResult *result);
DynoTrace *dyno_chart_guard_trace (DynoTrace *trace);

G_END_DECLS
