/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>

#include "dyno-architecture.h"
#include "dyno-config-checks.h"
#include "dyno-head.h"
#include "dyno-layers.h"
#include "dyno-model-graph-private.h"
#include "dyno-tower.h"

/* MobileViT and its second version, Mehta and Rastegari 2021 and 2022: inverted residuals, and in the last three stages
 * attention between places that are equally far from the corner of their patch. */

#define N_STAGES  5
#define N_PLAIN   2 /* stages without attention */
#define N_SEEING  (N_STAGES - N_PLAIN)
#define REDUCTION 32 /* of the sides of a picture, from its pixels to the last stage */
#define EPSILON   1e-5
#define MAX_SIDE  4096

typedef struct
{
  gint64 stem_width;
  gint64 widths[N_STAGES];
  gint64 depths[N_STAGES];
  gint64 inner_widths[N_SEEING];
  gint64 top_width; /* of a convolution after the last stage, 0 without one */
  gint64 sides[2];
  gint64 patch_side;
  gint64 kernel;
  gint64 n_channels;
  gint64 n_heads;
  gint64 n_labels;
  gboolean is_second;
  gboolean has_input_bias;
  double expansion;
  double inner_share;
  double epsilon;
  const char *scope;
  const char *activation;
} Mobilevit;

static const DynoTowerNames names = DYNO_TOWER_VIT_LAYERS ("transformer.layer");

/* Adds a convolution and a norm. @geometry: channels, kernel, stride and groups */
static const char *
convolve (DynoGraph *graph,
          const Mobilevit *self,
          const char *name,
          const char *value,
          const gint64 geometry[4],
          gboolean is_active)
{
  const DynoConvolution convolution = { geometry[0], geometry[1], geometry[2], 1, geometry[3], 1 };

  dyno_graph_push_scope (graph, "%s", name);
  value = dyno_convolution_add (&convolution, graph, "convolution", value);
  value = dyno_convolution_normalize (graph, "normalization", value, 1, EPSILON);
  if (is_active)
    value = dyno_layers_activation (graph, self->activation, value);
  dyno_graph_pop_scope (graph);
  return value;
}

/* Has no norm, and is for single places. */
static const char *
project (DynoGraph *graph, const char *name, const char *value, gint64 width, gboolean has_bias)
{
  const DynoConvolution convolution = { width, 1, 1, 1, 1, .has_bias = has_bias };

  dyno_graph_push_scope (graph, "%s", name);
  value = dyno_convolution_add (&convolution, graph, "convolution", value);
  dyno_graph_pop_scope (graph);
  return value;
}

static const char *
add_inverted_residual (
    DynoGraph *graph, const Mobilevit *self, const char *value, gint64 width, gint64 stride)
{
  gint64 in_width = dyno_graph_get_shape (graph, value)->dims[1];
  gint64 inner = dyno_convolution_round_width (rint ((double)in_width * self->expansion), 8, 8);
  const char *result = convolve (graph, self, "expand_1x1", value, (gint64[]){ inner, 1, 1, 1 }, TRUE);

  result = convolve (graph, self, "conv_3x3", result, (gint64[]){ inner, 3, stride, inner }, TRUE);
  result = convolve (graph, self, "reduce_1x1", result, (gint64[]){ width, 1, 1, 1 }, FALSE);
  return stride == 1 && in_width == width ? dyno_graph_add (graph, "Add", NULL, result, value, NULL) : result;
}

/* Cuts a picture into rows of patches, their rows, columns of patches and their columns, and puts them in @order. */
static const char *
cut (
    DynoGraph *graph, const Mobilevit *self, const char *value, const char *order, guint rank, gint64 *target)
{
  const DynoShape *shape = dyno_graph_get_shape (graph, value);
  gint64 patch = self->patch_side, rows = shape->dims[2] / patch, columns = shape->dims[3] / patch;
  const gint64 apart[] = { -1, shape->dims[1], rows, patch, columns, patch };

  value = dyno_layers_reshape (graph, value, 6, apart);
  value = dyno_graph_add (graph, "Transpose", order, value, NULL);
  return dyno_layers_reshape (graph, value, rank, target);
}

/* The positions at the same place of all patches form a sequence: [batch × places of a patch, patches,
 * width]. */
static const char *
attend (DynoGraph *graph, const Mobilevit *self, guint which, gint64 depth, const char *value)
{
  const DynoShape *shape = dyno_graph_get_shape (graph, value);
  gint64 width = self->inner_widths[which], patch = self->patch_side;
  gint64 rows = shape->dims[2] / patch, columns = shape->dims[3] / patch;
  const gint64 apart[] = { -1, patch, patch, rows, columns, width };
  const gint64 whole[] = { -1, width, shape->dims[2], shape->dims[3] };
  gint64 tokens[] = { -1, rows * columns, width };
  const DynoTower tower = {
    .names = &names,
    .width = width,
    .n_layers = depth,
    .n_heads = self->n_heads,
    .inner_width = (gint64)((double)width * self->inner_share),
    .has_input_bias = self->has_input_bias,
    .epsilon = self->epsilon,
    .activation = self->activation,
  };

  value = cut (graph, self, value, "perm=[0,3,5,2,4,1]", 3, tokens);
  value = dyno_tower_add (&tower, graph, value, NULL);
  value = dyno_layers_layer_norm (graph, "layernorm", value, self->epsilon);
  value = dyno_layers_reshape (graph, value, 6, apart);
  value = dyno_graph_add (graph, "Transpose", "perm=[0,5,3,1,4,2]", value, NULL);
  return dyno_layers_reshape (graph, value, 4, whole);
}

/* [batch, width, places of a patch, patches] */
static const char *
attend_second (DynoGraph *graph, const Mobilevit *self, guint which, gint64 depth, const char *value)
{
  const DynoShape *shape = dyno_graph_get_shape (graph, value);
  gint64 width = self->inner_widths[which], patch = self->patch_side;
  gint64 rows = shape->dims[2] / patch, columns = shape->dims[3] / patch;
  const gint64 apart[] = { -1, width, patch, patch, rows, columns };
  const gint64 whole[] = { -1, width, shape->dims[2], shape->dims[3] };
  gint64 places[] = { -1, width, patch * patch, rows * columns };
  const gint64 sizes[] = { 1, width, width }, last = -1;
  const char *parts[3];

  value = cut (graph, self, value, "perm=[0,1,3,5,2,4]", 4, places);
  for (gint64 i = 0; i < depth; i++)
    {
      dyno_graph_push_scope (graph, "transformer.layer.%" PRId64, i);

      gint64 inner_width = (gint64)(self->inner_share * (double)width) / 16 * 16;
      const char *inner =
          dyno_convolution_normalize_groups (graph, "layernorm_before", value, 1, self->epsilon);

      /* The weight of each place's key is one number; all keys together become one vector. */
      dyno_graph_push_scope (graph, "attention");
      dyno_graph_add_split (graph, project (graph, "qkv_proj", inner, 1 + 2 * width, TRUE), 1, 3, sizes,
                            parts);
      parts[0] = dyno_graph_add (graph, "Softmax", "axis=-1", parts[0], NULL);
      parts[1] = dyno_graph_add (graph, "Mul", NULL, parts[1], parts[0], NULL);
      parts[1] = dyno_graph_add (graph, "ReduceSum", "keepdims=1", parts[1],
                                 dyno_graph_add_ints (graph, 1, &last), NULL);
      inner = dyno_graph_add (graph, "Mul", NULL, dyno_graph_add (graph, "Relu", NULL, parts[2], NULL),
                              parts[1], NULL);
      inner = project (graph, "out_proj", inner, width, TRUE);
      dyno_graph_pop_scope (graph);
      value = dyno_graph_add (graph, "Add", NULL, inner, value, NULL);
      inner = dyno_convolution_normalize_groups (graph, "layernorm_after", value, 1, self->epsilon);
      inner = project (graph, "ffn.conv1", inner, inner_width, TRUE);
      inner = dyno_layers_activation (graph, self->activation, inner);
      inner = project (graph, "ffn.conv2", inner, width, TRUE);
      value = dyno_graph_add (graph, "Add", NULL, inner, value, NULL);
      dyno_graph_pop_scope (graph);
    }
  value = dyno_convolution_normalize_groups (graph, "layernorm", value, 1, self->epsilon);
  value = dyno_layers_reshape (graph, value, 6, apart);
  value = dyno_graph_add (graph, "Transpose", "perm=[0,1,4,2,5,3]", value, NULL);
  return dyno_layers_reshape (graph, value, 4, whole);
}

static const char *
add_seeing_stage (DynoGraph *graph, const Mobilevit *self, guint stage, const char *value)
{
  gint64 width = self->widths[stage];
  guint which = stage - N_PLAIN;
  const char *residual;

  dyno_graph_push_scope (graph, "downsampling_layer");
  value = residual = add_inverted_residual (graph, self, value, width, 2);
  dyno_graph_pop_scope (graph);
  value = convolve (graph, self, "conv_kxk", value,
                    (gint64[]){ width, self->kernel, 1, self->is_second ? width : 1 }, TRUE);
  value = project (graph, "conv_1x1", value, self->inner_widths[which], FALSE);
  value = (self->is_second ? attend_second : attend) (graph, self, which, self->depths[stage], value);
  value = convolve (graph, self, "conv_projection", value, (gint64[]){ width, 1, 1, 1 }, !self->is_second);
  if (self->is_second)
    return value;
  value = dyno_graph_add (graph, "Concat", "axis=1", residual, value, NULL);
  return convolve (graph, self, "fusion", value, (gint64[]){ width, self->kernel, 1, 1 }, TRUE);
}

static const char *
add_plain_stage (DynoGraph *graph, const Mobilevit *self, guint stage, const char *value)
{
  for (gint64 i = 0; i < self->depths[stage]; i++)
    {
      dyno_graph_push_scope (graph, "layer.%" PRId64, i);
      value = add_inverted_residual (graph, self, value, self->widths[stage], stage > 0 && i == 0 ? 2 : 1);
      dyno_graph_pop_scope (graph);
    }
  return value;
}

/* The published classifiers shrink a picture by this factor; other models shrink it less. */
static const DynoConfigFixed fixed[] = { { "output_stride", "32" } };

static Mobilevit
read_common (DynoConfig *config)
{
  Mobilevit self = {
    .patch_side = dyno_config_get_int_or (config, "patch_size", 2),
    .kernel = dyno_config_get_int_or (config, "conv_kernel_size", 3),
    .n_channels = dyno_config_get_int_or (config, "num_channels", 3),
    .n_labels = dyno_head_count_labels (config),
    .depths = { 1, 3, 2, 4, 3 },
    .epsilon = dyno_config_get_double_or (config, "layer_norm_eps", 1e-5),
  };

  dyno_config_get_sides (config, 256, self.sides);
  dyno_config_check_fixed (config, fixed, G_N_ELEMENTS (fixed));
  return self;
}

static void
copy_list (DynoConfig *config, const char *name, guint n, gint64 *values)
{
  g_autoptr (GArray) list = dyno_config_get_ints (config, name);

  if (list->len != n)
    dyno_config_fail (config, _ ("its “%s” are %u, but must be %d"), name, list->len, (int)n);
  for (guint i = 0; i < n; i++)
    values[i] = i < list->len ? g_array_index (list, gint64, i) : 1;
}

static void
finish (DynoGraph *graph, DynoConfig *config, const Mobilevit *self)
{
  gint64 n_layers = 0;
  gint64 step = REDUCTION * self->patch_side;

  if (!dyno_config_check (config, NULL))
    return;
  for (guint i = 0; i < 2; i++)
    if (self->sides[i] % step != 0 || self->sides[i] > MAX_SIDE)
      dyno_config_fail (config, _ ("its “image_size” is not a multiple of %" PRId64 " up to %d"), step,
                        MAX_SIDE);
  if (self->kernel % 2 == 0)
    dyno_config_fail (config, _ ("its “%s” must be odd"), "conv_kernel_size");
  dyno_config_check_share (config, "expand_ratio", self->expansion, self->stem_width);
  for (guint i = 0; i < N_SEEING; i++)
    dyno_config_check_share (config, self->is_second ? "ffn_multiplier" : "mlp_ratio", self->inner_share,
                             self->inner_widths[i]);
  dyno_config_check_activation (config, "hidden_act", self->activation);
  for (guint i = 0; i < N_STAGES; i++)
    n_layers += MIN (self->depths[i], DYNO_CONFIG_MAX_LAYERS + 1);
  dyno_config_check_layers (config, "n_attn_blocks", n_layers);
  for (guint i = 0; i < N_SEEING && !self->is_second; i++)
    dyno_config_check_heads (config, &(DynoConfigFields){ .width = "hidden_sizes" }, self->inner_widths[i],
                             self->n_heads);
  if (dyno_config_check (config, NULL))
    {
      const char *value = dyno_tower_add_pixels (graph, self->n_channels, self->sides[0], self->sides[1]);

      dyno_graph_push_scope (graph, "%s", self->scope);
      value = convolve (graph, self, "conv_stem", value, (gint64[]){ self->stem_width, 3, 2, 1 }, TRUE);
      for (guint stage = 0; stage < N_STAGES; stage++)
        {
          dyno_graph_push_scope (graph, "encoder.layer.%u", stage);
          value = (stage < N_PLAIN ? add_plain_stage : add_seeing_stage) (graph, self, stage, value);
          dyno_graph_pop_scope (graph);
        }
      if (self->top_width > 0)
        value = convolve (graph, self, "conv_1x1_exp", value, (gint64[]){ self->top_width, 1, 1, 1 }, TRUE);
      dyno_graph_pop_scope (graph);
      dyno_head_add_classes (graph, "classifier", dyno_convolution_pool (graph, self->scope, value),
                             self->n_labels);
    }
}

static void
build_first (DynoGraph *graph, DynoConfig *config)
{
  Mobilevit self;
  gint64 widths[N_STAGES + 2];

  dyno_config_set_defaults (config, "{\"hidden_sizes\": [144, 192, 240], "
                                    "\"neck_hidden_sizes\": [16, 32, 64, 96, 128, 160, 640]}");
  self = read_common (config);
  self.scope = "mobilevit";
  copy_list (config, "hidden_sizes", N_SEEING, self.inner_widths);
  copy_list (config, "neck_hidden_sizes", N_STAGES + 2, widths);
  self.stem_width = widths[0];
  self.top_width = widths[N_STAGES + 1];
  for (guint i = 0; i < N_STAGES; i++)
    self.widths[i] = widths[i + 1];
  self.n_heads = dyno_config_get_int_or (config, "num_attention_heads", 4);
  self.has_input_bias = dyno_config_get_boolean_or (config, "qkv_bias", TRUE);
  self.expansion = dyno_config_get_double_or (config, "expand_ratio", 4);
  self.inner_share = dyno_config_get_double_or (config, "mlp_ratio", 2);
  self.activation = dyno_config_get_string_or (config, "hidden_act", "silu");
  finish (graph, config, &self);
}

static void
build_second (DynoGraph *graph, DynoConfig *config)
{
  static const gint64 widths[N_STAGES] = { 64, 128, 256, 384, 512 };
  gint64 bases[N_SEEING];
  double factor = dyno_config_get_double_or (config, "width_multiplier", 1);
  Mobilevit self;

  dyno_config_set_defaults (config,
                            "{\"n_attn_blocks\": [2, 4, 3], \"base_attn_unit_dims\": [128, 192, 256]}");
  if (!(factor >= 0.1 && factor <= 100))
    {
      dyno_config_fail (config, _ ("its “%s” must lie between 0.1 and 100"), "width_multiplier");
      return;
    }
  self = read_common (config);
  self.is_second = TRUE;
  self.scope = "mobilevitv2";
  copy_list (config, "n_attn_blocks", N_SEEING, self.depths + N_PLAIN);
  copy_list (config, "base_attn_unit_dims", N_SEEING, bases);
  self.depths[1] = 2;
  self.stem_width = dyno_convolution_round_width (CLAMP (32 * factor, 16, 64), 8, 16);
  for (guint i = 0; i < N_STAGES; i++)
    self.widths[i] =
        dyno_convolution_round_width ((double)widths[i] * factor, i == 0 ? 16 : 8, i == 0 ? 16 : 8);
  for (guint i = 0; i < N_SEEING; i++)
    self.inner_widths[i] = dyno_convolution_round_width ((double)bases[i] * factor, 8, 8);
  self.expansion = dyno_config_get_double_or (config, "expand_ratio", 2);
  self.inner_share = dyno_config_get_double_or (config, "ffn_multiplier", 2);
  self.activation = dyno_config_get_string_or (config, "hidden_act", "swish");
  for (guint i = 0; i < N_SEEING; i++)
    if (self.inner_share * (double)self.inner_widths[i] < 16)
      dyno_config_fail (config, _ ("its “%s” are too small"), "base_attn_unit_dims");
  finish (graph, config, &self);
}

static const DynoNaming naming = { "mobilevit" };
static const DynoNaming second_naming = { "mobilevitv2" };

const DynoArchitecture dyno_mobilevit_architectures[] = {
  { "mobilevit", &dyno_vision_family, "image-classification", build_first, &naming },
  { "mobilevitv2", &dyno_vision_family, "image-classification", build_second, &second_naming },
  { NULL },
};
