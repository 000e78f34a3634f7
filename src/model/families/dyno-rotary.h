/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-config.h"
#include "dyno-graph.h"

G_BEGIN_DECLS

/**
 * DynoRotary:
 * @theta: the base of the wavelengths
 * @width: how many elements of a head are rotated, an even number
 * @n_positions: maximum number of positions
 * @n_original: maximum number of positions in the original training
 * @is_interleaved: whether a pair is two neighbours, and not the same element of either half
 * @scaling: (nullable): the config's rule for scaling the wavelengths
 *
 * How queries and keys are rotated by their positions (RoPE, Su et al. 2021).
 */
typedef struct
{
  double theta;
  gint64 width;
  gint64 n_positions;
  gint64 n_original;
  gboolean is_interleaved;
  DynoConfig *scaling;
} DynoRotary;

/**
 * DynoRotation:
 * @cosine: [batch, 1, sequence, width]
 * @sine: [batch, 1, sequence, width]
 *
 * The rotations of all positions of a step.
 */
typedef struct
{
  const char *cosine;
  const char *sine;
} DynoRotation;

DynoRotary
dyno_rotary_read (DynoConfig *config, const char *layer_type, double theta, gint64 head_width, double share);
DynoRotation dyno_rotary_add (
    const DynoRotary *self, DynoGraph *graph, const char *scope, const char *positions, gint64 heads_axis);
const char *
dyno_rotary_turn (const DynoRotary *self, DynoGraph *graph, const DynoRotation *rotation, const char *value);

G_END_DECLS
