/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-model-description.h"
#include "dyno-model.h"
#include "dyno-precision.h"
#include "dyno-safetensors.h"

G_BEGIN_DECLS

/**
 * DynoWeight:
 * @name: its name in the model
 * @shape: its type and shape
 * @mean: mean of its random values
 * @deviation: their standard deviation, 0 for a constant
 * @trainable: whether it counts as a parameter
 * @is_turned: whether published files store it transposed, as [outputs, inputs]
 * @sine_span: in a table of sines, which files may omit, the number of columns over which the frequencies
 * fall from 1 to 1/10000; else 0
 * @tensor: (nullable): the tensor with its values, NULL for random ones
 * @quants: (nullable): its quantised elements, if products use them
 * @scales: (nullable): the scales of @quants
 * @zeros: (nullable): the zero points of @quants
 * @is_by_rows: whether products use it transposed
 * @quantisation: (nullable): the quantisation of @quants
 * @n_equal: the number of equal weights that it represents; more than one only in an outline
 * @source: (nullable): for @quants, @scales and @zeros: the weight that they are computed from
 * @layer: (nullable): the quantised layer that it is part of; its @source is the weight of that
 * @is_absorbed: whether quantised layers hold it, so that a file has it only if a node still uses it
 *
 * A weight that is only a description until dyno_weights_fill() computes its values.
 */
typedef struct _DynoWeight DynoWeight;

/**
 * DynoQuantisedLayer:
 * @weight: the weight of a convolution, [outputs, …], or of a product
 * @bias: (nullable): its bias
 * @norm: scale, bias, mean and variance of the batch normalisation that it absorbs; NULL if there is none
 * @epsilon: of that normalisation
 * @input_scale: the scale of its quantised input
 * @quants: the quantised weight, with a scale for each output
 * @scales: these scales
 * @bias_quants: (nullable): the quantised bias, which absorbs the normalisation
 * @bias_scales: (nullable): its scales, each that of the input times that of the weight
 *
 * A convolution, or a product with a bias, whose weights and activations are quantised.
 */
typedef struct
{
  const DynoWeight *weight;
  const DynoWeight *bias;
  const DynoWeight *norm[4];
  double epsilon;
  float input_scale;
  const DynoWeight *quants;
  const DynoWeight *scales;
  const DynoWeight *bias_quants;
  const DynoWeight *bias_scales;
} DynoQuantisedLayer;

struct _DynoWeight
{
  const char *name;
  DynoShape shape;
  double mean;
  double deviation;
  gboolean trainable;
  gboolean is_turned;
  double sine_span;
  const DynoSafetensor *tensor;
  DynoWeight *quants;
  DynoWeight *scales;
  DynoWeight *zeros;
  gboolean is_by_rows;
  const DynoQuantisation *quantisation;
  const DynoWeight *source;
  const DynoQuantisedLayer *layer;
  gboolean is_absorbed;
  gint64 n_equal;
};

/**
 * DynoRange:
 * @lowest: the smallest of its elements
 * @highest: the largest
 *
 * The range of an activation over some inputs.
 */
typedef struct
{
  double lowest;
  double highest;
} DynoRange;

/**
 * DynoGraphProduct:
 * @flops: floating-point operations of one step
 * @bytes: bytes of its operands and its result
 *
 * A matrix product or a convolution; nearly all of the work is in these.
 */
typedef struct
{
  double flops;
  double bytes;
} DynoGraphProduct;

/**
 * DynoGraph:
 *
 * An ONNX graph under construction. Weights are not allocated. A value has a name (a string that the graph owns) and a
 * shape for the sizes of one binding, from which the work and the memory of a step follow without a runtime; the graph
 * itself is valid for all sizes.
 *
 * The first mistake, such as a product of matrices whose sizes do not match, is kept as an error: builders go on to the
 * end, and dyno_graph_check() returns it.
 */
typedef struct _DynoGraph DynoGraph;

/**
 * DynoGraphBody:
 * @graph: the graph to which to add the nodes of one step; outer values may be used as well
 * @state: (inout): the state before and after the step
 * @inputs: (array): the inputs of the step
 * @data: from dyno_graph_add_scan()
 *
 * Adds the body of a loop.
 *
 * Returns: (transfer none): the output of the step, which must be a new value
 */
typedef const char *(*DynoGraphBody) (DynoGraph *graph,
                                      const char **state,
                                      const char *const *inputs,
                                      gpointer data);

/**
 * DynoGraphUnused:
 * @graph: the graph to which to add layers that no step runs
 * @value: their input
 * @data: from dyno_graph_add_unused()
 *
 * Adds layers whose weights belong to a model although they are not used.
 */
typedef void (*DynoGraphUnused) (DynoGraph *graph, const char *value, gconstpointer data);

/**
 * DynoGraphPart:
 * @link: returns a value to use instead of the input that a builder would add, by its name; NULL to add
 * the input
 * @cut: returns the part of an output that becomes that of the whole model
 * @data: for @link and @cut
 * @sequence: the name of the dimension `sequence` in its outputs
 *
 * How to embed a model in another one.
 */
typedef struct
{
  const char *(*link) (DynoGraph *graph, const char *name, gpointer data);
  const char *(*cut) (DynoGraph *graph, const char *name, const char *value, gpointer data);
  gpointer data;
  const char *sequence;
} DynoGraphPart;

/* Returns an empty graph. @binding may be NULL. */
DynoGraph *dyno_graph_new (DynoBinding *binding);
void dyno_graph_free (DynoGraph *self);
/* @type: the type of weights and constants, except those of dyno_graph_add_float(); single precision by
 * default. */
void dyno_graph_set_real_type (DynoGraph *self, DynoDataType type);
DynoDataType dyno_graph_get_real_type (DynoGraph *self);
void dyno_graph_set_precision (DynoGraph *self, const char *precision);
/* @feeders (nullable) (element-type DynoGraph): the graphs of the model that run before it, up to this one. An input that
 * one of them gives, or also takes, in another floating-point type is cast from that type. */
void dyno_graph_set_feeders (DynoGraph *self, GPtrArray *feeders);
/* @is_fused: whether attention is one operator of ONNX Runtime's docs/ContribOperators.md, instead of
 * products and a softmax. */
void dyno_graph_set_fused (DynoGraph *self, gboolean is_fused);
gboolean dyno_graph_is_fused (DynoGraph *self);
/* @n_pictures: how many pictures each item has, if any; one by default. */
void dyno_graph_set_pictures (DynoGraph *self, guint n_pictures);
guint dyno_graph_get_pictures (DynoGraph *self);
/* Returns the dimension of pictures for dyno_graph_add_input(), which is the batch if each item has one. The caller owns
 * it. */
char *dyno_graph_dup_pictures (DynoGraph *self);
/* @is_outline: whether it is only counted, never run: then one part represents all equal ones. */
void dyno_graph_set_outline (DynoGraph *self, gboolean is_outline);
/* @has_zero_points: whether each block of weights of 4 bits has a zero point. */
void dyno_graph_set_zero_points (DynoGraph *self, gboolean has_zero_points);
/* Returns how many of the parts the next added weights, work and memory represent: all in an outline, else
 * 1. They count once for each part, until dyno_graph_end_equal(). Parts may have equal parts of their own.
 * @n_equal: how many equal parts follow, each with its own weights, such as the experts of a layer. */
gint64 dyno_graph_begin_equal (DynoGraph *self, gint64 n_equal);
void dyno_graph_end_equal (DynoGraph *self);
/* Returns a value like this one, the result of another of the parts that one represents. */
const char *dyno_graph_add_alike (DynoGraph *self, const char *value);
/* Adds an input of another of these parts. @info: the same input of the part that represents it. */
void dyno_graph_add_input_alike (DynoGraph *self, const char *name, DynoTensorInfo *info);

/* The names of weights and nodes added from now on begin with the outer scope and this name. @format: a
 * name, such as `layer.%u`. */
void dyno_graph_push_scope (DynoGraph *self, const char *format, ...) G_GNUC_PRINTF (2, 3);
void dyno_graph_pop_scope (DynoGraph *self);

/* @part: the part that is built from now on, which must live as long; NULL for none. */
void dyno_graph_set_part (DynoGraph *self, const DynoGraphPart *part);
/* Returns the value. @dimensions: sizes and names of free dimensions, such as `batch, 3, height, width`; a
 * name may have a default size, such as `height=64`. */
const char *
dyno_graph_add_input (DynoGraph *self, const char *name, DynoDataType type, const char *dimensions);
void dyno_graph_add_output (DynoGraph *self, const char *name, const char *value, const char *dimensions);
/* Returns its size, for the usual size of one that follows from it. */
gint64 dyno_graph_find_size (DynoGraph *self, const char *symbol);
/* @limit: one more than its largest valid value, such as the size of the vocabulary. */
void dyno_graph_limit_input (DynoGraph *self, const char *name, gint64 limit);
void dyno_graph_space_steps (DynoGraph *self, const DynoSpacing *spacing);
void dyno_graph_require_size (DynoGraph *self, const char *symbol, gint64 least);
void dyno_graph_limit_sequence (DynoGraph *self, gint64 length);
/* Declares that a text begins with its images: each has that many of these tokens, followed by text.
 * @self: a graph with the input `input_ids`. */
void dyno_graph_hold_places (DynoGraph *self, gint64 token, gint64 n_places);
/* Declares that its cache holds passages that the model itself finds, and the prompt, before the tokens of
 * the answer. */
void dyno_graph_find_tokens (DynoGraph *self, gint64 n_tokens, gint64 n_positions);
/* The weights of these layers count as parameters and are read from files; their nodes are removed again
 * and their work is not counted. */
void dyno_graph_add_unused (DynoGraph *self, const char *value, DynoGraphUnused add, gconstpointer data);

/* Returns the value. @name: its name in the current scope; the same name twice is the same weight. */
const char *dyno_graph_add_weight (
    DynoGraph *self, const char *name, double mean, double deviation, guint rank, const gint64 *dims);
/* Adds a list of numbers that are stored but not trained, such as a running mean. Returns the value. */
const char *
dyno_graph_add_statistic (DynoGraph *self, const char *name, double mean, double deviation, gint64 size);
/* Declares that published files store the weight as [outputs, inputs], like a linear layer in PyTorch,
 * while the graph multiplies by [inputs, outputs]. */
void dyno_graph_turn_weight (DynoGraph *self, const char *weight);
/* Adds a table of positions that counts as a weight, as in checkpoints, and whose values are known: sines
 * of position / 10000^(i / span) in the first half of a row, cosines in the second. Returns the value.
 * @span: number of columns over which the frequencies fall from 1 to 1/10000: half the width in Vaswani et
 * al. 2017. */
const char *
dyno_graph_add_sinusoids (DynoGraph *self, const char *name, gint64 rows, gint64 width, double span);
/* Adds a tensor that is stored but not trained. Returns the value. */
const char *dyno_graph_add_buffer (
    DynoGraph *self, const char *name, double mean, double deviation, guint rank, const gint64 *dims);
/* Returns a constant list, such as the target of a Reshape. */
const char *dyno_graph_add_ints (DynoGraph *self, guint n_values, const gint64 *values);
const char *dyno_graph_add_int (DynoGraph *self, gint64 value);
/* Returns a constant list in single precision. */
const char *dyno_graph_add_floats (DynoGraph *self, guint n_values, const float *values);
/* Returns a constant in single precision, whatever the graph is in. */
const char *dyno_graph_add_float (DynoGraph *self, float value);
/* Returns a constant of the graph's own type. @value: a number, which must fit the type. */
const char *dyno_graph_add_real (DynoGraph *self, float value);

/* Returns its output. @attributes (nullable): such as `axis=-1 perm=[0,2,1,3]`. @...: its inputs,
 * NULL-terminated. */
const char *
dyno_graph_add (DynoGraph *self, const char *op_type, const char *attributes, ...) G_GNUC_NULL_TERMINATED;
/* Returns its output. @attributes (nullable): such as `axis=-1 perm=[0,2,1,3]`. */
const char *dyno_graph_add_list (
    DynoGraph *self, const char *op_type, const char *attributes, guint n_inputs, const char *const *inputs);
/* Returns its elements, rounded to 8-bit integers between its smallest and its largest. Returns the same
 * result for the same value, so products that share an input share its quantised form. @zero_point: the
 * quantised number for 0. */
const char *dyno_graph_add_dynamic_quantisation (DynoGraph *self,
                                                 const char *value,
                                                 const char **scale,
                                                 const char **zero_point);
/* Returns the result of attention, [batch, sequence, heads × width]. @inputs: query, key and value,
 * [batch, sequence, heads × width]; past keys and values, [batch, heads, past, width]; and further inputs
 * of the operator. */
const char *dyno_graph_add_cached_attention (DynoGraph *self,
                                             const char *attributes,
                                             guint n_inputs,
                                             const char *const *inputs,
                                             const char **key,
                                             const char **value);
/* @value: a value of at least one dimension. */
void dyno_graph_add_top_k (
    DynoGraph *self, const char *value, gint64 n_top, const char **values, const char **indices);
/* Repeats the body for one step after another, as in a recurrence. Bodies cannot be nested. @state:
 * [batch, …], the state before the first step. @inputs: the inputs, each [batch, steps, …]. @last_state:
 * [batch, …], the state after the last step. @outputs: [batch, steps, …], the outputs of all steps. */
void dyno_graph_add_scan (DynoGraph *self,
                          const char *state,
                          guint n_inputs,
                          const char *const *inputs,
                          DynoGraphBody body,
                          gpointer data,
                          const char **last_state,
                          const char **outputs);
/* @size: the size for counting work and memory from here on. */
void dyno_graph_assume_size (DynoGraph *self, const char *value, guint axis, gint64 size);
void dyno_graph_add_split (
    DynoGraph *self, const char *value, int axis, guint n_parts, const gint64 *sizes, const char **parts);

/* @twin: the same value in another form, for operators that can use it. */
void dyno_graph_set_twin (DynoGraph *self, const char *value, const char *twin);
/* Returns the same value in another form; NULL if there is none. */
const char *dyno_graph_get_twin (DynoGraph *self, const char *value);

/* Returns its type and shape at the sizes of the graph's binding. */
const DynoShape *dyno_graph_get_shape (DynoGraph *self, const char *value);
/* Returns whether everything added so far fits together. */
gboolean dyno_graph_check (DynoGraph *self, GError **error);

/* Returns its signature and size. The caller owns it. */
DynoModelDescription *dyno_graph_describe (DynoGraph *self);
/* Returns whether there is a cost rule for every operator in it. */
gboolean dyno_graph_get_flops (DynoGraph *self, gint64 *flops);
/* Returns its matrix products and convolutions, in order. Elements are DynoGraphProduct. */
GArray *dyno_graph_get_products (DynoGraph *self);
/* Returns the peak number of bytes of computed values if each is kept from the node that computes it to the
 * last one that uses it, in the order of the nodes. @planned: the same without its outputs, and without
 * values that follow from weights alone: the size of a block in which a runtime places every other result
 * of a step. */
gint64 dyno_graph_get_peak_bytes (DynoGraph *self, gint64 *planned);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoGraph, dyno_graph_free)

G_END_DECLS
