/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "dyno-config-checks.h"
#include "dyno-decoder.h"
#include "dyno-fusion.h"
#include "dyno-layers.h"
#include "dyno-model-families-private.h"
#include "dyno-model-graph-private.h"
#include "dyno-model.h"

/* Total of all layers: several times that of the largest mixtures. */
#define MAX_EXPERTS 100000

/* GroupQueryAttention only takes heads whose width is a multiple of this. */
#define FUSED_WIDTH 8

#define HEAD_BIAS_DEVIATION 0.02

#define CACHE_PREFIX "past_key_values."

/* An outline has the layers of a pattern three times: first, last and for all between them. */
#define N_BUILT 3

/* Longer than any published pattern of layers. */
#define LONGEST_PATTERN 16

const DynoDecoderLayer *
dyno_decoder_get_layer (const DynoDecoder *self, guint layer)
{
  return &g_array_index (self->layers, DynoDecoderLayer, layer);
}

const char *
dyno_decoder_add_norm (const DynoDecoding *self, const char *name, const char *value)
{
  double epsilon = self->decoder->epsilon;

  if (name == NULL)
    return value;
  switch (self->decoder->norm)
    {
    case DYNO_NORM_RMS:
      return dyno_layers_rms_norm (self->graph, name, value, epsilon);
    case DYNO_NORM_RMS_ZERO:
      return dyno_layers_rms_norm_zero (self->graph, name, value, epsilon);
    case DYNO_NORM_LAYER_UNBIASED:
      return dyno_layers_layer_norm_unbiased (self->graph, name, value, epsilon);
    case DYNO_NORM_LAYER:
    default:
      return dyno_layers_layer_norm (self->graph, name, value, epsilon);
    }
}

const char *
dyno_decoder_add_linear (
    const DynoDecoding *self, const char *name, const char *value, gint64 width, gboolean has_bias)
{
  return self->decoder->is_conv1d ? dyno_layers_conv1d (self->graph, name, value, width, has_bias)
                                  : dyno_layers_linear (self->graph, name, value, width, has_bias);
}

const char *
dyno_decoder_scale (DynoGraph *graph, const char *value, double factor)
{
  return factor > 0
             ? dyno_graph_add (graph, "Mul", NULL, value, dyno_graph_add_real (graph, (float)factor), NULL)
             : value;
}

static const char *
add_residual (const DynoDecoding *self, const char *value, const char *residual)
{
  value = dyno_decoder_scale (self->graph, value, self->decoder->residual_scale);
  return dyno_graph_add (self->graph, "Add", NULL, residual, value, NULL);
}

static const char *
add_attention (DynoDecoding *self, guint layer, const char *value)
{
  switch (dyno_decoder_get_layer (self->decoder, layer)->mixer)
    {
    case DYNO_MIXER_CONVOLUTION:
      return dyno_decoder_add_convolution (self, layer, value);
    case DYNO_MIXER_DELTA:
      return dyno_decoder_add_delta (self, layer, value);
    case DYNO_MIXER_SELECTIVE:
      return dyno_decoder_add_selective (self, layer, value);
    case DYNO_MIXER_LINEAR:
      return dyno_decoder_add_linear_attention (self, layer, value);
    case DYNO_MIXER_ATTENTION:
    default:
      return self->decoder->latent.key_rank > 0 ? dyno_decoder_add_latent (self, layer, value)
                                                : dyno_decoder_add_attention (self, layer, value);
    }
}

/* Attention and feed-forward in parallel: both take the input of the layer, with separate norms or a common one. */
static const char *
add_parallel_layer (DynoDecoding *self, guint layer, const char *value)
{
  const DynoDecoderNames *names = self->decoder->names;
  const char *inner = dyno_decoder_add_norm (self, names->norm_before_attention, value);
  const char *seen =
      names->norm_before_feed != NULL ? dyno_decoder_add_norm (self, names->norm_before_feed, value) : inner;
  const char *attention = add_attention (self, layer, inner);
  const char *feed = dyno_decoder_add_feed (self, layer, seen);

  return add_residual (self, add_residual (self, feed, attention), value);
}

static const char *
blend (const DynoDecoding *self, const DynoBlend *by, const char *value, const char *inner)
{
  return dyno_graph_add (self->graph, "Add", NULL, dyno_decoder_scale (self->graph, value, by->kept),
                         dyno_decoder_scale (self->graph, inner, by->added), NULL);
}

/* A layer of several streams: it computes the first, and corrects the others by the error of their
 * prediction. */
static const char *
add_streamed_layer (DynoDecoding *self, guint layer, const char *value)
{
  const DynoDecoderNames *names = self->decoder->names;
  const char *first, *inner, *beside;

  value = dyno_decoder_predict (self, value, &first);
  inner = dyno_decoder_add_norm (self, names->norm_before_attention, first);
  beside = dyno_decoder_add_low_rank (self, inner);
  inner = add_attention (self, layer, inner);
  inner = dyno_decoder_add_norm (self, names->norm_after_attention, inner);
  inner = dyno_graph_add (self->graph, "Add", NULL, first, inner, NULL);
  inner = dyno_graph_add (self->graph, "Add", NULL, inner, beside, NULL);
  beside = dyno_decoder_scale (self->graph, inner, sqrt (0.5));
  inner = dyno_decoder_add_norm (self, names->norm_before_feed, beside);
  inner = dyno_decoder_add_feed (self, layer, inner);
  inner = dyno_decoder_add_norm (self, names->norm_after_feed, inner);
  inner = dyno_graph_add (self->graph, "Add", NULL, beside, inner, NULL);
  return dyno_decoder_correct (self, layer, value, first, inner);
}

/* Attention to the output of an encoder. */
static const char *
add_cross (DynoDecoding *self, guint layer, const char *value)
{
  const DynoDecoderNames *names = self->decoder->names;
  const char *inner = dyno_decoder_add_norm (self, names->norm_before_cross, value);

  inner = dyno_decoder_add_cross (self, layer, inner);
  return add_residual (self, dyno_decoder_add_norm (self, names->norm_after_cross, inner), value);
}

/* The last step of some layers, on their results. */
static const char *
finish_layer (const DynoDecoding *self, guint layer, const char *value)
{
  DynoGraph *graph = self->graph;

  if (self->extra != NULL)
    value = dyno_graph_add (graph, "Add", NULL, value, dyno_decoder_add_extra (self, layer, value), NULL);
  if (self->decoder->has_layer_scales)
    value = dyno_graph_add (graph, "Mul", NULL, value,
                            dyno_graph_add_statistic (graph, "layer_scalar", 1, 0.02, 1), NULL);
  return value;
}

static const char *
add_layer (DynoDecoding *self, guint layer, const char *value)
{
  const DynoDecoderNames *names = self->decoder->names;
  const char *inner;

  if (self->decoder->n_streams > 0)
    return add_streamed_layer (self, layer, value);
  if (self->decoder->blends[2].added > 0)
    {
      const DynoDecoder *decoder = self->decoder;
      gboolean is_attention = dyno_decoder_get_layer (decoder, layer)->mixer == DYNO_MIXER_ATTENTION;

      value = dyno_decoder_add_norm (self, decoder->names->norm_before_attention, value);
      value = blend (self, &decoder->blends[is_attention ? 0 : 1], value, add_attention (self, layer, value));
      value = dyno_decoder_add_norm (self, decoder->names->norm_before_feed, value);
      return blend (self, &decoder->blends[2], value, dyno_decoder_add_feed (self, layer, value));
    }
  if (self->decoder->is_parallel)
    return add_parallel_layer (self, layer, value);
  if (self->decoder->is_norm_after)
    {
      /* Norms come after the residuals, as in the first transformers. */
      value = add_residual (self, add_attention (self, layer, value), value);
      value = dyno_decoder_add_norm (self, names->norm_before_attention, value);
      value = add_residual (self, dyno_decoder_add_feed (self, layer, value), value);
      return dyno_decoder_add_norm (self, names->norm_before_feed, value);
    }
  inner = dyno_decoder_add_norm (self, names->norm_before_attention, value);
  inner = add_attention (self, layer, inner);
  inner = dyno_decoder_add_norm (self, names->norm_after_attention, inner);
  value = add_residual (self, inner, value);
  if (self->cross != NULL)
    value = add_cross (self, layer, value);
  inner = dyno_decoder_add_norm (self, names->norm_before_feed, value);
  inner = dyno_decoder_add_feed (self, layer, inner);
  if (self->decoder->experts.is_beside && dyno_decoder_get_layer (self->decoder, layer)->has_experts)
    {
      /* The feed-forward layer and the experts have the same input, each with norms of its own. */
      const char *feed = dyno_decoder_add_norm (self, "post_feedforward_layernorm_1", inner);

      inner = dyno_decoder_add_experts_beside (self, value);
      inner = dyno_decoder_add_norm (self, "post_feedforward_layernorm_2", inner);
      inner = dyno_graph_add (self->graph, "Add", NULL, feed, inner, NULL);
    }
  inner = dyno_decoder_add_norm (self, names->norm_after_feed, inner);
  return finish_layer (self, layer, add_residual (self, inner, value));
}

/* Projects to the width of the embeddings. */
static const char *
narrow (const DynoDecoding *self, const char *value)
{
  const DynoDecoder *decoder = self->decoder;

  return decoder->embedding_width == decoder->width
             ? value
             : dyno_layers_linear (self->graph, decoder->names->embedding_out, value,
                                   decoder->embedding_width, FALSE);
}

static void
add_cache_output (const DynoDecoding *self, guint layer, const char *what, const char *value)
{
  const DynoDecoder *decoder = self->decoder;
  g_autofree char *name = g_strdup_printf ("present.%u.%s", layer, what);
  g_autofree char *size =
      dyno_decoder_get_layer (decoder, layer)->has_window
          ? g_strdup_printf ("min(past + %s,%" G_GINT64_FORMAT ")", self->length, decoder->window - 1)
          : g_strdup_printf ("past + %s", self->length);
  g_autofree char *dimensions = g_strdup_printf ("batch, %" G_GINT64_FORMAT ", %s, %" G_GINT64_FORMAT,
                                                 dyno_decoder_count_cached (decoder, layer), size,
                                                 dyno_decoder_get_cached_width (decoder, layer, what));

  dyno_graph_add_output (self->graph, name, value, dimensions);
}

void
dyno_decoder_add_cache_outputs (const DynoDecoding *self, guint layer, guint index)
{
  add_cache_output (self, layer, "key", self->keys->pdata[index]);
  add_cache_output (self, layer, "value", self->values->pdata[index]);
}

static void
add_token_outputs (const DynoDecoding *self, const char *value)
{
  const DynoDecoder *decoder = self->decoder;
  DynoGraph *graph = self->graph;
  g_autofree char *dimensions =
      g_strdup_printf ("batch, %s, %" G_GINT64_FORMAT, self->length, decoder->vocabulary);

  value = narrow (self, value);
  if (decoder->is_tied)
    {
      /* A tied head multiplies by the transposed embedding weight. */
      const gint64 dims[] = { decoder->vocabulary, decoder->embedding_width };
      g_autofree char *name = g_strconcat (decoder->names->embedding, ".weight", NULL);
      const char *weight = dyno_graph_add_weight (graph, name, 0, 1 / sqrt ((double)dims[1]), 2, dims);

      dyno_graph_push_scope (graph, "%s", decoder->names->head);
      value = dyno_product_add (graph, value, weight, TRUE);
      if (decoder->has_head_bias)
        value = dyno_graph_add (graph, "Add", NULL, value,
                                dyno_graph_add_weight (graph, "bias", 0, HEAD_BIAS_DEVIATION, 1, dims), NULL);
      dyno_graph_pop_scope (graph);
    }
  else
    value =
        dyno_layers_linear (graph, decoder->names->head, value, decoder->vocabulary, decoder->has_head_bias);
  dyno_graph_push_scope (graph, "%s", decoder->names->head);
  value = dyno_decoder_scale (self->graph, value, decoder->logit_scale);
  if (decoder->logit_cap > 0)
    value = dyno_layers_cap (self->graph, value, decoder->logit_cap);
  dyno_graph_pop_scope (self->graph);
  dyno_graph_add_output (self->graph, "logits", value, dimensions);
  for (guint i = 0; i < self->keys->len; i++)
    if (dyno_decoder_get_layer (self->decoder, i)->mixer != DYNO_MIXER_ATTENTION)
      {
        if (self->keys->pdata[i] != NULL)
          dyno_recurrence_add_output (self->graph, "conv", i, self->keys->pdata[i]);
        if (self->values->pdata[i] != NULL)
          dyno_recurrence_add_output (self->graph, "state", i, self->values->pdata[i]);
      }
    else
      dyno_decoder_add_cache_outputs (self, i, i);
}

const char *
dyno_decoder_add_tokens (const DynoDecoder *self, DynoGraph *graph)
{
  const char *ids = dyno_graph_add_input (graph, "input_ids", DYNO_DATA_TYPE_INT64, "batch, sequence");

  dyno_graph_limit_input (graph, "input_ids", self->vocabulary);
  dyno_graph_limit_sequence (graph, self->n_positions);
  return ids;
}

static char *
name_root (const DynoDecoder *self)
{
  const char *dot = strrchr (self->names->layers, '.');

  return g_strndup (self->names->layers, (gsize)(dot - self->names->layers));
}

static void
add_rotations (DynoDecoding *self, const char *root, const char *positions)
{
  const DynoDecoder *decoder = self->decoder;
  g_autofree char *scope = g_strconcat (root, ".rotary_emb", NULL);
  g_autofree char *local = g_strconcat (root, ".rotary_emb_local", NULL);

  /* GroupQueryAttention splits the heads itself. */
  gint64 heads_axis = self->is_fused ? 2 : 1;

  if (decoder->picture_side > 0)
    positions = dyno_fusion_add_positions (decoder, self->graph, positions);
  self->rotations[0] = dyno_rotary_add (&decoder->rotary[0], self->graph, scope, positions, heads_axis);
  if (decoder->rotary[1].width > 0)
    self->rotations[1] = dyno_rotary_add (&decoder->rotary[1], self->graph, local, positions, heads_axis);
}

const char *
dyno_decoder_embed (const DynoDecoder *self, DynoGraph *graph, const char *ids)
{
  const char *value =
      dyno_layers_embedding (graph, self->names->embedding, ids, self->vocabulary, self->embedding_width);

  dyno_graph_push_scope (graph, "%s", self->names->embedding);
  value = dyno_decoder_scale (graph, value, self->embedding_scale);
  dyno_graph_pop_scope (graph);
  if (self->n_types > 0)
    {
      const char *types =
          dyno_graph_add_input (graph, "token_type_ids", DYNO_DATA_TYPE_INT64, "batch, sequence");

      dyno_graph_limit_input (graph, "token_type_ids", self->n_types);
      types = dyno_layers_embedding (graph, self->names->types, types, self->n_types, self->embedding_width);
      value = dyno_graph_add (graph, "Add", NULL, value, types, NULL);
    }
  if (self->embedding_width != self->width)
    value = dyno_layers_linear (graph, self->names->embedding_in, value, self->width, FALSE);
  return value;
}

/* Adds the inputs of a text besides its tokens, and the masks. */
static const char *
add_positions (DynoDecoding *self, const char *value)
{
  const DynoDecoder *decoder = self->decoder;
  DynoGraph *graph = self->graph;
  g_autofree char *root = name_root (decoder);
  const char *dimensions = decoder->is_whole ? "batch, sequence" : "batch, past + sequence";
  const char *positions;

  self->tokens = dyno_graph_add_input (graph, "attention_mask", DYNO_DATA_TYPE_INT64, dimensions);
  positions = dyno_graph_add_input (graph, "position_ids", DYNO_DATA_TYPE_INT64, "batch, sequence");
  dyno_graph_limit_input (graph, "position_ids", decoder->n_positions);
  dyno_graph_limit_sequence (graph, decoder->n_positions);
  dyno_decoder_add_masks (self, self->tokens, positions);
  if (decoder->position == DYNO_POSITION_LEARNED)
    {
      dyno_graph_push_scope (graph, "%s", root);
      if (decoder->first_position > 0)
        positions = dyno_graph_add (graph, "Add", NULL, positions,
                                    dyno_graph_add_int (graph, decoder->first_position), NULL);
      dyno_graph_pop_scope (graph);
      positions = dyno_layers_embedding (graph, decoder->names->positions, positions,
                                         decoder->n_positions + decoder->first_position, decoder->width);
      dyno_graph_push_scope (graph, "%s", root);
      value = dyno_graph_add (graph, "Add", NULL, value, positions, NULL);
      dyno_graph_pop_scope (graph);
    }
  else if (decoder->position == DYNO_POSITION_ROTARY)
    add_rotations (self, root, positions);
  return dyno_decoder_add_norm (self, decoder->names->embedding_norm, value);
}

static void
begin (DynoDecoding *self, const DynoDecoder *decoder, DynoGraph *graph)
{
  *self = (DynoDecoding){
    .decoder = decoder,
    .graph = graph,
    .keys = g_ptr_array_new (),
    .values = g_ptr_array_new (),
    .expert_tokens = g_ptr_array_new (),
    .full = g_ptr_array_new (),
    .length = "sequence",
  };
}

static void
decoding_clear (DynoDecoding *self)
{
  g_ptr_array_unref (self->keys);
  g_ptr_array_unref (self->values);
  g_ptr_array_unref (self->expert_tokens);
  g_ptr_array_unref (self->full);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (DynoDecoding, decoding_clear)

/* Layers that repeat, such as five with a window and one without. */
typedef struct
{
  guint n_layers;
  guint n_times;
} Pattern;

static guint
count_saved (const Pattern *self)
{
  return self->n_times > N_BUILT ? (self->n_times - N_BUILT) * self->n_layers : 0;
}

/* Returns the pattern of which an outline needs the fewest layers. */
static Pattern
find_pattern (const DynoDecoder *self, guint first)
{
  Pattern best = { 1, 1 };

  for (guint n_layers = 1; n_layers <= LONGEST_PATTERN; n_layers++)
    {
      guint end = first;

      while (end + n_layers < self->n_layers && end >= self->n_added &&
             memcmp (dyno_decoder_get_layer (self, end), dyno_decoder_get_layer (self, end + n_layers),
                     sizeof (DynoDecoderLayer)) == 0)
        end++;

      const Pattern pattern = { n_layers, (end - first) / n_layers + 1 };

      if (count_saved (&pattern) > count_saved (&best))
        best = pattern;
    }
  return best;
}

static const char *
add_pattern (DynoDecoding *self, guint first, const Pattern *pattern, const char *value)
{
  const DynoDecoder *decoder = self->decoder;

  for (guint i = first; i < first + pattern->n_layers; i++)
    {
      dyno_graph_push_scope (self->graph, "%s.%u", decoder->names->layers, i);
      value = add_layer (self, i, value);
      if (i < decoder->n_added)
        value = dyno_graph_add (self->graph, "Add", NULL, value,
                                dyno_fusion_take_added (self->graph, i, decoder->width), NULL);
      dyno_graph_pop_scope (self->graph);
    }
  return value;
}

/* Adds the layers between the first and the last ones of a pattern, and returns how many. Those at the ends
 * differ: common inputs are computed for the first and released after the last, whose keys and values other layers may
 * read as well. */
static guint
add_equal (DynoDecoding *self, guint first, const Pattern *pattern, const char **value)
{
  GPtrArray *const lists[] = { self->keys, self->values, self->expert_tokens, self->full };
  GPtrArray *inputs = dyno_graph_get_inputs (self->graph);
  guint n_inputs = inputs->len, n_all_inputs, n_known[G_N_ELEMENTS (lists)];
  gint64 n_equal = dyno_graph_begin_equal (self->graph, pattern->n_times - 2);

  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    n_known[i] = lists[i]->len;
  *value = add_pattern (self, first, pattern, *value);
  dyno_graph_end_equal (self->graph);
  inputs = dyno_graph_get_inputs (self->graph);
  n_all_inputs = inputs->len;

  /* The caches of the layers that others represent. */
  for (gint64 time = 1; time < n_equal; time++)
    for (guint i = n_inputs; i < n_all_inputs; i++)
      {
        const char *known = dyno_tensor_info_get_name (inputs->pdata[i]);
        char *rest;
        guint64 layer = g_ascii_strtoull (known + strlen (CACHE_PREFIX), &rest, 10);
        g_autofree char *name = g_strdup_printf (CACHE_PREFIX "%" G_GUINT64_FORMAT "%s",
                                                 layer + (guint64)time * pattern->n_layers, rest);

        dyno_graph_add_input_alike (self->graph, name, inputs->pdata[i]);
      }

  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    for (guint time = 1, end = lists[i]->len; time < n_equal; time++)
      for (guint k = n_known[i]; k < end; k++)
        {
          const char *known = lists[i]->pdata[k];

          g_ptr_array_add (lists[i],
                           known != NULL ? (gpointer)dyno_graph_add_alike (self->graph, known) : NULL);
        }
  return (guint)n_equal * pattern->n_layers;
}

/* Adds all layers and the last norm. */
static const char *
add_layers (DynoDecoding *self, const char *value)
{
  const DynoDecoder *decoder = self->decoder;
  guint layer = 0;

  while (layer < decoder->n_layers)
    {
      const Pattern pattern = find_pattern (decoder, layer);

      value = add_pattern (self, layer, &pattern, value);
      layer += pattern.n_layers;
      if (pattern.n_times > 1)
        layer += add_equal (self, layer, &pattern, &value);
    }
  if (decoder->n_streams > 0)
    value = dyno_decoder_close_streams (self, value);
  return dyno_decoder_add_norm (self, decoder->names->final_norm, value);
}

void
dyno_decoder_add (const DynoDecoder *self, DynoGraph *graph, const char *ids, const char *value)
{
  g_auto (DynoDecoding) decoding = { 0 };
  const DynoQuantisation *quantisation = dyno_graph_get_quantisation (graph);
  g_autofree char *states = g_strdup_printf ("batch, sequence, %" G_GINT64_FORMAT, self->embedding_width);
  const char *counts;

  /* Only fused attention takes a cache in bytes. */
  if (quantisation != NULL && quantisation->is_cache)
    dyno_graph_set_fused (graph, TRUE);
  begin (&decoding, self, graph);
  decoding.is_fused = dyno_graph_is_fused (graph) && self->head_width % FUSED_WIDTH == 0 &&
                      self->chunk == 0 && self->tuned_scale == 0 && !self->sees_whole_pictures &&
                      !self->is_whole && !self->has_sinks && self->latent.key_rank == 0 &&
                      !self->has_value_norm;
  if (self->extra_width > 0)
    dyno_decoder_embed_layers (&decoding, ids, value);
  value = add_positions (&decoding, value);
  if (self->n_streams > 0)
    value = dyno_decoder_open_streams (&decoding, value);
  value = add_layers (&decoding, value);
  if (self->is_whole)
    value = narrow (&decoding, value);
  if (self->is_whole && self->head.kind == DYNO_HEAD_LAYERS)
    dyno_head_add (&self->head, graph, value, decoding.tokens, "sequence");
  else if (self->is_whole)
    dyno_graph_add_output (graph, "last_hidden_state", value, states);
  else
    add_token_outputs (&decoding, value);

  if (decoding.expert_tokens->len > 0)
    {
      g_autofree char *dimensions =
          g_strdup_printf ("%u, %" G_GINT64_FORMAT, decoding.expert_tokens->len, self->experts.n_experts);

      dyno_graph_push_scope (graph, "expert_tokens");
      counts = dyno_graph_add_list (graph, "Concat", "axis=0", decoding.expert_tokens->len,
                                    (const char *const *)decoding.expert_tokens->pdata);
      dyno_graph_pop_scope (graph);
      dyno_graph_add_output (graph, DYNO_MODEL_EXPERT_TOKENS, counts, dimensions);
    }
}

/* Positions from the first one on: [1, tokens] */
static const char *
add_range (DynoGraph *graph, const char *first, const char *end)
{
  const gint64 axis = 0;

  return dyno_graph_add (graph, "Unsqueeze", NULL, dyno_relative_range (graph, first, end),
                         dyno_graph_add_ints (graph, 1, &axis), NULL);
}

const char *
dyno_decoder_add_states (const DynoDecoder *self, DynoGraph *graph, const char *value, const char *mask)
{
  g_auto (DynoDecoding) decoding = { 0 };
  g_autofree char *root = name_root (self);
  const char *positions;

  begin (&decoding, self, graph);
  dyno_graph_push_scope (graph, "%s", root);
  positions = add_range (graph, dyno_graph_add_int (graph, 0), dyno_relative_length (graph, mask, 1));
  dyno_decoder_add_masks (&decoding, mask, positions);
  dyno_graph_pop_scope (graph);
  add_rotations (&decoding, root, positions);
  return add_layers (&decoding, value);
}

void
dyno_decoder_add_answer (
    const DynoDecoder *self, DynoGraph *graph, const char *value, GPtrArray *cross, const char *mask)
{
  g_auto (DynoDecoding) decoding = { 0 };
  g_autofree char *root = name_root (self);
  const char *past, *end, *positions, *all;

  begin (&decoding, self, graph);
  decoding.length = DYNO_STACK_ANSWER;
  decoding.cross = cross;
  decoding.cross_mask = mask;
  dyno_graph_push_scope (graph, "%s", root);
  past = dyno_decoder_count_past (&decoding);
  end = dyno_graph_add (graph, "Add", NULL, past, dyno_relative_length (graph, value, 1), NULL);
  positions = add_range (graph, past, end);
  all = add_range (graph, dyno_graph_add_int (graph, 0), end);
  all = dyno_graph_add (graph, "LessOrEqual", NULL, dyno_graph_add_int (graph, 0), all, NULL);
  dyno_decoder_add_masks (&decoding, dyno_layers_cast (graph, all, DYNO_DATA_TYPE_INT64), positions);
  dyno_graph_pop_scope (graph);
  add_rotations (&decoding, root, positions);
  add_token_outputs (&decoding, add_layers (&decoding, value));
}

void
dyno_decoder_check (DynoDecoder *self, DynoConfig *config)
{
  const DynoConfigFields names = dyno_config_fields_complete (&self->fields);
  const DynoExperts *experts = &self->experts;

  if (self->n_heads % self->n_cached_heads != 0)
    dyno_config_fail (
        config, _ ("its %" PRId64 " heads (“%s”) cannot share %" PRId64 " heads of keys and values (“%s”)"),
        self->n_heads, names.heads, self->n_cached_heads, names.groups);
  if (self->head_width < 1)
    dyno_config_check_heads (config, &names, self->width, self->n_heads);
  dyno_config_check_layers (config, names.layers, self->n_layers);
  dyno_config_check_activation (config, names.activation, self->activation);
  if (self->window == 1)
    dyno_config_fail (config, _ ("its “sliding_window” is 1, but a token must see another"));
  if (experts->n_experts > MAX_EXPERTS / self->n_layers)
    dyno_config_fail (config, _ ("%" PRId64 " experts (“%s”) in each of %" PRId64 " layers are too many"),
                      experts->n_experts, experts->field, self->n_layers);
  if (experts->n_groups > 1 &&
      (experts->n_experts % experts->n_groups != 0 || experts->n_chosen_groups > experts->n_groups))
    dyno_config_fail (
        config,
        _ ("%" PRId64 " experts (“%s”) cannot be chosen from %" PRId64 " of %" PRId64 " groups (“n_group”)"),
        experts->n_experts, experts->field, experts->n_chosen_groups, experts->n_groups);
  if (experts->n_chosen > experts->n_experts)
    dyno_config_fail (config, _ ("its “%s” is %" PRId64 ", but it has %" PRId64 " experts"),
                      experts->chosen_field, experts->n_chosen, experts->n_experts);
  if (!dyno_config_check (config, NULL))
    return;

  /* A window that no sequence can exceed has no effect. */
  if (self->window <= 0 || self->window >= self->n_positions)
    self->window = 0;
  if (self->chunk <= 0 || self->chunk >= self->n_positions)
    self->chunk = 0;
  for (guint i = 0; i < self->layers->len; i++)
    {
      DynoDecoderLayer *layer = &g_array_index (self->layers, DynoDecoderLayer, i);

      if (self->window == 0)
        layer->has_window = FALSE;
      if (self->chunk == 0)
        layer->has_chunks = FALSE;
    }
}

void
dyno_decoder_build (DynoGraph *graph, DynoConfig *config)
{
  g_auto (DynoDecoder) self = { NULL };
  const char *ids;

  dyno_decoder_read (&self, config);
  self.head = dyno_head_read (config);
  self.is_whole =
      self.is_bidirectional || self.head.kind == DYNO_HEAD_LAYERS || self.head.kind == DYNO_HEAD_NONE;
  if (!dyno_config_check (config, NULL))
    return;
  ids = dyno_decoder_add_tokens (&self, graph);
  dyno_decoder_add (&self, graph, ids, dyno_decoder_embed (&self, graph, ids));
}
