/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-layer.h"

G_BEGIN_DECLS

#define DYNO_TYPE_MATRIX_LAYER (dyno_matrix_layer_get_type ())

/**
 * DynoMatrixLayer:
 *
 * Cells between two axes of categories: columns as x, rows as y. The mark of the series says how they are
 * filled: solid, with a deeper shade for a higher weight (0…1), hatched, or only with a dashed outline. The
 * label of a point is in its cell, its first line in bold, if there is room.
 */
G_DECLARE_FINAL_TYPE (DynoMatrixLayer, dyno_matrix_layer, DYNO, MATRIX_LAYER, DynoLayer)

/* Returns a layer. @series: columns as x, rows as y; its mark is `BAR`, `HATCH` or `GUIDE`. */
DynoLayer *dyno_matrix_layer_new (DynoSeries *series);

G_END_DECLS
