/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-metric.h"

G_BEGIN_DECLS

#define DYNO_TYPE_FLOPS_METRIC (dyno_flops_metric_get_type ())

/**
 * DynoFlopsMetric:
 *
 * Work and traffic of a step, counted operator by operator from actual shapes, and where the time goes.
 */
G_DECLARE_FINAL_TYPE (DynoFlopsMetric, dyno_flops_metric, DYNO, FLOPS_METRIC, DynoMetric)

G_END_DECLS
