/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-metric.h"

G_BEGIN_DECLS

#define DYNO_TYPE_THERMAL_METRIC (dyno_thermal_metric_get_type ())

/**
 * DynoThermalMetric:
 *
 * Temperatures, clocks, fans and throttling while the case runs: what explains a bend in a curve.
 */
G_DECLARE_FINAL_TYPE (DynoThermalMetric, dyno_thermal_metric, DYNO, THERMAL_METRIC, DynoMetric)

G_END_DECLS
