/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "dyno-decoder.h"
#include "dyno-layers.h"

/* Below any score: an expert with it is never among those that are chosen. */
#define NEVER_CHOSEN -1e9f

#define CORRECTION_DEVIATION 0.02

/* The slope of the sigmoid in the SwiGLU of GPT-OSS. */
#define SWIGLU_SLOPE 1.702f

/* Names of the weights of a gated feed-forward layer, and its inner width. A gate without its own name is
 * one weight with the up projection. */
typedef struct
{
  const char *scope;
  const char *gate;
  const char *up;
  const char *down;
  gint64 width;
  gboolean has_bias;
  gboolean is_conv1d;
  double limit;
  double sparsity;
} Gated;

static const char *
add_projection (
    const DynoDecoding *self, const Gated *names, const char *name, const char *value, gint64 width)
{
  return names->is_conv1d ? dyno_layers_conv1d (self->graph, name, value, width, names->has_bias)
                          : dyno_layers_linear (self->graph, name, value, width, names->has_bias);
}

/* The product of the gate, which comes first, and the up projection. */
static const char *
add_product (const DynoDecoding *self, const Gated *names, const char *value)
{
  DynoGraph *graph = self->graph;
  const gint64 sizes[] = { names->width, names->width };
  const char *parts[2], *mean, *spread;

  if (names->gate != NULL)
    parts[0] = add_projection (self, names, names->gate, value, names->width);
  else
    dyno_graph_add_split (graph, add_projection (self, names, names->up, value, 2 * names->width), -1, 2,
                          sizes, parts);
  if (names->sparsity > 0)
    {
      /* Closes the given share of the gates, the smallest ones, as if they were distributed normally. */
      const char *inner = dyno_layers_cast (graph, parts[0], DYNO_DATA_TYPE_FLOAT);

      mean = dyno_graph_add (graph, "ReduceMean", "axes=[-1] keepdims=1", inner, NULL);
      inner = dyno_graph_add (graph, "Sub", NULL, inner, mean, NULL);
      spread = dyno_graph_add (graph, "Mul", NULL, inner, inner, NULL);
      spread = dyno_graph_add (graph, "ReduceMean", "axes=[-1] keepdims=1", spread, NULL);
      spread = dyno_graph_add (graph, "Sqrt", NULL, spread, NULL);

      /* Finds the number that a share of a normal distribution is below, by Newton's method, which converges
       * from 0 on either side. */
      double place = 0;

      for (guint i = 0; i < 100; i++)
        place += (names->sparsity - erfc (-place / G_SQRT2) / 2) * sqrt (2 * G_PI) * exp (place * place / 2);
      spread = dyno_graph_add (graph, "Mul", NULL, spread, dyno_graph_add_float (graph, (float)place), NULL);
      inner = dyno_graph_add (graph, "Sub", NULL, inner, spread, NULL);
      inner = dyno_graph_add (graph, "Relu", NULL, inner, NULL);
      parts[0] = dyno_layers_cast (graph, inner, dyno_graph_get_real_type (graph));
    }
  parts[0] = dyno_layers_activation (graph, self->decoder->activation, parts[0]);
  if (names->gate != NULL)
    parts[1] = add_projection (self, names, names->up, value, names->width);
  return dyno_graph_add (graph, "Mul", NULL, parts[0], parts[1], NULL);
}

static const char *
add_gated (const DynoDecoding *self, const Gated *names, const char *value)
{
  dyno_graph_push_scope (self->graph, "%s", names->scope);
  if (names->limit > 0)
    {
      /* Gates and up projections alternate; both are limited, and 1 is added to the latter. */
      DynoGraph *graph = self->graph;
      const gint64 pairs[] = { 0, names->width, 2 };
      const char *most = dyno_graph_add_real (graph, (float)names->limit);
      const char *least = dyno_graph_add_real (graph, (float)-names->limit);
      const char *gate, *up, *share;

      value = add_projection (self, names, names->up, value, 2 * names->width);
      value = dyno_layers_reshape (graph, value, 3, pairs);
      gate = dyno_graph_add (graph, "Gather", "axis=2", value, dyno_graph_add_int (graph, 0), NULL);
      up = dyno_graph_add (graph, "Gather", "axis=2", value, dyno_graph_add_int (graph, 1), NULL);
      gate = dyno_graph_add (graph, "Clip", NULL, gate, "", most, NULL);
      up = dyno_graph_add (graph, "Clip", NULL, up, least, most, NULL);
      share = dyno_graph_add (graph, "Mul", NULL, gate, dyno_graph_add_real (graph, SWIGLU_SLOPE), NULL);
      share = dyno_graph_add (graph, "Sigmoid", NULL, share, NULL);
      gate = dyno_graph_add (graph, "Mul", NULL, gate, share, NULL);
      up = dyno_graph_add (graph, "Add", NULL, up, dyno_graph_add_real (graph, 1), NULL);
      value = dyno_graph_add (graph, "Mul", NULL, up, gate, NULL);
    }
  else
    value = add_product (self, names, value);
  value = add_projection (self, names, names->down, value, self->decoder->width);
  dyno_graph_pop_scope (self->graph);
  return value;
}

static const char *
unsqueeze (DynoGraph *graph, const char *value)
{
  const gint64 axis = 1;

  return dyno_graph_add (graph, "Unsqueeze", NULL, value, dyno_graph_add_ints (graph, 1, &axis), NULL);
}

static const char *
add_sum (DynoGraph *graph, const char *value)
{
  const gint64 last = -1;

  return dyno_graph_add (graph, "ReduceSum", NULL, value, dyno_graph_add_ints (graph, 1, &last), NULL);
}

/* Only experts of the best groups may be chosen. */
static const char *
limit_to_groups (const DynoDecoding *self, const char *scores)
{
  const DynoExperts *experts = &self->decoder->experts;
  DynoGraph *graph = self->graph;
  const gint64 grouped[] = { -1, experts->n_groups, experts->n_experts / MAX (experts->n_groups, 1) };
  const gint64 flat[] = { -1, experts->n_experts }, groups[] = { -1, experts->n_groups }, last = -1;
  const char *best, *allowed;
  g_autofree gint64 *numbers = g_new (gint64, experts->n_groups);

  if (experts->n_groups <= 1)
    return scores;
  scores = dyno_layers_reshape (graph, scores, 3, grouped);

  /* The groups with the best experts, 1 for those and 0 for the others: [tokens, groups, 1] */
  for (gint64 i = 0; i < experts->n_groups; i++)
    numbers[i] = i;
  dyno_graph_add_top_k (graph, scores, experts->n_best, &best, &allowed);
  best = dyno_graph_add (graph, "Reshape", NULL, add_sum (graph, best),
                         dyno_graph_add_ints (graph, 2, groups), NULL);
  dyno_graph_add_top_k (graph, best, experts->n_chosen_groups, &best, &allowed);
  allowed = dyno_graph_add (graph, "Unsqueeze", NULL, allowed, dyno_graph_add_ints (graph, 1, &last), NULL);
  allowed = dyno_graph_add (graph, "Equal", NULL, allowed,
                            dyno_graph_add_ints (graph, (guint)experts->n_groups, numbers), NULL);
  allowed = dyno_layers_cast (graph, allowed, DYNO_DATA_TYPE_FLOAT);
  allowed = dyno_graph_add (graph, "ReduceMax", "axes=[1] keepdims=1", allowed, NULL);
  allowed = dyno_graph_add (graph, "Transpose", "perm=[0,2,1]", allowed, NULL);
  allowed = dyno_graph_add (graph, "Greater", NULL, allowed, dyno_graph_add_float (graph, 0), NULL);
  scores = dyno_graph_add (graph, "Where", NULL, allowed, scores, dyno_graph_add_float (graph, NEVER_CHOSEN),
                           NULL);
  return dyno_layers_reshape (graph, scores, 2, flat);
}

/* The second expert is chosen as if the first did not exist. */
static void
choose_by_mixer (const DynoDecoding *self, const char *scores, const char **weights, const char **chosen)
{
  gint64 n_experts = self->decoder->experts.n_experts;
  g_autofree gint64 *numbers = g_new (gint64, n_experts);
  DynoGraph *graph = self->graph;
  const char *never = dyno_graph_add_float (graph, NEVER_CHOSEN);
  const char *left = scores, *parts[2], *places[2], *best, *near, *all;

  for (gint64 i = 0; i < n_experts; i++)
    numbers[i] = i;
  all = dyno_graph_add_ints (graph, (guint)n_experts, numbers);
  for (guint i = 0; i < 2; i++)
    {
      dyno_graph_add_top_k (graph, left, 1, &best, &places[i]);

      /* Whether scores are too far from the best one to share its weight. */
      const char *zero = dyno_graph_add_float (graph, 0);
      const char *size =
          dyno_graph_add (graph, "Where", NULL, dyno_graph_add (graph, "Greater", NULL, scores, zero, NULL),
                          scores, dyno_graph_add (graph, "Neg", NULL, scores, NULL), NULL);
      const char *distance = dyno_graph_add (graph, "Sub", NULL, best, scores, NULL);

      size = dyno_graph_add (graph, "Where", NULL, dyno_graph_add (graph, "Greater", NULL, size, best, NULL),
                             size, best, NULL);
      distance = dyno_graph_add (graph, "Div", NULL, distance, size, NULL);
      near = dyno_graph_add (
          graph, "Where", NULL,
          dyno_graph_add (graph, "Greater", NULL, distance,
                          dyno_graph_add_float (graph, (float)self->decoder->experts.nearness), NULL),
          never, left, NULL);
      near = dyno_graph_add (graph, "Softmax", "axis=-1", near, NULL);
      parts[i] = dyno_graph_add (graph, "GatherElements", "axis=1", near, places[i], NULL);
      left = dyno_graph_add (graph, "Where", NULL,
                             dyno_graph_add (graph, "Equal", NULL, places[i], all, NULL), never, left, NULL);
    }
  *weights = dyno_graph_add (graph, "Concat", "axis=1", parts[0], parts[1], NULL);
  *chosen = dyno_graph_add (graph, "Concat", "axis=1", places[0], places[1], NULL);
}

static const char *
add_correction (const DynoDecoding *self)
{
  const DynoExperts *experts = &self->decoder->experts;
  const gint64 dims[] = { 1, experts->n_experts };
  guint rank = experts->is_correction_row ? 2 : 1;

  if (experts->correction == NULL)
    return NULL;
  return dyno_layers_cast (self->graph,
                           dyno_graph_add_buffer (self->graph, experts->correction, 0, CORRECTION_DEVIATION,
                                                  rank, dims + 2 - rank),
                           DYNO_DATA_TYPE_FLOAT);
}

/* Finds the experts that process each token, and their weights: both [tokens, chosen]. Scores are in single
 * precision in any graph. */
static void
add_router (const DynoDecoding *self, const char *tokens, const char **weights, const char **chosen)
{
  const DynoExperts *experts = &self->decoder->experts;
  const char *name = experts->router != NULL ? experts->router : "gate";
  gboolean is_sigmoid = experts->routing == DYNO_ROUTING_SIGMOID;
  DynoGraph *graph = self->graph;
  const char *correction = add_correction (self);
  const char *scores = dyno_layers_linear (graph, name, tokens, experts->n_experts, experts->has_router_bias);
  const char *scales;

  dyno_graph_push_scope (graph, "%s", name);
  scores = dyno_layers_cast (graph, scores, DYNO_DATA_TYPE_FLOAT);
  if (experts->routing != DYNO_ROUTING_MIXER)
    scores = dyno_graph_add (graph, is_sigmoid ? "Sigmoid" : "Softmax", is_sigmoid ? NULL : "axis=-1", scores,
                             NULL);
  if (experts->routing == DYNO_ROUTING_MIXER)
    choose_by_mixer (self, scores, weights, chosen);
  else
    {
      /* The experts with the best scores, and these scores; a correction decides only which. */
      const char *corrected =
          correction != NULL ? dyno_graph_add (graph, "Add", NULL, scores, correction, NULL) : scores;

      dyno_graph_add_top_k (graph, limit_to_groups (self, corrected), experts->n_chosen, weights, chosen);
      if (correction != NULL)
        *weights = dyno_graph_add (graph, "GatherElements", "axis=1", scores, *chosen, NULL);
    }
  if (experts->is_normalised)
    *weights = dyno_graph_add (graph, "Div", NULL, *weights, add_sum (graph, *weights), NULL);
  if (experts->weight_scale > 0)
    *weights = dyno_graph_add (graph, "Mul", NULL, *weights,
                               dyno_graph_add_float (graph, (float)experts->weight_scale), NULL);
  *weights = dyno_layers_cast (graph, *weights, dyno_graph_get_real_type (graph));
  dyno_graph_pop_scope (graph);
  if (experts->is_beside)
    {
      /* Each expert has a scale of its own. */
      dyno_graph_push_scope (graph, "router");
      scales = dyno_graph_add_weight (graph, "per_expert_scale", 1, 0.02, 1, &experts->n_experts);
      scales = dyno_graph_add (graph, "Gather", "axis=0", scales, *chosen, NULL);
      *weights = dyno_graph_add (graph, "Mul", NULL, *weights, scales, NULL);
      dyno_graph_pop_scope (graph);
    }
}

/* The number of times depends on the data; work is counted as if all experts were chosen equally often. */
static gint64
count_times (const DynoDecoding *self, gint64 expert, const char *chosen)
{
  return (dyno_shape_count (dyno_graph_get_shape (self->graph, chosen)) + expert) /
         self->decoder->experts.n_experts;
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
  const Gated names = { scope,          experts->gate,     experts->up,        experts->down,
                        experts->width, experts->has_bias, experts->is_conv1d, experts->limit };
  const char *places, *rows, *value, *weight;

  dyno_graph_push_scope (graph, "%s.route", scope);

  /* The places where the expert was chosen: [2, times], the tokens and the index of the choice. */
  const char *is_chosen =
      dyno_graph_add (graph, "Equal", NULL, chosen, dyno_graph_add_int (graph, expert), NULL);

  places = dyno_graph_add (graph, "NonZero", NULL, is_chosen, NULL);

  dyno_graph_assume_size (graph, places, 1, count_times (self, expert, chosen));

  rows = dyno_graph_add (graph, "Gather", "axis=0", places, dyno_graph_add_int (graph, 0), NULL);
  *count = dyno_graph_add (graph, "Shape", NULL, rows, NULL);
  value = dyno_graph_add (graph, "Gather", "axis=0", tokens, rows, NULL);
  weight = dyno_graph_add (graph, "Transpose", "perm=[1,0]", places, NULL);
  weight = unsqueeze (graph, dyno_graph_add (graph, "GatherND", NULL, weights, weight, NULL));
  if (experts->weighs_inputs)
    value = dyno_graph_add (graph, "Mul", NULL, value, weight, NULL);
  dyno_graph_pop_scope (graph);
  value = add_gated (self, &names, value);
  dyno_graph_push_scope (graph, "%s.route", scope);
  if (!experts->weighs_inputs)
    value = dyno_graph_add (graph, "Mul", NULL, value, weight, NULL);
  sum = dyno_graph_add (graph, "ScatterND", "reduction=add", sum, unsqueeze (graph, rows), value, NULL);
  dyno_graph_pop_scope (graph);
  return sum;
}

/* Adds all experts, and returns how many tokens each of them processes. */
static const char *
add_experts (const DynoDecoding *self,
             const char *tokens,
             const char *weights,
             const char *chosen,
             const char *sum,
             const char **count)
{
  gint64 n_experts = self->decoder->experts.n_experts, n_equal;
  g_autofree const char **counts = g_new0 (const char *, n_experts);

  for (gint64 i = 0; i < n_experts; i += n_equal)
    {
      /* How many experts, from this one on, are chosen equally often. The last one differs in its
       * memory, because their common inputs are not needed after it. */
      gint64 n_times = count_times (self, i, chosen), end = i + 1;

      while (end < self->decoder->experts.n_experts - 1 && count_times (self, end, chosen) == n_times)
        end++;
      n_equal = dyno_graph_begin_equal (self->graph, end - i);
      sum = add_expert (self, i, tokens, weights, chosen, sum, &counts[i]);
      dyno_graph_end_equal (self->graph);
      for (gint64 k = 1; k < n_equal; k++)
        counts[i + k] = dyno_graph_add_alike (self->graph, counts[i]);
    }
  const gint64 axis = 0;
  const char *all = dyno_graph_add_list (self->graph, "Concat", "axis=0", (guint)n_experts, counts);
  *count =
      dyno_graph_add (self->graph, "Unsqueeze", NULL, all, dyno_graph_add_ints (self->graph, 1, &axis), NULL);
  return sum;
}

/* @seen: the input of the router, if it is a different one */
static const char *
add_mixture (const DynoDecoding *self, const char *value, const char *seen)
{
  const DynoDecoder *decoder = self->decoder;
  const DynoExperts *experts = &decoder->experts;
  DynoGraph *graph = self->graph;
  const gint64 flat[] = { -1, decoder->width };
  const char *shape, *tokens, *weights, *chosen, *sum, *count;

  if (experts->scope != NULL)
    dyno_graph_push_scope (graph, "%s", experts->scope);
  shape = dyno_graph_add (graph, "Shape", NULL, value, NULL);
  tokens = dyno_layers_reshape (graph, value, 2, flat);
  if (seen != NULL)
    seen = dyno_layers_reshape (graph, seen, 2, flat);
  add_router (self, seen != NULL ? seen : tokens, &weights, &chosen);
  sum = dyno_graph_add (graph, "Expand", NULL, dyno_graph_add_real (graph, 0),
                        dyno_graph_add (graph, "Shape", NULL, tokens, NULL), NULL);
  sum = add_experts (self, tokens, weights, chosen, sum, &count);
  if (experts->shared_width > 0)
    {
      /* The shared expert processes every token, in some models weighted by its own gate. */
      const Gated shared = { .scope = experts->shared != NULL ? experts->shared : "shared_expert",
                             .gate = decoder->names->gate,
                             .up = decoder->names->up,
                             .down = decoder->names->down,
                             .width = experts->shared_width,
                             .has_bias = decoder->has_feed_bias };
      const char *gate, *inner = add_gated (self, &shared, tokens);

      if (!experts->is_shared_plain)
        {
          gate = dyno_layers_linear (graph, "shared_expert_gate", tokens, 1, FALSE);
          gate = dyno_graph_add (graph, "Sigmoid", NULL, gate, NULL);
          inner = dyno_graph_add (graph, "Mul", NULL, gate, inner, NULL);
        }
      sum = dyno_graph_add (graph, "Add", NULL, sum, inner, NULL);
    }
  sum = dyno_graph_add (graph, "Reshape", NULL, sum, shape, NULL);
  g_ptr_array_add (self->expert_tokens, (gpointer)count);
  if (experts->scope != NULL)
    dyno_graph_pop_scope (graph);
  return sum;
}

const char *
dyno_decoder_add_experts_beside (const DynoDecoding *self, const char *value)
{
  gint64 width = self->decoder->width;
  DynoGraph *graph = self->graph;
  const char *seen, *scale;

  dyno_graph_push_scope (graph, "router");
  scale = dyno_graph_add_weight (graph, "scale", 1, 0.02, 1, &width);
  seen = dyno_layers_cast (graph, dyno_layers_normal (graph, value, self->decoder->epsilon),
                           dyno_graph_get_real_type (graph));
  seen = dyno_graph_add (graph, "Mul", NULL, seen, scale, NULL);
  seen = dyno_graph_add (graph, "Mul", NULL, seen,
                         dyno_graph_add_real (graph, (float)(1 / sqrt ((double)width))), NULL);
  dyno_graph_pop_scope (graph);
  value = dyno_decoder_add_norm (self, "pre_feedforward_layernorm_2", value);
  return add_mixture (self, value, seen);
}

const char *
dyno_decoder_add_feed (const DynoDecoding *self, guint layer, const char *value)
{
  const DynoDecoder *decoder = self->decoder;
  const DynoDecoderNames *names = decoder->names;
  const DynoDecoderLayer *kind = dyno_decoder_get_layer (decoder, layer);
  const Gated gated = { .scope = names->feed,
                        .gate = decoder->is_gate_fused ? NULL : names->gate,
                        .up = names->up,
                        .down = names->down,
                        .width = kind->inner_width > 0 ? kind->inner_width : decoder->inner_width,
                        .has_bias = decoder->has_feed_bias,
                        .sparsity = kind->sparsity };

  if (kind->has_experts && !decoder->experts.is_beside)
    return add_mixture (self, value, NULL);
  if (decoder->is_gated)
    return add_gated (self, &gated, value);
  if (names->feed != NULL)
    dyno_graph_push_scope (self->graph, "%s", names->feed);

  value = dyno_decoder_add_linear (self, names->up, value, decoder->inner_width, decoder->has_feed_bias);
  value = dyno_layers_activation (self->graph, decoder->activation, value);
  value = dyno_decoder_add_linear (self, names->down, value, decoder->width, decoder->has_feed_bias);
  if (names->feed != NULL)
    dyno_graph_pop_scope (self->graph);
  return value;
}
