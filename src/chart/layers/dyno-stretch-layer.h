/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-layer.h"

G_BEGIN_DECLS

#define DYNO_TYPE_STRETCH_LAYER (dyno_stretch_layer_get_type ())

/**
 * DynoStretchLayer:
 *
 * Hatched stretches of time with a name.
 */
G_DECLARE_FINAL_TYPE (DynoStretchLayer, dyno_stretch_layer, DYNO, STRETCH_LAYER, DynoLayer)

/* Returns a layer for an axis of seconds. @trace: above 0 in the stretches. @name may be NULL. */
DynoLayer *dyno_stretch_layer_new (DynoTrace *trace, const char *name);

G_END_DECLS
