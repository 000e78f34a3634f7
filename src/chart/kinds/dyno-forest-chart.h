/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-chart.h"
#include "dyno-comparison.h"

G_BEGIN_DECLS

/* Returns a forest plot of its cases, from the best to the worst. */
DynoChart *dyno_forest_chart_new (DynoComparison *comparison);

G_END_DECLS
