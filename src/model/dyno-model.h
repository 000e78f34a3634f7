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
 * A model that can be measured: an ONNX file, or an architecture built from a Hugging Face `config.json` with trained
 * or seeded random weights. Loading reads only its description; [method@Dyno.Model.prepare] writes the file that an
 * engine opens. Immutable after loading, and therefore usable from any thread.
 */
G_DECLARE_FINAL_TYPE (DynoModel, dyno_model, DYNO, MODEL, GObject)

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
 * What the id of a model that a server holds begins with; the server's own name of it follows.
 */
#define DYNO_MODEL_SERVED_PREFIX "server:"

/**
 * DYNO_MODEL_SERVED_PRECISION:
 *
 * The precision of a case whose model a server holds: that in which it holds it, which cannot be chosen.
 */
#define DYNO_MODEL_SERVED_PRECISION "as-served"

/**
 * DYNO_MODEL_NOTE:
 *
 * The code of a diagnostic with [method@Dyno.Model.dup_note].
 */
#define DYNO_MODEL_NOTE "not-as-configured"

const char *dyno_model_get_served_name (const char *spec);
gboolean dyno_model_is_served (DynoModel *self);
DynoModel *dyno_model_load (const char *spec, GError **error);
gboolean dyno_model_is_bundled (const char *spec);
char *dyno_model_find_fetched (const char *spec);
DynoModel *dyno_model_new_from_json (const char *spec, JsonObject *object, GError **error);
JsonObject *dyno_model_to_json (DynoModel *self);
GPtrArray *dyno_model_list_external_files (DynoModel *self);
DynoModel *dyno_model_in_precision (DynoModel *self, const char *precision, GError **error);
DynoModel *dyno_model_with_attention (DynoModel *self, const char *attention, GError **error);

const char *dyno_model_get_id (DynoModel *self);
const char *dyno_model_get_name (DynoModel *self);
char *dyno_model_dup_short_name (const char *spec);
char *dyno_model_dup_title (const char *spec);
const char *dyno_model_get_family (DynoModel *self);
gboolean dyno_model_counts_tokens (DynoModel *self);
const char *dyno_model_get_family_label (DynoModel *self);
const char *dyno_model_get_architecture (DynoModel *self);
const char *dyno_model_get_task (DynoModel *self);
const char *dyno_model_get_licence (DynoModel *self);
const char *dyno_model_get_source (DynoModel *self);
gint64 dyno_model_get_parameter_count (DynoModel *self);
gint64 dyno_model_get_weight_bytes (DynoModel *self);
const char *dyno_model_get_weights_origin (DynoModel *self);
GPtrArray *dyno_model_list_random_weights (DynoModel *self);
GPtrArray *dyno_model_list_unused_tensors (DynoModel *self);
char *dyno_model_dup_quantisation (DynoModel *self);
char *dyno_model_dup_note (DynoModel *self);
GPtrArray *dyno_model_get_inputs (DynoModel *self);
GPtrArray *dyno_model_get_outputs (DynoModel *self);
gboolean dyno_model_has_batch (DynoModel *self);
guint dyno_model_get_bound_batch (DynoModel *self, const char *overrides);
gboolean dyno_model_has_sequence (DynoModel *self);
gint64 dyno_model_get_cache_bytes (DynoModel *self, guint batch_size, guint n_positions);
gboolean dyno_model_has_cache (DynoModel *self);
gboolean dyno_model_has_prompt (DynoModel *self);
gboolean dyno_model_takes_tokens (DynoModel *self, guint prompt_length, guint n_generated, guint *most);
guint dyno_model_count_prompt (DynoModel *self, guint prompt_length);
guint dyno_model_count_positions (DynoModel *self, guint prompt_length, guint n_generated);
guint dyno_model_get_max_sequence_length (DynoModel *self);
guint dyno_model_get_usual_sequence_length (DynoModel *self);
char **dyno_model_dup_stages (DynoModel *self);
char **dyno_model_dup_operators (DynoModel *self);
gboolean dyno_model_check_precision (DynoModel *self, const char *precision, GError **error);
gint64 dyno_model_get_window_elements (DynoModel *self, const char *node);
const char *dyno_model_get_file_precision (DynoModel *self);
const char *dyno_model_get_case_precision (DynoModel *self, const char *asked);
const char *dyno_model_get_equation (DynoModel *self, const char *node);
const char *dyno_model_get_branch (DynoModel *self, const char *node);
GArray *dyno_model_list_suggested_sizes (DynoModel *self);

DynoBinding *dyno_model_bind (
    DynoModel *self, guint batch_size, guint sequence_length, const char *overrides, GError **error);
DynoBinding *dyno_model_bind_decode (DynoModel *self, guint batch_size, guint past_length, GError **error);
DynoBinding *dyno_model_bind_prompt (
    DynoModel *self, guint batch_size, guint prompt_length, const char *overrides, GError **error);
gint64 dyno_model_estimate_memory (DynoModel *self, DynoBinding *binding, char **arithmetic);
gint64 dyno_model_estimate_device_memory (DynoModel *self, DynoBinding *binding, char **arithmetic);
GArray *dyno_model_list_products (DynoModel *self, DynoBinding *binding);
gboolean dyno_model_estimate_flops (DynoModel *self, DynoBinding *binding, gint64 *flops);
char **dyno_model_dup_export_paths (DynoModel *self, const char *path);
char *dyno_model_prepare (
    DynoModel *self, const char *precision, guint64 seed, GCancellable *cancellable, GError **error);
GPtrArray *dyno_model_create_inputs (
    DynoModel *self, DynoBinding *binding, const char *given, guint64 seed, GError **error);
char *dyno_model_dup_input_values (DynoModel *self, DynoBinding *binding, const char *given, guint64 seed);
char *dyno_model_dup_dimensions (DynoModel *self, const char *dimensions, const char *given, GError **error);
GPtrArray *dyno_model_create_decode_inputs (
    DynoModel *self, guint batch_size, guint past_length, guint64 seed, GError **error);
GPtrArray *
dyno_model_create_cache (DynoModel *self, guint batch_size, guint past_length, guint64 seed, GError **error);

G_END_DECLS
