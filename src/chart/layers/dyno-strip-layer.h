/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-layer.h"

G_BEGIN_DECLS

#define DYNO_TYPE_STRIP_LAYER (dyno_strip_layer_get_type ())

/**
 * DynoStripLayer:
 *
 * Consecutive pieces in the rows of a category axis, named if there is room. The band of a point is the
 * beginning and the end of its piece; its x is the row plus an offset of less than a half, which grows along
 * the row, so that keys move along the row.
 */
G_DECLARE_FINAL_TYPE (DynoStripLayer, dyno_strip_layer, DYNO, STRIP_LAYER, DynoLayer)

/* Pieces are hatched if that is the mark of the series. Returns a layer. */
DynoLayer *dyno_strip_layer_new (DynoSeries *series);

G_END_DECLS
