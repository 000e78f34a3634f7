/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-config.h"
#include "dyno-graph.h"

G_BEGIN_DECLS

/**
 * DynoRotary:
 * @theta: the base of the wavelengths
 * @width: how much of a head is turned, an even number; the rest of it is left
 * @n_positions: how many positions the model knows
 * @n_original: how many it was first trained with
 * @scaling: (nullable): the config's rule that stretches the wavelengths
 *
 * How queries and keys are turned by their positions (RoPE, Su et al. 2021).
 */
typedef struct
{
  double theta;
  gint64 width;
  gint64 n_positions;
  gint64 n_original;
  DynoConfig *scaling;
} DynoRotary;

/**
 * DynoRotation:
 * @cosine: [batch, 1, sequence, width]
 * @sine: [batch, 1, sequence, width]
 *
 * The turns of all positions of a step.
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
