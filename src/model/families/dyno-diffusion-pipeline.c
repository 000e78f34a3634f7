/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-architecture.h"
#include "dyno-layers.h"
#include "dyno-model-families-private.h"

/* Whole pipelines of Diffusers: a text encoder, a network that denoises latents step by step, and the decoder that
 * turns them into images. Each step runs the network twice, with and without the text or class, and extrapolates the
 * difference: classifier-free guidance, Ho and Salimans 2022. */

/* Defaults of published pipelines. */
#define TEXT_GUIDANCE  7.5f
#define PAIR_GUIDANCE  5.0f
#define CLASS_GUIDANCE 4.0f
#define T5_GUIDANCE    4.5f
#define N_STEPS        "20"

#define STATES    DYNO_DIFFUSION_PIPELINE_STATES
#define PROJECTED "text_embeds"
#define MASK      "encoder_attention_mask"

/* The types of the parts. */
static const DynoConfigFixed text_kind = { "model_type", "\"clip_text_model\"" };
static const DynoConfigFixed t5_kind = { "model_type", "\"t5\"" };
static const DynoConfigFixed unet_kind = { "_class_name", "\"UNet2DConditionModel\"" };
static const DynoConfigFixed decoder_kind = { "_class_name", "\"AutoencoderKL\"" };

const char *
dyno_diffusion_pipeline_add_latents (DynoGraph *graph, const char *name, gint64 channels, const char *place)
{
  g_autofree char *dimensions = g_strdup_printf ("batch, %" G_GINT64_FORMAT ", %s", channels, place);

  return dyno_graph_add_input (graph, name, dyno_graph_get_real_type (graph), dimensions);
}

static void
add_result (DynoGraph *graph,
            const DynoSchedule *schedule,
            const char *levels,
            const char *sample,
            const char *answer,
            gint64 channels,
            const char *place)
{
  g_autofree char *dimensions = g_strdup_printf ("batch, %" G_GINT64_FORMAT ", %s", channels, place);
  const char *value = dyno_schedule_add_step (schedule, graph, levels, sample, answer, dimensions);

  dyno_graph_add_output (graph, DYNO_DIFFUSION_PIPELINE_NEXT_SAMPLE, value, dimensions);
}

const char *
dyno_diffusion_pipeline_twice (DynoGraph *graph, const char *value, const char *guided)
{
  dyno_graph_push_scope (graph, "guidance");
  value = dyno_graph_add (graph, "Concat", "axis=0", value, guided, NULL);
  dyno_graph_pop_scope (graph);
  return value;
}

const char *
dyno_diffusion_pipeline_guide (DynoGraph *graph, const char *sample, const char *answer, float guidance)
{
  const gint64 halves[] = { 2, -1 };
  const char *shape, *parts[2];

  dyno_graph_push_scope (graph, "guidance");
  shape = dyno_graph_add (graph, "Shape", "start=1 end=4", sample, NULL);
  shape = dyno_graph_add (graph, "Concat", "axis=0", dyno_graph_add_ints (graph, 2, halves), shape, NULL);
  answer = dyno_graph_add (graph, "Reshape", NULL, answer, shape, NULL);
  for (guint i = 0; i < 2; i++)
    parts[i] = dyno_graph_add (graph, "Gather", "axis=0", answer, dyno_graph_add_int (graph, i), NULL);
  answer = dyno_graph_add (graph, "Sub", NULL, parts[1], parts[0], NULL);
  answer = dyno_graph_add (graph, "Mul", NULL, answer, dyno_graph_add_real (graph, guidance), NULL);
  answer = dyno_graph_add (graph, "Add", NULL, parts[0], answer, NULL);
  dyno_graph_pop_scope (graph);
  return answer;
}

/* A further text encoder has its own inputs, because its texts are padded with another token. */
static const char *
add_text (DynoGraph *graph, const char *prefix, const char *suffix, gint64 n_tokens, const char *sequence)
{
  g_autofree char *name = g_strconcat (prefix, "input_ids", suffix, NULL);
  g_autofree char *dimensions = g_strconcat ("batch, ", sequence, NULL);
  const char *text = dyno_graph_add_input (graph, name, DYNO_DATA_TYPE_INT64, dimensions);

  dyno_graph_limit_input (graph, text, n_tokens);
  return text;
}

const char *
dyno_diffusion_pipeline_add_texts (DynoGraph *graph,
                                   const char *suffix,
                                   gint64 n_tokens,
                                   const char *sequence)
{
  const char *without = add_text (graph, "negative_", suffix, n_tokens, sequence);

  return dyno_diffusion_pipeline_twice (graph, without, add_text (graph, "", suffix, n_tokens, sequence));
}

void
dyno_diffusion_pipeline_check_text (DynoConfig *encoder)
{
  dyno_config_check_fixed (encoder, &text_kind, 1);
}

const char *
dyno_diffusion_pipeline_add_t5 (
    DynoGraph *graph, DynoConfig *config, const char *part, const char *ids, const char *tokens)
{
  DynoConfig *encoder = dyno_config_get_child (config, part);
  DynoSeq2seq t5 = dyno_seq2seq_read_t5 (encoder);
  const char *value = NULL;

  dyno_config_check_fixed (encoder, &t5_kind, 1);
  dyno_seq2seq_check (&t5, encoder);
  dyno_graph_push_scope (graph, "%s", part);
  if (dyno_config_check (config, NULL))
    value = dyno_seq2seq_add_part (&t5, graph, ids, tokens);
  dyno_graph_pop_scope (graph);
  return value;
}

gint64
dyno_diffusion_pipeline_count_t5_tokens (DynoConfig *config, const char *part)
{
  return dyno_config_get_int (dyno_config_get_child (config, part), "vocab_size");
}

gint64
dyno_diffusion_pipeline_get_t5_width (DynoConfig *config, const char *part)
{
  return dyno_config_get_int (dyno_config_get_child (config, part), "d_model");
}

static char *
dup_states (DynoConfig *encoder)
{
  return g_strdup_printf ("batch + batch, sequence, %" G_GINT64_FORMAT, dyno_clip_get_text_width (encoder));
}

static void
build_text (DynoGraph *graph, DynoConfig *config)
{
  DynoConfig *encoder = dyno_config_get_child (config, "text_encoder");
  g_autofree char *dimensions = dup_states (encoder);
  const char *states;

  dyno_diffusion_pipeline_check_text (encoder);
  dyno_graph_push_scope (graph, "text_encoder");
  states = dyno_clip_add_text (
      graph, encoder,
      dyno_diffusion_pipeline_add_texts (graph, "", dyno_clip_get_n_tokens (encoder), "sequence"));
  dyno_graph_pop_scope (graph);
  if (states != NULL)
    dyno_graph_add_output (graph, STATES, states, dimensions);
}

static char *
dup_projected (gint64 width)
{
  return g_strdup_printf ("batch + batch, %" G_GINT64_FORMAT, width);
}

static void
build_text_of_pair (DynoGraph *graph, DynoConfig *config, const char *part, const char *suffix)
{
  DynoConfig *encoder = dyno_config_get_child (config, part);
  g_autofree char *output = g_strconcat (STATES, suffix, NULL);
  g_autofree char *dimensions = dup_states (encoder);
  g_autofree char *pooled = dup_projected (dyno_clip_get_projected_width (encoder));
  const char *states, *projected, *ids;

  dyno_diffusion_pipeline_check_text (encoder);
  dyno_graph_push_scope (graph, "%s", part);
  ids = dyno_diffusion_pipeline_add_texts (graph, suffix, dyno_clip_get_n_tokens (encoder), "sequence");
  states = dyno_clip_add_text_inside (graph, encoder, ids, &projected);
  dyno_graph_pop_scope (graph);
  if (states == NULL)
    return;
  dyno_graph_add_output (graph, output, states, dimensions);
  if (projected != NULL)
    dyno_graph_add_output (graph, PROJECTED, projected, pooled);
}

static void
build_first_text (DynoGraph *graph, DynoConfig *config)
{
  build_text_of_pair (graph, config, "text_encoder", "");
}

static void
build_second_text (DynoGraph *graph, DynoConfig *config)
{
  build_text_of_pair (graph, config, "text_encoder_2", "_2");
}

static void
check_latents (const DynoUnet *unet, DynoConfig *part)
{
  dyno_config_check_fixed (part, &unet_kind, 1);
  if (dyno_unet_get_n_results (unet) != dyno_unet_get_n_channels (unet))
    dyno_config_fail (part, _ ("its “out_channels” are not its “in_channels”"));
  if (dyno_unet_get_condition_width (unet) > 0)
    dyno_config_fail (part, _ ("its “time_cond_proj_dim” is not of this pipeline"));
}

static void
check_unet (const DynoUnet *unet, DynoConfig *config)
{
  DynoConfig *part = dyno_config_get_child (config, "unet");

  check_latents (unet, part);
  if (dyno_unet_get_states_width (unet) !=
      dyno_clip_get_text_width (dyno_config_get_child (config, "text_encoder")))
    dyno_config_fail (part, _ ("its “cross_attention_dim” is not the “hidden_size” of “text_encoder”"));
  if (dyno_unet_get_text_width (unet) > 0)
    dyno_config_fail (part, _ ("its “addition_embed_type” is not of this pipeline"));
}

static void
check_pair (const DynoUnet *unet, DynoConfig *config)
{
  DynoConfig *part = dyno_config_get_child (config, "unet");
  DynoConfig *first = dyno_config_get_child (config, "text_encoder");
  DynoConfig *second = dyno_config_get_child (config, "text_encoder_2");
  gint64 width = dyno_clip_get_text_width (first) + dyno_clip_get_text_width (second);

  check_latents (unet, part);
  if (dyno_unet_get_states_width (unet) != width)
    dyno_config_fail (part, _ ("its “cross_attention_dim” is not the sum of both “hidden_size” of "
                               "“text_encoder” and “text_encoder_2”"));
  if (dyno_unet_get_text_width (unet) == 0)
    dyno_config_fail (part, _ ("its “addition_embed_type” is not of this pipeline"));
  else if (dyno_unet_get_text_width (unet) != dyno_clip_get_projected_width (second) ||
           dyno_clip_get_projected_width (first) > 0)
    dyno_config_fail (part, _ ("its “projection_class_embeddings_input_dim” does not suit what "
                               "“text_encoder_2” projects a text into"));
}

/* Adds the inputs of the network about a text: its tokens, and with two text encoders also the text as a
 * whole and the size and crop of the image. */
static void
add_conditions (DynoGraph *graph, DynoConfig *config, const DynoUnet *unet, DynoUnetInputs *inputs)
{
  DynoDataType type = dyno_graph_get_real_type (graph);
  const char *const parts[] = { "text_encoder", "text_encoder_2" };
  const char *const names[] = { STATES, STATES "_2" };
  gboolean is_pair = dyno_unet_get_text_width (unet) > 0;
  g_autofree char *sizes = g_strdup_printf ("batch, %d", DYNO_UNET_N_TIME_IDS);
  g_autofree char *pooled = dup_projected (dyno_unet_get_text_width (unet));
  const char *states[2];

  for (guint i = 0; i < (is_pair ? 2 : 1); i++)
    {
      g_autofree char *text = dup_states (dyno_config_get_child (config, parts[i]));

      states[i] = dyno_graph_add_input (graph, names[i], type, text);
    }
  inputs->states = states[0];
  if (!is_pair)
    return;
  inputs->text = dyno_graph_add_input (graph, PROJECTED, type, pooled);
  inputs->time_ids = dyno_graph_add_input (graph, "time_ids", DYNO_DATA_TYPE_INT64, sizes);
  dyno_graph_limit_input (graph, "time_ids", DYNO_UNET_MAX_PIXELS);
  inputs->time_ids = dyno_diffusion_pipeline_twice (graph, inputs->time_ids, inputs->time_ids);
  dyno_graph_push_scope (graph, "guidance");
  inputs->states = dyno_graph_add (graph, "Concat", "axis=2", states[0], states[1], NULL);
  dyno_graph_pop_scope (graph);
}

static void
build_denoiser (DynoGraph *graph,
                DynoConfig *config,
                void (*check) (const DynoUnet *unet, DynoConfig *config))
{
  g_autoptr (DynoUnet) unet = dyno_unet_new (dyno_config_get_child (config, "unet"));
  g_autoptr (DynoSchedule) schedule = dyno_schedule_new (dyno_config_get_child (config, "scheduler"));
  const char *answer;

  check (unet, config);
  if (dyno_config_check (config, NULL))
    {
      gint64 channels = dyno_unet_get_n_channels (unet);
      gint64 side = dyno_unet_get_side (unet);
      g_autofree char *place =
          g_strdup_printf ("latent_height=%" G_GINT64_FORMAT ", latent_width=%" G_GINT64_FORMAT, side, side);
      float guidance = dyno_unet_get_text_width (unet) > 0 ? PAIR_GUIDANCE : TEXT_GUIDANCE;
      const char *sample =
          dyno_diffusion_pipeline_add_latents (graph, DYNO_DIFFUSION_PIPELINE_SAMPLE, channels, place);
      const char *levels = dyno_schedule_add_levels (schedule, graph, N_STEPS);
      DynoUnetInputs inputs = {
        .sample = dyno_diffusion_pipeline_twice (graph, sample, sample),
        .timestep = dyno_schedule_add_time (schedule, graph, levels),
      };

      add_conditions (graph, config, unet, &inputs);
      dyno_graph_push_scope (graph, "unet");
      answer = dyno_unet_add (unet, graph, &inputs);
      dyno_graph_pop_scope (graph);
      answer = dyno_diffusion_pipeline_guide (graph, sample, answer, guidance);
      add_result (graph, schedule, levels, sample, answer, channels, place);
    }
}

static void
build_unet (DynoGraph *graph, DynoConfig *config)
{
  build_denoiser (graph, config, check_unet);
}

static void
build_unet_of_pair (DynoGraph *graph, DynoConfig *config)
{
  build_denoiser (graph, config, check_pair);
}

static char *
dup_square (gint64 side)
{
  return g_strdup_printf ("%" G_GINT64_FORMAT ", %" G_GINT64_FORMAT, side, side);
}

/* The part that a model of classes and one of texts have in common. */
static void
add_dit (
    DynoGraph *graph, const DynoDit *dit, const DynoSchedule *schedule, DynoDitInputs *inputs, float guidance)
{
  gint64 channels = dyno_dit_get_n_channels (dit);
  const gint64 sizes[] = { channels, dyno_dit_get_n_results (dit) - channels };
  g_autofree char *place = dup_square (dyno_dit_get_side (dit));
  const char *sample =
      dyno_diffusion_pipeline_add_latents (graph, DYNO_DIFFUSION_PIPELINE_SAMPLE, channels, place);
  const char *levels = dyno_schedule_add_levels (schedule, graph, N_STEPS);
  const char *answer, *shape, *none, *parts[2];

  inputs->sample = dyno_diffusion_pipeline_twice (graph, sample, sample);
  inputs->timestep = dyno_schedule_add_time (schedule, graph, levels);
  if (dyno_dit_get_states_width (dit) == 0)
    {
      gint64 n_classes = dyno_dit_get_n_classes (dit);
      const char *labels = dyno_graph_add_input (graph, "class_labels", DYNO_DATA_TYPE_INT64, "batch");

      dyno_graph_limit_input (graph, labels, n_classes);
      dyno_graph_push_scope (graph, "guidance");
      shape = dyno_graph_add (graph, "Shape", NULL, labels, NULL);
      none = dyno_graph_add (graph, "Expand", NULL, dyno_graph_add_ints (graph, 1, &n_classes), shape, NULL);
      dyno_graph_pop_scope (graph);
      inputs->labels = dyno_diffusion_pipeline_twice (graph, none, labels);
    }
  dyno_graph_push_scope (graph, "transformer");
  answer = dyno_dit_add (dit, graph, inputs);
  dyno_graph_pop_scope (graph);
  if (sizes[1] > 0)
    {
      /* Some models also output a variance after the noise; a deterministic step needs only the noise. */
      dyno_graph_push_scope (graph, "guidance");
      dyno_graph_add_split (graph, answer, 1, 2, sizes, parts);
      dyno_graph_pop_scope (graph);
      answer = parts[0];
    }
  answer = dyno_diffusion_pipeline_guide (graph, sample, answer, guidance);
  add_result (graph, schedule, levels, sample, answer, channels, place);
}

static void
check_dit (const DynoDit *dit, DynoConfig *part, gint64 states_width)
{
  if (dyno_dit_get_n_results (dit) < dyno_dit_get_n_channels (dit))
    dyno_config_fail (part, _ ("its “out_channels” are fewer than its “in_channels”"));
  if ((dyno_dit_get_states_width (dit) > 0) != (states_width > 0))
    dyno_config_fail (part, _ ("its “norm_type” is not of this pipeline"));
  else if (dyno_dit_get_states_width (dit) != states_width)
    dyno_config_fail (part, _ ("its “caption_channels” are not the “d_model” of “text_encoder”"));
}

static void
build_dit (DynoGraph *graph, DynoConfig *config)
{
  DynoConfig *part = dyno_config_get_child (config, "transformer");
  g_autoptr (DynoDit) dit = dyno_dit_new (part);
  g_autoptr (DynoSchedule) schedule = dyno_schedule_new (dyno_config_get_child (config, "scheduler"));
  DynoDitInputs inputs = { NULL };

  check_dit (dit, part, 0);
  if (dyno_config_check (config, NULL))
    add_dit (graph, dit, schedule, &inputs, CLASS_GUIDANCE);
}

/* The usual length of a text: PixArt-Σ reads longer ones than PixArt-α. */
static const char *
get_t5_tokens (DynoConfig *config)
{
  return g_str_equal (dyno_config_get_string_or (config, "_class_name", ""), "PixArtSigmaPipeline")
             ? "t5_tokens=300"
             : "t5_tokens=120";
}

static void
build_t5 (DynoGraph *graph, DynoConfig *config)
{
  static const char *const names[] = { "negative_attention_mask", "attention_mask" };
  const char *length = get_t5_tokens (config);
  gint64 n_tokens = dyno_diffusion_pipeline_count_t5_tokens (config, "text_encoder");
  gint64 width = dyno_diffusion_pipeline_get_t5_width (config, "text_encoder");
  const char *ids = dyno_diffusion_pipeline_add_texts (graph, "", n_tokens, length);
  g_autofree char *dimensions = g_strdup_printf ("batch + batch, t5_tokens, %" G_GINT64_FORMAT, width);
  g_autofree char *of_text = g_strconcat ("batch, ", length, NULL);
  const char *masks[2], *states;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    masks[i] = dyno_graph_add_input (graph, names[i], DYNO_DATA_TYPE_INT64, of_text);
  masks[0] = dyno_diffusion_pipeline_twice (graph, masks[0], masks[1]);
  states = dyno_diffusion_pipeline_add_t5 (graph, config, "text_encoder", ids, masks[0]);
  if (states == NULL)
    return;
  dyno_graph_add_output (graph, STATES, states, dimensions);
  dyno_graph_add_output (graph, MASK, masks[0], "batch + batch, t5_tokens");
}

DynoAutoencoder *
dyno_diffusion_pipeline_read_decoder (DynoConfig *config, const char *network, gint64 channels)
{
  DynoConfig *part = dyno_config_get_child (config, "vae");
  DynoAutoencoder *decoder = dyno_autoencoder_new (part);

  dyno_config_check_fixed (part, &decoder_kind, 1);
  if (dyno_autoencoder_get_n_channels (decoder) != channels)
    dyno_config_fail (part, _ ("its “latent_channels” are not the “in_channels” of “%s”"), network);
  if (!(dyno_autoencoder_get_scale (decoder) > 0))
    dyno_config_fail (part, _ ("its “scaling_factor” is 0"));
  return decoder;
}

static DynoAutoencoder *
read_decoder (DynoConfig *config, const char *network)
{
  gint64 channels = dyno_config_get_int_or (dyno_config_get_child (config, network), "in_channels", 4);

  return dyno_diffusion_pipeline_read_decoder (config, network, channels);
}

static void
build_dit_of_text (DynoGraph *graph, DynoConfig *config)
{
  DynoConfig *part = dyno_config_get_child (config, "transformer");
  g_autoptr (DynoDit) dit = dyno_dit_new (part);
  g_autoptr (DynoSchedule) schedule = dyno_schedule_new (dyno_config_get_child (config, "scheduler"));
  g_autoptr (DynoAutoencoder) decoder = read_decoder (config, "transformer");
  gint64 width = dyno_diffusion_pipeline_get_t5_width (config, "text_encoder");
  const char *length = get_t5_tokens (config);
  g_autofree char *dimensions = g_strdup_printf ("batch + batch, %s, %" G_GINT64_FORMAT, length, width);
  g_autofree char *of_text = g_strconcat ("batch + batch, ", length, NULL);
  DynoDitInputs inputs = { NULL };

  check_dit (dit, part, width);
  if (!dyno_config_check (config, NULL))
    return;
  inputs.states = dyno_graph_add_input (graph, STATES, dyno_graph_get_real_type (graph), dimensions);
  inputs.mask = dyno_graph_add_input (graph, MASK, DYNO_DATA_TYPE_INT64, of_text);
  inputs.mask = dyno_layers_padding_mask (graph, inputs.mask);
  if (dyno_dit_has_sizes (dit))
    {
      /* The images are as large as those of training. */
      gint64 side = dyno_dit_get_side (dit) * dyno_autoencoder_get_growth (decoder);
      const gint64 sides[] = { side, side };
      const float ratio = 1;

      inputs.resolution = dyno_graph_add_ints (graph, 2, sides);
      inputs.ratio = dyno_graph_add_floats (graph, 1, &ratio);
    }
  add_dit (graph, dit, schedule, &inputs, T5_GUIDANCE);
}

void
dyno_diffusion_pipeline_add_pictures (DynoGraph *graph,
                                      const DynoAutoencoder *decoder,
                                      const char *place,
                                      gboolean is_shifted)
{
  g_autofree char *dimensions = g_strdup_printf ("batch, %" G_GINT64_FORMAT ", height, width",
                                                 dyno_autoencoder_get_n_colours (decoder));
  const char *value = dyno_diffusion_pipeline_add_latents (graph, DYNO_DIFFUSION_PIPELINE_NEXT_SAMPLE,
                                                           dyno_autoencoder_get_n_channels (decoder), place);

  dyno_graph_push_scope (graph, "vae");
  value = dyno_graph_add (graph, "Div", NULL, value,
                          dyno_graph_add_real (graph, (float)dyno_autoencoder_get_scale (decoder)), NULL);
  if (is_shifted)
    value = dyno_graph_add (graph, "Add", NULL, value,
                            dyno_graph_add_real (graph, (float)dyno_autoencoder_get_shift (decoder)), NULL);
  value = dyno_autoencoder_add (decoder, graph, value);
  dyno_graph_pop_scope (graph);
  dyno_graph_add_output (graph, "images", value, dimensions);
}

static void
build_pictures (DynoGraph *graph, DynoConfig *config)
{
  g_autoptr (DynoAutoencoder) decoder = read_decoder (config, "unet");

  if (dyno_config_check (config, NULL))
    dyno_diffusion_pipeline_add_pictures (graph, decoder, "latent_height, latent_width", FALSE);
}

static void
build_square_pictures (DynoGraph *graph, DynoConfig *config)
{
  g_autoptr (DynoAutoencoder) decoder = read_decoder (config, "transformer");
  g_autofree char *place =
      dup_square (dyno_config_get_int_or (dyno_config_get_child (config, "transformer"), "sample_size", 32));

  if (dyno_config_check (config, NULL))
    dyno_diffusion_pipeline_add_pictures (graph, decoder, place, FALSE);
}

const DynoStage dyno_diffusion_text_stages[] = {
  { .name = "text_encoder", .build = build_text },
  { .name = "unet", .build = build_unet, .repeats = "steps" },
  { .name = "vae_decoder", .build = build_pictures },
  { NULL },
};

const DynoStage dyno_diffusion_pair_stages[] = {
  { .name = "text_encoder", .build = build_first_text },
  { .name = "text_encoder_2", .build = build_second_text },
  { .name = "unet", .build = build_unet_of_pair, .repeats = "steps" },
  { .name = "vae_decoder", .build = build_pictures },
  { NULL },
};

const DynoStage dyno_diffusion_t5_stages[] = {
  { .name = "text_encoder", .build = build_t5 },
  { .name = "transformer", .build = build_dit_of_text, .repeats = "steps" },
  { .name = "vae_decoder", .build = build_square_pictures },
  { NULL },
};

const DynoStage dyno_diffusion_class_stages[] = {
  { .name = "transformer", .build = build_dit, .repeats = "steps" },
  { .name = "vae_decoder", .build = build_square_pictures },
  { NULL },
};
