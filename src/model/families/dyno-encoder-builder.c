/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "dyno-architecture.h"
#include "dyno-config-checks.h"
#include "dyno-head.h"
#include "dyno-layers.h"
#include "dyno-model-families-private.h"
#include "dyno-model-graph-private.h"

/* Scope of layers in published checkpoints, NULL for the outer one, and the names in it. */
typedef struct
{
  const char *scope;
  const char *dense;
  const char *norm;
} OutputNames;

typedef struct
{
  const char *layer;
  const char *attention;
  const char *joined; /* one weight for each head's query, key and value; NULL: the three below */
  const char *query;
  const char *key;
  const char *value;
  OutputNames attended;
  const char *inner;
  const char *inner_dense;
  OutputNames output;
} Names;

typedef enum
{
  POSITIONS_FROM_ZERO, /* positions count all tokens from 0 */
  POSITIONS_COUNTED,   /* positions count tokens other than padding, from the id of the padding on */
  POSITIONS_NONE,
} Positions;

typedef struct
{
  const Names *names;
  gint64 vocabulary;
  gint64 width;
  gint64 embedding_width;
  gint64 n_layers;
  gint64 n_groups; /* number of sets of weights that the layers share; 0 for one set each */
  gint64 n_inner;  /* layers in a group */
  gint64 n_heads;
  gint64 inner_width;
  gint64 n_positions;
  gint64 n_types;
  gint64 padding;
  gboolean has_slopes; /* whether scores fall with the distance of a key, faster for lower heads */
  gboolean is_gated;   /* whether the first half of the inner layer gates the other half */
  gint64 n_buckets;    /* rows of the table of relative positions that all layers share; 0: none */
  Positions positions;
  const char *pooler;     /* NULL: none */
  const char *projection; /* the layer that widens the embeddings; NULL: none */
  DynoDisentangled disentangled;
  DynoHead head;
  double epsilon;
  const char *activation;
  DynoConfigFields fields;
} Encoder;

static const Names bert_names = {
  .layer = "encoder.layer",
  .attention = "attention.self",
  .query = "query",
  .key = "key",
  .value = "value",
  .attended = { "attention.output", "dense", "LayerNorm" },
  .inner = "intermediate",
  .inner_dense = "dense",
  .output = { "output", "dense", "LayerNorm" },
};

static const Names albert_names = {
  .layer = "encoder.albert_layer_groups",
  .attention = "attention",
  .query = "query",
  .key = "key",
  .value = "value",
  .attended = { "attention", "dense", "LayerNorm" },
  .inner_dense = "ffn",
  .output = { NULL, "ffn_output", "full_layer_layer_norm" },
};

static const Names mpnet_names = {
  .layer = "encoder.layer",
  .attention = "attention.attn",
  .query = "q",
  .key = "k",
  .value = "v",
  .attended = { "attention", "attn.o", "LayerNorm" },
  .inner = "intermediate",
  .inner_dense = "dense",
  .output = { "output", "dense", "LayerNorm" },
};

static const Names deberta_names = {
  .layer = "encoder.layer",
  .attention = "attention.self",
  .query = "query_proj",
  .key = "key_proj",
  .value = "value_proj",
  .attended = { "attention.output", "dense", "LayerNorm" },
  .inner = "intermediate",
  .inner_dense = "dense",
  .output = { "output", "dense", "LayerNorm" },
};

static const Names first_deberta_names = {
  .layer = "encoder.layer",
  .attention = "attention.self",
  .joined = "in_proj",
  .attended = { "attention.output", "dense", "LayerNorm" },
  .inner = "intermediate",
  .inner_dense = "dense",
  .output = { "output", "dense", "LayerNorm" },
};

static const Names jina_names = {
  .layer = "encoder.layer",
  .attention = "attention.self",
  .query = "query",
  .key = "key",
  .value = "value",
  .attended = { "attention.output", "dense", "LayerNorm" },
  .inner = "mlp",
  .inner_dense = "gated_layers",
  .output = { "mlp", "wo", "layernorm" },
};

/* In MPNet larger distances share a row. */
#define MPNET_MAX_DISTANCE 128

static void
check_encoder (const Encoder *self, DynoConfig *config)
{
  const DynoConfigFields names = dyno_config_fields_complete (&self->fields);

  dyno_config_check_heads (config, &names, self->width, self->n_heads);
  dyno_config_check_layers (config, names.layers, self->n_layers);
  if (self->n_inner > DYNO_CONFIG_MAX_LAYERS / self->n_layers)
    dyno_config_fail (config, _ ("its groups of %" PRId64 " layers (“inner_group_num”) are too large"),
                      self->n_inner);
  if (self->positions == POSITIONS_COUNTED)
    dyno_config_check_padding (config, self->padding, self->n_positions);
  dyno_config_check_activation (config, names.activation, self->activation);
  if (self->n_groups > self->n_layers)
    dyno_config_fail (
        config, _ ("its %" PRId64 " layers cannot share %" PRId64 " groups of weights (“num_hidden_groups”)"),
        self->n_layers, self->n_groups);
}

/* Options of the published code that Dyno does not support: they make other models of the same weights. */
static const DynoConfigFixed fixed[] = {
  { "position_embedding_type", "\"absolute\"" },
  { "is_decoder", "false" },
  { "add_cross_attention", "false" },
};

/* Encoders of Jina AI call themselves BERT. */
static gboolean
is_jina (DynoConfig *config)
{
  return g_str_equal (dyno_config_get_string_or (config, "model_type", ""), "bert") &&
         g_str_equal (dyno_config_get_string_or (config, "position_embedding_type", ""), "alibi");
}

/* Names that all these models share. */
static Encoder
read_common (DynoConfig *config)
{
  gint64 vocabulary = dyno_config_get_int (config, "vocab_size");
  gint64 width = dyno_config_get_int (config, "hidden_size");

  dyno_config_check_fixed (config, is_jina (config) ? fixed + 1 : fixed,
                           G_N_ELEMENTS (fixed) - (is_jina (config) ? 1 : 0));
  return (Encoder){
    .names = &bert_names,
    .vocabulary = vocabulary,
    .width = width,
    .embedding_width = width,
    .n_layers = dyno_config_get_int (config, "num_hidden_layers"),
    .n_heads = dyno_config_get_int (config, "num_attention_heads"),
    .inner_width = dyno_config_get_int (config, "intermediate_size"),
    .n_positions = dyno_config_get_int (config, "max_position_embeddings"),
    .epsilon = dyno_config_get_double_or (config, "layer_norm_eps", 1e-12),
    .activation = dyno_config_get_string_or (config, "hidden_act", "gelu"),
  };
}

static Encoder
read_bert (DynoConfig *config)
{
  Encoder self = read_common (config);

  self.n_types = dyno_config_get_int_or (config, "type_vocab_size", 2);
  self.pooler = "pooler.dense";
  if (is_jina (config))
    {
      /* jina-embeddings-v2, Günther et al. 2023: no positions, but scores that fall with the distance,
       * and gated layers. */
      const char *layers = dyno_config_get_string_or (config, "feed_forward_type", "original");

      self.names = &jina_names;
      self.positions = POSITIONS_NONE;
      self.has_slopes = self.is_gated = TRUE;
      self.activation = "gelu";
      if (!g_str_equal (layers, "geglu"))
        dyno_config_fail (config, _ ("its “%s” is not %s, and Dyno can build nothing else"),
                          "feed_forward_type", "\"geglu\"");

      /* A related model normalises queries and keys, but only the name of its code shows it. */
      JsonObject *code = dyno_config_get_object (config, "auto_map");
      const char *name =
          code != NULL ? json_object_get_string_member_with_default (code, "AutoModel", "") : "";

      if (name != NULL && strstr (name, "qk-post-norm") != NULL)
        dyno_config_fail (
            config, _ ("its “auto_map” names code that normalises queries and keys, which is not supported"));
    }
  return self;
}

static Encoder
read_roberta (DynoConfig *config)
{
  Encoder self = read_bert (config);

  self.positions = POSITIONS_COUNTED;
  self.padding = dyno_config_get_count_or (config, "pad_token_id", 1);
  return self;
}

/* Reads the members that all DeBERTas have in common. */
static Encoder
read_any_deberta (DynoConfig *config, const Names *names)
{
  Encoder self = read_common (config);

  self.names = names;
  self.positions = dyno_config_get_boolean_or (config, "position_biased_input", TRUE) ? POSITIONS_FROM_ZERO
                                                                                      : POSITIONS_NONE;
  self.n_types = dyno_config_get_count_or (config, "type_vocab_size", 0);
  self.epsilon = dyno_config_get_double_or (config, "layer_norm_eps", 1e-7);
  if (dyno_config_get_int_or (config, "embedding_size", self.width) != self.width)
    dyno_config_fail (config, _ ("embeddings of another width (“embedding_size”) are not supported"));
  return self;
}

/* The values that all layers share. */
typedef struct
{
  const Encoder *encoder;
  DynoGraph *graph;
  const char *mask;
  DynoDisentangledDistances distances;
} Building;

static const char *
add_embeddings (DynoGraph *graph, const Encoder *self, const char *ids, const char *types)
{
  const char *positions = NULL;
  const char *value;

  dyno_graph_push_scope (graph, "embeddings");
  value = dyno_layers_embedding (graph, "word_embeddings", ids, self->vocabulary, self->embedding_width);
  if (self->positions != POSITIONS_NONE)
    {
      if (self->positions == POSITIONS_COUNTED)
        positions = dyno_layers_embedding (graph, "position_embeddings",
                                           dyno_relative_count (graph, ids, self->padding), self->n_positions,
                                           self->embedding_width);
      else
        {
          /* BERT counts positions from zero, so it uses the first rows of the table. */
          const gint64 dims[] = { self->n_positions, self->embedding_width };
          const gint64 zero = 0;
          const char *start = dyno_graph_add_ints (graph, 1, &zero);
          const char *length = dyno_graph_add (graph, "Shape", "start=1 end=2", ids, NULL);
          const char *table = dyno_graph_add_weight (graph, "position_embeddings.weight", 0, 0.02, 2, dims);

          positions = dyno_graph_add (graph, "Slice", NULL, table, start, length, start, NULL);
        }
    }
  if (types != NULL)
    value = dyno_graph_add (
        graph, "Add", NULL, value,
        dyno_layers_embedding (graph, "token_type_embeddings", types, self->n_types, self->embedding_width),
        NULL);
  if (positions != NULL)
    value = dyno_graph_add (graph, "Add", NULL, value, positions, NULL);
  value = dyno_layers_layer_norm (graph, "LayerNorm", value, self->epsilon);
  dyno_graph_pop_scope (graph);
  return self->projection != NULL ? dyno_layers_linear (graph, self->projection, value, self->width, TRUE)
                                  : value;
}

static void
push_scope (DynoGraph *graph, const char *scope)
{
  if (scope != NULL)
    dyno_graph_push_scope (graph, "%s", scope);
}

static void
pop_scope (DynoGraph *graph, const char *scope)
{
  if (scope != NULL)
    dyno_graph_pop_scope (graph);
}

/* Projects back to the width of the residual, adds it and normalises. */
static const char *
add_output (
    DynoGraph *graph, const Encoder *self, const OutputNames *names, const char *value, const char *residual)
{
  push_scope (graph, names->scope);
  value = dyno_layers_linear (graph, names->dense, value, self->width, TRUE);
  value = dyno_graph_add (graph, "Add", NULL, value, residual, NULL);
  value = dyno_layers_layer_norm (graph, names->norm, value, self->epsilon);
  pop_scope (graph, names->scope);
  return value;
}

/* The bias of queries or values alone, which is a separate weight. */
static const char *
add_own_bias (const Building *self, const char *name, const char *value)
{
  const Encoder *encoder = self->encoder;
  const gint64 by_head[] = { encoder->n_heads, 1, encoder->width / encoder->n_heads };
  const char *bias = dyno_graph_add_weight (self->graph, name, 0, 0.02, 1, &encoder->width);

  bias = dyno_layers_reshape (self->graph, bias, 3, by_head);
  return dyno_graph_add (self->graph, "Add", NULL, value, bias, NULL);
}

/* Queries, keys and values, each [batch, heads, sequence, head width]. */
static void
add_heads (const Building *self, const char *value, const char **parts)
{
  const Encoder *encoder = self->encoder;
  const char *const names[] = { encoder->names->query, encoder->names->key, encoder->names->value };

  if (encoder->names->joined != NULL)
    {
      /* Queries, keys and values of one weight; keys have no bias. */
      gint64 width = encoder->width / encoder->n_heads;
      const gint64 sizes[] = { width, width, width };

      value = dyno_layers_linear (self->graph, encoder->names->joined, value, 3 * encoder->width, FALSE);
      value = dyno_layers_split_heads (self->graph, value, encoder->n_heads);
      dyno_graph_add_split (self->graph, value, 3, 3, sizes, parts);
      parts[0] = add_own_bias (self, "q_bias", parts[0]);
      parts[2] = add_own_bias (self, "v_bias", parts[2]);
      return;
    }
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      parts[i] = dyno_layers_linear (self->graph, names[i], value, encoder->width, TRUE);
      parts[i] = dyno_layers_split_heads (self->graph, parts[i], encoder->n_heads);
    }
}

static const char *
add_layer (const Building *self, const char *value)
{
  const Encoder *encoder = self->encoder;
  const Names *names = encoder->names;
  const gint64 sizes[] = { encoder->inner_width, encoder->inner_width };
  DynoGraph *graph = self->graph;
  float divisor = sqrtf ((float)((encoder->disentangled.n_terms + 1) * encoder->width / encoder->n_heads));
  const char *scores = self->mask, *parts[3], *inner, *content;

  push_scope (graph, names->attention);
  add_heads (self, value, parts);
  if (encoder->disentangled.n_terms > 0)
    {
      scores = dyno_disentangled_bias (&encoder->disentangled, graph, &self->distances, parts[0], parts[1]);
      scores = dyno_graph_add (graph, "Add", NULL, scores, self->mask, NULL);
    }
  content = dyno_layers_attention_scaled (graph, parts[0], parts[1], parts[2], scores,
                                          dyno_graph_get_real_type (graph), divisor);
  pop_scope (graph, names->attention);
  value = add_output (graph, encoder, &names->attended, content, value);
  push_scope (graph, names->inner);
  if (encoder->is_gated)
    {
      inner = dyno_layers_linear (graph, names->inner_dense, value, 2 * sizes[0], FALSE);
      dyno_graph_add_split (graph, inner, 2, 2, sizes, parts);
      inner = dyno_layers_activation (graph, encoder->activation, parts[0]);
      inner = dyno_graph_add (graph, "Mul", NULL, inner, parts[1], NULL);
    }
  else
    {
      inner = dyno_layers_linear (graph, names->inner_dense, value, encoder->inner_width, TRUE);
      inner = dyno_layers_activation (graph, encoder->activation, inner);
    }
  pop_scope (graph, names->inner);
  return add_output (graph, encoder, &names->output, inner, value);
}

/* The output of the first token after a layer: [batch, width] */
static const char *
pool (DynoGraph *graph, const Encoder *self, const char *value)
{
  dyno_graph_push_scope (graph, "pooler");
  value = dyno_graph_add (graph, "Gather", "axis=1", value, dyno_graph_add_int (graph, 0), NULL);
  dyno_graph_pop_scope (graph);
  value = dyno_layers_linear (graph, self->pooler, value, self->width, TRUE);
  dyno_graph_push_scope (graph, "pooler");
  value = dyno_graph_add (graph, "Tanh", NULL, value, NULL);
  dyno_graph_pop_scope (graph);
  return value;
}

/* The distance of each key times the slope of each head, below zero, is added to the mask. */
static const char *
add_slopes (DynoGraph *graph, const Encoder *self, const char *mask, const char *ids)
{
  const gint64 by_head[] = { self->n_heads, 1, 1 }, last = 1;
  g_autofree float *slopes = g_new (float, self->n_heads);
  const char *places, *distances, *value;

  for (gint64 i = 0; i < self->n_heads; i++)
    slopes[i] = -(float)dyno_relative_slope (i, self->n_heads);
  dyno_graph_push_scope (graph, "alibi");
  places = dyno_relative_places (graph, ids, 1);
  distances = dyno_graph_add (graph, "Unsqueeze", NULL, places, dyno_graph_add_ints (graph, 1, &last), NULL);
  distances = dyno_graph_add (graph, "Sub", NULL, places, distances, NULL);
  distances =
      dyno_layers_cast (graph, dyno_graph_add (graph, "Abs", NULL, distances, NULL), DYNO_DATA_TYPE_FLOAT);
  value =
      dyno_layers_reshape (graph, dyno_graph_add_floats (graph, (guint)self->n_heads, slopes), 3, by_head);
  value = dyno_graph_add (graph, "Mul", NULL, distances, value, NULL);
  value = dyno_layers_cast (graph, value, dyno_graph_get_real_type (graph));
  value = dyno_graph_add (graph, "Add", NULL, mask, value, NULL);
  dyno_graph_pop_scope (graph);
  return value;
}

static const char *
add_tokens (DynoGraph *graph, const Encoder *self, const char *ids, const char *mask, const char *types)
{
  Building building = { .encoder = self, .graph = graph };
  const char *value, *embeddings, *places, *bias;

  dyno_graph_limit_sequence (graph, self->n_positions -
                                        (self->positions == POSITIONS_COUNTED ? self->padding + 1 : 0));
  building.mask = dyno_layers_padding_mask (graph, mask);
  if (self->n_buckets > 0)
    {
      dyno_graph_push_scope (graph, "encoder");
      places = dyno_relative_places (graph, ids, 1);
      bias = dyno_relative_rows (graph, places, places, dyno_relative_bucket_both_ways, self->n_buckets,
                                 MPNET_MAX_DISTANCE);
      bias = dyno_relative_bias (graph, "relative_attention_bias", bias, self->n_buckets, self->n_heads);
      building.mask = dyno_graph_add (graph, "Add", NULL, building.mask, bias, NULL);
      dyno_graph_pop_scope (graph);
    }
  if (self->has_slopes)
    building.mask = add_slopes (graph, self, building.mask, ids);
  if (self->disentangled.n_terms > 0)
    building.distances = dyno_disentangled_add (&self->disentangled, graph, ids);
  value = embeddings = add_embeddings (graph, self, ids, types);
  for (guint i = 0; i < self->n_layers; i++)
    {
      /* Layers of a group share weights, by using the same names. */
      for (guint k = 0; self->n_groups > 0 && k < self->n_inner; k++)
        {
          dyno_graph_push_scope (graph, "%s.%" G_GINT64_FORMAT ".albert_layers.%u", self->names->layer,
                                 i * self->n_groups / self->n_layers, k);
          value = add_layer (&building, value);
          dyno_graph_pop_scope (graph);
        }
      if (self->n_groups > 0)
        continue;
      dyno_graph_push_scope (graph, "%s.%u", self->names->layer, i);
      value = add_layer (&building, value);
      dyno_graph_pop_scope (graph);
      if (i == 0 && self->disentangled.kernel > 0)
        value = dyno_disentangled_convolve (&self->disentangled, graph, embeddings, value);
    }
  return value;
}

const char *
dyno_encoder_add_roberta (DynoGraph *graph, DynoConfig *config, const char *scope)
{
  const Encoder self = read_roberta (config);
  const char *ids, *mask, *value;

  check_encoder (&self, config);
  if (!dyno_config_check (config, NULL))
    return NULL;
  ids = dyno_graph_add_input (graph, "input_ids", DYNO_DATA_TYPE_INT64, "batch, sequence");
  mask = dyno_graph_add_input (graph, "attention_mask", DYNO_DATA_TYPE_INT64, "batch, sequence");
  dyno_graph_limit_input (graph, "input_ids", self.vocabulary);
  dyno_graph_push_scope (graph, "%s", scope);
  value = dyno_graph_add (graph, "Mul", NULL, ids, dyno_graph_add_int (graph, 0), NULL);
  value = pool (graph, &self, add_tokens (graph, &self, ids, mask, value));
  dyno_graph_pop_scope (graph);
  return value;
}

static void
check_and_build (DynoGraph *graph, DynoConfig *config, Encoder *self)
{
  check_encoder (self, config);
  self->head = dyno_head_read (config);
  if (dyno_config_check (config, NULL))
    {
      const char *ids = dyno_graph_add_input (graph, "input_ids", DYNO_DATA_TYPE_INT64, "batch, sequence");
      const char *mask =
          dyno_graph_add_input (graph, "attention_mask", DYNO_DATA_TYPE_INT64, "batch, sequence");
      const char *types = NULL;
      const char *value;

      if (self->n_types > 0)
        {
          types = dyno_graph_add_input (graph, "token_type_ids", DYNO_DATA_TYPE_INT64, "batch, sequence");
          dyno_graph_limit_input (graph, "token_type_ids", self->n_types);
        }
      dyno_graph_limit_input (graph, "input_ids", self->vocabulary);
      value = add_tokens (graph, self, ids, mask, types);
      if (self->head.kind == DYNO_HEAD_LAYERS)
        dyno_head_add (&self->head, graph, value, mask, "sequence");
      else
        {
          g_autofree char *dimensions = g_strdup_printf ("batch, sequence, %" G_GINT64_FORMAT, self->width);
          g_autofree char *pooled = g_strdup_printf ("batch, %" G_GINT64_FORMAT, self->width);

          dyno_graph_add_output (graph, "last_hidden_state", value, dimensions);
          if (self->pooler != NULL)
            dyno_graph_add_output (graph, "pooler_output", pool (graph, self, value), pooled);
        }
    }
}

static void
build_albert (DynoGraph *graph, DynoConfig *config)
{
  Encoder self = read_bert (config);

  self.names = &albert_names;
  self.pooler = "pooler";
  self.embedding_width = dyno_config_get_int_or (config, "embedding_size", 128);
  self.projection = "encoder.embedding_hidden_mapping_in";
  self.n_groups = dyno_config_get_int_or (config, "num_hidden_groups", 1);
  self.n_inner = dyno_config_get_int_or (config, "inner_group_num", 1);
  self.activation = dyno_config_get_string_or (config, "hidden_act", "gelu_new");

  check_and_build (graph, config, &self);
}

static void
build_bert (DynoGraph *graph, DynoConfig *config)
{
  Encoder self = read_bert (config);

  check_and_build (graph, config, &self);
}

static void
build_deberta (DynoGraph *graph, DynoConfig *config)
{
  Encoder self = read_any_deberta (config, &deberta_names);

  self.disentangled = dyno_disentangled_read (config, self.epsilon);

  check_and_build (graph, config, &self);
}

static void
build_first_deberta (DynoGraph *graph, DynoConfig *config)
{
  Encoder self = read_any_deberta (config, &first_deberta_names);

  self.disentangled = dyno_disentangled_read_first (config, self.epsilon);

  check_and_build (graph, config, &self);
}

static void
build_distilbert (DynoGraph *graph, DynoConfig *config)
{
  gint64 width = dyno_config_get_int (config, "dim");
  Encoder self = (Encoder){
    .names = &bert_names,
    .vocabulary = dyno_config_get_int (config, "vocab_size"),
    .width = width,
    .embedding_width = width,
    .n_layers = dyno_config_get_int (config, "n_layers"),
    .n_heads = dyno_config_get_int (config, "n_heads"),
    .inner_width = dyno_config_get_int (config, "hidden_dim"),
    .n_positions = dyno_config_get_int (config, "max_position_embeddings"),
    .epsilon = 1e-12,
    .activation = dyno_config_get_string_or (config, "activation", "gelu"),
    .fields = { "dim", "n_layers", "n_heads", .activation = "activation" },
  };

  check_and_build (graph, config, &self);
}

static void
build_electra (DynoGraph *graph, DynoConfig *config)
{
  Encoder self = read_bert (config);

  self.pooler = NULL;
  self.embedding_width = dyno_config_get_int_or (config, "embedding_size", 128);
  if (self.embedding_width != self.width)
    self.projection = "embeddings_project";

  check_and_build (graph, config, &self);
}

static void
build_mpnet (DynoGraph *graph, DynoConfig *config)
{
  Encoder self = read_common (config);

  self.names = &mpnet_names;
  self.pooler = "pooler.dense";
  self.positions = POSITIONS_COUNTED;
  self.padding = dyno_config_get_count_or (config, "pad_token_id", 1);
  self.n_buckets = dyno_config_get_int_or (config, "relative_attention_num_buckets", 32);
  if (self.n_buckets < 4 || self.n_buckets > 2 * MPNET_MAX_DISTANCE)
    dyno_config_fail (config, _ ("its “relative_attention_num_buckets” must lie between 4 and %d"),
                      2 * MPNET_MAX_DISTANCE);

  check_and_build (graph, config, &self);
}

static void
build_roberta (DynoGraph *graph, DynoConfig *config)
{
  Encoder self = read_roberta (config);

  check_and_build (graph, config, &self);
}

const DynoFamily dyno_encoder_family = { "encoder", N_ ("Text encoder"), N_ ("Text Encoders") };

/* A masked language model does not use the pooler, and its file often lacks it. */
static const char *const untrained[] = { "pooler.", NULL };

/* Checkpoints that were converted from TensorFlow keep its names. */
static const DynoNamePair bert_pairs[] = { { "LayerNorm.weight", "LayerNorm.gamma" },
                                           { "LayerNorm.bias", "LayerNorm.beta" },
                                           { NULL } };

static const DynoNamePair distilbert_pairs[] = {
  { "encoder.layer.", "transformer.layer." },
  { "attention.self.query.", "attention.q_lin." },
  { "attention.self.key.", "attention.k_lin." },
  { "attention.self.value.", "attention.v_lin." },
  { "attention.output.dense.", "attention.out_lin." },
  { "attention.output.LayerNorm.", "sa_layer_norm." },
  { "intermediate.dense.", "ffn.lin1." },
  { "output.dense.", "ffn.lin2." },
  { "output.LayerNorm.", "output_layer_norm." },
  { NULL },
};

static const DynoNaming bert_naming = { "bert", bert_pairs, untrained };
static const DynoNaming albert_naming = { "albert", bert_pairs, untrained };
static const DynoNaming deberta_naming = { "deberta" };
static const DynoNaming distilbert_naming = { "distilbert", distilbert_pairs };
static const DynoNaming electra_naming = { "electra" };
static const DynoNaming mpnet_naming = { "mpnet", NULL, untrained };
static const DynoNaming roberta_naming = { "roberta", bert_pairs, untrained };

const DynoArchitecture dyno_encoder_architectures[] = {
  { "albert", &dyno_encoder_family, "feature-extraction", build_albert, &albert_naming },
  { "bert", &dyno_encoder_family, "feature-extraction", build_bert, &bert_naming },
  { "camembert", &dyno_encoder_family, "feature-extraction", build_roberta, &roberta_naming },
  { "deberta", &dyno_encoder_family, "feature-extraction", build_first_deberta, &deberta_naming },
  { "deberta-v2", &dyno_encoder_family, "feature-extraction", build_deberta, &deberta_naming },
  { "distilbert", &dyno_encoder_family, "feature-extraction", build_distilbert, &distilbert_naming },
  { "electra", &dyno_encoder_family, "feature-extraction", build_electra, &electra_naming },
  { "mpnet", &dyno_encoder_family, "feature-extraction", build_mpnet, &mpnet_naming },
  { "roberta", &dyno_encoder_family, "feature-extraction", build_roberta, &roberta_naming },
  { "xlm-roberta", &dyno_encoder_family, "feature-extraction", build_roberta, &roberta_naming },
  { NULL },
};
