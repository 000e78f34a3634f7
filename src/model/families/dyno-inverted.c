/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "dyno-head.h"
#include "dyno-layers.h"
#include "dyno-model-families-private.h"
#include "dyno-model-graph-private.h"

/* Networks of inverted residuals (Sandler et al. 2018): MobileNetV2, MobileNetV3 (Howard et al. 2019), EfficientNet (Tan
 * and Le 2019) and EfficientNetV2 (2021). */

#define LIKE_TENSORFLOW "tf_" /* prefix of the names of models with weights from TensorFlow */
#define TENSORFLOW_EPS  1e-3
#define USUAL_EPS       1e-5

typedef enum
{
  DEPTHWISE, /* without a wide layer */
  INVERTED,
  FUSED, /* one convolution in place of a wide layer and a depthwise one */
  PLAIN,
} Kind;

/* Equal blocks, all but the first without a stride. */
typedef struct
{
  gboolean begins_stage;
  Kind kind;
  gint64 repeats; /* 0 ends a list */
  gint64 kernel;
  gint64 stride;
  double expansion;
  gint64 width;
  gboolean is_squeezed;
  gboolean is_rectified; /* the activation is ReLU even in a network with another one */
} Group;

static const Group efficientnet[] = {
  { TRUE, DEPTHWISE, 1, 3, 1, 1, 16, TRUE }, { TRUE, INVERTED, 2, 3, 2, 6, 24, TRUE },
  { TRUE, INVERTED, 2, 5, 2, 6, 40, TRUE },  { TRUE, INVERTED, 3, 3, 2, 6, 80, TRUE },
  { TRUE, INVERTED, 3, 5, 1, 6, 112, TRUE }, { TRUE, INVERTED, 4, 5, 2, 6, 192, TRUE },
  { TRUE, INVERTED, 1, 3, 1, 6, 320, TRUE }, { 0 },
};

static const Group efficientnetv2_s[] = {
  { TRUE, PLAIN, 2, 3, 1, 1, 24 },
  { TRUE, FUSED, 4, 3, 2, 4, 48 },
  { TRUE, FUSED, 4, 3, 2, 4, 64 },
  { TRUE, INVERTED, 6, 3, 2, 4, 128, TRUE },
  { TRUE, INVERTED, 9, 3, 1, 6, 160, TRUE },
  { TRUE, INVERTED, 15, 3, 2, 6, 256, TRUE },
  { 0 },
};

static const Group mobilenetv2[] = {
  { TRUE, DEPTHWISE, 1, 3, 1, 1, 16 }, { TRUE, INVERTED, 2, 3, 2, 6, 24 },
  { TRUE, INVERTED, 3, 3, 2, 6, 32 },  { TRUE, INVERTED, 4, 3, 2, 6, 64 },
  { TRUE, INVERTED, 3, 3, 1, 6, 96 },  { TRUE, INVERTED, 3, 3, 2, 6, 160 },
  { TRUE, INVERTED, 1, 3, 1, 6, 320 }, { 0 },
};

static const Group mobilenetv3_large[] = {
  { TRUE, DEPTHWISE, 1, 3, 1, 1, 16, FALSE, TRUE },
  { TRUE, INVERTED, 1, 3, 2, 4, 24, FALSE, TRUE },
  { FALSE, INVERTED, 1, 3, 1, 3, 24, FALSE, TRUE },
  { TRUE, INVERTED, 3, 5, 2, 3, 40, TRUE, TRUE },
  { TRUE, INVERTED, 1, 3, 2, 6, 80 },
  { FALSE, INVERTED, 1, 3, 1, 2.5, 80 },
  { FALSE, INVERTED, 2, 3, 1, 2.3, 80 },
  { TRUE, INVERTED, 2, 3, 1, 6, 112, TRUE },
  { TRUE, INVERTED, 3, 5, 2, 6, 160, TRUE },
  { TRUE, PLAIN, 1, 1, 1, 1, 960 },
  { 0 },
};

static const Group mobilenetv3_small[] = {
  { TRUE, DEPTHWISE, 1, 3, 2, 1, 16, TRUE, TRUE },
  { TRUE, INVERTED, 1, 3, 2, 4.5, 24, FALSE, TRUE },
  { FALSE, INVERTED, 1, 3, 1, 3.67, 24, FALSE, TRUE },
  { TRUE, INVERTED, 1, 5, 2, 4, 40, TRUE },
  { FALSE, INVERTED, 2, 5, 1, 6, 40, TRUE },
  { TRUE, INVERTED, 2, 5, 1, 3, 48, TRUE },
  { TRUE, INVERTED, 3, 5, 2, 6, 96, TRUE },
  { TRUE, PLAIN, 1, 1, 1, 1, 576 },
  { 0 },
};

typedef struct
{
  const char *name;
  const Group *groups;
  gint64 stem_width;
  gint64 top_width;
  double width_factor;
  double depth_factor;
  gint64 side; /* of a picture, if the config has none */
  const char *activation;
  gboolean
      is_third; /* MobileNetV3: a squeeze counts from the wide layer, and the last layer comes after the mean */
} Network;

#define EFFICIENTNET(name, width, depth, side)                                                               \
  {                                                                                                          \
    name, efficientnet, 32, 1280, width, depth, side, "silu"                                                 \
  }

static const Network networks[] = {
  EFFICIENTNET ("efficientnet_b0", 1, 1, 224),
  EFFICIENTNET ("efficientnet_b1", 1, 1.1, 240),
  EFFICIENTNET ("efficientnet_b2", 1.1, 1.2, 260),
  EFFICIENTNET ("efficientnet_b3", 1.2, 1.4, 300),
  EFFICIENTNET ("efficientnet_b4", 1.4, 1.8, 380),
  EFFICIENTNET ("efficientnet_b5", 1.6, 2.2, 456),
  EFFICIENTNET ("efficientnet_b6", 1.8, 2.6, 528),
  EFFICIENTNET ("efficientnet_b7", 2, 3.1, 600),
  { "efficientnetv2_s", efficientnetv2_s, 24, 1280, 1, 1, 300, "silu" },
  { "mobilenetv2_100", mobilenetv2, 32, 1280, 1, 1, 224, "relu6" },
  { "mobilenetv3_large_100", mobilenetv3_large, 16, 1280, 1, 1, 224, "hardswish", TRUE },
  { "mobilenetv3_small_100", mobilenetv3_small, 16, 1024, 1, 1, 224, "hardswish", TRUE },
};

typedef struct
{
  const Network *network;
  DynoGraph *graph;
  gboolean pads_like_tensorflow;
  double epsilon;
} Builder;

static const Network *
find (const char *name)
{
  gsize skip = g_str_has_prefix (name, LIKE_TENSORFLOW) ? sizeof LIKE_TENSORFLOW - 1 : 0;

  for (guint i = 0; i < G_N_ELEMENTS (networks); i++)
    if (g_str_equal (networks[i].name, name + skip))
      return &networks[i];
  return NULL;
}

gint64
dyno_inverted_get_side (const char *name)
{
  const Network *network = find (name);

  return network != NULL ? network->side : 0;
}

/* @names: of the convolution and its norm; @geometry: channels, kernel, stride and groups; @activation:
 * NULL for none */
static const char *
convolve (const Builder *self,
          const char *const names[2],
          const char *value,
          const gint64 geometry[4],
          const char *activation)
{
  const DynoConvolution convolution = { geometry[0],
                                        geometry[1],
                                        geometry[2],
                                        1,
                                        geometry[3],
                                        1,
                                        .pads_like_tensorflow = self->pads_like_tensorflow };

  value = dyno_convolution_add (&convolution, self->graph, names[0], value);
  value = dyno_convolution_normalize (self->graph, names[1], value, 1, self->epsilon);
  return activation != NULL ? dyno_layers_activation (self->graph, activation, value) : value;
}

/* The layers of a block before its last one, which all have an activation. */
static const char *
widen (const Builder *self, const Group *group, const char *value, gint64 stride, const char *activation)
{
  gint64 in_width = dyno_graph_get_shape (self->graph, value)->dims[1];
  gint64 wide = dyno_convolution_round_width ((double)in_width * group->expansion, 8, 8);

  switch (group->kind)
    {
    case DEPTHWISE:
      return convolve (self, (const char *[]){ "conv_dw", "bn1" }, value,
                       (gint64[]){ in_width, group->kernel, stride, in_width }, activation);
    case INVERTED:
      value = convolve (self, (const char *[]){ "conv_pw", "bn1" }, value, (gint64[]){ wide, 1, 1, 1 },
                        activation);
      return convolve (self, (const char *[]){ "conv_dw", "bn2" }, value,
                       (gint64[]){ wide, group->kernel, stride, wide }, activation);
    case FUSED:
      return convolve (self, (const char *[]){ "conv_exp", "bn1" }, value,
                       (gint64[]){ wide, group->kernel, stride, 1 }, activation);
    case PLAIN:
    default:
      return value;
    }
}

static const char *
add_block (const Builder *self, const Group *group, const char *value, gint64 stride)
{
  static const char *const last[][2] = { [DEPTHWISE] = { "conv_pw", "bn2" },
                                         [INVERTED] = { "conv_pwl", "bn3" },
                                         [FUSED] = { "conv_pwl", "bn2" },
                                         [PLAIN] = { "conv", "bn1" } };
  gint64 in_width = dyno_graph_get_shape (self->graph, value)->dims[1];
  gint64 width = dyno_convolution_round_width ((double)group->width * self->network->width_factor, 8, 8);
  gboolean is_plain = group->kind == PLAIN;
  const char *activation = group->is_rectified ? "relu" : self->network->activation;
  const char *inner = widen (self, group, value, stride, activation);

  if (group->is_squeezed)
    {
      /* A share for each channel, from the means of all of them. */
      gboolean is_third = self->network->is_third;
      gint64 wide = dyno_graph_get_shape (self->graph, inner)->dims[1];
      gint64 few = is_third ? dyno_convolution_round_width ((double)wide / 4, 8, 8)
                            : (gint64)rint ((double)in_width / 4);
      const DynoConvolution reduce = { few, 1, 1, 1, 1, .has_bias = TRUE };
      const DynoConvolution expand = { wide, 1, 1, 1, 1, .has_bias = TRUE };
      const char *share;

      dyno_graph_push_scope (self->graph, "se");
      share = dyno_graph_add (self->graph, "GlobalAveragePool", NULL, inner, NULL);
      share = dyno_convolution_add (&reduce, self->graph, "conv_reduce", share);
      share = dyno_layers_activation (self->graph, is_third ? "relu" : self->network->activation, share);
      share = dyno_convolution_add (&expand, self->graph, "conv_expand", share);
      share = is_third
                  ? dyno_graph_add (self->graph, "HardSigmoid", "alpha=1.6666667e-01 beta=0.5", share, NULL)
                  : dyno_graph_add (self->graph, "Sigmoid", NULL, share, NULL);
      inner = dyno_graph_add (self->graph, "Mul", NULL, inner, share, NULL);
      dyno_graph_pop_scope (self->graph);
    }
  inner = convolve (self, last[group->kind], inner,
                    (gint64[]){ width, is_plain ? group->kernel : 1, is_plain ? stride : 1, 1 },
                    is_plain ? activation : NULL);
  if (stride != 1 || width != in_width)
    return inner;
  return dyno_graph_add (self->graph, "Add", NULL, inner, value, NULL);
}

void
dyno_inverted_build (DynoGraph *graph, DynoConfig *config, const char *name, const gint64 *sides)
{
  gboolean is_like_tensorflow = g_str_has_prefix (name, LIKE_TENSORFLOW);
  const Builder self = { find (name), graph, is_like_tensorflow,
                         is_like_tensorflow ? TENSORFLOW_EPS : USUAL_EPS };
  gint64 stem =
      dyno_convolution_round_width ((double)self.network->stem_width * self.network->width_factor, 8, 8);
  const char *value = dyno_convolution_add_pictures (graph, 3, sides);

  value = convolve (&self, (const char *[]){ "conv_stem", "bn1" }, value, (gint64[]){ stem, 3, 2, 1 },
                    self.network->activation);
  gint64 stage = -1, block = 0;

  for (const Group *group = self.network->groups; group->repeats > 0; group++)
    {
      gint64 repeats = (gint64)ceil (self.network->depth_factor * (double)group->repeats);

      if (group->begins_stage)
        {
          stage++;
          block = 0;
        }
      for (gint64 i = 0; i < repeats; i++, block++)
        {
          dyno_graph_push_scope (self.graph, "blocks.%" G_GINT64_FORMAT ".%" G_GINT64_FORMAT, stage, block);
          value = add_block (&self, group, value, i == 0 ? group->stride : 1);
          dyno_graph_pop_scope (self.graph);
        }
    }

  /* The mean of each channel, [batch, channels], after or before the last layer. */
  gint64 top =
      dyno_convolution_round_width ((double)self.network->top_width * self.network->width_factor, 8, 8);
  const DynoConvolution late = { self.network->top_width, 1, 1, 1, 1, .has_bias = TRUE };
  if (self.network->is_third)
    {
      value = dyno_graph_add (graph, "GlobalAveragePool", NULL, value, NULL);
      value = dyno_convolution_add (&late, graph, "conv_head", value);
      value = dyno_layers_activation (graph, self.network->activation, value);
      value = dyno_graph_add (graph, "Flatten", "axis=1", value, NULL);
    }
  else
    {
      value = convolve (&self, (const char *[]){ "conv_head", "bn2" }, value, (gint64[]){ top, 1, 1, 1 },
                        self.network->activation);
      value = dyno_convolution_pool (graph, "global_pool", value);
    }
  dyno_head_add_classes (graph, "classifier", value, dyno_head_count_labels (config));
}
