/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

#include "dyno-tensor-info.h"

G_BEGIN_DECLS

/**
 * DynoModelDescription:
 * @inputs: (element-type DynoTensorInfo): what the caller feeds
 * @outputs: (element-type DynoTensorInfo): what comes out
 * @row_limits: (element-type utf8 gint64): for an integer input, one more than its largest valid value
 * @windows: (element-type utf8 gint64): elements of the window of each named node that slides one
 * @operators: (element-type utf8 utf8): the kinds of operators in it, as a set
 * @external_files: (element-type utf8 utf8): the files that hold weights beside the model's own, as a set, relative to
 *   its folder
 * @lacking: (element-type utf8): weights of a model with trained ones that its files lack, and that are random therefore
 * @prompt_inputs: (element-type utf8 utf8): inputs that are only read with a prompt and not with each token after it, as
 *   a set
 * @parameter_count: trainable numbers, each once
 * @weight_bytes: bytes of all weights, trainable or not
 * @duplicate_bytes: bytes of those that further graphs of the model hold once more
 * @real_type: the type of most of its floating-point weights, %DYNO_DATA_TYPE_UNDEFINED where there are none
 * @max_sequence_length: the longest sequence the model takes, 0 when it does not say
 * @least_sizes: (element-type utf8 gint64): the smallest size of each free dimension that has one above 1
 * @picture_token: the token that stands for one of a picture
 * @n_picture_tokens: with how many of these an item begins, 0 where a text has no picture
 *
 * What can be said of a model without running it.
 */
typedef struct
{
  GPtrArray *inputs;
  GPtrArray *outputs;
  GHashTable *row_limits;
  GHashTable *windows;
  GHashTable *operators;
  GHashTable *external_files;
  GPtrArray *lacking;
  GHashTable *prompt_inputs;
  gint64 parameter_count;
  gint64 weight_bytes;
  gint64 duplicate_bytes;
  DynoDataType real_type;
  guint max_sequence_length;
  GHashTable *least_sizes;
  gint64 picture_token;
  guint n_picture_tokens;
} DynoModelDescription;

DynoModelDescription *dyno_model_description_new (void);
void dyno_model_description_free (DynoModelDescription *self);
void dyno_model_description_limit (DynoModelDescription *self, const char *input, gint64 limit);
void dyno_model_description_set_window (DynoModelDescription *self, const char *node, gint64 elements);
void
dyno_model_description_add_operator (DynoModelDescription *self, const char *domain, const char *op_type);
void dyno_model_description_add_weights (DynoModelDescription *self, GPtrArray *files, GPtrArray *lacking);

JsonObject *dyno_model_description_to_json (const DynoModelDescription *self);
DynoModelDescription *dyno_model_description_new_from_json (JsonObject *object);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoModelDescription, dyno_model_description_free)

G_END_DECLS
