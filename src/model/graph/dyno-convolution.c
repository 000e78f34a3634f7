/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "dyno-layers.h"
#include "dyno-model-graph-private.h"

#define SMALL_DEVIATION 0.02

gint64
dyno_convolution_round_width (double width, gint64 divisor, gint64 least)
{
  gint64 rounded = MAX ((gint64)(width + (double)divisor / 2) / divisor * divisor, least);

  return (double)rounded < 0.9 * width ? rounded + divisor : rounded;
}

/**
 * dyno_convolution_add:
 * @self: a convolution
 * @graph: a graph
 * @name: the layer's name; its weights are `name.weight` and `name.bias`
 * @value: [batch, channels, height, width]
 *
 * Random weights preserve the variance of activations through a rectifier: standard deviation √(2 / inputs), He et al.
 * 2015.
 *
 * Returns: (transfer none): the value
 */
const char *
dyno_convolution_add (const DynoConvolution *self, DynoGraph *graph, const char *name, const char *value)
{
  gint64 channels = dyno_graph_get_shape (graph, value)->dims[1];
  const gint64 dims[] = { self->channels, channels / self->groups, self->kernel, self->kernel };
  double deviation = sqrt (2.0 / (double)(dims[1] * dims[2] * dims[3]));

  gint64 pad = self->is_cropped ? 0 : (self->kernel - 1) / 2 * self->dilation;
  g_autofree char *padding = self->pads_like_tensorflow
                                 ? g_strdup ("auto_pad=SAME_UPPER")
                                 : g_strdup_printf ("pads=[%" G_GINT64_FORMAT ",%" G_GINT64_FORMAT
                                                    ",%" G_GINT64_FORMAT ",%" G_GINT64_FORMAT "]",
                                                    pad - self->moves, pad - self->moves, pad, pad);
  g_autofree char *attributes =
      g_strdup_printf ("kernel_shape=[%" G_GINT64_FORMAT ",%" G_GINT64_FORMAT "] strides=[%" G_GINT64_FORMAT
                       ",%" G_GINT64_FORMAT "] dilations=[%" G_GINT64_FORMAT ",%" G_GINT64_FORMAT
                       "] group=%" G_GINT64_FORMAT " %s",
                       self->kernel, self->kernel, self->stride, self->stride, self->dilation, self->dilation,
                       self->groups, padding);
  const char *weight, *bias;

  dyno_graph_push_scope (graph, "%s", name);
  weight = dyno_graph_add_weight (graph, "weight", 0, deviation, 4, dims);
  bias = self->has_bias ? dyno_graph_add_weight (graph, "bias", 0, SMALL_DEVIATION, 1, dims) : NULL;
  value = dyno_graph_add (graph, "Conv", attributes, value, weight, bias, NULL);
  dyno_graph_pop_scope (graph);
  return value;
}

const char *
dyno_convolution_normalize (
    DynoGraph *graph, const char *name, const char *value, double gain, double epsilon)
{
  gint64 channels = dyno_graph_get_shape (graph, value)->dims[1];
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  g_autofree char *attributes =
      g_strconcat ("epsilon=", g_ascii_formatd (number, sizeof number, "%.9e", epsilon), NULL);
  g_autofree char *scale = g_strconcat (name, ".weight", NULL);
  g_autofree char *bias = g_strconcat (name, ".bias", NULL);
  g_autofree char *mean = g_strconcat (name, ".running_mean", NULL);
  g_autofree char *variance = g_strconcat (name, ".running_var", NULL);

  return dyno_graph_add (graph, "BatchNormalization", attributes, value,
                         dyno_graph_add_weight (graph, scale, gain, SMALL_DEVIATION, 1, &channels),
                         dyno_graph_add_weight (graph, bias, 0, SMALL_DEVIATION, 1, &channels),
                         dyno_graph_add_statistic (graph, mean, 0, SMALL_DEVIATION, channels),
                         dyno_graph_add_statistic (graph, variance, 1, SMALL_DEVIATION, channels), NULL);
}

const char *
dyno_convolution_normalize_frozen (DynoGraph *graph, const char *name, const char *value)
{
  const gint64 channels = dyno_graph_get_shape (graph, value)->dims[1];
  const char *scale, *bias, *mean, *variance;

  dyno_graph_push_scope (graph, "%s", name);
  scale = dyno_graph_add_statistic (graph, "weight", 1, 0.02, channels);
  bias = dyno_graph_add_statistic (graph, "bias", 0, 0.02, channels);
  mean = dyno_graph_add_statistic (graph, "running_mean", 0, 0.02, channels);
  variance = dyno_graph_add_statistic (graph, "running_var", 1, 0.02, channels);
  value = dyno_graph_add (graph, "BatchNormalization", "epsilon=1.0e-05", value, scale, bias, mean, variance,
                          NULL);
  dyno_graph_pop_scope (graph);
  return value;
}

static const char *
add_repeated (DynoGraph *graph, float number, gint64 n)
{
  g_autofree float *numbers = g_new (float, n);

  for (gint64 i = 0; i < n; i++)
    numbers[i] = number;
  return dyno_layers_cast (graph, dyno_graph_add_floats (graph, (guint)n, numbers),
                           dyno_graph_get_real_type (graph));
}

/* One number per channel, the same at all positions. */
static const char *
add_for_channels (DynoGraph *graph, const char *name, double mean, gint64 channels, guint n_sides)
{
  const gint64 axes[] = { 1, 2 };
  const char *weight = dyno_graph_add_weight (graph, name, mean, SMALL_DEVIATION, 1, &channels);

  return dyno_graph_add (graph, "Unsqueeze", NULL, weight, dyno_graph_add_ints (graph, n_sides, axes), NULL);
}

const char *
dyno_convolution_normalize_groups (
    DynoGraph *graph, const char *name, const char *value, gint64 n_groups, double epsilon)
{
  gint64 channels = dyno_graph_get_shape (graph, value)->dims[1];
  guint n_sides = dyno_graph_get_shape (graph, value)->rank - 2;
  const gint64 grouped[] = { 0, n_groups, -1 };
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  g_autofree char *attributes =
      g_strconcat ("epsilon=", g_ascii_formatd (number, sizeof number, "%.9e", epsilon), NULL);
  const char *shape;

  dyno_graph_push_scope (graph, "%s", name);
  shape = dyno_graph_add (graph, "Shape", NULL, value, NULL);
  value = dyno_graph_add (graph, "Reshape", NULL, value, dyno_graph_add_ints (graph, 3, grouped), NULL);
  value = dyno_graph_add (graph, "InstanceNormalization", attributes, value,
                          add_repeated (graph, 1, n_groups), add_repeated (graph, 0, n_groups), NULL);
  value = dyno_graph_add (graph, "Reshape", NULL, value, shape, NULL);
  value = dyno_graph_add (graph, "Mul", NULL, value, add_for_channels (graph, "weight", 1, channels, n_sides),
                          NULL);
  value = dyno_graph_add (graph, "Add", NULL, value, add_for_channels (graph, "bias", 0, channels, n_sides),
                          NULL);
  dyno_graph_pop_scope (graph);
  return value;
}

const char *
dyno_convolution_normalize_places (DynoGraph *graph, const char *name, const char *value, double epsilon)
{
  value = dyno_graph_add (graph, "Transpose", "perm=[0,2,3,1]", value, NULL);
  value = dyno_layers_layer_norm (graph, name, value, epsilon);
  return dyno_graph_add (graph, "Transpose", "perm=[0,3,1,2]", value, NULL);
}

const char *
dyno_convolution_add_pictures (DynoGraph *graph, gint64 channels, const gint64 *sides)
{
  g_autofree char *dimensions =
      g_strdup_printf ("batch, %" G_GINT64_FORMAT ", height=%" G_GINT64_FORMAT ", width=%" G_GINT64_FORMAT,
                       channels, sides[0], sides[1]);

  return dyno_graph_add_input (graph, "pixel_values", dyno_graph_get_real_type (graph), dimensions);
}

const char *
dyno_convolution_resize (DynoGraph *graph, const char *value, const char *attributes, const gint64 *sides)
{
  const char *shape = dyno_graph_add (graph, "Shape", "start=0 end=2", value, NULL);

  shape = dyno_graph_add (graph, "Concat", "axis=0", shape, dyno_graph_add_ints (graph, 2, sides), NULL);
  return dyno_graph_add (graph, "Resize", attributes, value, "", "", shape, NULL);
}

const char *
dyno_convolution_pool (DynoGraph *graph, const char *body, const char *value)
{
  dyno_graph_push_scope (graph, "%s.pooler", body);
  value = dyno_graph_add (graph, "GlobalAveragePool", NULL, value, NULL);
  value = dyno_graph_add (graph, "Flatten", "axis=1", value, NULL);
  dyno_graph_pop_scope (graph);
  return value;
}
