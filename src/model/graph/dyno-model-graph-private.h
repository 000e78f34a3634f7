/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

#include "dyno-graph.h"
#include "dyno-operator-cost.h"
#include "dyno-tensor.h"
#include "onnx.pb-c.h"

G_BEGIN_DECLS

/* dyno-convolution */

/**
 * DynoConvolution:
 * @channels: output channels
 * @kernel: side of the square window
 * @stride: stride of the window
 * @dilation: distance between the window's elements
 * @groups: number of groups of channels that are convolved separately
 * @gain: the mean of the scales of the norm after it; below 1 if a residual is added afterwards
 * @pads_like_tensorflow: whether the padding is TensorFlow's “SAME”, else half the kernel on each side
 * @has_bias: whether a bias is added, as if no norm follows
 * @is_cropped: whether there is no padding
 * @moves: the amount by which the padding at the top and on the left is smaller
 *
 * A convolution of images, [batch, channels, height, width].
 */
typedef struct
{
  gint64 channels;
  gint64 kernel;
  gint64 stride;
  gint64 dilation;
  gint64 groups;
  double gain;
  gboolean pads_like_tensorflow;
  gboolean has_bias;
  gboolean is_cropped;
  gint64 moves;
} DynoConvolution;

/* Returns the nearest number of channels that is not less by more than a tenth. @divisor: the result is a
 * multiple of it. */
gint64 dyno_convolution_round_width (double width, gint64 divisor, gint64 least);
const char *
dyno_convolution_add (const DynoConvolution *self, DynoGraph *graph, const char *name, const char *value);
/* Returns the value. @value: [batch, channels, height, width]. */
const char *dyno_convolution_normalize (
    DynoGraph *graph, const char *name, const char *value, double gain, double epsilon);
/* None of its numbers counts as a trainable parameter. Returns the value. @value: [batch, channels,
 * height, width]. */
const char *dyno_convolution_normalize_frozen (DynoGraph *graph, const char *name, const char *value);
/* Wu and He 2018, in the operators that exporters write, because opset 17 has no operator for it. Returns
 * the value. @value: [batch, channels, height, width] or [batch, channels, time]. @n_groups: the number of
 * groups, which must divide the number of channels. */
const char *dyno_convolution_normalize_groups (
    DynoGraph *graph, const char *name, const char *value, gint64 n_groups, double epsilon);
/* Normalises the channels at each position, and moves them last for that. Returns the value. @value:
 * [batch, channels, height, width]. */
const char *
dyno_convolution_normalize_places (DynoGraph *graph, const char *name, const char *value, double epsilon);
/* Returns the input of images, of any size. @sides: usual height and width of an image in pixels. */
const char *dyno_convolution_add_pictures (DynoGraph *graph, gint64 channels, const gint64 *sides);
/* Returns the value. @value: [batch, channels, height, width]. */
const char *
dyno_convolution_resize (DynoGraph *graph, const char *value, const char *attributes, const gint64 *sides);
/* Returns the mean of every channel, [batch, channels]. @value: [batch, channels, height, width]. */
const char *dyno_convolution_pool (DynoGraph *graph, const char *body, const char *value);

/* dyno-graph-private */

/* Opset 17 is the first with LayerNormalization; it was released with IR 8. */
#define DYNO_GRAPH_OPSET      17
#define DYNO_GRAPH_IR_VERSION 8

/**
 * DynoGraphValue:
 * @name: its name
 * @shape: its type and shape at the sizes of the graph's binding
 * @n_known: the number of its elements if they are known, else 0
 * @known: the elements of a short list of integers on which another shape depends
 * @is_given: whether it is a weight, a constant or an input rather than computed
 * @is_used: whether a node consumes it
 * @is_fixed: whether it is a weight or a constant, or follows from these alone: runtimes compute it while
 * they load
 * @is_planned: whether it has a place among the results of a step, unlike outputs, which outlive it, and
 * fixed values
 * @last_use: the index of the node that consumes it last
 */
typedef struct
{
  const char *name;
  DynoShape shape;
  guint n_known;
  gint64 known[DYNO_SHAPE_MAX_RANK];
  gboolean is_given;
  gboolean is_used;
  gboolean is_fixed;
  gboolean is_planned;
  guint last_use;
} DynoGraphValue;

GPtrArray *dyno_graph_get_nodes (DynoGraph *self);
GPtrArray *dyno_graph_get_weights (DynoGraph *self);
/* Returns the tensors in a file of the graph: weights or their quantised forms. Elements are DynoWeight. */
GPtrArray *dyno_graph_get_initializers (DynoGraph *self);
const DynoQuantisation *dyno_graph_get_quantisation (DynoGraph *self);
gboolean dyno_graph_has_zero_points (DynoGraph *self);
DynoWeight *dyno_graph_find_weight (DynoGraph *self, const char *name);
/* Takes the nodes out of the graph, in order; the caller puts each of them back, or frees it. Constants stay at the
 * front, so that new nodes may use any of them. The caller owns it. */
GPtrArray *dyno_graph_begin_rewrite (DynoGraph *self);
/* The nodes added from now on come in place of that node. @index: of each node that was taken out, in order. */
void dyno_graph_rewrite_at (DynoGraph *self, guint index);
void dyno_graph_end_rewrite (DynoGraph *self);
/* Takes @node. */
void dyno_graph_put_back (DynoGraph *self, Onnx__NodeProto *node);
/* Returns a value of the same shape under another name, which a node that is put back gives. */
const char *dyno_graph_add_renamed (DynoGraph *self, const char *value, const char *suffix);
/* Adds a node whose output has the name of a value that exists. */
void dyno_graph_add_as (
    DynoGraph *self, const char *value, const char *op_type, guint n_inputs, const char *const *inputs);
/* Returns a constant of equal bytes: a single one if @n_bytes is 0, else a list. */
const char *dyno_graph_add_bytes (DynoGraph *self, DynoDataType type, gint64 n_bytes, guint8 byte);
/* Adds a quantised layer with copies of the members of @layer and with its parts. */
const DynoQuantisedLayer *dyno_graph_add_layer (DynoGraph *self, const DynoQuantisedLayer *layer);
/* Returns a part of the quantised form of a weight, which the file holds beside it or instead of it. */
DynoWeight *
dyno_graph_add_part (DynoGraph *self, const DynoWeight *source, const char *suffix, const DynoShape *shape);
GPtrArray *dyno_graph_get_inputs (DynoGraph *self);
GPtrArray *dyno_graph_get_outputs (DynoGraph *self);

/* dyno-graph-shapes */

/* Returns whether the operator is known and its inputs fit together. @output: its only output, except for
 * the name. */
gboolean dyno_graph_infer_shape (const Onnx__NodeProto *node,
                                 DynoGraphValue *const *inputs,
                                 guint n_inputs,
                                 DynoGraphValue *output);

/* dyno-node */

/* ONNX Runtime's own operators: docs/ContribOperators.md in its sources */
#define DYNO_NODE_CONTRIB "com.microsoft"

Onnx__NodeProto *dyno_node_new (const char *op_type, const char *name);
void dyno_node_free (Onnx__NodeProto *self);

void dyno_node_add_input (Onnx__NodeProto *self, const char *value);
void dyno_node_add_output (Onnx__NodeProto *self, const char *value);
/* Takes @tensor. */
void dyno_node_add_tensor (Onnx__NodeProto *self, const char *name, Onnx__TensorProto *tensor);
void dyno_node_add_repeated (Onnx__NodeProto *self, const char *name, gint64 value, gsize n_values);
/* Returns an empty graph. */
Onnx__GraphProto *dyno_node_add_body (Onnx__NodeProto *self, const char *name, const char *graph_name);
void dyno_node_add_body_input (Onnx__GraphProto *body, const char *name, int type);
void dyno_node_add_body_output (Onnx__GraphProto *body, const char *name, int type);
/* A value in brackets is a list of integers, one with a decimal point or an exponent is a float, one that
 * begins with a letter is a string, any other is an integer. @attributes (nullable): such as `axis=-1
 * epsilon=1e-12 perm=[0,2,1,3] auto_pad=SAME_UPPER`. */
void dyno_node_parse_attributes (Onnx__NodeProto *self, const char *attributes);

gint64 dyno_node_get_int (const Onnx__NodeProto *self, const char *name, gint64 fallback);
/* Returns its list of integers; NULL if there is none. */
const gint64 *dyno_node_get_ints (const Onnx__NodeProto *self, const char *name, gsize *n_values);
/* Returns product of the sizes in its `kernel_shape`; for a Resize or GridSample, the number of positions
 * that it interpolates between on a plane; for fused attention, the number of heads; for tree ensembles,
 * that of trees; for support vector machines, that of vectors; for mixtures of experts, that of experts of
 * a token; else 0. */
gint64 dyno_node_get_window_elements (const Onnx__NodeProto *self);
/* Returns its text, without spaces; NULL if there is none. */
char *dyno_node_dup_string (const Onnx__NodeProto *self, const char *name);
gboolean dyno_node_has_string (const Onnx__NodeProto *self, const char *name, const char *value);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Onnx__NodeProto, dyno_node_free)

/* dyno-operator-cost-private */

/* Returns NULL if there are fewer. An engine omits inputs that are not given, and those behind move up. */
static inline const DynoShape *
dyno_node_shapes_get_input (const DynoNodeShapes *node, guint index)
{
  return index < node->inputs->len ? &g_array_index (node->inputs, DynoShape, index) : NULL;
}

static inline const DynoShape *
dyno_node_shapes_get_output (const DynoNodeShapes *node)
{
  return &g_array_index (node->outputs, DynoShape, 0);
}

static inline gint64
dyno_shape_get_last (const DynoShape *shape)
{
  return shape->rank > 0 ? shape->dims[shape->rank - 1] : 1;
}

gboolean dyno_sequence_cost_lstm (const DynoNodeShapes *node, gint64 *flops);
gboolean dyno_sequence_cost_gru (const DynoNodeShapes *node, gint64 *flops);
gboolean dyno_sequence_cost_rnn (const DynoNodeShapes *node, gint64 *flops);
gboolean dyno_sequence_cost_dynamic_lstm (const DynoNodeShapes *node, gint64 *flops);
gboolean dyno_sequence_cost_einsum (const DynoNodeShapes *node, gint64 *flops);
gboolean dyno_sequence_cost_dft (const DynoNodeShapes *node, gint64 *flops);
gboolean dyno_sequence_cost_stft (const DynoNodeShapes *node, gint64 *flops);

/* dyno-product */

/* In a precision with quantised weights, the product uses quantised weights: MatMulNBits of ONNX Runtime's
 * docs/ContribOperators.md or, if activations are quantised too, MatMulInteger. Other uses of the weight
 * are not affected. Returns their product, [… m, n]. @value: [… m, k]. @weight: a weight, [k, n], or [n, k]
 * if it is transposed. @is_transposed: whether it is transposed, like an embedding table that is also the
 * head of a model. */
const char *
dyno_product_add (DynoGraph *graph, const char *value, const char *weight, gboolean is_transposed);

/* dyno-static-quantisation */

/* Returns whether it is a convolution or a product, which engines compute in integers if its inputs are quantised. */
gboolean dyno_graph_has_integer_form (const Onnx__NodeProto *node);
/* GroupQueryAttention: where the inputs for the scales of keys and values begin. */
#define DYNO_CACHE_SCALES 12

/* Returns the names of the values whose ranges dyno_graph_quantise() needs, of a graph in a precision that is
 * quantised by ranges. */
GPtrArray *dyno_graph_list_quantised (DynoGraph *graph);
/* Puts pairs of QuantizeLinear and DequantizeLinear around the convolutions and products with weights, and around
 * what lies between them as far as it has an integer kernel. Inputs and outputs stay as they are. A convolution absorbs
 * the batch normalisation that follows. Returns whether the graph is whole; a graph is quantised once. @ranges
 * (nullable): DynoRange by name; without them the graph has the right sizes and operators, and any scales. */
gboolean dyno_graph_quantise (DynoGraph *graph, GHashTable *ranges, GError **error);

/* dyno-relative */

/**
 * DynoRelativeBucket:
 * @distance: position of the key minus position of the query
 * @n_buckets: number of rows of the table of distances
 * @max_distance: distances from here on share a row
 *
 * Returns: the row of that distance
 */
typedef gint64 (*DynoRelativeBucket) (gint64 distance, gint64 n_buckets, gint64 max_distance);

/* Returns the row as in T5's encoder and MPNet: half of the rows are for keys after the query. */
gint64 dyno_relative_bucket_both_ways (gint64 distance, gint64 n_buckets, gint64 max_distance);
/* Returns the row as in T5's decoder, which never looks ahead. */
gint64 dyno_relative_bucket_backwards (gint64 distance, gint64 n_buckets, gint64 max_distance);
/* Returns the row as in DeBERTa: one for each distance, from the key to the query, with zero in the
 * middle. */
gint64 dyno_relative_bucket_each (gint64 distance, gint64 n_buckets, gint64 max_distance);
/* Returns the row as in DeBERTa from version 2 on: distances beyond a quarter of the rows share rows. */
gint64 dyno_relative_bucket_signed (gint64 distance, gint64 n_buckets, gint64 max_distance);

/* Press et al. 2021 (ALiBi): 2^(−8 i / n) for a power of two; with other counts, the remaining heads take
 * every other slope of the next power of two. Returns how much scores of the head change with the distance
 * of a key. */
double dyno_relative_slope (gint64 head, gint64 n_heads);
/* Returns the size of the dimension, a scalar. */
const char *dyno_relative_length (DynoGraph *graph, const char *value, guint axis);
/* Returns the integers from @first to @end − 1. */
const char *dyno_relative_range (DynoGraph *graph, const char *first, const char *end);
/* Returns 0, 1, 2 … up to the size of the dimension. */
const char *dyno_relative_places (DynoGraph *graph, const char *value, guint axis);
/* Returns the places of tokens other than padding, as RoBERTa counts them: from @padding + 1 on. @ids:
 * tokens, [batch, sequence]. */
const char *dyno_relative_count (DynoGraph *graph, const char *ids, gint64 padding);
/* Returns the row of each distance. @distance: positions of keys minus those of queries, of any rank. */
const char *dyno_relative_find (
    DynoGraph *graph, const char *distance, DynoRelativeBucket bucket, gint64 n_buckets, gint64 max_distance);
/* Returns the row of each pair, [queries, keys]. */
const char *dyno_relative_rows (DynoGraph *graph,
                                const char *queries,
                                const char *keys,
                                DynoRelativeBucket bucket,
                                gint64 n_buckets,
                                gint64 max_distance);
/* Returns the bias of the scores, [1, heads, queries, keys]. @name: name of the table `name.weight`.
 * @rows: the row of each pair, [queries, keys]. */
const char *
dyno_relative_bias (DynoGraph *graph, const char *name, const char *rows, gint64 n_buckets, gint64 n_heads);

/* dyno-small-float */

/* Returns whether its elements are floating-point numbers of a byte or less. */
gboolean dyno_small_float_is_type (DynoDataType type);
/* Returns its value. @type: a type of floating-point numbers of a byte or less. */
double dyno_small_float_decode (DynoDataType type, guint8 bits);
/* Returns the nearest element, the even one of two as near; the largest for any larger number. @type: a
 * type of floating-point numbers of a byte or less. */
guint8 dyno_small_float_encode (DynoDataType type, double number);
/* Returns whether its elements can be as large as this, or are rounded to it. @type: a type of
 * floating-point numbers of a byte or less. */
gboolean dyno_small_float_holds (DynoDataType type, double number);

G_END_DECLS
