/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>

#include "dyno-architecture.h"
#include "dyno-layers.h"
#include "dyno-model-families-private.h"
#include "dyno-model-graph-private.h"

/* Depth Anything, Yang et al. 2024: the states of four layers of a DINOv2 become pictures of different
 * sizes, which are fused from the smallest to the largest, and show the distance of each pixel. */

#define N_STATES 4

typedef struct
{
  gint64 layers[N_STATES];
  gint64 widths[N_STATES];
  double factors[N_STATES]; /* of the sides of the pictures */
  gint64 patch_side;
  gint64 width;
  gint64 fused_width;
  gint64 head_width;
  double max_depth;
  gboolean is_metric;
} Depth;

static const char *
convolve (DynoGraph *graph, const char *name, const char *value, gint64 channels, gint64 kernel)
{
  const DynoConvolution convolution = { channels, kernel, 1, 1, 1, .has_bias = TRUE };

  return dyno_convolution_add (&convolution, graph, name, value);
}

/* The tokens of all patches as a picture. */
static const char *
reassemble (DynoGraph *graph, const Depth *self, guint i, const char *value, gint64 side)
{
  const gint64 sizes[] = { 1, side * side }, picture[] = { 0, self->width, side, side };
  const DynoConvolution shrink = {
    self->widths[i], 3, self->factors[i] < 1 ? (gint64)(1 / self->factors[i]) : 1, 1, 1, .has_bias = TRUE
  };
  const char *parts[2], *weight, *bias;

  dyno_graph_push_scope (graph, "neck.reassemble_stage.layers.%u", i);
  dyno_graph_add_split (graph, value, 1, 2, sizes, parts);
  value = dyno_graph_add (graph, "Transpose", "perm=[0,2,1]", parts[1], NULL);
  value = dyno_layers_reshape (graph, value, 4, picture);
  value = convolve (graph, "projection", value, self->widths[i], 1);
  if (self->factors[i] > 1)
    {
      /* Each place becomes a square. */
      gint64 channels = self->widths[i];
      gint64 factor = (gint64)self->factors[i];
      const gint64 dims[] = { channels, channels, factor, factor };
      g_autofree char *attributes =
          g_strdup_printf ("kernel_shape=[%" PRId64 ",%" PRId64 "] strides=[%" PRId64 ",%" PRId64 "]", factor,
                           factor, factor, factor);

      dyno_graph_push_scope (graph, "resize");
      weight = dyno_graph_add_weight (graph, "weight", 0, 1 / sqrt ((double)channels), 4, dims);
      bias = dyno_graph_add_weight (graph, "bias", 0, 0.02, 1, &channels);
      value = dyno_graph_add (graph, "ConvTranspose", attributes, value, weight, bias, NULL);
      dyno_graph_pop_scope (graph);
    }
  else if (self->factors[i] < 1)
    value = dyno_convolution_add (&shrink, graph, "resize", value);
  dyno_graph_pop_scope (graph);
  return value;
}

static const char *
resize (DynoGraph *graph, const char *value, const gint64 *sides)
{
  return dyno_convolution_resize (graph, value, "mode=linear coordinate_transformation_mode=align_corners",
                                  sides);
}

static const char *
add_residual_layer (DynoGraph *graph, const char *name, const char *value)
{
  gint64 channels = dyno_graph_get_shape (graph, value)->dims[1];
  const char *inner;

  dyno_graph_push_scope (graph, "%s", name);
  inner = convolve (graph, "convolution1", dyno_layers_activation (graph, "relu", value), channels, 3);
  inner = convolve (graph, "convolution2", dyno_layers_activation (graph, "relu", inner), channels, 3);
  value = dyno_graph_add (graph, "Add", NULL, inner, value, NULL);
  dyno_graph_pop_scope (graph);
  return value;
}

/* The first fusion has nothing to add, but files have the layer. */
static void
add_first_residual (DynoGraph *graph, const char *value, gconstpointer data)
{
  add_residual_layer (graph, "residual_layer1", value);
}

static void
add_head (DynoGraph *graph, const Depth *self, const char *value, gint64 side)
{
  const gint64 sides[] = { side * self->patch_side, side * self->patch_side }, channel = 1;
  g_autofree char *dimensions = g_strdup_printf ("batch, %" PRId64 ", %" PRId64, sides[0], sides[1]);

  dyno_graph_push_scope (graph, "head");
  value = convolve (graph, "conv1", value, self->fused_width / 2, 3);
  value = convolve (graph, "conv2", resize (graph, value, sides), self->head_width, 3);
  value = convolve (graph, "conv3", dyno_layers_activation (graph, "relu", value), 1, 1);
  value = dyno_graph_add (graph, self->is_metric ? "Sigmoid" : "Relu", NULL, value, NULL);
  if (self->max_depth != 1)
    value =
        dyno_graph_add (graph, "Mul", NULL, value, dyno_graph_add_real (graph, (float)self->max_depth), NULL);
  value = dyno_graph_add (graph, "Squeeze", NULL, value, dyno_graph_add_ints (graph, 1, &channel), NULL);
  dyno_graph_pop_scope (graph);
  dyno_graph_add_output (graph, "predicted_depth", value, dimensions);
}

static void
add_depth (DynoGraph *graph, DynoConfig *backbone, const Depth *self)
{
  const char *states[N_STATES];
  gint64 side;

  dyno_graph_push_scope (graph, "backbone");
  side = dyno_vit_add_backbone (graph, backbone, N_STATES, self->layers, states);
  dyno_graph_pop_scope (graph);
  if (side == 0)
    return;
  for (guint i = 0; i < N_STATES; i++)
    {
      const DynoConvolution unify = { self->fused_width, 3, 1, 1, 1 };

      states[i] = reassemble (graph, self, i, states[i], side);
      dyno_graph_push_scope (graph, "neck.convs");
      states[i] = dyno_convolution_add (&unify, graph, (const char *[]){ "0", "1", "2", "3" }[i], states[i]);
      dyno_graph_pop_scope (graph);
    }

  /* Begins with the smallest picture; each result has the size of the next one, the last twice its own. */
  const char *value = NULL;

  for (guint i = 0; i < N_STATES; i++)
    {
      const char *picture = states[N_STATES - 1 - i];
      const DynoShape *shape = dyno_graph_get_shape (graph, states[i + 1 < N_STATES ? N_STATES - 2 - i : 0]);
      gint64 times = i + 1 < N_STATES ? 1 : 2;
      const gint64 sides[] = { times * shape->dims[2], times * shape->dims[3] };

      dyno_graph_push_scope (graph, "neck.fusion_stage.layers.%u", i);
      if (value != NULL)
        value = dyno_graph_add (graph, "Add", NULL, value,
                                add_residual_layer (graph, "residual_layer1", picture), NULL);
      else
        dyno_graph_add_unused (graph, value = picture, add_first_residual, NULL);
      value = resize (graph, add_residual_layer (graph, "residual_layer2", value), sides);
      value = convolve (graph, "projection", value, self->fused_width, 1);
      dyno_graph_pop_scope (graph);
    }
  add_head (graph, self, value, side);
}

static void
read_pictures (Depth *self, DynoConfig *config)
{
  g_autoptr (GArray) widths = dyno_config_get_ints (config, "neck_hidden_sizes");
  JsonArray *factors = dyno_config_get_array (config, "reassemble_factors");

  if (widths->len != N_STATES || factors == NULL || json_array_get_length (factors) != N_STATES)
    {
      dyno_config_fail (config, _ ("its “neck_hidden_sizes” and “reassemble_factors” are not %d each"),
                        N_STATES);
      return;
    }
  for (guint i = 0; i < N_STATES; i++)
    {
      JsonNode *factor = json_array_get_element (factors, i);

      self->widths[i] = g_array_index (widths, gint64, i);
      self->factors[i] = JSON_NODE_HOLDS_VALUE (factor) ? json_node_get_double (factor) : 0;
      if (!(self->factors[i] >= 1.0 / 16 && self->factors[i] <= 16) ||
          (self->factors[i] > 1 && self->factors[i] != floor (self->factors[i])))
        dyno_config_fail (config, _ ("its “%s” hold a number that is not supported"), "reassemble_factors");
    }
}

/* Options of the published code that no published model has. */
static const DynoConfigFixed fixed[] = { { "head_in_index", "-1" } };
static const DynoConfigFixed fixed_backbone[] = { { "model_type", "\"dinov2\"" },
                                                  { "reshape_hidden_states", "false" } };

static void
build_depth (DynoGraph *graph, DynoConfig *config)
{
  DynoConfig *backbone = dyno_config_get_child (config, "backbone_config");
  const char *type = dyno_config_get_string_or (config, "depth_estimation_type", "relative");
  Depth self = {
    .patch_side = dyno_config_get_int_or (config, "patch_size", 14),
    .width = dyno_config_get_int_or (config, "reassemble_hidden_size", 384),
    .fused_width = dyno_config_get_int_or (config, "fusion_hidden_size", 64),
    .head_width = dyno_config_get_int_or (config, "head_hidden_size", 32),
    .max_depth = dyno_config_get_double_or (config, "max_depth", 1),
    .is_metric = g_str_equal (type, "metric"),
  };

  dyno_config_check_fixed (config, fixed, G_N_ELEMENTS (fixed));
  dyno_config_check_fixed (backbone, fixed_backbone, G_N_ELEMENTS (fixed_backbone));

  /* The layers are those of “out_indices”, 0 for the embeddings. */
  g_autoptr (GArray) indices = dyno_config_get_ints (backbone, "out_indices");
  gint64 n_layers = dyno_config_get_int_or (backbone, "num_hidden_layers", 12);

  for (guint i = 0; i < N_STATES && i < indices->len; i++)
    self.layers[i] = g_array_index (indices, gint64, i);
  for (guint i = 1; i < N_STATES; i++)
    if (indices->len != N_STATES || self.layers[i] <= self.layers[i - 1] ||
        self.layers[N_STATES - 1] != n_layers)
      dyno_config_fail (backbone, _ ("its “out_indices” are not %d rising numbers of layers up to the last"),
                        N_STATES);

  read_pictures (&self, config);
  if (!self.is_metric && !g_str_equal (type, "relative"))
    dyno_config_fail (config, _ ("Dyno does not know “%s” of its “%s”"), type, "depth_estimation_type");
  if (dyno_config_get_int_or (backbone, "hidden_size", 768) != self.width ||
      dyno_config_get_int_or (backbone, "patch_size", 14) != self.patch_side || self.fused_width < 2)
    dyno_config_fail (config, _ ("its “reassemble_hidden_size”, “patch_size” or “fusion_hidden_size” do not "
                                 "fit its “backbone_config”"));
  if (dyno_config_check (config, NULL))
    add_depth (graph, backbone, &self);
}

const DynoArchitecture dyno_depth_architectures[] = {
  { "depth_anything", &dyno_vision_family, "depth-estimation", build_depth },
  { NULL },
};
