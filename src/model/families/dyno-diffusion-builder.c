/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-architecture.h"
#include "dyno-layers.h"
#include "dyno-model-families-private.h"

/* The parts of diffusion models, as Diffusers saves them: the denoiser of latents and the decoder that turns latents
 * into images. */

#define N_TIMESTEPS 1000

/* Latents of any size, by default that of training. */
static const char *
add_latents (DynoGraph *graph, const char *name, gint64 channels, gint64 side)
{
  g_autofree char *dimensions = g_strdup_printf (
      "batch, %" G_GINT64_FORMAT ", latent_height=%" G_GINT64_FORMAT ", latent_width=%" G_GINT64_FORMAT,
      channels, side, side);

  return dyno_graph_add_input (graph, name, dyno_graph_get_real_type (graph), dimensions);
}

static const char *
add_whole (DynoGraph *graph, const char *name, const char *dimensions, gint64 limit)
{
  dyno_graph_add_input (graph, name, DYNO_DATA_TYPE_INT64, dimensions);
  dyno_graph_limit_input (graph, name, limit);
  return name;
}

static const char *
add_vectors (DynoGraph *graph, const char *name, const char *first, gint64 width)
{
  g_autofree char *dimensions = g_strdup_printf ("%s, %" G_GINT64_FORMAT, first, width);

  return dyno_graph_add_input (graph, name, dyno_graph_get_real_type (graph), dimensions);
}

static void
build_unet (DynoGraph *graph, DynoConfig *config)
{
  g_autoptr (DynoUnet) unet = dyno_unet_new (config);

  if (dyno_config_check (config, NULL))
    {
      gint64 text_width = dyno_unet_get_text_width (unet);
      gint64 condition_width = dyno_unet_get_condition_width (unet);
      g_autofree char *dimensions = g_strdup_printf ("batch, %d", DYNO_UNET_N_TIME_IDS);
      DynoUnetInputs inputs = {
        .sample = add_latents (graph, "sample", dyno_unet_get_n_channels (unet), dyno_unet_get_side (unet)),
        .timestep = add_whole (graph, "timestep", "batch", N_TIMESTEPS),
        .states = add_vectors (graph, "encoder_hidden_states", "batch, sequence",
                               dyno_unet_get_states_width (unet)),
      };
      g_autofree char *result = g_strdup_printf ("batch, %" G_GINT64_FORMAT ", latent_height, latent_width",
                                                 dyno_unet_get_n_results (unet));

      if (text_width > 0)
        {
          inputs.text = add_vectors (graph, "text_embeds", "batch", text_width);
          inputs.time_ids = add_whole (graph, "time_ids", dimensions, DYNO_UNET_MAX_PIXELS);
        }
      if (condition_width > 0)
        inputs.condition = add_vectors (graph, "timestep_cond", "batch", condition_width);
      dyno_graph_add_output (graph, "out_sample", dyno_unet_add (unet, graph, &inputs), result);
    }
}

/* Only the decoder, which generates images. */
static void
build_autoencoder (DynoGraph *graph, DynoConfig *config)
{
  g_autoptr (DynoAutoencoder) decoder = dyno_autoencoder_new (config);
  g_autofree char *result = g_strdup_printf ("batch, %" G_GINT64_FORMAT ", height, width",
                                             dyno_autoencoder_get_n_colours (decoder));
  const char *latents;

  if (!dyno_config_check (config, NULL))
    return;
  latents = add_latents (graph, "latent_sample", dyno_autoencoder_get_n_channels (decoder),
                         dyno_autoencoder_get_side (decoder));
  dyno_graph_add_output (graph, "sample", dyno_autoencoder_add (decoder, graph, latents), result);
}

static void
build_dit (DynoGraph *graph, DynoConfig *config)
{
  g_autoptr (DynoDit) dit = dyno_dit_new (config);

  if (dyno_config_check (config, NULL))
    {
      gint64 side = dyno_dit_get_side (dit);
      g_autofree char *place = g_strdup_printf ("%" G_GINT64_FORMAT ", %" G_GINT64_FORMAT, side, side);
      g_autofree char *taken =
          g_strdup_printf ("batch, %" G_GINT64_FORMAT ", %s", dyno_dit_get_n_channels (dit), place);
      g_autofree char *given =
          g_strdup_printf ("batch, %" G_GINT64_FORMAT ", %s", dyno_dit_get_n_results (dit), place);
      gint64 states_width = dyno_dit_get_states_width (dit);
      DynoDitInputs inputs = {
        .sample = dyno_graph_add_input (graph, "hidden_states", dyno_graph_get_real_type (graph), taken),
        .timestep = add_whole (graph, "timestep", "batch", N_TIMESTEPS),
      };

      if (states_width > 0)
        {
          inputs.states = add_vectors (graph, "encoder_hidden_states", "batch, sequence", states_width);
          inputs.mask =
              dyno_graph_add_input (graph, "encoder_attention_mask", DYNO_DATA_TYPE_INT64, "batch, sequence");
          inputs.mask = dyno_layers_padding_mask (graph, inputs.mask);
        }
      else
        inputs.labels = add_whole (graph, "class_labels", "batch", dyno_dit_get_n_classes (dit));
      if (dyno_dit_has_sizes (dit))
        {
          inputs.resolution = add_whole (graph, "resolution", "batch, 2", DYNO_UNET_MAX_PIXELS);
          inputs.ratio = add_vectors (graph, "aspect_ratio", "batch", 1);
        }
      dyno_graph_add_output (graph, "sample", dyno_dit_add (dit, graph, &inputs), given);
    }
}

static void
add_joint (DynoGraph *graph, const DynoJoint *joint)
{
  g_autofree char *given = g_strdup_printf ("batch, %" G_GINT64_FORMAT ", latent_height, latent_width",
                                            dyno_joint_get_n_results (joint));
  DynoJointInputs inputs = {
    .sample =
        add_latents (graph, "hidden_states", dyno_joint_get_n_channels (joint), dyno_joint_get_side (joint)),
    .timestep = add_whole (graph, "timestep", "batch", N_TIMESTEPS),
    .states =
        add_vectors (graph, "encoder_hidden_states", "batch, sequence", dyno_joint_get_states_width (joint)),
    .text = add_vectors (graph, "pooled_projections", "batch", dyno_joint_get_text_width (joint)),
  };

  if (dyno_joint_has_guidance (joint))
    inputs.guidance = dyno_graph_add_input (graph, "guidance", dyno_graph_get_real_type (graph), "batch");
  dyno_graph_add_output (graph, "sample", dyno_joint_add (joint, graph, &inputs), given);
}

static void
build_flux (DynoGraph *graph, DynoConfig *config)
{
  g_autoptr (DynoJoint) joint = dyno_joint_new_flux (config);

  if (dyno_config_check (config, NULL))
    add_joint (graph, joint);
}

static void
build_sd3 (DynoGraph *graph, DynoConfig *config)
{
  g_autoptr (DynoJoint) joint = dyno_joint_new_sd3 (config);

  if (dyno_config_check (config, NULL))
    add_joint (graph, joint);
}

/* Older names of the attention layers. */
#define ATTENTION_PAIRS                                                                                      \
  { ".to_q.", ".query." }, { ".to_k.", ".key." }, { ".to_v.", ".value." },                                   \
  {                                                                                                          \
    ".to_out.0.", ".proj_attn."                                                                              \
  }

static const DynoNamePair attention_pairs[] = { ATTENTION_PAIRS, { NULL } };

static const DynoNaming autoencoder_naming = { NULL, attention_pairs, NULL };

/* Text encoders are saved with or without this prefix. */
static const DynoNamePair pipeline_pairs[] = {
  { "text_encoder.text_model.", "text_encoder." },
  { "text_encoder_2.text_model.", "text_encoder_2." },
  { "text_encoder.shared.", "text_encoder.encoder.embed_tokens." },
  { "text_encoder_2.shared.", "text_encoder_2.encoder.embed_tokens." },
  { "text_encoder_3.shared.", "text_encoder_3.encoder.embed_tokens." },
  ATTENTION_PAIRS,
  { NULL },
};

static const DynoNaming pipeline_naming = { NULL, pipeline_pairs, NULL };

static const DynoFamily family = { "diffusion", N_ ("Diffusion model"), N_ ("Diffusion Models"), TRUE };

const DynoArchitecture dyno_diffusion_architectures[] = {
  { "UNet2DConditionModel", &family, "text-to-image", build_unet },
  { "FluxTransformer2DModel", &family, "text-to-image", build_flux },
  { "SD3Transformer2DModel", &family, "text-to-image", build_sd3 },
  { "AutoencoderKL", &family, "text-to-image", build_autoencoder, &autoencoder_naming },
  { "DiTTransformer2DModel", &family, "unconditional-image-generation", build_dit },
  { "PixArtTransformer2DModel", &family, "text-to-image", build_dit },
  { "Transformer2DModel", &family, "unconditional-image-generation", build_dit },
  { "StableDiffusionPipeline", &family, "text-to-image", .naming = &pipeline_naming,
    .stages = dyno_diffusion_text_stages },
  { "StableDiffusionXLPipeline", &family, "text-to-image", .naming = &pipeline_naming,
    .stages = dyno_diffusion_pair_stages },
  { "StableDiffusion3Pipeline", &family, "text-to-image", .naming = &pipeline_naming,
    .stages = dyno_joint_pipeline_sd3_stages },
  { "FluxPipeline", &family, "text-to-image", .naming = &pipeline_naming,
    .stages = dyno_joint_pipeline_flux_stages },
  { "PixArtAlphaPipeline", &family, "text-to-image", .naming = &pipeline_naming,
    .stages = dyno_diffusion_t5_stages },
  { "PixArtSigmaPipeline", &family, "text-to-image", .naming = &pipeline_naming,
    .stages = dyno_diffusion_t5_stages },
  { "DiTPipeline", &family, "unconditional-image-generation", .stages = dyno_diffusion_class_stages },
  { NULL },
};
