/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "dyno-case.h"
#include "dyno-case-state.h"
#include "dyno-diagnostic.h"
#include "dyno-invocation.h"
#include "dyno-operator.h"
#include "dyno-trace.h"
#include "dyno-value.h"

G_BEGIN_DECLS

/**
 * DynoStatus:
 * @DYNO_STATUS_PENDING: waits for its turn
 * @DYNO_STATUS_RUNNING: is being measured
 * @DYNO_STATUS_OK: measured
 * @DYNO_STATUS_FAILED: could not be measured; the reason says why
 * @DYNO_STATUS_SKIPPED: not tried; the reason says why
 * @DYNO_STATUS_CANCELLED: stopped by the user
 */
typedef enum
{
  DYNO_STATUS_PENDING,
  DYNO_STATUS_RUNNING,
  DYNO_STATUS_OK,
  DYNO_STATUS_FAILED,
  DYNO_STATUS_SKIPPED,
  DYNO_STATUS_CANCELLED,
} DynoStatus;

#define DYNO_TYPE_STATUS (dyno_status_get_type ())
#define DYNO_TYPE_RESULT (dyno_result_get_type ())

GType dyno_status_get_type (void);
const char *dyno_status_to_string (DynoStatus status);
gboolean dyno_status_from_string (const char *string, DynoStatus *status);

/**
 * DynoResult:
 *
 * A case and its outcome. Properties: `case` (DynoCase, construct), `ordinal` (uint, its place in
 * the plan as listed), `model-name`, `architecture`, `device` (strings: the ones that really ran),
 * `device-kind` (nullable string: the word of a DynoDeviceKind, NULL if unknown), `weights`
 * (nullable string: `trained`, `random` or `file`), `parameter-count` (int64), `status` (DynoStatus),
 * `reason` (string) and `label` (string, read-only). The result owns its findings, in four growing arrays
 * (DynoValue, DynoTrace, DynoOperator, DynoDiagnostic).
 *
 * A case is measured in one or more processes, its invocations. It has the traces of all of them; its values
 * are computed from those of the invocations (dyno_result_add_invocation()), which are kept as well. An
 * older result has no invocations and counts as one.
 */
G_DECLARE_FINAL_TYPE (DynoResult, dyno_result, DYNO, RESULT, GObject)

/* Returns a pending result. */
DynoResult *dyno_result_new (DynoCase *kase, guint ordinal);
/* Returns the result. Fails with DYNO_ERROR_INVALID_DATA naming the missing member. */
DynoResult *dyno_result_new_from_json (JsonObject *object, GError **error);
JsonNode *dyno_result_to_json (DynoResult *self, gboolean with_traces);

DynoCase *dyno_result_get_case (DynoResult *self);
guint dyno_result_get_ordinal (DynoResult *self);
const char *dyno_result_get_model_name (DynoResult *self);
const char *dyno_result_get_architecture (DynoResult *self);
const char *dyno_result_get_device (DynoResult *self);
/* Returns the word for the kind of the device, see dyno_device_kind_to_string(); NULL if unknown. */
const char *dyno_result_get_device_kind (DynoResult *self);
/* Returns whether its device was emulated, so that its times are not those of such a device. */
gboolean dyno_result_is_emulated (DynoResult *self);
/* Returns the origin of the model's weights, see dyno_model_get_weights_origin(); NULL if unknown. */
const char *dyno_result_get_weights (DynoResult *self);
/* Returns the name and the kind of the device that really ran, for people; NULL if nothing ran. */
char *dyno_result_dup_device_label (DynoResult *self);
gint64 dyno_result_get_parameter_count (DynoResult *self);
DynoStatus dyno_result_get_status (DynoResult *self);
const char *dyno_result_get_reason (DynoResult *self);
/* Judges the result by its status and its diagnostics: a measurement that may be wrong is doubtful,
 * and one whose latency never became steady is unsteady. A diagnostic also marks a measurement of another tool.
 * Returns the state of the case. */
DynoCaseState dyno_result_get_state (DynoResult *self);
/* Returns why its numbers deserve doubt, a sentence each; empty unless its state is doubtful or unsteady. */
GStrv dyno_result_dup_doubts (DynoResult *self);
/* Returns what may have widened its interval, a sentence each. */
GStrv dyno_result_dup_disturbances (DynoResult *self);
/* @reason (nullable): why, as a sentence, for a case that is not measured. */
void dyno_result_set_status (DynoResult *self, DynoStatus status, const char *reason);

GPtrArray *dyno_result_get_values (DynoResult *self);
GPtrArray *dyno_result_get_traces (DynoResult *self);
GPtrArray *dyno_result_get_operators (DynoResult *self);
/* Returns whether the engine named the kernel of any operator. */
gboolean dyno_result_has_kernels (DynoResult *self);
GPtrArray *dyno_result_get_diagnostics (DynoResult *self);
/* Returns the diagnostics that are records, in their order, or else the others, the gravest first. Elements are DynoDiagnostic. */
GPtrArray *dyno_result_list_diagnostics (DynoResult *self, gboolean are_records);
/* Returns the message of the first diagnostic with that code; NULL if there is none. */
const char *dyno_result_find_message (DynoResult *self, const char *code);
/* Returns the dyno_case_dup_precision_label() of its case, with a note about 7-bit weights, because cases
 * that differ in that are not the same. */
char *dyno_result_dup_precision_label (DynoResult *self);

/* Returns its invocations by their numbers, including failed ones; empty for a case that was not measured, or
 * long ago. Elements are DynoInvocation. */
GPtrArray *dyno_result_get_invocations (DynoResult *self);
/* Returns the number of processes that its numbers come from. */
guint dyno_result_get_n_invocations (DynoResult *self);
/* Returns the number of that name from each invocation that has one, in the order they ran. */
double *dyno_result_dup_invocation_numbers (DynoResult *self, const char *name, guint *n);
/* Takes @invocation. */
void dyno_result_take_invocation (DynoResult *self, DynoInvocation *invocation);

/* Returns the value, which may be unsupported; NULL if there is none. */
DynoValue *dyno_result_get_value (DynoResult *self, const char *name);
/* Returns its number; NaN if there is none. */
double dyno_result_get_number (DynoResult *self, const char *name);
/* Returns the items per second of a step that takes the median time, which slow steps do not lower; NAN if the case has no such
 * steps. */
double dyno_result_get_rate_at_median (DynoResult *self);
/* Returns the trace of the first invocation that has it; NULL if there is none. */
DynoTrace *dyno_result_get_trace (DynoResult *self, const char *name);
/* Returns the trace of that invocation; NULL if there is none. @invocation: which invocation, from 0. */
DynoTrace *dyno_result_get_invocation_trace (DynoResult *self, const char *name, guint invocation);

void dyno_result_take_value (DynoResult *self, DynoValue *value);
void dyno_result_take_trace (DynoResult *self, DynoTrace *trace);
void dyno_result_take_operator (DynoResult *self, DynoOperator *op);
void dyno_result_take_diagnostic (DynoResult *self, DynoDiagnostic *diagnostic);
/* Takes over the model's facts, all findings, and last the status of @other. */
void dyno_result_absorb (DynoResult *self, DynoResult *other);
/* As dyno_result_absorb(), but first clears @self, and notifies of the status even if it stays. */
void dyno_result_become (DynoResult *self, DynoResult *other);
void dyno_result_add_measured (
    DynoResult *self, const char *name, double number, const char *unit, const char *source);

/* dyno-known-activations */

/* The activations of a model are looked at once, in one of the cases that differ in the batch size alone. Returns the results
 * in which they were, by a key of their cases. @results: a list of DynoResult. */
GHashTable *dyno_known_activations_new (GListModel *results);
/* Adds the result if its activations were looked at, unless another batch size of the case is known. */
void dyno_known_activations_add (GHashTable *self, DynoResult *result);
/* Returns the known result that differs from this one in the batch size alone, which the table owns; NULL if there is none. */
DynoResult *dyno_known_activations_find (GHashTable *self, DynoResult *result);
/* Adds to an analysis what is known of the activations, if anything is wrong with them, and with which batch size. */
void dyno_known_activations_copy (DynoResult *known, DynoResult *analysis);

G_END_DECLS
