/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-layer.h"

G_BEGIN_DECLS

#define DYNO_TYPE_SCATTER_LAYER (dyno_scatter_layer_get_type ())

/**
 * DynoScatterLayer:
 *
 * A dot for each point. If there are more points than pixels, each column of pixels has a faint bar from its
 * minimum to its maximum and a dot for its last point.
 */
G_DECLARE_FINAL_TYPE (DynoScatterLayer, dyno_scatter_layer, DYNO, SCATTER_LAYER, DynoLayer)

DynoLayer *dyno_scatter_layer_new (DynoSeries *series);

G_END_DECLS
