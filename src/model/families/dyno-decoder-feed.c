/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-decoder.h"
#include "dyno-layers.h"

/* Names of the weights of a gated feed-forward layer, and its inner width. */
typedef struct
{
  const char *scope;
  const char *gate;
  const char *up;
  const char *down;
  gint64 width;
} Gated;

static const char *
add_gated (const DynoDecoding *self, const Gated *names, const char *value)
{
  const DynoDecoder *decoder = self->decoder;
  DynoGraph *graph = self->graph;
  const char *gate, *up;

  dyno_graph_push_scope (graph, "%s", names->scope);
  gate = dyno_layers_linear (graph, names->gate, value, names->width, decoder->has_feed_bias);
  gate = dyno_layers_activation (graph, decoder->activation, gate);
  up = dyno_layers_linear (graph, names->up, value, names->width, decoder->has_feed_bias);
  value = dyno_graph_add (graph, "Mul", NULL, gate, up, NULL);
  value = dyno_layers_linear (graph, names->down, value, decoder->width, decoder->has_feed_bias);
  dyno_graph_pop_scope (graph);
  return value;
}

/* Gate and up projection in one weight, the gate first. */
static const char *
add_fused (const DynoDecoding *self, const char *value)
{
  const DynoDecoder *decoder = self->decoder;
  DynoGraph *graph = self->graph;
  const gint64 sizes[] = { decoder->inner_width, decoder->inner_width };
  const char *parts[2];

  value =
      dyno_layers_linear (graph, decoder->names->up, value, 2 * decoder->inner_width, decoder->has_feed_bias);
  dyno_graph_add_split (graph, value, -1, 2, sizes, parts);
  value = dyno_layers_activation (graph, decoder->activation, parts[0]);
  value = dyno_graph_add (graph, "Mul", NULL, parts[1], value, NULL);
  return dyno_layers_linear (graph, decoder->names->down, value, decoder->width, decoder->has_feed_bias);
}

static const char *
add_plain (const DynoDecoding *self, const char *value)
{
  const DynoDecoder *decoder = self->decoder;

  value =
      dyno_decoder_add_linear (self, decoder->names->up, value, decoder->inner_width, decoder->has_feed_bias);
  value = dyno_layers_activation (self->graph, decoder->activation, value);
  return dyno_decoder_add_linear (self, decoder->names->down, value, decoder->width, decoder->has_feed_bias);
}

static const char *
unsqueeze (DynoGraph *graph, const char *value)
{
  const gint64 axis = 1;

  return dyno_graph_add (graph, "Unsqueeze", NULL, value, dyno_graph_add_ints (graph, 1, &axis), NULL);
}

/* Which experts process each token, and their weights: both [tokens, chosen]. Scores are in single precision in any
 * graph. */
static void
add_router (const DynoDecoding *self, const char *tokens, const char **weights, const char **chosen)
{
  const DynoExperts *experts = &self->decoder->experts;
  DynoGraph *graph = self->graph;
  const gint64 last = -1;
  const char *scores;

  scores = dyno_layers_linear (graph, "gate", tokens, experts->n_experts, FALSE);
  dyno_graph_push_scope (graph, "gate");
  scores = dyno_layers_cast (graph, scores, DYNO_DATA_TYPE_FLOAT);
  scores = dyno_graph_add (graph, "Softmax", "axis=-1", scores, NULL);
  dyno_graph_add_top_k (graph, scores, experts->n_chosen, weights, chosen);
  if (experts->is_normalised)
    *weights = dyno_graph_add (
        graph, "Div", NULL, *weights,
        dyno_graph_add (graph, "ReduceSum", NULL, *weights, dyno_graph_add_ints (graph, 1, &last), NULL),
        NULL);
  *weights = dyno_layers_cast (graph, *weights, dyno_graph_get_real_type (graph));
  dyno_graph_pop_scope (graph);
}

/* Where the expert was chosen: [2, times], the tokens and which of their choices it was. The number of times depends on
 * the data; work is counted as if all experts were chosen equally often. */
static const char *
add_places (const DynoDecoding *self, gint64 expert, const char *chosen)
{
  gint64 n_experts = self->decoder->experts.n_experts;
  gint64 n_choices = dyno_shape_count (dyno_graph_get_shape (self->graph, chosen));
  const char *is_chosen =
      dyno_graph_add (self->graph, "Equal", NULL, chosen, dyno_graph_add_int (self->graph, expert), NULL);
  const char *places = dyno_graph_add (self->graph, "NonZero", NULL, is_chosen, NULL);

  dyno_graph_assume_size (self->graph, places, 1,
                          (expert + 1) * n_choices / n_experts - expert * n_choices / n_experts);
  return places;
}

/* Applies the expert to the tokens that chose it, and adds the results to the sum. */
static const char *
add_expert (const DynoDecoding *self,
            gint64 expert,
            const char *tokens,
            const char *weights,
            const char *chosen,
            const char *sum,
            const char **count)
{
  const DynoExperts *experts = &self->decoder->experts;
  DynoGraph *graph = self->graph;
  g_autofree char *scope = g_strdup_printf ("experts.%" G_GINT64_FORMAT, expert);
  const Gated names = { scope, experts->gate, experts->up, experts->down, experts->width };
  const char *places, *rows, *value, *weight;

  dyno_graph_push_scope (graph, "%s.route", scope);
  places = add_places (self, expert, chosen);
  rows = dyno_graph_add (graph, "Gather", "axis=0", places, dyno_graph_add_int (graph, 0), NULL);
  *count = dyno_graph_add (graph, "Shape", NULL, rows, NULL);
  value = dyno_graph_add (graph, "Gather", "axis=0", tokens, rows, NULL);
  weight = dyno_graph_add (graph, "Transpose", "perm=[1,0]", places, NULL);
  weight = unsqueeze (graph, dyno_graph_add (graph, "GatherND", NULL, weights, weight, NULL));
  dyno_graph_pop_scope (graph);
  value = add_gated (self, &names, value);
  dyno_graph_push_scope (graph, "%s.route", scope);
  value = dyno_graph_add (graph, "Mul", NULL, value, weight, NULL);
  sum = dyno_graph_add (graph, "ScatterND", "reduction=add", sum, unsqueeze (graph, rows), value, NULL);
  dyno_graph_pop_scope (graph);
  return sum;
}

/* The shared expert, which processes every token, weighted by its own gate. */
static const char *
add_shared_expert (const DynoDecoding *self, const char *tokens)
{
  const DynoDecoderNames *names = self->decoder->names;
  const Gated shared = { "shared_expert", names->gate, names->up, names->down,
                         self->decoder->experts.shared_width };
  const char *value = add_gated (self, &shared, tokens);
  const char *gate = dyno_layers_linear (self->graph, "shared_expert_gate", tokens, 1, FALSE);

  gate = dyno_graph_add (self->graph, "Sigmoid", NULL, gate, NULL);
  return dyno_graph_add (self->graph, "Mul", NULL, gate, value, NULL);
}

static const char *
join_counts (DynoGraph *graph, const char **counts, guint n_counts)
{
  const gint64 axis = 0;
  const char *all = dyno_graph_add_list (graph, "Concat", "axis=0", n_counts, counts);

  return dyno_graph_add (graph, "Unsqueeze", NULL, all, dyno_graph_add_ints (graph, 1, &axis), NULL);
}

static const char *
add_mixture (const DynoDecoding *self, const char *value)
{
  const DynoDecoder *decoder = self->decoder;
  const DynoExperts *experts = &decoder->experts;
  DynoGraph *graph = self->graph;
  const gint64 flat[] = { -1, decoder->width };
  g_autofree const char **counts = g_new0 (const char *, experts->n_experts);
  const char *shape, *tokens, *weights, *chosen, *sum;

  dyno_graph_push_scope (graph, "%s", experts->scope);
  shape = dyno_graph_add (graph, "Shape", NULL, value, NULL);
  tokens = dyno_graph_add (graph, "Reshape", NULL, value, dyno_graph_add_ints (graph, 2, flat), NULL);
  add_router (self, tokens, &weights, &chosen);
  sum = dyno_graph_add (graph, "Expand", NULL, dyno_graph_add_real (graph, 0),
                        dyno_graph_add (graph, "Shape", NULL, tokens, NULL), NULL);
  for (gint64 i = 0; i < experts->n_experts; i++)
    sum = add_expert (self, i, tokens, weights, chosen, sum, &counts[i]);
  if (experts->shared_width > 0)
    sum = dyno_graph_add (graph, "Add", NULL, sum, add_shared_expert (self, tokens), NULL);
  sum = dyno_graph_add (graph, "Reshape", NULL, sum, shape, NULL);
  g_ptr_array_add (self->expert_tokens, (gpointer)join_counts (graph, counts, (guint)experts->n_experts));
  dyno_graph_pop_scope (graph);
  return sum;
}

/**
 * dyno_decoder_add_feed:
 * @self: what is being built
 * @layer: which layer
 * @value: [batch, sequence, width]
 *
 * Returns: (transfer none): the result of the feed-forward layer, [batch, sequence, width]
 */
const char *
dyno_decoder_add_feed (const DynoDecoding *self, guint layer, const char *value)
{
  const DynoDecoder *decoder = self->decoder;
  const DynoDecoderNames *names = decoder->names;
  const Gated gated = { names->feed, names->gate, names->up, names->down, decoder->inner_width };

  if (dyno_decoder_get_layer (decoder, layer)->has_experts)
    return add_mixture (self, value);
  if (decoder->is_gated && !decoder->is_gate_fused)
    return add_gated (self, &gated, value);
  if (names->feed != NULL)
    dyno_graph_push_scope (self->graph, "%s", names->feed);
  value = decoder->is_gate_fused ? add_fused (self, value) : add_plain (self, value);
  if (names->feed != NULL)
    dyno_graph_pop_scope (self->graph);
  return value;
}
