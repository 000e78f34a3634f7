/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-layer.h"

G_BEGIN_DECLS

#define DYNO_TYPE_TOLERANCE_LAYER (dyno_tolerance_layer_get_type ())

/**
 * DynoToleranceLayer:
 *
 * An upright line, and the band around it of differences that do not matter.
 */
G_DECLARE_FINAL_TYPE (DynoToleranceLayer, dyno_tolerance_layer, DYNO, TOLERANCE_LAYER, DynoLayer)

/* Returns a layer. */
DynoLayer *dyno_tolerance_layer_new (double middle, double low, double high);

G_END_DECLS
