/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-architecture.h"
#include "dyno-config-checks.h"
#include "dyno-layers.h"
#include "dyno-model-families-private.h"
#include "dyno-model-graph-private.h"

/* Moonshine, Jeffries et al. 2024: three convolutions read any number of samples, and positions rotate
 * queries and keys. */

#define EPSILON 1e-5

/* The windows and strides of the convolutions. */
static const gint64 kernels[] = { 127, 7, 3 };
static const gint64 strides[] = { 64, 3, 2 };

typedef struct
{
  DynoSeq2seq model;
  DynoRotary rotary;
} Moonshine;

static DynoStack
read_stack (DynoConfig *config, const char *prefix)
{
  g_autofree char *layers = g_strconcat (prefix, "_num_hidden_layers", NULL);
  g_autofree char *heads = g_strconcat (prefix, "_num_attention_heads", NULL);
  g_autofree char *groups = g_strconcat (prefix, "_num_key_value_heads", NULL);
  g_autofree char *activation = g_strconcat (prefix, "_hidden_act", NULL);
  gboolean is_decoder = g_str_equal (prefix, "decoder");
  DynoStack self = {
    .names = { .layer = "layers",
               .query = "q_proj",
               .key = "k_proj",
               .value = "v_proj",
               .output = "o_proj",
               .up = "fc1",
               .down = "fc2",
               .self = { "self_attn", "input_layernorm" } },
    .width = dyno_config_get_int_or (config, "hidden_size", 288),
    .n_layers = dyno_config_get_int_or (config, layers, 6),
    .n_heads = dyno_config_get_int_or (config, heads, 8),
    .inner_width = dyno_config_get_int_or (config, "intermediate_size", 1152),
    .has_inner_bias = TRUE,
    .has_no_norm_bias = TRUE,
    .is_joined = is_decoder,
    .is_pre_norm = TRUE,
    .is_scaled = TRUE,
    .epsilon = EPSILON,
    .activation = dyno_config_get_string_or (config, activation, is_decoder ? "silu" : "gelu"),
    .fields = { .layers = g_intern_string (layers),
                .heads = g_intern_string (heads),
                .activation = g_intern_string (activation) },
  };

  self.head_width = self.width / self.n_heads;
  self.scope = is_decoder ? "model.decoder" : "model.encoder";
  self.names.final_norm = is_decoder ? "norm" : "layer_norm";
  self.names.cross = (DynoStackBlock){ "encoder_attn", "post_attention_layernorm" };
  self.names.inner = (DynoStackBlock){ "mlp", is_decoder ? "final_layernorm" : "post_attention_layernorm" };
  if (dyno_config_get_int_or (config, groups, self.n_heads) != self.n_heads)
    dyno_config_fail (config, _ ("its “%s” are not its “%s”, and Dyno can build nothing else"), groups,
                      heads);
  return self;
}

/* Both stacks rotate the heads of the encoder's width. */
static void
read_moonshine (Moonshine *self, DynoConfig *config)
{
  static const DynoConfigFixed fixed = { "attention_bias", "false" };
  double share = dyno_config_get_double_or (config, "partial_rotary_factor", 0.9);
  double theta = dyno_config_get_double_or (config, "rope_theta", 10000);

  *self = (Moonshine){ .model = {
                           .encoder = read_stack (config, "encoder"),
                           .decoder = read_stack (config, "decoder"),
                           .shared = "model.decoder.embed_tokens",
                           .head = "proj_out",
                           .vocabulary = dyno_config_get_int_or (config, "vocab_size", 32768),
                           .n_positions = dyno_config_get_int_or (config, "max_position_embeddings", 512),
                           .positions = DYNO_SEQ2SEQ_ROTARY,
                           .is_tied = dyno_config_get_boolean_or (config, "tie_word_embeddings", TRUE),
                           .embedding_scale = 1,
                       } };
  self->rotary = dyno_rotary_read (config, NULL, theta, self->model.encoder.head_width, share);
  self->rotary.is_interleaved = TRUE;
  self->model.encoder.rotary = self->model.decoder.rotary = &self->rotary;
  dyno_config_check_fixed (config, &fixed, 1);
  dyno_seq2seq_check (&self->model, config);
  if (self->model.encoder.n_heads != self->model.decoder.n_heads)
    dyno_config_fail (config, _ ("its “%s” are not its “%s”, and Dyno can build nothing else"),
                      "encoder_num_attention_heads", "decoder_num_attention_heads");
}

static void
build_encoder (DynoGraph *graph, DynoConfig *config)
{
  const DynoStack *stack;
  DynoStackSources sources = { NULL };
  const gint64 channel = 1;
  gint64 least = 1, width;
  const char *value;
  Moonshine self;

  read_moonshine (&self, config);
  if (!dyno_config_check (config, NULL))
    return;
  stack = &self.model.encoder;
  width = stack->width;
  const DynoTimeConvolution layers[] = {
    { width, kernels[0], strides[0], 1, { 0 }, FALSE },
    { 2 * width, kernels[1], strides[1], 1, { 0 }, TRUE },
    { width, kernels[2], strides[2], 1, { 0 }, TRUE },
  };
  value = dyno_graph_add_input (graph, "input_values", dyno_graph_get_real_type (graph), "batch, samples");
  for (guint i = G_N_ELEMENTS (kernels); i-- > 0;)
    least = (least - 1) * strides[i] + kernels[i];
  dyno_graph_require_size (graph, "samples", least);
  dyno_graph_push_scope (graph, "model.encoder");
  value = dyno_graph_add (graph, "Unsqueeze", NULL, value, dyno_graph_add_ints (graph, 1, &channel), NULL);
  value =
      dyno_layers_activation (graph, "tanh", dyno_time_convolution_add (&layers[0], graph, "conv1", value));
  value = dyno_convolution_normalize_groups (graph, "groupnorm", value, 1, EPSILON);
  value =
      dyno_layers_activation (graph, "gelu", dyno_time_convolution_add (&layers[1], graph, "conv2", value));
  value =
      dyno_layers_activation (graph, "gelu", dyno_time_convolution_add (&layers[2], graph, "conv3", value));
  value = dyno_time_convolution_swap (graph, value);
  dyno_graph_pop_scope (graph);
  dyno_graph_push_scope (graph, "%s", stack->scope);
  sources.rotation = dyno_seq2seq_rotate (stack, graph, dyno_relative_places (graph, value, 1));
  dyno_graph_pop_scope (graph);
  value = dyno_stack_add (stack, graph, value, &sources);
  dyno_seq2seq_add_states (&self.model, graph, value, "frames");
}

static void
build_decoder (DynoGraph *graph, DynoConfig *config)
{
  /* How many frames the convolutions make from the samples of the case. */
  gint64 n = dyno_graph_find_size (graph, "samples");

  for (guint i = 0; i < G_N_ELEMENTS (kernels); i++)
    n = (n - kernels[i]) / strides[i] + 1;

  g_autofree char *frames = g_strdup_printf ("frames=%" G_GINT64_FORMAT, MAX (n, 1));
  Moonshine self;

  read_moonshine (&self, config);
  if (dyno_config_check (config, NULL))
    dyno_seq2seq_add_decoder (&self.model, graph, frames, FALSE);
}

static const DynoStage stages[] = {
  { "encoder", build_encoder, TRUE },
  { "decoder", build_decoder },
  { NULL },
};

static const DynoNamePair pairs[] = { { "model.decoder.embed_tokens.", "proj_out." }, { NULL } };
static const DynoNaming naming = { "model", pairs };

const DynoArchitecture dyno_moonshine_architectures[] = {
  { "moonshine", &dyno_speech_family, "automatic-speech-recognition", NULL, &naming, stages },
  { NULL },
};
