/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-chart.h"

G_BEGIN_DECLS

void dyno_scaling_chart_build_latency (DynoChart *chart, GPtrArray *cases);
void dyno_scaling_chart_build_throughput (DynoChart *chart, GPtrArray *cases);

G_END_DECLS
