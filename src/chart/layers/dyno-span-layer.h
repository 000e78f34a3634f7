/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-layer.h"
#include "dyno-phase.h"
#include "dyno-trace.h"

G_BEGIN_DECLS

#define DYNO_TYPE_SPAN_LAYER (dyno_span_layer_get_type ())

/**
 * DynoSpanLayer:
 *
 * The phases of a case, shaded behind the data and named if there is room.
 */
G_DECLARE_FINAL_TYPE (DynoSpanLayer, dyno_span_layer, DYNO, SPAN_LAYER, DynoLayer)

/* Returns a layer for an axis of seconds. @phases: the trace `phases` of a result. */
DynoLayer *dyno_span_layer_new (DynoTrace *phases);
void dyno_span_layer_set_named (DynoSpanLayer *self, gboolean named);
/* Returns the phase at that time; DYNO_N_PHASES if there is none. @phases (nullable): the trace `phases` of a
 * result. */
DynoPhase dyno_span_layer_find_phase (DynoTrace *phases, double seconds);
/* Returns its name for people. */
const char *dyno_span_layer_get_phase_name (DynoPhase phase);

G_END_DECLS
