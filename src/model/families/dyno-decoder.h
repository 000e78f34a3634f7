/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-architecture.h"
#include "dyno-config-checks.h"
#include "dyno-head.h"
#include "dyno-model-families-private.h"
#include "dyno-rotary.h"

G_BEGIN_DECLS

/**
 * DynoNormKind:
 * @DYNO_NORM_LAYER: mean and variance, with a weight and a bias
 * @DYNO_NORM_LAYER_UNBIASED: the same without a bias
 * @DYNO_NORM_RMS: the root of the mean square, with a weight
 * @DYNO_NORM_RMS_ZERO: the same with 1 + weight
 *
 * How activations are normalised.
 */
typedef enum
{
  DYNO_NORM_LAYER,
  DYNO_NORM_LAYER_UNBIASED,
  DYNO_NORM_RMS,
  DYNO_NORM_RMS_ZERO,
} DynoNormKind;

/**
 * DynoPositionKind:
 * @DYNO_POSITION_LEARNED: a learned table that is added to the embeddings
 * @DYNO_POSITION_ROTARY: queries and keys are rotated
 * @DYNO_POSITION_ALIBI: scores grow with the position of the key, with one slope per head (Press et al.
 * 2021)
 * @DYNO_POSITION_NONE: other layers depend on the order
 *
 * How a decoder encodes positions.
 */
typedef enum
{
  DYNO_POSITION_LEARNED,
  DYNO_POSITION_ROTARY,
  DYNO_POSITION_ALIBI,
  DYNO_POSITION_NONE,
} DynoPositionKind;

/**
 * DynoProjectionKind:
 * @DYNO_PROJECTION_SEPARATE: one weight for each of queries, keys and values
 * @DYNO_PROJECTION_JOINED: one weight: all queries, all keys, all values
 * @DYNO_PROJECTION_GROUPED: one weight: for each key head its queries, its key, its value
 *
 * The layout of the weights of attention.
 */
typedef enum
{
  DYNO_PROJECTION_SEPARATE,
  DYNO_PROJECTION_JOINED,
  DYNO_PROJECTION_GROUPED,
} DynoProjectionKind;

/**
 * DynoHeadNorm:
 * @DYNO_HEAD_NORM_NONE: queries and keys stay as they are
 * @DYNO_HEAD_NORM_EACH: every head is normalised separately
 * @DYNO_HEAD_NORM_ALL: all heads are normalised together
 * @DYNO_HEAD_NORM_TURNED: every head that is rotated is normalised after that, without a weight
 *
 * How queries and keys are normalised before their product.
 */
typedef enum
{
  DYNO_HEAD_NORM_NONE,
  DYNO_HEAD_NORM_EACH,
  DYNO_HEAD_NORM_ALL,
  DYNO_HEAD_NORM_TURNED,
} DynoHeadNorm;

/**
 * DynoDecoderNames:
 *
 * The names of weights in checkpoints; NULL for weights that an architecture does not have. `query` is the
 * fused projection, and `up` the fused gate and up, if they are one weight; names of norms end in the layer
 * they follow or precede.
 */
typedef struct
{
  const char *embedding;
  const char *types;
  const char *positions;
  const char *embedding_norm;
  const char *embedding_in;
  const char *embedding_out;
  const char *layers;
  const char *norm_before_attention;
  const char *attention;
  const char *query;
  const char *key;
  const char *value;
  const char *query_norm; /* NULL for q_norm, and the next for k_norm */
  const char *key_norm;
  const char *output;
  const char *norm_after_attention;
  const char *norm_before_cross;
  const char *cross;
  const char *norm_after_cross;
  const char *norm_before_feed;
  const char *feed;
  const char *gate;
  const char *up;
  const char *down;
  const char *norm_after_feed;
  const char *final_norm;
  const char *head;
} DynoDecoderNames;

/**
 * DynoRouting:
 * @DYNO_ROUTING_SOFTMAX: the scores of all experts are a softmax
 * @DYNO_ROUTING_SIGMOID: each is a sigmoid
 * @DYNO_ROUTING_MIXER: two experts, one after the other, each weighted among those whose scores are near its own
 *   (SparseMixer, Liu et al. 2024)
 *
 * How the scores of experts follow from the router.
 */
typedef enum
{
  DYNO_ROUTING_SOFTMAX,
  DYNO_ROUTING_SIGMOID,
  DYNO_ROUTING_MIXER,
} DynoRouting;

/**
 * DynoExperts:
 * @n_experts: number of experts; 0 for none
 * @n_chosen: how many of them process a token
 * @width: their inner width
 * @shared_width: inner width of the shared expert, which processes every token; 0 for none
 * @field: the member of the config with @n_experts
 * @chosen_field: the member of the config with @n_chosen
 * @is_normalised: whether the weights of the chosen experts are normalised to a sum of 1
 * @scope: the scope of the layer in checkpoints
 * @gate: (nullable): the gate projection of an expert, NULL if it is one weight with the up projection
 * @up: its up projection
 * @down: its down projection
 * @router: (nullable): the projection to the scores, NULL for `gate`
 * @shared: (nullable): the scope of the shared expert, NULL for `shared_expert`
 * @correction: (nullable): a bias that decides which experts are chosen, and not how they are weighted
 * @is_correction_row: whether it is stored as a matrix of one row
 * @routing: how scores follow from the projection
 * @n_groups: the number of groups of experts; 0 or 1 for none
 * @n_chosen_groups: the number of groups that experts are chosen from
 * @n_best: how many of the best scores of a group add up to its own
 * @weight_scale: factor of the weights; 0 for none
 * @limit: limit of the SwiGLU of GPT-OSS, whose gates and up projections alternate; 0 for the usual product
 * @nearness: with SparseMixer, the relative difference up to which scores are near
 * @weighs_inputs: whether the weights of experts are factors of their inputs, not of their results
 * @has_router_bias: whether the router has a bias
 * @has_bias: whether the experts have biases
 * @is_conv1d: whether their weights are [inputs, outputs]
 * @is_beside: whether they are parallel to the feed-forward layer, with norms of their own and a norm of
 * the router
 * @is_shared_plain: whether the shared expert has no gate of its own
 *
 * A mixture of experts: each token is processed by the few feed-forward layers with the highest scores.
 */
typedef struct
{
  gint64 n_experts;
  gint64 n_chosen;
  gint64 width;
  gint64 shared_width;
  const char *field;
  const char *chosen_field;
  gboolean is_normalised;
  const char *scope;
  const char *gate;
  const char *up;
  const char *down;
  const char *router;
  const char *shared;
  const char *correction;
  gboolean is_correction_row;
  DynoRouting routing;
  gint64 n_groups;
  gint64 n_chosen_groups;
  guint n_best;
  double weight_scale;
  double limit;
  double nearness;
  gboolean weighs_inputs;
  gboolean has_router_bias;
  gboolean has_bias;
  gboolean is_conv1d;
  gboolean is_beside;
  gboolean is_shared_plain;
} DynoExperts;

/**
 * DynoLatent:
 * @query_rank: width of the latent vector of queries; 0 if they have none
 * @key_rank: width of the latent vector of keys and values; 0 if attention is not latent
 * @plain_width: width of the part of a query or key that is not rotated
 * @turned_width: width of the rotated part, which all heads of keys share
 * @value_width: width of a value
 *
 * Multi-head latent attention (DeepSeek-V2, 2024): the cache has one latent vector per token in place of all keys and
 * values, and the rotated part of its key.
 */
typedef struct
{
  gint64 query_rank;
  gint64 key_rank;
  gint64 plain_width;
  gint64 turned_width;
  gint64 value_width;
} DynoLatent;

/**
 * DynoMixer:
 * @DYNO_MIXER_ATTENTION: attention
 * @DYNO_MIXER_CONVOLUTION: a gated convolution over the last tokens (LFM2, Liquid AI 2025)
 * @DYNO_MIXER_DELTA: a state that a gated delta rule updates (Yang et al. 2024)
 * @DYNO_MIXER_LINEAR: a state that fades and to which each token adds its value times its key (Qin et al. 2024)
 * @DYNO_MIXER_SELECTIVE: the selective scan of Mamba 1
 *
 * How a layer of a decoder lets tokens read others.
 */
typedef enum
{
  DYNO_MIXER_ATTENTION,
  DYNO_MIXER_CONVOLUTION,
  DYNO_MIXER_DELTA,
  DYNO_MIXER_LINEAR,
  DYNO_MIXER_SELECTIVE,
} DynoMixer;

/**
 * DynoBlend:
 * @kept: factor of the normalised input
 * @added: factor of the result
 *
 * How a layer adds its result to its normalised input, instead of the residual before the norm.
 */
typedef struct
{
  double kept;
  double added;
} DynoBlend;

/**
 * DynoDelta:
 * @n_key_heads: number of heads of queries and keys
 * @n_value_heads: number of heads of values, a multiple of it
 * @key_width: width of a key
 * @value_width: width of a value
 * @is_split: whether the projections are a weight each, else joined by heads of keys
 *
 * The sizes of layers with a gated delta rule.
 */
typedef struct
{
  gint64 n_key_heads;
  gint64 n_value_heads;
  gint64 key_width;
  gint64 value_width;
  gboolean is_split;
} DynoDelta;

/**
 * DynoDecoderLayer:
 * @mixer: how it lets tokens read others
 * @has_window: whether it attends only to the last positions
 * @has_chunks: whether it attends only to the chunk of positions that its own belongs to
 * @has_rotation: whether it rotates queries and keys
 * @has_experts: whether its feed-forward layer is a mixture of experts
 * @is_local: whether it is of the kind with a window, even if no text is long enough for it
 * @source: 0, or the number of layers up to the one whose keys and values it reads
 * @inner_width: inner width of its feed-forward layer; 0 for that of all layers
 * @head_width: width of its heads; 0 for that of all layers
 * @n_cached_heads: number of its heads of keys and values; 0 for that of all layers
 * @has_common_values: whether its values are its keys before norm and rotation
 * @sparsity: the share of its gates that are closed, from 0 to 1
 *
 * Properties that may differ between layers.
 */
typedef struct
{
  DynoMixer mixer;
  gboolean has_window;
  gboolean has_chunks;
  gboolean has_rotation;
  gboolean has_experts;
  gboolean is_local;
  guint source;
  gint64 inner_width;
  gint64 head_width;
  gint64 n_cached_heads;
  gboolean has_common_values;
  double sparsity;
} DynoDecoderLayer;

/**
 * DynoDecoder:
 *
 * An autoregressive transformer as data: filled in from a config, and built by dyno_decoder_build() or the builder
 * of a model that contains it. The first of a pair is for layers without a window, the second for layers with one;
 * without a second, the first is for all. A scale, divisor or cap of 0 means none.
 */
typedef struct
{
  const DynoDecoderNames *names;
  gint64 vocabulary;
  gint64 n_types; /* rows of a table of types of tokens; 0 for none */
  gint64 width;
  gint64 embedding_width;
  gint64 n_layers;
  gint64 n_heads;
  gint64 n_cached_heads;
  gint64 head_width;
  gint64 inner_width;
  gint64 n_positions;
  gint64 first_position;
  gint64 window;
  gint64 chunk;        /* number of positions in a chunk, 0 for none */
  gint64 picture_side; /* in tokens, of pictures whose tokens have rows and columns, 0 for none */
  gint64 n_streams;    /* of each token, 0 for one */
  gint64 low_rank;     /* of the residuals beside attention */
  gint64 adapter_rank; /* rank of the adapters of each use of a shared layer, 0 for none */
  gint64 extra_width;  /* of the embeddings of tokens for each layer, 0 for none */
  gint64 extra_rows;   /* of the table of those */
  gint64 n_added;      /* number of first layers after which further features of a picture are added */
  gint64 tuned_scale;  /* positions after which scores of layers without rotation get sharper, 0 for none */
  GArray *layers;

  DynoNormKind norm;
  DynoPositionKind position;
  DynoProjectionKind projection;
  DynoHeadNorm head_norm;
  DynoDataType softmax_type;
  DynoDataType bias_type;
  DynoRotary rotary[2];
  DynoExperts experts;
  DynoLatent latent;
  DynoDelta delta;
  DynoSelective selective;
  gint64 selective_width; /* channels of the selective scan */
  DynoBlend blends[3]; /* of attention, of other mixers and of feed-forward layers; 0 for usual residuals */
  gint64 kernel;       /* of the convolutions of layers without attention */

  gboolean is_tied;
  gboolean is_conv1d;
  gboolean is_parallel;
  gboolean is_norm_after;
  gboolean is_gated;
  gboolean is_gate_fused;
  gboolean has_input_bias;
  gboolean has_output_bias;
  gboolean has_feed_bias;
  gboolean has_head_bias;
  gboolean has_kernel_bias;
  gboolean has_mixer_bias;      /* of the other projections of the selective scan */
  gboolean has_output_gate;     /* the result of attention is gated by a part of the projection of queries */
  gboolean has_layer_scales;    /* the result of each layer is scaled by a stored number */
  gboolean has_value_norm;      /* values are normalised as well, without a weight */
  gboolean has_sinks;           /* each head has a score that no key belongs to */
  gboolean is_whole;            /* it reads a text at once, without a cache, and does not predict tokens */
  gboolean is_bidirectional;    /* tokens attend to later ones as well: it is whole then */
  gboolean sees_whole_prompts;  /* like the next, but for all tokens of a text with a picture */
  gint64 n_picture_tokens;      /* of each of several pictures; 0 if all tokens of a text see all of them */
  gboolean sees_whole_pictures; /* the tokens of a picture attend to each other in both directions */
  double epsilon;
  double embedding_scale;
  double residual_scale;
  double tuning; /* by how much it sharpens them */
  double score_divisor;
  double bias_divisor;
  double score_cap;
  double logit_scale;
  double logit_cap;
  const char *activation;
  DynoConfigFields fields;
  DynoHead head; /* if the model is whole, the layers after the last one */
} DynoDecoder;

/**
 * DynoDecoding:
 * @decoder: the decoder
 * @graph: the graph
 * @tokens: [batch, past + sequence], 1 for a token and 0 for padding
 * @masks: masks of the scores in layers without and with a window
 * @chunk_mask: the mask in layers with chunks
 * @sharpness: factor of the queries in layers without rotation
 * @rotations: the rotations in layers without and with a window
 * @is_fused: whether attention and cache are one operator
 * @lengths: for fused attention, in layers without and with a window: index of the key of each item's last token
 * @totals: for fused attention, in layers without and with a window: number of keys
 * @is_cut: whether the mask of layers with a window already has the width of their cache
 * @keys: (element-type utf8): the keys of each layer for the cache, or the last inputs of its convolution
 * @values: (element-type utf8): the values of each layer for the cache, or its state; NULL without one
 * @expert_tokens: (element-type utf8): number of tokens per expert of each mixture
 * @full: (element-type utf8): the keys and values of each layer before a window is cut, for layers that read them
 * @adapter: which use of a shared layer it is
 * @length: the dimension of the new tokens
 * @cross: (nullable) (element-type utf8): keys and values of the output of an encoder, for each layer
 * @cross_mask: (nullable): mask of their scores
 * @known_layer: the layer of the next
 * @known_past: (nullable): its earlier keys, which count the earlier tokens
 * @extra: (nullable): the embeddings of tokens for each layer, [batch, sequence, layers, width]
 *
 * The values that all layers share, and the outputs of each layer.
 */
typedef struct
{
  const DynoDecoder *decoder;
  DynoGraph *graph;
  const char *tokens;
  const char *masks[2];
  const char *chunk_mask;
  const char *sharpness;
  DynoRotation rotations[2];
  gboolean is_fused;
  const char *lengths[2];
  const char *totals[2];
  gboolean is_cut;
  GPtrArray *keys;
  GPtrArray *values;
  GPtrArray *expert_tokens;
  GPtrArray *full;
  guint adapter;
  const char *length;
  GPtrArray *cross;
  const char *cross_mask;
  guint known_layer;
  const char *known_past;
  const char *extra;
} DynoDecoding;

/* @config: the config of a decoder, which fails if it is invalid. */
void dyno_decoder_read (DynoDecoder *self, DynoConfig *config);
void dyno_decoder_clear (DynoDecoder *self);
/* @config: that config, which fails if the decoder is invalid. */
void dyno_decoder_check (DynoDecoder *self, DynoConfig *config);
/* Files omit members with default values from such configs. @config: the config of a decoder that is a part
 * of another model. */
void dyno_decoder_set_usual (DynoConfig *config);
/* Adds inputs, layers and outputs of a decoder. @graph: an empty graph. */
void dyno_decoder_build (DynoGraph *graph, DynoConfig *config);

/* Returns the input of the tokens, `input_ids`, [batch, sequence]. */
const char *dyno_decoder_add_tokens (const DynoDecoder *self, DynoGraph *graph);
/* Returns their embeddings without positions: [batch, sequence, width]. @ids: tokens, [batch, sequence]. */
const char *dyno_decoder_embed (const DynoDecoder *self, DynoGraph *graph, const char *ids);
/* Adds the inputs of the mask, the positions and the cache, all layers, and the outputs. @ids (nullable):
 * the tokens, which some decoders read as well, [batch, sequence]. @value: embedded tokens, [batch,
 * sequence, width]. */
void dyno_decoder_add (const DynoDecoder *self, DynoGraph *graph, const char *ids, const char *value);
/* Adds it as the encoder of another model. Returns its output, [batch, sequence, width]. @self: a decoder
 * that reads a text at once, with rotated positions. @value: embedded tokens, [batch, sequence, width].
 * @mask: [batch, sequence], 1 for a token and 0 for padding. */
const char *
dyno_decoder_add_states (const DynoDecoder *self, DynoGraph *graph, const char *value, const char *mask);
/* Adds the inputs of the cache, all layers, and the outputs. @value: the embedded tokens of an answer,
 * [batch, decoder_sequence, width]. @cross: keys and values of the output of the encoder, for each layer. */
void dyno_decoder_add_answer (
    const DynoDecoder *self, DynoGraph *graph, const char *value, GPtrArray *cross, const char *mask);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (DynoDecoder, dyno_decoder_clear)

/* Returns its properties. */
const DynoDecoderLayer *dyno_decoder_get_layer (const DynoDecoder *self, guint layer);
/* Returns the normalised value. @name: the norm's name, NULL for no norm. */
const char *dyno_decoder_add_norm (const DynoDecoding *self, const char *name, const char *value);

/* Returns the value times the factor; the value if the factor is 0. */
const char *dyno_decoder_scale (DynoGraph *graph, const char *value, double factor);
/* Returns the product with a weight that is stored like those of the decoder. */
const char *dyno_decoder_add_linear (
    const DynoDecoding *self, const char *name, const char *value, gint64 width, gboolean has_bias);

/* The position of a key is the running count of the mask, without padding; a query attends to keys up to
 * its own position, in layers with a window only to the last ones. [batch, 1 or heads, sequence, past +
 * sequence] @mask: [batch, past + sequence], 1 for a token and 0 for padding. @positions: [batch,
 * sequence]. */
void dyno_decoder_add_masks (DynoDecoding *self, const char *mask, const char *positions);
/* Returns the result of attention, [batch, sequence, width]. @value: [batch, sequence, width]. */
const char *dyno_decoder_add_attention (DynoDecoding *self, guint layer, const char *value);
/* Adds the keys and values that the next step needs. */
void dyno_decoder_add_cache_outputs (const DynoDecoding *self, guint layer, guint index);
/* Returns the part that this use of a shared layer adds to its projection. @value: [batch, sequence,
 * width]. */
const char *dyno_decoder_add_adapter (
    const DynoDecoding *self, const char *name, const char *value, gint64 rank, gint64 width);
/* Returns the result of attention to the output of an encoder, [batch, sequence, width]. @value: [batch,
 * sequence, width]. */
const char *dyno_decoder_add_cross (DynoDecoding *self, guint layer, const char *value);
/* Returns the number of earlier tokens, a scalar. @self: the model being built, with a layer without a
 * window. */
const char *dyno_decoder_count_past (DynoDecoding *self);
/* Keys and values are computed from the cached latent vectors in each step. Returns the result of latent
 * attention, [batch, sequence, width]. @value: [batch, sequence, width]. */
const char *dyno_decoder_add_latent (DynoDecoding *self, guint layer, const char *value);
/* Returns the result of a gated convolution, [batch, sequence, width]. @value: [batch, sequence, width]. */
const char *dyno_decoder_add_convolution (DynoDecoding *self, guint layer, const char *value);
/* Returns the result of attention without a softmax, [batch, sequence, width]. @value: [batch, sequence,
 * width]. */
const char *dyno_decoder_add_linear_attention (DynoDecoding *self, guint layer, const char *value);
/* Returns the result of a gated selective scan, [batch, sequence, width]. @value: [batch, sequence,
 * width]. */
const char *dyno_decoder_add_selective (DynoDecoding *self, guint layer, const char *value);
/* Returns the result of a gated delta rule, [batch, sequence, width]. @value: [batch, sequence, width]. */
const char *dyno_decoder_add_delta (DynoDecoding *self, guint layer, const char *value);
/* Returns the width of the cached keys or values of a token in a head. @what: `key` or `value`. */
gint64 dyno_decoder_get_cached_width (const DynoDecoder *self, guint layer, const char *what);
/* Returns its number of heads of keys and values. */
gint64 dyno_decoder_count_cached (const DynoDecoder *self, guint layer);
/* Returns the keys or values of all tokens; a decoder that reads a whole text has no earlier ones. @what:
 * `key` or `value`. @value: those of the new tokens, [batch, heads, sequence, width]. */
const char *dyno_decoder_add_cache (
    const DynoDecoding *self, guint layer, const char *what, const char *value, GPtrArray *presents);
/* Returns the mask of its scores. @keys: its keys, [batch, heads, keys, width]. */
const char *dyno_decoder_get_mask (DynoDecoding *self, guint layer, const char *keys);
/* Finds the token embeddings that each layer uses. @ids: tokens, [batch, sequence]. @value: their
 * embeddings, [batch, sequence, width]. */
void dyno_decoder_embed_layers (DynoDecoding *self, const char *ids, const char *value);
/* Returns the part that the layer adds from the tokens themselves, [batch, sequence, width]. @value: the result
 * of the layer, [batch, sequence, width]. */
const char *dyno_decoder_add_extra (const DynoDecoding *self, guint layer, const char *value);
/* Returns these and projections of them, [batch, sequence, streams, width]. @value: the embeddings of the
 * tokens, [batch, sequence, width]. */
const char *dyno_decoder_open_streams (const DynoDecoding *self, const char *value);
/* Returns the mean of their projections, [batch, sequence, width]. @value: [batch, sequence, streams,
 * width]. */
const char *dyno_decoder_close_streams (const DynoDecoding *self, const char *value);
/* Returns each stream with a mix of all added to it. @value: [batch, sequence, streams, width]. @first:
 * the first of the results, [batch, sequence, width]. */
const char *dyno_decoder_predict (const DynoDecoding *self, const char *value, const char **first);
/* Returns the streams, corrected by the difference. @predicted: [batch, sequence, streams, width]. @first:
 * the prediction of the first stream, [batch, sequence, width]. @value: the actual first stream, [batch,
 * sequence, width]. */
const char *dyno_decoder_correct (
    const DynoDecoding *self, guint layer, const char *predicted, const char *first, const char *value);
/* Returns the value with a projection of low rank added to it. @value: [batch, sequence, width]. */
const char *dyno_decoder_add_low_rank (const DynoDecoding *self, const char *value);
/* Returns the result of experts that are parallel to a feed-forward layer. @value: [batch, sequence,
 * width]. */
const char *dyno_decoder_add_experts_beside (const DynoDecoding *self, const char *value);
/* Returns the result of the feed-forward layer, [batch, sequence, width]. @value: [batch, sequence,
 * width]. */
const char *dyno_decoder_add_feed (const DynoDecoding *self, guint layer, const char *value);

G_END_DECLS
