/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-architecture.h"
#include "dyno-autoencoder.h"

G_BEGIN_DECLS

/* From a text to an image with one and with two text encoders of CLIP, from a class, and with T5. */
extern const DynoStage dyno_diffusion_text_stages[];
extern const DynoStage dyno_diffusion_pair_stages[];
extern const DynoStage dyno_diffusion_class_stages[];
extern const DynoStage dyno_diffusion_t5_stages[];

/* The same where text and picture attend to each other. */
extern const DynoStage dyno_joint_pipeline_flux_stages[];
extern const DynoStage dyno_joint_pipeline_sd3_stages[];

/* What pipelines share. */

#define DYNO_DIFFUSION_PIPELINE_SAMPLE      "sample"
#define DYNO_DIFFUSION_PIPELINE_NEXT_SAMPLE "next_sample"
#define DYNO_DIFFUSION_PIPELINE_STATES      "encoder_hidden_states"

const char *
dyno_diffusion_pipeline_add_latents (DynoGraph *graph, const char *name, gint64 channels, const char *place);
const char *dyno_diffusion_pipeline_twice (DynoGraph *graph, const char *value, const char *guided);
const char *
dyno_diffusion_pipeline_guide (DynoGraph *graph, const char *sample, const char *answer, float guidance);
void dyno_diffusion_pipeline_check_text (DynoConfig *encoder);
const char *dyno_diffusion_pipeline_add_texts (DynoGraph *graph,
                                               const char *suffix,
                                               gint64 n_tokens,
                                               const char *sequence);
const char *dyno_diffusion_pipeline_add_t5 (
    DynoGraph *graph, DynoConfig *config, const char *part, const char *ids, const char *tokens);
gint64 dyno_diffusion_pipeline_count_t5_tokens (DynoConfig *config, const char *part);
gint64 dyno_diffusion_pipeline_get_t5_width (DynoConfig *config, const char *part);
DynoAutoencoder *
dyno_diffusion_pipeline_read_decoder (DynoConfig *config, const char *network, gint64 channels);
void dyno_diffusion_pipeline_add_pictures (DynoGraph *graph,
                                           const DynoAutoencoder *decoder,
                                           const char *place,
                                           gboolean is_shifted);

G_END_DECLS
