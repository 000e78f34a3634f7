/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>

#include "dyno-architecture.h"
#include "dyno-config-checks.h"
#include "dyno-decoder.h"
#include "dyno-fusion.h"
#include "dyno-layers.h"
#include "dyno-model-families-private.h"

/* LLaVA 1.5, Liu et al. 2023: two linear layers project the output of one of the last layers of a CLIP to the width of
 * a language model, where it replaces placeholder tokens in a text. */

typedef struct
{
  DynoClipVision vision;
  DynoDecoder decoder;
  gint64 n_layers_run; /* of the vision tower; the layers after the selected one are not needed */
  gint64 picture_token;
  gint64 n_tokens; /* of a picture */
  gboolean drops_class;
  gboolean has_bias;
  const char *activation;
} Llava;

static void
add_unused_layers (DynoGraph *graph, const char *value, gconstpointer data)
{
  const Llava *self = data;
  DynoTower rest = self->vision.tower;

  rest.first_layer = self->n_layers_run;
  value = dyno_tower_add (&rest, graph, value, NULL);
  dyno_layers_layer_norm (graph, "vision_model.post_layernorm", value, rest.epsilon);
}

static void
add_vision (const Llava *self, DynoGraph *graph)
{
  const gint64 sizes[] = { 1, self->n_tokens };
  DynoTower run = self->vision.tower;
  const char *pixels = dyno_tower_add_pixels (graph, self->vision.n_channels, self->vision.image_side,
                                              self->vision.image_side);
  const char *parts[2];
  const char *value;

  run.n_layers = self->n_layers_run;
  dyno_graph_push_scope (graph, "vision_tower");
  value = dyno_clip_vision_add_patches (&self->vision, graph, pixels);
  value = dyno_tower_add (&run, graph, value, NULL);
  dyno_graph_add_unused (graph, value, add_unused_layers, self);
  if (self->drops_class)
    {
      dyno_graph_add_split (graph, value, 1, 2, sizes, parts);
      value = parts[1];
    }
  dyno_graph_pop_scope (graph);
  dyno_fusion_give (graph, DYNO_FUSION_STATES, value);
}

static void
add_projector (const Llava *self, DynoGraph *graph)
{
  gint64 width = self->decoder.width;
  const char *value = dyno_fusion_take (graph, DYNO_FUSION_STATES, self->n_tokens, self->vision.tower.width);

  dyno_graph_push_scope (graph, "multi_modal_projector");
  value = dyno_layers_linear (graph, "linear_1", value, width, self->has_bias);
  value = dyno_layers_activation (graph, self->activation, value);
  value = dyno_layers_linear (graph, "linear_2", value, width, self->has_bias);
  dyno_graph_pop_scope (graph);
  dyno_fusion_give (graph, DYNO_FUSION_FEATURES, value);
}

static void
llava_clear (Llava *self)
{
  dyno_decoder_clear (&self->decoder);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Llava, llava_clear)

static gboolean
read_llava (Llava *self, DynoConfig *config)
{
  DynoConfig *vision = dyno_config_get_child (config, "vision_config");
  DynoConfig *text = dyno_config_get_child (config, "text_config");

  const char *model_type = dyno_config_get_string_or (vision, "model_type", "clip_vision_model");
  gboolean is_siglip = g_str_equal (model_type, "siglip_vision_model");

  if (!is_siglip && !g_str_equal (model_type, "clip_vision_model"))
    dyno_config_fail (
        vision, _ ("its “model_type” is “%s”, but must be “clip_vision_model” or “siglip_vision_model”"),
        model_type);
  else if (is_siglip && dyno_config_get_boolean_or (vision, "vision_use_head", TRUE))
    dyno_config_fail (vision, _ ("a head that pools its pictures (“vision_use_head”) is not supported"));
  self->vision = dyno_clip_vision_read (vision, is_siglip);
  self->picture_token = dyno_config_get_int_or (config, "image_token_index", 32000);
  self->has_bias = dyno_config_get_boolean_or (config, "multimodal_projector_bias", TRUE);
  self->activation = dyno_config_get_string_or (config, "projector_hidden_act", "gelu");
  dyno_clip_vision_check (&self->vision, vision);
  dyno_decoder_set_usual (text);
  dyno_decoder_read (&self->decoder, text);

  /* Counted from the embeddings, which are 0, or backwards from the last layer, which is −1. */
  gint64 n_layers = self->vision.tower.n_layers;
  gint64 layer = dyno_config_get_place_or (config, "vision_feature_layer", -2);
  const char *strategy = dyno_config_get_string_or (config, "vision_feature_select_strategy", "default");
  self->n_layers_run = layer < 0 ? n_layers + 1 + layer : layer;
  if (self->n_layers_run < 0 || self->n_layers_run > n_layers)
    dyno_config_fail (config,
                      _ ("its “vision_feature_layer” is %" PRId64 ", but it has %" PRId64 " layers that see"),
                      layer, n_layers);
  self->drops_class = g_str_equal (strategy, "default");
  if (!self->drops_class && !g_str_equal (strategy, "full"))
    dyno_config_fail (config,
                      _ ("its “vision_feature_select_strategy” is “%s”, but must be “default” or “full”"),
                      strategy);
  self->n_tokens = dyno_clip_vision_count_tokens (&self->vision) - self->drops_class;
  if (self->n_tokens < 1)
    dyno_config_fail (config, _ ("nothing is left of its pictures once the class token is dropped"));
  dyno_config_check_activation (config, "projector_hidden_act", self->activation);
  dyno_fusion_check (config, "image_token_index", self->picture_token, &self->decoder);
  return dyno_config_check (config, NULL);
}

DYNO_FUSION_DEFINE_STAGES (Llava, read_llava)

const DynoFamily dyno_multimodal_family = { "multimodal", N_ ("Multimodal model"), N_ ("Multimodal Models") };

/* Newer files omit the name of the tower's only part. */
static const DynoNamePair pairs[] = { { "vision_tower.vision_model.", "vision_tower." }, { NULL } };
static const DynoNaming naming = { NULL, pairs };

const DynoArchitecture dyno_llava_architectures[] = {
  { "llava", &dyno_multimodal_family, "image-text-to-text", NULL, &naming, stages, .modalities = modalities,
    .takes_images = TRUE },
  { NULL },
};
