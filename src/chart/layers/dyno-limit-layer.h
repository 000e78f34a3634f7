/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-layer.h"

G_BEGIN_DECLS

#define DYNO_TYPE_LIMIT_LAYER (dyno_limit_layer_get_type ())

/**
 * DynoLimitLayer:
 *
 * A stroke across a row of bars that marks their limit.
 */
G_DECLARE_FINAL_TYPE (DynoLimitLayer, dyno_limit_layer, DYNO, LIMIT_LAYER, DynoLayer)

/* Returns a layer. */
DynoLayer *dyno_limit_layer_new (DynoSeries *series, gboolean dashed);

G_END_DECLS
