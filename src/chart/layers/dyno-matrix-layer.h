/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-layer.h"

G_BEGIN_DECLS

#define DYNO_TYPE_MATRIX_LAYER (dyno_matrix_layer_get_type ())

/**
 * DynoMatrixLayer:
 *
 * Cells between two axes of categories: columns as x, rows as y. The mark of the series says how they are filled: solid
 * and the deeper the more a point weighs (0…1), hatched, or with a dashed outline alone. The label of a point stands in
 * its cell, its first line in bold, as far as there is room.
 */
G_DECLARE_FINAL_TYPE (DynoMatrixLayer, dyno_matrix_layer, DYNO, MATRIX_LAYER, DynoLayer)

/* Returns a layer. @series: columns as x, rows as y, its mark being `BAR`, `HATCH` or `GUIDE`. */
DynoLayer *dyno_matrix_layer_new (DynoSeries *series);

G_END_DECLS
