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

DynoSeq2seq dyno_seq2seq_read_t5 (DynoConfig *config);
DynoSeq2seq dyno_seq2seq_read_bart (DynoConfig *config);
DynoStack dyno_seq2seq_read_stack (DynoConfig *config, const char *scope, const char *prefix);
DynoRotation dyno_seq2seq_rotate (const DynoStack *stack, DynoGraph *graph, const char *places);
void dyno_seq2seq_set_pre_norm (DynoStack *self);
void dyno_seq2seq_check (const DynoSeq2seq *self, DynoConfig *config);
void
dyno_seq2seq_add_states (const DynoSeq2seq *self, DynoGraph *graph, const char *states, const char *source);
const char *
dyno_seq2seq_embed (const DynoSeq2seq *self, DynoGraph *graph, const DynoStack *stack, const char *ids);
const char *dyno_seq2seq_add_tokens (const DynoSeq2seq *self, DynoGraph *graph);
void dyno_seq2seq_add_encoder (
    const DynoSeq2seq *self, DynoGraph *graph, const char *scope, const char *ids, const char *value);
const char *
dyno_seq2seq_add_part (const DynoSeq2seq *self, DynoGraph *graph, const char *ids, const char *tokens);
void dyno_seq2seq_add_encoder_alone (const DynoSeq2seq *self, DynoGraph *graph);
void
dyno_seq2seq_add_classifier (const DynoSeq2seq *self, DynoGraph *graph, gint64 start, const DynoHead *head);
void
dyno_seq2seq_add_decoder (const DynoSeq2seq *self, DynoGraph *graph, const char *source, gboolean has_mask);

G_END_DECLS
