/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-config.h"
#include "dyno-graph.h"

G_BEGIN_DECLS

/**
 * DynoUnet:
 *
 * The network that takes noise out of latents, by a text and step by step: Ronneberger et al. 2015, Rombach et al. 2022.
 */
typedef struct _DynoUnet DynoUnet;

/**
 * DynoUnetInputs:
 * @sample: latents, [batch, channels, height, width]
 * @timestep: places in the schedule, [batch]
 * @states: what a text encoder gives, [batch, tokens, width]
 * @text: (nullable): what it gives of the whole text, [batch, width]
 * @time_ids: (nullable): the size of the picture and of its cut, [batch, 6]
 * @condition: (nullable): how strongly the text guides, as a vector, [batch, width]
 *
 * What it takes. What a model does not have is %NULL: see [method@Dyno.Unet.get_text_width] and so on.
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

/* Height and width before cutting, the corner of the cut, and the size that is wanted: Podell et al. 2023. */
#define DYNO_UNET_N_TIME_IDS 6

DynoUnet *dyno_unet_new (DynoConfig *config);
void dyno_unet_free (DynoUnet *self);

gint64 dyno_unet_get_n_channels (const DynoUnet *self);
gint64 dyno_unet_get_n_results (const DynoUnet *self);
gint64 dyno_unet_get_side (const DynoUnet *self);
gint64 dyno_unet_get_states_width (const DynoUnet *self);
gint64 dyno_unet_get_text_width (const DynoUnet *self);
gint64 dyno_unet_get_condition_width (const DynoUnet *self);
const char *dyno_unet_add (const DynoUnet *self, DynoGraph *graph, const DynoUnetInputs *inputs);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoUnet, dyno_unet_free)

G_END_DECLS
