/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "dyno-model-families-private.h"

#define SMALL_DEVIATION 0.02

/* Standard deviation of normal numbers after a rectifier or a GELU, for which random weights compensate, He et al.
 * 2015. */
#define GAIN G_SQRT2

const char *
dyno_time_convolution_apply (const DynoTimeConvolution *self,
                             DynoGraph *graph,
                             const char *value,
                             const char *weight)
{
  g_autofree char *attributes =
      g_strdup_printf ("kernel_shape=[%" G_GINT64_FORMAT "] strides=[%" G_GINT64_FORMAT
                       "] pads=[%" G_GINT64_FORMAT ",%" G_GINT64_FORMAT "] group=%" G_GINT64_FORMAT,
                       self->kernel, self->stride, self->padding[0], self->padding[1], self->groups);
  const char *bias =
      self->has_bias ? dyno_graph_add_weight (graph, "bias", 0, SMALL_DEVIATION, 1, &self->channels) : NULL;

  return dyno_graph_add (graph, "Conv", attributes, value, weight, bias, NULL);
}

const char *
dyno_time_convolution_add (const DynoTimeConvolution *self,
                           DynoGraph *graph,
                           const char *name,
                           const char *value)
{
  const gint64 dims[] = { self->channels, dyno_graph_get_shape (graph, value)->dims[1] / self->groups,
                          self->kernel };
  double deviation = GAIN / sqrt ((double)(dims[1] * dims[2]));

  dyno_graph_push_scope (graph, "%s", name);
  value = dyno_time_convolution_apply (self, graph, value,
                                       dyno_graph_add_weight (graph, "weight", 0, deviation, 3, dims));
  dyno_graph_pop_scope (graph);
  return value;
}

const char *
dyno_time_convolution_swap (DynoGraph *graph, const char *value)
{
  return dyno_graph_add (graph, "Transpose", "perm=[0,2,1]", value, NULL);
}

void
dyno_time_convolution_add_mask (DynoGraph *graph, DynoConfig *config, gint64 width)
{
  if (dyno_config_get_double_or (config, "mask_time_prob", 0.05) > 0 ||
      dyno_config_get_double_or (config, "mask_feature_prob", 0) > 0)
    dyno_graph_add_weight (graph, "masked_spec_embed", 0, SMALL_DEVIATION, 1, &width);
}
