/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-layers.h"
#include "dyno-model-families-private.h"
#include "dyno-model-graph-private.h"

const char *
dyno_seq2seq_embed (const DynoSeq2seq *self, DynoGraph *graph, const DynoStack *stack, const char *ids)
{
  const char *value = dyno_layers_embedding (graph, self->shared, ids, self->vocabulary, stack->width);

  if (self->embedding_scale == 1)
    return value;
  dyno_graph_push_scope (graph, "%s", stack->scope);
  value = dyno_graph_add (graph, "Mul", NULL, value,
                          dyno_graph_add_real (graph, (float)self->embedding_scale), NULL);
  dyno_graph_pop_scope (graph);
  return value;
}

static const char *
place_tokens (
    const DynoSeq2seq *self, DynoGraph *graph, const DynoStack *stack, const char *value, const char *places)
{
  dyno_graph_push_scope (graph, "%s", stack->scope);
  if (self->positions == DYNO_SEQ2SEQ_TABLE || self->positions == DYNO_SEQ2SEQ_SINES)
    {
      const gint64 dims[] = { self->n_positions + self->offset,
                              dyno_graph_get_shape (graph, value)->dims[2] };

      if (self->offset > 0)
        places = dyno_graph_add (graph, "Add", NULL, places, dyno_graph_add_int (graph, self->offset), NULL);
      if (self->has_fixed_sines)
        dyno_graph_add_buffer (graph, "embed_positions.weight", 0, G_SQRT2 / 2, 2, dims);
      if (self->positions == DYNO_SEQ2SEQ_SINES)
        dyno_graph_add_sinusoids (graph, "embed_positions.weight", dims[0], dims[1],
                                  (double)dims[1] / 2 - (self->has_fixed_sines ? 1 : 0));
      places = dyno_layers_embedding (graph, "embed_positions", places, dims[0], dims[1]);
      value = dyno_graph_add (graph, "Add", NULL, value, places, NULL);
    }
  if (self->has_embedding_norm)
    value = dyno_layers_layer_norm (graph, "layernorm_embedding", value, stack->epsilon);
  dyno_graph_pop_scope (graph);
  return value;
}

/* The table of relative positions belongs to the first layer; all others add the same bias to their scores. */
static const char *
add_bias (const DynoSeq2seq *self,
          DynoGraph *graph,
          const DynoStack *stack,
          const char *queries,
          const char *keys,
          DynoRelativeBucket bucket)
{
  const char *rows, *bias;

  dyno_graph_push_scope (graph, "%s.0.%s", stack->names.layer, stack->names.self.scope);
  rows = dyno_relative_rows (graph, queries, keys, bucket, self->n_buckets, self->max_distance);
  bias = dyno_relative_bias (graph, "relative_attention_bias", rows, self->n_buckets, stack->n_heads);
  dyno_graph_pop_scope (graph);
  return bias;
}

/* Causal mask: [queries, keys]. */
static const char *
add_causal_mask (DynoGraph *graph, const char *queries, const char *keys)
{
  const gint64 last = 1;
  const char *allowed;

  queries = dyno_graph_add (graph, "Unsqueeze", NULL, queries, dyno_graph_add_ints (graph, 1, &last), NULL);
  allowed = dyno_graph_add (graph, "LessOrEqual", NULL, keys, queries, NULL);
  return dyno_graph_add (graph, "Where", NULL, allowed, dyno_graph_add_real (graph, 0),
                         dyno_layers_masked_score (graph), NULL);
}

/* The embeddings are given, or made from the tokens. */
static const char *
add_encoder (const DynoSeq2seq *self, DynoGraph *graph, const char *ids, const char *value, const char *mask)
{
  const DynoStack *stack = &self->encoder;
  DynoStackSources sources = { .scores = mask };
  const char *places;

  dyno_graph_push_scope (graph, "%s", stack->scope);
  places = mask != NULL ? dyno_relative_places (graph, mask, 3) : dyno_relative_places (graph, ids, 1);
  if (self->positions == DYNO_SEQ2SEQ_RELATIVE)
    sources.scores = add_bias (self, graph, stack, places, places, dyno_relative_bucket_both_ways);
  if (self->positions == DYNO_SEQ2SEQ_RELATIVE && mask != NULL)
    sources.scores = dyno_graph_add (graph, "Add", NULL, sources.scores, mask, NULL);
  dyno_graph_pop_scope (graph);
  if (value == NULL)
    value = dyno_seq2seq_embed (self, graph, stack, ids);
  value = place_tokens (self, graph, stack, value, places);
  return dyno_stack_add (stack, graph, value, &sources);
}

DynoRotation
dyno_seq2seq_rotate (const DynoStack *stack, DynoGraph *graph, const char *places)
{
  const gint64 first = 0;

  places = dyno_graph_add (graph, "Unsqueeze", NULL, places, dyno_graph_add_ints (graph, 1, &first), NULL);
  return dyno_rotary_add (stack->rotary, graph, "rotary_emb", places, 1);
}

static const char *
add_head (const DynoSeq2seq *self, DynoGraph *graph, const char *value)
{
  const gint64 dims[] = { 1, self->vocabulary };
  const char *bias;

  if (self->is_tied)
    {
      /* A tied head multiplies by the transposed embedding weight. */
      gint64 width = self->decoder.width;
      const gint64 table[] = { self->vocabulary, width };
      g_autofree char *name = g_strconcat (self->shared, ".weight", NULL);
      const char *weight = dyno_graph_add_weight (graph, name, 0, 1 / sqrt ((double)width), 2, table);

      dyno_graph_push_scope (graph, "%s", self->head);
      if (self->scales_outputs)
        value = dyno_graph_add (graph, "Mul", NULL, value,
                                dyno_graph_add_real (graph, (float)(1 / sqrt ((double)width))), NULL);
      value = dyno_product_add (graph, value, weight, TRUE);
      dyno_graph_pop_scope (graph);
    }
  else
    value = dyno_layers_linear (graph, self->head, value, self->vocabulary, FALSE);
  if (!self->has_logits_bias)
    return value;
  bias = dyno_graph_add_buffer (graph, "final_logits_bias", 0, 0.02, 2, dims);
  dyno_graph_push_scope (graph, "%s", self->head);
  value = dyno_graph_add (graph, "Add", NULL, value, bias, NULL);
  dyno_graph_pop_scope (graph);
  return value;
}

void
dyno_seq2seq_add_states (const DynoSeq2seq *self, DynoGraph *graph, const char *states, const char *source)
{
  g_autofree char *dimensions =
      g_strdup_printf ("batch, %s, %" G_GINT64_FORMAT, source, dyno_graph_get_shape (graph, states)->dims[2]);

  dyno_graph_add_output (graph, "encoder_last_hidden_state", states, dimensions);
  dyno_stack_add_cross (&self->decoder, graph, states, source);
}

const char *
dyno_seq2seq_add_tokens (const DynoSeq2seq *self, DynoGraph *graph)
{
  const char *ids = dyno_graph_add_input (graph, "input_ids", DYNO_DATA_TYPE_INT64, "batch, sequence");

  dyno_graph_limit_input (graph, "input_ids", self->vocabulary);
  dyno_graph_limit_sequence (graph, self->n_positions);
  return ids;
}

void
dyno_seq2seq_add_encoder (
    const DynoSeq2seq *self, DynoGraph *graph, const char *scope, const char *ids, const char *value)
{
  const char *mask = dyno_graph_add_input (graph, "attention_mask", DYNO_DATA_TYPE_INT64, "batch, sequence");

  if (scope != NULL)
    dyno_graph_push_scope (graph, "%s", scope);
  mask = dyno_layers_padding_mask (graph, mask);
  value = add_encoder (self, graph, ids, value, mask);
  dyno_seq2seq_add_states (self, graph, value, "sequence");
  if (scope != NULL)
    dyno_graph_pop_scope (graph);
  dyno_graph_add_output (graph, DYNO_SEQ2SEQ_MASK, mask, DYNO_SEQ2SEQ_MASK_DIMENSIONS);
}

const char *
dyno_seq2seq_add_part (const DynoSeq2seq *self, DynoGraph *graph, const char *ids, const char *tokens)
{
  return add_encoder (self, graph, ids, NULL,
                      tokens != NULL ? dyno_layers_padding_mask (graph, tokens) : NULL);
}

void
dyno_seq2seq_add_encoder_alone (const DynoSeq2seq *self, DynoGraph *graph)
{
  g_autofree char *dimensions = g_strdup_printf ("batch, sequence, %" G_GINT64_FORMAT, self->encoder.width);
  const char *ids = dyno_seq2seq_add_tokens (self, graph);
  const char *mask = dyno_graph_add_input (graph, "attention_mask", DYNO_DATA_TYPE_INT64, "batch, sequence");
  const char *value = dyno_seq2seq_add_part (self, graph, ids, mask);

  dyno_graph_add_output (graph, "last_hidden_state", value, dimensions);
}

void
dyno_seq2seq_add_classifier (const DynoSeq2seq *self, DynoGraph *graph, gint64 start, const DynoHead *head)
{
  const DynoStack *stack = &self->decoder;
  const char *ids = dyno_seq2seq_add_tokens (self, graph);
  const char *tokens =
      dyno_graph_add_input (graph, "attention_mask", DYNO_DATA_TYPE_INT64, "batch, sequence");
  DynoStackSources sources = { .mask = dyno_layers_padding_mask (graph, tokens) };
  const char *places, *value;

  sources.states = add_encoder (self, graph, ids, NULL, sources.mask);
  dyno_graph_push_scope (graph, "%s", stack->scope);
  places = dyno_relative_places (graph, tokens, 1);
  sources.scores = add_causal_mask (graph, places, places);

  /* The text as the decoder reads it: moved by one token, after the token with which answers begin. */
  const gint64 first = 0, last = -1, axis = 1;
  const char *axes = dyno_graph_add_ints (graph, 1, &axis);
  const char *begin = dyno_graph_add_ints (graph, 1, &first);
  const char *column = dyno_graph_add (graph, "Slice", NULL, tokens, begin, axes, axes, NULL);

  column = dyno_graph_add (graph, "Mul", NULL, column, dyno_graph_add_int (graph, 0), NULL);
  column = dyno_graph_add (graph, "Add", NULL, column, dyno_graph_add_int (graph, start), NULL);
  ids = dyno_graph_add (graph, "Slice", NULL, ids, begin, dyno_graph_add_ints (graph, 1, &last), axes, NULL);
  ids = dyno_graph_add (graph, "Concat", "axis=1", column, ids, NULL);
  dyno_graph_pop_scope (graph);
  value = place_tokens (self, graph, stack, dyno_seq2seq_embed (self, graph, stack, ids), places);
  value = dyno_stack_add (stack, graph, value, &sources);
  dyno_head_add (head, graph, value, tokens, "sequence");
}

void
dyno_seq2seq_add_decoder (const DynoSeq2seq *self, DynoGraph *graph, const char *source, gboolean has_mask)
{
  g_autofree char *dimensions =
      g_strdup_printf ("batch, " DYNO_STACK_ANSWER ", %" G_GINT64_FORMAT, self->vocabulary);
  const char *answer =
      dyno_graph_add_input (graph, "decoder_input_ids", DYNO_DATA_TYPE_INT64, "batch, " DYNO_STACK_ANSWER);
  g_autoptr (DynoStackCache) cache = dyno_stack_cache_new (&self->decoder, graph, source);
  const char *mask = NULL, *value;
  const char *past, *end, *places, *keys, *bias, *inner;

  if (has_mask)
    mask = dyno_graph_add_input (graph, DYNO_SEQ2SEQ_MASK, dyno_graph_get_real_type (graph),
                                 DYNO_SEQ2SEQ_MASK_DIMENSIONS);
  dyno_graph_limit_input (graph, "decoder_input_ids", self->vocabulary);
  dyno_graph_limit_sequence (graph, self->n_positions);

  /* The first token of this step follows those in the cache. */
  const DynoStack *stack = &self->decoder;
  DynoStackSources sources = { .mask = mask, .cache = cache };

  dyno_graph_push_scope (graph, "%s", stack->scope);
  past = dyno_relative_length (graph, cache->past->pdata[0], 2);
  end = dyno_graph_add (graph, "Add", NULL, past, dyno_relative_length (graph, answer, 1), NULL);
  places = dyno_relative_range (graph, past, end);
  keys = dyno_relative_range (graph, dyno_graph_add_int (graph, 0), end);
  sources.scores = add_causal_mask (graph, places, keys);
  if (self->positions == DYNO_SEQ2SEQ_RELATIVE)
    {
      bias = add_bias (self, graph, stack, places, keys, dyno_relative_bucket_backwards);
      sources.scores = dyno_graph_add (graph, "Add", NULL, bias, sources.scores, NULL);
    }
  if (self->positions == DYNO_SEQ2SEQ_ROTARY)
    sources.rotation = dyno_seq2seq_rotate (stack, graph, places);
  dyno_graph_pop_scope (graph);
  inner = place_tokens (self, graph, stack, dyno_seq2seq_embed (self, graph, stack, answer), places);
  value = add_head (self, graph, dyno_stack_add (stack, graph, inner, &sources));
  dyno_graph_add_output (graph, "logits", value, dimensions);
  dyno_stack_cache_add_outputs (cache, &self->decoder, graph);
}

void
dyno_seq2seq_check (const DynoSeq2seq *self, DynoConfig *config)
{
  dyno_stack_check (&self->encoder, config);
  dyno_stack_check (&self->decoder, config);
  if (self->positions == DYNO_SEQ2SEQ_RELATIVE &&
      (self->n_buckets < 4 || self->max_distance <= self->n_buckets / 2))
    dyno_config_fail (
        config,
        _ ("its “relative_attention_num_buckets” and “relative_attention_max_distance” do not go together"));
}

static const DynoStackNames bart_names = {
  .layer = "layers",
  .query = "q_proj",
  .key = "k_proj",
  .value = "v_proj",
  .output = "out_proj",
  .up = "fc1",
  .down = "fc2",
  .self = { "self_attn", "self_attn_layer_norm" },
  .cross = { "encoder_attn", "encoder_attn_layer_norm" },
  .inner = { NULL, "final_layer_norm" },
};

static DynoStack
read_named_stack (DynoConfig *config, const char *scope, const DynoConfigFields *fields, const char *inner)
{
  DynoStack self = {
    .scope = scope,
    .names = bart_names,
    .width = dyno_config_get_int (config, fields->width),
    .n_layers = dyno_config_get_int (config, fields->layers),
    .n_heads = dyno_config_get_int (config, fields->heads),
    .inner_width = dyno_config_get_int (config, inner),
    .has_bias = TRUE,
    .is_scaled = TRUE,
    .epsilon = 1e-5,
    .activation = dyno_config_get_string_or (config, fields->activation, "gelu"),
    .fields = *fields,
  };

  self.head_width = self.width / self.n_heads;
  return self;
}

DynoStack
dyno_seq2seq_read_stack (DynoConfig *config, const char *scope, const char *prefix)
{
  g_autofree char *layers = g_strconcat (prefix, "_layers", NULL);
  g_autofree char *heads = g_strconcat (prefix, "_attention_heads", NULL);
  g_autofree char *inner = g_strconcat (prefix, "_ffn_dim", NULL);
  const DynoConfigFields fields = { "d_model", g_intern_string (layers), g_intern_string (heads),
                                    .activation = "activation_function" };

  return read_named_stack (config, scope, &fields, inner);
}

DynoStack
dyno_seq2seq_read_plain_stack (DynoConfig *config, const char *scope)
{
  const DynoConfigFields fields = { "hidden_size", "num_hidden_layers", "num_attention_heads",
                                    .activation = "activation_function" };

  return read_named_stack (config, scope, &fields, "intermediate_size");
}

void
dyno_seq2seq_set_pre_norm (DynoStack *self)
{
  self->is_pre_norm = TRUE;
  self->names.final_norm = "layer_norm";
}
