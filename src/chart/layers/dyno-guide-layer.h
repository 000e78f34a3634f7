/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-layer.h"

G_BEGIN_DECLS

#define DYNO_TYPE_GUIDE_LAYER (dyno_guide_layer_get_type ())

/**
 * DynoGuideLayer:
 *
 * A thin dashed line to compare others with; the cursor does not walk on it.
 */
G_DECLARE_FINAL_TYPE (DynoGuideLayer, dyno_guide_layer, DYNO, GUIDE_LAYER, DynoLayer)

/* Returns a layer. @in_steps: whether it stays until the next point instead of leading there. */
DynoLayer *dyno_guide_layer_new (DynoSeries *series, gboolean in_steps);

G_END_DECLS
