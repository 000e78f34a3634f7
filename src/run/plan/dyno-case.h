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
 * - `backend` (string), `device` (string, empty for the one the backend opens then), `precision` (string, `fp32`: what the
 *   model is in)
 * - `batch-size` (uint; 0 where another tool measured and nobody told), `sequence-length` (uint, 0 where the model has no sequence)
 * - `threads` (uint, 0 for one per core the process may use)
 * - `generate-tokens` (uint, 0 measures plain steps; a decoder then runs prefill only)
 * - `dimensions` (string): overrides of free dimensions, `height=320,width=320`
 * - `inputs` (string): values of inputs, `sr=16000;x=@speech.npy`, as [func@Dyno.input_values_new] takes them
 * - `pinning` (string): how threads are placed, as [func@Dyno.pinning_bind] takes it, empty for the usual way
 * - `options` (string): the backend's own options, `name=value,name=value`, sorted, empty for the usual ones
 * - `load` (string): what it is under, as [func@Dyno.load_parse] takes it, `single` for one request at a time
 * - `seed` (uint64): of weights and inputs
 * - `method` ([class@Dyno.Method])
 */
G_DECLARE_FINAL_TYPE (DynoCase, dyno_case, DYNO, CASE, GObject)

DynoCase *dyno_case_new (const char *model, const char *backend);
DynoCase *dyno_case_new_from_json (JsonObject *object, GError **error);
JsonNode *dyno_case_to_json (DynoCase *self);

const char *dyno_case_get_model (DynoCase *self);
const char *dyno_case_get_backend (DynoCase *self);
const char *dyno_case_get_device (DynoCase *self);
const char *dyno_case_get_precision (DynoCase *self);
const char *dyno_case_get_computed_precision (DynoCase *self);
guint dyno_case_get_batch_size (DynoCase *self);
guint dyno_case_get_sequence_length (DynoCase *self);
guint dyno_case_get_threads (DynoCase *self);
guint dyno_case_get_generate_tokens (DynoCase *self);
const char *dyno_case_get_dimensions (DynoCase *self);
const char *dyno_case_get_inputs (DynoCase *self);
char *dyno_case_dup_given (DynoCase *self);
const char *dyno_case_get_pinning (DynoCase *self);
const char *dyno_case_get_options (DynoCase *self);
const char *dyno_case_get_load (DynoCase *self);
DynoModel *dyno_case_adapt_model (DynoCase *self, DynoModel *model, GError **error);
guint64 dyno_case_get_seed (DynoCase *self);
DynoMethod *dyno_case_get_method (DynoCase *self);
char *dyno_case_dup_precision_label (DynoCase *self);
char *dyno_case_dup_engine (DynoCase *self);
char *dyno_case_dup_place (DynoCase *self);
char *dyno_case_dup_label (DynoCase *self);
char *dyno_case_dup_key (DynoCase *self);
double dyno_case_get_expected_seconds (DynoCase *self);
void dyno_case_set_expected_seconds (DynoCase *self, double seconds);

G_END_DECLS
