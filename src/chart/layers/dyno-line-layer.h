/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-layer.h"

G_BEGIN_DECLS

#define DYNO_TYPE_LINE_LAYER (dyno_line_layer_get_type ())

/**
 * DynoLineLayer:
 *
 * Points joined by lines, with markers if there is room.
 */
G_DECLARE_FINAL_TYPE (DynoLineLayer, dyno_line_layer, DYNO, LINE_LAYER, DynoLayer)

DynoLayer *dyno_line_layer_new (DynoSeries *series);
/* Returns a layer that writes the labels of its points beside them if there is room. */
DynoLayer *dyno_line_layer_new_labelled (DynoSeries *series);

G_END_DECLS
