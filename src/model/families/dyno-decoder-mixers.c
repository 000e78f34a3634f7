/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "dyno-decoder.h"
#include "dyno-layers.h"
#include "dyno-model-families-private.h"

/* Layers of decoders without attention. */

/* The epsilon of the sums of squares of queries and keys is not in the config. */
#define UNIT_EPSILON 1e-6

/* Nor is the epsilon of the norm of linear attention. */
#define LINEAR_EPSILON 1e-6

/* Random weights with a realistic decay. */
#define MEAN_LOG_DECAY 1
#define MEAN_STEP      -3.0
#define DEVIATION      0.5

static const char *
unsqueeze (DynoGraph *graph, const char *value, gint64 axis)
{
  return dyno_graph_add (graph, "Unsqueeze", NULL, value, dyno_graph_add_ints (graph, 1, &axis), NULL);
}

const char *
dyno_decoder_add_convolution (DynoDecoding *self, guint layer, const char *value)
{
  const DynoDecoder *decoder = self->decoder;
  gint64 width = decoder->width;
  const DynoKernel kernel = { decoder->kernel, decoder->has_kernel_bias };
  const gint64 sizes[] = { width, width, width };
  DynoGraph *graph = self->graph;
  const char *parts[3], *last;

  dyno_graph_push_scope (graph, "conv");
  value = dyno_layers_linear (graph, "in_proj", value, 3 * width, decoder->has_kernel_bias);
  dyno_graph_add_split (graph, value, 2, 3, sizes, parts);
  value = dyno_graph_add (graph, "Mul", NULL, parts[0], parts[2], NULL);
  value = dyno_recurrence_convolve (&kernel, graph, layer, "conv", value, &last);
  value = dyno_graph_add (graph, "Mul", NULL, parts[1], value, NULL);
  value = dyno_layers_linear (graph, "out_proj", value, width, decoder->has_kernel_bias);
  dyno_graph_pop_scope (graph);
  g_ptr_array_add (self->keys, (gpointer)last);
  g_ptr_array_add (self->values, NULL);
  return value;
}

/* The projections of its tokens that a layer with a delta rule uses: queries, keys and values in one, the
 * gate of the result, and the inputs for the strength and the decay of an update. */
typedef struct
{
  const char *joined;
  const char *gate;
  const char *strength;
  const char *decay;
} DeltaInputs;

/* For each head of keys its query, its key, and the values and gates of its heads of values. */
static DeltaInputs
add_joined_inputs (const DynoDecoding *self, const char *value)
{
  const DynoDelta *delta = &self->decoder->delta;
  gint64 times = delta->n_value_heads / delta->n_key_heads, values = times * delta->value_width;
  gint64 all_keys = delta->n_key_heads * delta->key_width, all_values = delta->n_key_heads * values;
  const gint64 sizes[] = { delta->key_width, delta->key_width, values, values, times, times };
  const gint64 widths[] = { all_keys, all_keys, all_values, all_values, times, times };
  const gint64 groups[] = { 0, 0, delta->n_key_heads, -1 };
  DynoGraph *graph = self->graph;
  const char *wide = dyno_layers_linear (graph, "in_proj_qkvz", value, 2 * (all_keys + all_values), FALSE);
  const char *narrow = dyno_layers_linear (graph, "in_proj_ba", value, 2 * delta->n_value_heads, FALSE);
  const char *parts[6];

  dyno_graph_add_split (graph, dyno_layers_reshape (graph, wide, 4, groups), 3, 4, sizes, parts);
  dyno_graph_add_split (graph, dyno_layers_reshape (graph, narrow, 4, groups), 3, 2, sizes + 4, parts + 4);
  for (guint i = 0; i < 6; i++)
    {
      const gint64 flat[] = { 0, 0, i < 4 ? widths[i] : delta->n_value_heads };

      parts[i] = dyno_layers_reshape (graph, parts[i], 3, flat);
    }
  return (DeltaInputs){ dyno_graph_add (graph, "Concat", "axis=2", parts[0], parts[1], parts[2], NULL),
                        parts[3], parts[4], parts[5] };
}

static DeltaInputs
add_split_inputs (const DynoDecoding *self, const char *value)
{
  const DynoDelta *delta = &self->decoder->delta;
  gint64 all_keys = delta->n_key_heads * delta->key_width;
  gint64 all_values = delta->n_value_heads * delta->value_width;
  DynoGraph *graph = self->graph;

  return (DeltaInputs){
    dyno_layers_linear (graph, "in_proj_qkv", value, 2 * all_keys + all_values, FALSE),
    dyno_layers_linear (graph, "in_proj_z", value, all_values, FALSE),
    dyno_layers_linear (graph, "in_proj_b", value, delta->n_value_heads, FALSE),
    dyno_layers_linear (graph, "in_proj_a", value, delta->n_value_heads, FALSE),
  };
}

/* Queries or keys as vectors of the length @length, each for the heads of values that share it, [batch, sequence, heads,
 * width]; in single precision. */
static const char *
add_units (const DynoDecoding *self, const char *value, double length)
{
  const DynoDelta *delta = &self->decoder->delta;
  double root = sqrt ((double)delta->key_width);
  const gint64 heads[] = { 0, 0, delta->n_key_heads, delta->key_width };
  const gint64 all[] = { 0, 0, delta->n_value_heads, delta->key_width };
  const gint64 factors[] = { 1, 1, 1, delta->n_value_heads / delta->n_key_heads, 1 };
  DynoGraph *graph = self->graph;

  value =
      dyno_layers_normal (graph, dyno_layers_reshape (graph, value, 4, heads), UNIT_EPSILON / (root * root));
  value =
      dyno_graph_add (graph, "Mul", NULL, value, dyno_graph_add_float (graph, (float)(length / root)), NULL);
  if (factors[3] == 1)
    return value;
  value = dyno_graph_add (graph, "Expand", NULL, unsqueeze (graph, value, 3),
                          dyno_graph_add_ints (graph, 5, factors), NULL);
  return dyno_layers_reshape (graph, value, 4, all);
}

/* The share of the state that is kept in a step: exp (−exp (A_log) · softplus (a + bias)), in single
 * precision. */
static const char *
add_kept (const DynoDecoding *self, const char *value)
{
  gint64 n_heads = self->decoder->delta.n_value_heads;
  DynoGraph *graph = self->graph;
  const char *rate = dyno_graph_add_weight (graph, "A_log", MEAN_LOG_DECAY, DEVIATION, 1, &n_heads);
  const char *bias = dyno_graph_add_weight (graph, "dt_bias", MEAN_STEP, DEVIATION, 1, &n_heads);

  rate = dyno_graph_add (graph, "Exp", NULL, dyno_layers_cast (graph, rate, DYNO_DATA_TYPE_FLOAT), NULL);
  value = dyno_graph_add (graph, "Add", NULL, dyno_layers_cast (graph, value, DYNO_DATA_TYPE_FLOAT),
                          dyno_layers_cast (graph, bias, DYNO_DATA_TYPE_FLOAT), NULL);
  value = dyno_graph_add (graph, "Softplus", NULL, value, NULL);
  value = dyno_graph_add (graph, "Mul", NULL, value, rate, NULL);
  return dyno_graph_add (graph, "Exp", NULL, dyno_graph_add (graph, "Neg", NULL, value, NULL), NULL);
}

/* S ← kept · S;  S ← S + strength · (v − S k) ⊗ k;  y = S q. The state S of a head is [value width, key width]. */
static const char *
add_delta_step (DynoGraph *graph, const char **state, const char *const *inputs, gpointer data)
{
  const char *key = unsqueeze (graph, inputs[1], -1);
  const char *kept = unsqueeze (graph, unsqueeze (graph, inputs[4], -1), -1);
  const char *strength = unsqueeze (graph, unsqueeze (graph, inputs[3], -1), -1);
  const char *known, *change;

  *state = dyno_graph_add (graph, "Mul", NULL, *state, kept, NULL);
  known = dyno_graph_add (graph, "MatMul", NULL, *state, key, NULL);
  change = dyno_graph_add (graph, "Sub", NULL, unsqueeze (graph, inputs[2], -1), known, NULL);
  change = dyno_graph_add (graph, "Mul", NULL, change, strength, NULL);
  change = dyno_graph_add (graph, "Mul", NULL, change, unsqueeze (graph, inputs[1], -2), NULL);
  *state = dyno_graph_add (graph, "Add", NULL, *state, change, NULL);
  return dyno_graph_add (graph, "MatMul", NULL, *state, unsqueeze (graph, inputs[0], -1), NULL);
}

const char *
dyno_decoder_add_delta (DynoDecoding *self, guint layer, const char *value)
{
  const DynoDelta *delta = &self->decoder->delta;
  const DynoKernel kernel = { self->decoder->kernel, FALSE };
  gint64 all_keys = delta->n_key_heads * delta->key_width;
  const gint64 sizes[] = { all_keys, all_keys, delta->n_value_heads * delta->value_width };
  const gint64 heads[] = { 0, 0, delta->n_value_heads, delta->value_width };
  const gint64 flat[] = { 0, 0, delta->n_value_heads * delta->value_width };
  g_autofree char *dimensions =
      g_strdup_printf ("batch, %" G_GINT64_FORMAT ", %" G_GINT64_FORMAT ", %" G_GINT64_FORMAT,
                       delta->n_value_heads, delta->value_width, delta->key_width);
  DynoGraph *graph = self->graph;
  const char *parts[5], *last, *gate;
  DeltaInputs inputs;

  dyno_graph_push_scope (graph, "linear_attn");
  inputs = delta->is_split ? add_split_inputs (self, value) : add_joined_inputs (self, value);
  value = dyno_recurrence_convolve (&kernel, graph, layer, "conv1d", inputs.joined, &last);
  g_ptr_array_add (self->keys, (gpointer)last);
  value = dyno_layers_activation (graph, self->decoder->activation, value);
  dyno_graph_add_split (graph, value, 2, 3, sizes, parts);
  parts[0] = add_units (self, parts[0], 1 / sqrt ((double)delta->key_width));
  parts[1] = add_units (self, parts[1], 1);
  parts[2] = dyno_layers_reshape (graph, parts[2], 4, heads);
  parts[3] = dyno_graph_add (graph, "Sigmoid", NULL, inputs.strength, NULL);
  parts[4] = add_kept (self, inputs.decay);
  value = dyno_recurrence_scan (graph, layer, dimensions, 5, parts, add_delta_step, NULL, &last);
  g_ptr_array_add (self->values, (gpointer)last);

  /* Normalises each head, and gates it: [batch, sequence, heads × width] */
  value = dyno_layers_rms_norm (graph, "norm", dyno_layers_reshape (graph, value, 4, heads),
                                self->decoder->epsilon);
  dyno_graph_push_scope (graph, "norm");
  gate = dyno_layers_activation (graph, self->decoder->activation, inputs.gate);
  value = dyno_graph_add (graph, "Mul", NULL, dyno_layers_reshape (graph, value, 3, flat), gate, NULL);
  dyno_graph_pop_scope (graph);
  value = dyno_layers_linear (graph, "out_proj", value, self->decoder->width, FALSE);
  dyno_graph_pop_scope (graph);
  return value;
}

/* S ← kept · S + v ⊗ k;  y = S q. The state S of a head is [value width, key width]. */
static const char *
add_linear_step (DynoGraph *graph, const char **state, const char *const *inputs, gpointer data)
{
  const char *kept = dyno_graph_add (graph, "Mul", NULL, *state, data, NULL);
  const char *taken = dyno_graph_add (graph, "Mul", NULL, unsqueeze (graph, inputs[2], -1),
                                      unsqueeze (graph, inputs[1], -2), NULL);

  *state = dyno_graph_add (graph, "Add", NULL, kept, taken, NULL);
  return dyno_graph_add (graph, "MatMul", NULL, *state, unsqueeze (graph, inputs[0], -1), NULL);
}

const char *
dyno_decoder_add_linear_attention (DynoDecoding *self, guint layer, const char *value)
{
  const DynoDecoder *decoder = self->decoder;
  gint64 width = decoder->head_width, all = decoder->n_heads * width;
  const gint64 heads[] = { 0, 0, decoder->n_heads, 3 * width }, flat[] = { 0, 0, all };
  const gint64 sizes[] = { width, width, width };
  g_autofree char *dimensions = g_strdup_printf (
      "batch, %" G_GINT64_FORMAT ", %" G_GINT64_FORMAT ", %" G_GINT64_FORMAT, decoder->n_heads, width, width);
  DynoGraph *graph = self->graph;
  const char *parts[3], *gate, *last;

  dyno_graph_push_scope (graph, "%s", decoder->names->attention);
  gate = dyno_layers_linear (graph, "output_gate", value, all, FALSE);
  value = dyno_layers_linear (graph, "qkv_proj", value, 3 * all, FALSE);
  value = dyno_layers_activation (graph, decoder->activation, value);
  dyno_graph_add_split (graph, dyno_layers_reshape (graph, value, 4, heads), 3, 3, sizes, parts);

  /* The share of the state that is left after each step: exp (−slope). The slopes fall from head to head,
   * and from layer to layer. */
  gint64 n_heads = decoder->n_heads;
  double share = 1 - (double)layer / ((double)decoder->n_layers - 1 + 1e-5) + 1e-5;
  const gint64 dims[] = { n_heads, 1, 1 };
  g_autofree float *values = g_new (float, n_heads);

  for (gint64 i = 0; i < n_heads; i++)
    values[i] = (float)exp (-exp2 (-8.0 * (double)(i + 1) / (double)n_heads) * share);
  value = dyno_recurrence_scan (
      graph, layer, dimensions, 3, parts, add_linear_step,
      (gpointer)dyno_layers_reshape (graph, dyno_graph_add_floats (graph, (guint)n_heads, values), 3, dims),
      &last);
  g_ptr_array_add (self->keys, NULL);
  g_ptr_array_add (self->values, (gpointer)last);
  value = dyno_layers_rms_norm (graph, "norm", dyno_layers_reshape (graph, value, 3, flat), LINEAR_EPSILON);
  value =
      dyno_graph_add (graph, "Mul", NULL, dyno_graph_add (graph, "Sigmoid", NULL, gate, NULL), value, NULL);
  value = dyno_layers_linear (graph, "out_proj", value, decoder->width, FALSE);
  dyno_graph_pop_scope (graph);
  return value;
}

const char *
dyno_decoder_add_selective (DynoDecoding *self, guint layer, const char *value)
{
  const DynoDecoder *decoder = self->decoder;
  gint64 width = decoder->selective_width;
  const DynoKernel kernel = { decoder->kernel, decoder->has_kernel_bias };
  const gint64 sizes[] = { width, width };
  DynoGraph *graph = self->graph;
  const char *parts[2], *last;

  dyno_graph_push_scope (graph, "mamba");
  value = dyno_layers_linear (graph, "in_proj", value, 2 * width, decoder->has_mixer_bias);
  dyno_graph_add_split (graph, value, 2, 2, sizes, parts);
  value = dyno_recurrence_convolve (&kernel, graph, layer, "conv1d", parts[0], &last);
  g_ptr_array_add (self->keys, (gpointer)last);
  value = dyno_layers_activation (graph, decoder->activation, value);
  value = dyno_recurrence_select (&decoder->selective, graph, layer, value, &last);
  g_ptr_array_add (self->values, (gpointer)last);
  value = dyno_graph_add (graph, "Mul", NULL, value,
                          dyno_layers_activation (graph, decoder->activation, parts[1]), NULL);
  value = dyno_layers_linear (graph, "out_proj", value, decoder->width, decoder->has_mixer_bias);
  dyno_graph_pop_scope (graph);
  return value;
}
