/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-chart.h"
#include "dyno-comparison.h"

G_BEGIN_DECLS

/* The cases of a comparison, each with its ratio, interval and verdict. */
DynoChart *dyno_forest_chart_new (DynoComparison *comparison);

G_END_DECLS
