/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>

#include "dyno-architecture.h"
#include "dyno-layers.h"
#include "dyno-model-graph-private.h"
#include "dyno-tower.h"

/* ImageBind, Girdhar et al. 2023: a tower for each modality, with a common embedding space. Weights are named as in the
 * published file, and members of configs like the arguments of the published code. */

#define EPSILON       1e-6 /* of all norms except this one: */
#define PATCH_EPSILON 1e-5 /* after the patches of everything but images */
#define INNER_FACTOR  4
#define IMU_CHANNELS  6 /* three of acceleration, three of rotation */

/* Initial values in training, as logarithms: 1 / 0.07 for texts; audio keeps 20, thermal images 10, depth and IMU 5. The
 * maximum is 100. */
#define TEXT_SCALE    2.6593
#define SOUND_SCALE   2.9957
#define THERMAL_SCALE 2.3026
#define SENSOR_SCALE  1.6094
#define LARGEST_SCALE 100

/* One channel that is cut into square patches. */
typedef struct
{
  const char *input;
  const char *stem;
  gint64 height;
  gint64 width;
  gint64 side;
  gint64 stride;
} Plane;

typedef struct
{
  DynoTower vision;
  DynoTower text;
  DynoTower audio;
  DynoTower depth;
  DynoTower thermal;
  DynoTower imu;
  gint64 width; /* of the common embedding space */
  gint64 image_side;
  gint64 patch_side;
  gint64 n_frames; /* of a patch: an image is a video of this many equal frames */
  gint64 vocabulary;
  gint64 n_positions;
  gint64 n_samples;    /* of each channel of an IMU */
  gint64 patch_length; /* in these samples */
  Plane sound;
  Plane distances;
  Plane heat;
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
finish_tokens (DynoGraph *graph, const char *value, const char *items, const char *positions)
{
  const DynoShape *shape = dyno_graph_get_shape (graph, value);
  const gint64 token[] = { 1, 1, shape->dims[2] }, dims[] = { 1, shape->dims[1] + 1, shape->dims[2] };
  const char *first = dyno_graph_add_weight (graph, "cls_token", 0, 0.02, 3, token);

  first = dyno_tower_spread_token (graph, first, items, token[2]);
  value = dyno_graph_add (graph, "Concat", "axis=1", first, value, NULL);
  return dyno_graph_add (graph, "Add", NULL, value,
                         dyno_graph_add_weight (graph, positions, 0, 0.02, 3, dims), NULL);
}

static void
give (const Imagebind *self, DynoGraph *graph, const char *name, const char *value)
{
  g_autofree char *dimensions = g_strdup_printf ("batch, %" PRId64, self->width);

  dyno_graph_add_output (graph, name, value, dimensions);
}

/* Projects one token of each item into the common embedding space: the first one, unless @rows selects another. @mask
 * and @rows may be NULL. */
static void
add_trunk_and_head (const Imagebind *self,
                    DynoGraph *graph,
                    const DynoTower *tower,
                    const char *const where[3],
                    const char *value,
                    const char *mask,
                    const char *rows)
{
  g_autofree char *output = g_strdup_printf ("%s_features", where[0]);

  dyno_graph_push_scope (graph, "modality_trunks.%s", where[0]);
  if (tower == &self->vision)
    value = dyno_layers_layer_norm (graph, "pre_transformer_layer.0", value, EPSILON);
  value = dyno_tower_add (tower, graph, value, mask);
  dyno_graph_pop_scope (graph);

  dyno_graph_push_scope (graph, "modality_heads.%s", where[0]);
  if (rows != NULL)
    value = dyno_layers_take_rows (graph, value, rows);
  else
    value = dyno_graph_add (graph, "Gather", "axis=1", value, dyno_graph_add_int (graph, 0), NULL);
  value = dyno_layers_layer_norm (graph, where[1], value, EPSILON);
  value = dyno_layers_linear (graph, where[2], value, self->width, FALSE);
  dyno_graph_pop_scope (graph);
  give (self, graph, output, value);
}

static void
add_plane (
    const Imagebind *self, DynoGraph *graph, const char *sense, const DynoTower *tower, const Plane *plane)
{
  const char *const where[] = { sense, "0", "2" };
  g_autofree char *dimensions =
      g_strdup_printf ("batch, 1, %" PRId64 ", %" PRId64, plane->height, plane->width);
  const char *input =
      dyno_graph_add_input (graph, plane->input, dyno_graph_get_real_type (graph), dimensions);
  const gint64 strides[] = { plane->stride, plane->stride };
  const char *value;

  dyno_graph_push_scope (graph, "modality_preprocessors.%s", sense);
  dyno_graph_push_scope (graph, "%s", plane->stem);
  value = dyno_tower_cut_apart (graph, "proj", input, tower->width, plane->side, strides, FALSE);
  value = dyno_layers_layer_norm (graph, "norm_layer", value, PATCH_EPSILON);
  dyno_graph_pop_scope (graph);
  value = finish_tokens (graph, value, input, "pos_embedding_helper.pos_embed");
  dyno_graph_pop_scope (graph);
  add_trunk_and_head (self, graph, tower, where, value, NULL, NULL);
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

/* @usual: (nullable): its width, layers and heads where the config has none. */
static DynoTower
read_tower (DynoConfig *config, const char *sense, const gint64 *usual)
{
  static const char *const members[] = { "embed_dim", "num_blocks", "num_heads" };
  const char *names_of[3];
  gint64 sizes[3];

  for (guint i = 0; i < G_N_ELEMENTS (members); i++)
    {
      g_autofree char *name = g_strdup_printf ("%s_%s", sense, members[i]);

      names_of[i] = g_intern_string (name);
      sizes[i] = usual != NULL ? dyno_config_get_int_or (config, name, usual[i])
                               : dyno_config_get_int (config, name);
    }
  return (DynoTower){
    .names = &names,
    .width = sizes[0],
    .n_layers = sizes[1],
    .n_heads = sizes[2],
    .inner_width = INNER_FACTOR * sizes[0],
    .has_input_bias = TRUE,
    .has_extra_key = !g_str_equal (sense, "vision") && !g_str_equal (sense, "text"),
    .epsilon = EPSILON,
    .activation = "gelu",
    .fields = { names_of[0], names_of[1], names_of[2] },
  };
}

/* Depth and thermal images have the sides of the others. */
static Plane
read_plane (DynoConfig *config, const char *input, const char *stem, const char *member, gint64 image_side)
{
  gint64 side = dyno_config_get_int_or (config, member, 16);

  dyno_config_check_patches (config, member, image_side, side);
  return (Plane){ input, stem, image_side, image_side, side, side };
}

static void
read_others (Imagebind *self, DynoConfig *config)
{
  static const gint64 usual[3][3] = { { 384, 12, 8 }, { 768, 12, 12 }, { 512, 6, 8 } };

  self->sound = (Plane){ "input_features",
                         "rgbt_stem",
                         dyno_config_get_int_or (config, "audio_num_mel_bins", 128),
                         dyno_config_get_int_or (config, "audio_target_len", 204),
                         dyno_config_get_int_or (config, "audio_kernel_size", 16),
                         dyno_config_get_int_or (config, "audio_stride", 10) };
  if (MIN (self->sound.height, self->sound.width) < self->sound.side)
    dyno_config_fail (config, _ ("its patches of sounds (“audio_kernel_size”) are larger than its sounds "
                                 "(“audio_num_mel_bins”, “audio_target_len”)"));

  self->depth = read_tower (config, "depth", usual[0]);
  self->thermal = read_tower (config, "thermal", usual[1]);
  self->imu = read_tower (config, "imu", usual[2]);
  self->distances = read_plane (config, "depth_values", "depth_stem", "depth_kernel_size", self->image_side);
  self->heat = read_plane (config, "thermal_values", "rgbt_stem", "thermal_kernel_size", self->image_side);
  self->n_samples = dyno_config_get_int_or (config, "imu_target_len", 2000);
  self->patch_length = dyno_config_get_int_or (config, "imu_kernel_size", 8);
  if (self->n_samples % self->patch_length != 0)
    dyno_config_fail (config, _ ("its “imu_target_len” must be a multiple of its “imu_kernel_size”"));
}

/* Defaults of configs are those of the published model. */
static gboolean
read_imagebind (Imagebind *self, DynoConfig *config)
{
  static const gint64 usual[] = { 2, 14, 14 };
  g_autoptr (GArray) sizes = NULL;

  *self = (Imagebind){
    .vision = read_tower (config, "vision", NULL),
    .text = read_tower (config, "text", NULL),
    .audio = read_tower (config, "audio", NULL),
    .width = dyno_config_get_int (config, "out_embed_dim"),
    .image_side = dyno_config_get_int_or (config, "image_size", 224),
    .vocabulary = dyno_config_get_int_or (config, "vocab_size", 49408),
    .n_positions = dyno_config_get_int_or (config, "context_length", 77),
  };
  read_others (self, config);

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
  dyno_config_check_patches (config, "kernel_size", self->image_side, self->patch_side);

  const DynoTower *const towers[] = { &self->vision, &self->text,    &self->audio,
                                      &self->depth,  &self->thermal, &self->imu };

  for (guint i = 0; i < G_N_ELEMENTS (towers); i++)
    dyno_tower_check (towers[i], config);
  return dyno_config_check (config, NULL);
}

/* The output is that of the token with the largest id, which ends a text. */
static void
build_text (DynoGraph *graph, DynoConfig *config)
{
  static const char *const where[] = { "text", "proj.0", "proj.1" };
  Imagebind self;

  if (!read_imagebind (&self, config))
    return;

  const char *ids = dyno_graph_add_input (graph, "input_ids", DYNO_DATA_TYPE_INT64, "batch, sequence");
  gint64 width = self.text.width;
  const gint64 dims[] = { 1, self.n_positions, width }, last = 1;
  const char *places, *queries, *mask, *rows, *value, *positions;

  dyno_graph_limit_input (graph, "input_ids", self.vocabulary);
  dyno_graph_limit_sequence (graph, self.n_positions);
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
  value = dyno_layers_embedding (graph, "token_embedding", ids, self.vocabulary, width);
  positions = dyno_graph_add_weight (graph, "pos_embed", 0, 0.01, 3, dims);
  positions = dyno_graph_add (graph, "Gather", "axis=1", positions, places, NULL);
  value = dyno_graph_add (graph, "Add", NULL, value, positions, NULL);
  dyno_graph_pop_scope (graph);
  add_trunk_and_head (&self, graph, &self.text, where, value, mask, rows);
}

static void
build_vision (DynoGraph *graph, DynoConfig *config)
{
  static const char *const where[] = { "vision", "0", "2" };
  Imagebind self;

  if (!read_imagebind (&self, config))
    return;

  const char *pixels = dyno_tower_add_pixels (graph, 3, self.image_side, self.image_side);
  const char *value;

  dyno_graph_push_scope (graph, "modality_preprocessors.vision");
  value = dyno_tower_cut_frames (graph, "rgbt_stem.proj.1", pixels, self.vision.width, self.n_frames,
                                 self.patch_side, FALSE);
  value = finish_tokens (graph, value, pixels, "pos_embedding_helper.pos_embed");
  dyno_graph_pop_scope (graph);
  add_trunk_and_head (&self, graph, &self.vision, where, value, NULL, NULL);
}

static void
build_audio (DynoGraph *graph, DynoConfig *config)
{
  Imagebind self;

  if (read_imagebind (&self, config))
    add_plane (&self, graph, "audio", &self.audio, &self.sound);
}

static void
build_depth (DynoGraph *graph, DynoConfig *config)
{
  Imagebind self;

  if (read_imagebind (&self, config))
    add_plane (&self, graph, "depth", &self.depth, &self.distances);
}

static void
build_thermal (DynoGraph *graph, DynoConfig *config)
{
  Imagebind self;

  if (read_imagebind (&self, config))
    add_plane (&self, graph, "thermal", &self.thermal, &self.heat);
}

/* A token is a stretch of all channels, one channel after the other. */
static void
build_imu (DynoGraph *graph, DynoConfig *config)
{
  static const char *const where[] = { "imu", "0", "3" };
  Imagebind self;

  if (!read_imagebind (&self, config))
    return;

  gint64 n_patches = self.n_samples / self.patch_length;
  const gint64 cut[] = { 0, IMU_CHANNELS, n_patches, self.patch_length };
  const gint64 joined[] = { 0, n_patches, IMU_CHANNELS * self.patch_length };
  g_autofree char *dimensions = g_strdup_printf ("batch, %d, %" PRId64, IMU_CHANNELS, self.n_samples);
  const char *input =
      dyno_graph_add_input (graph, "imu_values", dyno_graph_get_real_type (graph), dimensions);
  const char *value;

  dyno_graph_push_scope (graph, "modality_preprocessors.imu");
  value = dyno_layers_reshape (graph, input, 4, cut);
  value = dyno_graph_add (graph, "Transpose", "perm=[0,2,1,3]", value, NULL);
  value = dyno_layers_reshape (graph, value, 3, joined);
  value = dyno_layers_linear (graph, "imu_stem.proj", value, self.imu.width, FALSE);
  value = dyno_layers_layer_norm (graph, "imu_stem.norm_layer", value, PATCH_EPSILON);
  value = finish_tokens (graph, value, input, "pos_embed");
  dyno_graph_pop_scope (graph);
  add_trunk_and_head (&self, graph, &self.imu, where, value, NULL, NULL);
}

/* The similarities of texts, images and audio to each other, and of the others to images, which bind them in training. */
static void
build_similarity (DynoGraph *graph, DynoConfig *config)
{
  static const struct
  {
    const char *sense;
    double scale;
  } bound[] = { { "depth", SENSOR_SCALE }, { "thermal", THERMAL_SCALE }, { "imu", SENSOR_SCALE } };
  Imagebind self;

  if (!read_imagebind (&self, config))
    return;

  const char *text = scale (graph, "text", TEXT_SCALE, TRUE, take (&self, graph, "text_features"));
  const char *vision = take (&self, graph, "vision_features");
  const char *audio = scale (graph, "audio", SOUND_SCALE, FALSE, take (&self, graph, "audio_features"));

  compare (graph, "vision_text", vision, text);
  compare (graph, "audio_text", audio, text);
  compare (graph, "vision_audio", vision, audio);
  give (&self, graph, "text_embeds", text);
  give (&self, graph, "vision_embeds", vision);
  give (&self, graph, "audio_embeds", audio);
  for (guint i = 0; i < G_N_ELEMENTS (bound); i++)
    {
      g_autofree char *input = g_strconcat (bound[i].sense, "_features", NULL);
      g_autofree char *pair = g_strconcat ("vision_", bound[i].sense, NULL);
      g_autofree char *output = g_strconcat (bound[i].sense, "_embeds", NULL);
      const char *value = scale (graph, bound[i].sense, bound[i].scale, FALSE, take (&self, graph, input));

      compare (graph, pair, vision, value);
      give (&self, graph, output, value);
    }
}

static const DynoStage stages[] = {
  { "text", build_text },
  { "vision", build_vision },
  { "audio", build_audio },
  { "depth", build_depth },
  { "thermal", build_thermal },
  { "imu", build_imu },
  { "similarity", build_similarity },
  { NULL },
};

static const DynoStage text_stages[] = { { "text", build_text }, { NULL } };
static const DynoStage image_stages[] = { { "vision", build_vision }, { NULL } };
static const DynoStage audio_stages[] = { { "audio", build_audio }, { NULL } };
static const DynoStage depth_stages[] = { { "depth", build_depth }, { NULL } };
static const DynoStage thermal_stages[] = { { "thermal", build_thermal }, { NULL } };
static const DynoStage imu_stages[] = { { "imu", build_imu }, { NULL } };
static const DynoModality modalities[] = {
  { "audio", audio_stages },
  { "depth", depth_stages },
  { "image", image_stages },
  { "imu", imu_stages },
  { "text", text_stages },
  { "thermal", thermal_stages },
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
