/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-config-checks.h"
#include "dyno-layers.h"
#include "dyno-model-families-private.h"
#include "dyno-model-graph-private.h"
#include "dyno-rotary.h"
#include "dyno-tower.h"

#define EPSILON     1e-6
#define TIME_WIDTH  256
#define MLP_FACTOR  4
#define THETA       10000
#define N_AXES      3
#define FLUX_SIDE   128 /* of the latents of a picture of 1024 × 1024 pixels */
#define FLUX_PATCH  2
#define TIME_FACTOR 1000

/* More than any such model has. */
#define MAX_WIDTH 65536

/* Rows of the table of positions, which is a weight. */
#define MAX_TABLE 1024

struct _DynoJoint
{
  gint64 width;
  gint64 n_heads;
  gint64 n_layers;
  gint64 n_merged; /* layers for picture and text alike, after those with weights for each */
  gint64 n_channels;
  gint64 n_results;
  gint64 states_width;
  gint64 text_width;
  gint64 side;
  gint64 patch_side;
  gint64 table_side;      /* of Stable Diffusion 3: positions are the middle of a table */
  gint64 axes[N_AXES];    /* of Flux: the width of a head that is turned by each coordinate */
  GArray *doubled;        /* layers in which the picture attends to itself once more */
  gboolean has_head_norm; /* of queries and keys */
  gboolean has_guidance;
  gboolean is_flux;
};

/* The names of the weights that a layer has for the picture and for the text. */
typedef struct
{
  const char *norm;
  const char *query;
  const char *key;
  const char *value;
  const char *query_norm;
  const char *key_norm;
  const char *output;
  const char *feed;
} Stream;

static const Stream picture_stream = { "norm1.linear", "to_q",   "to_k",     "to_v",
                                       "norm_q",       "norm_k", "to_out.0", "ff" };
static const Stream text_stream = { "norm1_context.linear", "add_q_proj",   "add_k_proj", "add_v_proj",
                                    "norm_added_q",         "norm_added_k", "to_add_out", "ff_context" };

/* Each [batch, heads, positions, width]. */
typedef struct
{
  const char *query;
  const char *key;
  const char *value;
} Heads;

static const char *
project (const DynoJoint *self, DynoGraph *graph, const char *name, const char *norm, const char *value)
{
  value = dyno_layers_linear (graph, name, value, self->width, TRUE);
  value = dyno_layers_split_heads (graph, value, self->n_heads);
  return norm != NULL && self->has_head_norm ? dyno_layers_rms_norm (graph, norm, value, EPSILON) : value;
}

static Heads
add_heads (const DynoJoint *self, DynoGraph *graph, const Stream *stream, const char *value)
{
  return (Heads){
    .query = project (self, graph, stream->query, stream->query_norm, value),
    .key = project (self, graph, stream->key, stream->key_norm, value),
    .value = project (self, graph, stream->value, NULL, value),
  };
}

static const char *
turn (const DynoJoint *self, DynoGraph *graph, const DynoRotation *rotation, const char *value)
{
  const DynoRotary rotary = { .width = self->width / self->n_heads, .is_interleaved = TRUE };

  return self->is_flux ? dyno_rotary_turn (&rotary, graph, rotation, value) : value;
}

static const char *
attend (const DynoJoint *self, DynoGraph *graph, const Heads *heads, const DynoRotation *rotation)
{
  return dyno_layers_attention (graph, turn (self, graph, rotation, heads->query),
                                turn (self, graph, rotation, heads->key), heads->value, NULL,
                                dyno_graph_get_real_type (graph));
}

/* The positions of a text, or those of a picture after them. */
static const char *
take (DynoGraph *graph, const char *value, const char *text, gboolean is_picture)
{
  const gint64 first = 0, last = G_MAXINT32, axis = 1;
  const char *length = dyno_graph_add (graph, "Shape", "start=1 end=2", text, NULL);

  return dyno_graph_add (graph, "Slice", NULL, value,
                         is_picture ? length : dyno_graph_add_ints (graph, 1, &first),
                         is_picture ? dyno_graph_add_ints (graph, 1, &last) : length,
                         dyno_graph_add_ints (graph, 1, &axis), NULL);
}

/* @parts: the shift, scale and gate of the feed-forward layers */
static const char *
feed (DynoGraph *graph, const Stream *stream, const char *value, const char *const *parts)
{
  const char *inner = dyno_modulation_norm (graph, value, EPSILON, parts[1], parts[0]);

  return dyno_modulation_gate (graph, value, dyno_modulation_feed (graph, stream->feed, inner), parts[2]);
}

/* Nothing reads the text after the last layer of Stable Diffusion 3, which has no layers for it. */
static void
add_layer (const DynoJoint *self,
           DynoGraph *graph,
           guint i,
           const char *condition,
           const DynoRotation *rotation,
           const char **picture,
           const char **text)
{
  gboolean ends_text = !self->is_flux && i + 1 == self->n_layers;
  gboolean is_doubled = dyno_config_has_item (self->doubled, i);
  const char *parts[9], *text_parts[6], *inner, *text_inner, *joined, *again = NULL;
  Heads own, others;

  dyno_modulation_split (graph, picture_stream.norm, condition, self->width, is_doubled ? 9 : 6, parts);
  dyno_modulation_split (graph, text_stream.norm, condition, self->width, ends_text ? 2 : 6, text_parts);
  inner = dyno_modulation_norm (graph, *picture, EPSILON, parts[1], parts[0]);
  text_inner = dyno_modulation_norm (graph, *text, EPSILON, text_parts[ends_text ? 0 : 1],
                                     text_parts[ends_text ? 1 : 0]);
  if (is_doubled)
    {
      const char *value = dyno_modulation_norm (graph, *picture, EPSILON, parts[7], parts[6]);
      Heads heads;

      dyno_graph_push_scope (graph, "attn2");
      heads = add_heads (self, graph, &picture_stream, value);
      value = attend (self, graph, &heads, NULL);
      value = dyno_layers_linear (graph, picture_stream.output, value, self->width, TRUE);
      dyno_graph_pop_scope (graph);
      again = value;
    }

  /* Attention of text and picture to both. */
  dyno_graph_push_scope (graph, "attn");
  own = add_heads (self, graph, &picture_stream, inner);
  others = add_heads (self, graph, &text_stream, text_inner);
  own.query = dyno_graph_add (graph, "Concat", "axis=2", others.query, own.query, NULL);
  own.key = dyno_graph_add (graph, "Concat", "axis=2", others.key, own.key, NULL);
  own.value = dyno_graph_add (graph, "Concat", "axis=2", others.value, own.value, NULL);
  joined = attend (self, graph, &own, rotation);
  inner = dyno_layers_linear (graph, picture_stream.output, take (graph, joined, text_inner, TRUE),
                              self->width, TRUE);
  if (!ends_text)
    text_inner = dyno_layers_linear (graph, text_stream.output, take (graph, joined, text_inner, FALSE),
                                     self->width, TRUE);
  dyno_graph_pop_scope (graph);
  *picture = dyno_modulation_gate (graph, *picture, inner, parts[2]);
  if (again != NULL)
    *picture = dyno_modulation_gate (graph, *picture, again, parts[8]);
  *picture = feed (graph, &picture_stream, *picture, parts + 3);
  if (ends_text)
    return;
  *text = dyno_modulation_gate (graph, *text, text_inner, text_parts[2]);
  *text = feed (graph, &text_stream, *text, text_parts + 3);
}

/* Counts the patches in a column, or in a row: a list of one. */
static const char *
count_patches (const DynoJoint *self, DynoGraph *graph, const char *sample, guint axis)
{
  g_autofree char *attributes = g_strdup_printf ("start=%u end=%u", axis, axis + 1);

  return dyno_graph_add (graph, "Div", NULL, dyno_graph_add (graph, "Shape", attributes, sample, NULL),
                         dyno_graph_add_ints (graph, 1, &self->patch_side), NULL);
}

const char *
dyno_joint_count_tokens (const DynoJoint *self, DynoGraph *graph, const char *sample)
{
  return dyno_graph_add (graph, "Mul", NULL, count_patches (self, graph, sample, 2),
                         count_patches (self, graph, sample, 3), NULL);
}

static const char *
cut_patches (
    const DynoJoint *self, DynoGraph *graph, const char *sample, const char *rows, const char *columns)
{
  const gint64 batch = 0, packed[] = { 0, -1, self->n_channels * FLUX_PATCH * FLUX_PATCH };
  const char *value, *n_channels, *side, *shape;

  if (self->is_flux)
    {
      /* Patches as tokens, the channels of a patch first, as Flux packs them. */
      n_channels = dyno_graph_add_ints (graph, 1, &self->n_channels);
      side = dyno_graph_add_ints (graph, 1, &self->patch_side);
      shape = dyno_graph_add (graph, "Concat", "axis=0", dyno_graph_add_ints (graph, 1, &batch), n_channels,
                              rows, side, columns, side, NULL);
      value = dyno_graph_add (graph, "Reshape", NULL, sample, shape, NULL);
      value = dyno_graph_add (graph, "Transpose", "perm=[0,2,4,1,3,5]", value, NULL);
      value = dyno_layers_reshape (graph, value, 3, packed);
      return dyno_layers_linear (graph, "x_embedder", value, self->width, TRUE);
    }
  dyno_graph_push_scope (graph, "pos_embed");
  value = dyno_tower_cut_patches (graph, "proj", sample, self->width, self->patch_side, TRUE);

  /* The middle of a table of positions, as large as the picture. */
  gint64 n = self->table_side;
  const gint64 dims[] = { 1, n * n, self->width }, square[] = { n, n, self->width };
  const gint64 flat[] = { 1, -1, self->width }, axes[] = { 0, 1 }, two = 2;
  const char *table = dyno_graph_add_buffer (graph, "pos_embed", 0, G_SQRT2 / 2, 3, dims);
  const char *sizes = dyno_graph_add (graph, "Concat", "axis=0", rows, columns, NULL);
  const char *first = dyno_graph_add (graph, "Sub", NULL, dyno_graph_add_ints (graph, 1, &n), sizes, NULL);

  first = dyno_graph_add (graph, "Div", NULL, first, dyno_graph_add_ints (graph, 1, &two), NULL);
  sizes = dyno_graph_add (graph, "Add", NULL, first, sizes, NULL);
  table = dyno_layers_reshape (graph, table, 3, square);
  table =
      dyno_graph_add (graph, "Slice", NULL, table, first, sizes, dyno_graph_add_ints (graph, 2, axes), NULL);
  value = dyno_graph_add (graph, "Add", NULL, value, dyno_layers_reshape (graph, table, 3, flat), NULL);
  dyno_graph_pop_scope (graph);
  return value;
}

/* The angles of all rows or all columns: [rows, 1, pairs] or [columns, pairs] */
static const char *
add_angles (const DynoJoint *self, DynoGraph *graph, const char *count, guint axis)
{
  const gint64 first = 0, shapes[][3] = { { -1, 1, 1 }, { -1, 1 } };
  const char *end =
      dyno_graph_add (graph, "Squeeze", NULL, count, dyno_graph_add_ints (graph, 1, &first), NULL);
  const char *places = dyno_relative_range (graph, dyno_graph_add_int (graph, 0), end);

  places = dyno_layers_cast (graph, places, DYNO_DATA_TYPE_FLOAT);
  places = dyno_layers_reshape (graph, places, axis == 1 ? 3 : 2, shapes[axis - 1]);

  /* The angle by which each pair of numbers of a head is rotated from one row or column to the next. */
  g_autoptr (GArray) frequencies = g_array_new (FALSE, FALSE, sizeof (float));

  for (guint i = 0; i < N_AXES; i++)
    for (gint64 k = 0; k < self->axes[i] / 2; k++)
      {
        float frequency = i == axis ? (float)pow (THETA, -2.0 * (double)k / (double)self->axes[i]) : 0;

        g_array_append_val (frequencies, frequency);
      }
  return dyno_graph_add (
      graph, "Mul", NULL, places,
      dyno_graph_add_floats (graph, frequencies->len, &g_array_index (frequencies, float, 0)), NULL);
}

/* All tokens of a text are at the same place; those of a picture are at their rows and columns. */
static DynoRotation
add_rotation (
    const DynoJoint *self, DynoGraph *graph, const char *text, const char *rows, const char *columns)
{
  gint64 n_pairs = self->width / self->n_heads / 2;
  const gint64 flat[] = { -1, n_pairs }, axes[] = { 0, 1 };
  DynoRotation rotation = { NULL };
  const char *angles, *length;

  if (!self->is_flux)
    return rotation;
  dyno_graph_push_scope (graph, "pos_embed");
  angles = dyno_graph_add (graph, "Add", NULL, add_angles (self, graph, rows, 1),
                           add_angles (self, graph, columns, 2), NULL);
  angles = dyno_layers_reshape (graph, angles, 2, flat);
  length =
      dyno_graph_add (graph, "Concat", "axis=0", dyno_graph_add (graph, "Shape", "start=1 end=2", text, NULL),
                      dyno_graph_add_ints (graph, 1, &n_pairs), NULL);
  length = dyno_graph_add (graph, "Expand", NULL, dyno_graph_add_float (graph, 0), length, NULL);
  angles = dyno_graph_add (graph, "Concat", "axis=0", length, angles, NULL);
  angles = dyno_graph_add (graph, "Concat", "axis=1", angles, angles, NULL);
  angles = dyno_graph_add (graph, "Unsqueeze", NULL, angles, dyno_graph_add_ints (graph, 2, axes), NULL);
  rotation.cosine = dyno_layers_cast (graph, dyno_graph_add (graph, "Cos", NULL, angles, NULL),
                                      dyno_graph_get_real_type (graph));
  rotation.sine = dyno_layers_cast (graph, dyno_graph_add (graph, "Sin", NULL, angles, NULL),
                                    dyno_graph_get_real_type (graph));
  dyno_graph_pop_scope (graph);
  return rotation;
}

/* Timestep, guidance and text as a whole. */
static const char *
add_condition (const DynoJoint *self, DynoGraph *graph, const DynoJointInputs *inputs)
{
  const DynoDiffusionTime numbers = { TIME_WIDTH, TRUE, 0 };
  const char *value, *other;

  dyno_graph_push_scope (graph, "time_text_embed");
  value = dyno_diffusion_embed_number (&numbers, graph, inputs->timestep);
  value = dyno_diffusion_embed (graph, "timestep_embedder", value, self->width, "silu");
  if (self->has_guidance)
    {
      other = dyno_layers_cast (graph, inputs->guidance, DYNO_DATA_TYPE_FLOAT);
      other = dyno_graph_add (graph, "Mul", NULL, other, dyno_graph_add_float (graph, TIME_FACTOR), NULL);
      other = dyno_diffusion_embed_number (&numbers, graph, other);
      other = dyno_diffusion_embed (graph, "guidance_embedder", other, self->width, "silu");
      value = dyno_graph_add (graph, "Add", NULL, value, other, NULL);
    }
  other = dyno_diffusion_embed (graph, "text_embedder", inputs->text, self->width, "silu");
  value = dyno_graph_add (graph, "Add", NULL, value, other, NULL);
  value = dyno_layers_activation (graph, "silu", value);
  dyno_graph_pop_scope (graph);
  return value;
}

/* Turns tokens into latents again; Flux has the channels of a patch first, Stable Diffusion 3 last. */
static const char *
finish (const DynoJoint *self,
        DynoGraph *graph,
        const char *value,
        const char *condition,
        const char *rows,
        const char *columns)
{
  gint64 patch = self->patch_side, n = self->n_results;
  const gint64 batch = 0, inner[] = { patch, patch, n }, packed[] = { n, patch, patch };
  const char *parts[2], *shape, *side = dyno_graph_add_ints (graph, 1, &patch);

  dyno_modulation_split (graph, "norm_out.linear", condition, self->width, G_N_ELEMENTS (parts), parts);
  value = dyno_modulation_norm (graph, value, EPSILON, parts[0], parts[1]);
  value = dyno_layers_linear (graph, "proj_out", value, patch * patch * n, TRUE);
  dyno_graph_push_scope (graph, "proj_out");
  shape = dyno_graph_add (graph, "Concat", "axis=0", dyno_graph_add_ints (graph, 1, &batch), rows, columns,
                          dyno_graph_add_ints (graph, 3, self->is_flux ? packed : inner), NULL);
  value = dyno_graph_add (graph, "Reshape", NULL, value, shape, NULL);
  value = dyno_graph_add (graph, "Transpose", self->is_flux ? "perm=[0,3,1,4,2,5]" : "perm=[0,5,1,3,2,4]",
                          value, NULL);
  shape = dyno_graph_add (graph, "Concat", "axis=0", dyno_graph_add_ints (graph, 1, &batch),
                          dyno_graph_add_ints (graph, 1, &n),
                          dyno_graph_add (graph, "Mul", NULL, rows, side, NULL),
                          dyno_graph_add (graph, "Mul", NULL, columns, side, NULL), NULL);
  value = dyno_graph_add (graph, "Reshape", NULL, value, shape, NULL);
  dyno_graph_pop_scope (graph);
  return value;
}

const char *
dyno_joint_add (const DynoJoint *self, DynoGraph *graph, const DynoJointInputs *inputs)
{
  const char *rows = count_patches (self, graph, inputs->sample, 2);
  const char *columns = count_patches (self, graph, inputs->sample, 3);
  const char *condition = add_condition (self, graph, inputs);
  const char *picture = cut_patches (self, graph, inputs->sample, rows, columns);
  const char *text = dyno_layers_linear (graph, "context_embedder", inputs->states, self->width, TRUE);
  const DynoRotation rotation = add_rotation (self, graph, text, rows, columns);

  for (guint i = 0; i < self->n_layers; i++)
    {
      dyno_graph_push_scope (graph, "transformer_blocks.%u", i);
      add_layer (self, graph, i, condition, &rotation, &picture, &text);
      dyno_graph_pop_scope (graph);
    }
  if (self->n_merged > 0)
    picture = dyno_graph_add (graph, "Concat", "axis=1", text, picture, NULL);
  for (guint i = 0; i < self->n_merged; i++)
    {
      dyno_graph_push_scope (graph, "single_transformer_blocks.%u", i);

      /* Attention and feed-forward layers in parallel, for the text and the picture after it. */
      const char *parts[3], *inner, *outer;
      Heads heads;

      dyno_modulation_split (graph, "norm.linear", condition, self->width, G_N_ELEMENTS (parts), parts);
      inner = dyno_modulation_norm (graph, picture, EPSILON, parts[1], parts[0]);
      outer = dyno_layers_linear (graph, "proj_mlp", inner, MLP_FACTOR * self->width, TRUE);
      outer = dyno_layers_activation (graph, "gelu_pytorch_tanh", outer);
      dyno_graph_push_scope (graph, "attn");
      heads = add_heads (self, graph, &picture_stream, inner);
      inner = attend (self, graph, &heads, &rotation);
      dyno_graph_pop_scope (graph);
      inner = dyno_graph_add (graph, "Concat", "axis=2", inner, outer, NULL);
      inner = dyno_layers_linear (graph, "proj_out", inner, self->width, TRUE);
      picture = dyno_modulation_gate (graph, picture, inner, parts[2]);
      dyno_graph_pop_scope (graph);
    }
  if (self->n_merged > 0)
    picture = take (graph, picture, text, TRUE);
  return finish (self, graph, picture, condition, rows, columns);
}

static void
check (const DynoJoint *self, DynoConfig *config)
{
  if (self->width > MAX_WIDTH)
    dyno_config_fail (config, _ ("its “num_attention_heads” and “attention_head_dim” make a width over %d"),
                      MAX_WIDTH);
  dyno_config_check_layers (config, "num_layers", self->n_layers);
  if (self->side % self->patch_side != 0)
    dyno_config_fail (config, _ ("its “sample_size” is no multiple of its “patch_size”"));
}

/* Reads the members that both have, with the defaults of Flux. */
static DynoJoint *
new_joint (DynoConfig *config, gint64 n_heads, gint64 head_width, gint64 n_layers)
{
  DynoJoint *self = g_new0 (DynoJoint, 1);

  self->n_heads = dyno_config_get_int_or (config, "num_attention_heads", n_heads);
  self->width = self->n_heads * dyno_config_get_int_or (config, "attention_head_dim", head_width);
  self->n_layers = dyno_config_get_int_or (config, "num_layers", n_layers);
  self->states_width = dyno_config_get_int_or (config, "joint_attention_dim", 4096);
  return self;
}

DynoJoint *
dyno_joint_new_flux (DynoConfig *config)
{
  static const DynoConfigFixed fixed = { "patch_size", "1" };
  const gint64 n_packed = FLUX_PATCH * FLUX_PATCH;
  DynoJoint *self = new_joint (config, 24, 128, 19);
  gint64 n_channels = dyno_config_get_int_or (config, "in_channels", 64);
  gint64 n_results = dyno_config_get_int_or (config, "out_channels", n_channels);

  dyno_config_set_defaults (config, "{\"axes_dims_rope\": [16, 56, 56]}");
  dyno_config_check_fixed (config, &fixed, 1);
  self->is_flux = self->has_head_norm = TRUE;
  self->n_merged = dyno_config_get_count_or (config, "num_single_layers", 38);
  self->text_width = dyno_config_get_int_or (config, "pooled_projection_dim", 768);
  self->has_guidance = dyno_config_get_boolean_or (config, "guidance_embeds", FALSE);
  self->side = FLUX_SIDE;
  self->patch_side = FLUX_PATCH;
  self->n_channels = n_channels / n_packed;
  self->n_results = n_results / n_packed;
  self->doubled = g_array_new (FALSE, FALSE, sizeof (gint64));

  /* Pairs of numbers of a head are rotated by a place in the text, a row and a column; the first is always 0. */
  g_autoptr (GArray) axes = dyno_config_get_ints (config, "axes_dims_rope");
  gint64 sum = 0;

  for (guint i = 0; i < N_AXES; i++)
    {
      self->axes[i] = i < axes->len ? g_array_index (axes, gint64, i) : 0;
      if (self->axes[i] % 2 != 0)
        dyno_config_fail (config, _ ("its “%s” holds an odd number"), "axes_dims_rope");
      sum += self->axes[i];
    }
  if (axes->len != N_AXES || sum != self->width / self->n_heads)
    dyno_config_fail (
        config, _ ("its “axes_dims_rope” are not three widths that add up to its “attention_head_dim”"));

  dyno_config_check_layers (config, "num_single_layers", self->n_merged);
  if (n_channels % n_packed != 0 || n_results % n_packed != 0)
    dyno_config_fail (config, _ ("its “in_channels” and “out_channels” are no multiples of 4, but each token "
                                 "is four pixels of the latents"));
  check (self, config);
  return self;
}

DynoJoint *
dyno_joint_new_sd3 (DynoConfig *config)
{
  DynoJoint *self = new_joint (config, 18, 64, 18);
  const char *norm = dyno_config_get_string_or (config, "qk_norm", "");

  self->n_channels = dyno_config_get_int_or (config, "in_channels", 16);
  self->n_results = dyno_config_get_int_or (config, "out_channels", self->n_channels);
  self->text_width = dyno_config_get_int_or (config, "pooled_projection_dim", 2048);
  self->side = dyno_config_get_int_or (config, "sample_size", 128);
  self->patch_side = dyno_config_get_int_or (config, "patch_size", 2);
  self->table_side = dyno_config_get_int_or (config, "pos_embed_max_size", 96);
  self->doubled = dyno_config_get_indices (config, "dual_attention_layers");
  if (self->doubled == NULL)
    self->doubled = g_array_new (FALSE, FALSE, sizeof (gint64));
  dyno_config_check_indices (config, "dual_attention_layers", self->n_layers);
  self->has_head_norm = *norm != '\0';
  if (*norm != '\0' && !g_str_equal (norm, "rms_norm"))
    dyno_config_fail (config, _ ("Dyno does not know “%s” of its “%s”"), norm, "qk_norm");
  if (dyno_config_get_int_or (config, "caption_projection_dim", 1152) != self->width)
    dyno_config_fail (config, _ ("its “caption_projection_dim” is not the product of its "
                                 "“num_attention_heads” and “attention_head_dim”"));

  if (self->table_side > MAX_TABLE || self->table_side < self->side / self->patch_side)
    dyno_config_fail (
        config, _ ("its “pos_embed_max_size” must be between the patches of a side of “sample_size” and %d"),
        MAX_TABLE);

  check (self, config);
  return self;
}

void
dyno_joint_free (DynoJoint *self)
{
  g_array_unref (self->doubled);
  g_free (self);
}

gint64
dyno_joint_get_n_channels (const DynoJoint *self)
{
  return self->n_channels;
}

gint64
dyno_joint_get_n_results (const DynoJoint *self)
{
  return self->n_results;
}

gint64
dyno_joint_get_side (const DynoJoint *self)
{
  return self->side;
}

gint64
dyno_joint_get_states_width (const DynoJoint *self)
{
  return self->states_width;
}

gint64
dyno_joint_get_text_width (const DynoJoint *self)
{
  return self->text_width;
}

gboolean
dyno_joint_has_guidance (const DynoJoint *self)
{
  return self->has_guidance;
}
