/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-architecture.h"
#include "dyno-model-families-private.h"

/* The pipelines of Flux and Stable Diffusion 3: text encoders of CLIP and T5, a transformer in which text and picture
 * attend to each other, and a decoder. */

/* Defaults of published pipelines; a model that has not learned to be guided was trained for few steps. */
#define FLUX_GUIDANCE   3.5f
#define FLUX_STEPS      28
#define FLUX_FEW_STEPS  4
#define FLUX_TOKENS     512
#define FLUX_FEW_TOKENS 256
#define SD3_GUIDANCE    7.0f
#define SD3_STEPS       28
#define SD3_TOKENS      "t5_tokens=256"

#define TEXT   "pooled_projections"
#define STATES DYNO_DIFFUSION_PIPELINE_STATES

#define TWICE "batch + batch"

static const DynoConfigFixed flux_kind = { "_class_name", "\"FluxTransformer2DModel\"" };
static const DynoConfigFixed sd3_kind = { "_class_name", "\"SD3Transformer2DModel\"" };

static const char *
add_vectors (DynoGraph *graph, const char *name, const char *dimensions, gint64 width)
{
  g_autofree char *whole = g_strdup_printf ("%s, %" G_GINT64_FORMAT, dimensions, width);

  return dyno_graph_add_input (graph, name, dyno_graph_get_real_type (graph), whole);
}

static void
give_vectors (DynoGraph *graph, const char *name, const char *value, const char *dimensions)
{
  const DynoShape *shape = dyno_graph_get_shape (graph, value);
  g_autofree char *whole =
      g_strdup_printf ("%s, %" G_GINT64_FORMAT, dimensions, shape->dims[shape->rank - 1]);

  dyno_graph_add_output (graph, name, value, whole);
}

static char *
dup_place (const DynoJoint *joint)
{
  gint64 side = dyno_joint_get_side (joint);

  return g_strdup_printf ("latent_height=%" G_GINT64_FORMAT ", latent_width=%" G_GINT64_FORMAT, side, side);
}

static void
build_flux_text (DynoGraph *graph, DynoConfig *config)
{
  DynoConfig *encoder = dyno_config_get_child (config, "text_encoder");
  const char *ids = dyno_graph_add_input (graph, "input_ids", DYNO_DATA_TYPE_INT64, "batch, sequence");
  const char *value;

  dyno_diffusion_pipeline_check_text (encoder);
  dyno_graph_limit_input (graph, ids, dyno_clip_get_n_tokens (encoder));
  dyno_graph_push_scope (graph, "text_encoder");
  value = dyno_clip_add_text_pooled (graph, encoder, ids);
  dyno_graph_pop_scope (graph);
  if (value != NULL)
    give_vectors (graph, TEXT, value, "batch");
}

/* T5 reads longer texts than CLIP, so they have their own dimension. */
static char *
dup_tokens (const DynoJoint *joint)
{
  return g_strdup_printf ("t5_tokens=%d", dyno_joint_has_guidance (joint) ? FLUX_TOKENS : FLUX_FEW_TOKENS);
}

static void
build_flux_states (DynoGraph *graph, DynoConfig *config)
{
  g_autoptr (DynoJoint) joint = dyno_joint_new_flux (dyno_config_get_child (config, "transformer"));
  g_autofree char *n_tokens = dup_tokens (joint);
  g_autofree char *dimensions = g_strconcat ("batch, ", n_tokens, NULL);
  const char *ids = dyno_graph_add_input (graph, "input_ids_2", DYNO_DATA_TYPE_INT64, dimensions);
  const char *value;

  dyno_graph_limit_input (graph, ids, dyno_diffusion_pipeline_count_t5_tokens (config, "text_encoder_2"));
  value = dyno_diffusion_pipeline_add_t5 (graph, config, "text_encoder_2", ids, NULL);
  if (value != NULL)
    give_vectors (graph, STATES, value, dimensions);
}

static void
check_joint (const DynoJoint *joint, DynoConfig *part, gint64 states_width, gint64 text_width)
{
  if (dyno_joint_get_n_results (joint) != dyno_joint_get_n_channels (joint))
    dyno_config_fail (part, _ ("its “out_channels” are not its “in_channels”"));
  if (dyno_joint_get_states_width (joint) != states_width)
    dyno_config_fail (part, _ ("its “joint_attention_dim” is not the “d_model” of the text encoder of T5"));
  if (dyno_joint_get_text_width (joint) != text_width)
    dyno_config_fail (part, _ ("its “pooled_projection_dim” does not suit the text encoders"));
}

/* Adds a step of the transformer; with guidance each picture is denoised once without and once with its text. */
static void
add_step (DynoGraph *graph,
          DynoConfig *config,
          const DynoJoint *joint,
          const DynoFlow *flow,
          DynoJointInputs *inputs,
          gint64 n_steps,
          float guidance)
{
  g_autofree char *place = dup_place (joint);
  gint64 n_channels = dyno_joint_get_n_channels (joint);
  g_autofree char *dimensions = g_strdup_printf ("batch, %" G_GINT64_FORMAT ", %s", n_channels, place);
  const char *sample =
      dyno_diffusion_pipeline_add_latents (graph, DYNO_DIFFUSION_PIPELINE_SAMPLE, n_channels, place);
  const char *steps = dyno_flow_add_input (graph, n_steps);
  DynoFlowStep step = dyno_flow_add_step (flow, graph, steps, dyno_joint_count_tokens (joint, graph, sample));
  const char *answer;

  inputs->sample = guidance > 0 ? dyno_diffusion_pipeline_twice (graph, sample, sample) : sample;
  inputs->timestep = dyno_flow_add_time (flow, graph, &step);
  dyno_graph_push_scope (graph, "transformer");
  answer = dyno_joint_add (joint, graph, inputs);
  dyno_graph_pop_scope (graph);
  if (guidance > 0)
    answer = dyno_diffusion_pipeline_guide (graph, sample, answer, guidance);
  dyno_graph_add_output (graph, DYNO_DIFFUSION_PIPELINE_NEXT_SAMPLE,
                         dyno_flow_move (graph, &step, sample, answer), dimensions);
}

static void
build_flux (DynoGraph *graph, DynoConfig *config)
{
  DynoConfig *part = dyno_config_get_child (config, "transformer");
  g_autoptr (DynoJoint) joint = dyno_joint_new_flux (part);
  const DynoFlow flow = dyno_flow_read (dyno_config_get_child (config, "scheduler"), FALSE);
  gint64 text_width = dyno_clip_get_text_width (dyno_config_get_child (config, "text_encoder"));
  g_autofree char *n_tokens = dup_tokens (joint);
  g_autofree char *dimensions = g_strconcat ("batch, ", n_tokens, NULL);
  DynoJointInputs inputs = { NULL };

  dyno_config_check_fixed (part, &flux_kind, 1);
  check_joint (joint, part, dyno_diffusion_pipeline_get_t5_width (config, "text_encoder_2"), text_width);
  if (!dyno_config_check (config, NULL))
    return;
  inputs.states = add_vectors (graph, STATES, dimensions, dyno_joint_get_states_width (joint));
  inputs.text = add_vectors (graph, TEXT, "batch", text_width);
  if (dyno_joint_has_guidance (joint))
    inputs.guidance = dyno_graph_add_floats (graph, 1, &(const float){ FLUX_GUIDANCE });
  add_step (graph, config, joint, &flow, &inputs,
            dyno_joint_has_guidance (joint) ? FLUX_STEPS : FLUX_FEW_STEPS, 0);
}

/* The names of CLIP's text encoders of Stable Diffusion 3, and of their outputs. */
static const struct
{
  const char *part;
  const char *suffix;
  const char *states;
  const char *text;
} clips[] = {
  { "text_encoder", "", STATES, "text_embeds" },
  { "text_encoder_2", "_2", STATES "_2", "text_embeds_2" },
};

static void
build_clip (DynoGraph *graph, DynoConfig *config, guint i)
{
  DynoConfig *encoder = dyno_config_get_child (config, clips[i].part);
  const char *states, *text, *ids;

  dyno_diffusion_pipeline_check_text (encoder);
  if (dyno_clip_get_projected_width (encoder) == 0)
    dyno_config_fail (encoder, _ ("its “architectures” are not “CLIPTextModelWithProjection”"));
  dyno_graph_push_scope (graph, "%s", clips[i].part);
  ids = dyno_diffusion_pipeline_add_texts (graph, clips[i].suffix, dyno_clip_get_n_tokens (encoder),
                                           "sequence");
  states = dyno_clip_add_text_inside (graph, encoder, ids, &text);
  dyno_graph_pop_scope (graph);
  if (states == NULL)
    return;
  give_vectors (graph, clips[i].states, states, TWICE ", sequence");
  give_vectors (graph, clips[i].text, text, TWICE);
}

static void
build_first_clip (DynoGraph *graph, DynoConfig *config)
{
  build_clip (graph, config, 0);
}

static void
build_second_clip (DynoGraph *graph, DynoConfig *config)
{
  build_clip (graph, config, 1);
}

static void
build_sd3_states (DynoGraph *graph, DynoConfig *config)
{
  gint64 n_tokens = dyno_diffusion_pipeline_count_t5_tokens (config, "text_encoder_3");
  const char *ids = dyno_diffusion_pipeline_add_texts (graph, "_3", n_tokens, SD3_TOKENS);
  const char *value = dyno_diffusion_pipeline_add_t5 (graph, config, "text_encoder_3", ids, NULL);

  if (value != NULL)
    give_vectors (graph, STATES "_3", value, TWICE ", t5_tokens");
}

static void
build_sd3 (DynoGraph *graph, DynoConfig *config)
{
  DynoConfig *part = dyno_config_get_child (config, "transformer");
  g_autoptr (DynoJoint) joint = dyno_joint_new_sd3 (part);
  const DynoFlow flow = dyno_flow_read (dyno_config_get_child (config, "scheduler"), TRUE);
  gint64 width = dyno_joint_get_states_width (joint), clip_width = 0, text_width = 0;
  const char *states[3], *texts[2], *value;
  DynoJointInputs inputs = { NULL };

  dyno_config_check_fixed (part, &sd3_kind, 1);
  for (guint i = 0; i < G_N_ELEMENTS (clips); i++)
    {
      DynoConfig *encoder = dyno_config_get_child (config, clips[i].part);

      clip_width += dyno_clip_get_text_width (encoder);
      text_width += dyno_clip_get_projected_width (encoder);
    }
  check_joint (joint, part, dyno_diffusion_pipeline_get_t5_width (config, "text_encoder_3"), text_width);
  if (clip_width > width)
    dyno_config_fail (part, _ ("its “joint_attention_dim” is less than the sum of both “hidden_size” of "
                               "“text_encoder” and “text_encoder_2”"));
  if (!dyno_config_check (config, NULL))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (clips); i++)
    {
      DynoConfig *encoder = dyno_config_get_child (config, clips[i].part);

      states[i] =
          add_vectors (graph, clips[i].states, TWICE ", sequence", dyno_clip_get_text_width (encoder));
      texts[i] = add_vectors (graph, clips[i].text, TWICE, dyno_clip_get_projected_width (encoder));
    }
  states[2] = add_vectors (graph, STATES "_3", TWICE ", " SD3_TOKENS, width);
  dyno_graph_push_scope (graph, "guidance");

  /* The outputs of both encoders of CLIP beside each other, filled up to the width of those of T5, which follow. */
  gint64 rest = width;
  for (guint i = 0; i < 2; i++)
    rest -= dyno_graph_get_shape (graph, states[i])->dims[2];
  value = dyno_graph_add (graph, "Concat", "axis=2", states[0], states[1], NULL);
  if (rest > 0)
    value = dyno_graph_add (graph, "Pad", NULL, value,
                            dyno_graph_add_ints (graph, 6, (const gint64[]){ 0, 0, 0, 0, 0, rest }), NULL);
  inputs.states = dyno_graph_add (graph, "Concat", "axis=1", value, states[2], NULL);
  inputs.text = dyno_graph_add (graph, "Concat", "axis=1", texts[0], texts[1], NULL);
  dyno_graph_pop_scope (graph);
  add_step (graph, config, joint, &flow, &inputs, SD3_STEPS, SD3_GUIDANCE);
}

static void
build_pictures (DynoGraph *graph, DynoConfig *config, DynoJoint *joint)
{
  g_autoptr (DynoAutoencoder) decoder =
      dyno_diffusion_pipeline_read_decoder (config, "transformer", dyno_joint_get_n_channels (joint));
  g_autofree char *place = dup_place (joint);

  if (dyno_config_check (config, NULL))
    dyno_diffusion_pipeline_add_pictures (graph, decoder, place, TRUE);
}

static void
build_flux_pictures (DynoGraph *graph, DynoConfig *config)
{
  g_autoptr (DynoJoint) joint = dyno_joint_new_flux (dyno_config_get_child (config, "transformer"));

  build_pictures (graph, config, joint);
}

static void
build_sd3_pictures (DynoGraph *graph, DynoConfig *config)
{
  g_autoptr (DynoJoint) joint = dyno_joint_new_sd3 (dyno_config_get_child (config, "transformer"));

  build_pictures (graph, config, joint);
}

const DynoStage dyno_joint_pipeline_flux_stages[] = {
  { .name = "text_encoder", .build = build_flux_text },
  { .name = "text_encoder_2", .build = build_flux_states },
  { .name = "transformer", .build = build_flux, .repeats = "steps" },
  { .name = "vae_decoder", .build = build_flux_pictures },
  { NULL },
};

const DynoStage dyno_joint_pipeline_sd3_stages[] = {
  { .name = "text_encoder", .build = build_first_clip },
  { .name = "text_encoder_2", .build = build_second_clip },
  { .name = "text_encoder_3", .build = build_sd3_states },
  { .name = "transformer", .build = build_sd3, .repeats = "steps" },
  { .name = "vae_decoder", .build = build_sd3_pictures },
  { NULL },
};
