/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-layer.h"

G_BEGIN_DECLS

#define DYNO_TYPE_GUIDE_LAYER (dyno_guide_layer_get_type ())

/**
 * DynoGuideLayer:
 *
 * A thin dashed reference line; the cursor skips it.
 */
G_DECLARE_FINAL_TYPE (DynoGuideLayer, dyno_guide_layer, DYNO, GUIDE_LAYER, DynoLayer)

/* Returns a layer. @in_steps: whether each value holds until the next point, instead of a straight line to
 * it. */
DynoLayer *dyno_guide_layer_new (DynoSeries *series, gboolean in_steps);

G_END_DECLS
