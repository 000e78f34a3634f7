/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "dyno-architecture.h"
#include "dyno-config-checks.h"
#include "dyno-layers.h"
#include "dyno-product.h"
#include "dyno-relative.h"

/* How the layers of a kind of attention or feed-forward are called: the scope within the layer, NULL for the layer's
 * own, and the norm. */
typedef struct
{
  const char *scope;
  const char *norm;
} Block;

/* Where published checkpoints put what both kinds of models have. */
typedef struct
{
  const char *shared;
  const char *encoder;
  const char *decoder;
  const char *layer;
  const char *final_norm; /* NULL: none */
  const char *query;
  const char *key;
  const char *value;
  const char *output;
  const char *up;
  const char *gate; /* NULL: not gated */
  const char *down;
  Block self;
  Block cross;
  Block encoder_inner;
  Block decoder_inner;
} Names;

typedef enum
{
  POSITIONS_RELATIVE, /* a bias of the scores, its table in the first layer */
  POSITIONS_TABLE,    /* added to the embeddings */
  POSITIONS_SINES,    /* as well, but not trained */
} Positions;

/* One of the two stacks of layers. */
typedef struct
{
  const char *scope;
  gint64 n_layers;
  gint64 n_heads;
  gint64 head_width;
  gint64 inner_width;
} Stack;

typedef struct
{
  Names names;
  Stack encoder;
  Stack decoder;
  gint64 vocabulary;
  gint64 width;
  gint64 n_positions;
  gint64 offset; /* rows before that of the first position */
  gint64 n_buckets;
  gint64 max_distance;
  Positions positions;
  gboolean is_rms;
  gboolean has_bias;
  gboolean is_pre_norm;
  gboolean is_scaled; /* whether scores are divided by √width */
  gboolean is_tied;
  gboolean has_logits_bias;
  gboolean has_embedding_norm;
  gboolean scales_outputs;
  double embedding_scale;
  double epsilon;
  const char *activation;
} Seq2seq;

/* The values that all layers of a stack share. */
typedef struct
{
  const Seq2seq *model;
  const Stack *stack;
  DynoGraph *graph;
  const char *scores; /* added to the scores of self-attention */
  const char *states; /* the encoder's answer, NULL in the encoder */
  const char *mask;   /* of the encoder's tokens */
} Building;

static const char *
add_norm (const Building *self, const char *name, const char *value)
{
  return self->model->is_rms ? dyno_layers_rms_norm (self->graph, name, value, self->model->epsilon)
                             : dyno_layers_layer_norm (self->graph, name, value, self->model->epsilon);
}

static const char *
add_linear (const Building *self, const char *name, const char *value, gint64 width)
{
  return dyno_layers_linear (self->graph, name, value, width, self->model->has_bias);
}

/* Where scores are not divided, the queries' weights are as much smaller: the same name is the same weight. */
static const char *
add_query (const Building *self, const char *value)
{
  const Seq2seq *model = self->model;
  const Stack *stack = self->stack;
  gint64 all = stack->n_heads * stack->head_width;
  const gint64 dims[] = { model->width, all };
  double deviation = 1 / sqrt ((double)(model->width * stack->head_width));

  if (!model->is_scaled)
    {
      dyno_graph_push_scope (self->graph, "%s", model->names.query);
      dyno_graph_add_weight (self->graph, "weight", 0, deviation, 2, dims);
      dyno_graph_pop_scope (self->graph);
    }
  return dyno_layers_split_heads (self->graph, add_linear (self, model->names.query, value, all),
                                  stack->n_heads);
}

static const char *
add_heads (const Building *self, const char *name, const char *value)
{
  gint64 all = self->stack->n_heads * self->stack->head_width;

  return dyno_layers_split_heads (self->graph, add_linear (self, name, value, all), self->stack->n_heads);
}

/* Attention of @value to @source. */
static const char *
add_attention (
    const Building *self, const char *scope, const char *value, const char *source, const char *scores)
{
  const Names *names = &self->model->names;
  float divisor = self->model->is_scaled ? sqrtf ((float)self->stack->head_width) : 1;
  const char *query, *key;

  dyno_graph_push_scope (self->graph, "%s", scope);
  query = add_query (self, value);
  key = add_heads (self, names->key, source);
  value = add_heads (self, names->value, source);
  value = dyno_layers_attention_scaled (self->graph, query, key, value, scores,
                                        dyno_graph_get_real_type (self->graph), divisor);
  value = add_linear (self, names->output, value, self->model->width);
  dyno_graph_pop_scope (self->graph);
  return value;
}

static const char *
add_inner (const Building *self, const char *scope, const char *value)
{
  const Names *names = &self->model->names;
  DynoGraph *graph = self->graph;
  gint64 width = self->stack->inner_width;
  const char *inner;

  if (scope != NULL)
    dyno_graph_push_scope (graph, "%s", scope);
  inner = add_linear (self, names->gate != NULL ? names->gate : names->up, value, width);
  inner = dyno_layers_activation (graph, self->model->activation, inner);
  if (names->gate != NULL)
    inner = dyno_graph_add (graph, "Mul", NULL, inner, add_linear (self, names->up, value, width), NULL);
  inner = add_linear (self, names->down, inner, self->model->width);
  if (scope != NULL)
    dyno_graph_pop_scope (graph);
  return inner;
}

static const char *
before (const Building *self, const Block *block, const char *value)
{
  return self->model->is_pre_norm ? add_norm (self, block->norm, value) : value;
}

static const char *
after (const Building *self, const Block *block, const char *value, const char *residual)
{
  value = dyno_graph_add (self->graph, "Add", NULL, residual, value, NULL);
  return self->model->is_pre_norm ? value : add_norm (self, block->norm, value);
}

static const char *
add_layer (const Building *self, const char *value)
{
  const Names *names = &self->model->names;
  const Block *block = self->states != NULL ? &names->decoder_inner : &names->encoder_inner;
  const char *inner = before (self, &names->self, value);

  inner = add_attention (self, names->self.scope, inner, inner, self->scores);
  value = after (self, &names->self, inner, value);
  if (self->states != NULL)
    {
      inner = before (self, &names->cross, value);
      inner = add_attention (self, names->cross.scope, inner, self->states, self->mask);
      value = after (self, &names->cross, inner, value);
    }
  inner = add_inner (self, block->scope, before (self, block, value));
  return after (self, block, inner, value);
}

static const char *
add_embedding (const Building *self, const char *ids)
{
  const Seq2seq *model = self->model;
  DynoGraph *graph = self->graph;
  const char *value =
      dyno_layers_embedding (graph, model->names.shared, ids, model->vocabulary, model->width);
  const char *places;

  dyno_graph_push_scope (graph, "%s", self->stack->scope);
  if (model->embedding_scale != 1)
    value = dyno_graph_add (graph, "Mul", NULL, value,
                            dyno_graph_add_real (graph, (float)model->embedding_scale), NULL);
  if (model->positions != POSITIONS_RELATIVE)
    {
      places = dyno_relative_places (graph, ids, 1);
      if (model->offset > 0)
        places = dyno_graph_add (graph, "Add", NULL, places, dyno_graph_add_int (graph, model->offset), NULL);
      if (model->positions == POSITIONS_SINES)
        dyno_graph_add_sinusoids (graph, "embed_positions.weight", model->n_positions, model->width);
      places = dyno_layers_embedding (graph, "embed_positions", places, model->n_positions + model->offset,
                                      model->width);
      value = dyno_graph_add (graph, "Add", NULL, value, places, NULL);
    }
  if (model->has_embedding_norm)
    value = dyno_layers_layer_norm (graph, "layernorm_embedding", value, model->epsilon);
  dyno_graph_pop_scope (graph);
  return value;
}

/* A table of distances belongs to the first layer, and all others add the same to their scores. */
static const char *
add_bias (const Building *self, const char *places, DynoRelativeBucket bucket)
{
  const Seq2seq *model = self->model;
  DynoGraph *graph = self->graph;
  const char *rows, *bias;

  dyno_graph_push_scope (graph, "%s.%s.0.%s", self->stack->scope, model->names.layer,
                         model->names.self.scope);
  rows = dyno_relative_rows (graph, places, places, bucket, model->n_buckets, model->max_distance);
  bias = dyno_relative_bias (graph, "relative_attention_bias", rows, model->n_buckets, self->stack->n_heads);
  dyno_graph_pop_scope (graph);
  return bias;
}

static const char *
add_scores (DynoGraph *graph, const char *mask, const char *bias)
{
  return bias != NULL ? dyno_graph_add (graph, "Add", NULL, bias, mask, NULL) : mask;
}

/* A token of the answer sees those before it and itself: [queries, keys]. */
static const char *
add_causal_mask (DynoGraph *graph, const char *places)
{
  const gint64 last = 1;
  const char *queries =
      dyno_graph_add (graph, "Unsqueeze", NULL, places, dyno_graph_add_ints (graph, 1, &last), NULL);
  const char *allowed = dyno_graph_add (graph, "LessOrEqual", NULL, places, queries, NULL);

  return dyno_graph_add (graph, "Where", NULL, allowed, dyno_graph_add_real (graph, 0),
                         dyno_layers_masked_score (graph), NULL);
}

static const char *
add_stack (const Building *self, const char *ids)
{
  const Names *names = &self->model->names;
  DynoGraph *graph = self->graph;
  const char *value = add_embedding (self, ids);

  for (guint i = 0; i < self->stack->n_layers; i++)
    {
      dyno_graph_push_scope (graph, "%s.%s.%u", self->stack->scope, names->layer, i);
      value = add_layer (self, value);
      dyno_graph_pop_scope (graph);
    }
  if (names->final_norm != NULL)
    {
      dyno_graph_push_scope (graph, "%s", self->stack->scope);
      value = add_norm (self, names->final_norm, value);
      dyno_graph_pop_scope (graph);
    }
  return value;
}

static const char *
add_encoder (Building *self, const char *ids)
{
  const Seq2seq *model = self->model;
  const char *bias = NULL;

  self->stack = &model->encoder;
  if (model->positions == POSITIONS_RELATIVE)
    {
      dyno_graph_push_scope (self->graph, "%s", self->stack->scope);
      bias = dyno_relative_places (self->graph, ids, 1);
      dyno_graph_pop_scope (self->graph);
      bias = add_bias (self, bias, dyno_relative_bucket_both_ways);
    }
  dyno_graph_push_scope (self->graph, "%s", self->stack->scope);
  self->scores = add_scores (self->graph, self->mask, bias);
  dyno_graph_pop_scope (self->graph);
  return add_stack (self, ids);
}

static const char *
add_decoder (Building *self, const char *ids)
{
  const Seq2seq *model = self->model;
  const char *places, *bias;

  self->stack = &model->decoder;
  dyno_graph_push_scope (self->graph, "%s", self->stack->scope);
  places = dyno_relative_places (self->graph, ids, 1);
  dyno_graph_pop_scope (self->graph);
  bias =
      model->positions == POSITIONS_RELATIVE ? add_bias (self, places, dyno_relative_bucket_backwards) : NULL;
  dyno_graph_push_scope (self->graph, "%s", self->stack->scope);
  self->scores = add_scores (self->graph, add_causal_mask (self->graph, places), bias);
  dyno_graph_pop_scope (self->graph);
  return add_stack (self, ids);
}

/* A tied head multiplies with the embedding's weight, turned over. */
static const char *
add_tied_head (DynoGraph *graph, const Seq2seq *model, const char *value)
{
  const gint64 dims[] = { model->vocabulary, model->width };
  g_autofree char *name = g_strconcat (model->names.shared, ".weight", NULL);
  const char *weight = dyno_graph_add_weight (graph, name, 0, 1 / sqrt ((double)model->width), 2, dims);

  dyno_graph_push_scope (graph, "lm_head");
  if (model->scales_outputs)
    value = dyno_graph_add (graph, "Mul", NULL, value,
                            dyno_graph_add_real (graph, (float)(1 / sqrt ((double)model->width))), NULL);
  value = dyno_product_add (graph, value, weight, TRUE);
  dyno_graph_pop_scope (graph);
  return value;
}

static const char *
add_head (DynoGraph *graph, const Seq2seq *model, const char *value)
{
  const gint64 dims[] = { 1, model->vocabulary };
  const char *bias;

  value = model->is_tied ? add_tied_head (graph, model, value)
                         : dyno_layers_linear (graph, "lm_head", value, model->vocabulary, FALSE);
  if (!model->has_logits_bias)
    return value;
  bias = dyno_graph_add_buffer (graph, "final_logits_bias", 0, 0.02, 2, dims);
  dyno_graph_push_scope (graph, "lm_head");
  value = dyno_graph_add (graph, "Add", NULL, value, bias, NULL);
  dyno_graph_pop_scope (graph);
  return value;
}

/* A step is one pass of both: the encoder over the text, the decoder over an answer that is known. */
static void
add_seq2seq (DynoGraph *graph, const Seq2seq *model)
{
  g_autofree char *logits = g_strdup_printf ("batch, decoder_sequence, %" G_GINT64_FORMAT, model->vocabulary);
  g_autofree char *states = g_strdup_printf ("batch, sequence, %" G_GINT64_FORMAT, model->width);
  Building self = { .model = model, .graph = graph };
  const char *ids = dyno_graph_add_input (graph, "input_ids", DYNO_DATA_TYPE_INT64, "batch, sequence");
  const char *mask = dyno_graph_add_input (graph, "attention_mask", DYNO_DATA_TYPE_INT64, "batch, sequence");
  const char *answer =
      dyno_graph_add_input (graph, "decoder_input_ids", DYNO_DATA_TYPE_INT64, "batch, decoder_sequence");
  const char *value;

  dyno_graph_limit_input (graph, "input_ids", model->vocabulary);
  dyno_graph_limit_input (graph, "decoder_input_ids", model->vocabulary);
  dyno_graph_limit_sequence (graph, model->n_positions);
  self.mask = dyno_layers_padding_mask (graph, mask);
  value = add_encoder (&self, ids);
  self.states = value;
  value = add_head (graph, model, add_decoder (&self, answer));
  dyno_graph_add_output (graph, "logits", value, logits);
  dyno_graph_add_output (graph, "encoder_last_hidden_state", self.states, states);
}

static void
check_stack (const Seq2seq *self, const Stack *stack, DynoConfig *config)
{
  if (stack->head_width < 1 || (self->is_scaled && self->width % stack->n_heads != 0))
    dyno_config_fail (config, _ ("its width %" PRId64 " is not a multiple of its %" PRId64 " heads"),
                      self->width, stack->n_heads);
  dyno_config_check_layers (config, stack->n_layers);
}

static void
check_and_build (DynoGraph *graph, DynoConfig *config, const Seq2seq *self)
{
  check_stack (self, &self->encoder, config);
  check_stack (self, &self->decoder, config);
  dyno_config_check_activation (config, self->activation);
  if (self->positions == POSITIONS_RELATIVE &&
      (self->n_buckets < 4 || self->max_distance <= self->n_buckets / 2))
    dyno_config_fail (
        config,
        _ ("its “relative_attention_num_buckets” and “relative_attention_max_distance” do not go together"));
  if (dyno_config_check (config, NULL))
    add_seq2seq (graph, self);
}

static const Names t5_names = {
  .shared = "shared",
  .layer = "block",
  .final_norm = "final_layer_norm",
  .query = "q",
  .key = "k",
  .value = "v",
  .output = "o",
  .up = "wi",
  .down = "wo",
  .self = { "layer.0.SelfAttention", "layer.0.layer_norm" },
  .cross = { "layer.1.EncDecAttention", "layer.1.layer_norm" },
  .encoder_inner = { "layer.1.DenseReluDense", "layer.1.layer_norm" },
  .decoder_inner = { "layer.2.DenseReluDense", "layer.2.layer_norm" },
};

static const Names bart_names = {
  .shared = "model.shared",
  .layer = "layers",
  .query = "q_proj",
  .key = "k_proj",
  .value = "v_proj",
  .output = "out_proj",
  .up = "fc1",
  .down = "fc2",
  .self = { "self_attn", "self_attn_layer_norm" },
  .cross = { "encoder_attn", "encoder_attn_layer_norm" },
  .encoder_inner = { NULL, "final_layer_norm" },
  .decoder_inner = { NULL, "final_layer_norm" },
};

/* T5, Raffel et al. 2020, and its versions with a gate. Those with a head of their own do not scale its input. */
static void
build_t5 (DynoGraph *graph, DynoConfig *config)
{
  const char *projection = dyno_config_get_string_or (config, "feed_forward_proj", "relu");
  gboolean is_gated = g_str_has_prefix (projection, "gated-");
  gboolean is_tied = dyno_config_get_boolean_or (config, "tie_word_embeddings", TRUE);
  gint64 n_layers = dyno_config_get_int (config, "num_layers");
  Stack stack = {
    .n_heads = dyno_config_get_int (config, "num_heads"),
    .head_width = dyno_config_get_int (config, "d_kv"),
    .inner_width = dyno_config_get_int (config, "d_ff"),
  };
  Seq2seq self = {
    .names = t5_names,
    .encoder = stack,
    .decoder = stack,
    .vocabulary = dyno_config_get_int (config, "vocab_size"),
    .width = dyno_config_get_int (config, "d_model"),
    .n_positions = dyno_config_get_int_or (config, "n_positions", 512),
    .n_buckets = dyno_config_get_int_or (config, "relative_attention_num_buckets", 32),
    .max_distance = dyno_config_get_int_or (config, "relative_attention_max_distance", 128),
    .is_rms = TRUE,
    .is_pre_norm = TRUE,
    .is_tied = is_tied,
    .scales_outputs = is_tied,
    .embedding_scale = 1,
    .epsilon = dyno_config_get_double_or (config, "layer_norm_epsilon", 1e-6),
    .activation = is_gated ? projection + strlen ("gated-") : projection,
  };

  self.encoder.scope = "encoder";
  self.encoder.n_layers = n_layers;
  self.decoder.scope = "decoder";
  self.decoder.n_layers = dyno_config_get_int_or (config, "num_decoder_layers", n_layers);
  if (is_gated)
    {
      self.names.gate = "wi_0";
      self.names.up = "wi_1";
    }
  if (g_str_equal (projection, "gated-gelu"))
    self.activation = "gelu_new";
  check_and_build (graph, config, &self);
}

static Stack
read_stack (DynoConfig *config, const char *scope, const char *prefix, gint64 width)
{
  g_autofree char *layers = g_strconcat (prefix, "_layers", NULL);
  g_autofree char *heads = g_strconcat (prefix, "_attention_heads", NULL);
  g_autofree char *inner = g_strconcat (prefix, "_ffn_dim", NULL);
  Stack self = {
    .scope = scope,
    .n_layers = dyno_config_get_int (config, layers),
    .n_heads = dyno_config_get_int (config, heads),
    .inner_width = dyno_config_get_int (config, inner),
  };

  self.head_width = width / self.n_heads;
  return self;
}

/* BART, Lewis et al. 2019: its positions begin at row 2 of their table. */
static Seq2seq
read_bart (DynoConfig *config)
{
  gint64 width = dyno_config_get_int (config, "d_model");
  gboolean is_scaled = dyno_config_get_boolean_or (config, "scale_embedding", FALSE);

  return (Seq2seq){
    .names = bart_names,
    .encoder = read_stack (config, "model.encoder", "encoder", width),
    .decoder = read_stack (config, "model.decoder", "decoder", width),
    .vocabulary = dyno_config_get_int (config, "vocab_size"),
    .width = width,
    .n_positions = dyno_config_get_int (config, "max_position_embeddings"),
    .offset = 2,
    .positions = POSITIONS_TABLE,
    .has_bias = TRUE,
    .is_scaled = TRUE,
    .is_tied = dyno_config_get_boolean_or (config, "tie_word_embeddings", TRUE),
    .has_logits_bias = TRUE,
    .has_embedding_norm = TRUE,
    .embedding_scale = is_scaled ? sqrt ((double)width) : 1,
    .epsilon = 1e-5,
    .activation = dyno_config_get_string_or (config, "activation_function", "gelu"),
  };
}

static void
build_bart (DynoGraph *graph, DynoConfig *config)
{
  Seq2seq self = read_bart (config);

  check_and_build (graph, config, &self);
}

static void
build_mbart (DynoGraph *graph, DynoConfig *config)
{
  Seq2seq self = read_bart (config);

  self.is_pre_norm = TRUE;
  self.names.final_norm = "layer_norm";
  check_and_build (graph, config, &self);
}

static void
build_marian (DynoGraph *graph, DynoConfig *config)
{
  Seq2seq self = read_bart (config);

  self.offset = 0;
  self.positions = POSITIONS_SINES;
  self.has_embedding_norm = FALSE;
  if (!dyno_config_get_boolean_or (config, "share_encoder_decoder_embeddings", TRUE))
    dyno_config_fail (config, _ ("two vocabularies (“share_encoder_decoder_embeddings”) are not supported"));
  check_and_build (graph, config, &self);
}

static void
build_pegasus (DynoGraph *graph, DynoConfig *config)
{
  Seq2seq self = read_bart (config);

  self.offset = 0;
  self.positions = POSITIONS_SINES;
  self.has_embedding_norm = FALSE;
  self.is_pre_norm = TRUE;
  self.names.final_norm = "layer_norm";
  check_and_build (graph, config, &self);
}

static const DynoFamily family = { "encoder-decoder", N_ ("Encoder and decoder"),
                                   N_ ("Encoders and Decoders") };

/* A tied weight is saved under one of its names; where files lack the bias of the answers, it was not trained. */
static const DynoNamePair bart_pairs[] = { { "model.shared.", "lm_head." },
                                           { "model.shared.", "model.encoder.embed_tokens." },
                                           { NULL } };
static const DynoNamePair t5_pairs[] = { { "shared.", "encoder.embed_tokens." }, { NULL } };
static const char *const untrained[] = { "final_logits_bias", NULL };
static const DynoNaming bart_naming = { "model", bart_pairs, untrained };
static const DynoNaming t5_naming = { NULL, t5_pairs };

const DynoArchitecture dyno_seq2seq_architectures[] = {
  { "bart", &family, "summarization", build_bart, &bart_naming },
  { "marian", &family, "translation", build_marian, &bart_naming },
  { "mbart", &family, "translation", build_mbart, &bart_naming },
  { "mt5", &family, "text2text-generation", build_t5, &t5_naming },
  { "pegasus", &family, "summarization", build_pegasus, &bart_naming },
  { "t5", &family, "text2text-generation", build_t5, &t5_naming },
  { NULL },
};
