/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-graph.h"

G_BEGIN_DECLS

/* Transformers of diffusion models take the timestep and the content of a picture as modulation: vectors
 * computed from both scale, shift and gate the values in a layer. */

/* @condition: the embedding of timestep and picture after its activation, [batch, width]. @parts: the
 * vectors that a linear layer computes from @condition, each [batch, 1, width]. */
void dyno_modulation_split (
    DynoGraph *graph, const char *name, const char *condition, gint64 width, guint n, const char **parts);
/* Returns the value after a norm without weights, a scale and a shift. @value: [batch, positions, width].
 * @scale: the factor of the normalised value, less 1. */
const char *dyno_modulation_norm (
    DynoGraph *graph, const char *value, double epsilon, const char *scale, const char *shift);
/* Returns the sum of @value and the gated @inner. */
const char *dyno_modulation_gate (DynoGraph *graph, const char *value, const char *inner, const char *gate);
/* Returns the value after both feed-forward layers, with the names of Diffusers. @value: [batch,
 * positions, width]. */
const char *dyno_modulation_feed (DynoGraph *graph, const char *name, const char *value);

G_END_DECLS
