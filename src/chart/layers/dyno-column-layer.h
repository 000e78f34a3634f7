/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-layer.h"

G_BEGIN_DECLS

#define DYNO_TYPE_COLUMN_LAYER (dyno_column_layer_get_type ())

/**
 * DynoColumnLayer:
 *
 * Upright columns side by side: each begins at the x of its point and is equally wide. A histogram.
 */
G_DECLARE_FINAL_TYPE (DynoColumnLayer, dyno_column_layer, DYNO, COLUMN_LAYER, DynoLayer)

/* Returns a layer. @filled: whether columns are solid; outlines can lie over each other. */
DynoLayer *dyno_column_layer_new (DynoSeries *series, double bin_width, gboolean filled);

G_END_DECLS
