/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-architecture.h"
#include "dyno-config-checks.h"
#include "dyno-head.h"
#include "dyno-layers.h"
#include "dyno-model-graph-private.h"

/* EfficientNet, Tan and Le 2019, in Hugging Face's variant: one list of stages that is scaled for all sizes. */

#define STEM_WIDTH 32
#define HEAD_WIDTH 1280

typedef struct
{
  GArray *in_widths;
  GArray *out_widths;
  GArray *kernels;
  GArray *strides;
  GArray *repeats;
  GArray *expansions;
  GArray *centred; /* blocks with symmetric padding */
  gint64 n_channels;
  gint64 sides[2]; /* usual height and width of a picture */
  gint64 n_labels;
  gint64 divisor;
  double width_factor;
  double depth_factor;
  double squeeze;
  double epsilon;
  const char *activation;
} Efficientnet;

typedef struct
{
  gint64 in_width;
  gint64 width;
  gint64 kernel;
  gint64 stride;
  gint64 expansion;
  gboolean is_centred;
  gboolean has_residual;
} Block;

static gint64
scale_width (const Efficientnet *self, gint64 width)
{
  return dyno_convolution_round_width ((double)width * self->width_factor, self->divisor, self->divisor);
}

static const char *
add_normalized (DynoGraph *graph,
                const Efficientnet *self,
                const char *names[2],
                const DynoConvolution *convolution,
                gboolean is_active,
                const char *value)
{
  value = dyno_convolution_add (convolution, graph, names[0], value);
  value = dyno_convolution_normalize (graph, names[1], value, convolution->gain, self->epsilon);
  return is_active ? dyno_layers_activation (graph, self->activation, value) : value;
}

static const char *
add_block (DynoGraph *graph, const Efficientnet *self, const Block *block, const char *value)
{
  gint64 inner_width = block->in_width * block->expansion;
  const DynoConvolution expand = { inner_width, 1, 1, 1, 1, 1 };
  const DynoConvolution depthwise = {
    inner_width,
    block->kernel,
    block->stride,
    1,
    inner_width,
    1,
    .moves = block->stride == 2 && !block->is_centred ? 1 : 0,
  };
  const DynoConvolution project = { block->width, 1, 1, 1, 1, 1 };
  const char *share, *inner = value;

  if (block->expansion != 1)
    inner = add_normalized (graph, self, (const char *[]){ "expansion.expand_conv", "expansion.expand_bn" },
                            &expand, TRUE, inner);
  inner = add_normalized (
      graph, self, (const char *[]){ "depthwise_conv.depthwise_conv", "depthwise_conv.depthwise_norm" },
      &depthwise, TRUE, inner);

  /* Squeeze and excitation: a weight for each channel, computed from the means of all channels. */
  gint64 n_channels = dyno_graph_get_shape (graph, inner)->dims[1];
  gint64 n_squeezed = MAX ((gint64)((double)block->in_width * self->squeeze), 1);
  const DynoConvolution reduce = { n_squeezed, 1, 1, 1, 1, .has_bias = TRUE };
  const DynoConvolution excite = { n_channels, 1, 1, 1, 1, .has_bias = TRUE };
  dyno_graph_push_scope (graph, "squeeze_excite");
  share = dyno_graph_add (graph, "GlobalAveragePool", NULL, inner, NULL);
  share = dyno_convolution_add (&reduce, graph, "reduce", share);
  share = dyno_layers_activation (graph, self->activation, share);
  share = dyno_convolution_add (&excite, graph, "expand", share);
  share = dyno_graph_add (graph, "Sigmoid", NULL, share, NULL);
  inner = dyno_graph_add (graph, "Mul", NULL, inner, share, NULL);
  dyno_graph_pop_scope (graph);
  inner = add_normalized (graph, self, (const char *[]){ "projection.project_conv", "projection.project_bn" },
                          &project, FALSE, inner);
  return block->has_residual ? dyno_graph_add (graph, "Add", NULL, inner, value, NULL) : inner;
}

static gint64
count_repeats (const Efficientnet *self, guint stage)
{
  return (gint64)ceil (self->depth_factor * (double)dyno_config_get_item (self->repeats, stage));
}

/* The stem pads only on the right and at the bottom. */
static void
add_efficientnet (DynoGraph *graph, const Efficientnet *self)
{
  const DynoConvolution stem = { scale_width (self, STEM_WIDTH), 3, 2, 1, 1, 1, .moves = 1 };
  const DynoConvolution top = { scale_width (self, HEAD_WIDTH), 1, 1, 1, 1, 1 };
  const char *value = dyno_convolution_add_pictures (graph, self->n_channels, self->sides);
  guint n_blocks = 0;

  dyno_graph_push_scope (graph, "efficientnet.embeddings");
  value = add_normalized (graph, self, (const char *[]){ "convolution", "batchnorm" }, &stem, TRUE, value);
  dyno_graph_pop_scope (graph);
  for (guint stage = 0; stage < self->in_widths->len; stage++)
    {
      gint64 width = scale_width (self, dyno_config_get_item (self->out_widths, stage));

      for (gint64 i = 0; i < count_repeats (self, stage); i++)
        {
          const Block block = {
            .in_width = i == 0 ? scale_width (self, dyno_config_get_item (self->in_widths, stage)) : width,
            .width = width,
            .kernel = dyno_config_get_item (self->kernels, stage),
            .stride = i == 0 ? dyno_config_get_item (self->strides, stage) : 1,
            .expansion = dyno_config_get_item (self->expansions, stage),
            .is_centred = dyno_config_has_item (self->centred, n_blocks),
            .has_residual = i > 0,
          };

          dyno_graph_push_scope (graph, "efficientnet.encoder.blocks.%u", n_blocks);
          value = add_block (graph, self, &block, value);
          dyno_graph_pop_scope (graph);
          n_blocks++;
        }
    }
  dyno_graph_push_scope (graph, "efficientnet.encoder");
  value = add_normalized (graph, self, (const char *[]){ "top_conv", "top_bn" }, &top, TRUE, value);
  dyno_graph_pop_scope (graph);
  dyno_head_add_classes (graph, "classifier", dyno_convolution_pool (graph, "efficientnet", value),
                         self->n_labels);
}

static void
check_efficientnet (const Efficientnet *self, DynoConfig *config)
{
  GArray *const lists[] = { self->out_widths, self->kernels, self->strides, self->repeats, self->expansions };
  gint64 n_blocks = 0;

  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    if (self->in_widths->len == 0 || lists[i]->len != self->in_widths->len)
      {
        dyno_config_fail (config, _ ("its lists of stages (“in_channels” and others) are not equally long"));
        return;
      }
  if (!(self->width_factor >= 0.01 && self->width_factor <= 100))
    dyno_config_fail (config, _ ("its “width_coefficient” must lie between 0.01 and 100"));
  if (!(self->depth_factor >= 0.01 && self->depth_factor <= 100))
    dyno_config_fail (config, _ ("its “depth_coefficient” must lie between 0.01 and 100"));
  if (!(self->squeeze > 0 && self->squeeze <= 1))
    dyno_config_fail (config, _ ("its “squeeze_expansion_ratio” must lie between 0 and 1"));
  for (guint i = 0; i < self->in_widths->len; i++)
    {
      n_blocks += count_repeats (self, i);
      if (dyno_config_get_item (self->kernels, i) % 2 == 0)
        dyno_config_fail (config, _ ("its “kernel_sizes” must be odd"));
      if (i > 0 &&
          dyno_config_get_item (self->in_widths, i) != dyno_config_get_item (self->out_widths, i - 1))
        dyno_config_fail (config, _ ("its “in_channels” are not the “out_channels” of the stage before"));
    }
  dyno_config_check_layers (config, "num_block_repeats", n_blocks);
  dyno_config_check_activation (config, "hidden_act", self->activation);
}

static void
build_efficientnet (DynoGraph *graph, DynoConfig *config)
{
  g_autoptr (GArray) in_widths = dyno_config_get_ints (config, "in_channels");
  g_autoptr (GArray) out_widths = dyno_config_get_ints (config, "out_channels");
  g_autoptr (GArray) kernels = dyno_config_get_ints (config, "kernel_sizes");
  g_autoptr (GArray) strides = dyno_config_get_ints (config, "strides");
  g_autoptr (GArray) repeats = dyno_config_get_ints (config, "num_block_repeats");
  g_autoptr (GArray) expansions = dyno_config_get_ints (config, "expand_ratios");
  g_autoptr (GArray) centred = dyno_config_get_ints_or_none (config, "depthwise_padding");
  Efficientnet self = {
    .in_widths = in_widths,
    .out_widths = out_widths,
    .kernels = kernels,
    .strides = strides,
    .repeats = repeats,
    .expansions = expansions,
    .centred = centred,
    .n_channels = dyno_config_get_int_or (config, "num_channels", 3),
    .n_labels = dyno_head_count_labels (config),
    .divisor = dyno_config_get_int_or (config, "depth_divisor", 8),
    .width_factor = dyno_config_get_double_or (config, "width_coefficient", 2),
    .depth_factor = dyno_config_get_double_or (config, "depth_coefficient", 3.1),
    .squeeze = dyno_config_get_double_or (config, "squeeze_expansion_ratio", 0.25),
    .epsilon = dyno_config_get_double_or (config, "batch_norm_eps", 0.001),
    .activation = dyno_config_get_string_or (config, "hidden_act", "swish"),
  };

  dyno_config_get_sides (config, 600, self.sides);
  if (dyno_config_check (config, NULL))
    check_efficientnet (&self, config);
  if (dyno_config_check (config, NULL))
    add_efficientnet (graph, &self);
}

static const DynoNaming naming = { "efficientnet" };

const DynoArchitecture dyno_efficientnet_architectures[] = {
  { "efficientnet", &dyno_vision_family, "image-classification", build_efficientnet, &naming },
  { NULL },
};
