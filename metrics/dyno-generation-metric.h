/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-metric.h"

G_BEGIN_DECLS

#define DYNO_TYPE_GENERATION_METRIC (dyno_generation_metric_get_type ())

/**
 * DynoGenerationMetric:
 *
 * Time to first token, time between tokens, and tokens per second, prompt and generation apart.
 */
G_DECLARE_FINAL_TYPE (DynoGenerationMetric, dyno_generation_metric, DYNO, GENERATION_METRIC, DynoMetric)

G_END_DECLS
