/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-config.h"
#include "dyno-graph.h"

G_BEGIN_DECLS

/**
 * DynoJoint:
 *
 * A transformer that denoises latents and in whose layers a picture and a text attend to each other: that of Stable
 * Diffusion 3, Esser et al. 2024, or of Flux.
 */
typedef struct _DynoJoint DynoJoint;

/**
 * DynoJointInputs:
 * @sample: latents, [batch, channels, height, width]
 * @timestep: timesteps from 0 to 1000, [batch] or [1]
 * @guidance: (nullable): how closely a picture follows the text, [batch] or [1], if the model has learned it
 * @states: the text as tokens, [batch, sequence, width]
 * @text: the text as a whole, [batch, width]
 *
 * Its inputs.
 */
typedef struct
{
  const char *sample;
  const char *timestep;
  const char *guidance;
  const char *states;
  const char *text;
} DynoJointInputs;

/* Returns the transformer. @config: a config of a `FluxTransformer2DModel`, which fails if it is invalid. */
DynoJoint *dyno_joint_new_flux (DynoConfig *config);
/* Returns the transformer. @config: a config of a `SD3Transformer2DModel`, which fails if it is invalid. */
DynoJoint *dyno_joint_new_sd3 (DynoConfig *config);
void dyno_joint_free (DynoJoint *self);

/* Returns the number of channels of the latents. */
gint64 dyno_joint_get_n_channels (const DynoJoint *self);
gint64 dyno_joint_get_n_results (const DynoJoint *self);
gint64 dyno_joint_get_side (const DynoJoint *self);
gint64 dyno_joint_get_states_width (const DynoJoint *self);
gint64 dyno_joint_get_text_width (const DynoJoint *self);
/* Returns into how many tokens it cuts them, a list of one. @sample: latents, [batch, channels, height,
 * width]. */
const char *dyno_joint_count_tokens (const DynoJoint *self, DynoGraph *graph, const char *sample);
gboolean dyno_joint_has_guidance (const DynoJoint *self);
/* Returns the velocity of the latents from the picture to the noise. */
const char *dyno_joint_add (const DynoJoint *self, DynoGraph *graph, const DynoJointInputs *inputs);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoJoint, dyno_joint_free)

G_END_DECLS
