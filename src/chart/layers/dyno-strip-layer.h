/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-layer.h"

G_BEGIN_DECLS

#define DYNO_TYPE_STRIP_LAYER (dyno_strip_layer_get_type ())

/**
 * DynoStripLayer:
 *
 * Pieces that lie one behind the other in the rows of a category axis, named where there is room. The band of a point is
 * where its piece begins and ends; its x is the row, less than a half off, and grows with the place in it, so that
 * keys go along the row.
 */
G_DECLARE_FINAL_TYPE (DynoStripLayer, dyno_strip_layer, DYNO, STRIP_LAYER, DynoLayer)

/* Pieces are hatched if that is the mark of the series. Returns a layer. */
DynoLayer *dyno_strip_layer_new (DynoSeries *series);

G_END_DECLS
