/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-chart.h"
#include "dyno-recommendation.h"

G_BEGIN_DECLS

/* The cells of a recommendation, each with what is best there and how far it is ahead. */
DynoChart *dyno_matrix_chart_new (DynoRecommendation *recommendation);

G_END_DECLS
