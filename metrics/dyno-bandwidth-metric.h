/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-metric.h"

G_BEGIN_DECLS

#define DYNO_TYPE_BANDWIDTH_METRIC (dyno_bandwidth_metric_get_type ())

/**
 * DynoBandwidthMetric:
 *
 * How much data the steps move, and how fast: by the memory controllers' own counters where the machine has them;
 * else by the model of traffic that the operators' shapes give, which is an estimate. The model's `bytes_per_step`
 * stands beside the counters in any case; the two are never mixed, because caches lie between them.
 */
G_DECLARE_FINAL_TYPE (DynoBandwidthMetric, dyno_bandwidth_metric, DYNO, BANDWIDTH_METRIC, DynoMetric)

G_END_DECLS
