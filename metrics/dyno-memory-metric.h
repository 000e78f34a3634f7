/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-metric.h"

G_BEGIN_DECLS

#define DYNO_TYPE_MEMORY_METRIC (dyno_memory_metric_get_type ())

/**
 * DynoMemoryMetric:
 *
 * Memory of the process over time and at its peak, of the weights, and as the runtime's allocator sees it.
 */
G_DECLARE_FINAL_TYPE (DynoMemoryMetric, dyno_memory_metric, DYNO, MEMORY_METRIC, DynoMetric)

G_END_DECLS
