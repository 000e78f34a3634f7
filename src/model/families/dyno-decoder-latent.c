/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-decoder.h"
#include "dyno-layers.h"

/* The epsilon of the norms of latent vectors is not in the config. */
#define LATENT_EPSILON 1e-6

static const char *
split_heads (const DynoDecoding *self, const char *value, gint64 n_heads)
{
  return dyno_layers_split_heads (self->graph, value, n_heads);
}

static const char *
turn (const DynoDecoding *self, const char *value)
{
  return dyno_rotary_turn (&self->decoder->rotary[0], self->graph, &self->rotations[0], value);
}

const char *
dyno_decoder_add_latent (DynoDecoding *self, guint layer, const char *value)
{
  const DynoDecoder *decoder = self->decoder;
  const DynoLatent *latent = &decoder->latent;
  const gint64 kept[] = { latent->key_rank, latent->turned_width };
  const gint64 halves[] = { latent->plain_width, latent->turned_width };
  const gint64 sizes[] = { latent->plain_width, latent->value_width };
  const gint64 flat[] = { 0, -1, latent->key_rank }, heads[] = { 1, decoder->n_heads, 1, 1 };
  DynoScores scores = { decoder->score_divisor, 0, NULL, decoder->softmax_type, NULL };
  DynoGraph *graph = self->graph;
  const char *parts[2], *cached[2];
  const char *query, *key;

  dyno_graph_push_scope (graph, "%s", decoder->names->attention);

  /* [batch, heads, sequence, plain width + turned width] */
  query = value;
  if (latent->query_rank > 0)
    {
      query = dyno_layers_linear (graph, "q_a_proj", query, latent->query_rank, decoder->has_input_bias);
      query = dyno_layers_rms_norm (graph, "q_a_layernorm", query, LATENT_EPSILON);
    }
  query = dyno_layers_linear (graph, latent->query_rank > 0 ? "q_b_proj" : "q_proj", query,
                              decoder->n_heads * (halves[0] + halves[1]), FALSE);
  dyno_graph_add_split (graph, split_heads (self, query, decoder->n_heads), 3, 2, halves, parts);
  query = dyno_graph_add (graph, "Concat", "axis=3", parts[0], turn (self, parts[1]), NULL);
  value = dyno_layers_linear (graph, "kv_a_proj_with_mqa", value, latent->key_rank + latent->turned_width,
                              decoder->has_input_bias);
  dyno_graph_add_split (graph, value, 2, 2, kept, cached);
  cached[0] = dyno_layers_rms_norm (graph, "kv_a_layernorm", cached[0], LATENT_EPSILON);
  cached[0] = dyno_decoder_add_cache (self, layer, "key", split_heads (self, cached[0], 1), self->keys);
  cached[1] = dyno_decoder_add_cache (self, layer, "value", turn (self, split_heads (self, cached[1], 1)),
                                      self->values);
  scores.mask = dyno_decoder_get_mask (self, layer, cached[0]);
  value = dyno_layers_reshape (graph, cached[0], 3, flat);
  value = dyno_layers_linear (graph, "kv_b_proj", value, decoder->n_heads * (sizes[0] + sizes[1]), FALSE);
  dyno_graph_add_split (graph, split_heads (self, value, decoder->n_heads), 3, 2, sizes, parts);

  /* All heads share the rotated part. */
  key = dyno_graph_add (graph, "Expand", NULL, cached[1], dyno_graph_add_ints (graph, 4, heads), NULL);
  key = dyno_graph_add (graph, "Concat", "axis=3", parts[0], key, NULL);
  value = dyno_layers_attention_by (graph, query, key, parts[1], &scores);
  value = dyno_layers_linear (graph, decoder->names->output, value, decoder->width, decoder->has_output_bias);
  dyno_graph_pop_scope (graph);
  return value;
}
