/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

#include "dyno-spacing.h"
#include "dyno-tensor-info.h"
#include "dyno-family.h"
#include "dyno-model.h"

G_BEGIN_DECLS

/**
 * DynoWeightUse:
 * @DYNO_WEIGHT_USE_ALL: with every token
 * @DYNO_WEIGHT_USE_EXPERTS: with the tokens that an expert gets
 * @DYNO_WEIGHT_USE_LAST: with the last token of each item
 *
 * The tokens with which a weight is multiplied.
 */
typedef enum
{
  DYNO_WEIGHT_USE_ALL,
  DYNO_WEIGHT_USE_EXPERTS,
  DYNO_WEIGHT_USE_LAST,
  DYNO_N_WEIGHT_USES
} DynoWeightUse;

/**
 * DynoModelDescription:
 * @inputs: (element-type DynoTensorInfo): its inputs
 * @outputs: (element-type DynoTensorInfo): its outputs
 * @row_limits: (element-type utf8 gint64): for an integer input, one more than its largest valid value
 * @compared_values: (element-type utf8 gint64): for an input of one integer, the first constant that the
 * graph compares it with
 * @windows: (element-type utf8 gint64): elements of the sliding window of each named node that has one
 * @equations: (element-type utf8 utf8): the equation of each named Einsum
 * @sizes: (element-type utf8 utf8): numbers in the shapes that its graph gives to values, which its inputs
 * may share, as a set
 * @branches: (element-type utf8 utf8): for each node with a unique name inside an If, a Loop or a Scan, its
 * container: the name of the attribute, a space, and the name of the node that has it
 * @operators: (element-type utf8 utf8): its operator types, as a set
 * @external_files: (element-type utf8 utf8): the files with external weights, as a set, relative to the
 * model's folder
 * @lacking: (element-type utf8): in a model with trained weights, those that are missing from its files and
 * therefore random
 * @unused: (element-type utf8): in a model with trained weights, the tensors of its files that it does not
 * have
 * @prompt_inputs: (element-type utf8 utf8): inputs that are only set for the prompt and not for each later
 * token, as a set
 * @parameter_count: number of trainable parameters, shared ones counted once
 * @weight_bytes: bytes of all weights, trainable or not
 * @duplicate_bytes: bytes of weights that several graphs of the model hold, beyond the first copy
 * @real_type: the type of most of its floating-point weights, DYNO_DATA_TYPE_UNDEFINED if there are none
 * @quantisation: (nullable): the precision of the weights in a file, an interned string, if most are
 * quantised
 * @architecture: (nullable): the architecture that a GGUF file names, or the id of an engine’s format; NULL for all other models
 * @weight_mix: (nullable): in a GGUF or TensorFlow Lite file, the types of its weights with the share of each
 * @product_weights: in a GGUF file, the number of weights in its matrices by their use
 * @product_bytes: likewise, their bytes
 * @expert_share: likewise, the share of its experts that a token goes through
 * @attention_width: likewise, the width of the keys and values of all heads in all layers
 * @max_sequence_length: the longest sequence that the model accepts, 0 if unknown
 * @least_sizes: (element-type utf8 gint64): the minimum of each free dimension whose minimum is above 1
 * @picture_token: the placeholder token for an image
 * @n_picture_tokens: the number of these for an image, 0 if the text has none
 * @n_pictures: the number of images at the beginning of an item that has any, with one other token between two of them
 * @n_found_tokens: tokens of the passages that the model finds and its decoder reads before the prompt, 0
 * if there are none
 * @n_decoded_tokens: in such a model, the decoder's positions for all that it reads
 * @spacing: in a diffusion pipeline, the levels of its steps
 *
 * The facts about a model that are known without running it.
 */
typedef struct
{
  GPtrArray *inputs;
  GPtrArray *outputs;
  GHashTable *row_limits;
  GHashTable *compared_values;
  GHashTable *windows;
  GHashTable *equations;
  GHashTable *sizes;
  GHashTable *branches;
  GHashTable *operators;
  GHashTable *external_files;
  GPtrArray *lacking;
  GPtrArray *unused;
  GHashTable *prompt_inputs;
  gint64 parameter_count;
  gint64 weight_bytes;
  gint64 duplicate_bytes;
  DynoDataType real_type;
  const char *quantisation;
  char *architecture;
  char *weight_mix;
  double product_weights[DYNO_N_WEIGHT_USES];
  double product_bytes[DYNO_N_WEIGHT_USES];
  double expert_share;
  double attention_width;
  guint max_sequence_length;
  GHashTable *least_sizes;
  gint64 picture_token;
  guint n_picture_tokens;
  guint n_pictures;
  guint n_found_tokens;
  guint n_decoded_tokens;
  DynoSpacing spacing;
} DynoModelDescription;

/**
 * DynoEngineFormat:
 * @family: the family of its files; its id is the model type as well
 * @name: its name for people, as in “a file of TensorFlow Lite”
 * @suffix: of its files, without the dot
 * @magic_offset: where @magic begins in a file
 * @magic: the bytes by which a file is recognised
 * @backend: id of the backend of the only engine that reads and opens such files
 * @answer: with what outputs are compared, as in “The output differs from that of LiteRT’s own kernels”, marked for translation
 * @outputs: the same in the source of a value
 * @describe: reads a file; NULL on error
 *
 * A format of model files that only one engine reads and opens, and that Dyno does not write.
 */
typedef struct
{
  DynoFamily family;
  const char *name;
  const char *suffix;
  gsize magic_offset;
  const char *magic;
  const char *backend;
  const char *answer;
  const char *outputs;
  DynoModelDescription *(*describe) (const char *path, GError **error);
} DynoEngineFormat;

/* For the class_init of a backend. Returns the number of the format in this process. @format: lives as long as the process. */
DynoModelFormat dyno_engine_format_add (const DynoEngineFormat *format);
/* Returns the number of a format that was added. */
DynoModelFormat dyno_engine_format_get_number (const DynoEngineFormat *format);
/* Returns one of the added formats; NULL after the last. */
const DynoEngineFormat *dyno_engine_format_get (guint index);
/* Returns the format with that number; NULL for formats that do not belong to one engine. */
const DynoEngineFormat *dyno_engine_format_find (DynoModelFormat number);
/* Returns the format of a file; NULL if it is of no engine. */
const DynoEngineFormat *dyno_engine_format_recognise (const char *path);

DynoModelDescription *dyno_model_description_new (void);
/* Returns the number of tokens up to the end of the last image, 0 without images. */
gint64 dyno_model_description_count_places (const DynoModelDescription *self);
DynoModelDescription *dyno_model_description_ref (DynoModelDescription *self);
void dyno_model_description_unref (DynoModelDescription *self);
/* If there are several limits, the smallest applies. */
void dyno_model_description_limit (DynoModelDescription *self, const char *input, gint64 limit);
/* If there are several sizes, the largest applies. @least: a size that it must have at least. */
void dyno_model_description_require (DynoModelDescription *self, const char *symbol, gint64 least);
/* Takes @equation. @equation may be NULL. */
void dyno_model_description_set_equation (DynoModelDescription *self, const char *node, char *equation);
/* @elements: product of the sizes of its sliding window, 0 if it has none. */
void dyno_model_description_set_window (DynoModelDescription *self, const char *node, gint64 elements);
/* Operators of other domains are listed as `domain.op_type`. @domain: its operator set; NULL or empty for
 * that of ONNX. */
void
dyno_model_description_add_operator (DynoModelDescription *self, const char *domain, const char *op_type);
/* @files: the files with trained weights, relative to the model's folder. @unused: the tensors of these
 * that are not weights of the model. */
void dyno_model_description_add_weights (DynoModelDescription *self,
                                         GPtrArray *files,
                                         GPtrArray *lacking,
                                         GPtrArray *unused);

/* Returns JSON for dyno_model_description_new_from_json(). The caller owns it. */
JsonObject *dyno_model_description_to_json (const DynoModelDescription *self);
/* Returns the description; NULL if it is none. @object (nullable): from dyno_model_description_to_json() of the same version
 * of Dyno, in a process that may have read a hostile file. */
DynoModelDescription *dyno_model_description_new_from_json (JsonObject *object);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoModelDescription, dyno_model_description_unref)

G_END_DECLS
