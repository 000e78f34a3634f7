/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "dyno-store.h"

G_BEGIN_DECLS

#define DYNO_TYPE_RECOMMENDATION_VIEW (dyno_recommendation_view_get_type ())

/**
 * DynoRecommendationView:
 *
 * Recommends settings from all runs of a store: a goal, limits, and a matrix of the best cases. Cells without
 * data offer to measure them.
 */
G_DECLARE_FINAL_TYPE (DynoRecommendationView, dyno_recommendation_view, DYNO, RECOMMENDATION_VIEW, AdwBin)

/* Reads all runs in a thread. */
void dyno_recommendation_view_show_store (DynoRecommendationView *self, DynoStore *store);
/* Releases the runs, which may be large. */
void dyno_recommendation_view_clear (DynoRecommendationView *self);

G_END_DECLS
