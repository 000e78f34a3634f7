/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>

#include "dyno-architecture.h"
#include "dyno-head.h"
#include "dyno-layers.h"
#include "dyno-model-graph-private.h"
#include "dyno-tower.h"

/* ESM, Rives et al. 2019 and Lin et al. 2022: language models of proteins. */

/* The share of tokens that were masked in training. */
#define MASKED_SHARE (0.15 * 0.8)

typedef struct
{
  DynoTower tower;
  gint64 vocabulary;
  gint64 n_positions;
  gint64 padding;
  gint64 mask_token; /* below 0 if its embedding is as good as any other */
  gboolean is_turned;
  gboolean has_embedding_norm;
  DynoHead head;
} Esm;

static const DynoTowerNames names = {
  .layer = "encoder.layer",
  .attention_norm = "attention.LayerNorm",
  .attention = "attention.self",
  .query = "query",
  .key = "key",
  .value = "value",
  .output = "attention.output.dense",
  .inner_norm = "LayerNorm",
  .up_dense = "intermediate.dense",
  .down_dense = "output.dense",
};

static const char *
unsqueeze (DynoGraph *graph, const char *value)
{
  const gint64 last = -1;

  return dyno_graph_add (graph, "Unsqueeze", NULL, value, dyno_graph_add_ints (graph, 1, &last), NULL);
}

static const char *
count (DynoGraph *graph, const char *value)
{
  const gint64 second = 1;

  value =
      dyno_graph_add (graph, "ReduceSum", "keepdims=1", value, dyno_graph_add_ints (graph, 1, &second), NULL);
  return dyno_layers_cast (graph, value, DYNO_DATA_TYPE_FLOAT);
}

static const char *
add_embeddings (DynoGraph *graph, const Esm *self, const char *ids, const char *mask)
{
  gint64 width = self->tower.width;
  const char *value, *places;

  dyno_graph_push_scope (graph, "embeddings");
  value = dyno_layers_embedding (graph, "word_embeddings", ids, self->vocabulary, width);
  if (self->mask_token >= 0)
    {
      /* Masked tokens are zero, as if dropped, and the others are scaled as in training. */
      DynoDataType type = dyno_graph_get_real_type (graph);
      const char *is_masked =
          dyno_graph_add (graph, "Equal", NULL, ids, dyno_graph_add_int (graph, self->mask_token), NULL);
      const char *masked = dyno_graph_add (graph, "Cast", "to=7", is_masked, NULL);
      const char *one = dyno_graph_add_float (graph, 1);
      const char *share =
          dyno_graph_add (graph, "Div", NULL, count (graph, masked), count (graph, mask), NULL);
      const char *scale =
          dyno_graph_add (graph, "Div", NULL, dyno_graph_add_float (graph, (float)(1 - MASKED_SHARE)),
                          dyno_graph_add (graph, "Sub", NULL, one, share, NULL), NULL);

      value = dyno_graph_add (graph, "Where", NULL, unsqueeze (graph, is_masked),
                              dyno_graph_add_real (graph, 0), value, NULL);
      value = dyno_graph_add (graph, "Mul", NULL, value,
                              unsqueeze (graph, dyno_layers_cast (graph, scale, type)), NULL);
    }
  if (!self->is_turned)
    {
      places =
          dyno_layers_embedding (graph, "position_embeddings",
                                 dyno_relative_count (graph, ids, self->padding), self->n_positions, width);
      value = dyno_graph_add (graph, "Add", NULL, value, places, NULL);
    }
  if (self->has_embedding_norm)
    value = dyno_layers_layer_norm (graph, "layer_norm", value, self->tower.epsilon);
  mask = unsqueeze (graph, dyno_layers_cast (graph, mask, dyno_graph_get_real_type (graph)));
  value = dyno_graph_add (graph, "Mul", NULL, value, mask, NULL);
  dyno_graph_pop_scope (graph);
  return value;
}

static void
add_esm (DynoGraph *graph, const Esm *self)
{
  const char *ids = dyno_graph_add_input (graph, "input_ids", DYNO_DATA_TYPE_INT64, "batch, sequence");
  const char *mask = dyno_graph_add_input (graph, "attention_mask", DYNO_DATA_TYPE_INT64, "batch, sequence");
  DynoTower tower = self->tower;
  const gint64 first = 0, dims[] = { 1, tower.n_layers * tower.n_heads };
  const char *places, *value;

  if (self->is_turned)
    {
      dyno_graph_push_scope (graph, "rotary_embeddings");
      places = dyno_relative_places (graph, ids, 1);
      places =
          dyno_graph_add (graph, "Unsqueeze", NULL, places, dyno_graph_add_ints (graph, 1, &first), NULL);
      dyno_graph_pop_scope (graph);
      tower.rotation = dyno_rotary_add (&tower.rotary, graph, "rotary_embeddings", places, 1);
    }
  value = add_embeddings (graph, self, ids, mask);
  dyno_graph_limit_input (graph, "input_ids", self->vocabulary);
  dyno_graph_limit_sequence (graph, self->n_positions - self->padding - 1);
  value = dyno_tower_add (&tower, graph, value, dyno_layers_padding_mask (graph, mask));
  value = dyno_layers_layer_norm (graph, "encoder.emb_layer_norm_after", value, tower.epsilon);

  /* It predicts which parts of a protein touch, from all scores of attention; it is in checkpoints, but not used. */
  dyno_graph_push_scope (graph, "contact_head.regression");
  dyno_graph_add_weight (graph, "weight", 0, 0.02, 2, dims);
  dyno_graph_add_weight (graph, "bias", 0, 0.02, 1, dims);
  dyno_graph_pop_scope (graph);
  if (self->head.kind == DYNO_HEAD_LAYERS)
    dyno_head_add (&self->head, graph, value, mask, "sequence");
  else
    {
      /* This is the same as in BERT. */
      g_autofree char *states = g_strdup_printf ("batch, sequence, %" PRId64, self->tower.width);
      g_autofree char *pooled = g_strdup_printf ("batch, %" PRId64, self->tower.width);

      dyno_graph_add_output (graph, "last_hidden_state", value, states);
      dyno_graph_push_scope (graph, "pooler");
      value = dyno_graph_add (graph, "Gather", "axis=1", value, dyno_graph_add_int (graph, 0), NULL);
      value = dyno_layers_linear (graph, "dense", value, self->tower.width, TRUE);
      value = dyno_graph_add (graph, "Tanh", NULL, value, NULL);
      dyno_graph_pop_scope (graph);
      dyno_graph_add_output (graph, "pooler_output", value, pooled);
    }
}

/* Options of the published code that make other models of the same weights. */
static const DynoConfigFixed fixed[] = {
  { "is_folding_model", "false" },
  { "is_decoder", "false" },
  { "add_cross_attention", "false" },
  { "hidden_act", "\"gelu\"" },
};

static void
build_esm (DynoGraph *graph, DynoConfig *config)
{
  gint64 width = dyno_config_get_int (config, "hidden_size");
  gint64 n_heads = dyno_config_get_int (config, "num_attention_heads");
  Esm self = {
    .tower = { .names = &names,
               .width = width,
               .n_layers = dyno_config_get_int (config, "num_hidden_layers"),
               .n_heads = n_heads,
               .inner_width = dyno_config_get_int (config, "intermediate_size"),
               .has_input_bias = TRUE,
               .epsilon = dyno_config_get_double_or (config, "layer_norm_eps", 1e-12),
               .activation = "gelu" },
    .vocabulary = dyno_config_get_int (config, "vocab_size"),
    .n_positions = dyno_config_get_int_or (config, "max_position_embeddings", 1026),
    .padding = dyno_config_get_count_or (config, "pad_token_id", 1),
    .mask_token = -1,
    .has_embedding_norm = dyno_config_get_boolean_or (config, "emb_layer_norm_before", FALSE),
    .head = dyno_head_read (config),
  };

  if (dyno_config_get_boolean_or (config, "token_dropout", FALSE))
    self.mask_token = dyno_config_get_count_or (config, "mask_token_id", 32);

  const char *positions = dyno_config_get_string_or (config, "position_embedding_type", "absolute");

  dyno_tower_check (&self.tower, config);
  dyno_config_check_fixed (config, fixed, G_N_ELEMENTS (fixed));
  self.is_turned = g_str_equal (positions, "rotary");
  if (!self.is_turned && !g_str_equal (positions, "absolute"))
    dyno_config_fail (config, _ ("Dyno does not know “%s” of its “%s”"), positions,
                      "position_embedding_type");
  dyno_config_check_padding (config, self.padding, self.n_positions);

  if (self.is_turned)
    self.tower.rotary = dyno_rotary_read (config, NULL, 10000, width / n_heads, 1);
  if (dyno_config_check (config, NULL))
    add_esm (graph, &self);
}

/* Files of the masked language model lack the pooler. */
static const char *const untrained[] = { "pooler.", NULL };
static const DynoNamePair pairs[] = { { "LayerNorm.weight", "LayerNorm.gamma" },
                                      { "LayerNorm.bias", "LayerNorm.beta" },
                                      { NULL } };
static const DynoNaming naming = { "esm", pairs, untrained };

const DynoArchitecture dyno_esm_architectures[] = {
  { "esm", &dyno_encoder_family, "feature-extraction", build_esm, &naming },
  { NULL },
};
