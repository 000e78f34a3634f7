/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-metric.h"

G_BEGIN_DECLS

#define DYNO_TYPE_LOAD_METRIC (dyno_load_metric_get_type ())

/**
 * DynoLoadMetric:
 *
 * How long it takes until a model is ready: loading, first run, warm-up.
 */
G_DECLARE_FINAL_TYPE (DynoLoadMetric, dyno_load_metric, DYNO, LOAD_METRIC, DynoMetric)

G_END_DECLS
