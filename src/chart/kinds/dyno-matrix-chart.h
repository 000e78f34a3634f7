/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-chart.h"
#include "dyno-recommendation.h"

G_BEGIN_DECLS

/* Returns a matrix whose cells name the best choice, shaded by its margin. */
DynoChart *dyno_matrix_chart_new (DynoRecommendation *recommendation);

G_END_DECLS
