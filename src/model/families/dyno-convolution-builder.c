/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-architecture.h"
#include "dyno-config-checks.h"
#include "dyno-head.h"
#include "dyno-layers.h"
#include "dyno-model-graph-private.h"

static const char *
add_convolution_layer (DynoGraph *graph,
                       const char *name,
                       const DynoConvolution *convolution,
                       double epsilon,
                       const char *activation,
                       const char *value)
{
  dyno_graph_push_scope (graph, "%s", name);
  value = dyno_convolution_add (convolution, graph, "convolution", value);
  value = dyno_convolution_normalize (graph, "normalization", value, convolution->gain, epsilon);
  if (activation != NULL)
    value = dyno_layers_activation (graph, activation, value);
  dyno_graph_pop_scope (graph);
  return value;
}

/* ResNet, He et al. 2015, in Hugging Face's variant: the stride of a bottleneck is on its 3 × 3 convolution. */

#define RESNET_EPSILON   1e-5
#define RESNET_REDUCTION 4
#define RESNET_GAIN      0.5

typedef struct
{
  GArray *widths;
  GArray *depths;
  gint64 n_channels;
  gint64 sides[2]; /* usual height and width of a picture */
  gint64 stem_width;
  gint64 n_labels;
  gboolean is_bottleneck;
  gboolean strides_first_stage;
  gboolean strides_first_convolution;
  const char *activation;
} Resnet;

static const char *
add_resnet_convolution (
    DynoGraph *graph, const char *name, const char *value, const gint64 geometry[3], const char *activation)
{
  double gain = activation != NULL ? 1 : RESNET_GAIN;
  const DynoConvolution convolution = { geometry[0], geometry[1], geometry[2], 1, 1, gain, FALSE };

  return add_convolution_layer (graph, name, &convolution, RESNET_EPSILON, activation, value);
}

static const char *
add_resnet_body (DynoGraph *graph, const Resnet *self, const char *value, gint64 width, gint64 stride)
{
  gint64 inner = width / RESNET_REDUCTION;
  gint64 early = self->strides_first_convolution ? stride : 1;

  if (!self->is_bottleneck)
    {
      value =
          add_resnet_convolution (graph, "layer.0", value, (gint64[]){ width, 3, stride }, self->activation);
      return add_resnet_convolution (graph, "layer.1", value, (gint64[]){ width, 3, 1 }, NULL);
    }
  value = add_resnet_convolution (graph, "layer.0", value, (gint64[]){ inner, 1, early }, self->activation);
  value = add_resnet_convolution (graph, "layer.1", value, (gint64[]){ inner, 3, stride / early },
                                  self->activation);
  return add_resnet_convolution (graph, "layer.2", value, (gint64[]){ width, 1, 1 }, NULL);
}

static void
add_resnet (DynoGraph *graph, const Resnet *self)
{
  const char *value = dyno_convolution_add_pictures (graph, self->n_channels, self->sides);

  value = add_resnet_convolution (graph, "resnet.embedder.embedder", value,
                                  (gint64[]){ self->stem_width, 7, 2 }, self->activation);
  dyno_graph_push_scope (graph, "resnet.embedder.pooler");
  value = dyno_graph_add (graph, "MaxPool", "kernel_shape=[3,3] strides=[2,2] pads=[1,1,1,1]", value, NULL);
  dyno_graph_pop_scope (graph);
  for (guint stage = 0; stage < self->widths->len; stage++)
    {
      gint64 width = g_array_index (self->widths, gint64, stage);
      gint64 depth = g_array_index (self->depths, gint64, stage);

      for (guint i = 0; i < depth; i++)
        {
          gint64 stride = i == 0 && (stage > 0 || self->strides_first_stage) ? 2 : 1;

          dyno_graph_push_scope (graph, "resnet.encoder.stages.%u.layers.%u", stage, i);

          const char *residual = value;

          if (stride != 1 || dyno_graph_get_shape (graph, value)->dims[1] != width)
            residual =
                add_resnet_convolution (graph, "shortcut", value, (gint64[]){ width, 1, stride }, NULL);
          value = add_resnet_body (graph, self, value, width, stride);
          value = dyno_graph_add (graph, "Add", NULL, value, residual, NULL);
          value = dyno_layers_activation (graph, self->activation, value);
          dyno_graph_pop_scope (graph);
        }
    }
  dyno_head_add_classes (graph, "classifier.1", dyno_convolution_pool (graph, "resnet", value),
                         self->n_labels);
}

static void
build_resnet (DynoGraph *graph, DynoConfig *config)
{
  g_autoptr (GArray) widths = dyno_config_get_ints (config, "hidden_sizes");
  g_autoptr (GArray) depths = dyno_config_get_ints (config, "depths");
  Resnet self = {
    .widths = widths,
    .depths = depths,
    .n_channels = dyno_config_get_int_or (config, "num_channels", 3),
    .stem_width = dyno_config_get_int (config, "embedding_size"),
    .n_labels = dyno_head_count_labels (config),
    .is_bottleneck =
        g_str_equal (dyno_config_get_string_or (config, "layer_type", "bottleneck"), "bottleneck"),
    .strides_first_stage = dyno_config_get_boolean_or (config, "downsample_in_first_stage", FALSE),
    .strides_first_convolution = dyno_config_get_boolean_or (config, "downsample_in_bottleneck", FALSE),
    .activation = dyno_config_get_string_or (config, "hidden_act", "relu"),
  };

  dyno_config_get_sides (config, 224, self.sides);

  const char *type = dyno_config_get_string_or (config, "layer_type", "bottleneck");

  if (!g_str_equal (type, "basic") && !g_str_equal (type, "bottleneck"))
    dyno_config_fail (config, _ ("its “layer_type” is “%s”, but must be “basic” or “bottleneck”"), type);
  dyno_config_check_stages (config, "hidden_sizes", self.widths, self.depths);
  for (guint i = 0; i < self.widths->len; i++)
    if (g_array_index (self.widths, gint64, i) < RESNET_REDUCTION)
      dyno_config_fail (config, _ ("its “hidden_sizes” are too small"));
  dyno_config_check_activation (config, "hidden_act", self.activation);

  if (dyno_config_check (config, NULL))
    add_resnet (graph, &self);
}

/* MobileNetV2, Sandler et al. 2018, in Hugging Face's variant. */

#define MOBILENET_STEM_WIDTH 32
#define MOBILENET_HEAD_WIDTH 1280

static const gint64 mobilenet_widths[] = { 16, 24, 24, 32, 32,  32,  64,  64, 64,
                                           64, 96, 96, 96, 160, 160, 160, 320 };
static const gint64 mobilenet_strides[] = { 2, 1, 2, 1, 1, 2, 1, 1, 1, 1, 1, 1, 2, 1, 1, 1 };

typedef struct
{
  gint64 n_channels;
  gint64 sides[2]; /* usual height and width of a picture */
  gint64 n_labels;
  gint64 divisor;
  gint64 min_width;
  gint64 expansion;
  gint64 output_stride;
  double multiplier;
  double epsilon;
  gboolean stem_expands_first;
  gboolean keeps_head_width;
  gboolean pads_like_tensorflow;
  const char *activation;
} Mobilenet;

static gint64
make_divisible (const Mobilenet *self, double width)
{
  return dyno_convolution_round_width (width, self->divisor, self->min_width);
}

static gint64
scale_width (const Mobilenet *self, gint64 width)
{
  return make_divisible (self, (double)width * self->multiplier);
}

static const char *
add_mobilenet_convolution (DynoGraph *graph,
                           const Mobilenet *self,
                           const char *name,
                           const char *value,
                           const DynoConvolution *geometry,
                           gboolean is_active)
{
  DynoConvolution convolution = *geometry;

  convolution.pads_like_tensorflow = self->pads_like_tensorflow;
  return add_convolution_layer (graph, name, &convolution, self->epsilon, is_active ? self->activation : NULL,
                                value);
}

static const char *
add_pointwise (DynoGraph *graph,
               const Mobilenet *self,
               const char *name,
               const char *value,
               gint64 width,
               gboolean is_active)
{
  return add_mobilenet_convolution (graph, self, name, value,
                                    &(DynoConvolution){ width, 1, 1, 1, 1, 1, FALSE }, is_active);
}

static const char *
add_depthwise (DynoGraph *graph, const Mobilenet *self, const char *value, gint64 stride, gint64 dilation)
{
  gint64 width = dyno_graph_get_shape (graph, value)->dims[1];

  return add_mobilenet_convolution (graph, self, "conv_3x3", value,
                                    &(DynoConvolution){ width, 3, stride, dilation, width, 1, FALSE }, TRUE);
}

/* Once the image is as small as the output stride allows, strides become dilations. */
static const char *
add_mobilenet_layers (DynoGraph *graph, const Mobilenet *self, const char *value)
{
  gint64 reached = 2;
  gint64 dilation = 1;

  for (guint i = 0; i < G_N_ELEMENTS (mobilenet_strides); i++)
    {
      gboolean is_reached = reached == self->output_stride;
      gint64 stride = is_reached ? 1 : mobilenet_strides[i];

      dyno_graph_push_scope (graph, "mobilenet_v2.layer.%u", i);

      gint64 width = scale_width (self, mobilenet_widths[i + 1]);
      gint64 in_width = dyno_graph_get_shape (graph, value)->dims[1];
      const char *inner = add_pointwise (graph, self, "expand_1x1", value,
                                         make_divisible (self, (double)(in_width * self->expansion)), TRUE);

      inner = add_depthwise (graph, self, inner, stride, is_reached ? dilation : 1);
      inner = add_pointwise (graph, self, "reduce_1x1", inner, width, FALSE);
      value =
          stride == 1 && in_width == width ? dyno_graph_add (graph, "Add", NULL, inner, value, NULL) : inner;
      dyno_graph_pop_scope (graph);
      reached *= stride;
      dilation *= is_reached ? mobilenet_strides[i] : 1;
    }
  return value;
}

static void
build_mobilenet (DynoGraph *graph, DynoConfig *config)
{
  double multiplier = dyno_config_get_double_or (config, "depth_multiplier", 1);
  Mobilenet self = {
    .n_channels = dyno_config_get_int_or (config, "num_channels", 3),
    .n_labels = dyno_head_count_labels (config),
    .divisor = dyno_config_get_int_or (config, "depth_divisible_by", 8),
    .min_width = dyno_config_get_int_or (config, "min_depth", 8),
    .expansion = dyno_config_get_int_or (config, "expand_ratio", 6),
    .output_stride = dyno_config_get_int_or (config, "output_stride", 32),
    .multiplier = multiplier,
    .epsilon = dyno_config_get_double_or (config, "layer_norm_eps", 0.001),
    .stem_expands_first = dyno_config_get_boolean_or (config, "first_layer_is_expansion", TRUE),
    .keeps_head_width = dyno_config_get_boolean_or (config, "finegrained_output", TRUE) && multiplier < 1,
    .pads_like_tensorflow = dyno_config_get_boolean_or (config, "tf_padding", TRUE),
    .activation = dyno_config_get_string_or (config, "hidden_act", "relu6"),
  };

  dyno_config_get_sides (config, 224, self.sides);

  if (!(self.multiplier >= 0.01 && self.multiplier <= 100))
    dyno_config_fail (config, _ ("its “depth_multiplier” must lie between 0.01 and 100"));
  dyno_config_check_activation (config, "hidden_act", self.activation);

  if (dyno_config_check (config, NULL))
    {
      gint64 stem = scale_width (&self, MOBILENET_STEM_WIDTH);
      gint64 head = self.keeps_head_width ? MOBILENET_HEAD_WIDTH : scale_width (&self, MOBILENET_HEAD_WIDTH);
      const char *value = dyno_convolution_add_pictures (graph, self.n_channels, self.sides);

      dyno_graph_push_scope (graph, "mobilenet_v2.conv_stem");
      value = add_mobilenet_convolution (graph, &self, "first_conv", value,
                                         &(DynoConvolution){ stem, 3, 2, 1, 1, 1, FALSE }, TRUE);
      if (!self.stem_expands_first)
        value = add_pointwise (graph, &self, "expand_1x1", value, stem, TRUE);
      value = add_depthwise (graph, &self, value, 1, 1);
      value =
          add_pointwise (graph, &self, "reduce_1x1", value, scale_width (&self, mobilenet_widths[0]), FALSE);
      dyno_graph_pop_scope (graph);
      value = add_mobilenet_layers (graph, &self, value);
      value = add_pointwise (graph, &self, "mobilenet_v2.conv_1x1", value, head, TRUE);
      dyno_head_add_classes (graph, "classifier", dyno_convolution_pool (graph, "mobilenet_v2", value),
                             self.n_labels);
    }
}

const DynoFamily dyno_vision_family = { "vision", N_ ("Vision model"), N_ ("Vision Models") };

static const DynoNaming mobilenet_naming = { "mobilenet_v2" };
static const DynoNaming resnet_naming = { "resnet" };

const DynoArchitecture dyno_convolution_architectures[] = {
  { "mobilenet_v2", &dyno_vision_family, "image-classification", build_mobilenet, &mobilenet_naming },
  { "resnet", &dyno_vision_family, "image-classification", build_resnet, &resnet_naming },
  { NULL },
};
