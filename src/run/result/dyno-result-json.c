/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-error.h"
#include "dyno-grade.h"
#include "dyno-json.h"
#include "dyno-latency-interval.h"
#include "dyno-result.h"

static void
add_optional_string (JsonBuilder *builder, const char *name, const char *text)
{
  if (text == NULL)
    return;
  json_builder_set_member_name (builder, name);
  json_builder_add_string_value (builder, text);
}

static void
add_int (JsonBuilder *builder, const char *name, gint64 number)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_int_value (builder, number);
}

static void
build_value (JsonBuilder *builder, gpointer item)
{
  DynoValue *value = item;

  add_optional_string (builder, "name", dyno_value_get_name (value));
  if (dyno_value_is_number (value))
    {
      json_builder_set_member_name (builder, "value");
      json_builder_add_double_value (builder, dyno_value_get_number (value));
    }
  add_optional_string (builder, "unit", dyno_value_get_unit (value));
  add_optional_string (builder, "quality", dyno_quality_to_string (dyno_value_get_quality (value)));
  add_optional_string (builder, "source", dyno_value_get_source (value));
}

static void
build_trace (JsonBuilder *builder, gpointer item)
{
  DynoTrace *trace = item;
  const gint64 *times = dyno_trace_get_times (trace);
  const double *values = dyno_trace_get_values (trace);

  add_optional_string (builder, "name", dyno_trace_get_name (trace));
  add_optional_string (builder, "unit", dyno_trace_get_unit (trace));
  add_int (builder, "invocation", dyno_trace_get_invocation (trace));
  add_int (builder, "origin_ns", dyno_trace_get_origin (trace));
  json_builder_set_member_name (builder, "times_ns");
  json_builder_begin_array (builder);
  for (gsize i = 0; i < dyno_trace_get_length (trace); i++)
    json_builder_add_int_value (builder, times[i]);
  json_builder_end_array (builder);
  json_builder_set_member_name (builder, "values");
  json_builder_begin_array (builder);
  for (gsize i = 0; i < dyno_trace_get_length (trace); i++)
    json_builder_add_double_value (builder, values[i]);
  json_builder_end_array (builder);
}

static void
build_list (JsonBuilder *builder, const char *name, GPtrArray *items, void (*build) (JsonBuilder *, gpointer))
{
  json_builder_set_member_name (builder, name);
  json_builder_begin_array (builder);
  for (guint i = 0; i < items->len; i++)
    {
      gpointer item = g_ptr_array_index (items, i);

      json_builder_begin_object (builder);
      build (builder, item);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

static void
build_invocation (JsonBuilder *builder, gpointer item)
{
  const DynoInvocation *invocation = item;

  add_int (builder, "number", invocation->number);
  add_optional_string (builder, "failure", invocation->failure);
  build_list (builder, "values", invocation->values, build_value);
}

static void
build_operator (JsonBuilder *builder, gpointer item)
{
  DynoOperator *op = item;

  add_optional_string (builder, "name", dyno_operator_get_name (op));
  add_optional_string (builder, "type", dyno_operator_get_op_type (op));
  add_optional_string (builder, "provider", dyno_operator_get_provider (op));
  add_optional_string (builder, "kernel", dyno_operator_get_kernel (op));
  add_int (builder, "calls", dyno_operator_get_calls (op));
  add_int (builder, "time_ns", dyno_operator_get_time_ns (op));
  add_int (builder, "flops", dyno_operator_get_flops (op));
  add_int (builder, "bytes", dyno_operator_get_bytes (op));
}

static void
build_diagnostic (JsonBuilder *builder, gpointer item)
{
  DynoDiagnostic *diagnostic = item;

  add_optional_string (builder, "severity",
                       dyno_severity_to_string (dyno_diagnostic_get_severity (diagnostic)));
  add_optional_string (builder, "code", dyno_diagnostic_get_code (diagnostic));
  add_optional_string (builder, "message", dyno_diagnostic_get_message (diagnostic));
}

/**
 * dyno_result_to_json:
 * @self: a result
 * @with_traces: whether to write every sample; otherwise traces are left out
 *
 * `device` is the name of the device that ran and `device_kind`, if known, its kind: `cpu`, `integrated-gpu`,
 * `discrete-gpu`, `npu` or `software`. `weights` are `trained`, `random`, or those of a `file`. `interval` is
 * the meaning of the ends of the median latency: `between-processes`, `range` or `within-process`.
 *
 * Returns: (transfer full): an object node; a value without a number has no `value` member
 */
JsonNode *
dyno_result_to_json (DynoResult *self, gboolean with_traces)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  g_return_val_if_fail (DYNO_IS_RESULT (self), NULL);

  json_builder_begin_object (builder);
  add_int (builder, "ordinal", dyno_result_get_ordinal (self));
  json_builder_set_member_name (builder, "case");
  json_builder_add_value (builder, dyno_case_to_json (dyno_result_get_case (self)));
  add_optional_string (builder, "model_name", dyno_result_get_model_name (self));
  add_optional_string (builder, "architecture", dyno_result_get_architecture (self));
  add_optional_string (builder, "device", dyno_result_get_device (self));
  add_optional_string (builder, "device_kind", dyno_result_get_device_kind (self));
  add_optional_string (builder, "weights", dyno_result_get_weights (self));
  add_int (builder, "parameter_count", dyno_result_get_parameter_count (self));
  add_optional_string (builder, "status", dyno_status_to_string (dyno_result_get_status (self)));
  add_optional_string (builder, "state", dyno_case_state_to_string (dyno_result_get_state (self)));
  add_optional_string (builder, "reason", dyno_result_get_reason (self));
  add_int (builder, "n_invocations", dyno_result_get_n_invocations (self));
  if (dyno_case_state_has_numbers (dyno_result_get_state (self)))
    add_optional_string (builder, "interval",
                         dyno_latency_interval_kind_to_string (dyno_latency_interval_get_kind (self)));
  if (dyno_result_get_grade (self) != DYNO_GRADE_NONE)
    add_optional_string (builder, "grade", dyno_grade_to_string (dyno_result_get_grade (self)));
  build_list (builder, "values", dyno_result_get_values (self), build_value);
  build_list (builder, "invocations", dyno_result_get_invocations (self), build_invocation);
  build_list (builder, "operators", dyno_result_get_operators (self), build_operator);
  build_list (builder, "diagnostics", dyno_result_get_diagnostics (self), build_diagnostic);
  if (with_traces)
    build_list (builder, "traces", dyno_result_get_traces (self), build_trace);
  json_builder_end_object (builder);
  return json_builder_get_root (builder);
}

static DynoValue *
create_value (JsonObject *object)
{
  const char *name = dyno_json_member_get_string (object, "name");
  const char *unit = dyno_json_member_get_string (object, "unit");
  const char *quality_text = dyno_json_member_get_string (object, "quality");
  DynoQuality quality;

  if (name == NULL || unit == NULL || quality_text == NULL ||
      !dyno_quality_from_string (quality_text, &quality))
    return NULL;
  return dyno_value_new (name, dyno_json_member_get_double (object, "value", NAN), unit, quality,
                         dyno_json_member_get_string (object, "source"));
}

static gboolean
read_value (DynoResult *self, JsonObject *object)
{
  DynoValue *value = create_value (object);

  if (value != NULL)
    dyno_result_take_value (self, value);
  return value != NULL;
}

static gboolean
read_invocation (DynoResult *self, JsonObject *object)
{
  GPtrArray *before = dyno_result_get_invocations (self);
  JsonArray *values = dyno_json_member_get_array (object, "values");
  gint64 number = dyno_json_member_get_int64 (object, "number", -1);
  DynoInvocation *invocation;

  if (number < 0 || number >= DYNO_METHOD_MAX_INVOCATIONS || values == NULL ||
      (before->len > 0 && number <= ((DynoInvocation *)before->pdata[before->len - 1])->number))
    return FALSE;
  invocation = dyno_invocation_new ((guint)number, dyno_json_member_get_string (object, "failure"));
  dyno_result_take_invocation (self, invocation);
  for (guint i = 0; i < json_array_get_length (values); i++)
    {
      JsonNode *node = json_array_get_element (values, i);
      DynoValue *value = JSON_NODE_HOLDS_OBJECT (node) ? create_value (json_node_get_object (node)) : NULL;

      if (value == NULL)
        return FALSE;
      g_ptr_array_add (invocation->values, value);
    }
  return TRUE;
}

static gboolean
read_trace (DynoResult *self, JsonObject *object)
{
  const char *name = dyno_json_member_get_string (object, "name");
  const char *unit = dyno_json_member_get_string (object, "unit");
  JsonArray *times = dyno_json_member_get_array (object, "times_ns");
  JsonArray *values = dyno_json_member_get_array (object, "values");
  DynoTrace *trace;

  if (name == NULL || unit == NULL || times == NULL || values == NULL ||
      json_array_get_length (times) != json_array_get_length (values))
    return FALSE;
  trace = dyno_trace_new (name, unit, dyno_json_member_get_int64 (object, "origin_ns", 0));
  dyno_trace_set_invocation (trace, (guint)CLAMP (dyno_json_member_get_int64 (object, "invocation", 0), 0,
                                                  DYNO_METHOD_MAX_INVOCATIONS - 1));
  dyno_trace_reserve (trace, json_array_get_length (times));
  for (guint i = 0; i < json_array_get_length (times); i++)
    dyno_trace_add (trace, dyno_json_node_get_int64 (json_array_get_element (times, i), 0),
                    dyno_json_node_get_double (json_array_get_element (values, i), NAN));
  dyno_result_take_trace (self, trace);
  return TRUE;
}

static gboolean
read_operator (DynoResult *self, JsonObject *object)
{
  const char *name = dyno_json_member_get_string (object, "name");
  const char *type = dyno_json_member_get_string (object, "type");
  DynoOperator *op;

  if (name == NULL || type == NULL)
    return FALSE;
  op = dyno_operator_new (name, type, dyno_json_member_get_string (object, "provider"));
  dyno_operator_set_kernel (op, dyno_json_member_get_string (object, "kernel"));
  dyno_operator_set_calls (op, MAX (dyno_json_member_get_int64 (object, "calls", 0), 0));
  dyno_operator_set_time_ns (op, MAX (dyno_json_member_get_int64 (object, "time_ns", -1), -1));
  dyno_operator_set_flops (op, MAX (dyno_json_member_get_int64 (object, "flops", -1), -1));
  dyno_operator_set_bytes (op, MAX (dyno_json_member_get_int64 (object, "bytes", -1), -1));
  dyno_result_take_operator (self, op);
  return TRUE;
}

static gboolean
read_diagnostic (DynoResult *self, JsonObject *object)
{
  const char *severity_text = dyno_json_member_get_string (object, "severity");
  const char *code = dyno_json_member_get_string (object, "code");
  const char *message = dyno_json_member_get_string (object, "message");
  DynoSeverity severity;

  if (severity_text == NULL || code == NULL || message == NULL ||
      !dyno_severity_from_string (severity_text, &severity))
    return FALSE;
  dyno_result_take_diagnostic (self, dyno_diagnostic_new (severity, code, message));
  return TRUE;
}

static gboolean
read_list (DynoResult *self,
           JsonObject *object,
           const char *name,
           gboolean (*read) (DynoResult *, JsonObject *),
           GError **error)
{
  JsonArray *array = dyno_json_member_get_array (object, name);

  for (guint i = 0; array != NULL && i < json_array_get_length (array); i++)
    {
      JsonNode *node = json_array_get_element (array, i);

      if (JSON_NODE_HOLDS_OBJECT (node) && read (self, json_node_get_object (node)))
        continue;
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA,
                   _ ("Entry %u of “%s” in the result is incomplete."), i + 1, name);
      return FALSE;
    }
  return TRUE;
}

static DynoResult *
read_head (JsonObject *object, GError **error)
{
  JsonNode *case_node = json_object_get_member (object, "case");
  const char *status_text = dyno_json_member_get_string (object, "status");
  g_autoptr (DynoCase) kase = NULL;
  DynoResult *self;
  DynoStatus status;

  if (case_node == NULL || !JSON_NODE_HOLDS_OBJECT (case_node) || status_text == NULL ||
      !dyno_status_from_string (status_text, &status))
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA,
                   _ ("The result lacks its case or its status."));
      return NULL;
    }
  kase = dyno_case_new_from_json (json_node_get_object (case_node), error);
  if (kase == NULL)
    return NULL;
  self = dyno_result_new (kase, CLAMP (dyno_json_member_get_int64 (object, "ordinal", 0), 0, G_MAXUINT));
  g_object_set (self, "model-name", dyno_json_member_get_string (object, "model_name"), "architecture",
                dyno_json_member_get_string (object, "architecture"), "device",
                dyno_json_member_get_string (object, "device"), "device-kind",
                dyno_json_member_get_string (object, "device_kind"), "weights",
                dyno_json_member_get_string (object, "weights"), "parameter-count",
                MAX (dyno_json_member_get_int64 (object, "parameter_count", 0), 0), NULL);
  dyno_result_set_status (self, status, dyno_json_member_get_string (object, "reason"));
  return self;
}

DynoResult *
dyno_result_new_from_json (JsonObject *object, GError **error)
{
  g_autoptr (DynoResult) self = read_head (object, error);

  if (self == NULL || !read_list (self, object, "values", read_value, error) ||
      !read_list (self, object, "invocations", read_invocation, error) ||
      !read_list (self, object, "traces", read_trace, error) ||
      !read_list (self, object, "operators", read_operator, error) ||
      !read_list (self, object, "diagnostics", read_diagnostic, error))
    return NULL;
  return g_steal_pointer (&self);
}
