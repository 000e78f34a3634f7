/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>

#include "dyno-architecture.h"
#include "dyno-head.h"
#include "dyno-layers.h"
#include "dyno-tower.h"

/* BEiT, Bao et al. 2021: a ViT whose scores depend on the distance of patches. */

/* More patches than any picture has, and few enough for their distances to take little memory. */
#define MAX_SIDE 64

typedef struct
{
  DynoTower tower;
  gint64 image_side;
  gint64 patch_side;
  gint64 n_channels;
  gint64 n_labels;
  gboolean has_mask_token;
  gboolean has_positions;
  gboolean has_bias;
  gboolean has_shared_bias;
  gboolean has_mean;
} Beit;

static const DynoTowerNames plain_names = DYNO_TOWER_VIT_NAMES ("beit");

static const DynoTowerNames scaled_names = {
  .layer = "beit.encoder.layer",
  .attention_norm = "layernorm_before",
  .attention = "attention.attention",
  .query = "query",
  .key = "key",
  .value = "value",
  .output = "attention.output.dense",
  .inner_norm = "layernorm_after",
  .up_dense = "intermediate.dense",
  .down_dense = "output.dense",
  .scales = { "lambda_1", "lambda_2" },
};

static void
add_beit (DynoGraph *graph, const Beit *self)
{
  const char *pixels = dyno_tower_add_pixels (graph, self->n_channels, self->image_side, self->image_side);
  DynoTower tower = self->tower;
  const gint64 sizes[] = { 1, tower.side * tower.side }, second = 1;
  const gint64 one[] = { 1, 1, tower.width }, dims[] = { 1, sizes[1] + 1, tower.width };
  const char *value, *token, *parts[2], *rows = NULL, *mask = NULL;

  /* A class token comes first. The token that masks patches in training counts as a weight, but is not used. */
  dyno_graph_push_scope (graph, "beit.embeddings");
  value = dyno_tower_cut_patches (graph, "patch_embeddings.projection", pixels, tower.width, self->patch_side,
                                  TRUE);
  token = dyno_tower_add_tokens (graph, "cls_token", pixels, 1, tower.width);
  value = dyno_graph_add (graph, "Concat", "axis=1", token, value, NULL);
  if (self->has_mask_token)
    dyno_graph_add_weight (graph, "mask_token", 0, 0.02, 3, one);
  if (self->has_positions)
    value = dyno_graph_add (graph, "Add", NULL, value,
                            dyno_graph_add_weight (graph, "position_embeddings", 0, 0.02, 3, dims), NULL);
  dyno_graph_pop_scope (graph);

  /* Either one bias for all layers, or one for each. */
  dyno_graph_push_scope (graph, "beit.encoder.relative_position_bias");
  if (self->has_bias || self->has_shared_bias)
    rows = dyno_tower_add_distances (graph, tower.side);
  dyno_graph_pop_scope (graph);
  if (self->has_shared_bias)
    mask =
        dyno_tower_add_bias (graph, "beit.encoder.relative_position_bias", rows, tower.side, tower.n_heads);
  if (self->has_bias)
    tower.distances = rows;

  value = dyno_tower_add (&tower, graph, value, mask);
  if (!self->has_mean)
    value = dyno_layers_layer_norm (graph, "beit.layernorm", value, self->tower.epsilon);

  /* The mean of all patches, or the class token: [batch, width] */
  dyno_graph_push_scope (graph, "beit.pooler");
  dyno_graph_add_split (graph, value, 1, 2, sizes, parts);
  value =
      self->has_mean ? dyno_graph_add (graph, "ReduceMean", "axes=[1] keepdims=1", parts[1], NULL) : parts[0];
  value = dyno_graph_add (graph, "Squeeze", NULL, value, dyno_graph_add_ints (graph, 1, &second), NULL);
  if (self->has_mean)
    value = dyno_layers_layer_norm (graph, "layernorm", value, self->tower.epsilon);
  dyno_graph_pop_scope (graph);
  dyno_head_add_classes (graph, "classifier", value, self->n_labels);
}

static void
build_beit (DynoGraph *graph, DynoConfig *config)
{
  gboolean has_scales = dyno_config_get_double_or (config, "layer_scale_init_value", 0.1) > 0;
  Beit self = {
    .tower = { .names = has_scales ? &scaled_names : &plain_names,
               .width = dyno_config_get_int (config, "hidden_size"),
               .n_layers = dyno_config_get_int (config, "num_hidden_layers"),
               .n_heads = dyno_config_get_int (config, "num_attention_heads"),
               .inner_width = dyno_config_get_int (config, "intermediate_size"),
               .has_input_bias = TRUE,
               .has_no_key_bias = TRUE,
               .epsilon = dyno_config_get_double_or (config, "layer_norm_eps", 1e-12),
               .activation = dyno_config_get_string_or (config, "hidden_act", "gelu") },
    .image_side = dyno_config_get_int_or (config, "image_size", 224),
    .patch_side = dyno_config_get_int_or (config, "patch_size", 16),
    .n_channels = dyno_config_get_int_or (config, "num_channels", 3),
    .n_labels = dyno_head_count_labels (config),
    .has_mask_token = dyno_config_get_boolean_or (config, "use_mask_token", FALSE),
    .has_positions = dyno_config_get_boolean_or (config, "use_absolute_position_embeddings", FALSE),
    .has_bias = dyno_config_get_boolean_or (config, "use_relative_position_bias", FALSE),
    .has_shared_bias = dyno_config_get_boolean_or (config, "use_shared_relative_position_bias", FALSE),
    .has_mean = dyno_config_get_boolean_or (config, "use_mean_pooling", TRUE),
  };

  self.tower.side = self.image_side / self.patch_side;

  dyno_tower_check (&self.tower, config);
  dyno_config_check_patches (config, "patch_size", self.image_side, self.patch_side);
  if ((self.has_bias || self.has_shared_bias) && self.tower.side > MAX_SIDE)
    dyno_config_fail (config, _ ("%" PRId64 " patches per side (“%s”) are too few or too many"),
                      self.tower.side, "image_size");
  if (self.has_bias && self.has_shared_bias)
    dyno_config_fail (config, _ ("a bias for all layers and one for each (“use_relative_position_bias”, "
                                 "“use_shared_relative_position_bias”) are not supported together"));
  if (g_str_equal (dyno_config_get_class (config), "BeitForMaskedImageModeling"))
    dyno_config_fail (config, _ ("Dyno does not know “%s” of its “%s”"), "BeitForMaskedImageModeling",
                      "architectures");

  if (dyno_config_check (config, NULL))
    add_beit (graph, &self);
}

static const DynoNaming naming = { "beit" };

const DynoArchitecture dyno_beit_architectures[] = {
  { "beit", &dyno_vision_family, "image-classification", build_beit, &naming },
  { NULL },
};
