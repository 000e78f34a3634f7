/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-architecture.h"
#include "dyno-autoencoder.h"

G_BEGIN_DECLS

/* Pipelines from text to image with one and with two text encoders of CLIP, from a class, and with T5. */
extern const DynoStage dyno_diffusion_text_stages[];
extern const DynoStage dyno_diffusion_pair_stages[];
extern const DynoStage dyno_diffusion_class_stages[];
extern const DynoStage dyno_diffusion_t5_stages[];

/* The stages of models in which text and picture attend to each other. */
extern const DynoStage dyno_joint_pipeline_flux_stages[];
extern const DynoStage dyno_joint_pipeline_sd3_stages[];

/* Names that all pipelines share. */

#define DYNO_DIFFUSION_PIPELINE_SAMPLE      "sample"
#define DYNO_DIFFUSION_PIPELINE_NEXT_SAMPLE "next_sample"
#define DYNO_DIFFUSION_PIPELINE_STATES      "encoder_hidden_states"

/* Returns an input of latents. */
const char *
dyno_diffusion_pipeline_add_latents (DynoGraph *graph, const char *name, gint64 channels, const char *place);
/* Returns all items without and then with the condition. */
const char *dyno_diffusion_pipeline_twice (DynoGraph *graph, const char *value, const char *guided);
/* Returns both answers combined. @sample: latents, [batch, channels, height, width]. @guidance: by how
 * much the difference of both answers is enlarged. */
const char *
dyno_diffusion_pipeline_guide (DynoGraph *graph, const char *sample, const char *answer, float guidance);
/* @encoder: the config of a part, which fails if it is not the text encoder of CLIP. */
void dyno_diffusion_pipeline_check_text (DynoConfig *encoder);
/* Returns the unwanted and the wanted content of a picture, as tokens. */
const char *dyno_diffusion_pipeline_add_texts (DynoGraph *graph,
                                               const char *suffix,
                                               gint64 n_tokens,
                                               const char *sequence);
/* Returns the outputs of all tokens, [batch, sequence, width]; NULL if the config has failed. @part: the
 * name of its text encoder of T5, which fails if it is not one. @ids: texts as tokens, [batch, sequence].
 * @tokens: 1 for a token and 0 for padding, [batch, sequence]; NULL if padding is read as well. */
const char *dyno_diffusion_pipeline_add_t5 (
    DynoGraph *graph, DynoConfig *config, const char *part, const char *ids, const char *tokens);
gint64 dyno_diffusion_pipeline_count_t5_tokens (DynoConfig *config, const char *part);
gint64 dyno_diffusion_pipeline_get_t5_width (DynoConfig *config, const char *part);
/* Returns the decoder. The caller owns it. @config: the config of a pipeline, which fails if its decoder
 * is invalid. */
DynoAutoencoder *
dyno_diffusion_pipeline_read_decoder (DynoConfig *config, const char *network, gint64 channels);
/* Adds the stage that decodes latents. They are scaled to the variance of noise; the decoder takes them
 * unscaled. @graph: an empty graph. @is_shifted: whether latents are also shifted to the mean of noise. */
void dyno_diffusion_pipeline_add_pictures (DynoGraph *graph,
                                           const DynoAutoencoder *decoder,
                                           const char *place,
                                           gboolean is_shifted);

G_END_DECLS
