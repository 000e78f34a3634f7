/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-config.h"
#include "dyno-graph.h"

G_BEGIN_DECLS

/**
 * DynoHeadKind:
 * @DYNO_HEAD_USUAL: the head that the builder of the model adds by itself
 * @DYNO_HEAD_NONE: the states of a model that usually has a head
 * @DYNO_HEAD_LAYERS: the layers of a DynoHead
 * @DYNO_HEAD_TRAINING: a head that only training uses: not built
 * @DYNO_HEAD_SPARE: the class has none, but the model is built with its usual one
 * @DYNO_HEAD_UNKNOWN: not built; the model is as usual
 *
 * The kind of layers after the last one of a model.
 */
typedef enum
{
  DYNO_HEAD_USUAL,
  DYNO_HEAD_NONE,
  DYNO_HEAD_LAYERS,
  DYNO_HEAD_TRAINING,
  DYNO_HEAD_SPARE,
  DYNO_HEAD_UNKNOWN,
} DynoHeadKind;

/**
 * DynoHeadTokens:
 * @DYNO_HEAD_ALL: every token
 * @DYNO_HEAD_FIRST: the first token
 * @DYNO_HEAD_LAST: the last token that is not padding
 * @DYNO_HEAD_MEAN: the mean of all tokens that are not padding
 * @DYNO_HEAD_POOLED: the builder's own summary of them
 *
 * The tokens that a head reads.
 */
typedef enum
{
  DYNO_HEAD_ALL,
  DYNO_HEAD_FIRST,
  DYNO_HEAD_LAST,
  DYNO_HEAD_MEAN,
  DYNO_HEAD_POOLED,
} DynoHeadTokens;

/**
 * DynoHead:
 * @classes: the end of the names of its classes
 * @models: (nullable): the model types to which it belongs, with a space between them; NULL for all
 * @kind: its kind
 * @task: (nullable): its task, as named by Hugging Face; NULL for that of the architecture
 * @tokens: the tokens that it reads
 * @dense: (nullable): a layer before the last one, which keeps the width
 * @is_unbiased: whether @dense has no bias
 * @activation: the activation of @dense
 * @option: (nullable): the member of a config that may name another activation
 * @norm: (nullable): the norm after it, without a bias unless @has_norm_bias
 * @has_norm_bias: whether @norm has a bias
 * @epsilon: epsilon of @norm
 * @output: the last layer
 * @has_no_output_bias: whether @output has no bias
 * @is_span: whether its outputs score the beginning and the end of an answer, instead of classes
 * @n_labels: its outputs; in the table, their number if the config does not have it, 0 for two
 *
 * The layers that a class of a library adds to a model. The names are those of weights in checkpoints.
 */
typedef struct
{
  const char *classes;
  const char *models;
  DynoHeadKind kind;
  const char *task;
  DynoHeadTokens tokens;
  const char *dense;
  const char *activation;
  const char *norm;
  const char *output;
  const char *option;
  gboolean is_unbiased;
  gboolean has_norm_bias;
  gboolean has_no_output_bias;
  gboolean is_span;
  double epsilon;
  gint64 n_labels;
} DynoHead;

/* Adds the three layers with which detectors predict a property of each object. Returns the result of the
 * last layer. */
const char *
dyno_head_add_perceptron (DynoGraph *graph, const char *name, const char *value, gint64 n_outputs);
/* Returns the head of the class that it names; the usual head if it names none. */
DynoHead dyno_head_read (DynoConfig *config);
/* Returns the number of classes, 0 without a classifier. @config: the config of a model that classifies
 * pictures, unless it names a class without a classifier. */
gint64 dyno_head_count_labels (DynoConfig *config);
/* Adds the layers of the head and its outputs. @value: the states of all tokens, [batch, tokens, width];
 * or, if it reads the builder's summary of them, [batch, width]. @mask: [batch, tokens], 1 for a token and
 * 0 for padding; NULL if there is none. @dimension: the name of the dimension of the tokens, NULL if it
 * reads the builder's summary. */
void dyno_head_add (
    const DynoHead *self, DynoGraph *graph, const char *value, const char *mask, const char *dimension);
/* Adds the classifier of a model of pictures and its output; without one, @value is the output. @value: the
 * features of each picture, [batch, width]. */
void dyno_head_add_classes (DynoGraph *graph, const char *name, const char *value, gint64 n_labels);

G_END_DECLS
