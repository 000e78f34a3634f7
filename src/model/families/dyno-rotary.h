/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-config.h"
#include "dyno-graph.h"

G_BEGIN_DECLS

/**
 * DynoRotaryAxes:
 * @DYNO_ROTARY_AXES_ONE: a position is a number
 * @DYNO_ROTARY_AXES_JOINED: a position is a time, a row and a column; the pairs of each follow one another
 * @DYNO_ROTARY_AXES_WOVEN: the same, but the pairs of the three alternate, and the slowest are those of the
 * time
 * @DYNO_ROTARY_AXES_PLANE: a position is a row and a column, which have one half of the pairs each
 *
 * The coordinates of a position.
 */
typedef enum
{
  DYNO_ROTARY_AXES_ONE,
  DYNO_ROTARY_AXES_JOINED,
  DYNO_ROTARY_AXES_WOVEN,
  DYNO_ROTARY_AXES_PLANE,
} DynoRotaryAxes;

/**
 * DynoRotary:
 * @theta: the base of the wavelengths
 * @width: how many elements of a head are rotated, an even number
 * @n_positions: maximum number of positions
 * @n_original: maximum number of positions in the original training
 * @is_interleaved: whether a pair is two neighbours, not the same element of both halves
 * @n_turned: number of pairs that rotate, the fastest ones; 0 for all
 * @axes: the coordinates of a position
 * @sections: with three axes, number of pairs of each
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
  gint64 n_turned;
  DynoRotaryAxes axes;
  gint64 sections[3];
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

/* Returns the rotation of @config, which must live as long; invalid values are kept as the config's error.
 * @layer_type (nullable): the kind of layers, if the config has separate parameters for it. */
DynoRotary
dyno_rotary_read (DynoConfig *config, const char *layer_type, double theta, gint64 head_width, double share);
/* Returns by how much its scaling slows each pair down, as float; empty if it has none, NULL if the scaling is no list
 * of divisors or a position is more than a number. The caller owns it. */
GArray *dyno_rotary_list_divisors (const DynoRotary *self);
/* @config: its config, which fails if it does not have the numbers of pairs for time, row and column. */
void dyno_rotary_read_sections (DynoRotary *self, DynoConfig *config, gboolean is_woven);
/* Cosines and sines of the angles by which each position rotates each pair. The angles are in single
 * precision in any graph, because half precision distinguishes positions only up to 2048. Returns the
 * rotations. @positions: [batch, sequence], with several axes [batch, sequence, axes]. @heads_axis: axis
 * of the heads in values to rotate: 1 for [batch, heads, sequence, width], 2 for [batch, sequence, heads,
 * width]. */
DynoRotation dyno_rotary_add (
    const DynoRotary *self, DynoGraph *graph, const char *scope, const char *positions, gint64 heads_axis);
/* Returns the rotated value. @value: queries or keys, of four dimensions, the width of a head last. */
const char *
dyno_rotary_turn (const DynoRotary *self, DynoGraph *graph, const DynoRotation *rotation, const char *value);

G_END_DECLS
