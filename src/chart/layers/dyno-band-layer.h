/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-layer.h"

G_BEGIN_DECLS

#define DYNO_TYPE_BAND_LAYER (dyno_band_layer_get_type ())

/**
 * DynoBandLayer:
 *
 * The intervals of a series: a whisker at each point, and a tint between them.
 */
G_DECLARE_FINAL_TYPE (DynoBandLayer, dyno_band_layer, DYNO, BAND_LAYER, DynoLayer)

DynoLayer *dyno_band_layer_new (DynoSeries *series);

G_END_DECLS
