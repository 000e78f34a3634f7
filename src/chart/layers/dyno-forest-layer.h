/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-layer.h"

G_BEGIN_DECLS

#define DYNO_TYPE_FOREST_LAYER (dyno_forest_layer_get_type ())

/**
 * DynoForestLayer:
 *
 * Values in rows with their intervals along the x axis: the x of the series is the row, its y the value. The
 * label of a point is beside the row if the plot keeps room for it.
 */
G_DECLARE_FINAL_TYPE (DynoForestLayer, dyno_forest_layer, DYNO, FOREST_LAYER, DynoLayer)

/* Returns a layer. */
DynoLayer *dyno_forest_layer_new (DynoSeries *series);

G_END_DECLS
