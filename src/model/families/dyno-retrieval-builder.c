/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>

#include "dyno-architecture.h"
#include "dyno-layers.h"
#include "dyno-model-graph-private.h"

/* Retrieval-augmented generation, Lewis et al. 2020: an encoder embeds the question, the passages with the most similar
 * embeddings are searched, and a decoder reads them before the question and answers token by token. The config is Dyno's
 * own, because no library has one for the whole. */

/* Stored tokens are fractions of the vocabulary size between 0 and 1, because weights are real numbers. */
#define TOKEN_MEAN      0.5
#define TOKEN_DEVIATION 0.28
#define LARGEST_SHARE   0.9999f

/* A question and its answer have at least one token each. */
#define LEAST_TOKENS 2

#define PROMPT "prompt_ids"
#define ANSWER "batch, decoder_sequence"

typedef struct
{
  gint64 n_entries;
  gint64 n_top;
  gint64 n_tokens; /* of a passage */
  gint64 width;
  gint64 vocabulary; /* of the decoder */
  gint64 n_positions;
} Index;

/* The architecture of a part, which must belong to a family; NULL if the config has failed. */
static const DynoArchitecture *
find_part (DynoConfig *part, const char *family)
{
  const DynoArchitecture *architecture = dyno_architecture_find (part, NULL);

  if (architecture != NULL && g_str_equal (architecture->family->id, family) && architecture->build != NULL)
    return architecture;
  dyno_config_fail (part, _ ("its “model_type” is none of the family “%s”"), family);
  return NULL;
}

static Index
read_index (DynoConfig *config)
{
  DynoConfig *index = dyno_config_get_child (config, "index");
  DynoConfig *encoder = dyno_config_get_child (config, "encoder");
  DynoConfig *decoder = dyno_config_get_child (config, "decoder");
  gint64 n_positions = dyno_config_get_count_or (decoder, "n_positions", 0);
  const Index self = {
    .n_entries = dyno_config_get_int (index, "entries"),
    .n_top = dyno_config_get_int (index, "top_k"),
    .n_tokens = dyno_config_get_int (index, "passage_tokens"),
    .width = dyno_config_get_int (encoder, "hidden_size"),
    .vocabulary = dyno_config_get_int (decoder, "vocab_size"),
    .n_positions =
        n_positions > 0 ? n_positions : dyno_config_get_int_or (decoder, "max_position_embeddings", 2048),
  };

  if (self.n_top > self.n_entries)
    dyno_config_fail (index, _ ("its “top_k” is more than its “entries”"));
  if (self.n_top * self.n_tokens + LEAST_TOKENS > self.n_positions)
    dyno_config_fail (index,
                      _ ("its “top_k” passages of %" PRId64
                         " tokens leave no place for a question and an answer "
                         "in the %" PRId64 " positions of “decoder”"),
                      self.n_tokens, self.n_positions);
  return self;
}

static void
build_encoder (DynoGraph *graph, DynoConfig *config)
{
  DynoConfig *part = dyno_config_get_child (config, "encoder");
  const DynoArchitecture *encoder = find_part (part, "encoder");

  if (encoder == NULL)
    return;
  dyno_graph_push_scope (graph, "encoder");
  encoder->build (graph, part);
  dyno_graph_pop_scope (graph);
}

/* The tokens of the passages found, concatenated: [batch, top · tokens]. */
static const char *
fetch (DynoGraph *graph, const Index *self, const char *found)
{
  const gint64 dims[] = { self->n_entries, self->n_tokens };
  const gint64 flat[] = { 0, self->n_top * self->n_tokens };
  const char *table = dyno_graph_add_buffer (graph, "passages", TOKEN_MEAN, TOKEN_DEVIATION, 2, dims);
  const char *tokens = dyno_graph_add (graph, "Gather", "axis=0", table, found, NULL);

  tokens = dyno_layers_reshape (graph, tokens, 2, flat);
  tokens = dyno_layers_cast (graph, tokens, DYNO_DATA_TYPE_FLOAT);
  tokens = dyno_graph_add (graph, "Clip", NULL, tokens, dyno_graph_add_float (graph, 0),
                           dyno_graph_add_float (graph, LARGEST_SHARE), NULL);
  tokens = dyno_graph_add (graph, "Mul", NULL, tokens, dyno_graph_add_float (graph, (float)self->vocabulary),
                           NULL);
  return dyno_layers_cast (graph, tokens, DYNO_DATA_TYPE_INT64);
}

/* The passages and the question. */
static char *
dup_prompt (const Index *self)
{
  return g_strdup_printf ("batch, sequence + %" G_GINT64_FORMAT, self->n_top * self->n_tokens);
}

static void
build_search (DynoGraph *graph, DynoConfig *config)
{
  const Index self = read_index (config);
  const char *vectors, *scores, *found, *sum, *length;

  if (dyno_config_check (config, NULL))
    {
      const gint64 dims[] = { self.width, self.n_entries }, last = 2, second = 1;
      g_autofree char *states = g_strdup_printf ("batch, sequence, %" G_GINT64_FORMAT, self.width);
      g_autofree char *places = g_strdup_printf ("batch, %" G_GINT64_FORMAT, self.n_top);
      g_autofree char *prompt = dup_prompt (&self);
      const char *value =
          dyno_graph_add_input (graph, "last_hidden_state", dyno_graph_get_real_type (graph), states);
      const char *mask =
          dyno_graph_add_input (graph, "attention_mask", DYNO_DATA_TYPE_INT64, "batch, sequence");
      const char *question =
          dyno_graph_add_input (graph, "question_ids", DYNO_DATA_TYPE_INT64, "batch, sequence");

      dyno_graph_limit_input (graph, question, self.vocabulary);
      dyno_graph_push_scope (graph, "index");
      vectors = dyno_graph_add_buffer (graph, "vectors", 0, 1 / sqrt ((double)self.width), 2, dims);
      dyno_graph_turn_weight (graph, vectors);

      /* The mean of all tokens except padding, normalised to length 1: Reimers and Gurevych 2019. Long sums
       * are in single precision in any graph. */
      value = dyno_layers_cast (graph, value, DYNO_DATA_TYPE_FLOAT);
      mask = dyno_layers_cast (graph, mask, DYNO_DATA_TYPE_FLOAT);
      mask = dyno_graph_add (graph, "Unsqueeze", NULL, mask, dyno_graph_add_ints (graph, 1, &last), NULL);
      sum = dyno_graph_add (graph, "Mul", NULL, value, mask, NULL);
      sum = dyno_graph_add (graph, "ReduceSum", NULL, sum, dyno_graph_add_ints (graph, 1, &second), NULL);
      sum = dyno_graph_add (graph, "Squeeze", NULL, sum, dyno_graph_add_ints (graph, 1, &second), NULL);
      length = dyno_graph_add (graph, "ReduceL2", "axes=[-1] keepdims=1", sum, NULL);
      sum = dyno_graph_add (graph, "Div", NULL, sum, length, NULL);
      value = dyno_graph_add (graph, "MatMul", NULL,
                              dyno_layers_cast (graph, sum, dyno_graph_get_real_type (graph)), vectors, NULL);
      dyno_graph_add_top_k (graph, value, self.n_top, &scores, &found);
      value = dyno_graph_add (graph, "Concat", "axis=1", fetch (graph, &self, found), question, NULL);
      dyno_graph_pop_scope (graph);
      dyno_graph_add_output (graph, PROMPT, value, prompt);
      dyno_graph_add_output (graph, "passages", found, places);
    }
}

/* The inputs of the decoder that replace its own. */
typedef struct
{
  const char *ids;
  const char *mask;
  const char *places;
  const char *answer;
} Reading;

static const char *
join (DynoGraph *graph, const char *first, const char *second)
{
  return dyno_graph_add (graph, "Concat", "axis=1", first, second, NULL);
}

static const char *
link_input (DynoGraph *graph, const char *name, gpointer data)
{
  const Reading *self = data;

  return g_str_equal (name, "input_ids")        ? self->ids
         : g_str_equal (name, "attention_mask") ? self->mask
         : g_str_equal (name, "position_ids")   ? self->places
                                                : NULL;
}

/* Logits of the answer alone. */
static const char *
cut_output (DynoGraph *graph, const char *name, const char *value, gpointer data)
{
  const Reading *self = data;
  const gint64 end = G_MAXINT64, axis = 1;
  const char *start;

  if (!g_str_equal (name, "logits"))
    return value;
  start = dyno_graph_add (graph, "Shape", "start=1 end=2", self->answer, NULL);
  start = dyno_graph_add (graph, "Neg", NULL, start, NULL);
  return dyno_graph_add (graph, "Slice", NULL, value, start, dyno_graph_add_ints (graph, 1, &end),
                         dyno_graph_add_ints (graph, 1, &axis), NULL);
}

static void
build_decoder (DynoGraph *graph, DynoConfig *config)
{
  DynoConfig *part = dyno_config_get_child (config, "decoder");
  const DynoArchitecture *decoder = find_part (part, "decoder");
  const Index index = read_index (config);

  if (decoder == NULL || !dyno_config_check (config, NULL))
    return;
  g_autofree char *dimensions = dup_prompt (&index);
  const char *prompt = dyno_graph_add_input (graph, PROMPT, DYNO_DATA_TYPE_INT64, dimensions);
  const char *answer = dyno_graph_add_input (graph, "decoder_input_ids", DYNO_DATA_TYPE_INT64, ANSWER);
  const char *held =
      dyno_graph_add_input (graph, "past_key_values.mask", DYNO_DATA_TYPE_INT64, "batch, past");
  const gint64 one = 1, end = G_MAXINT64, axis = 1;
  Reading reading = { .answer = answer };
  const DynoGraphPart linked = { link_input, cut_output, &reading, "decoder_sequence" };
  const char *shape;

  dyno_graph_limit_input (graph, answer, index.vocabulary);
  dyno_graph_push_scope (graph, "decoder");

  /* The part of the prompt that is not in the cache yet, then the tokens of the answer. The mask is
   * carried along with the keys and values, because a cache with a window does not show the number of
   * positions. */
  dyno_graph_push_scope (graph, "prompt");
  prompt = dyno_graph_add (graph, "Slice", NULL, prompt,
                           dyno_graph_add (graph, "Shape", "start=1 end=2", held, NULL),
                           dyno_graph_add_ints (graph, 1, &end), dyno_graph_add_ints (graph, 1, &axis), NULL);
  reading.ids = join (graph, prompt, answer);
  shape = dyno_graph_add (graph, "Shape", NULL, reading.ids, NULL);
  reading.mask = join (
      graph, held, dyno_graph_add (graph, "Expand", NULL, dyno_graph_add_ints (graph, 1, &one), shape, NULL));
  reading.places = dyno_relative_range (graph, dyno_relative_length (graph, held, 1),
                                        dyno_relative_length (graph, reading.mask, 1));
  reading.places = dyno_graph_add (graph, "Expand", NULL, reading.places, shape, NULL);
  dyno_graph_pop_scope (graph);
  dyno_graph_set_part (graph, &linked);
  decoder->build (graph, part);
  dyno_graph_set_part (graph, NULL);
  dyno_graph_pop_scope (graph);
  dyno_graph_add_output (graph, "present.mask", reading.mask, "batch, past + decoder_sequence");
  dyno_graph_find_tokens (graph, index.n_top * index.n_tokens, index.n_positions);
  dyno_graph_limit_sequence (graph, index.n_positions - index.n_top * index.n_tokens - 1);
}

static const DynoStage stages[] = {
  { "encoder", build_encoder, TRUE },
  { "search", build_search, TRUE },
  { "decoder", build_decoder },
  { NULL },
};

static const DynoFamily family = { "retrieval", N_ ("Retrieval-augmented model"),
                                   N_ ("Retrieval-Augmented Models") };

const DynoArchitecture dyno_retrieval_architectures[] = {
  { "DynoRetrievalPipeline", &family, "question-answering", .stages = stages },
  { NULL },
};
