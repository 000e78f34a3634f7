/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>

#include "dyno-architecture.h"
#include "dyno-decoder.h"
#include "dyno-fusion.h"
#include "dyno-layers.h"
#include "dyno-tower.h"

/* Qwen2-VL, Wang et al. 2024, Qwen2.5-VL, Bai et al. 2025, and Qwen3-VL: patches are rotated by their rows
 * and columns, squares of them become one token of a language model, which uses rows and columns as well.
 * Most layers of Qwen2.5-VL use windows of a picture. Qwen3-VL adds the results of inner layers to the
 * first layers of its language model. */

/* The number of tokens of a picture of Qwen2-VL and Qwen2.5-VL is free: this is the least that their authors recommend. */
#define USUAL_SIDE 448

/* Larger pictures would have more patches than a graph can list. */
#define MAX_SIDE 4096

#define EPSILON 1e-6

/* One of the three versions. */
typedef enum
{
  QWEN2,
  QWEN2_5,
  QWEN3,
} Version;

typedef struct
{
  Version version;
  DynoTower tower;
  DynoDecoder decoder;
  gint64 patch_side;
  gint64 n_frames;
  gint64 n_channels;
  gint64 square; /* side of a square, in patches */
  gint64 side;   /* squares per side of a picture */
  gint64 window; /* squares per side of a window; the same without windows */
  GArray *whole; /* the layers without windows */
  GArray *inner; /* the layers whose results are added to the language model */
  gint64 picture_token;
} QwenVl;

static gint64
count_patches (const QwenVl *self)
{
  return self->side * self->side * self->square * self->square;
}

/* Patches in the order of windows, and within these of squares: the place of each in rows and columns. */
static void
find_patch (const QwenVl *self, gint64 index, gint64 *row, gint64 *column)
{
  gint64 square = self->square, window = self->window, across = self->side / window;
  gint64 inner = index % (square * square), token = index / (square * square) % (window * window);
  gint64 outer = index / (square * square * window * window);

  *row = (outer / across * window + token / window) * square + inner / square;
  *column = (outer % across * window + token % window) * square + inner % square;
}

static const char *
reorder (DynoGraph *graph, const char *value, GArray *order)
{
  return dyno_graph_add (graph, "Gather", "axis=1", value,
                         dyno_graph_add_ints (graph, order->len, (const gint64 *)order->data), NULL);
}

static const char *
sort_patches (const QwenVl *self, DynoGraph *graph, const char *value)
{
  g_autoptr (GArray) order = g_array_new (FALSE, FALSE, sizeof (gint64));

  for (gint64 i = 0; i < count_patches (self); i++)
    {
      gint64 row, column, place;

      find_patch (self, i, &row, &column);
      place = row * self->side * self->square + column;
      g_array_append_val (order, place);
    }
  return reorder (graph, value, order);
}

/* The rotation of each patch: [1, patches, 1, width of a head] */
static void
add_rotation (QwenVl *self, DynoGraph *graph)
{
  const gint64 dims[] = { 1, count_patches (self), 2 };
  g_autofree gint64 *places = g_new (gint64, 2 * dims[1]);
  const char *positions;

  for (gint64 i = 0; i < dims[1]; i++)
    find_patch (self, i, &places[2 * i], &places[2 * i + 1]);
  dyno_graph_push_scope (graph, "rotary_pos_emb");
  positions = dyno_layers_reshape (graph, dyno_graph_add_ints (graph, (guint)(2 * dims[1]), places), 3, dims);
  dyno_graph_pop_scope (graph);
  self->tower.rotation = dyno_rotary_add (&self->tower.rotary, graph, "rotary_pos_emb", positions, 2);
}

static const char *
join_squares (const QwenVl *self, DynoGraph *graph, const char *value)
{
  const gint64 target[] = { 0, self->side * self->side, self->square * self->square * self->tower.width };

  return dyno_layers_reshape (graph, value, 3, target);
}

/* Squares of patches become tokens of the language model. */
static const char *
merge (const QwenVl *self,
       DynoGraph *graph,
       const char *norm,
       const char *first,
       const char *second,
       const char *value)
{
  value = self->tower.is_rms ? dyno_layers_rms_norm (graph, norm, value, EPSILON)
                             : dyno_layers_layer_norm (graph, norm, value, EPSILON);
  value = join_squares (self, graph, value);
  value = dyno_layers_linear (graph, first, value, self->square * self->square * self->tower.width, TRUE);
  value = dyno_layers_activation (graph, "gelu", value);

  value = dyno_layers_linear (graph, second, value, self->decoder.width, TRUE);

  /* Changes the order from that of windows to rows and columns. */
  gint64 size = self->square * self->square, n_tokens = self->side * self->side;
  g_autoptr (GArray) order = g_array_new (FALSE, TRUE, sizeof (gint64));

  if (self->window == self->side)
    return value;
  g_array_set_size (order, (guint)n_tokens);
  for (gint64 i = 0; i < n_tokens; i++)
    {
      gint64 row, column;

      find_patch (self, i * size, &row, &column);
      g_array_index (order, gint64, row / self->square * self->side + column / self->square) = i;
    }
  return reorder (graph, value, order);
}

static gboolean
holds (GArray *layers, gint64 layer, guint *place)
{
  for (*place = 0; layers != NULL && *place < layers->len; (*place)++)
    if (g_array_index (layers, gint64, *place) == layer)
      return TRUE;
  return FALSE;
}

static void
give_inner (const QwenVl *self, DynoGraph *graph, guint place, const char *value)
{
  g_autofree char *name = dyno_fusion_name_added (place);

  dyno_graph_push_scope (graph, "deepstack_merger_list.%u", place);
  value = merge (self, graph, "norm", "linear_fc1", "linear_fc2", join_squares (self, graph, value));
  dyno_graph_pop_scope (graph);
  dyno_fusion_give (graph, name, value);
}

static void
qwen_vl_clear (QwenVl *self)
{
  dyno_decoder_clear (&self->decoder);
  g_clear_pointer (&self->whole, g_array_unref);
  g_clear_pointer (&self->inner, g_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (QwenVl, qwen_vl_clear)

#define NAMES                                                                                                \
  .layer = "blocks", .attention_norm = "norm1", .attention = "attn", .joined = "qkv", .output = "attn.proj", \
  .inner_norm = "norm2", .up = "mlp", .down = "mlp"

static const DynoTowerNames names[] = {
  [QWEN2] = { NAMES, .up_dense = "fc1", .down_dense = "fc2" },
  [QWEN2_5] = { NAMES, .gate_dense = "gate_proj", .up_dense = "up_proj", .down_dense = "down_proj" },
  [QWEN3] = { NAMES, .up_dense = "linear_fc1", .down_dense = "linear_fc2" },
};

/* Members that files omit from the config of the vision tower. */
static const char *const usual[] = {
  [QWEN2] =
      "{\"embed_dim\": 1280, \"hidden_size\": 3584, \"hidden_act\": \"quick_gelu\", \"patch_size\": 14}",
  [QWEN2_5] =
      "{\"hidden_size\": 3584, \"intermediate_size\": 3420, \"hidden_act\": \"silu\", \"patch_size\": 14, "
      "\"window_size\": 112, \"out_hidden_size\": 3584, \"fullatt_block_indexes\": [7, 15, 23, 31]}",
  [QWEN3] = "{\"depth\": 27, \"hidden_size\": 1152, \"intermediate_size\": 4304, \"hidden_act\": "
            "\"gelu_pytorch_tanh\", \"patch_size\": 16, \"out_hidden_size\": 3584, "
            "\"num_position_embeddings\": 2304, "
            "\"deepstack_visual_indexes\": [8, 16, 24]}",
};

static void
read_tower (QwenVl *self, DynoConfig *vision)
{
  const char *width = self->version == QWEN2 ? "embed_dim" : "hidden_size";
  DynoConfig *rotation = dyno_config_get_object (vision, "rope_parameters") != NULL
                             ? dyno_config_get_child (vision, "rope_parameters")
                             : NULL;
  static const DynoConfigFixed fixed[] = { { "rope_type", "\"axial\"" } };

  self->tower = (DynoTower){
    .names = &names[self->version],
    .width = dyno_config_get_int (vision, width),
    .n_layers = dyno_config_get_int_or (vision, "depth", 32),
    .n_heads = dyno_config_get_int_or (vision, "num_heads", 16),
    .has_input_bias = TRUE,
    .is_rms = self->version == QWEN2_5,
    .epsilon = EPSILON,
    .activation = dyno_config_get_string_or (vision, "hidden_act", ""),
    .fields = { width, "depth", "num_heads" },
  };
  self->tower.inner_width = self->version == QWEN2
                                ? dyno_config_get_int_or (vision, "mlp_ratio", 4) * self->tower.width
                                : dyno_config_get_int (vision, "intermediate_size");
  dyno_tower_check (&self->tower, vision);
  if (rotation != NULL)
    dyno_config_check_fixed (rotation, fixed, G_N_ELEMENTS (fixed));
  self->tower.rotary = (DynoRotary){
    .theta = rotation != NULL ? dyno_config_get_double_or (rotation, "rope_theta", 10000) : 10000,
    .width = self->tower.width / self->tower.n_heads,
    .axes = DYNO_ROTARY_AXES_PLANE,
  };
  if (self->tower.rotary.width % 4 != 0)
    dyno_config_fail (vision,
                      _ ("%" PRId64 " numbers of a head cannot be turned in pairs by rows and columns"),
                      self->tower.rotary.width);
}

/* The side of a picture is that of the table of positions, or the usual one. */
static void
read_sides (QwenVl *self, DynoConfig *vision)
{
  gint64 n_positions = dyno_config_get_int_or (vision, "num_position_embeddings", 1);
  gint64 patch = dyno_config_get_int (vision, "patch_size"),
         square = dyno_config_get_int_or (vision, "spatial_merge_size", 2);
  gint64 table = (gint64)sqrt ((double)n_positions) * MIN (patch, G_MAXINT32);
  gint64 side = dyno_config_get_int_or (vision, "image_size", self->version == QWEN3 ? table : USUAL_SIDE);
  gint64 window = self->version == QWEN2_5 ? dyno_config_get_int (vision, "window_size") / patch / square : 0;

  self->patch_side = patch;
  self->square = square;
  self->side = side / patch / square;
  self->window = window > 0 ? window : self->side;
  if (self->version == QWEN2_5 && window == 0)
    dyno_config_fail (vision,
                      _ ("its “%s” is %" PRId64 ", but must be at least %" PRId64
                         ", the pixels of a token (“patch_size” times “spatial_merge_size”)"),
                      "window_size", dyno_config_get_int (vision, "window_size"), patch * square);
  if (self->version == QWEN3 && (table != side || table / patch * (table / patch) != n_positions))
    dyno_config_fail (
        vision,
        _ ("its “num_position_embeddings” is %" PRId64 ", but must be the number of patches of a picture"),
        n_positions);
  if (side > MAX_SIDE)
    dyno_config_fail (vision, _ ("its “%s” is larger than %d"), "image_size", MAX_SIDE);
  if (side > MAX_SIDE || self->side < 1 || self->side * square * patch != side ||
      self->side % self->window != 0)
    {
      dyno_config_fail (vision,
                        _ ("a picture of %" PRId64
                           " pixels (“image_size”) cannot be cut into squares of patches "
                           "and windows of the same size"),
                        side);
      self->side = self->window = 1;
    }
}

static void
check (const QwenVl *self, DynoConfig *config, DynoConfig *vision)
{
  const char *width = self->version == QWEN2 ? "hidden_size" : "out_hidden_size";
  gint64 last = -1, most = MIN (self->decoder.n_layers, self->tower.n_layers);
  gboolean is_rising = self->inner == NULL || self->inner->len <= most;

  for (guint i = 0; self->inner != NULL && i < self->inner->len; i++)
    {
      gint64 layer = g_array_index (self->inner, gint64, i);

      is_rising = is_rising && layer > last && layer < self->tower.n_layers;
      last = layer;
    }
  if (dyno_config_get_int (vision, width) != self->decoder.width)
    dyno_config_fail (vision, _ ("its “%s” is not the width of its language model"), width);
  if (!is_rising)
    dyno_config_fail (vision, _ ("its “%s” does not list some of its layers in rising order"),
                      "deepstack_visual_indexes");
  if (self->decoder.rotary[0].axes !=
      (self->version == QWEN3 ? DYNO_ROTARY_AXES_WOVEN : DYNO_ROTARY_AXES_JOINED))
    dyno_config_fail (config,
                      _ ("its language model is of a type without positions of pictures (“mrope_section”)"));
  dyno_fusion_check (config, "image_token_id", self->picture_token, &self->decoder);
}

/* The first files have the config of the language model in that of the whole model. */
static gboolean
read_qwen_vl (QwenVl *self, DynoConfig *config)
{
  const char *type = dyno_config_get_string_or (config, "model_type", "");
  DynoConfig *vision = dyno_config_get_child (config, "vision_config");
  DynoConfig *text = dyno_config_get_object (config, "text_config") != NULL || g_str_equal (type, "qwen3_vl")
                         ? dyno_config_get_child (config, "text_config")
                         : config;

  self->version = g_str_equal (type, "qwen2_vl") ? QWEN2 : g_str_equal (type, "qwen3_vl") ? QWEN3 : QWEN2_5;
  self->picture_token = dyno_config_get_int_or (config, "image_token_id", 151655);
  dyno_decoder_read (&self->decoder, text);
  self->decoder.is_tied = dyno_config_get_boolean_or (config, "tie_word_embeddings", FALSE);

  dyno_config_set_defaults (vision, usual[self->version]);
  read_tower (self, vision);
  read_sides (self, vision);
  self->n_frames = dyno_config_get_int_or (vision, "temporal_patch_size", 2);
  self->n_channels =
      dyno_config_get_int_or (vision, "in_channels", dyno_config_get_int_or (vision, "in_chans", 3));
  if (self->version == QWEN2_5)
    {
      self->whole = dyno_config_get_indices (vision, "fullatt_block_indexes");
      dyno_config_check_indices (vision, "fullatt_block_indexes", self->tower.n_layers);
    }
  if (self->version == QWEN3)
    self->inner = dyno_config_get_indices (vision, "deepstack_visual_indexes");

  self->decoder.picture_side = self->side;
  self->decoder.n_added = self->inner != NULL ? self->inner->len : 0;
  check (self, config, vision);
  return dyno_config_check (config, NULL);
}

static void
build_vision (DynoGraph *graph, DynoConfig *config)
{
  g_auto (QwenVl) self = { 0 };

  if (read_qwen_vl (&self, config))
    {
      gint64 whole = self.side * self.square * self.patch_side;
      const char *pixels = dyno_tower_add_pixels (graph, self.n_channels, whole, whole);
      const gint64 table[] = { count_patches (&self), self.tower.width };
      const char *value;
      guint place;

      dyno_graph_push_scope (graph, "visual");
      value = dyno_tower_cut_frames (graph, "patch_embed.proj", pixels, self.tower.width, self.n_frames,
                                     self.patch_side, self.version == QWEN3);
      if (self.version == QWEN3)
        {
          dyno_graph_push_scope (graph, "pos_embed");
          value = dyno_graph_add (graph, "Add", NULL, value,
                                  dyno_graph_add_weight (graph, "weight", 0, 0.02, 2, table), NULL);
          dyno_graph_pop_scope (graph);
        }
      value = sort_patches (&self, graph, value);
      add_rotation (&self, graph);
      for (gint64 i = 0, n_layers = self.tower.n_layers; i < n_layers; i++)
        {
          DynoTower layer = self.tower;

          layer.first_layer = i;
          layer.n_layers = i + 1;
          layer.window = holds (self.whole, i, &place) || self.whole == NULL
                             ? count_patches (&self)
                             : self.window * self.window * self.square * self.square;
          value = dyno_tower_add (&layer, graph, value, NULL);
          if (holds (self.inner, i, &place))
            give_inner (&self, graph, place, value);
        }
      dyno_graph_push_scope (graph, "merger");
      value = self.version == QWEN3 ? merge (&self, graph, "norm", "linear_fc1", "linear_fc2", value)
                                    : merge (&self, graph, "ln_q", "mlp.0", "mlp.2", value);
      dyno_graph_pop_scope (graph);
      dyno_graph_pop_scope (graph);
      dyno_fusion_give (graph, DYNO_FUSION_FEATURES, value);
    }
}

static void
build_fusion (DynoGraph *graph, DynoConfig *config)
{
  g_auto (QwenVl) self = { 0 };

  if (read_qwen_vl (&self, config))
    dyno_fusion_add (&self.decoder, graph, self.picture_token, self.side * self.side);
}

static void
build_decoder (DynoGraph *graph, DynoConfig *config)
{
  g_auto (QwenVl) self = { 0 };

  if (read_qwen_vl (&self, config))
    dyno_fusion_add_decoder (&self.decoder, graph);
}

static const DynoStage stages[] = {
  { "vision", build_vision, TRUE },
  { "fusion", build_fusion },
  { "decoder", build_decoder },
  { NULL },
};

static const DynoNamePair pairs[] = { { "language_model.model.", "model." },
                                      { "language_model.lm_head.", "lm_head." },
                                      { NULL } };
static const DynoNamePair qwen3_pairs[] = { { "visual.", "model.visual." },
                                            { "language_model.model.", "model.language_model." },
                                            { "language_model.lm_head.", "lm_head." },
                                            { NULL } };
static const DynoNaming naming = { NULL, pairs };
static const DynoNaming qwen3_naming = { NULL, qwen3_pairs };

const DynoArchitecture dyno_qwen_vl_architectures[] = {
  { "qwen2_vl", &dyno_multimodal_family, "image-text-to-text", NULL, &naming, stages },
  { "qwen2_5_vl", &dyno_multimodal_family, "image-text-to-text", NULL, &naming, stages },
  { "qwen3_vl", &dyno_multimodal_family, "image-text-to-text", NULL, &qwen3_naming, stages },
  { NULL },
};
