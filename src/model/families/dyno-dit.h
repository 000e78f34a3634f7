/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-config.h"
#include "dyno-graph.h"

G_BEGIN_DECLS

/**
 * DynoDit:
 *
 * A transformer that denoises latents step by step, conditioned on a class: DiT, Peebles and Xie 2022; or on a text: PixArt,
 * Chen et al. 2023.
 */
typedef struct _DynoDit DynoDit;

/**
 * DynoDitInputs:
 * @sample: latents, [batch, channels, side, side]
 * @timestep: timesteps, [batch]
 * @labels: (nullable): classes of the images, [batch]; the last one means no class
 * @states: (nullable): instead of classes, a text, [batch, tokens, width]
 * @mask: (nullable): added to the scores of its tokens, [batch, 1, 1, tokens]
 * @resolution: (nullable): height and width of the images in pixels, [batch, 2] or [1, 2], if the model
 * takes them
 * @ratio: (nullable): in that case, height divided by width, [batch, 1] or [1, 1]
 *
 * Its inputs.
 */
typedef struct
{
  const char *sample;
  const char *timestep;
  const char *labels;
  const char *states;
  const char *mask;
  const char *resolution;
  const char *ratio;
} DynoDitInputs;

/* Returns the transformer. @config: a config of a `DiTTransformer2DModel`, a `PixArtTransformer2DModel`,
 * or of either as a `Transformer2DModel`; it fails if it is invalid. */
DynoDit *dyno_dit_new (DynoConfig *config);
void dyno_dit_free (DynoDit *self);

gint64 dyno_dit_get_n_channels (const DynoDit *self);
/* Returns the number of output channels: that of the input channels, or twice as many. */
gint64 dyno_dit_get_n_results (const DynoDit *self);
gint64 dyno_dit_get_side (const DynoDit *self);
gint64 dyno_dit_get_n_classes (const DynoDit *self);
/* Returns width of the tokens of a text; 0 for a model of classes. */
gint64 dyno_dit_get_states_width (const DynoDit *self);
/* Returns whether it takes the size of the images. */
gboolean dyno_dit_has_sizes (const DynoDit *self);
/* Returns the noise in the latents, followed by its variance if the model was trained to predict it. */
const char *dyno_dit_add (const DynoDit *self, DynoGraph *graph, const DynoDitInputs *inputs);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoDit, dyno_dit_free)

G_END_DECLS
