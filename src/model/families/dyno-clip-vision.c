/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-layers.h"
#include "dyno-model-families-private.h"

static const DynoTowerNames vision_names = DYNO_CLIP_TOWER_NAMES ("vision_model");

DynoTower
dyno_clip_read_tower (DynoConfig *config, const DynoTowerNames *names, gint64 width, gboolean is_siglip)
{
  const char *activation = is_siglip ? "gelu_pytorch_tanh" : "quick_gelu";

  return (DynoTower){
    .names = names,
    .width = dyno_config_get_int_or (config, "hidden_size", width),
    .n_layers = dyno_config_get_int_or (config, "num_hidden_layers", 12),
    .n_heads = dyno_config_get_int_or (config, "num_attention_heads", width / 64),
    .inner_width = dyno_config_get_int_or (config, "intermediate_size", 4 * width),
    .has_input_bias = TRUE,
    .epsilon = dyno_config_get_double_or (config, "layer_norm_eps", is_siglip ? 1e-6 : 1e-5),
    .activation = dyno_config_get_string_or (config, "hidden_act", activation),
  };
}

DynoClipVision
dyno_clip_vision_read (DynoConfig *config, gboolean is_siglip)
{
  return (DynoClipVision){
    .tower = dyno_clip_read_tower (config, &vision_names, 768, is_siglip),
    .image_side = dyno_config_get_int_or (config, "image_size", 224),
    .patch_side = dyno_config_get_int_or (config, "patch_size", is_siglip ? 16 : 32),
    .n_channels = dyno_config_get_int_or (config, "num_channels", 3),
    .has_class = !is_siglip,
  };
}

void
dyno_clip_vision_check (const DynoClipVision *self, DynoConfig *config)
{
  dyno_tower_check (&self->tower, config);
  dyno_config_check_patches (config, "patch_size", self->image_side, self->patch_side);
}

gint64
dyno_clip_vision_count_tokens (const DynoClipVision *self)
{
  gint64 per_side = self->image_side / self->patch_side;

  return per_side * per_side + self->has_class;
}

const char *
dyno_clip_vision_add (const DynoClipVision *self, DynoGraph *graph)
{
  const char *pixels = dyno_tower_add_pixels (graph, self->n_channels, self->image_side, self->image_side);
  const char *value = dyno_clip_vision_add_patches (self, graph, pixels);

  value = dyno_tower_add (&self->tower, graph, value, NULL);
  return dyno_layers_layer_norm (graph, "vision_model.post_layernorm", value, self->tower.epsilon);
}

const char *
dyno_clip_vision_add_patches (const DynoClipVision *self, DynoGraph *graph, const char *pixels)
{
  gint64 width = self->tower.width;
  const gint64 dims[] = { dyno_clip_vision_count_tokens (self), width };
  const char *token = NULL;
  const char *value;

  dyno_graph_push_scope (graph, "vision_model.embeddings");
  if (self->has_class)
    {
      token = dyno_graph_add_weight (graph, "class_embedding", 0, 0.02, 1, &width);
      token = dyno_tower_spread_token (graph, token, pixels, width);
    }
  value =
      dyno_tower_cut_patches (graph, "patch_embedding", pixels, width, self->patch_side, !self->has_class);
  if (token != NULL)
    value = dyno_graph_add (graph, "Concat", "axis=1", token, value, NULL);
  value = dyno_graph_add (graph, "Add", NULL, value,
                          dyno_graph_add_weight (graph, "position_embedding.weight", 0, 0.02, 2, dims), NULL);
  dyno_graph_pop_scope (graph);
  if (self->has_class)
    value = dyno_layers_layer_norm (graph, "vision_model.pre_layrnorm", value, self->tower.epsilon);
  return value;
}
