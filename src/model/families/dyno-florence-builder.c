/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>

#include "dyno-architecture.h"
#include "dyno-config-checks.h"
#include "dyno-fusion.h"
#include "dyno-layers.h"
#include "dyno-model-families-private.h"
#include "dyno-model-graph-private.h"

/* Florence-2, Xiao et al. 2023: a DaViT (Ding et al. 2022), in which attention within windows alternates with attention
 * between channels, and a BART that reads the picture together with a text. */

#define EPSILON  1e-5
#define LANGUAGE "model.language_model"
#define MAX_SIDE 4096

/* The side of the published preprocessors, which configs omit. */
#define USUAL_SIDE 768

typedef struct
{
  GArray *widths;
  GArray *depths;
  GArray *heads;
  GArray *groups;
  GArray *kernels;
  GArray *strides;
  GArray *paddings;
  gint64 side;
  gint64 n_channels;
  gint64 window;
  gint64 n_rows;  /* of the tables of positions */
  gint64 n_times; /* of the table of pictures in a film */
  gint64 picture_token;
  gboolean has_input_bias;
  double inner_share;
  const char *activation;
  DynoSeq2seq text;
} Florence;

/* The context of a block: its pictures have @side × @side places of @width channels. */
typedef struct
{
  const Florence *model;
  DynoGraph *graph;
  gint64 side;
  gint64 width;
  gint64 n_heads;
  gint64 n_groups;
} Stage;

typedef const char *(*Attend) (const Stage *self, const char *value);

static const char *
to_picture (const Stage *self, const char *value)
{
  const gint64 target[] = { 0, self->width, self->side, self->side };

  value = dyno_graph_add (self->graph, "Transpose", "perm=[0,2,1]", value, NULL);
  return dyno_layers_reshape (self->graph, value, 4, target);
}

static void
add_projections (const Stage *self, const char *value, const char *parts[3])
{
  const gint64 sizes[] = { self->width, self->width, self->width };

  value = dyno_layers_linear (self->graph, "qkv", value, 3 * self->width, self->model->has_input_bias);
  dyno_graph_add_split (self->graph, value, 2, 3, sizes, parts);
}

static const char *
attend_in_windows (const Stage *self, const char *value)
{
  DynoGraph *graph = self->graph;
  const char *parts[3];

  dyno_graph_push_scope (graph, "window_attn");
  add_projections (self, dyno_windows_cut (graph, value, self->side, self->model->window), parts);
  for (guint i = 0; i < 3; i++)
    parts[i] = dyno_layers_split_heads (graph, parts[i], self->n_heads);
  value = dyno_layers_attention (graph, parts[0], parts[1], parts[2], NULL, dyno_graph_get_real_type (graph));
  value = dyno_layers_linear (graph, "proj", value, self->width, TRUE);
  value = dyno_windows_join (graph, value, self->side, self->model->window);
  dyno_graph_pop_scope (graph);
  return value;
}

/* Within each group the channels attend to each other, with all places of the picture as their width. */
static const char *
attend_between_channels (const Stage *self, const char *value)
{
  DynoGraph *graph = self->graph;
  gint64 n_places = self->side * self->side, n_channels = self->width / self->n_groups;
  const gint64 grouped[] = { 0, 0, self->n_groups, n_channels };
  const gint64 joined[] = { 0, n_channels, self->n_groups, n_places };
  const gint64 tokens[] = { 0, n_places, self->width };
  const char *parts[3];

  dyno_graph_push_scope (graph, "channel_attn");
  add_projections (self, value, parts);
  for (guint i = 0; i < 3; i++)
    parts[i] = dyno_graph_add (graph, "Transpose", "perm=[0,2,3,1]",
                               dyno_layers_reshape (graph, parts[i], 4, grouped), NULL);
  value = dyno_layers_attention (graph, parts[0], parts[1], parts[2], NULL, dyno_graph_get_real_type (graph));
  value = dyno_graph_add (graph, "Transpose", "perm=[0,3,2,1]", dyno_layers_reshape (graph, value, 4, joined),
                          NULL);
  value =
      dyno_layers_linear (graph, "proj", dyno_layers_reshape (graph, value, 3, tokens), self->width, TRUE);
  dyno_graph_pop_scope (graph);
  return value;
}

/* Adds a convolution over the neighbours of each place, and continues with tokens. */
static const char *
add_neighbours (const Stage *self, const char *name, const char *value)
{
  const DynoConvolution convolution = { self->width, 3, 1, 1, self->width, .has_bias = TRUE };
  const char *inner = dyno_convolution_add (&convolution, self->graph, name, value);

  return dyno_layers_to_tokens (self->graph, dyno_graph_add (self->graph, "Add", NULL, inner, value, NULL));
}

static const char *
add_block (const Stage *self, const char *scope, Attend attend, const char *value)
{
  DynoGraph *graph = self->graph;
  gint64 inner_width = (gint64)((double)self->width * self->model->inner_share);
  const char *inner;

  dyno_graph_push_scope (graph, "%s", scope);
  value = add_neighbours (self, "conv1", value);
  inner = attend (self, dyno_layers_layer_norm (graph, "norm1", value, EPSILON));
  value = dyno_graph_add (graph, "Add", NULL, value, inner, NULL);
  value = add_neighbours (self, "conv2", to_picture (self, value));
  inner = dyno_layers_layer_norm (graph, "norm2", value, EPSILON);
  inner = dyno_layers_linear (graph, "ffn.fc1", inner, inner_width, TRUE);
  inner = dyno_layers_activation (graph, self->model->activation, inner);
  inner = dyno_layers_linear (graph, "ffn.fc2", inner, self->width, TRUE);
  value = to_picture (self, dyno_graph_add (graph, "Add", NULL, value, inner, NULL));
  dyno_graph_pop_scope (graph);
  return value;
}

static gint64
shrink (const Florence *self, guint stage, gint64 side)
{
  return (side - 1) / dyno_config_get_item (self->strides, stage) + 1;
}

static void
add_vision (const Florence *self, DynoGraph *graph)
{
  Stage stage = { .model = self, .graph = graph, .side = self->side };
  const char *value = dyno_tower_add_pixels (graph, self->n_channels, self->side, self->side);

  dyno_graph_push_scope (graph, "model.vision_tower");
  for (guint i = 0; i < self->widths->len; i++)
    {
      stage.side = shrink (self, i, stage.side);
      stage.width = dyno_config_get_item (self->widths, i);
      stage.n_heads = dyno_config_get_item (self->heads, i);
      stage.n_groups = dyno_config_get_item (self->groups, i);

      /* All stages but the first normalise their input, not the result of their convolution. */
      const DynoConvolution patches = { stage.width,
                                        dyno_config_get_item (self->kernels, i),
                                        dyno_config_get_item (self->strides, i),
                                        1,
                                        1,
                                        .has_bias = TRUE };
      dyno_graph_push_scope (graph, "convs.%u", i);
      if (i > 0)
        value = dyno_convolution_normalize_places (graph, "norm", value, EPSILON);
      value = dyno_convolution_add (&patches, graph, "conv", value);
      if (i == 0)
        value = dyno_convolution_normalize_places (graph, "norm", value, EPSILON);
      dyno_graph_pop_scope (graph);
      for (gint64 k = 0; k < dyno_config_get_item (self->depths, i); k++)
        {
          dyno_graph_push_scope (graph, "blocks.%u.%" PRId64, i, k);
          value = add_block (&stage, "spatial_block", attend_in_windows, value);
          value = add_block (&stage, "channel_block", attend_between_channels, value);
          dyno_graph_pop_scope (graph);
        }
    }
  value = dyno_layers_to_tokens (graph, value);
  dyno_graph_pop_scope (graph);
  dyno_fusion_give (graph, DYNO_FUSION_STATES, value);
}

static gint64
get_last_side (const Florence *self)
{
  gint64 side = self->side;

  for (guint i = 0; i < self->widths->len; i++)
    side = shrink (self, i, side);
  return side;
}

/* A picture is the first and only one of a film; the mean of its places is one more token, before them. */
static void
add_projector (const Florence *self, DynoGraph *graph)
{
  gint64 side = get_last_side (self), width = dyno_config_get_item (self->widths, self->widths->len - 1);
  const gint64 times[] = { self->n_times, width };
  const char *value = dyno_fusion_take (graph, DYNO_FUSION_STATES, side * side, width);
  const char *time, *mean, *row, *column;

  dyno_graph_push_scope (graph, "model.multi_modal_projector");

  /* Half of the width of a place is for its column, the other half for its row: [places, width]. */
  gint64 n_places = side * side;
  g_autofree gint64 *rows = g_new (gint64, n_places), *columns = g_new (gint64, n_places);

  for (gint64 i = 0; i < n_places; i++)
    {
      rows[i] = i / side;
      columns[i] = i % side;
    }
  dyno_graph_push_scope (graph, "image_position_embed");
  column = dyno_layers_embedding (graph, "column_embeddings",
                                  dyno_graph_add_ints (graph, (guint)n_places, columns), self->n_rows,
                                  width - width / 2);
  row = dyno_layers_embedding (graph, "row_embeddings", dyno_graph_add_ints (graph, (guint)n_places, rows),
                               self->n_rows, width / 2);
  row = dyno_graph_add (graph, "Concat", "axis=1", column, row, NULL);
  dyno_graph_pop_scope (graph);
  value = dyno_graph_add (graph, "Add", NULL, value, row, NULL);
  time = dyno_graph_add_buffer (graph, "visual_temporal_embed.pos_idx_to_embed", 0, G_SQRT2 / 2, 2, times);
  time = dyno_graph_add (graph, "Gather", "axis=0", time, dyno_graph_add_int (graph, 0), NULL);
  value = dyno_graph_add (graph, "Add", NULL, value, time, NULL);
  mean = dyno_graph_add (graph, "ReduceMean", "axes=[1] keepdims=1", value, NULL);
  value = dyno_graph_add (graph, "Concat", "axis=1", mean, value, NULL);
  value = dyno_layers_linear (graph, "image_projection", value, self->text.encoder.width, FALSE);
  value = dyno_layers_layer_norm (graph, "image_proj_norm", value, EPSILON);
  dyno_graph_pop_scope (graph);
  dyno_fusion_give (graph, DYNO_FUSION_FEATURES, value);
}

static void
add_fusion (const Florence *self, DynoGraph *graph)
{
  gint64 side = get_last_side (self);
  const char *ids = dyno_seq2seq_add_tokens (&self->text, graph);
  const char *features =
      dyno_fusion_take (graph, DYNO_FUSION_FEATURES, side * side + 1, self->text.encoder.width);
  const char *value;

  dyno_graph_push_scope (graph, LANGUAGE);
  value = dyno_seq2seq_embed (&self->text, graph, &self->text.encoder, ids);
  dyno_graph_pop_scope (graph);
  dyno_fusion_insert (graph, ids, value, self->picture_token, features);
}

static void
add_encoder (const Florence *self, DynoGraph *graph)
{
  dyno_seq2seq_add_encoder (&self->text, graph, LANGUAGE, NULL,
                            dyno_fusion_take_text (graph, self->text.encoder.width));
}

static void
add_decoder (const Florence *self, DynoGraph *graph)
{
  dyno_graph_push_scope (graph, LANGUAGE);
  dyno_seq2seq_add_decoder (&self->text, graph, "sequence", TRUE);
  dyno_graph_pop_scope (graph);
}

static void
check_vision (const Florence *self, DynoConfig *config)
{
  GArray *const lists[] = { self->heads, self->groups, self->kernels, self->strides, self->paddings };

  dyno_config_check_stages (config, "embed_dim", self->widths, self->depths);
  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    if (lists[i]->len != self->widths->len)
      {
        dyno_config_fail (config, _ ("its lists of stages (“embed_dim” and others) are not equally long"));
        return;
      }
  for (guint i = 0; i < self->widths->len; i++)
    {
      gint64 width = dyno_config_get_item (self->widths, i);

      dyno_config_check_heads (config, &(DynoConfigFields){ .width = "embed_dim", .heads = "num_heads" },
                               width, dyno_config_get_item (self->heads, i));
      dyno_config_check_heads (config, &(DynoConfigFields){ .width = "embed_dim", .heads = "num_groups" },
                               width, dyno_config_get_item (self->groups, i));
      dyno_config_check_share (config, "mlp_ratio", self->inner_share, width);
      if (dyno_config_get_item (self->kernels, i) % 2 == 0 ||
          dyno_config_get_item (self->paddings, i) != dyno_config_get_item (self->kernels, i) / 2)
        dyno_config_fail (config, _ ("its “%s” are not half of its “%s”"), "patch_padding", "patch_size");
    }

  /* The published order: only the first stage normalises after its convolution. */
  JsonArray *norms = dyno_config_get_array (config, "patch_prenorm");

  if (norms == NULL || json_array_get_length (norms) != self->widths->len)
    dyno_config_fail (config, _ ("its lists of stages (“embed_dim” and others) are not equally long"));
  for (guint i = 0; norms != NULL && i < json_array_get_length (norms); i++)
    if (json_node_get_value_type (json_array_get_element (norms, i)) != G_TYPE_BOOLEAN ||
        json_array_get_boolean_element (norms, i) != (i > 0))
      dyno_config_fail (config, _ ("its “%s” hold a value that is not supported"), "patch_prenorm");

  if (self->side > MAX_SIDE)
    dyno_config_fail (config, _ ("its “%s” is larger than %d"), "image_size", MAX_SIDE);
  else if (get_last_side (self) > self->n_rows)
    dyno_config_fail (config, _ ("its “%s” is smaller than the number of places in a row"),
                      "max_position_embeddings");
  dyno_config_check_activation (config, "activation_function", self->activation);
}

static const DynoConfigFixed fixed[] = { { "tie_word_embeddings", "true" } };
static const DynoConfigFixed fixed_vision[] = { { "model_type", "\"florence_vision\"" } };
static const DynoConfigFixed fixed_text[] = { { "model_type", "\"bart\"" },
                                              { "tie_word_embeddings", "true" } };

#define USUAL_VISION                                                                                         \
  "{\"depths\": [1, 1, 9, 1], \"patch_size\": [7, 3, 3, 3], \"patch_stride\": [4, 2, 2, 2], "                \
  "\"patch_padding\": [3, 1, 1, 1], \"patch_prenorm\": [false, true, true, true], "                          \
  "\"embed_dim\": [128, 256, 512, 1024], \"num_heads\": [4, 8, 16, 32], \"num_groups\": [4, 8, 16, 32]}"

static void
florence_clear (Florence *self)
{
  GArray *const lists[] = { self->widths,  self->depths,  self->heads,   self->groups,
                            self->kernels, self->strides, self->paddings };

  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    g_array_unref (lists[i]);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Florence, florence_clear)

static void
build (DynoGraph *graph, DynoConfig *config, void (*add) (const Florence *self, DynoGraph *graph))
{
  DynoConfig *vision = dyno_config_get_child (config, "vision_config");
  DynoConfig *text = dyno_config_get_child (config, "text_config");
  g_auto (Florence) self = { .text = dyno_seq2seq_read_bart (text) };

  self.text.encoder.scope = "encoder";
  self.text.decoder.scope = "decoder";
  self.text.shared = "shared";
  self.text.has_logits_bias = FALSE;
  dyno_config_check_fixed (text, fixed_text, G_N_ELEMENTS (fixed_text));
  dyno_seq2seq_check (&self.text, text);
  dyno_config_check_fixed (config, fixed, G_N_ELEMENTS (fixed));
  dyno_config_check_fixed (vision, fixed_vision, G_N_ELEMENTS (fixed_vision));
  self.picture_token = dyno_config_get_int_or (config, "image_token_id", 51289);

  dyno_config_set_defaults (vision, USUAL_VISION);
  self.widths = dyno_config_get_ints (vision, "embed_dim");
  self.depths = dyno_config_get_ints (vision, "depths");
  self.heads = dyno_config_get_ints (vision, "num_heads");
  self.groups = dyno_config_get_ints (vision, "num_groups");
  self.kernels = dyno_config_get_ints (vision, "patch_size");
  self.strides = dyno_config_get_ints (vision, "patch_stride");
  self.paddings = dyno_config_get_places (vision, "patch_padding");
  self.side = dyno_config_get_int_or (vision, "image_size", USUAL_SIDE);
  self.n_channels = dyno_config_get_int_or (vision, "in_channels", 3);
  self.window = dyno_config_get_int_or (vision, "window_size", 12);
  self.n_rows = dyno_config_get_int_or (vision, "max_position_embeddings", 50);
  self.n_times = dyno_config_get_int_or (vision, "max_temporal_embeddings", 100);
  self.has_input_bias = dyno_config_get_boolean_or (vision, "qkv_bias", TRUE);
  self.inner_share = dyno_config_get_double_or (vision, "mlp_ratio", 4);
  self.activation = dyno_config_get_string_or (vision, "activation_function", "gelu");
  check_vision (&self, vision);

  if (dyno_config_get_int_or (vision, "projection_dim", 1024) != self.text.encoder.width)
    dyno_config_fail (vision, _ ("its “projection_dim” is not the “d_model” of “text_config”"));
  dyno_fusion_check_token (config, "image_token_id", self.picture_token, self.text.vocabulary);
  if (dyno_config_check (config, NULL))
    add (&self, graph);
}

static void
build_vision (DynoGraph *graph, DynoConfig *config)
{
  build (graph, config, add_vision);
}

static void
build_projector (DynoGraph *graph, DynoConfig *config)
{
  build (graph, config, add_projector);
}

static void
build_fusion (DynoGraph *graph, DynoConfig *config)
{
  build (graph, config, add_fusion);
}

static void
build_encoder (DynoGraph *graph, DynoConfig *config)
{
  build (graph, config, add_encoder);
}

static void
build_decoder (DynoGraph *graph, DynoConfig *config)
{
  build (graph, config, add_decoder);
}

static const DynoStage stages[] = {
  { "vision", build_vision, TRUE }, { "projector", build_projector, TRUE },
  { "fusion", build_fusion, TRUE }, { "encoder", build_encoder, TRUE },
  { "decoder", build_decoder },     { NULL },
};

/* A tied weight is saved under one of its names. */
static const DynoNamePair pairs[] = { { LANGUAGE ".shared.", "lm_head." },
                                      { LANGUAGE ".shared.", LANGUAGE ".encoder.embed_tokens." },
                                      { NULL } };
static const DynoNaming naming = { "model", pairs };

const DynoArchitecture dyno_florence_architectures[] = {
  { "florence2", &dyno_vision_text_family, "image-text-to-text", NULL, &naming, stages },
  { NULL },
};
