/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>

#include "dyno-fusion.h"
#include "dyno-layers.h"
#include "dyno-model-graph-private.h"

/* In a vision-language model, the text contains one placeholder token for each token of its image. */

void
dyno_fusion_check_token (DynoConfig *config, const char *name, gint64 token, gint64 vocabulary)
{
  if (token >= vocabulary)
    dyno_config_fail (
        config, _ ("its “%s” is %" PRId64 ", but the language model has %" PRId64 " tokens (“vocab_size”)"),
        name, token, vocabulary);
}

void
dyno_fusion_check (DynoConfig *config, const char *name, gint64 token, const DynoDecoder *decoder)
{
  dyno_fusion_check_token (config, name, token, decoder->vocabulary);
  if (decoder->embedding_width != decoder->width)
    dyno_config_fail (config, _ ("a language model whose tokens have a width of their own "
                                 "(“word_embed_proj_dim”) is not supported"));
  if (decoder->extra_width > 0)
    dyno_config_fail (config, _ ("a language model with embeddings for each layer "
                                 "(“hidden_size_per_layer_input”) is not supported in it"));
}

/* Replaces the placeholder tokens of each text by the tokens of its image, in order: [batch, sequence, width]. */
static const char *
fuse (DynoGraph *graph, const char *ids, gint64 picture_token, const char *value, const char *features)
{
  const DynoShape *shape = dyno_graph_get_shape (graph, features);
  const gint64 flat[] = { -1, shape->dims[2] }, second = 1, last = 2;
  gboolean has_many = dyno_graph_get_pictures (graph) > 1;
  gint64 n_features = shape->dims[1];
  const char *is_picture, *rows, *items, *count, *last_row;

  dyno_graph_push_scope (graph, "fusion");
  is_picture = dyno_graph_add (graph, "Equal", NULL, ids, dyno_graph_add_int (graph, picture_token), NULL);
  features = dyno_layers_reshape (graph, features, 2, flat);

  /* The row of each token among the features of all pictures, [batch, sequence], is the running count of picture
   * tokens, from 0; tokens before the first of them get the first row, but do not use it. */
  rows = dyno_graph_add (graph, "Cast", "to=7", is_picture, NULL);
  items = dyno_relative_places (graph, ids, 0);
  rows = dyno_graph_add (graph, "CumSum", NULL, rows, dyno_graph_add_int (graph, 1), NULL);
  rows = dyno_graph_add (graph, "Sub", NULL, rows, dyno_graph_add_int (graph, 1), NULL);
  /* Of several pictures, the graph counts the tokens itself, so that one file serves for any number. */
  count = has_many ? dyno_graph_add (graph, "Div", NULL, dyno_relative_length (graph, features, 0),
                                     dyno_relative_length (graph, ids, 0), NULL)
                   : dyno_graph_add_int (graph, n_features);
  last_row = has_many ? dyno_graph_add (graph, "Sub", NULL, count, dyno_graph_add_int (graph, 1), NULL)
                      : dyno_graph_add_int (graph, n_features - 1);
  rows = dyno_graph_add (graph, "Clip", NULL, rows, dyno_graph_add_int (graph, 0), last_row, NULL);
  items = dyno_graph_add (graph, "Mul", NULL, items, count, NULL);
  items = dyno_graph_add (graph, "Unsqueeze", NULL, items, dyno_graph_add_ints (graph, 1, &second), NULL);
  rows = dyno_graph_add (graph, "Add", NULL, rows, items, NULL);

  features = dyno_graph_add (graph, "Gather", "axis=0", features, rows, NULL);
  is_picture =
      dyno_graph_add (graph, "Unsqueeze", NULL, is_picture, dyno_graph_add_ints (graph, 1, &last), NULL);
  value = dyno_graph_add (graph, "Where", NULL, is_picture, features, value, NULL);
  dyno_graph_pop_scope (graph);
  return value;
}

const char *
dyno_fusion_take (DynoGraph *graph, const char *name, gint64 n_tokens, gint64 width)
{
  g_autofree char *pictures = dyno_graph_dup_pictures (graph);
  g_autofree char *dimensions = g_strdup_printf ("%s, %" PRId64 ", %" PRId64, pictures, n_tokens, width);

  return dyno_graph_add_input (graph, name, dyno_graph_get_real_type (graph), dimensions);
}

void
dyno_fusion_give (DynoGraph *graph, const char *name, const char *value)
{
  const DynoShape *shape = dyno_graph_get_shape (graph, value);
  g_autofree char *pictures = dyno_graph_dup_pictures (graph);
  g_autofree char *dimensions =
      g_strdup_printf ("%s, %" PRId64 ", %" PRId64, pictures, shape->dims[1], shape->dims[2]);

  dyno_graph_add_output (graph, name, value, dimensions);
}

static char *
dup_text_dimensions (gint64 width)
{
  return g_strdup_printf ("batch, sequence, %" PRId64, width);
}

void
dyno_fusion_insert (
    DynoGraph *graph, const char *ids, const char *value, gint64 picture_token, const char *features)
{
  const DynoShape *shape = dyno_graph_get_shape (graph, features);
  g_autofree char *dimensions = dup_text_dimensions (shape->dims[2]);

  dyno_graph_hold_places (graph, picture_token, shape->dims[1]);
  value = fuse (graph, ids, picture_token, value, features);
  dyno_graph_add_output (graph, DYNO_FUSION_EMBEDS, value, dimensions);
}

const char *
dyno_fusion_take_text (DynoGraph *graph, gint64 width)
{
  g_autofree char *dimensions = dup_text_dimensions (width);

  return dyno_graph_add_input (graph, DYNO_FUSION_EMBEDS, dyno_graph_get_real_type (graph), dimensions);
}

char *
dyno_fusion_name_added (gint64 layer)
{
  return g_strdup_printf (DYNO_FUSION_ADDED ".%" PRId64, layer);
}

const char *
dyno_fusion_take_added (DynoGraph *graph, guint layer, gint64 width)
{
  g_autofree char *name = g_strdup_printf ("added_embeds.%u", layer);
  g_autofree char *dimensions = dup_text_dimensions (width);

  return dyno_graph_add_input (graph, name, dyno_graph_get_real_type (graph), dimensions);
}

const char *
dyno_fusion_add_positions (const DynoDecoder *decoder, DynoGraph *graph, const char *positions)
{
  gint64 side = decoder->picture_side, n_tokens = side * side;
  const gint64 last = 2;
  const char *across = dyno_graph_add_int (graph, side);
  const char *parts[3], *places, *before, *pictures, *place, *row;

  dyno_graph_push_scope (graph, "fusion");
  places = dyno_graph_add_input (graph, DYNO_FUSION_PLACES, DYNO_DATA_TYPE_INT64, "batch, sequence");

  /* Counts the picture tokens before each token: [batch, sequence]. The count continues from step to step. */
  const char *past = dyno_graph_add_input (graph, "past_key_values.places", DYNO_DATA_TYPE_INT64, "batch, 1");
  const char *seen = dyno_graph_add (graph, "CumSum", NULL, places, dyno_graph_add_int (graph, 1), NULL);

  dyno_graph_limit_input (graph, "past_key_values.places", 1);
  seen = dyno_graph_add (graph, "Add", NULL, seen, past, NULL);
  past = dyno_graph_add (graph, "ReduceMax", "axes=[1] keepdims=1", seen, NULL);
  dyno_graph_add_output (graph, "present.places", past, "batch, 1");
  before = dyno_graph_add (graph, "Sub", NULL, seen, places, NULL);
  pictures = dyno_graph_add (graph, "Div", NULL, before, dyno_graph_add_int (graph, n_tokens), NULL);
  place = dyno_graph_add (graph, "Mul", NULL, pictures, dyno_graph_add_int (graph, n_tokens), NULL);
  place = dyno_graph_add (graph, "Sub", NULL, before, place, NULL);
  place = dyno_graph_add (graph, "Mul", NULL, place, places, NULL);
  pictures = dyno_graph_add (graph, "Mul", NULL, pictures, dyno_graph_add_int (graph, n_tokens - side), NULL);
  parts[0] = dyno_graph_add (graph, "Sub", NULL, positions, pictures, NULL);
  parts[0] = dyno_graph_add (graph, "Sub", NULL, parts[0], place, NULL);
  row = dyno_graph_add (graph, "Div", NULL, place, across, NULL);
  parts[1] = dyno_graph_add (graph, "Add", NULL, parts[0], row, NULL);
  row = dyno_graph_add (graph, "Mul", NULL, row, across, NULL);
  parts[2] = dyno_graph_add (graph, "Sub", NULL, place, row, NULL);
  parts[2] = dyno_graph_add (graph, "Add", NULL, parts[0], parts[2], NULL);
  for (guint i = 0; i < 3; i++)
    parts[i] =
        dyno_graph_add (graph, "Unsqueeze", NULL, parts[i], dyno_graph_add_ints (graph, 1, &last), NULL);
  positions = dyno_graph_add_list (graph, "Concat", "axis=2", 3, parts);
  dyno_graph_pop_scope (graph);
  return positions;
}

void
dyno_fusion_add (const DynoDecoder *decoder, DynoGraph *graph, gint64 picture_token, gint64 n_features)
{
  g_autofree char *text = dup_text_dimensions (decoder->width);
  const char *ids = dyno_decoder_add_tokens (decoder, graph);
  const char *features =
      n_features > 0 ? dyno_fusion_take (graph, DYNO_FUSION_FEATURES, n_features, decoder->width) : NULL;
  const char *value, *places;

  dyno_graph_push_scope (graph, "language_model");
  value = dyno_decoder_embed (decoder, graph, ids);
  dyno_graph_pop_scope (graph);
  if (features != NULL)
    dyno_fusion_insert (graph, ids, value, picture_token, features);
  else
    dyno_graph_add_output (graph, DYNO_FUSION_EMBEDS, value, text);
  for (gint64 i = 0; i < decoder->n_added; i++)
    {
      g_autofree char *name = dyno_fusion_name_added (i);
      g_autofree char *output = g_strdup_printf ("added_embeds.%" PRId64, i);
      g_autofree char *dimensions = dup_text_dimensions (decoder->width);

      features = dyno_fusion_take (graph, name, n_features, decoder->width);
      features = fuse (graph, ids, picture_token, dyno_graph_add_real (graph, 0), features);
      dyno_graph_add_output (graph, output, features, dimensions);
    }
  if (decoder->sees_whole_pictures || decoder->picture_side > 0)
    {
      dyno_graph_push_scope (graph, "fusion");
      places = dyno_graph_add (graph, "Equal", NULL, ids, dyno_graph_add_int (graph, picture_token), NULL);
      places = dyno_layers_cast (graph, places, DYNO_DATA_TYPE_INT64);
      if (decoder->sees_whole_prompts)
        {
          /* All tokens of each text with a picture. */
          places = dyno_graph_add (graph, "ReduceMax", "axes=[1] keepdims=1", places, NULL);
          places = dyno_graph_add (graph, "Expand", NULL, places,
                                   dyno_graph_add (graph, "Shape", NULL, ids, NULL), NULL);
        }
      dyno_graph_pop_scope (graph);
      dyno_graph_add_output (graph, DYNO_FUSION_PLACES, places, "batch, sequence");
    }
}

void
dyno_fusion_add_decoder (const DynoDecoder *decoder, DynoGraph *graph)
{
  const char *value = dyno_fusion_take_text (graph, decoder->width);

  dyno_graph_push_scope (graph, "language_model");
  dyno_decoder_add (decoder, graph, NULL, value);
  dyno_graph_pop_scope (graph);
}
