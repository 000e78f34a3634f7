/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "dyno-case-state.h"
#include "dyno-case.h"
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
 * A case and what came of it. Properties: `case` ([class@Dyno.Case], construct), `ordinal` (uint, its place in the plan as
 * listed), `model-name`, `architecture`, `device` (strings: what really ran), `device-kind` (nullable string: the word of a
 * [enum@Dyno.DeviceKind], %NULL where nobody told), `weights` (nullable string: `trained`, `random` or `file`),
 * `parameter-count` (int64), `status` ([enum@Dyno.Status]), `reason` (string) and `label` (string, read-only). What was
 * found, in four arrays that grow ([class@Dyno.Value], [class@Dyno.Trace], [class@Dyno.Operator], [class@Dyno.Diagnostic]),
 * is owned by the result.
 *
 * A case is measured in one or more processes, its invocations. Traces are those of all of them; the values are made
 * from those of the invocations ([func@Dyno.result_add_invocation]), which are kept beside them. A result of earlier
 * times has no invocations, and stands for one.
 */
G_DECLARE_FINAL_TYPE (DynoResult, dyno_result, DYNO, RESULT, GObject)

DynoResult *dyno_result_new (DynoCase *kase, guint ordinal);
DynoResult *dyno_result_new_from_json (JsonObject *object, GError **error);
JsonNode *dyno_result_to_json (DynoResult *self, gboolean with_traces);

DynoCase *dyno_result_get_case (DynoResult *self);
guint dyno_result_get_ordinal (DynoResult *self);
const char *dyno_result_get_model_name (DynoResult *self);
const char *dyno_result_get_architecture (DynoResult *self);
const char *dyno_result_get_device (DynoResult *self);
const char *dyno_result_get_device_kind (DynoResult *self);
const char *dyno_result_get_weights (DynoResult *self);
char *dyno_result_dup_device_label (DynoResult *self);
gint64 dyno_result_get_parameter_count (DynoResult *self);
DynoStatus dyno_result_get_status (DynoResult *self);
const char *dyno_result_get_reason (DynoResult *self);
DynoCaseState dyno_result_get_state (DynoResult *self);
GStrv dyno_result_dup_doubts (DynoResult *self);
void dyno_result_set_status (DynoResult *self, DynoStatus status, const char *reason);

GPtrArray *dyno_result_get_values (DynoResult *self);
GPtrArray *dyno_result_get_traces (DynoResult *self);
GPtrArray *dyno_result_get_operators (DynoResult *self);
GPtrArray *dyno_result_get_diagnostics (DynoResult *self);
const char *dyno_result_find_message (DynoResult *self, const char *code);
char *dyno_result_dup_precision_label (DynoResult *self);

GPtrArray *dyno_result_get_invocations (DynoResult *self);
guint dyno_result_get_n_invocations (DynoResult *self);
double *dyno_result_dup_invocation_numbers (DynoResult *self, const char *name, guint *n);
void dyno_result_take_invocation (DynoResult *self, DynoInvocation *invocation);

DynoValue *dyno_result_get_value (DynoResult *self, const char *name);
double dyno_result_get_number (DynoResult *self, const char *name);
DynoTrace *dyno_result_get_trace (DynoResult *self, const char *name);
DynoTrace *dyno_result_get_invocation_trace (DynoResult *self, const char *name, guint invocation);

void dyno_result_take_value (DynoResult *self, DynoValue *value);
void dyno_result_take_trace (DynoResult *self, DynoTrace *trace);
void dyno_result_take_operator (DynoResult *self, DynoOperator *op);
void dyno_result_take_diagnostic (DynoResult *self, DynoDiagnostic *diagnostic);
void dyno_result_absorb (DynoResult *self, DynoResult *other);
void dyno_result_become (DynoResult *self, DynoResult *other);
void dyno_result_add_measured (
    DynoResult *self, const char *name, double number, const char *unit, const char *source);

G_END_DECLS
