/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "dyno-config-checks.h"
#include "dyno-layers.h"
#include "dyno-model-families-private.h"

static const char *
add_norm (const DynoStack *self, DynoGraph *graph, const char *name, const char *value)
{
  if (self->has_no_norm_bias)
    return dyno_layers_layer_norm_unbiased (graph, name, value, self->epsilon);
  return self->is_rms ? dyno_layers_rms_norm (graph, name, value, self->epsilon)
                      : dyno_layers_layer_norm (graph, name, value, self->epsilon);
}

static const char *
project (const DynoStack *self,
         DynoGraph *graph,
         const char *name,
         const char *value,
         gint64 width,
         gboolean has_bias)
{
  return self->names.joined != NULL ? dyno_layers_conv1d (graph, name, value, width, has_bias)
                                    : dyno_layers_linear (graph, name, value, width, has_bias);
}

/* Several projections in one, each split into heads. */
static void
add_joined (const DynoStack *self, DynoGraph *graph, const char *value, guint n_parts, const char **parts)
{
  gint64 all = self->n_heads * self->head_width;
  const gint64 sizes[] = { all, all, all };

  value = project (self, graph, self->names.joined, value, n_parts * all, self->has_bias);
  dyno_graph_add_split (graph, value, 2, n_parts, sizes, parts);
  for (guint i = 0; i < n_parts; i++)
    parts[i] = dyno_layers_split_heads (graph, parts[i], self->n_heads);
}

static const char *
add_heads (const DynoStack *self, DynoGraph *graph, const char *name, const char *value, gboolean has_bias)
{
  gint64 all = self->n_heads * self->head_width;

  value = project (self, graph, name, value, all, has_bias);
  return dyno_layers_split_heads (graph, value, self->n_heads);
}

/* If scores are not divided, the random weights of queries are smaller instead; the same name is the same weight. */
static const char *
add_query (const DynoStack *self, DynoGraph *graph, const char *value)
{
  const gint64 dims[] = { self->width, self->n_heads * self->head_width };
  double deviation = 1 / sqrt ((double)(self->width * self->head_width));

  if (!self->is_scaled)
    {
      dyno_graph_push_scope (graph, "%s", self->names.query);
      dyno_graph_add_weight (graph, "weight", 0, deviation, 2, dims);
      dyno_graph_pop_scope (graph);
    }
  return add_heads (self, graph, self->names.query, value, self->has_bias);
}

/* @parts: keys and values of the input of cross-attention */
static void
add_sources (const DynoStack *self, DynoGraph *graph, const char *states, const char *parts[2])
{
  if (self->names.joined != NULL)
    {
      add_joined (self, graph, states, 2, parts);
      return;
    }
  parts[0] = add_heads (self, graph, self->names.key, states, self->has_bias && !self->has_no_key_bias);
  parts[1] = add_heads (self, graph, self->names.value, states, self->has_bias);
}

static const char *
attend (const DynoStack *self,
        DynoGraph *graph,
        const char *query,
        const char *key,
        const char *value,
        const char *scores)
{
  float divisor = self->is_scaled ? sqrtf ((float)self->head_width) : 1;

  value = dyno_layers_attention_scaled (graph, query, key, value, scores, dyno_graph_get_real_type (graph),
                                        divisor);
  return project (self, graph, self->names.output, value, self->width, self->has_bias);
}

/* Self-attention, including earlier tokens. */
static const char *
add_self_attention (const DynoStack *self,
                    DynoGraph *graph,
                    const char *value,
                    const DynoStackSources *sources)
{
  const gint64 dims[] = { 1, self->n_heads, 1, 1 }, halves[] = { 0, 0, 0, 2, 4 };
  const gint64 pairs[] = { 0, 0, 0, 2 }, sizes[] = { 1, 1 }, last = -1;
  const char *parts[3], *gates[2], *gate, *constant, *scores = sources->scores;

  dyno_graph_push_scope (graph, "%s", self->names.self.scope);
  if (self->gates_scores)
    {
      /* Two gates for each token and head: scores · (a · (b · constant − 1) + 2). */
      constant = dyno_graph_add_weight (graph, "gru_rel_pos_const", 1, 0.02, 4, dims);
      gate = dyno_layers_linear (graph, "gru_rel_pos_linear",
                                 dyno_layers_split_heads (graph, value, self->n_heads), 8, TRUE);
      gate = dyno_layers_reshape (graph, gate, 5, halves);
      gate = dyno_graph_add (graph, "ReduceSum", "keepdims=1", gate, dyno_graph_add_ints (graph, 1, &last),
                             NULL);
      gate = dyno_layers_reshape (graph, gate, 4, pairs);
      gate = dyno_graph_add (graph, "Sigmoid", NULL, gate, NULL);
      dyno_graph_add_split (graph, gate, 3, 2, sizes, gates);
      gate = dyno_graph_add (graph, "Mul", NULL, gates[1], constant, NULL);
      gate = dyno_graph_add (graph, "Sub", NULL, gate, dyno_graph_add_real (graph, 1), NULL);
      gate = dyno_graph_add (graph, "Mul", NULL, gate, gates[0], NULL);
      gate = dyno_graph_add (graph, "Add", NULL, gate, dyno_graph_add_real (graph, 2), NULL);
      scores = dyno_graph_add (graph, "Mul", NULL, gate, scores, NULL);
    }
  if (self->names.joined != NULL)
    add_joined (self, graph, value, 3, parts);
  else
    {
      parts[0] = add_query (self, graph, value);
      add_sources (self, graph, value, parts + 1);
    }
  for (guint i = 0; i < 2 && self->rotary != NULL; i++)
    parts[i] = dyno_rotary_turn (self->rotary, graph, &sources->rotation, parts[i]);
  for (guint i = 1; i < 3 && sources->cache != NULL; i++)
    parts[i] = dyno_stack_cache_join (sources->cache, graph, parts[i]);
  value = attend (self, graph, parts[0], parts[1], parts[2], scores);
  dyno_graph_pop_scope (graph);
  return value;
}

static const char *
add_inner (const DynoStack *self, DynoGraph *graph, const char *value)
{
  const DynoStackNames *names = &self->names;
  const char *first = names->gate != NULL ? names->gate : names->up;
  gboolean has_bias = self->has_bias || self->has_inner_bias;
  const gint64 sizes[] = { self->inner_width, self->inner_width };
  const char *parts[2], *inner, *up;

  if (names->inner.scope != NULL)
    dyno_graph_push_scope (graph, "%s", names->inner.scope);
  if (self->is_joined)
    {
      /* One layer for both the gated values and the gate. */
      inner = dyno_layers_linear (graph, names->up, value, 2 * self->inner_width, has_bias);
      dyno_graph_add_split (graph, inner, -1, 2, sizes, parts);
      inner = dyno_layers_activation (graph, self->activation, parts[1]);
      inner = dyno_graph_add (graph, "Mul", NULL, inner, parts[0], NULL);
    }
  else
    {
      inner = project (self, graph, first, value, self->inner_width, has_bias);
      inner = dyno_layers_activation (graph, self->activation, inner);
    }
  if (names->gate != NULL)
    {
      up = dyno_layers_linear (graph, names->up, value, self->inner_width, has_bias);
      inner = dyno_graph_add (graph, "Mul", NULL, inner, up, NULL);
    }
  inner = project (self, graph, names->down, inner, self->width, has_bias);
  if (names->inner.scope != NULL)
    dyno_graph_pop_scope (graph);
  return inner;
}

static const char *
before (const DynoStack *self, DynoGraph *graph, const DynoStackBlock *block, const char *value)
{
  return self->is_pre_norm ? add_norm (self, graph, block->norm, value) : value;
}

static const char *
after (const DynoStack *self,
       DynoGraph *graph,
       const DynoStackBlock *block,
       const char *value,
       const char *residual)
{
  value = dyno_graph_add (graph, "Add", NULL, residual, value, NULL);
  return self->is_pre_norm ? value : add_norm (self, graph, block->norm, value);
}

const char *
dyno_stack_add (const DynoStack *self, DynoGraph *graph, const char *value, const DynoStackSources *sources)
{
  const DynoStackNames *names = &self->names;
  GPtrArray *cross = sources->cache != NULL ? sources->cache->cross : NULL;
  const char *inner, *query, *seen[2];

  dyno_graph_push_scope (graph, "%s", self->scope);
  for (guint i = 0; i < self->n_layers; i++)
    {
      gboolean is_crossed = sources->states == NULL
                                ? sources->cache != NULL
                                : self->cross_interval == 0 || i % self->cross_interval == 0;

      dyno_graph_push_scope (graph, "%s.%u", names->layer, i);
      inner = before (self, graph, &names->self, value);
      inner = add_self_attention (self, graph, inner, sources);
      value = after (self, graph, &names->self, inner, value);
      if (is_crossed)
        {
          inner = before (self, graph, &names->cross, value);

          /* Cross-attention, whose keys and values are the same for all tokens. */
          dyno_graph_push_scope (graph, "%s", names->cross.scope);
          query = add_query (self, graph, inner);
          if (cross == NULL)
            add_sources (self, graph, sources->states, seen);
          for (guint k = 0; k < 2 && cross != NULL; k++)
            seen[k] = cross->pdata[2 * i + k];
          inner = attend (self, graph, query, seen[0], seen[1], sources->mask);
          dyno_graph_pop_scope (graph);
          value = after (self, graph, &names->cross, inner, value);
        }
      inner = add_inner (self, graph, before (self, graph, &names->inner, value));
      value = after (self, graph, &names->inner, inner, value);
      dyno_graph_pop_scope (graph);
    }
  if (self->names.final_norm != NULL)
    value = add_norm (self, graph, self->names.final_norm, value);
  dyno_graph_pop_scope (graph);
  return value;
}

void
dyno_stack_add_cross (const DynoStack *self, DynoGraph *graph, const char *states, const char *source)
{
  g_autoptr (GPtrArray) values = g_ptr_array_new ();
  const char *parts[2];

  dyno_graph_push_scope (graph, "%s", self->scope);
  for (guint i = 0; i < self->n_layers; i++)
    {
      dyno_graph_push_scope (graph, "%s.%u", self->names.layer, i);
      dyno_graph_push_scope (graph, "%s", self->names.cross.scope);
      add_sources (self, graph, states, parts);
      g_ptr_array_add (values, (gpointer)parts[0]);
      g_ptr_array_add (values, (gpointer)parts[1]);
      dyno_graph_pop_scope (graph);
      dyno_graph_pop_scope (graph);
    }
  dyno_graph_pop_scope (graph);
  dyno_stack_cache_add_cross (self, graph, values, source);
}

void
dyno_stack_check (const DynoStack *self, DynoConfig *config)
{
  const DynoConfigFields names = dyno_config_fields_complete (&self->fields);

  if (self->is_scaled)
    dyno_config_check_heads (config, &names, self->width, self->n_heads);
  dyno_config_check_layers (config, names.layers, self->n_layers);
  dyno_config_check_activation (config, names.activation, self->activation);
}
