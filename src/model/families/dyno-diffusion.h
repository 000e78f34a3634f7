/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-config.h"
#include "dyno-graph.h"

G_BEGIN_DECLS

/**
 * DynoDiffusion:
 * @n_groups: number of groups of the group norms
 * @epsilon: epsilon of the norms around convolutions
 * @activation: activation between the layers
 *
 * Settings that the convolutional parts of a diffusion model share, Rombach et al. 2022. Images and latents are [batch,
 * channels, height, width].
 */
typedef struct
{
  gint64 n_groups;
  double epsilon;
  const char *activation;
} DynoDiffusion;

/**
 * DynoDiffusionAttention:
 * @n_heads: number of heads
 * @has_bias: whether the projections of queries, keys and values have a bias
 * @upcasts: whether scores are in single precision in any graph
 *
 * Attention with layers named as in Diffusers.
 */
typedef struct
{
  gint64 n_heads;
  gboolean has_bias;
  gboolean upcasts;
} DynoDiffusionAttention;

/**
 * DynoDiffusionTime:
 * @width: number of sines and cosines
 * @is_flipped: whether the cosines come first
 * @shift: half the width minus the number of frequencies between 1 and 1/10000
 *
 * How a number, such as a timestep, is embedded.
 */
typedef struct
{
  gint64 width;
  gboolean is_flipped;
  gint64 shift;
} DynoDiffusionTime;

/* Returns its norms and activations. */
DynoDiffusion dyno_diffusion_read (DynoConfig *config, double epsilon);
/* @widths: its `block_out_channels`. */
void dyno_diffusion_check (const DynoDiffusion *self, DynoConfig *config, GArray *widths);

/* Returns the value. @value: [batch, channels, height, width]. */
const char *dyno_diffusion_convolve (
    DynoGraph *graph, const char *name, const char *value, gint64 channels, gint64 kernel, gint64 stride);
/* Enlarges an image by nearest-neighbour interpolation and convolves it. Returns the value. @value:
 * [batch, channels, height, width]. */
const char *dyno_diffusion_enlarge (DynoGraph *graph, const char *value, const char *sizes);
/* Returns the value after the last norm and convolution. @value: [batch, channels, height, width]. */
const char *
dyno_diffusion_finish (const DynoDiffusion *self, DynoGraph *graph, const char *value, gint64 channels);
/* A residual block of two convolutions, each after a norm. Returns the value. @value: [batch, channels,
 * height, width]. @time (nullable): the embedded timestep after its activation, [batch, width]. */
const char *dyno_diffusion_add_residual (
    const DynoDiffusion *self, DynoGraph *graph, const char *value, const char *time, gint64 channels);

/* Returns its positions as a sequence, [batch, positions, channels]. @value: [batch, channels, height,
 * width]. */
const char *dyno_diffusion_flatten (DynoGraph *graph, const char *value, const char **shape);
const char *dyno_diffusion_unflatten (DynoGraph *graph, const char *value, const char *shape);
/* Returns [batch, positions, width]. @value: [batch, positions, width]: source of the queries. @states:
 * [batch, tokens, width]: source of keys and values, @value itself or a text. @mask (nullable): added to
 * the scores, [batch, 1, 1, tokens]. */
const char *dyno_diffusion_attend (const DynoDiffusionAttention *self,
                                   DynoGraph *graph,
                                   const char *name,
                                   const char *value,
                                   const char *states,
                                   const char *mask);

/* Returns their sines and cosines, [n, width], in the type of the graph. They are computed in single
 * precision, because half precision cannot represent 999.5. @value: numbers, [n]. */
const char *dyno_diffusion_embed_number (const DynoDiffusionTime *self, DynoGraph *graph, const char *value);
/* Returns [batch, width]. @value: [batch, any width]. */
const char *dyno_diffusion_embed (
    DynoGraph *graph, const char *name, const char *value, gint64 width, const char *activation);

G_END_DECLS
