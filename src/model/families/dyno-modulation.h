/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-graph.h"

G_BEGIN_DECLS

/* How transformers of diffusion models are told of the timestep and of what a picture shows: vectors that are computed
 * from both scale, shift and gate what flows through a layer. */

void dyno_modulation_split (
    DynoGraph *graph, const char *name, const char *condition, gint64 width, guint n, const char **parts);
const char *dyno_modulation_norm (
    DynoGraph *graph, const char *value, double epsilon, const char *scale, const char *shift);
const char *dyno_modulation_gate (DynoGraph *graph, const char *value, const char *inner, const char *gate);
const char *dyno_modulation_feed (DynoGraph *graph, const char *name, const char *value);

G_END_DECLS
