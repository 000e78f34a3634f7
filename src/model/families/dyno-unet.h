/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-config.h"
#include "dyno-graph.h"

G_BEGIN_DECLS

/**
 * DynoUnet:
 *
 * The network that denoises latents step by step, conditioned on a text: Ronneberger et al. 2015, Rombach et al. 2022.
 */
typedef struct _DynoUnet DynoUnet;

/**
 * DynoUnetInputs:
 * @sample: latents, [batch, channels, height, width]
 * @timestep: timesteps, [batch]
 * @states: the output of a text encoder, [batch, tokens, width]
 * @text: (nullable): its pooled output, [batch, width]
 * @time_ids: (nullable): the size and crop of the image, [batch, 6]
 * @condition: (nullable): the embedded guidance scale, [batch, width]
 *
 * Its inputs. Inputs that a model does not have are NULL: see dyno_unet_get_text_width() and so on.
 */
typedef struct
{
  const char *sample;
  const char *timestep;
  const char *states;
  const char *text;
  const char *time_ids;
  const char *condition;
} DynoUnetInputs;

/* Height and width before cropping, the corner of the crop, and the target size: Podell et al. 2023. */
#define DYNO_UNET_N_TIME_IDS 6

/* One more than the largest height and width of an image. */
#define DYNO_UNET_MAX_PIXELS 1025

/* Returns the network. @config: a config of a `UNet2DConditionModel`, which fails if it is invalid. */
DynoUnet *dyno_unet_new (DynoConfig *config);
void dyno_unet_free (DynoUnet *self);

gint64 dyno_unet_get_n_channels (const DynoUnet *self);
gint64 dyno_unet_get_n_results (const DynoUnet *self);
/* Returns height and width of the latents in training. */
gint64 dyno_unet_get_side (const DynoUnet *self);
gint64 dyno_unet_get_states_width (const DynoUnet *self);
/* Returns width of the pooled text embedding, 0 if the model takes neither that nor the sizes of the
 * image. */
gint64 dyno_unet_get_text_width (const DynoUnet *self);
gint64 dyno_unet_get_condition_width (const DynoUnet *self);
/* Returns the noise in the latents, or the other value it was trained to predict, in the shape of the
 * latents. */
const char *dyno_unet_add (const DynoUnet *self, DynoGraph *graph, const DynoUnetInputs *inputs);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoUnet, dyno_unet_free)

G_END_DECLS
