/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-metric.h"

G_BEGIN_DECLS

#define DYNO_TYPE_POWER_METRIC (dyno_power_metric_get_type ())

/**
 * DynoPowerMetric:
 *
 * Power and energy of the steady state, of what the work ran on: gross, net of the idle machine, and for each item,
 * token and operation; and the power of every part over time. Parts that lie within each other are kept apart.
 */
G_DECLARE_FINAL_TYPE (DynoPowerMetric, dyno_power_metric, DYNO, POWER_METRIC, DynoMetric)

G_END_DECLS
