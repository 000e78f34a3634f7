/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>

#include "dyno-architecture.h"
#include "dyno-layers.h"

typedef struct
{
  gint64 vocabulary;
  gint64 width;
  gint64 n_layers;
  gint64 n_heads;
  gint64 inner_width;
  gint64 n_positions;
  gint64 n_types;
  gint64 padding;
  gboolean has_pooler;
  gboolean skips_padding;
  double epsilon;
  const char *activation;
} Encoder;

static void
check_encoder (const Encoder *self, DynoConfig *config)
{
  if (self->width % self->n_heads != 0)
    dyno_config_fail (config, _ ("its width %" PRId64 " is not a multiple of its %" PRId64 " heads"),
                      self->width, self->n_heads);
  if (self->n_layers > 1000)
    dyno_config_fail (config, _ ("%" PRId64 " layers are too many"), self->n_layers);
  if (!dyno_layers_knows_activation (self->activation))
    dyno_config_fail (config, _ ("its activation “%s” is not known"), self->activation);
}

static Encoder
read_bert (DynoConfig *config)
{
  return (Encoder){
    .vocabulary = dyno_config_get_int (config, "vocab_size"),
    .width = dyno_config_get_int (config, "hidden_size"),
    .n_layers = dyno_config_get_int (config, "num_hidden_layers"),
    .n_heads = dyno_config_get_int (config, "num_attention_heads"),
    .inner_width = dyno_config_get_int (config, "intermediate_size"),
    .n_positions = dyno_config_get_int (config, "max_position_embeddings"),
    .n_types = dyno_config_get_int_or (config, "type_vocab_size", 2),
    .has_pooler = TRUE,
    .epsilon = dyno_config_get_double_or (config, "layer_norm_eps", 1e-12),
    .activation = dyno_config_get_string_or (config, "hidden_act", "gelu"),
  };
}

static Encoder
read_roberta (DynoConfig *config)
{
  Encoder self = read_bert (config);

  self.skips_padding = TRUE;
  self.padding = dyno_config_get_int_or (config, "pad_token_id", 1);
  return self;
}

static Encoder
read_distilbert (DynoConfig *config)
{
  return (Encoder){
    .vocabulary = dyno_config_get_int (config, "vocab_size"),
    .width = dyno_config_get_int (config, "dim"),
    .n_layers = dyno_config_get_int (config, "n_layers"),
    .n_heads = dyno_config_get_int (config, "n_heads"),
    .inner_width = dyno_config_get_int (config, "hidden_dim"),
    .n_positions = dyno_config_get_int (config, "max_position_embeddings"),
    .epsilon = 1e-12,
    .activation = dyno_config_get_string_or (config, "activation", "gelu"),
  };
}

/* (1 − mask) · the score of what is masked out, as [batch, 1, 1, sequence]. */
static const char *
add_mask (DynoGraph *graph, const char *mask)
{
  const gint64 axes[] = { 1, 2 };

  dyno_graph_push_scope (graph, "attention_mask");
  mask = dyno_graph_add (graph, "Unsqueeze", NULL, mask, dyno_graph_add_ints (graph, 2, axes), NULL);
  mask = dyno_layers_cast (graph, mask, dyno_graph_get_real_type (graph));
  mask = dyno_graph_add (graph, "Sub", NULL, dyno_graph_add_real (graph, 1), mask, NULL);
  mask = dyno_graph_add (graph, "Mul", NULL, mask, dyno_layers_masked_score (graph), NULL);
  dyno_graph_pop_scope (graph);
  return mask;
}

/* BERT counts positions from zero: the first rows of the table, as many as there are tokens. */
static const char *
add_positions (DynoGraph *graph, const Encoder *self, const char *ids)
{
  const gint64 dims[] = { self->n_positions, self->width };
  const gint64 zero = 0;
  const char *start = dyno_graph_add_ints (graph, 1, &zero);
  const char *length = dyno_graph_add (graph, "Shape", "start=1 end=2", ids, NULL);
  const char *table = dyno_graph_add_weight (graph, "position_embeddings.weight", 0, 0.02, 2, dims);

  return dyno_graph_add (graph, "Slice", NULL, table, start, length, start, NULL);
}

/* RoBERTa counts the tokens that are not padding, from the padding's id on. */
static const char *
add_counted_positions (DynoGraph *graph, const Encoder *self, const char *ids)
{
  const char *padding = dyno_graph_add_int (graph, self->padding);
  const char *is_token = dyno_graph_add (graph, "Equal", NULL, ids, padding, NULL);
  const char *positions;

  is_token = dyno_graph_add (graph, "Not", NULL, is_token, NULL);
  is_token = dyno_graph_add (graph, "Cast", "to=7", is_token, NULL);
  positions = dyno_graph_add (graph, "CumSum", NULL, is_token, dyno_graph_add_int (graph, 1), NULL);
  positions = dyno_graph_add (graph, "Mul", NULL, positions, is_token, NULL);
  positions = dyno_graph_add (graph, "Add", NULL, positions, padding, NULL);
  return dyno_layers_embedding (graph, "position_embeddings", positions, self->n_positions, self->width);
}

static const char *
add_embeddings (DynoGraph *graph, const Encoder *self, const char *ids, const char *types)
{
  const char *value, *positions;

  dyno_graph_push_scope (graph, "embeddings");
  value = dyno_layers_embedding (graph, "word_embeddings", ids, self->vocabulary, self->width);
  positions =
      self->skips_padding ? add_counted_positions (graph, self, ids) : add_positions (graph, self, ids);
  if (types != NULL)
    value = dyno_graph_add (
        graph, "Add", NULL, value,
        dyno_layers_embedding (graph, "token_type_embeddings", types, self->n_types, self->width), NULL);
  value = dyno_graph_add (graph, "Add", NULL, value, positions, NULL);
  value = dyno_layers_layer_norm (graph, "LayerNorm", value, self->epsilon);
  dyno_graph_pop_scope (graph);
  return value;
}

/* Back to the width of the residual, which is added and normalised. */
static const char *
add_output (DynoGraph *graph, const Encoder *self, const char *value, const char *residual)
{
  dyno_graph_push_scope (graph, "output");
  value = dyno_layers_linear (graph, "dense", value, self->width, TRUE);
  value = dyno_graph_add (graph, "Add", NULL, value, residual, NULL);
  value = dyno_layers_layer_norm (graph, "LayerNorm", value, self->epsilon);
  dyno_graph_pop_scope (graph);
  return value;
}

static const char *
add_attention (DynoGraph *graph, const Encoder *self, const char *value, const char *mask)
{
  const char *query, *key, *content;

  dyno_graph_push_scope (graph, "attention");
  dyno_graph_push_scope (graph, "self");
  query = dyno_layers_linear (graph, "query", value, self->width, TRUE);
  key = dyno_layers_linear (graph, "key", value, self->width, TRUE);
  content = dyno_layers_linear (graph, "value", value, self->width, TRUE);
  content = dyno_layers_attention (graph, dyno_layers_split_heads (graph, query, self->n_heads),
                                   dyno_layers_split_heads (graph, key, self->n_heads),
                                   dyno_layers_split_heads (graph, content, self->n_heads), mask,
                                   dyno_graph_get_real_type (graph));
  dyno_graph_pop_scope (graph);
  content = add_output (graph, self, content, value);
  dyno_graph_pop_scope (graph);
  return content;
}

static const char *
add_layer (DynoGraph *graph, const Encoder *self, const char *value, const char *mask)
{
  const char *inner;

  value = add_attention (graph, self, value, mask);
  dyno_graph_push_scope (graph, "intermediate");
  inner = dyno_layers_linear (graph, "dense", value, self->inner_width, TRUE);
  inner = dyno_layers_activation (graph, self->activation, inner);
  dyno_graph_pop_scope (graph);
  return add_output (graph, self, inner, value);
}

static void
add_pooler (DynoGraph *graph, const Encoder *self, const char *value)
{
  g_autofree char *dimensions = g_strdup_printf ("batch, %" G_GINT64_FORMAT, self->width);
  const char *first;

  dyno_graph_push_scope (graph, "pooler");
  first = dyno_graph_add (graph, "Gather", "axis=1", value, dyno_graph_add_int (graph, 0), NULL);
  first = dyno_layers_linear (graph, "dense", first, self->width, TRUE);
  first = dyno_graph_add (graph, "Tanh", NULL, first, NULL);
  dyno_graph_pop_scope (graph);
  dyno_graph_add_output (graph, "pooler_output", first, dimensions);
}

static void
build_encoder (DynoGraph *graph, const Encoder *self)
{
  g_autofree char *dimensions = g_strdup_printf ("batch, sequence, %" G_GINT64_FORMAT, self->width);
  const char *ids = dyno_graph_add_input (graph, "input_ids", DYNO_DATA_TYPE_INT64, "batch, sequence");
  const char *mask = dyno_graph_add_input (graph, "attention_mask", DYNO_DATA_TYPE_INT64, "batch, sequence");
  const char *types = NULL;
  const char *value;

  if (self->n_types > 0)
    {
      types = dyno_graph_add_input (graph, "token_type_ids", DYNO_DATA_TYPE_INT64, "batch, sequence");
      dyno_graph_limit_input (graph, "token_type_ids", self->n_types);
    }
  dyno_graph_limit_input (graph, "input_ids", self->vocabulary);
  dyno_graph_limit_sequence (graph, self->n_positions - (self->skips_padding ? self->padding + 1 : 0));
  mask = add_mask (graph, mask);
  value = add_embeddings (graph, self, ids, types);
  for (guint i = 0; i < self->n_layers; i++)
    {
      dyno_graph_push_scope (graph, "encoder.layer.%u", i);
      value = add_layer (graph, self, value, mask);
      dyno_graph_pop_scope (graph);
    }
  dyno_graph_add_output (graph, "last_hidden_state", value, dimensions);
  if (self->has_pooler)
    add_pooler (graph, self, value);
}

static void
check_and_build (DynoGraph *graph, DynoConfig *config, const Encoder *self)
{
  check_encoder (self, config);
  if (dyno_config_check (config, NULL))
    build_encoder (graph, self);
}

static void
build_bert (DynoGraph *graph, DynoConfig *config)
{
  Encoder self = read_bert (config);

  check_and_build (graph, config, &self);
}

static void
build_roberta (DynoGraph *graph, DynoConfig *config)
{
  Encoder self = read_roberta (config);

  check_and_build (graph, config, &self);
}

static void
build_distilbert (DynoGraph *graph, DynoConfig *config)
{
  Encoder self = read_distilbert (config);

  check_and_build (graph, config, &self);
}

static const DynoFamily family = { "encoder", N_ ("Text encoder"), N_ ("Text Encoders") };

const DynoArchitecture dyno_encoder_architectures[] = {
  { "bert", &family, "feature-extraction", build_bert },
  { "distilbert", &family, "feature-extraction", build_distilbert },
  { "roberta", &family, "feature-extraction", build_roberta },
  { NULL },
};
