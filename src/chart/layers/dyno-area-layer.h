/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-layer.h"

G_BEGIN_DECLS

#define DYNO_TYPE_AREA_LAYER (dyno_area_layer_get_type ())

/**
 * DynoAreaLayer:
 *
 * A step line, whose values hold until the next point, with a tint down to zero.
 */
G_DECLARE_FINAL_TYPE (DynoAreaLayer, dyno_area_layer, DYNO, AREA_LAYER, DynoLayer)

/* Returns a layer. @filled: whether to tint down to zero; several areas would hide each other. */
DynoLayer *dyno_area_layer_new (DynoSeries *series, gboolean filled);

G_END_DECLS
