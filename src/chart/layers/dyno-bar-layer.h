/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-layer.h"

G_BEGIN_DECLS

#define DYNO_TYPE_BAR_LAYER (dyno_bar_layer_get_type ())

/**
 * DynoBarLayer:
 *
 * Bars in the rows of a category axis, with whiskers for intervals and the value written at the end. The x of
 * a point is its row, its y the length of its bar. Layers of one chart can share the rows.
 */
G_DECLARE_FINAL_TYPE (DynoBarLayer, dyno_bar_layer, DYNO, BAR_LAYER, DynoLayer)

/* Bars are hatched if that is the mark of the series. Returns a layer. */
DynoLayer *dyno_bar_layer_new (DynoSeries *series, guint lane, guint n_lanes);

/* @values_aside: whether values are aligned at the right edge, because other layers draw beside the bars. */
void dyno_bar_layer_set_values_aside (DynoBarLayer *self, gboolean values_aside);
/* The length of a stack shows the sum of its bars; each bar contains its own value. @below: the series at
 * whose ends its bars begin, point by point; NULL for the first of a stack. */
void dyno_bar_layer_stack (DynoBarLayer *self, DynoSeries *below);

G_END_DECLS
