/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-head.h"
#include "dyno-stack.h"

G_BEGIN_DECLS

/* Mask of cross-attention. */
#define DYNO_SEQ2SEQ_MASK            "cross_mask"
#define DYNO_SEQ2SEQ_MASK_DIMENSIONS "batch, 1, 1, sequence"

/**
 * DynoSeq2seqPositions:
 * @DYNO_SEQ2SEQ_RELATIVE: a bias of the scores, its table in the first layer
 * @DYNO_SEQ2SEQ_TABLE: added to the embeddings
 * @DYNO_SEQ2SEQ_SINES: added to the embeddings, but not trained
 * @DYNO_SEQ2SEQ_ROTARY: queries and keys of the stacks are turned
 *
 * How a model encodes positions.
 */
typedef enum
{
  DYNO_SEQ2SEQ_RELATIVE,
  DYNO_SEQ2SEQ_TABLE,
  DYNO_SEQ2SEQ_SINES,
  DYNO_SEQ2SEQ_ROTARY,
} DynoSeq2seqPositions;

/**
 * DynoSeq2seq:
 * @encoder: the encoder
 * @decoder: the decoder
 * @shared: the token embedding
 * @head: the output projection, if it is not @shared transposed
 * @vocabulary: size of the vocabulary
 * @n_positions: maximum length of a text or answer
 * @offset: rows before that of the first position
 * @n_buckets: rows of the table of distances
 * @max_distance: distances from here on share a row
 * @positions: kind of positions
 * @has_fixed_sines: whether the sines are no weight, and the last one has exactly the longest wave
 * @is_tied: whether @shared is also the head
 * @has_logits_bias: whether a bias is added to the logits
 * @has_embedding_norm: whether a norm follows the embeddings
 * @scales_outputs: whether the input of a tied head is divided by √width
 * @embedding_scale: factor of embeddings
 *
 * An encoder-decoder model: an encoder of text or anything else, and a decoder that generates text.
 */
typedef struct
{
  DynoStack encoder;
  DynoStack decoder;
  const char *shared;
  const char *head;
  gint64 vocabulary;
  gint64 n_positions;
  gint64 offset;
  gint64 n_buckets;
  gint64 max_distance;
  DynoSeq2seqPositions positions;
  gboolean has_fixed_sines;
  gboolean is_tied;
  gboolean has_logits_bias;
  gboolean has_embedding_norm;
  gboolean scales_outputs;
  double embedding_scale;
} DynoSeq2seq;

/* Returns the model; one with an untied head does not scale its input. @config: a config of T5, Raffel et
 * al. 2020, or of its gated versions. */
DynoSeq2seq dyno_seq2seq_read_t5 (DynoConfig *config);
/* Positions begin at row 2 of their table. Returns the model. @config: a config of BART, Lewis et al.
 * 2019. */
DynoSeq2seq dyno_seq2seq_read_bart (DynoConfig *config);
/* Returns the stack, post-norm. @prefix: prefix of its members, `encoder` or `decoder`. */
DynoStack dyno_seq2seq_read_stack (DynoConfig *config, const char *scope, const char *prefix);
/* Returns the same from the members `hidden_size`, `num_hidden_layers` and so on. */
DynoStack dyno_seq2seq_read_plain_stack (DynoConfig *config, const char *scope);
/* Returns their rotations. */
DynoRotation dyno_seq2seq_rotate (const DynoStack *stack, DynoGraph *graph, const char *places);
/* Moves its norms before attention and feed-forward layers, and adds a final norm. */
void dyno_seq2seq_set_pre_norm (DynoStack *self);
void dyno_seq2seq_check (const DynoSeq2seq *self, DynoConfig *config);
/* Adds the outputs of the encoder: @states, and the keys and values of cross-attention, which are the same
 * for every token. @states: the output of the encoder, [batch, tokens, width]. @source: number of tokens,
 * a size or the name of a dimension. */
void
dyno_seq2seq_add_states (const DynoSeq2seq *self, DynoGraph *graph, const char *states, const char *source);
/* Returns their embeddings without positions, [batch, tokens, width]. @ids: tokens, [batch, tokens]. */
const char *
dyno_seq2seq_embed (const DynoSeq2seq *self, DynoGraph *graph, const DynoStack *stack, const char *ids);
/* Returns the input of the tokens, `input_ids`, [batch, sequence]. */
const char *dyno_seq2seq_add_tokens (const DynoSeq2seq *self, DynoGraph *graph);
/* Adds the stage that reads the text once for all tokens of the answer. @scope (nullable): the scope of its
 * weights in that of another model. @ids (nullable): the tokens, [batch, sequence]. @value (nullable):
 * replaces their embeddings, [batch, sequence, width]. */
void dyno_seq2seq_add_encoder (
    const DynoSeq2seq *self, DynoGraph *graph, const char *scope, const char *ids, const char *value);
/* Adds the encoder as a part of another model. Returns [batch, sequence, width]. @ids: its tokens, [batch,
 * sequence]. @tokens: 1 for a token and 0 for padding, [batch, sequence]; NULL if padding is read as well. */
const char *
dyno_seq2seq_add_part (const DynoSeq2seq *self, DynoGraph *graph, const char *ids, const char *tokens);
/* Adds the encoder of a model without a decoder. @graph: an empty graph. */
void dyno_seq2seq_add_encoder_alone (const DynoSeq2seq *self, DynoGraph *graph);
/* Adds a model that classifies a text: both encoder and decoder read the whole of it. @self: a model whose
 * source is a text, with positions in a table. @graph: an empty graph. */
void
dyno_seq2seq_add_classifier (const DynoSeq2seq *self, DynoGraph *graph, gint64 start, const DynoHead *head);
/* Adds the decoder stage: for a whole given answer, or for one more token after those in the cache.
 * @graph: an empty graph. @source: as for dyno_seq2seq_add_states(). @has_mask: whether the output of the
 * encoder may contain padding. */
void
dyno_seq2seq_add_decoder (const DynoSeq2seq *self, DynoGraph *graph, const char *source, gboolean has_mask);

G_END_DECLS
