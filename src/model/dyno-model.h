/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>
#include <json-glib/json-glib.h>

#include "dyno-tensor-info.h"

G_BEGIN_DECLS

#define DYNO_TYPE_MODEL (dyno_model_get_type ())

/**
 * DynoModel:
 *
 * A model that can be measured: an ONNX, GGUF or TensorFlow Lite file, or an architecture built from a Hugging Face `config.json` with
 * trained or seeded random weights. Loading reads only its description; dyno_model_prepare() writes the file that an
 * engine opens. Immutable after loading, and therefore usable from any thread.
 */
G_DECLARE_FINAL_TYPE (DynoModel, dyno_model, DYNO, MODEL, GObject)

/**
 * DynoModelCalibration:
 * @inputs: what identifies the inputs over which ranges are measured; others give other ranges
 * @measure: returns the ranges of the values in dyno_model_list_ranged(), as JSON: `graphs`, a list with an object for
 *   each graph, whose members are a smallest and a largest number each. It is called unless the cache has them.
 * @data: for @measure
 *
 * Finds the ranges of activations. The models do not know engines.
 */
typedef struct
{
  const char *inputs;
  char *(*measure) (gpointer data, GError **error);
  gpointer data;
} DynoModelCalibration;

/**
 * DynoBinding:
 *
 * The sizes of all free dimensions of a model: a #GHashTable from name (char *) to gint64 *.
 */
typedef GHashTable DynoBinding;

/**
 * DYNO_MODEL_USUAL_LENGTH:
 *
 * The default number of tokens per item.
 */
#define DYNO_MODEL_USUAL_LENGTH 128

/**
 * DYNO_MODEL_EXPERT_TOKENS:
 *
 * The output of a mixture of experts with the number of tokens per expert: one row for each layer with experts.
 */
#define DYNO_MODEL_EXPERT_TOKENS "expert_tokens"

/**
 * DYNO_MODEL_SERVED_PREFIX:
 *
 * The beginning of the id of a model on a server; the server's own name of it follows.
 */
#define DYNO_MODEL_SERVED_PREFIX "server:"

/**
 * DYNO_MODEL_SERVED_PRECISION:
 *
 * The precision of a case whose model is on a server: the server's own, which cannot be chosen.
 */
#define DYNO_MODEL_SERVED_PRECISION "as-served"

/**
 * DynoModelFormat:
 * @DYNO_MODEL_FORMAT_ONNX: an ONNX file, or one that Dyno builds
 * @DYNO_MODEL_FORMAT_GGUF: a GGUF file, as llama.cpp opens it
 * @DYNO_MODEL_FORMAT_SERVED: no file, but a model on a server
 * @DYNO_MODEL_FORMAT_OF_ENGINE: the first of the formats that only one engine reads (DynoEngineFormat)
 *
 * The file that an engine opens.
 */
typedef enum
{
  DYNO_MODEL_FORMAT_ONNX,
  DYNO_MODEL_FORMAT_GGUF,
  DYNO_MODEL_FORMAT_SERVED,
  DYNO_MODEL_FORMAT_OF_ENGINE,
} DynoModelFormat;

/**
 * DYNO_MODEL_NOTE:
 *
 * The code of a diagnostic with dyno_model_dup_note().
 */
#define DYNO_MODEL_NOTE "not-as-configured"

/* Returns its name on the server, if it is on a server; NULL otherwise. */
const char *dyno_model_get_served_name (const char *spec);
gboolean dyno_model_is_served (DynoModel *self);
/* Returns the format of the file that dyno_model_prepare() gives. */
DynoModelFormat dyno_model_get_format (DynoModel *self);
/* Reads the description of the model in milliseconds; no weights are read or built. With trained weights
 * beside a config (`model.safetensors`) the model is the trained one, else its weights are random. A
 * bundled id takes precedence over a file of the same name, which is available as `./name`. Files may be
 * untrusted, so only workers call this for them; everything else calls dyno_model_reader_load(). Returns
 * the model. @spec: the id of a bundled model or of one fetched from the hub, `server:` and the server's
 * name of it, or the path of an ONNX, GGUF or TensorFlow Lite file, a `config.json`, or a folder with one. */
DynoModel *dyno_model_load (const char *spec, GError **error);
/* Returns whether it is a bundled model, rather than a file that may be untrusted. */
gboolean dyno_model_is_bundled (const char *spec);
/* Returns its folder, if @spec is not a file but a model that was fetched from the hub; NULL otherwise.
 * The caller owns it. */
char *dyno_model_find_fetched (const char *spec);
/* Returns the model. */
DynoModel *dyno_model_new_from_json (const char *spec, JsonObject *object, GError **error);
/* Returns JSON from which dyno_model_new_from_json() restores the model without reading any file. The
 * caller owns it. */
JsonObject *dyno_model_to_json (DynoModel *self);
/* Returns the files with external weights, relative to the model's folder, in alphabetical order. The
 * caller owns the list, not its elements. */
GPtrArray *dyno_model_list_external_files (DynoModel *self);
/* A loaded model is in `fp32`. In another precision its inputs, outputs, weights and memory needs differ,
 * but not its number of parameters. An ONNX file stays in its own precision. Returns the model in that
 * precision. The caller owns it. Fails as dyno_model_check_precision() does. */
DynoModel *dyno_model_in_precision (DynoModel *self, const char *precision, GError **error);
/* Returns whether a file of that format can be had of it: its own, or one that Dyno writes. */
gboolean dyno_model_may_have_format (DynoModel *self, DynoModelFormat format);
/* Returns whether it can be had in that precision as a file of that format; a file may be measured in any. */
gboolean dyno_model_may_have_precision (DynoModel *self, DynoModelFormat format, const char *precision);
/* Returns the model in that precision, as a file of that format; a file stays as it is. The caller owns it. Fails as
 * dyno_model_check_precision() does, or if Dyno writes no such file of the model. */
DynoModel *
dyno_model_in_format (DynoModel *self, DynoModelFormat format, const char *precision, GError **error);
/* Returns whether it is one of its stages; fails with DYNO_ERROR_UNSUPPORTED, naming those. */
gboolean dyno_model_check_stage (DynoModel *self, const char *stage, GError **error);
/* Returns the model in that precision, with other precisions for some of its stages. The caller owns it. Fails as
 * dyno_model_check_precision() and dyno_model_check_stage() do. @of_stages: precisions by the names of stages. */
DynoModel *
dyno_model_with_stages (DynoModel *self, const char *precision, GHashTable *of_stages, GError **error);
/* Returns the precisions in which it or its stages are built; empty for a file. */
char **dyno_model_dup_precisions (DynoModel *self);
/* In a loaded model attention is decomposed. An ONNX file stays as it is. Returns the same model with that
 * attention. The caller owns it. @attention: `decomposed` into products and a softmax, or `fused` into one
 * operator of ONNX Runtime; with a cache, fused attention only allows padding after the tokens. Fails with
 * DYNO_ERROR_UNSUPPORTED if nothing in it can be fused. */
DynoModel *dyno_model_with_attention (DynoModel *self, const char *attention, GError **error);
/* Returns the same model with another length of the window that layers with a sliding window attend to, as if its config
 * said so. The caller owns it. @window: tokens, at least 2; 0 for that of its config. Fails with DYNO_ERROR_UNSUPPORTED if
 * it has none. */
DynoModel *dyno_model_with_window (DynoModel *self, guint window, GError **error);
/* Returns the length of the window that replaces that of its config; 0 if none does. */
guint dyno_model_get_window (DynoModel *self);
/* Returns whether a prompt may have any number of images. A loaded model has one in each. */
gboolean dyno_model_takes_images (DynoModel *self);
/* Returns the same model for prompts with that many images; without any, only the stages for text run. The caller owns it.
 * Fails with DYNO_ERROR_UNSUPPORTED if its number of images is fixed. */
DynoModel *dyno_model_with_images (DynoModel *self, guint n_images, GError **error);

/* Returns the text that dyno_model_load() loads it from. */
const char *dyno_model_get_id (DynoModel *self);
const char *dyno_model_get_name (DynoModel *self);
/* The short name of a model, found without reading it. Many exporters name every file “model.onnx”, and
 * every configuration is a “config.json”: then the name is that of the folder. Returns the id of a bundled
 * model, else the stem of the file or the name of its folder. */
char *dyno_model_dup_short_name (const char *spec);
/* Returns its name for people, found without reading a file: the name of a bundled model, else the short
 * name. */
char *dyno_model_dup_title (const char *spec);
/* Returns `encoder`, `decoder`, `vision` …, or `onnx`, `gguf` or the id of an engine’s format for a file. */
const char *dyno_model_get_family (DynoModel *self);
/* Returns whether tokens per second measure its work, if it has a sequence. */
gboolean dyno_model_counts_tokens (DynoModel *self);
/* Returns the family in the user's language. */
const char *dyno_model_get_family_label (DynoModel *self);
/* Returns the config's model type, such as `bert`, the architecture that a GGUF file names, or `onnx` for an ONNX
 * file. */
const char *dyno_model_get_architecture (DynoModel *self);
/* Returns its task as named by Hugging Face, empty if unknown. */
const char *dyno_model_get_task (DynoModel *self);
/* Returns the licence of its trained weights, NULL if unknown. */
const char *dyno_model_get_licence (DynoModel *self);
/* Returns the id on the hub from which a bundled config was taken, NULL for other models. */
const char *dyno_model_get_source (DynoModel *self);
/* Returns the number of trainable parameters, tied ones counted once. */
gint64 dyno_model_get_parameter_count (DynoModel *self);
/* Returns the bytes of all its weights, trainable or not. */
gint64 dyno_model_get_weight_bytes (DynoModel *self);
/* Returns `trained` if its weights are read from files beside its config, `random` if Dyno draws them,
 * `file` if they are part of an ONNX or GGUF file, `served` if they are on a server. */
const char *dyno_model_get_weights_origin (DynoModel *self);
/* Returns the weights that are missing from its files and therefore random. */
GPtrArray *dyno_model_list_random_weights (DynoModel *self);
/* Returns the tensors of its files that it does not use, such as those of a head that is not built. */
GPtrArray *dyno_model_list_unused_tensors (DynoModel *self);
/* Returns how the weights that its config asks for are quantised, such as “gptq, 4 bits”; NULL if they are
 * not. */
char *dyno_model_dup_quantisation (DynoModel *self);
/* Returns the types of the weights in a GGUF or TensorFlow Lite file with their shares, such as “Q4_K 71 %, Q6_K 29 %”; NULL for
 * other models. */
const char *dyno_model_get_weight_mix (DynoModel *self);
/* Returns how the measured model differs from its config or its files, in sentences for people; NULL if it
 * does not. */
char *dyno_model_dup_note (DynoModel *self);
/* Returns its inputs. Elements are DynoTensorInfo. */
GPtrArray *dyno_model_get_inputs (DynoModel *self);
/* Returns its outputs. Elements are DynoTensorInfo. */
GPtrArray *dyno_model_get_outputs (DynoModel *self);
/* Returns whether its batch size is free. */
gboolean dyno_model_has_batch (DynoModel *self);
/* Returns the batch size that @overrides give the model, whatever else is chosen; 0 if they do not.
 * @overrides may be NULL. */
guint dyno_model_get_bound_batch (DynoModel *self, const char *overrides);
/* Returns whether its sequence length is free. */
gboolean dyno_model_has_sequence (DynoModel *self);
/* Returns the bytes of everything that is carried from step to step. Keys and values grow with every token,
 * up to the window of their layer; a state keeps its size. */
gint64 dyno_model_get_cache_bytes (DynoModel *self, guint batch_size, guint n_positions);
/* Returns whether it takes the keys and values or the state of earlier tokens, as a decoder that generates
 * does. */
gboolean dyno_model_has_cache (DynoModel *self);
/* Returns whether a generation begins with any number of tokens; else it begins with something other than
 * text and one token of the answer. */
gboolean dyno_model_has_prompt (DynoModel *self);
/* Returns whether the decoder has positions for all of them. @n_generated: number of tokens generated after
 * it, at least one. @most: how many it takes, 0 if unknown. */
gboolean dyno_model_takes_tokens (DynoModel *self, guint prompt_length, guint n_generated, guint *most);
/* Returns how many tokens it reads before its first one, including the passages that it finds itself. */
guint dyno_model_count_prompt (DynoModel *self, guint prompt_length);
/* Returns for how many tokens the cache then holds keys and values. @n_generated: number of tokens
 * generated after it, at least one. */
guint dyno_model_count_positions (DynoModel *self, guint prompt_length, guint n_generated);
/* Returns the maximum number of tokens per item, including past ones; 0 if unknown. */
guint dyno_model_get_max_sequence_length (DynoModel *self);
/* Returns the default number of tokens per item: DYNO_MODEL_USUAL_LENGTH, or as many as a convolution
 * needs, plus those of an image if the text has one, but not more than the model accepts. */
guint dyno_model_get_usual_sequence_length (DynoModel *self);
/* Returns the names of the graphs of a model of several, in the order in which they run; empty for a
 * single graph. */
char **dyno_model_dup_stages (DynoModel *self);
/* Returns its operator types, without duplicates, in alphabetical order; types outside ONNX's own domain as
 * `domain.type`. */
char **dyno_model_dup_operators (DynoModel *self);
/* Returns whether the model can be built in that precision, as a file of its format; a file stays in its own. Fails with
 * DYNO_ERROR_UNSUPPORTED. */
gboolean dyno_model_check_precision (DynoModel *self, const char *precision, GError **error);
/* Returns product of the sizes of the node's sliding window, as of a pooling; 0 if it has none. */
gint64 dyno_model_get_window_elements (DynoModel *self, const char *node);
/* Returns the precision of the weights in its ONNX file, such as `int8` or `fp16`; NULL if it is no file,
 * or its weights do not show it. */
const char *dyno_model_get_file_precision (DynoModel *self);
/* Returns the precision of its cases. A quantised file and a GGUF file are in the precision of their weights, whatever
 * is requested; the default precision requests nothing. */
const char *dyno_model_get_case_precision (DynoModel *self, const char *asked);
/* Returns the equation of an Einsum of that name; NULL if there is none. */
const char *dyno_model_get_equation (DynoModel *self, const char *node);
/* Returns its container, if an If, a Loop or a Scan contains it: `then_branch`, `else_branch` or `body`, a
 * space, and the name of that node; NULL if none does, empty if several nodes have that name. */
const char *dyno_model_get_branch (DynoModel *self, const char *node);
/* Returns numbers in the shapes that its graph gives to values, in order. Elements are gint64. */
GArray *dyno_model_list_suggested_sizes (DynoModel *self);

/* Chooses a size for every free dimension: by its name (a batch, a sequence, the side of an image, an
 * empty past …), or as given. Returns the sizes. The caller owns it. @overrides (nullable):
 * `dimension=size`, several separated by commas; these take precedence. Audio may be given in `seconds`,
 * at 16 kHz. Fails with DYNO_ERROR_INVALID_ARGUMENT with the dimensions that still need a size. */
DynoBinding *dyno_model_bind (
    DynoModel *self, guint batch_size, guint sequence_length, const char *overrides, GError **error);
/* Returns the sizes of a step that decodes one more token. The caller owns it. */
DynoBinding *dyno_model_bind_decode (DynoModel *self, guint batch_size, guint past_length, GError **error);
/* Returns the sizes of the prefill step, which outputs the first token. The caller owns it. @overrides may
 * be NULL. */
DynoBinding *dyno_model_bind_prompt (
    DynoModel *self, guint batch_size, guint prompt_length, const char *overrides, GError **error);
/* Returns bytes, estimated from the shapes alone, for refusing a case that cannot fit: weights twice,
 * because a runtime holds the file and its own copy while it loads, inputs, computed values, and most of
 * these once more. The last because ONNX Runtime plans their places in a first step and from then on has
 * one block for all of them, while its allocator keeps the memory of the first step. SAM (base) was
 * measured at 3.36 GB in its first step and at 5.92 GB from the second on; without such plans it stays at
 * 3.38 GB.
 * @arithmetic may be NULL. */
gint64 dyno_model_estimate_memory (DynoModel *self, DynoBinding *binding, char **arithmetic);
/* Like dyno_model_estimate_memory(), for a device with its own memory: the file stays in host memory.
 * Returns bytes. @arithmetic may be NULL. */
gint64 dyno_model_estimate_device_memory (DynoModel *self, DynoBinding *binding, char **arithmetic);
/* Returns its matrix products and convolutions, those of a GGUF file in few groups; NULL for an ONNX file, whose
 * shapes are known only at run time. Elements are DynoGraphProduct. */
GArray *dyno_model_list_products (DynoModel *self, DynoBinding *binding);
/* Returns FALSE for an ONNX file, whose shapes are known only at run time. @flops: floating-point
 * operations of one step, as dyno_operator_cost_flops() counts them; for a GGUF file two for each weight that a token
 * is multiplied with, and the products of attention. */
gboolean dyno_model_estimate_flops (DynoModel *self, DynoBinding *binding, gint64 *flops);
/* Returns @path, or for a model of several graphs one path beside it for each: `NAME.encoder.onnx`. */
char **dyno_model_dup_export_paths (DynoModel *self, const char *path);
/* Writes the file that an engine opens, or finds it in the cache; an ONNX file is used as it is. Writing
 * the weights takes time: call it in a thread. The file stays in the cache as long as the model exists.
 * Returns the path of an ONNX file, or of a DynoManifest if the model has several graphs. The caller owns
 * it. @seed: seed of random weights, which are the same in every precision before rounding to it; trained
 * ones are rounded too. @cancellable may be NULL. */
char *dyno_model_prepare (
    DynoModel *self, const char *precision, guint64 seed, GCancellable *cancellable, GError **error);
/* Returns whether its precision quantises activations by their ranges, which must be measured first. */
gboolean dyno_model_needs_ranges (DynoModel *self);
/* Returns the names of the values whose ranges it needs, which the same model in fp32 has too: a list of utf8 for
 * each of its graphs. @self: a model that needs ranges. */
GPtrArray *dyno_model_list_ranged (DynoModel *self, GError **error);
/**
 * DynoModelQuantiser:
 * @version: what quantises; the file is written again if it changes
 * @quantise: writes another file with quantised weights
 * @data: for @quantise
 *
 * How an engine quantises the weights of a file.
 */
typedef struct
{
  const char *version;
  gboolean (*quantise) (
      const char *from, const char *to, const char *precision, gpointer data, GError **error);
  gpointer data;
} DynoModelQuantiser;

/* Like dyno_model_prepare(), for a model that may need ranges or an engine that quantises. @calibration: may be NULL if it
 * needs no ranges. @quantiser: likewise if Dyno rounds the weights. */
char *dyno_model_prepare_with (DynoModel *self,
                               const DynoModelCalibration *calibration,
                               const DynoModelQuantiser *quantiser,
                               guint64 seed,
                               GCancellable *cancellable,
                               GError **error);
/* An engine that quantises chooses the type of each weight. Returns the model with the weights of the file that was
 * prepared. The caller owns it. */
DynoModel *dyno_model_as_written (DynoModel *self, const char *path, GError **error);
/* Creates valid values for every other input: token ids below the vocabulary size, masks of ones,
 * positions in order, images and audio as noise with mean 0 and standard deviation 1. Returns one tensor
 * for each input, in order. Elements are DynoTensor. @given (nullable): values of inputs that a person
 * chose, as dyno_input_values_new() reads them. */
GPtrArray *dyno_model_create_inputs (
    DynoModel *self, DynoBinding *binding, const char *given, guint64 seed, GError **error);
/* Returns a sentence about the values of inputs that were given, and about those that Dyno chose for
 * inputs which may steer the graph; NULL if there are none. @given (nullable): values of inputs, as for
 * dyno_model_create_inputs(). */
char *dyno_model_dup_input_values (DynoModel *self, DynoBinding *binding, const char *given, guint64 seed);
/* Returns the given sizes, and those that follow from the values of inputs. @dimensions may be NULL. @given
 * (nullable): values of inputs, as for dyno_model_create_inputs(). Fails with DYNO_ERROR_INVALID_ARGUMENT
 * or DYNO_ERROR_INVALID_DATA if @given is wrong. */
char *dyno_model_dup_dimensions (DynoModel *self, const char *dimensions, const char *given, GError **error);
/* Creates the inputs of the step that decodes one more token, except for the cache itself, which the
 * caller carries from step to step. Returns one tensor for each input other than the cache, in order.
 * Elements are DynoTensor. */
GPtrArray *dyno_model_create_decode_inputs (
    DynoModel *self, guint batch_size, guint past_length, guint64 seed, GError **error);
/* Creates a cache of noise as it is after some tokens, for a step in the middle of a generation without the
 * steps before it. Returns one tensor for each input that is a cache, in order. Elements are DynoTensor. */
GPtrArray *
dyno_model_create_cache (DynoModel *self, guint batch_size, guint past_length, guint64 seed, GError **error);

/* dyno-model-export */

/* The part of DynoModel that reads weights, for workers only. */

/* Writes the files that engines open, for use by other programs, to dyno_model_dup_export_paths(); weights
 * over 2 GB go to a separate file `path.data`. Returns whether all is written. @self: a model in the
 * precision to write, see dyno_model_in_precision(). @calibration may be NULL if it needs no ranges. Fails with
 * DYNO_ERROR_UNSUPPORTED for an ONNX file. */
gboolean dyno_model_export (
    DynoModel *self, const DynoModelCalibration *calibration, guint64 seed, const char *path, GError **error);

G_END_DECLS
