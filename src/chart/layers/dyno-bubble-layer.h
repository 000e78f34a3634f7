/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-layer.h"

G_BEGIN_DECLS

#define DYNO_TYPE_BUBBLE_LAYER (dyno_bubble_layer_get_type ())

/**
 * DynoBubbleLayer:
 *
 * A few points in the plane, each with its own text: a marker with whiskers, or a disc whose area is the
 * point's weight, and its name beside it where there is room. Flagged points have a ring.
 */
G_DECLARE_FINAL_TYPE (DynoBubbleLayer, dyno_bubble_layer, DYNO, BUBBLE_LAYER, DynoLayer)

/* Returns a layer. */
DynoLayer *dyno_bubble_layer_new (DynoSeries *series);
/* Returns a layer of less important points. */
DynoLayer *dyno_bubble_layer_new_pale (DynoSeries *series);

G_END_DECLS
