/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-architecture.h"
#include "dyno-config-checks.h"
#include "dyno-decoder.h"
#include "dyno-fusion.h"
#include "dyno-layers.h"
#include "dyno-model-families-private.h"
#include "dyno-tower.h"

/* BLIP-2, Li et al. 2023: a few learned queries attend to the output of a vision transformer (the Q-Former), and the
 * results replace placeholder tokens in a text. */

typedef struct
{
  DynoTower vision;
  DynoStack former;
  DynoDecoder decoder; /* the language model is this, */
  DynoSeq2seq seq2seq; /* or this */
  gint64 text_width;
  gint64 image_side;
  gint64 patch_side;
  gint64 n_channels;
  gint64 n_queries;
  gint64 picture_token;
} Blip2;

static const DynoTowerNames vision_names = {
  .layer = "encoder.layers",
  .attention_norm = "layer_norm1",
  .attention = "self_attn",
  .joined = "qkv",
  .output = "self_attn.projection",
  .inner_norm = "layer_norm2",
  .up_dense = "mlp.fc1",
  .down_dense = "mlp.fc2",
};

static const DynoStackNames former_names = {
  .layer = "layer",
  .query = "attention.query",
  .key = "attention.key",
  .value = "attention.value",
  .output = "output.dense",
  .up = "intermediate_query.dense",
  .down = "output_query.dense",
  .self = { "attention", "attention.output.LayerNorm" },
  .cross = { "crossattention", "crossattention.output.LayerNorm" },
  .inner = { NULL, "output_query.LayerNorm" },
};

static gint64
count_patches (const Blip2 *self)
{
  gint64 per_side = self->image_side / self->patch_side;

  return per_side * per_side;
}

static void
add_vision (const Blip2 *self, DynoGraph *graph)
{
  gint64 width = self->vision.width;
  const gint64 dims[] = { 1, count_patches (self) + 1, width };
  const char *pixels = dyno_tower_add_pixels (graph, self->n_channels, self->image_side, self->image_side);
  const char *token, *value;

  dyno_graph_push_scope (graph, "vision_model");
  dyno_graph_push_scope (graph, "embeddings");
  token = dyno_tower_add_tokens (graph, "class_embedding", pixels, 1, width);
  value = dyno_tower_cut_patches (graph, "patch_embedding", pixels, width, self->patch_side, TRUE);
  value = dyno_graph_add (graph, "Concat", "axis=1", token, value, NULL);
  value = dyno_graph_add (graph, "Add", NULL, value,
                          dyno_graph_add_weight (graph, "position_embedding", 0, 0.02, 3, dims), NULL);
  dyno_graph_pop_scope (graph);
  value = dyno_tower_add (&self->vision, graph, value, NULL);
  value = dyno_layers_layer_norm (graph, "post_layernorm", value, self->vision.epsilon);
  dyno_graph_pop_scope (graph);
  dyno_fusion_give (graph, DYNO_FUSION_STATES, value);
}

static void
add_former (const Blip2 *self, DynoGraph *graph)
{
  const gint64 dims[] = { 1, self->n_queries, self->former.width };
  const DynoStackSources sources = {
    .states = dyno_fusion_take (graph, DYNO_FUSION_STATES, count_patches (self) + 1, self->vision.width),
  };
  const char *value = dyno_graph_add_weight (graph, "query_tokens", 0, 1, 3, dims);

  dyno_graph_push_scope (graph, "qformer");
  value = dyno_tower_spread_token (graph, value, sources.states, self->former.width);
  value = dyno_layers_layer_norm (graph, "layernorm", value, self->former.epsilon);
  value = dyno_stack_add (&self->former, graph, value, &sources);
  dyno_graph_pop_scope (graph);
  value = dyno_layers_linear (graph, "language_projection", value, self->text_width, TRUE);
  dyno_fusion_give (graph, DYNO_FUSION_FEATURES, value);
}

static void
blip2_clear (Blip2 *self)
{
  dyno_decoder_clear (&self->decoder);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Blip2, blip2_clear)

static void
read_picture (Blip2 *self, DynoConfig *config)
{
  DynoConfig *vision = dyno_config_get_child (config, "vision_config");
  DynoConfig *former = dyno_config_get_child (config, "qformer_config");

  /* Defaults of configs are those of the first model, with OPT 2.7B. */
  self->vision = (DynoTower){
    .names = &vision_names,
    .width = dyno_config_get_int_or (vision, "hidden_size", 1408),
    .n_layers = dyno_config_get_int_or (vision, "num_hidden_layers", 39),
    .n_heads = dyno_config_get_int_or (vision, "num_attention_heads", 16),
    .inner_width = dyno_config_get_int_or (vision, "intermediate_size", 6144),
    .has_input_bias = dyno_config_get_boolean_or (vision, "qkv_bias", TRUE),
    .epsilon = dyno_config_get_double_or (vision, "layer_norm_eps", 1e-6),
    .activation = dyno_config_get_string_or (vision, "hidden_act", "gelu"),
  };
  gint64 width = dyno_config_get_int_or (former, "hidden_size", 768);
  gint64 n_heads = dyno_config_get_int_or (former, "num_attention_heads", 12);
  self->former = (DynoStack){
    .scope = "encoder",
    .names = former_names,
    .width = width,
    .n_layers = dyno_config_get_int_or (former, "num_hidden_layers", 12),
    .n_heads = n_heads,
    .head_width = width / n_heads,
    .inner_width = dyno_config_get_int_or (former, "intermediate_size", 3072),
    .has_bias = TRUE,
    .is_scaled = TRUE,
    .cross_interval = dyno_config_get_int_or (former, "cross_attention_frequency", 2),
    .epsilon = dyno_config_get_double_or (former, "layer_norm_eps", 1e-12),
    .activation = dyno_config_get_string_or (former, "hidden_act", "gelu"),
  };
  self->image_side = dyno_config_get_int_or (vision, "image_size", 224);
  self->patch_side = dyno_config_get_int_or (vision, "patch_size", 14);
  self->n_channels = dyno_config_get_int_or (vision, "num_channels", 3);
  self->n_queries = dyno_config_get_int_or (config, "num_query_tokens", 32);
  self->picture_token = dyno_config_get_int (config, "image_token_index");

  dyno_tower_check (&self->vision, vision);
  dyno_config_check_patches (vision, "patch_size", self->image_side, self->patch_side);
  dyno_stack_check (&self->former, former);
  if (dyno_config_get_int_or (former, "encoder_hidden_size", self->vision.width) != self->vision.width)
    dyno_config_fail (former, _ ("its “encoder_hidden_size” is not the “hidden_size” of “vision_config”"));
  if (dyno_config_get_boolean_or (former, "use_qformer_text_input", FALSE))
    dyno_config_fail (former, _ ("“%s” is not supported"), "use_qformer_text_input");
}

static gboolean
read_blip2 (Blip2 *self, DynoConfig *config)
{
  DynoConfig *text = dyno_config_get_child (config, "text_config");

  read_picture (self, config);
  dyno_decoder_set_usual (text);
  dyno_decoder_read (&self->decoder, text);
  self->text_width = self->decoder.width;
  dyno_fusion_check (config, "image_token_index", self->picture_token, &self->decoder);
  return dyno_config_check (config, NULL);
}

/* With an encoder and decoder of text; the encoder reads the picture as well. */
static gboolean
read_with_encoder (Blip2 *self, DynoConfig *config)
{
  DynoConfig *text = dyno_config_get_child (config, "text_config");

  read_picture (self, config);
  self->seq2seq = dyno_seq2seq_read_t5 (text);
  self->text_width = self->seq2seq.encoder.width;
  dyno_seq2seq_check (&self->seq2seq, text);
  dyno_fusion_check_token (config, "image_token_index", self->picture_token, self->seq2seq.vocabulary);
  return dyno_config_check (config, NULL);
}

static void
build_vision (DynoGraph *graph, DynoConfig *config)
{
  g_auto (Blip2) self = { 0 };

  if (read_blip2 (&self, config))
    add_vision (&self, graph);
}

static void
build_vision_with_encoder (DynoGraph *graph, DynoConfig *config)
{
  Blip2 self = { 0 };

  if (read_with_encoder (&self, config))
    add_vision (&self, graph);
}

static void
build_former (DynoGraph *graph, DynoConfig *config)
{
  g_auto (Blip2) self = { 0 };

  if (read_blip2 (&self, config))
    add_former (&self, graph);
}

static void
build_fusion (DynoGraph *graph, DynoConfig *config)
{
  g_auto (Blip2) self = { 0 };

  if (read_blip2 (&self, config))
    dyno_fusion_add (&self.decoder, graph, self.picture_token, self.n_queries);
}

static void
build_decoder (DynoGraph *graph, DynoConfig *config)
{
  g_auto (Blip2) self = { 0 };

  if (read_blip2 (&self, config))
    dyno_fusion_add_decoder (&self.decoder, graph);
}

static void
build_former_with_encoder (DynoGraph *graph, DynoConfig *config)
{
  Blip2 self = { 0 };

  if (read_with_encoder (&self, config))
    add_former (&self, graph);
}

static void
build_fusion_with_encoder (DynoGraph *graph, DynoConfig *config)
{
  Blip2 self = { 0 };
  const char *ids, *features, *value;

  if (!read_with_encoder (&self, config))
    return;
  ids = dyno_seq2seq_add_tokens (&self.seq2seq, graph);
  features = dyno_fusion_take (graph, DYNO_FUSION_FEATURES, self.n_queries, self.text_width);
  dyno_graph_push_scope (graph, "language_model");
  value = dyno_seq2seq_embed (&self.seq2seq, graph, &self.seq2seq.encoder, ids);
  dyno_graph_pop_scope (graph);
  dyno_fusion_insert (graph, ids, value, self.picture_token, features);
}

static void
build_encoder (DynoGraph *graph, DynoConfig *config)
{
  Blip2 self = { 0 };

  if (read_with_encoder (&self, config))
    dyno_seq2seq_add_encoder (&self.seq2seq, graph, "language_model", NULL,
                              dyno_fusion_take_text (graph, self.text_width));
}

static void
build_decoder_with_encoder (DynoGraph *graph, DynoConfig *config)
{
  Blip2 self = { 0 };

  if (!read_with_encoder (&self, config))
    return;
  dyno_graph_push_scope (graph, "language_model");
  dyno_seq2seq_add_decoder (&self.seq2seq, graph, "sequence", TRUE);
  dyno_graph_pop_scope (graph);
}

static const DynoStage stages_with_encoder[] = {
  { "vision", build_vision_with_encoder, TRUE }, { "qformer", build_former_with_encoder, TRUE },
  { "fusion", build_fusion_with_encoder, TRUE }, { "encoder", build_encoder, TRUE },
  { "decoder", build_decoder_with_encoder },     { NULL },
};

static const DynoStage stages[] = {
  { "vision", build_vision, TRUE },
  { "qformer", build_former, TRUE },
  { "fusion", build_fusion },
  { "decoder", build_decoder },
  { NULL },
};

/* A tied weight is saved under one of its names. */
static const DynoNamePair pairs[] = {
  { "language_model.model.decoder.embed_tokens.", "language_model.lm_head." },
  { "language_model.shared.", "language_model.encoder.embed_tokens." },
  { NULL },
};
static const DynoNaming naming = { NULL, pairs };

const DynoArchitecture dyno_blip2_architectures[] = {
  { "blip-2", &dyno_vision_text_family, "image-text-to-text", NULL, &naming, stages_with_encoder, "t5" },
  { "blip-2", &dyno_vision_text_family, "image-text-to-text", NULL, &naming, stages },
  { NULL },
};
