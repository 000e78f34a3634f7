/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-metric.h"

G_BEGIN_DECLS

#define DYNO_TYPE_THROUGHPUT_METRIC (dyno_throughput_metric_get_type ())

/**
 * DynoThroughputMetric:
 *
 * Items, and for models with a sequence tokens, per second of the steady state's wall time.
 */
G_DECLARE_FINAL_TYPE (DynoThroughputMetric, dyno_throughput_metric, DYNO, THROUGHPUT_METRIC, DynoMetric)

G_END_DECLS
