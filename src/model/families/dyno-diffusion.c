/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-config-checks.h"
#include "dyno-layers.h"
#include "dyno-model-families-private.h"
#include "dyno-model-graph-private.h"

DynoDiffusion
dyno_diffusion_read (DynoConfig *config, double epsilon)
{
  return (DynoDiffusion){
    .n_groups = dyno_config_get_int_or (config, "norm_num_groups", 32),
    .epsilon = dyno_config_get_double_or (config, "norm_eps", epsilon),
    .activation = dyno_config_get_string_or (config, "act_fn", "silu"),
  };
}

void
dyno_diffusion_check (const DynoDiffusion *self, DynoConfig *config, GArray *widths)
{
  if (widths->len == 0)
    dyno_config_fail (config, _ ("its “%s” is empty"), "block_out_channels");
  for (guint i = 0; i < widths->len; i++)
    if (g_array_index (widths, gint64, i) % self->n_groups != 0)
      dyno_config_fail (config, _ ("its “block_out_channels” are no multiples of its “norm_num_groups”"));
  dyno_config_check_activation (config, "act_fn", self->activation);
}

const char *
dyno_diffusion_convolve (
    DynoGraph *graph, const char *name, const char *value, gint64 channels, gint64 kernel, gint64 stride)
{
  const DynoConvolution convolution = { channels, kernel, stride, 1, 1, .has_bias = TRUE };

  return dyno_convolution_add (&convolution, graph, name, value);
}

const char *
dyno_diffusion_enlarge (DynoGraph *graph, const char *value, const char *sizes)
{
  const char *shape;

  dyno_graph_push_scope (graph, "upsamplers.0");
  shape = dyno_graph_add (graph, "Shape", "start=0 end=2", value, NULL);
  shape = dyno_graph_add (graph, "Concat", "axis=0", shape, sizes, NULL);
  value = dyno_graph_add (graph, "Resize",
                          "mode=nearest coordinate_transformation_mode=asymmetric nearest_mode=floor", value,
                          "", "", shape, NULL);
  value = dyno_diffusion_convolve (graph, "conv", value, dyno_graph_get_shape (graph, value)->dims[1], 3, 1);
  dyno_graph_pop_scope (graph);
  return value;
}

static const char *
normalize (const DynoDiffusion *self, DynoGraph *graph, const char *name, const char *value)
{
  value = dyno_convolution_normalize_groups (graph, name, value, self->n_groups, self->epsilon);
  dyno_graph_push_scope (graph, "%s", name);
  value = dyno_layers_activation (graph, self->activation, value);
  dyno_graph_pop_scope (graph);
  return value;
}

const char *
dyno_diffusion_finish (const DynoDiffusion *self, DynoGraph *graph, const char *value, gint64 channels)
{
  value = normalize (self, graph, "conv_norm_out", value);
  return dyno_diffusion_convolve (graph, "conv_out", value, channels, 3, 1);
}

const char *
dyno_diffusion_add_residual (
    const DynoDiffusion *self, DynoGraph *graph, const char *value, const char *time, gint64 channels)
{
  const char *inner = normalize (self, graph, "norm1", value);

  inner = dyno_diffusion_convolve (graph, "conv1", inner, channels, 3, 1);
  if (time != NULL)
    {
      /* Adds the same at every position. */
      const gint64 axes[] = { 2, 3 };

      time = dyno_layers_linear (graph, "time_emb_proj", time, channels, TRUE);
      dyno_graph_push_scope (graph, "time_emb_proj");
      time = dyno_graph_add (graph, "Unsqueeze", NULL, time, dyno_graph_add_ints (graph, 2, axes), NULL);
      inner = dyno_graph_add (graph, "Add", NULL, inner, time, NULL);
      dyno_graph_pop_scope (graph);
    }
  inner = normalize (self, graph, "norm2", inner);
  inner = dyno_diffusion_convolve (graph, "conv2", inner, channels, 3, 1);
  if (dyno_graph_get_shape (graph, value)->dims[1] != channels)
    value = dyno_diffusion_convolve (graph, "conv_shortcut", value, channels, 1, 1);
  return dyno_graph_add (graph, "Add", NULL, value, inner, NULL);
}

const char *
dyno_diffusion_flatten (DynoGraph *graph, const char *value, const char **shape)
{
  const gint64 flat[] = { 0, -1, dyno_graph_get_shape (graph, value)->dims[1] };

  value = dyno_graph_add (graph, "Transpose", "perm=[0,2,3,1]", value, NULL);
  *shape = dyno_graph_add (graph, "Shape", NULL, value, NULL);
  return dyno_layers_reshape (graph, value, 3, flat);
}

const char *
dyno_diffusion_unflatten (DynoGraph *graph, const char *value, const char *shape)
{
  value = dyno_graph_add (graph, "Reshape", NULL, value, shape, NULL);
  return dyno_graph_add (graph, "Transpose", "perm=[0,3,1,2]", value, NULL);
}

const char *
dyno_diffusion_attend (const DynoDiffusionAttention *self,
                       DynoGraph *graph,
                       const char *name,
                       const char *value,
                       const char *states,
                       const char *mask)
{
  gint64 width = dyno_graph_get_shape (graph, value)->dims[2];
  const char *query, *key;

  dyno_graph_push_scope (graph, "%s", name);
  query = dyno_layers_linear (graph, "to_q", value, width, self->has_bias);
  key = dyno_layers_linear (graph, "to_k", states, width, self->has_bias);
  value = dyno_layers_linear (graph, "to_v", states, width, self->has_bias);
  query = dyno_layers_split_heads (graph, query, self->n_heads);
  key = dyno_layers_split_heads (graph, key, self->n_heads);
  value = dyno_layers_split_heads (graph, value, self->n_heads);
  if (self->upcasts)
    {
      float divisor = sqrtf ((float)dyno_graph_get_shape (graph, query)->dims[3]);

      /* Products of queries and keys may overflow half precision. */
      query = dyno_layers_cast (graph, query, DYNO_DATA_TYPE_FLOAT);
      key = dyno_layers_cast (graph, key, DYNO_DATA_TYPE_FLOAT);
      query = dyno_graph_add (graph, "Mul", NULL, query, dyno_graph_add_float (graph, 1 / divisor), NULL);
      if (mask != NULL)
        mask = dyno_layers_cast (graph, mask, DYNO_DATA_TYPE_FLOAT);
      value = dyno_layers_attention_scaled (graph, query, key, value, mask, DYNO_DATA_TYPE_FLOAT, 1);
    }
  else
    value = dyno_layers_attention (graph, query, key, value, mask, dyno_graph_get_real_type (graph));
  value = dyno_layers_linear (graph, "to_out.0", value, width, TRUE);
  dyno_graph_pop_scope (graph);
  return value;
}

const char *
dyno_diffusion_embed_number (const DynoDiffusionTime *self, DynoGraph *graph, const char *value)
{
  const gint64 axis = 1;
  const char *sine, *cosine;

  value = dyno_layers_cast (graph, value, DYNO_DATA_TYPE_FLOAT);
  value = dyno_graph_add (graph, "Unsqueeze", NULL, value, dyno_graph_add_ints (graph, 1, &axis), NULL);

  /* 10000^(−i / (half − shift)), as in Vaswani et al. 2017 with a shift of 0. */
  gint64 half = self->width / 2;
  g_autofree float *frequencies = g_new (float, half);

  for (gint64 i = 0; i < half; i++)
    frequencies[i] = (float)exp (-log (10000) * (double)i / (double)(half - self->shift));
  value = dyno_graph_add (graph, "Mul", NULL, value, dyno_graph_add_floats (graph, (guint)half, frequencies),
                          NULL);
  sine = dyno_graph_add (graph, "Sin", NULL, value, NULL);
  cosine = dyno_graph_add (graph, "Cos", NULL, value, NULL);
  value = dyno_graph_add (graph, "Concat", "axis=1", self->is_flipped ? cosine : sine,
                          self->is_flipped ? sine : cosine, NULL);
  return dyno_layers_cast (graph, value, dyno_graph_get_real_type (graph));
}

const char *
dyno_diffusion_embed (
    DynoGraph *graph, const char *name, const char *value, gint64 width, const char *activation)
{
  dyno_graph_push_scope (graph, "%s", name);
  value = dyno_layers_linear (graph, "linear_1", value, width, TRUE);
  value = dyno_layers_activation (graph, activation, value);
  value = dyno_layers_linear (graph, "linear_2", value, width, TRUE);
  dyno_graph_pop_scope (graph);
  return value;
}
