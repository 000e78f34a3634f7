/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-metric.h"

G_BEGIN_DECLS

#define DYNO_TYPE_LATENCY_METRIC (dyno_latency_metric_get_type ())

/**
 * DynoLatencyMetric:
 *
 * How long a step takes: mean, percentiles (linear interpolation, Hyndman–Fan type 7) and the 95 % interval of
 * the median, over the steady state; every step goes into the trace `latency`.
 */
G_DECLARE_FINAL_TYPE (DynoLatencyMetric, dyno_latency_metric, DYNO, LATENCY_METRIC, DynoMetric)

G_END_DECLS
