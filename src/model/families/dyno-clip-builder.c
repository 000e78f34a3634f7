/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-architecture.h"
#include "dyno-layers.h"
#include "dyno-model-families-private.h"
#include "dyno-model-graph-private.h"

/* CLIP, Radford et al. 2021: a text tower and an image tower with a common embedding space. SigLIP, Zhai et al. 2023,
 * classifies each pair separately: its text attention is bidirectional, and a learned query pools its images. */

/* Early configs have this wrong id of the last token; the token with the largest id is used instead. */
#define OLD_LAST_TOKEN 2

/* Initial values in the training of SigLIP: the logarithm of 10, and −10. */
#define PAIRWISE_SCALE 2.3026
#define PAIRWISE_BIAS  (-10)

typedef struct
{
  DynoTower text;
  DynoClipVision vision;
  gint64 vocabulary;
  gint64 n_positions;
  gint64 last_token;
  gint64 width; /* of the common embedding space */
  double scale;
  gboolean is_pairwise; /* as in SigLIP */
} Clip;

static const DynoTowerNames text_names = DYNO_CLIP_TOWER_NAMES ("text_model");

/* The output of the last token of the text: [batch, width]. */
static const char *
take_last (DynoGraph *graph, const Clip *self, const char *ids, const char *value)
{
  dyno_graph_push_scope (graph, "text_model.pooler");

  /* Index of the last token of each text, [batch, 1]. */
  if (self->last_token != OLD_LAST_TOKEN)
    ids = dyno_graph_add (graph, "Equal", NULL, ids, dyno_graph_add_int (graph, self->last_token), NULL);
  ids = dyno_layers_cast (graph, ids, DYNO_DATA_TYPE_INT32);
  value =
      dyno_layers_take_rows (graph, value, dyno_graph_add (graph, "ArgMax", "axis=1 keepdims=1", ids, NULL));
  dyno_graph_pop_scope (graph);
  return value;
}

/* Also adds the attention mask, if there is one. */
static const char *
add_tokens (DynoGraph *graph, const Clip *self, const char *ids, const char *padding, const char **mask)
{
  gint64 width = self->text.width;
  const gint64 last = 1;
  const char *places, *queries, *seen, *value;

  dyno_graph_push_scope (graph, "text_model.embeddings");
  places = dyno_relative_places (graph, ids, 1);
  value = dyno_layers_embedding (graph, "token_embedding", ids, self->vocabulary, width);
  value = dyno_graph_add (
      graph, "Add", NULL, value,
      dyno_layers_embedding (graph, "position_embedding", places, self->n_positions, width), NULL);
  dyno_graph_pop_scope (graph);

  *mask = NULL;
  if (!self->is_pairwise)
    {
      /* The mask is causal, and also hides padding: [batch, 1, sequence, sequence]. */
      *mask = padding != NULL ? dyno_layers_padding_mask (graph, padding) : dyno_graph_add_real (graph, 0);
      dyno_graph_push_scope (graph, "text_model.attention_mask");
      queries =
          dyno_graph_add (graph, "Unsqueeze", NULL, places, dyno_graph_add_ints (graph, 1, &last), NULL);
      seen = dyno_graph_add (graph, "LessOrEqual", NULL, places, queries, NULL);
      *mask = dyno_graph_add (graph, "Where", NULL, seen, *mask, dyno_layers_masked_score (graph), NULL);
      dyno_graph_pop_scope (graph);
    }
  return value;
}

/* One position per item: 0 is the first, −1 the last. */
static const char *
take_place (DynoGraph *graph, const char *scope, const char *value, gint64 place)
{
  dyno_graph_push_scope (graph, "%s", scope);
  value = dyno_graph_add (graph, "Gather", "axis=1", value, dyno_graph_add_int (graph, place), NULL);
  dyno_graph_pop_scope (graph);
  return value;
}

static const char *
add_last_norm (DynoGraph *graph, const Clip *self, const char *value)
{
  return dyno_layers_layer_norm (graph, "text_model.final_layer_norm", value, self->text.epsilon);
}

/* The outputs of all tokens. */
static const char *
add_states (DynoGraph *graph, const Clip *self, const char *ids, const char *padding)
{
  const char *value, *mask;

  dyno_graph_limit_sequence (graph, self->n_positions);
  value = add_tokens (graph, self, ids, padding, &mask);
  return add_last_norm (graph, self, dyno_tower_add (&self->text, graph, value, mask));
}

static const char *
add_text_input (DynoGraph *graph, const Clip *self, const char **ids)
{
  const char *padding = NULL;

  *ids = dyno_graph_add_input (graph, "input_ids", DYNO_DATA_TYPE_INT64, "batch, sequence");
  dyno_graph_limit_input (graph, "input_ids", self->vocabulary);
  if (!self->is_pairwise)
    padding = dyno_graph_add_input (graph, "attention_mask", DYNO_DATA_TYPE_INT64, "batch, sequence");
  return add_states (graph, self, *ids, padding);
}

/* Query, key and value of an attention with one joint weight: each input times its own third of it. */
static void
project (DynoGraph *graph, gint64 width, const char *const inputs[3], const char *outputs[3])
{
  const gint64 dims[] = { width, 3 * width };
  const gint64 sizes[] = { width, width, width };
  const char *weight = dyno_graph_add_weight (graph, "in_proj_weight", 0, 1 / sqrt ((double)width), 2, dims);
  const char *bias = dyno_graph_add_weight (graph, "in_proj_bias", 0, 0.02, 1, &dims[1]);
  const char *weights[3], *biases[3];

  dyno_graph_turn_weight (graph, weight);
  dyno_graph_add_split (graph, weight, 1, 3, sizes, weights);
  dyno_graph_add_split (graph, bias, 0, 3, sizes, biases);
  for (guint i = 0; i < 3; i++)
    {
      outputs[i] = dyno_graph_add (graph, "MatMul", NULL, inputs[i], weights[i], NULL);
      outputs[i] = dyno_graph_add (graph, "Add", NULL, outputs[i], biases[i], NULL);
    }
}

static char *
dup_dimensions (const Clip *self)
{
  return g_strdup_printf ("batch, %" G_GINT64_FORMAT, self->width);
}

static void
build_vision_stage (DynoGraph *graph, const Clip *self)
{
  g_autofree char *dimensions = dup_dimensions (self);
  const DynoTower *tower = &self->vision.tower;
  const char *pixels = dyno_tower_add_pixels (graph, self->vision.n_channels, self->vision.image_side,
                                              self->vision.image_side);
  const char *value = dyno_clip_vision_add_patches (&self->vision, graph, pixels);

  value = dyno_tower_add (tower, graph, value, NULL);
  if (!self->is_pairwise)
    value = take_place (graph, "vision_model.pooler", value, 0);
  value = dyno_layers_layer_norm (graph, "vision_model.post_layernorm", value, tower->epsilon);
  if (self->is_pairwise)
    {
      /* A learned query attends to all patches: [batch, width]. */
      const gint64 dims[] = { 1, 1, tower->width };
      const char *inputs[3] = { NULL, value, value };
      const char *inner, *parts[3];

      dyno_graph_push_scope (graph, "vision_model.head");
      inner = dyno_graph_add_weight (graph, "probe", 0, 1, 3, dims);
      inputs[0] = dyno_tower_spread_token (graph, inner, pixels, tower->width);
      dyno_graph_push_scope (graph, "attention");
      project (graph, tower->width, inputs, parts);
      for (guint i = 0; i < 3; i++)
        parts[i] = dyno_layers_split_heads (graph, parts[i], tower->n_heads);
      value =
          dyno_layers_attention (graph, parts[0], parts[1], parts[2], NULL, dyno_graph_get_real_type (graph));
      value = dyno_layers_linear (graph, "out_proj", value, tower->width, TRUE);
      dyno_graph_pop_scope (graph);
      inner = dyno_layers_layer_norm (graph, "layernorm", value, tower->epsilon);
      inner = dyno_layers_linear (graph, "mlp.fc1", inner, tower->inner_width, TRUE);
      inner = dyno_layers_activation (graph, tower->activation, inner);
      inner = dyno_layers_linear (graph, "mlp.fc2", inner, tower->width, TRUE);
      value = dyno_graph_add (graph, "Add", NULL, value, inner, NULL);
      dyno_graph_pop_scope (graph);
      value = take_place (graph, "vision_model.head", value, 0);
    }
  else
    value = dyno_layers_linear (graph, "visual_projection", value, self->width, FALSE);
  dyno_graph_add_output (graph, "image_features", value, dimensions);
}

static void
build_text_stage (DynoGraph *graph, const Clip *self)
{
  g_autofree char *dimensions = dup_dimensions (self);
  const char *ids;
  const char *value = add_text_input (graph, self, &ids);

  if (self->is_pairwise)
    {
      value = take_place (graph, "text_model.pooler", value, -1);
      value = dyno_layers_linear (graph, "text_model.head", value, self->width, TRUE);
    }
  else
    {
      value = take_last (graph, self, ids, value);
      value = dyno_layers_linear (graph, "text_projection", value, self->width, FALSE);
    }
  dyno_graph_add_output (graph, "text_features", value, dimensions);
}

static const char *
scale (DynoGraph *graph, const Clip *self, const char *logits)
{
  const gint64 one = 1;
  const char *factor =
      dyno_graph_add_weight (graph, "logit_scale", self->scale, 0.02, self->is_pairwise ? 1 : 0, &one);

  dyno_graph_push_scope (graph, "logits");
  factor = dyno_graph_add (graph, "Exp", NULL, factor, NULL);
  logits = dyno_graph_add (graph, "Mul", NULL, logits, factor, NULL);
  dyno_graph_pop_scope (graph);
  if (!self->is_pairwise)
    return logits;
  factor = dyno_graph_add_weight (graph, "logit_bias", PAIRWISE_BIAS, 0.02, 1, &one);
  dyno_graph_push_scope (graph, "logits");
  logits = dyno_graph_add (graph, "Add", NULL, logits, factor, NULL);
  dyno_graph_pop_scope (graph);
  return logits;
}

/* The similarity of each image to each text. */
static void
build_similarity_stage (DynoGraph *graph, const Clip *self)
{
  g_autofree char *dimensions = dup_dimensions (self);
  DynoDataType type = dyno_graph_get_real_type (graph);
  const char *text = dyno_graph_add_input (graph, "text_features", type, dimensions);
  const char *picture = dyno_graph_add_input (graph, "image_features", type, dimensions);
  const char *logits;

  dyno_graph_push_scope (graph, "similarity");
  text = dyno_layers_unit (graph, text);
  picture = dyno_layers_unit (graph, picture);
  logits = dyno_graph_add (graph, "Transpose", "perm=[1,0]", text, NULL);
  logits = dyno_graph_add (graph, "MatMul", NULL, picture, logits, NULL);
  dyno_graph_pop_scope (graph);
  dyno_graph_add_output (graph, "logits_per_image", scale (graph, self, logits), "batch, batch");
  dyno_graph_add_output (graph, "text_embeds", text, dimensions);
  dyno_graph_add_output (graph, "image_embeds", picture, dimensions);
}

static gboolean
check (const Clip *self, DynoConfig *text, DynoConfig *vision)
{
  dyno_tower_check (&self->text, text);
  dyno_clip_vision_check (&self->vision, vision);
  return dyno_config_check (text, NULL);
}

static Clip
read_text (DynoConfig *config)
{
  const Clip self = {
    .text = dyno_clip_read_tower (config, &text_names, 512, FALSE),
    .vocabulary = dyno_config_get_int_or (config, "vocab_size", 49408),
    .n_positions = dyno_config_get_int_or (config, "max_position_embeddings", 77),
    .last_token = dyno_config_get_int_or (config, "eos_token_id", 49407),
    /* Text encoders project into the common embedding space if the name of their class shows it. */
    .width = g_str_equal (dyno_config_get_class (config), "CLIPTextModelWithProjection")
                 ? dyno_config_get_int_or (config, "projection_dim", 512)
                 : 0,
  };

  dyno_tower_check (&self.text, config);
  return self;
}

/* The text tower alone, which conditions diffusion models. */
static void
build_text (DynoGraph *graph, DynoConfig *config)
{
  const Clip self = read_text (config);

  if (dyno_config_check (config, NULL))
    {
      g_autofree char *dimensions = g_strdup_printf ("batch, sequence, %" G_GINT64_FORMAT, self.text.width);
      g_autofree char *pooled =
          g_strdup_printf ("batch, %" G_GINT64_FORMAT, self.width > 0 ? self.width : self.text.width);
      const char *ids;
      const char *states = add_text_input (graph, &self, &ids);
      const char *value = take_last (graph, &self, ids, states);

      if (self.width > 0)
        value = dyno_layers_linear (graph, "text_projection", value, self.width, FALSE);
      dyno_graph_add_output (graph, "last_hidden_state", states, dimensions);
      dyno_graph_add_output (graph, self.width > 0 ? "text_embeds" : "pooler_output", value, pooled);
    }
}

gint64
dyno_clip_get_n_tokens (DynoConfig *config)
{
  return read_text (config).vocabulary;
}

gint64
dyno_clip_get_text_width (DynoConfig *config)
{
  return read_text (config).text.width;
}

gint64
dyno_clip_get_projected_width (DynoConfig *config)
{
  return read_text (config).width;
}

const char *
dyno_clip_add_text (DynoGraph *graph, DynoConfig *config, const char *ids)
{
  const Clip self = read_text (config);

  return dyno_config_check (config, NULL) ? add_states (graph, &self, ids, NULL) : NULL;
}

const char *
dyno_clip_add_text_pooled (DynoGraph *graph, DynoConfig *config, const char *ids)
{
  const Clip self = read_text (config);
  const char *states = dyno_clip_add_text (graph, config, ids);

  return states != NULL ? take_last (graph, &self, ids, states) : NULL;
}

static void
add_unused_layer (DynoGraph *graph, const char *value, gconstpointer data)
{
  const Clip *self = data;
  DynoTower rest = self->text;

  rest.first_layer = rest.n_layers - 1;
  add_last_norm (graph, self, dyno_tower_add (&rest, graph, value, NULL));
}

const char *
dyno_clip_add_text_inside (DynoGraph *graph, DynoConfig *config, const char *ids, const char **projected)
{
  const Clip self = read_text (config);
  DynoTower first = self.text;
  const char *states, *mask;

  *projected = NULL;
  if (!dyno_config_check (config, NULL))
    return NULL;
  first.n_layers--;
  dyno_graph_limit_sequence (graph, self.n_positions);
  states = add_tokens (graph, &self, ids, NULL, &mask);
  states = dyno_tower_add (&first, graph, states, mask);
  if (self.width > 0)
    {
      /* The last layer is used only for the projection. */
      const char *value;
      DynoTower rest = self.text;

      rest.first_layer = rest.n_layers - 1;
      value = add_last_norm (graph, &self, dyno_tower_add (&rest, graph, states, mask));
      value = take_last (graph, &self, ids, value);
      *projected = dyno_layers_linear (graph, "text_projection", value, self.width, FALSE);
    }
  else
    dyno_graph_add_unused (graph, states, add_unused_layer, &self);
  return states;
}

/* Defaults of published configs are those of the first model, ViT-B/32. */
static gboolean
read_clip (Clip *self, DynoConfig *config)
{
  DynoConfig *text = dyno_config_get_child (config, "text_config");
  DynoConfig *vision = dyno_config_get_child (config, "vision_config");

  *self = (Clip){
    .text = dyno_clip_read_tower (text, &text_names, 512, FALSE),
    .vision = dyno_clip_vision_read (vision, FALSE),
    .vocabulary = dyno_config_get_int_or (text, "vocab_size", 49408),
    .n_positions = dyno_config_get_int_or (text, "max_position_embeddings", 77),
    .last_token = dyno_config_get_int_or (text, "eos_token_id", 49407),
    .width = dyno_config_get_int_or (config, "projection_dim", 512),
    .scale = dyno_config_get_double_or (config, "logit_scale_init_value", 2.6592),
  };
  return check (self, text, vision);
}

/* Defaults of published configs are those of the first model, base with patches of 16 pixels. */
static gboolean
read_siglip (Clip *self, DynoConfig *config)
{
  DynoConfig *text = dyno_config_get_child (config, "text_config");
  DynoConfig *vision = dyno_config_get_child (config, "vision_config");

  *self = (Clip){
    .text = dyno_clip_read_tower (text, &text_names, 768, TRUE),
    .vision = dyno_clip_vision_read (vision, TRUE),
    .vocabulary = dyno_config_get_int_or (text, "vocab_size", 32000),
    .n_positions = dyno_config_get_int_or (text, "max_position_embeddings", 64),
    .scale = PAIRWISE_SCALE,
    .is_pairwise = TRUE,
  };

  self->width = dyno_config_get_int_or (text, "projection_size", self->text.width);
  if (self->width != self->vision.tower.width)
    dyno_config_fail (text, _ ("its “projection_size” is not the “hidden_size” of “vision_config”"));
  if (!dyno_config_get_boolean_or (vision, "vision_use_head", TRUE))
    dyno_config_fail (vision, _ ("its “vision_use_head” is false, and nothing pools its pictures"));
  return check (self, text, vision);
}

/* One stage per tower, so that each is timed. */
#define DEFINE_STAGE(type, part)                                                                             \
  static void build_##type##_##part (DynoGraph *graph, DynoConfig *config)                                   \
  {                                                                                                          \
    Clip self;                                                                                               \
                                                                                                             \
    if (read_##type (&self, config))                                                                         \
      build_##part##_stage (graph, &self);                                                                   \
  }

#define DEFINE_STAGES(type)                                                                                  \
  DEFINE_STAGE (type, text)                                                                                  \
  DEFINE_STAGE (type, vision)                                                                                \
  DEFINE_STAGE (type, similarity)                                                                            \
                                                                                                             \
  static const DynoStage type##_stages[] = {                                                                 \
    { "text", build_##type##_text },                                                                         \
    { "vision", build_##type##_vision },                                                                     \
    { "similarity", build_##type##_similarity },                                                             \
    { NULL },                                                                                                \
  };                                                                                                         \
  static const DynoStage type##_text_stages[] = { { "text", build_##type##_text }, { NULL } };               \
  static const DynoStage type##_image_stages[] = { { "vision", build_##type##_vision }, { NULL } };          \
  static const DynoModality type##_modalities[] = { { "image", type##_image_stages },                        \
                                                    { "text", type##_text_stages },                          \
                                                    { NULL } };

DEFINE_STAGES (clip)
DEFINE_STAGES (siglip)

const DynoFamily dyno_vision_text_family = { "vision-text", N_ ("Vision and text model"),
                                             N_ ("Vision and Text Models") };

static const DynoNaming text_naming = { "text_model", NULL, NULL };

const DynoArchitecture dyno_clip_architectures[] = {
  { "clip", &dyno_vision_text_family, "zero-shot-image-classification", NULL, NULL, clip_stages,
    .modalities = clip_modalities },
  { "clip_text_model", &dyno_vision_text_family, "feature-extraction", build_text, &text_naming },
  { "siglip", &dyno_vision_text_family, "zero-shot-image-classification", NULL, NULL, siglip_stages,
    .modalities = siglip_modalities },
  { NULL },
};
