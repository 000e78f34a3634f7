/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-layer.h"

G_BEGIN_DECLS

#define DYNO_TYPE_SPREAD_LAYER (dyno_spread_layer_get_type ())

/**
 * DynoSpreadLayer:
 *
 * Values in the rows of a category axis: a stroke with whiskers if a value has a band, else a marker. The x
 * of a point is its row plus an offset of less than a half, which grows along the row, so that keys move
 * along the row.
 */
G_DECLARE_FINAL_TYPE (DynoSpreadLayer, dyno_spread_layer, DYNO, SPREAD_LAYER, DynoLayer)

/* Returns a layer. */
DynoLayer *dyno_spread_layer_new (DynoSeries *series);

G_END_DECLS
