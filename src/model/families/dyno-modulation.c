/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-layers.h"
#include "dyno-model-families-private.h"

#define INNER_FACTOR 4

void
dyno_modulation_split (
    DynoGraph *graph, const char *name, const char *condition, gint64 width, guint n, const char **parts)
{
  const gint64 axis = 1;
  g_autofree gint64 *sizes = g_new (gint64, n);

  for (guint i = 0; i < n; i++)
    sizes[i] = width;
  condition = dyno_layers_linear (graph, name, condition, n * width, TRUE);
  dyno_graph_push_scope (graph, "%s", name);
  condition =
      dyno_graph_add (graph, "Unsqueeze", NULL, condition, dyno_graph_add_ints (graph, 1, &axis), NULL);
  dyno_graph_add_split (graph, condition, 2, n, sizes, parts);
  dyno_graph_pop_scope (graph);
}

const char *
dyno_modulation_norm (
    DynoGraph *graph, const char *value, double epsilon, const char *scale, const char *shift)
{
  gint64 width = dyno_graph_get_shape (graph, value)->dims[2];
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  g_autofree char *attributes =
      g_strconcat ("axis=-1 epsilon=", g_ascii_formatd (number, sizeof number, "%.9e", epsilon), NULL);
  g_autofree float *numbers = g_new (float, width);
  const char *ones;

  for (gint64 i = 0; i < width; i++)
    numbers[i] = 1;
  ones = dyno_layers_cast (graph, dyno_graph_add_floats (graph, (guint)width, numbers),
                           dyno_graph_get_real_type (graph));
  value = dyno_graph_add (graph, "LayerNormalization", attributes, value, ones, NULL);
  scale = dyno_graph_add (graph, "Add", NULL, scale, dyno_graph_add_real (graph, 1), NULL);
  value = dyno_graph_add (graph, "Mul", NULL, value, scale, NULL);
  return dyno_graph_add (graph, "Add", NULL, value, shift, NULL);
}

const char *
dyno_modulation_gate (DynoGraph *graph, const char *value, const char *inner, const char *gate)
{
  inner = dyno_graph_add (graph, "Mul", NULL, gate, inner, NULL);
  return dyno_graph_add (graph, "Add", NULL, inner, value, NULL);
}

const char *
dyno_modulation_feed (DynoGraph *graph, const char *name, const char *value)
{
  gint64 width = dyno_graph_get_shape (graph, value)->dims[2];

  dyno_graph_push_scope (graph, "%s", name);
  value = dyno_layers_linear (graph, "net.0.proj", value, INNER_FACTOR * width, TRUE);
  value = dyno_layers_activation (graph, "gelu_pytorch_tanh", value);
  value = dyno_layers_linear (graph, "net.2", value, width, TRUE);
  dyno_graph_pop_scope (graph);
  return value;
}
