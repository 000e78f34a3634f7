/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-load.h"
#include "dyno-method.h"
#include "dyno-model.h"

G_BEGIN_DECLS

#define DYNO_TYPE_CASE (dyno_case_get_type ())

/**
 * DynoCase:
 *
 * One thing to measure: a model on a backend, in one precision, at one size. Properties, read-write and
 * construct:
 *
 * - `model` (string): a bundled id, or the path of an ONNX file or a Hugging Face `config.json`
 * - `backend` (string), `device` (string, empty for the one the backend opens then), `precision` (string: the
 *   model's precision, such as `fp32`)
 * - `batch-size` (uint; 0 where another tool measured and did not record it), `sequence-length` (uint, 0
 *   where the model has no sequence)
 * - `threads` (uint, 0 for one per core the process may use)
 * - `generate-tokens` (uint, 0 measures plain steps; a decoder then runs prefill only)
 * - `images` (uint, 1 by default: in each prompt of a model that takes images; 0 measures its text alone)
 * - `dimensions` (string): overrides of free dimensions, `height=320,width=320`
 * - `inputs` (string): values of inputs, `sr=16000;x=@speech.npy`, as dyno_input_values_new() takes them
 * - `pinning` (string): how threads are placed, as dyno_pinning_bind() takes it, empty for the usual way
 * - `options` (string): the backend's own options, `name=value,name=value`, sorted, empty for the usual ones
 * - `load` (string): its load, as dyno_load_parse() takes it, `single` for one request at a time
 * - `seed` (uint64): of weights and inputs
 * - `bytes-per-step` (uint64, 0: unknown): the traffic of a step, by the user's own estimate
 * - `method` (DynoMethod)
 */
G_DECLARE_FINAL_TYPE (DynoCase, dyno_case, DYNO, CASE, GObject)

/* Returns a case of one sample with the usual settings. */
DynoCase *dyno_case_new (const char *model, const char *backend);
/* A case without a number of invocations was written when every case had one. Returns the case. @object:
 * settings by property name, from dyno_case_to_json(). */
DynoCase *dyno_case_new_from_json (JsonObject *object, GError **error);
/* Returns an object node, the method inside. The caller owns it. */
JsonNode *dyno_case_to_json (DynoCase *self);

const char *dyno_case_get_model (DynoCase *self);
const char *dyno_case_get_backend (DynoCase *self);
const char *dyno_case_get_device (DynoCase *self);
const char *dyno_case_get_precision (DynoCase *self);
/* The outputs, the ceilings and the precision of a device are judged by it. Engines with the option
 * `inference-precision` can compute in another precision than the model's; an engine that then uses yet
 * another one is refused. Integers stay integers, and TF32 is for single precision alone. If only weights are
 * quantised, the rest is computed in single precision. Returns the precision of the computation. */
const char *dyno_case_get_computed_precision (DynoCase *self);
guint dyno_case_get_batch_size (DynoCase *self);
guint dyno_case_get_sequence_length (DynoCase *self);
guint dyno_case_get_threads (DynoCase *self);
guint dyno_case_get_generate_tokens (DynoCase *self);
guint dyno_case_get_images (DynoCase *self);
/**
 * DynoCaseSize:
 * @property: the property of a case
 * @axis: the property of a plan that lists its alternatives
 * @least: the smallest number that a plan may list
 * @most: the largest
 * @usual: the number of a case that says none
 * @is_new: whether the JSON leaves out the usual number, because it identifies cases that earlier versions stored
 * @is_work: whether a step does other work with another number
 * @get: the number of a case
 *
 * A whole number that is an axis of a plan.
 */
typedef struct
{
  const char *property;
  const char *axis;
  guint least;
  guint most;
  guint usual;
  gboolean is_new;
  gboolean is_work;
  guint (*get) (DynoCase *self);
} DynoCaseSize;

/* The places of the sizes in dyno_case_list_sizes(). */
typedef enum
{
  DYNO_CASE_SIZE_BATCH,
  DYNO_CASE_SIZE_SEQUENCE,
  DYNO_CASE_SIZE_THREADS,
  DYNO_CASE_SIZE_GENERATE,
  DYNO_CASE_SIZE_IMAGES,
  DYNO_CASE_N_SIZES
} DynoCaseSizeId;

/* Returns DYNO_CASE_N_SIZES of them. */
const DynoCaseSize *dyno_case_list_sizes (void);
/* Returns whether every size of the two cases that makes a step do other work is equal. */
gboolean dyno_case_has_same_sizes (DynoCase *self, DynoCase *other);
/* Returns all of them in order, as a text that distinguishes cases. @is_work: those alone that make a step do other work. */
char *dyno_case_dup_sizes (DynoCase *self, gboolean is_work);
const char *dyno_case_get_dimensions (DynoCase *self);
/* Returns values of inputs, for dyno_model_create_inputs(), empty where Dyno chooses all. */
const char *dyno_case_get_inputs (DynoCase *self);
/* Returns the sizes of dimensions and the values of inputs that are not the usual ones: “height=320 ·
 * sr=16000”. */
char *dyno_case_dup_given (DynoCase *self);
/* Returns the policy that places the threads, empty for the usual one. */
const char *dyno_case_get_pinning (DynoCase *self);
/* Returns the backend's own options, for dyno_engine_options_parse(). */
const char *dyno_case_get_options (DynoCase *self);
/* Returns the names of stages with options of their own, sorted. */
char **dyno_case_list_stages (DynoCase *self);
/* Returns the case as if the stage alone were its model: with the backend, the device, the precision, the threads and the
 * options of the stage. The caller owns it. */
DynoCase *dyno_case_for_stage (DynoCase *self, const char *stage);
/* Returns whether stages differ in device, computed precision or threads, so that there are no roofs of the whole model. */
gboolean dyno_case_is_mixed (DynoCase *self);
/* Returns how to open these stages. Elements are DynoStageOptions; NULL if there are none. The caller owns it. */
GPtrArray *dyno_case_list_stage_options (DynoCase *self);
/* Returns the library of the engine that it names in its options; NULL for the usual one. */
char *dyno_case_dup_library (DynoCase *self);
/* Returns its load, for dyno_load_parse(). */
const char *dyno_case_get_load (DynoCase *self);
/* Returns the model in the precision of the case and with its attention, which is an option of every
 * backend. The caller owns it. Fails with DYNO_ERROR_UNSUPPORTED where there can be no such model. */
DynoModel *dyno_case_adapt_model (DynoCase *self, DynoModel *model, GError **error);
guint64 dyno_case_get_seed (DynoCase *self);
/* Returns the traffic of a step that the user states; 0 if that is left to Dyno's model. */
guint64 dyno_case_get_bytes_per_step (DynoCase *self);
/* Returns its method of measurement. */
DynoMethod *dyno_case_get_method (DynoCase *self);
/* Returns the precision of the model and, if it differs, of the computation. */
char *dyno_case_dup_precision_label (DynoCase *self);
/* Returns the engine in words, with the device if the engine has several and its name does not say which. */
char *dyno_case_dup_engine (DynoCase *self);
/* Returns the backend, followed by a colon and its device if the case names one, as in options and files:
 * “openvino:GPU”. */
char *dyno_case_dup_place (DynoCase *self);
/* Returns its settings in one line: “BERT tiny · ONNX Runtime (CPU) · fp32 · batch 4 · 128 tokens”. */
char *dyno_case_dup_label (DynoCase *self);
/* Returns the same with ids, by which programs recognise the case: “bert-tiny · cpu · fp32 · batch 4”. */
char *dyno_case_dup_key (DynoCase *self);
/* Returns about how long it should take, from dyno_case_estimate(); 0 if it is not estimated yet. */
double dyno_case_get_expected_seconds (DynoCase *self);
/* @seconds: about how long it should take. It is not part of the case's identity and is not stored. */
void dyno_case_set_expected_seconds (DynoCase *self, double seconds);
/* Returns the bytes of its weights and the floating-point operations of one item; 0 if they are unknown. */
void dyno_case_get_work (DynoCase *self, gint64 *weight_bytes, double *work);
/* Not part of the case's identity either. */
void dyno_case_set_work (DynoCase *self, gint64 weight_bytes, double work);

/* dyno-case-estimate */

/* Returns about how many floating-point operations one item takes. For a file, whose shapes only a runtime
 * knows, this is two for each parameter and token. */
double dyno_case_estimate_work (DynoModel *model, guint sequence_length);
/* Estimates the time before anything has run, from the method and the model: each invocation starts, loads the model,
 * warms up and measures; the analysis loads the model for each of its kinds and runs its steps. The case remembers the
 * work, for dyno_case_estimate_again(). @weight_bytes: in the precision of the case. @work: floating-point operations of
 * one item, from dyno_case_estimate_work(). */
void dyno_case_estimate (DynoCase *self, gint64 weight_bytes, double work);
/* Estimates the time at these rates, in FLOP/s and B/s, in place of guesses. */
void dyno_case_estimate_again (DynoCase *self, double flops_per_second, double bytes_per_second);

/**
 * DynoCaseDuration:
 * @seconds: of all phases of its processes, and of its analyses
 * @load: of one process, until the model is loaded
 * @first: of a step, or of a prompt until the first token
 * @next: of each further token; 0 if it generated none
 * @analysis: of the analyses
 * @length: the sequence length of the step or the prompt; 0 if it has none
 *
 * How long a case took, in seconds.
 */
typedef struct
{
  double seconds;
  double load;
  double first;
  double next;
  double analysis;
  guint length;
} DynoCaseDuration;

/* Changes the JSON of a case to that of all cases that differ from it only in the length of the prompt, the number of
 * generated tokens, and the method. Returns it as a text. */
char *dyno_case_dup_kin (JsonNode *kase);
/* An earlier time of the same case is the best guess; the next one follows from the steps of a case of the same kin.
 * Returns whether @durations has one, which the case then expects. @durations: how long cases took on this machine, by the
 * JSON of the case, and by that of its kin: a DynoCaseDuration. */
gboolean dyno_case_learn_seconds (DynoCase *self, GHashTable *durations);
/* In place of the number of an invocation: the process that analyses the case after it is measured. */
#define DYNO_CASE_ANALYSIS G_MAXUINT

/* Returns about which share of the case's time the turn takes, 0…1. @turn: which of its invocations, from 0, or
 * DYNO_CASE_ANALYSIS. @analyses: whether the invocation analyses the case as well. */
double dyno_case_estimate_share (DynoCase *self, guint turn, gboolean analyses);
/* Phases that end after a time and a number of samples count by both. Returns about how much of the turn is over,
 * 0…1. @turn, @analyses: as above. @phase: the current phase: `prepare`, or the name of a DynoPhase. @n_samples: how many
 * samples were taken, warming up or measuring. */
double dyno_case_estimate_fraction (
    DynoCase *self, guint turn, gboolean analyses, const char *phase, double seconds, guint n_samples);

G_END_DECLS
