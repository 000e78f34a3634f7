/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-metric.h"

G_BEGIN_DECLS

#define DYNO_TYPE_VRAM_METRIC (dyno_vram_metric_get_type ())

/**
 * DynoVramMetric:
 *
 * Memory of the accelerator that the work ran on, as its driver tells it: this process's part and all of it.
 */
G_DECLARE_FINAL_TYPE (DynoVramMetric, dyno_vram_metric, DYNO, VRAM_METRIC, DynoMetric)

G_END_DECLS
