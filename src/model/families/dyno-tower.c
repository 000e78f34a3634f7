/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "dyno-config-checks.h"
#include "dyno-layers.h"
#include "dyno-tower.h"

void
dyno_tower_check (const DynoTower *self, DynoConfig *config)
{
  const DynoConfigFields names = dyno_config_fields_complete (&self->fields);

  dyno_config_check_heads (config, &names, self->width, self->n_heads);
  dyno_config_check_layers (config, names.layers, self->n_layers);
  dyno_config_check_activation (config, names.activation, self->activation);
}

static const char *
scale (const DynoTower *self, DynoGraph *graph, guint which, const char *value)
{
  const char *name = self->names->scales[which];

  if (name == NULL)
    return value;
  return dyno_graph_add (graph, "Mul", NULL, value,
                         dyno_graph_add_weight (graph, name, 0.5, 0.02, 1, &self->width), NULL);
}

/* Queries, keys and values, each [batch, tokens, width]. */
static void
add_projections (const DynoTower *self, DynoGraph *graph, const char *value, const char *parts[3])
{
  const DynoTowerNames *names = self->names;
  const char *const separate[] = { names->query, names->key, names->value };
  const gint64 sizes[] = { self->width, self->width, self->width };

  if (names->joined != NULL)
    {
      value = dyno_layers_linear (graph, names->joined, value, 3 * self->width, self->has_input_bias);
      dyno_graph_add_split (graph, value, 2, 3, sizes, parts);
      return;
    }
  for (guint i = 0; i < 3; i++)
    parts[i] = dyno_layers_linear (graph, separate[i], value, self->width,
                                   self->has_input_bias && !(i == 1 && self->has_no_key_bias));
}

static const char *
add_extra (const DynoTower *self, DynoGraph *graph, const char *name, const char *value)
{
  return dyno_graph_add (graph, "Concat", "axis=1", value,
                         dyno_tower_add_tokens (graph, name, value, 1, self->width), NULL);
}

static const char *
turn (const DynoTower *self, DynoGraph *graph, const char *value)
{
  gint64 n_tokens = dyno_graph_get_shape (graph, value)->dims[2];
  const gint64 sizes[] = { self->n_unturned, n_tokens - self->n_unturned };
  const char *parts[2];

  if (self->rotation.cosine == NULL)
    return value;
  if (self->n_unturned == 0)
    return dyno_rotary_turn (&self->rotary, graph, &self->rotation, value);
  dyno_graph_add_split (graph, value, 2, 2, sizes, parts);
  parts[1] = dyno_rotary_turn (&self->rotary, graph, &self->rotation, parts[1]);
  return dyno_graph_add (graph, "Concat", "axis=2", parts[0], parts[1], NULL);
}

const char *
dyno_tower_add_distances (DynoGraph *graph, gint64 side)
{
  gint64 n = side * side + 1, across = 2 * side - 1;
  const gint64 target[] = { n, n };
  g_autofree gint64 *rows = g_new (gint64, n * n);

  for (gint64 i = 0; i < n * n; i++)
    {
      gint64 from = i / n - 1, to = i % n - 1;

      if (from < 0 || to < 0)
        rows[i] = across * across + (to >= 0 ? 0 : from >= 0 ? 1 : 2);
      else
        rows[i] = (from / side - to / side + side - 1) * across + from % side - to % side + side - 1;
    }
  return dyno_layers_reshape (graph, dyno_graph_add_ints (graph, (guint)(n * n), rows), 2, target);
}

const char *
dyno_tower_add_bias (DynoGraph *graph, const char *name, const char *rows, gint64 side, gint64 n_heads)
{
  const gint64 dims[] = { (2 * side - 1) * (2 * side - 1) + 3, n_heads }, first = 0;
  const char *bias;

  dyno_graph_push_scope (graph, "%s", name);
  bias = dyno_graph_add_weight (graph, "relative_position_bias_table", 0, 0.5, 2, dims);
  bias = dyno_graph_add (graph, "Gather", "axis=0", bias, rows, NULL);
  bias = dyno_graph_add (graph, "Transpose", "perm=[2,0,1]", bias, NULL);
  bias = dyno_graph_add (graph, "Unsqueeze", NULL, bias, dyno_graph_add_ints (graph, 1, &first), NULL);
  dyno_graph_pop_scope (graph);
  return bias;
}

static const char *
add_attention (const DynoTower *self, DynoGraph *graph, const char *value, const char *mask)
{
  const gint64 all[] = { -1, dyno_graph_get_shape (graph, value)->dims[1], self->width };
  const char *parts[3];

  dyno_graph_push_scope (graph, "%s", self->names->attention);
  add_projections (self, graph, value, parts);
  if (self->has_extra_key)
    {
      parts[1] = add_extra (self, graph, "bias_k", parts[1]);
      parts[2] = add_extra (self, graph, "bias_v", parts[2]);
    }
  for (guint i = 0; i < 3; i++)
    {
      if (self->window > 0)
        {
          /* The tokens of each window as an item of a batch: [batch × windows, tokens, width] */
          const gint64 heads[] = { 0, 0, self->n_heads, self->width / self->n_heads };
          const gint64 windows[] = { -1, self->window, self->width };

          if (i < 2)
            {
              parts[i] = dyno_layers_reshape (graph, parts[i], 4, heads);
              parts[i] = dyno_rotary_turn (&self->rotary, graph, &self->rotation, parts[i]);
            }
          parts[i] = dyno_layers_reshape (graph, parts[i], 3, windows);
        }
      parts[i] = dyno_layers_split_heads (graph, parts[i], self->n_heads);
    }
  for (guint i = 0; i < 2 && self->window == 0; i++)
    parts[i] = turn (self, graph, parts[i]);
  if (self->distances != NULL)
    mask = dyno_tower_add_bias (graph, "relative_position_bias", self->distances, self->side, self->n_heads);
  value = dyno_layers_attention (graph, parts[0], parts[1], parts[2], mask, dyno_graph_get_real_type (graph));
  if (self->window > 0)
    value = dyno_layers_reshape (graph, value, 3, all);
  dyno_graph_pop_scope (graph);
  return dyno_layers_linear (graph, self->names->output, value, self->width, TRUE);
}

static const char *
add_norm (const DynoTower *self, DynoGraph *graph, const char *name, const char *value)
{
  return self->is_rms ? dyno_layers_rms_norm (graph, name, value, self->epsilon)
                      : dyno_layers_layer_norm (graph, name, value, self->epsilon);
}

const char *
dyno_tower_add (const DynoTower *self, DynoGraph *graph, const char *value, const char *mask)
{
  const DynoTowerNames *names = self->names;
  const gint64 sizes[] = { self->inner_width, self->inner_width };
  const char *parts[2];

  for (gint64 i = self->first_layer; i < self->n_layers; i++)
    {
      dyno_graph_push_scope (graph, "%s.%" G_GINT64_FORMAT, names->layer, i);

      const char *inner = add_norm (self, graph, names->attention_norm, value);

      inner = scale (self, graph, 0, add_attention (self, graph, inner, mask));
      value = dyno_graph_add (graph, "Add", NULL, inner, value, NULL);
      inner = add_norm (self, graph, names->inner_norm, value);
      if (names->up != NULL)
        dyno_graph_push_scope (graph, "%s", names->up);
      if (names->gate_dense != NULL)
        {
          parts[0] = dyno_layers_linear (graph, names->gate_dense, inner, self->inner_width, TRUE);
          parts[1] = dyno_layers_linear (graph, names->up_dense, inner, self->inner_width, TRUE);
        }
      else
        parts[0] = dyno_layers_linear (graph, names->up_dense, inner,
                                       (self->is_gated ? 2 : 1) * self->inner_width, TRUE);
      if (names->gate_dense == NULL && self->is_gated)
        dyno_graph_add_split (graph, parts[0], 2, 2, sizes, parts);
      inner = dyno_layers_activation (graph, self->activation, parts[0]);
      if (names->gate_dense != NULL || self->is_gated)
        inner = dyno_graph_add (graph, "Mul", NULL, inner, parts[1], NULL);
      if (names->up != NULL)
        dyno_graph_pop_scope (graph);
      if (names->down != NULL)
        dyno_graph_push_scope (graph, "%s", names->down);
      inner = dyno_layers_linear (graph, names->down_dense, inner, self->width, TRUE);
      value = dyno_graph_add (graph, "Add", NULL, scale (self, graph, 1, inner), value, NULL);
      if (names->down != NULL)
        dyno_graph_pop_scope (graph);

      dyno_graph_pop_scope (graph);
    }
  return value;
}

const char *
dyno_tower_add_pixels (DynoGraph *graph, gint64 n_channels, gint64 height, gint64 width)
{
  g_autofree char *pictures = dyno_graph_dup_pictures (graph);
  g_autofree char *dimensions =
      g_strdup_printf ("%s, %" G_GINT64_FORMAT ", %" G_GINT64_FORMAT ", %" G_GINT64_FORMAT, pictures,
                       n_channels, height, width);

  return dyno_graph_add_input (graph, "pixel_values", dyno_graph_get_real_type (graph), dimensions);
}

const char *
dyno_tower_cut_patches (
    DynoGraph *graph, const char *name, const char *pixels, gint64 width, gint64 side, gboolean has_bias)
{
  const gint64 strides[] = { side, side };

  return dyno_tower_cut_apart (graph, name, pixels, width, side, strides, has_bias);
}

/* [batch, patches, width] */
static const char *
convolve (DynoGraph *graph,
          const char *pixels,
          const char *weight,
          const char *bias,
          gint64 side,
          const gint64 *strides)
{
  const gint64 target[] = { 0, dyno_graph_get_shape (graph, weight)->dims[0], -1 };
  g_autofree char *attributes = g_strdup_printf ("kernel_shape=[%" G_GINT64_FORMAT ",%" G_GINT64_FORMAT
                                                 "] strides=[%" G_GINT64_FORMAT ",%" G_GINT64_FORMAT "]",
                                                 side, side, strides[0], strides[1]);
  const char *value = dyno_graph_add (graph, "Conv", attributes, pixels, weight, bias, NULL);

  value = dyno_layers_reshape (graph, value, 3, target);
  return dyno_graph_add (graph, "Transpose", "perm=[0,2,1]", value, NULL);
}

const char *
dyno_tower_cut_apart (DynoGraph *graph,
                      const char *name,
                      const char *pixels,
                      gint64 width,
                      gint64 side,
                      const gint64 *strides,
                      gboolean has_bias)
{
  const gint64 dims[] = { width, dyno_graph_get_shape (graph, pixels)->dims[1], side, side };
  double deviation = 1 / sqrt ((double)(dims[1] * dims[2] * dims[3]));
  const char *weight, *bias, *value;

  dyno_graph_push_scope (graph, "%s", name);
  bias = has_bias ? dyno_graph_add_weight (graph, "bias", 0, 0.02, 1, dims) : NULL;
  weight = dyno_graph_add_weight (graph, "weight", 0, deviation, 4, dims);
  value = convolve (graph, pixels, weight, bias, side, strides);
  dyno_graph_pop_scope (graph);
  return value;
}

const char *
dyno_tower_cut_frames (DynoGraph *graph,
                       const char *name,
                       const char *pixels,
                       gint64 width,
                       gint64 n_frames,
                       gint64 side,
                       gboolean has_bias)
{
  const gint64 dims[] = { width, dyno_graph_get_shape (graph, pixels)->dims[1], n_frames, side, side };
  const gint64 strides[] = { side, side }, frames = 2;
  double deviation = 1 / sqrt ((double)(dims[1] * n_frames * side * side));
  const char *axis, *weight, *bias, *value;

  dyno_graph_push_scope (graph, "%s", name);
  axis = dyno_graph_add_ints (graph, 1, &frames);
  bias = has_bias ? dyno_graph_add_weight (graph, "bias", 0, 0.02, 1, dims) : NULL;
  weight = dyno_graph_add_weight (graph, "weight", 0, deviation, 5, dims);
  weight = dyno_graph_add (graph, "ReduceSum", NULL, weight, axis, NULL);
  weight = dyno_graph_add (graph, "Squeeze", NULL, weight, axis, NULL);
  value = convolve (graph, pixels, weight, bias, side, strides);
  dyno_graph_pop_scope (graph);
  return value;
}

const char *
dyno_tower_add_tokens (DynoGraph *graph, const char *name, const char *items, gint64 n_tokens, gint64 width)
{
  const gint64 dims[] = { 1, n_tokens, width };

  return dyno_tower_spread_token (graph, dyno_graph_add_weight (graph, name, 0, 0.02, 3, dims), items, width);
}

const char *
dyno_tower_spread_token (DynoGraph *graph, const char *token, const char *items, gint64 width)
{
  const gint64 rest[] = { 1, width };
  const char *batch = dyno_graph_add (graph, "Shape", "start=0 end=1", items, NULL);
  const char *shape =
      dyno_graph_add (graph, "Concat", "axis=0", batch, dyno_graph_add_ints (graph, 2, rest), NULL);

  return dyno_graph_add (graph, "Expand", NULL, token, shape, NULL);
}
