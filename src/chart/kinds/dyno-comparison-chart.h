/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-chart.h"

G_BEGIN_DECLS

void dyno_comparison_chart_build (DynoChart *chart, GPtrArray *cases);

G_END_DECLS
