/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "dyno-decoder.h"
#include "dyno-float16.h"
#include "dyno-fusion.h"
#include "dyno-layers.h"
#include "dyno-model-graph-private.h"

#define SINK_DEVIATION 1

static const char *
unsqueeze (DynoGraph *graph, const char *value, gint64 first, gint64 second)
{
  const gint64 axes[] = { first, second };

  return dyno_graph_add (graph, "Unsqueeze", NULL, value, dyno_graph_add_ints (graph, 2, axes), NULL);
}

static gboolean
has_layers (const DynoDecoder *self, gboolean with_window)
{
  for (guint i = 0; i < self->n_layers; i++)
    if (dyno_decoder_get_layer (self, i)->mixer == DYNO_MIXER_ATTENTION &&
        dyno_decoder_get_layer (self, i)->has_window == with_window)
      return TRUE;
  return FALSE;
}

/* The position of a key, times the slope of the head. [batch, heads, 1, keys] */
static const char *
add_linear_bias (const DynoDecoder *self, DynoGraph *graph, const char *places)
{
  const char *bias;

  dyno_graph_push_scope (graph, "alibi");
  places = dyno_layers_cast (graph, dyno_layers_cast (graph, places, self->bias_type), DYNO_DATA_TYPE_FLOAT);

  /* In single precision, rounded if the model was trained with rounded slopes. [heads, 1, 1] */
  g_autofree float *slopes = g_new (float, self->n_heads);
  const char *value;

  for (gint64 i = 0; i < self->n_heads; i++)
    {
      slopes[i] = (float)dyno_relative_slope (i, self->n_heads);
      if (self->bias_type == DYNO_DATA_TYPE_BFLOAT16)
        slopes[i] = dyno_float16_bfloat_to_float (dyno_float16_bfloat_from_float (slopes[i]));
    }
  value = dyno_graph_add_floats (graph, self->n_heads, slopes);
  bias = dyno_graph_add (graph, "Mul", NULL, places, unsqueeze (graph, value, 1, 2), NULL);
  bias = dyno_layers_cast (graph, dyno_layers_cast (graph, bias, self->bias_type), DYNO_DATA_TYPE_FLOAT);
  if (self->bias_divisor > 0)
    bias = dyno_graph_add (graph, "Div", NULL, bias, dyno_graph_add_float (graph, (float)self->bias_divisor),
                           NULL);
  bias = dyno_layers_cast (graph, bias, dyno_graph_get_real_type (graph));
  dyno_graph_pop_scope (graph);
  return bias;
}

static const char *
add_scores (DynoGraph *graph, const char *allowed)
{
  return dyno_graph_add (graph, "Where", NULL, allowed, dyno_graph_add_real (graph, 0),
                         dyno_layers_masked_score (graph), NULL);
}

/* The lengths that fused attention takes instead of a mask; padding can only follow the tokens. */
static void
add_lengths (DynoDecoding *self, const char *mask)
{
  DynoGraph *graph = self->graph;
  const gint64 axis = 1;
  const char *axes = dyno_graph_add_ints (graph, 1, &axis);
  const char *length = dyno_graph_add (graph, "ReduceSum", "keepdims=1", mask, axes, NULL);
  const char *total = dyno_graph_add (graph, "Shape", "start=1 end=2", mask, NULL);

  length = dyno_graph_add (graph, "Sub", NULL, length, dyno_graph_add_int (graph, 1), NULL);
  length = dyno_graph_add (graph, "Squeeze", NULL, length, axes, NULL);
  self->lengths[0] = dyno_layers_cast (graph, length, DYNO_DATA_TYPE_INT32);
  self->totals[0] = dyno_layers_cast (graph, total, DYNO_DATA_TYPE_INT32);
}

/* The last position to which each token may attend: its own, or that of the last token of its picture. [batch, sequence] */
static const char *
add_reach (const DynoDecoder *decoder, DynoGraph *graph, const char *positions, const char *seen)
{
  const char *size, *count, *last, *further;

  if (decoder->n_picture_tokens > 0 && dyno_graph_get_pictures (graph) > 1)
    {
      /* The tokens of all pictures up to the end of its own, without those up to itself. */
      size = dyno_graph_add_int (graph, decoder->n_picture_tokens);
      count = dyno_graph_add (graph, "CumSum", NULL, seen, dyno_graph_add_int (graph, 1), NULL);
      last = dyno_graph_add (graph, "Sub", NULL, count, seen, NULL);
      last = dyno_graph_add (graph, "Div", NULL, last, size, NULL);
      last = dyno_graph_add (graph, "Add", NULL, last, dyno_graph_add_int (graph, 1), NULL);
      last = dyno_graph_add (graph, "Mul", NULL, last, size, NULL);
      further = dyno_graph_add (graph, "Sub", NULL, last, count, NULL);
    }
  else
    {
      last = dyno_graph_add (graph, "Mul", NULL, positions, seen, NULL);
      last = dyno_graph_add (graph, "ReduceMax", "axes=[1] keepdims=1", last, NULL);
      further = dyno_graph_add (graph, "Sub", NULL, last, positions, NULL);
    }
  further = dyno_graph_add (graph, "Mul", NULL, further, seen, NULL);
  return dyno_graph_add (graph, "Add", NULL, positions, further, NULL);
}

/* Only the keys of the last positions, and of as many later ones if those are visible. Prompts that are seen whole have no
 * windows. */
static const char *
add_window (const DynoDecoding *self,
            const char *allowed,
            const char *places,
            const char *positions,
            const char *seen)
{
  DynoGraph *graph = self->graph;
  const char *window = dyno_graph_add_int (graph, self->decoder->window);
  const char *end = dyno_graph_add (graph, "Sub", NULL, positions, window, NULL);

  if (self->decoder->sees_whole_prompts)
    end = dyno_graph_add (graph, "Where", NULL,
                          dyno_graph_add (graph, "Cast", "to=9", unsqueeze (graph, seen, 1, 3), NULL),
                          dyno_graph_add_int (graph, -1), end, NULL);

  end = dyno_graph_add (graph, "Greater", NULL, places, end, NULL);
  allowed = dyno_graph_add (graph, "And", NULL, allowed, end, NULL);
  if (!self->decoder->is_bidirectional)
    return allowed;
  end = dyno_graph_add (graph, "Add", NULL, positions, window, NULL);
  end = dyno_graph_add (graph, "Greater", NULL, end, places, NULL);
  return dyno_graph_add (graph, "And", NULL, allowed, end, NULL);
}

/* 1 + tuning · log (1 + ⌊(position + 1) / scale⌋), Nakanishi 2025: [batch, 1, sequence, 1] */
static const char *
add_sharpness (const DynoDecoding *self, const char *positions)
{
  const DynoDecoder *decoder = self->decoder;
  DynoGraph *graph = self->graph;
  const char *value = dyno_graph_add (graph, "Add", NULL, positions, dyno_graph_add_int (graph, 1), NULL);

  value = dyno_graph_add (graph, "Div", NULL, value, dyno_graph_add_int (graph, decoder->tuned_scale), NULL);
  value = dyno_graph_add (graph, "Add", NULL, value, dyno_graph_add_int (graph, 1), NULL);
  value = dyno_graph_add (graph, "Log", NULL, dyno_layers_cast (graph, value, DYNO_DATA_TYPE_FLOAT), NULL);
  value =
      dyno_graph_add (graph, "Mul", NULL, value, dyno_graph_add_float (graph, (float)decoder->tuning), NULL);
  value = dyno_graph_add (graph, "Add", NULL, value, dyno_graph_add_float (graph, 1), NULL);
  return dyno_layers_cast (graph, value, dyno_graph_get_real_type (graph));
}

void
dyno_decoder_add_masks (DynoDecoding *self, const char *mask, const char *positions)
{
  const DynoDecoder *decoder = self->decoder;
  DynoGraph *graph = self->graph;
  const char *places, *reach, *allowed, *seen = NULL;

  dyno_graph_push_scope (graph, "attention_mask");
  if (self->is_fused)
    add_lengths (self, mask);
  if (self->is_fused && decoder->position != DYNO_POSITION_ALIBI)
    {
      dyno_graph_pop_scope (graph);
      return;
    }
  places = dyno_graph_add (graph, "CumSum", NULL, mask, dyno_graph_add_int (graph, 1), NULL);
  places = dyno_graph_add (graph, "Sub", NULL, places, dyno_graph_add_int (graph, 1), NULL);
  places = unsqueeze (graph, places, 1, 2);
  if (decoder->sees_whole_pictures)
    seen = dyno_graph_add_input (graph, DYNO_FUSION_PLACES, DYNO_DATA_TYPE_INT64, "batch, sequence");
  reach = decoder->sees_whole_pictures ? add_reach (decoder, graph, positions, seen) : positions;
  allowed = dyno_graph_add (graph, "LessOrEqual", NULL, places, unsqueeze (graph, reach, 1, 3), NULL);
  positions = unsqueeze (graph, positions, 1, 3);
  mask = dyno_graph_add (graph, "Cast", "to=9", unsqueeze (graph, mask, 1, 2), NULL);
  allowed = decoder->is_bidirectional ? mask : dyno_graph_add (graph, "And", NULL, allowed, mask, NULL);
  if (has_layers (decoder, FALSE))
    self->masks[0] = add_scores (graph, allowed);
  if (has_layers (decoder, TRUE))
    self->masks[1] = add_scores (graph, add_window (self, allowed, places, positions, seen));
  if (decoder->chunk > 0)
    {
      /* Only the keys of the same chunk of positions. */
      const char *chunk = dyno_graph_add_int (graph, decoder->chunk);
      const char *is_same =
          dyno_graph_add (graph, "Equal", NULL, dyno_graph_add (graph, "Div", NULL, places, chunk, NULL),
                          dyno_graph_add (graph, "Div", NULL, positions, chunk, NULL), NULL);

      self->chunk_mask = add_scores (graph, dyno_graph_add (graph, "And", NULL, allowed, is_same, NULL));
    }
  if (decoder->tuned_scale > 0)
    self->sharpness = add_sharpness (self, positions);
  if (decoder->position == DYNO_POSITION_ALIBI)
    self->masks[0] =
        dyno_graph_add (graph, "Add", NULL, self->masks[0], add_linear_bias (decoder, graph, places), NULL);
  dyno_graph_pop_scope (graph);
}

const char *
dyno_decoder_get_mask (DynoDecoding *self, guint layer, const char *keys)
{
  const DynoDecoderLayer *kind = dyno_decoder_get_layer (self->decoder, layer);
  DynoGraph *graph = self->graph;
  const gint64 end = G_MAXINT64, axis = 3;
  const char *count;

  if (kind->has_chunks)
    return self->chunk_mask;
  if (!kind->has_window)
    return self->masks[0];
  if (self->is_cut || self->decoder->is_whole)
    return self->masks[1];

  /* A layer with a window keeps only the last positions, so it uses as many columns of the mask as it has keys. */
  dyno_graph_push_scope (graph, "window");
  count = dyno_graph_add (graph, "Shape", "start=2 end=3", keys, NULL);
  count = dyno_graph_add (graph, "Neg", NULL, count, NULL);
  self->masks[1] =
      dyno_graph_add (graph, "Slice", NULL, self->masks[1], count, dyno_graph_add_ints (graph, 1, &end),
                      dyno_graph_add_ints (graph, 1, &axis), NULL);
  dyno_graph_pop_scope (graph);
  self->is_cut = TRUE;
  return self->masks[1];
}

gint64
dyno_decoder_get_cached_width (const DynoDecoder *self, guint layer, const char *what)
{
  gint64 own = dyno_decoder_get_layer (self, layer)->head_width;

  if (self->latent.key_rank == 0)
    return own > 0 ? own : self->head_width;
  return g_str_equal (what, "key") ? self->latent.key_rank : self->latent.turned_width;
}

gint64
dyno_decoder_count_cached (const DynoDecoder *self, guint layer)
{
  gint64 own = dyno_decoder_get_layer (self, layer)->n_cached_heads;

  return own > 0 ? own : self->n_cached_heads;
}

static const char *
add_past (const DynoDecoding *self, guint layer, const char *what)
{
  const DynoDecoder *decoder = self->decoder;
  gboolean has_window = dyno_decoder_get_layer (decoder, layer)->has_window;
  gboolean is_known = self->known_past != NULL && layer == self->known_layer && g_str_equal (what, "key");
  const DynoQuantisation *quantisation = dyno_graph_get_quantisation (self->graph);
  gboolean is_in_bytes = self->is_fused && quantisation != NULL && quantisation->is_cache;
  DynoDataType type = is_in_bytes ? DYNO_DATA_TYPE_INT8 : dyno_graph_get_real_type (self->graph);
  g_autofree char *name = g_strdup_printf ("past_key_values.%u.%s", layer, what);
  g_autofree char *past_size = has_window
                                   ? g_strdup_printf ("min(past,%" G_GINT64_FORMAT ")", decoder->window - 1)
                                   : g_strdup ("past");
  g_autofree char *dimensions = g_strdup_printf ("batch, %" G_GINT64_FORMAT ", %s, %" G_GINT64_FORMAT,
                                                 dyno_decoder_count_cached (decoder, layer), past_size,
                                                 dyno_decoder_get_cached_width (decoder, layer, what));

  return is_known ? self->known_past : dyno_graph_add_input (self->graph, name, type, dimensions);
}

const char *
dyno_decoder_count_past (DynoDecoding *self)
{
  while (dyno_decoder_get_layer (self->decoder, self->known_layer)->has_window)
    self->known_layer++;
  self->known_past = add_past (self, self->known_layer, "key");
  return dyno_relative_length (self->graph, self->known_past, 2);
}

static void
keep (const DynoDecoding *self, guint layer, const char *present, GPtrArray *presents)
{
  const gint64 start = 1 - self->decoder->window, end = G_MAXINT64, axis = 2;

  /* The last positions that the next token can attend to. */
  if (dyno_decoder_get_layer (self->decoder, layer)->has_window)
    present = dyno_graph_add (
        self->graph, "Slice", NULL, present, dyno_graph_add_ints (self->graph, 1, &start),
        dyno_graph_add_ints (self->graph, 1, &end), dyno_graph_add_ints (self->graph, 1, &axis), NULL);
  g_ptr_array_add (presents, (gpointer)present);
}

const char *
dyno_decoder_add_cache (
    const DynoDecoding *self, guint layer, const char *what, const char *value, GPtrArray *presents)
{
  const char *present;

  if (self->decoder->is_whole)
    return value;
  present = dyno_graph_add (self->graph, "Concat", "axis=2", add_past (self, layer, what), value, NULL);
  keep (self, layer, present, presents);
  return present;
}

/* Several query heads share one head of keys or values. */
static const char *
repeat_heads (const DynoDecoding *self, guint layer, const char *value)
{
  const DynoDecoder *decoder = self->decoder;
  gint64 times = decoder->n_heads / dyno_decoder_count_cached (decoder, layer);
  const gint64 axis = 2;
  const gint64 factors[] = { 1, 1, times, 1, 1 };
  const gint64 target[] = { 0, decoder->n_heads, -1, dyno_decoder_get_cached_width (decoder, layer, "key") };

  if (times == 1)
    return value;
  value = dyno_graph_add (self->graph, "Unsqueeze", NULL, value, dyno_graph_add_ints (self->graph, 1, &axis),
                          NULL);
  value = dyno_graph_add (self->graph, "Expand", NULL, value, dyno_graph_add_ints (self->graph, 5, factors),
                          NULL);
  return dyno_layers_reshape (self->graph, value, 4, target);
}

/* GroupQueryAttention of ONNX Runtime's docs/ContribOperators.md: splits heads, appends to the cache, and lets several
 * heads share keys and values. Rotary embeddings are applied before, as they differ between families. */
static const char *
attend_fused (DynoDecoding *self, guint layer, const char *query, const char *key, const char *value)
{
  const DynoDecoder *decoder = self->decoder;
  guint kind = dyno_decoder_get_layer (decoder, layer)->has_window ? 1 : 0;
  double divisor = decoder->score_divisor > 0 ? decoder->score_divisor : sqrt ((double)decoder->head_width);
  g_autoptr (GString) attributes = g_string_new (NULL);
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  const char *past_key = add_past (self, layer, "key");
  const char *past_value = add_past (self, layer, "value");
  const char *inputs[] = { query, key, value, past_key, past_value, NULL, NULL, "", "", "", self->masks[0] };
  const char *attended, *present_key, *present_value;

  g_string_printf (attributes, "num_heads=%" G_GINT64_FORMAT " kv_num_heads=%" G_GINT64_FORMAT " scale=%s",
                   decoder->n_heads, decoder->n_cached_heads,
                   g_ascii_formatd (number, sizeof number, "%.9e", 1 / divisor));
  if (decoder->score_cap > 0)
    g_string_append_printf (attributes, " softcap=%s",
                            g_ascii_formatd (number, sizeof number, "%.9e", decoder->score_cap));
  if (kind == 1)
    g_string_append_printf (attributes, " local_window_size=%" G_GINT64_FORMAT, decoder->window);

  if (kind == 1 && self->totals[1] == NULL)
    {
      /* In layers with a window, subtract the positions that their cache has dropped. */
      DynoGraph *graph = self->graph;
      const char *total, *dropped;

      dyno_graph_push_scope (graph, "window");
      total = dyno_graph_add (graph, "Add", NULL,
                              dyno_graph_add (graph, "Shape", "start=2 end=3", past_key, NULL),
                              dyno_graph_add (graph, "Shape", "start=1 end=2", key, NULL), NULL);
      self->totals[1] = dyno_layers_cast (graph, total, DYNO_DATA_TYPE_INT32);
      dropped = dyno_graph_add (graph, "Sub", NULL, self->totals[0], self->totals[1], NULL);
      self->lengths[1] = dyno_graph_add (graph, "Sub", NULL, self->lengths[0], dropped, NULL);
      dyno_graph_pop_scope (graph);
    }
  inputs[5] = self->lengths[kind];
  inputs[6] = self->totals[kind];
  attended = dyno_graph_add_cached_attention (self->graph, attributes->str, self->masks[0] != NULL ? 11 : 7,
                                              inputs, &present_key, &present_value);
  keep (self, layer, present_key, self->keys);
  keep (self, layer, present_value, self->values);
  return attended;
}

static const char *
attend (DynoDecoding *self, guint layer, const char *query, const char *key, const char *value)
{
  const DynoDecoder *decoder = self->decoder;
  guint source = dyno_decoder_get_layer (decoder, layer)->source;
  DynoScores scores = { decoder->score_divisor, decoder->score_cap, NULL, decoder->softmax_type, NULL };

  if (self->is_fused)
    return attend_fused (self, layer, query, key, value);
  if (scores.softmax_type == DYNO_DATA_TYPE_UNDEFINED)
    scores.softmax_type = dyno_graph_get_real_type (self->graph);

  if (source > 0)
    key = self->full->pdata[2 * source - 2];
  else
    key = dyno_decoder_add_cache (self, layer, "key", key, self->keys);
  scores.mask = dyno_decoder_get_mask (self, layer, key);
  if (decoder->has_sinks)
    scores.sinks = dyno_graph_add_weight (self->graph, "sinks", 0, SINK_DEVIATION, 1, &decoder->n_heads);
  if (source > 0)
    value = self->full->pdata[2 * source - 1];
  else
    value = dyno_decoder_add_cache (self, layer, "value", value, self->values);
  g_ptr_array_add (self->full, (gpointer)key);
  g_ptr_array_add (self->full, (gpointer)value);
  key = repeat_heads (self, layer, key);
  value = repeat_heads (self, layer, value);
  return dyno_layers_attention_by (self->graph, query, key, value, &scores);
}

const char *
dyno_decoder_add_adapter (
    const DynoDecoding *self, const char *name, const char *value, gint64 rank, gint64 width)
{
  g_autofree char *first = g_strdup_printf ("%s.%u.0", name, self->adapter);
  g_autofree char *second = g_strdup_printf ("%s.%u.1", name, self->adapter);

  value = dyno_layers_linear (self->graph, first, value, rank, FALSE);
  return dyno_layers_linear (self->graph, second, value, width, FALSE);
}

/* Queries, keys and values, each [batch, sequence, heads × width]; only the queries in a layer that reads
 * the keys and values of another. */
static void
add_projections (const DynoDecoding *self, guint layer, const char *value, const char **parts)
{
  const DynoDecoder *decoder = self->decoder;
  const DynoDecoderNames *names = decoder->names;
  const DynoDecoderLayer *kind = dyno_decoder_get_layer (decoder, layer);
  gint64 width = dyno_decoder_get_cached_width (decoder, layer, "key");
  gint64 all = decoder->n_heads * width;
  gint64 cached = dyno_decoder_count_cached (decoder, layer) * width;
  const gint64 sizes[] = { all, cached, cached };
  const char *const separate[] = { names->query, names->key, names->value };
  static const char *const adapters[] = { "linear_q_adapter_list", "linear_k_adapter_list",
                                          "linear_v_adapter_list" };
  guint n_parts = kind->source > 0 ? 1 : kind->has_common_values ? 2 : 3;

  if (decoder->projection == DYNO_PROJECTION_SEPARATE)
    {
      for (guint i = 0; i < n_parts; i++)
        parts[i] = dyno_decoder_add_linear (self, separate[i], value,
                                            (i == 0 && decoder->has_output_gate ? 2 : 1) * sizes[i],
                                            decoder->has_input_bias);
      for (guint i = 0; i < n_parts && decoder->adapter_rank > 0; i++)
        parts[i] = dyno_graph_add (
            self->graph, "Add", NULL, parts[i],
            dyno_decoder_add_adapter (self, adapters[i], value, decoder->adapter_rank, sizes[i]), NULL);
      if (kind->has_common_values)
        parts[2] = parts[1];
      return;
    }
  value = dyno_decoder_add_linear (self, names->query, value, all + 2 * cached, decoder->has_input_bias);
  if (decoder->projection == DYNO_PROJECTION_GROUPED)
    {
      /* For each key head its queries, its key and its value: [batch, sequence, cached heads, queries + 2, width] */
      gint64 n_cached = decoder->n_cached_heads, times = decoder->n_heads / n_cached;
      const gint64 groups[] = { 0, 0, n_cached, times + 2, decoder->head_width };
      const gint64 counts[] = { times, 1, 1 };

      value = dyno_layers_reshape (self->graph, value, 5, groups);
      dyno_graph_add_split (self->graph, value, 3, 3, counts, parts);
      for (guint i = 0; i < 3; i++)
        {
          const gint64 flat[] = { 0, 0, counts[i] * n_cached * decoder->head_width };

          parts[i] = dyno_layers_reshape (self->graph, parts[i], 3, flat);
        }
    }
  else
    dyno_graph_add_split (self->graph, value, 2, 3, sizes, parts);
}

/* Split into heads, normalised and rotated: [batch, heads, sequence, width]; for fused attention in the original
 * shape. */
static const char *
finish_heads (const DynoDecoding *self, guint layer, const char *norm, const char *value, gint64 n_heads)
{
  const DynoDecoder *decoder = self->decoder;
  const DynoDecoderLayer *kind = dyno_decoder_get_layer (decoder, layer);
  guint which = kind->is_local && decoder->rotary[1].width > 0 ? 1 : 0;
  gboolean is_turned = decoder->position == DYNO_POSITION_ROTARY && kind->has_rotation;
  gboolean is_normal = decoder->head_norm == DYNO_HEAD_NORM_EACH;
  const gint64 split[] = { 0, 0, n_heads, decoder->head_width };
  const gint64 joined[] = { 0, 0, n_heads * decoder->head_width };

  if (decoder->head_norm == DYNO_HEAD_NORM_ALL)
    value = dyno_decoder_add_norm (self, norm, value);
  if (self->is_fused && !is_turned && !is_normal)
    return value;
  value = self->is_fused ? dyno_layers_reshape (self->graph, value, 4, split)
                         : dyno_layers_split_heads (self->graph, value, n_heads);
  if (is_normal)
    value = dyno_decoder_add_norm (self, norm, value);
  if (is_turned)
    value = dyno_rotary_turn (&decoder->rotary[which], self->graph, &self->rotations[which], value);
  if (is_turned && decoder->head_norm == DYNO_HEAD_NORM_TURNED)
    value = dyno_layers_cast (self->graph, dyno_layers_normal (self->graph, value, decoder->epsilon),
                              dyno_graph_get_real_type (self->graph));
  return self->is_fused ? dyno_layers_reshape (self->graph, value, 3, joined) : value;
}

const char *
dyno_decoder_add_attention (DynoDecoding *self, guint layer, const char *value)
{
  const DynoDecoder *decoder = self->decoder;
  const DynoDecoderNames *names = decoder->names;
  const char *query_norm = names->query_norm != NULL ? names->query_norm : "q_norm";
  const char *key_norm = names->key_norm != NULL ? names->key_norm : "k_norm";
  const char *parts[3];
  const char *query, *key = NULL, *gate = NULL;

  dyno_graph_push_scope (self->graph, "%s", names->attention);
  add_projections (self, layer, value, parts);
  if (decoder->has_output_gate)
    {
      /* Splits the queries of each head from the gate of its result: both [batch, sequence, heads × width]. */
      const gint64 heads[] = { 0, 0, decoder->n_heads, 2 * decoder->head_width };
      const gint64 flat[] = { 0, 0, decoder->n_heads * decoder->head_width };
      const gint64 sizes[] = { decoder->head_width, decoder->head_width };
      const char *halves[2];

      query = dyno_layers_reshape (self->graph, parts[0], 4, heads);
      dyno_graph_add_split (self->graph, query, 3, 2, sizes, halves);
      for (guint i = 0; i < 2; i++)
        halves[i] = dyno_layers_reshape (self->graph, halves[i], 3, flat);
      gate = dyno_graph_add (self->graph, "Sigmoid", NULL, halves[1], NULL);
      parts[0] = halves[0];
    }
  query = finish_heads (self, layer, query_norm, parts[0], decoder->n_heads);
  if (self->sharpness != NULL && !dyno_decoder_get_layer (decoder, layer)->has_rotation)
    query = dyno_graph_add (self->graph, "Mul", NULL, query, self->sharpness, NULL);
  if (dyno_decoder_get_layer (decoder, layer)->source == 0)
    {
      key = finish_heads (self, layer, key_norm, parts[1], dyno_decoder_count_cached (decoder, layer));
      value = parts[2];
      if (!self->is_fused)
        value = dyno_layers_split_heads (self->graph, value, dyno_decoder_count_cached (decoder, layer));
      if (!self->is_fused && decoder->has_value_norm)
        value = dyno_layers_cast (self->graph, dyno_layers_normal (self->graph, value, decoder->epsilon),
                                  dyno_graph_get_real_type (self->graph));
    }
  value = attend (self, layer, query, key, value);
  if (gate != NULL)
    value = dyno_graph_add (self->graph, "Mul", NULL, value, gate, NULL);
  value = dyno_decoder_add_linear (self, names->output, value, decoder->width, decoder->has_output_bias);
  dyno_graph_pop_scope (self->graph);
  return value;
}

const char *
dyno_decoder_add_cross (DynoDecoding *self, guint layer, const char *value)
{
  const DynoDecoder *decoder = self->decoder;
  const DynoDecoderNames *names = decoder->names;
  const DynoScores scores = { decoder->score_divisor, decoder->score_cap, self->cross_mask,
                              decoder->softmax_type, NULL };
  gint64 all = decoder->n_heads * dyno_decoder_get_cached_width (decoder, layer, "key");
  const char *key = self->cross->pdata[2 * layer], *values = self->cross->pdata[2 * layer + 1];

  dyno_graph_push_scope (self->graph, "%s", names->cross);
  value = dyno_decoder_add_linear (self, names->query, value, all, decoder->has_input_bias);
  value = dyno_layers_split_heads (self->graph, value, decoder->n_heads);
  value = dyno_layers_attention_by (self->graph, value, repeat_heads (self, layer, key),
                                    repeat_heads (self, layer, values), &scores);
  value = dyno_decoder_add_linear (self, names->output, value, decoder->width, decoder->has_output_bias);
  dyno_graph_pop_scope (self->graph);
  return value;
}
