/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>

#include "dyno-architecture.h"
#include "dyno-layers.h"
#include "dyno-model-graph-private.h"
#include "dyno-tower.h"

/* ImageBind, Girdhar et al. 2023: a tower for each modality, with a common embedding space. Only images, texts and
 * audio; depth, thermal and IMU are left out. Weights are named as in the published file, and members of configs like
 * the arguments of the published code. */

#define EPSILON       1e-6 /* of all norms except this one: */
#define SOUND_EPSILON 1e-5 /* after the patches of audio */
#define INNER_FACTOR  4

/* Initial values in training, as logarithms: 1 / 0.07 for texts; audio keeps 20. The maximum is 100. */
#define TEXT_SCALE    2.6593
#define SOUND_SCALE   2.9957
#define LARGEST_SCALE 100

typedef struct
{
  DynoTower vision;
  DynoTower text;
  DynoTower audio;
  gint64 width; /* of the common embedding space */
  gint64 image_side;
  gint64 patch_side;
  gint64 n_frames; /* of a patch: an image is a video of this many equal frames */
  gint64 vocabulary;
  gint64 n_positions;
  gint64 n_mels;
  gint64 n_times;
  gint64 sound_side; /* of a patch of audio */
  gint64 sound_stride;
} Imagebind;

static const DynoTowerNames names = {
  .layer = "blocks",
  .attention_norm = "norm_1",
  .attention = "attn",
  .joined = "in_proj",
  .output = "attn.out_proj",
  .inner_norm = "norm_2",
  .up_dense = "mlp.fc1",
  .down_dense = "mlp.fc2",
};

/* Prepends a class token and adds position embeddings. */
static const char *
finish_tokens (DynoGraph *graph, const char *value, const char *items)
{
  const DynoShape *shape = dyno_graph_get_shape (graph, value);
  const gint64 token[] = { 1, 1, shape->dims[2] }, dims[] = { 1, shape->dims[1] + 1, shape->dims[2] };
  const char *first = dyno_graph_add_weight (graph, "cls_token", 0, 0.02, 3, token);

  first = dyno_tower_spread_token (graph, first, items, token[2]);
  value = dyno_graph_add (graph, "Concat", "axis=1", first, value, NULL);
  return dyno_graph_add (graph, "Add", NULL, value,
                         dyno_graph_add_weight (graph, "pos_embedding_helper.pos_embed", 0, 0.02, 3, dims),
                         NULL);
}

static const char *
add_trunk (const DynoTower *tower, DynoGraph *graph, const char *sense, const char *value, const char *mask)
{
  dyno_graph_push_scope (graph, "modality_trunks.%s", sense);
  if (g_str_equal (sense, "vision"))
    value = dyno_layers_layer_norm (graph, "pre_transformer_layer.0", value, EPSILON);
  value = dyno_tower_add (tower, graph, value, mask);
  dyno_graph_pop_scope (graph);
  return value;
}

/* Projects one token of each item into the common embedding space: the first one, unless @rows selects another. */
static const char *
add_head (
    const Imagebind *self, DynoGraph *graph, const char *const where[3], const char *value, const char *rows)
{
  dyno_graph_push_scope (graph, "%s", where[0]);
  if (rows != NULL)
    value = dyno_layers_take_rows (graph, value, rows);
  else
    value = dyno_graph_add (graph, "Gather", "axis=1", value, dyno_graph_add_int (graph, 0), NULL);
  value = dyno_layers_layer_norm (graph, where[1], value, EPSILON);
  value = dyno_layers_linear (graph, where[2], value, self->width, FALSE);
  dyno_graph_pop_scope (graph);
  return value;
}

static void
give (const Imagebind *self, DynoGraph *graph, const char *name, const char *value)
{
  g_autofree char *dimensions = g_strdup_printf ("batch, %" PRId64, self->width);

  dyno_graph_add_output (graph, name, value, dimensions);
}

static void
add_vision (const Imagebind *self, DynoGraph *graph)
{
  static const char *const where[] = { "modality_heads.vision", "0", "2" };
  const char *pixels = dyno_tower_add_pixels (graph, 3, self->image_side, self->image_side);
  const char *value;

  dyno_graph_push_scope (graph, "modality_preprocessors.vision");
  value = dyno_tower_cut_frames (graph, "rgbt_stem.proj.1", pixels, self->vision.width, self->n_frames,
                                 self->patch_side, FALSE);
  value = finish_tokens (graph, value, pixels);
  dyno_graph_pop_scope (graph);

  value = add_head (self, graph, where, add_trunk (&self->vision, graph, "vision", value, NULL), NULL);
  give (self, graph, "vision_features", value);
}

static void
add_audio (const Imagebind *self, DynoGraph *graph)
{
  static const char *const where[] = { "modality_heads.audio", "0", "2" };
  g_autofree char *dimensions =
      g_strdup_printf ("batch, 1, %" PRId64 ", %" PRId64, self->n_mels, self->n_times);
  const char *sound =
      dyno_graph_add_input (graph, "input_features", dyno_graph_get_real_type (graph), dimensions);
  gint64 width = self->audio.width, side = self->sound_side;
  const gint64 strides[] = { self->sound_stride, self->sound_stride };
  const char *value;

  dyno_graph_push_scope (graph, "modality_preprocessors.audio");
  value = dyno_tower_cut_apart (graph, "rgbt_stem.proj", sound, width, side, strides, FALSE);
  value = dyno_layers_layer_norm (graph, "rgbt_stem.norm_layer", value, SOUND_EPSILON);
  value = finish_tokens (graph, value, sound);
  dyno_graph_pop_scope (graph);

  value = add_head (self, graph, where, add_trunk (&self->audio, graph, "audio", value, NULL), NULL);
  give (self, graph, "audio_features", value);
}

/* The output is that of the token with the largest id, which ends a text. */
static void
add_text (const Imagebind *self, DynoGraph *graph)
{
  static const char *const where[] = { "modality_heads.text", "proj.0", "proj.1" };
  const char *ids = dyno_graph_add_input (graph, "input_ids", DYNO_DATA_TYPE_INT64, "batch, sequence");
  gint64 width = self->text.width;
  const gint64 dims[] = { 1, self->n_positions, width }, last = 1;
  const char *places, *queries, *mask, *rows, *value, *positions;

  dyno_graph_limit_input (graph, "input_ids", self->vocabulary);
  dyno_graph_limit_sequence (graph, self->n_positions);
  dyno_graph_push_scope (graph, "modality_preprocessors.text");
  places = dyno_relative_places (graph, ids, 1);

  /* Causal mask: [sequence, sequence]. */
  queries = dyno_graph_add (graph, "Unsqueeze", NULL, places, dyno_graph_add_ints (graph, 1, &last), NULL);
  mask = dyno_graph_add (graph, "LessOrEqual", NULL, places, queries, NULL);
  mask = dyno_graph_add (graph, "Where", NULL, mask, dyno_graph_add_real (graph, 0),
                         dyno_layers_masked_score (graph), NULL);
  rows = dyno_graph_add (graph, "ArgMax", "axis=1 keepdims=1",
                         dyno_layers_cast (graph, ids, DYNO_DATA_TYPE_INT32), NULL);

  /* A text may be shorter than the maximum, because attention is causal. */
  value = dyno_layers_embedding (graph, "token_embedding", ids, self->vocabulary, width);
  positions = dyno_graph_add_weight (graph, "pos_embed", 0, 0.01, 3, dims);
  positions = dyno_graph_add (graph, "Gather", "axis=1", positions, places, NULL);
  value = dyno_graph_add (graph, "Add", NULL, value, positions, NULL);
  dyno_graph_pop_scope (graph);

  value = add_head (self, graph, where, add_trunk (&self->text, graph, "text", value, mask), rows);
  give (self, graph, "text_features", value);
}

/* The output of a tower, normalised to length 1. */
static const char *
take (const Imagebind *self, DynoGraph *graph, const char *name)
{
  g_autofree char *dimensions = g_strdup_printf ("batch, %" PRId64, self->width);
  const char *value = dyno_graph_add_input (graph, name, dyno_graph_get_real_type (graph), dimensions);

  dyno_graph_push_scope (graph, "similarity");
  value = dyno_layers_unit (graph, value);
  dyno_graph_pop_scope (graph);
  return value;
}

static const char *
scale (DynoGraph *graph, const char *sense, double logarithm, gboolean is_trained, const char *value)
{
  const char *factor;

  dyno_graph_push_scope (graph, "modality_postprocessors.%s.1", sense);
  factor = is_trained ? dyno_graph_add_weight (graph, "log_logit_scale", logarithm, 0.02, 0, NULL)
                      : dyno_graph_add_buffer (graph, "log_logit_scale", logarithm, 0, 0, NULL);
  factor = dyno_graph_add (graph, "Exp", NULL, factor, NULL);
  factor = dyno_graph_add (graph, "Clip", NULL, factor, "", dyno_graph_add_real (graph, LARGEST_SCALE), NULL);
  value = dyno_graph_add (graph, "Mul", NULL, value, factor, NULL);
  dyno_graph_pop_scope (graph);
  return value;
}

static void
compare (DynoGraph *graph, const char *name, const char *first, const char *second)
{
  const char *value;

  dyno_graph_push_scope (graph, "similarity");
  value = dyno_graph_add (graph, "Transpose", "perm=[1,0]", second, NULL);
  value = dyno_graph_add (graph, "MatMul", NULL, first, value, NULL);
  dyno_graph_pop_scope (graph);
  dyno_graph_add_output (graph, name, value, "batch, batch");
}

/* The similarity of each pair of modalities. */
static void
add_similarity (const Imagebind *self, DynoGraph *graph)
{
  const char *text = scale (graph, "text", TEXT_SCALE, TRUE, take (self, graph, "text_features"));
  const char *vision = take (self, graph, "vision_features");
  const char *audio = scale (graph, "audio", SOUND_SCALE, FALSE, take (self, graph, "audio_features"));

  compare (graph, "vision_text", vision, text);
  compare (graph, "audio_text", audio, text);
  compare (graph, "vision_audio", vision, audio);
  give (self, graph, "text_embeds", text);
  give (self, graph, "vision_embeds", vision);
  give (self, graph, "audio_embeds", audio);
}

static DynoTower
read_tower (DynoConfig *config, const char *sense)
{
  g_autofree char *width = g_strconcat (sense, "_embed_dim", NULL);
  g_autofree char *n_layers = g_strconcat (sense, "_num_blocks", NULL);
  g_autofree char *n_heads = g_strconcat (sense, "_num_heads", NULL);
  DynoTower self = {
    .names = &names,
    .width = dyno_config_get_int (config, width),
    .n_layers = dyno_config_get_int (config, n_layers),
    .n_heads = dyno_config_get_int (config, n_heads),
    .has_input_bias = TRUE,
    .epsilon = EPSILON,
    .activation = "gelu",
    .fields = { g_intern_string (width), g_intern_string (n_layers), g_intern_string (n_heads) },
  };

  self.inner_width = INNER_FACTOR * self.width;
  return self;
}

/* Defaults of configs are those of the published model. */
static gboolean
read_imagebind (Imagebind *self, DynoConfig *config)
{
  static const gint64 usual[] = { 2, 14, 14 };
  g_autoptr (GArray) sizes = NULL;

  *self = (Imagebind){
    .vision = read_tower (config, "vision"),
    .text = read_tower (config, "text"),
    .audio = read_tower (config, "audio"),
    .width = dyno_config_get_int (config, "out_embed_dim"),
    .image_side = dyno_config_get_int_or (config, "image_size", 224),
    .vocabulary = dyno_config_get_int_or (config, "vocab_size", 49408),
    .n_positions = dyno_config_get_int_or (config, "context_length", 77),
    .n_mels = dyno_config_get_int_or (config, "audio_num_mel_bins", 128),
    .n_times = dyno_config_get_int_or (config, "audio_target_len", 204),
    .sound_side = dyno_config_get_int_or (config, "audio_kernel_size", 16),
    .sound_stride = dyno_config_get_int_or (config, "audio_stride", 10),
  };
  self->audio.has_extra_key = TRUE;

  /* The patch size of a video: frames, rows and columns. */
  sizes = dyno_config_get_ints_or_none (config, "kernel_size");
  if (sizes->len == 0)
    g_array_append_vals (sizes, usual, G_N_ELEMENTS (usual));
  if (sizes->len != 3 || g_array_index (sizes, gint64, 1) != g_array_index (sizes, gint64, 2))
    dyno_config_fail (
        config, _ ("its “kernel_size” must be frames, rows and columns, of which the last two are equal"));
  else
    {
      self->n_frames = g_array_index (sizes, gint64, 0);
      self->patch_side = g_array_index (sizes, gint64, 1);
    }
  dyno_tower_check (&self->vision, config);
  dyno_tower_check (&self->text, config);
  dyno_tower_check (&self->audio, config);
  dyno_config_check_patches (config, "kernel_size", self->image_side, self->patch_side);
  if (MIN (self->n_mels, self->n_times) < self->sound_side)
    dyno_config_fail (config, _ ("its patches of sounds (“audio_kernel_size”) are larger than its sounds "
                                 "(“audio_num_mel_bins”, “audio_target_len”)"));

  return dyno_config_check (config, NULL);
}

#define DEFINE_STAGE(part)                                                                                   \
  static void build_##part (DynoGraph *graph, DynoConfig *config)                                            \
  {                                                                                                          \
    Imagebind self;                                                                                          \
                                                                                                             \
    if (read_imagebind (&self, config))                                                                      \
      add_##part (&self, graph);                                                                             \
  }

DEFINE_STAGE (text)
DEFINE_STAGE (vision)
DEFINE_STAGE (audio)
DEFINE_STAGE (similarity)

static const DynoStage stages[] = {
  { "text", build_text },
  { "vision", build_vision },
  { "audio", build_audio },
  { "similarity", build_similarity },
  { NULL },
};

static const DynoStage text_stages[] = { { "text", build_text }, { NULL } };
static const DynoStage image_stages[] = { { "vision", build_vision }, { NULL } };
static const DynoStage audio_stages[] = { { "audio", build_audio }, { NULL } };
static const DynoModality modalities[] = {
  { "audio", audio_stages },
  { "image", image_stages },
  { "text", text_stages },
  { NULL },
};

/* Attention is a tensor there, not a layer. */
static const DynoNamePair pairs[] = { { "in_proj.", "in_proj_" }, { NULL } };
static const DynoNaming naming = { NULL, pairs };

const DynoArchitecture dyno_imagebind_architectures[] = {
  { "imagebind", &dyno_multimodal_family, "feature-extraction", NULL, &naming, stages,
    .modalities = modalities },
  { NULL },
};
