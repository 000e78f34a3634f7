/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-metric.h"

G_BEGIN_DECLS

#define DYNO_TYPE_PLACEMENT_METRIC (dyno_placement_metric_get_type ())

/**
 * DynoPlacementMetric:
 *
 * What ran where: the share of the work and of the operators on the asked device, and by name what fell back to
 * another. Comes after [class@Dyno.FlopsMetric], whose operators it looks at.
 */
G_DECLARE_FINAL_TYPE (DynoPlacementMetric, dyno_placement_metric, DYNO, PLACEMENT_METRIC, DynoMetric)

G_END_DECLS
