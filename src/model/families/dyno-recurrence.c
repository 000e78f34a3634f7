/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "dyno-layers.h"
#include "dyno-model-families-private.h"

/* Random weights with a realistic decay: in published models, A is between −1 and −16. */
#define MEAN_LOG_A 1.4
#define DEVIATION  0.5

static const char *
unsqueeze (DynoGraph *graph, const char *value, gint64 axis)
{
  return dyno_graph_add (graph, "Unsqueeze", NULL, value, dyno_graph_add_ints (graph, 1, &axis), NULL);
}

static const char *
transpose (DynoGraph *graph, const char *value)
{
  return dyno_graph_add (graph, "Transpose", "perm=[0,2,1]", value, NULL);
}

const char *
dyno_recurrence_convolve (const DynoKernel *self,
                          DynoGraph *graph,
                          guint layer,
                          const char *name,
                          const char *value,
                          const char **last)
{
  gint64 n_channels = dyno_graph_get_shape (graph, value)->dims[2];
  const gint64 dims[] = { n_channels, 1, self->size };
  const gint64 start = 1 - self->size, end = G_MAXINT64, axis = 2;
  g_autofree char *attributes = g_strdup_printf (
      "group=%" G_GINT64_FORMAT " kernel_shape=[%" G_GINT64_FORMAT "]", n_channels, self->size);
  g_autofree char *input = g_strdup_printf ("past_key_values.%u.conv", layer);
  g_autofree char *dimensions =
      g_strdup_printf ("batch, %" G_GINT64_FORMAT ", %" G_GINT64_FORMAT, n_channels, self->size - 1);
  const char *past, *all, *weight, *bias;

  past = dyno_graph_add_input (graph, input, dyno_graph_get_real_type (graph), dimensions);
  all = dyno_graph_add (graph, "Concat", "axis=2", past, transpose (graph, value), NULL);
  dyno_graph_push_scope (graph, "%s", name);
  weight = dyno_graph_add_weight (graph, "weight", 0, 1 / sqrt ((double)self->size), 3, dims);
  bias = self->has_bias ? dyno_graph_add_weight (graph, "bias", 0, 0.02, 1, &n_channels) : NULL;
  value = dyno_graph_add (graph, "Conv", attributes, all, weight, bias, NULL);
  dyno_graph_pop_scope (graph);
  *last = dyno_graph_add (graph, "Slice", NULL, all, dyno_graph_add_ints (graph, 1, &start),
                          dyno_graph_add_ints (graph, 1, &end), dyno_graph_add_ints (graph, 1, &axis), NULL);
  return transpose (graph, value);
}

const char *
dyno_recurrence_scan (DynoGraph *graph,
                      guint layer,
                      const char *dimensions,
                      guint n_inputs,
                      const char **inputs,
                      DynoGraphBody body,
                      gpointer data,
                      const char **last)
{
  DynoDataType type = dyno_graph_get_real_type (graph);
  g_autofree char *name = g_strdup_printf ("past_key_values.%u.state", layer);
  const char *state = dyno_graph_add_input (graph, name, type, dimensions);
  const char *values;

  state = dyno_layers_cast (graph, state, DYNO_DATA_TYPE_FLOAT);
  for (guint i = 0; i < n_inputs; i++)
    inputs[i] = dyno_layers_cast (graph, inputs[i], DYNO_DATA_TYPE_FLOAT);
  dyno_graph_add_scan (graph, state, n_inputs, inputs, body, data, &state, &values);
  *last = dyno_layers_cast (graph, state, type);
  return dyno_layers_cast (graph, values, type);
}

void
dyno_recurrence_add_output (DynoGraph *graph, const char *what, guint layer, const char *value)
{
  g_autofree char *name = g_strdup_printf ("present.%u.%s", layer, what);
  const DynoShape *shape = dyno_graph_get_shape (graph, value);
  g_autoptr (GString) dimensions = g_string_new ("batch");

  for (guint i = 1; i < shape->rank; i++)
    g_string_append_printf (dimensions, ", %" G_GINT64_FORMAT, shape->dims[i]);
  dyno_graph_add_output (graph, name, value, dimensions->str);
}

const char *
dyno_recurrence_add_decay (DynoGraph *graph, guint rank, const gint64 *dims)
{
  const char *value = dyno_graph_add_weight (graph, "A_log", MEAN_LOG_A, DEVIATION, rank, dims);

  value = dyno_layers_cast (graph, value, DYNO_DATA_TYPE_FLOAT);
  return dyno_graph_add (graph, "Neg", NULL, dyno_graph_add (graph, "Exp", NULL, value, NULL), NULL);
}

/* h ← exp (Δ · A) ∘ h + (Δ · x) ⊗ B;  y = h · C. Per channel: A is [channels, state]. */
static const char *
add_channel_step (DynoGraph *graph, const char **state, const char *const *inputs, gpointer data)
{
  const char *kept = dyno_graph_add (graph, "Mul", NULL, unsqueeze (graph, inputs[0], -1), data, NULL);
  const char *taken = dyno_graph_add (graph, "Mul", NULL, inputs[0], inputs[1], NULL);

  kept = dyno_graph_add (graph, "Exp", NULL, kept, NULL);
  kept = dyno_graph_add (graph, "Mul", NULL, kept, *state, NULL);
  taken = dyno_graph_add (graph, "Mul", NULL, unsqueeze (graph, taken, -1), unsqueeze (graph, inputs[2], 1),
                          NULL);
  *state = dyno_graph_add (graph, "Add", NULL, kept, taken, NULL);
  return dyno_graph_add (graph, "MatMul", NULL, *state, unsqueeze (graph, inputs[3], -1), NULL);
}

const char *
dyno_recurrence_select (
    const DynoSelective *self, DynoGraph *graph, guint layer, const char *value, const char **last)
{
  static const char *const names[] = { "dt_layernorm", "b_layernorm", "c_layernorm" };
  gint64 width = dyno_graph_get_shape (graph, value)->dims[2];
  const gint64 dims[] = { width, self->state_width }, flat[] = { 0, 0, width };
  const gint64 sizes[] = { self->step_rank, self->state_width, self->state_width };
  g_autofree char *dimensions =
      g_strdup_printf ("batch, %" G_GINT64_FORMAT ", %" G_GINT64_FORMAT, dims[0], dims[1]);
  const char *parts[3], *step, *result, *skip;

  /* Computes B, C and the input of Δ, all from the input. */
  result = dyno_layers_linear (graph, "x_proj", value, sizes[0] + 2 * sizes[1], FALSE);
  dyno_graph_add_split (graph, result, 2, 3, sizes, parts);
  for (guint i = 0; self->epsilon > 0 && i < 3; i++)
    parts[i] = self->has_norm_weights
                   ? dyno_layers_rms_norm (graph, names[i], parts[i], self->epsilon)
                   : dyno_layers_cast (graph, dyno_layers_normal (graph, parts[i], self->epsilon),
                                       dyno_graph_get_real_type (graph));

  step = dyno_layers_linear (graph, "dt_proj", parts[0], width, TRUE);
  step = dyno_graph_add (graph, "Softplus", NULL, step, NULL);
  {
    const char *inputs[] = { step, value, parts[1], parts[2] };

    result = dyno_recurrence_scan (graph, layer, dimensions, 4, inputs, add_channel_step,
                                   (gpointer)dyno_recurrence_add_decay (graph, 2, dims), last);
  }
  skip =
      dyno_graph_add (graph, "Mul", NULL, value, dyno_graph_add_weight (graph, "D", 1, 0.02, 1, dims), NULL);
  result = dyno_layers_reshape (graph, result, 3, flat);
  return dyno_graph_add (graph, "Add", NULL, result, skip, NULL);
}
