/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-device.h"
#include "dyno-enum.h"
#include "dyno-error.h"
#include "dyno-origin.h"
#include "dyno-precision.h"
#include "dyno-result.h"
#include "dyno-run-json.h"

struct _DynoResult
{
  GObject parent_instance;

  DynoCase *kase;
  guint ordinal;
  char *texts[6];
  gint64 parameter_count;
  DynoStatus status;

  GPtrArray *values;
  GPtrArray *traces;
  GPtrArray *operators;
  GPtrArray *diagnostics;
  GPtrArray *invocations;
};

enum
{
  PROP_0,
  PROP_CASE,
  PROP_ORDINAL,
  PROP_MODEL_NAME,
  PROP_ARCHITECTURE,
  PROP_DEVICE,
  PROP_DEVICE_KIND,
  PROP_WEIGHTS,
  PROP_REASON,
  PROP_PARAMETER_COUNT,
  PROP_STATUS,
  PROP_LABEL,
  N_PROPS
};

G_DEFINE_ENUM_TYPE (DynoStatus,
                    dyno_status,
                    G_DEFINE_ENUM_VALUE (DYNO_STATUS_PENDING, "pending"),
                    G_DEFINE_ENUM_VALUE (DYNO_STATUS_RUNNING, "running"),
                    G_DEFINE_ENUM_VALUE (DYNO_STATUS_OK, "ok"),
                    G_DEFINE_ENUM_VALUE (DYNO_STATUS_FAILED, "failed"),
                    G_DEFINE_ENUM_VALUE (DYNO_STATUS_SKIPPED, "skipped"),
                    G_DEFINE_ENUM_VALUE (DYNO_STATUS_CANCELLED, "cancelled"))

G_DEFINE_FINAL_TYPE (DynoResult, dyno_result, G_TYPE_OBJECT)

static GParamSpec *properties[N_PROPS];

static void
dyno_result_finalize (GObject *object)
{
  DynoResult *self = DYNO_RESULT (object);

  for (guint i = 0; i < G_N_ELEMENTS (self->texts); i++)
    g_free (self->texts[i]);
  g_clear_object (&self->kase);
  g_clear_pointer (&self->values, g_ptr_array_unref);
  g_clear_pointer (&self->traces, g_ptr_array_unref);
  g_clear_pointer (&self->operators, g_ptr_array_unref);
  g_clear_pointer (&self->diagnostics, g_ptr_array_unref);
  g_clear_pointer (&self->invocations, g_ptr_array_unref);

  G_OBJECT_CLASS (dyno_result_parent_class)->finalize (object);
}

static void
dyno_result_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  DynoResult *self = DYNO_RESULT (object);

  if (prop_id == PROP_CASE)
    g_value_set_object (value, self->kase);
  else if (prop_id == PROP_ORDINAL)
    g_value_set_uint (value, self->ordinal);
  else if (prop_id >= PROP_MODEL_NAME && prop_id <= PROP_REASON)
    g_value_set_string (value, self->texts[prop_id - PROP_MODEL_NAME]);
  else if (prop_id == PROP_PARAMETER_COUNT)
    g_value_set_int64 (value, self->parameter_count);
  else if (prop_id == PROP_STATUS)
    g_value_set_enum (value, self->status);
  else if (prop_id == PROP_LABEL)
    g_value_take_string (value, dyno_case_dup_label (self->kase));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
}

static void
set_text (DynoResult *self, guint prop_id, const char *text)
{
  char **field = &self->texts[prop_id - PROP_MODEL_NAME];

  if (g_strcmp0 (*field, text) == 0)
    return;
  g_free (*field);
  *field = g_strdup (text);
  g_object_notify_by_pspec (G_OBJECT (self), properties[prop_id]);
}

static void
set_status (DynoResult *self, DynoStatus status)
{
  if (self->status == status)
    return;
  self->status = status;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_STATUS]);
}

static void
dyno_result_set_property (GObject *object, guint prop_id, const GValue *value, GParamSpec *pspec)
{
  DynoResult *self = DYNO_RESULT (object);

  if (prop_id == PROP_CASE)
    self->kase = g_value_dup_object (value);
  else if (prop_id == PROP_ORDINAL && self->ordinal != g_value_get_uint (value))
    {
      self->ordinal = g_value_get_uint (value);
      g_object_notify_by_pspec (object, pspec);
    }
  else if (prop_id >= PROP_MODEL_NAME && prop_id <= PROP_REASON)
    set_text (self, prop_id, g_value_get_string (value));
  else if (prop_id == PROP_STATUS)
    set_status (self, g_value_get_enum (value));
  else if (prop_id == PROP_PARAMETER_COUNT && self->parameter_count != g_value_get_int64 (value))
    {
      self->parameter_count = g_value_get_int64 (value);
      g_object_notify_by_pspec (object, pspec);
    }
  else if (prop_id != PROP_PARAMETER_COUNT && prop_id != PROP_ORDINAL)
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
}

static void
dyno_result_class_init (DynoResultClass *klass)
{
  static const char *const text_names[] = { "model-name",  "architecture", "device",
                                            "device-kind", "weights",      "reason" };
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GParamFlags once = G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS;
  GParamFlags flags = G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;
  GParamFlags readable = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;

  object_class->finalize = dyno_result_finalize;
  object_class->get_property = dyno_result_get_property;
  object_class->set_property = dyno_result_set_property;

  properties[PROP_CASE] = g_param_spec_object ("case", NULL, NULL, DYNO_TYPE_CASE, once);
  properties[PROP_ORDINAL] = g_param_spec_uint ("ordinal", NULL, NULL, 0, G_MAXUINT, 0, flags);
  for (guint i = 0; i < G_N_ELEMENTS (text_names); i++)
    properties[PROP_MODEL_NAME + i] = g_param_spec_string (text_names[i], NULL, NULL, NULL, flags);
  properties[PROP_PARAMETER_COUNT] =
      g_param_spec_int64 ("parameter-count", NULL, NULL, 0, G_MAXINT64, 0, flags);
  properties[PROP_STATUS] =
      g_param_spec_enum ("status", NULL, NULL, DYNO_TYPE_STATUS, DYNO_STATUS_PENDING, flags);
  properties[PROP_LABEL] = g_param_spec_string ("label", NULL, NULL, NULL, readable);
  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
dyno_result_init (DynoResult *self)
{
  self->values = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_value_unref);
  self->traces = g_ptr_array_new_with_free_func (g_object_unref);
  self->operators = g_ptr_array_new_with_free_func (g_object_unref);
  self->diagnostics = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_diagnostic_unref);
  self->invocations = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_invocation_unref);
}

const char *
dyno_status_to_string (DynoStatus status)
{
  return dyno_enum_to_word (DYNO_TYPE_STATUS, status);
}

gboolean
dyno_status_from_string (const char *string, DynoStatus *status)
{
  return dyno_enum_from_word (DYNO_TYPE_STATUS, string, status);
}

DynoResult *
dyno_result_new (DynoCase *kase, guint ordinal)
{
  g_return_val_if_fail (DYNO_IS_CASE (kase), NULL);
  return g_object_new (DYNO_TYPE_RESULT, "case", kase, "ordinal", ordinal, NULL);
}

DynoCase *
dyno_result_get_case (DynoResult *self)
{
  g_return_val_if_fail (DYNO_IS_RESULT (self), NULL);
  return self->kase;
}

guint
dyno_result_get_ordinal (DynoResult *self)
{
  g_return_val_if_fail (DYNO_IS_RESULT (self), 0);
  return self->ordinal;
}

static const char *
get_text (DynoResult *self, guint prop_id)
{
  g_return_val_if_fail (DYNO_IS_RESULT (self), NULL);
  return self->texts[prop_id - PROP_MODEL_NAME];
}

const char *
dyno_result_get_model_name (DynoResult *self)
{
  return get_text (self, PROP_MODEL_NAME);
}

const char *
dyno_result_get_architecture (DynoResult *self)
{
  return get_text (self, PROP_ARCHITECTURE);
}

const char *
dyno_result_get_device (DynoResult *self)
{
  return get_text (self, PROP_DEVICE);
}

const char *
dyno_result_get_device_kind (DynoResult *self)
{
  return get_text (self, PROP_DEVICE_KIND);
}

gboolean
dyno_result_is_emulated (DynoResult *self)
{
  return g_strcmp0 (dyno_result_get_device_kind (self),
                    dyno_device_kind_to_string (DYNO_DEVICE_KIND_EMULATED)) == 0;
}

const char *
dyno_result_get_weights (DynoResult *self)
{
  return get_text (self, PROP_WEIGHTS);
}

char *
dyno_result_dup_device_label (DynoResult *self)
{
  const char *device = get_text (self, PROP_DEVICE);
  DynoDeviceKind kind = DYNO_DEVICE_KIND_UNKNOWN;

  if (device != NULL && dyno_device_kind_from_string (get_text (self, PROP_DEVICE_KIND), &kind) &&
      dyno_device_kind_get_label (kind) != NULL)
    return g_strdup_printf ("%s · %s", device, dyno_device_kind_get_label (kind));
  return g_strdup (device);
}

const char *
dyno_result_get_reason (DynoResult *self)
{
  return get_text (self, PROP_REASON);
}

gint64
dyno_result_get_parameter_count (DynoResult *self)
{
  g_return_val_if_fail (DYNO_IS_RESULT (self), 0);
  return self->parameter_count;
}

DynoStatus
dyno_result_get_status (DynoResult *self)
{
  g_return_val_if_fail (DYNO_IS_RESULT (self), DYNO_STATUS_FAILED);
  return self->status;
}

static DynoCaseState
judge_measured (DynoResult *self)
{
  DynoCaseState state = DYNO_CASE_STATE_MEASURED;

  for (guint i = 0; i < self->diagnostics->len; i++)
    {
      DynoDiagnostic *diagnostic = g_ptr_array_index (self->diagnostics, i);

      if (g_str_equal (dyno_diagnostic_get_code (diagnostic), "no-steady-state"))
        return DYNO_CASE_STATE_UNSTEADY;
      if (dyno_diagnostic_is_doubt (diagnostic))
        state = DYNO_CASE_STATE_DOUBTFUL;
      else if (state == DYNO_CASE_STATE_MEASURED &&
               g_str_equal (dyno_diagnostic_get_code (diagnostic), DYNO_ORIGIN_CODE))
        state = DYNO_CASE_STATE_IMPORTED;
    }
  return state;
}

DynoCaseState
dyno_result_get_state (DynoResult *self)
{
  g_return_val_if_fail (DYNO_IS_RESULT (self), DYNO_CASE_STATE_FAILED);

  switch (self->status)
    {
    case DYNO_STATUS_PENDING:
      return DYNO_CASE_STATE_WAITING;
    case DYNO_STATUS_RUNNING:
      return DYNO_CASE_STATE_RUNNING;
    case DYNO_STATUS_OK:
      return judge_measured (self);
    case DYNO_STATUS_SKIPPED:
      return DYNO_CASE_STATE_SKIPPED;
    case DYNO_STATUS_CANCELLED:
      return DYNO_CASE_STATE_NOT_RUN;
    case DYNO_STATUS_FAILED:
    default:
      return DYNO_CASE_STATE_FAILED;
    }
}

static GStrv
list_messages (DynoResult *self, gboolean (*is_wanted) (DynoDiagnostic *diagnostic))
{
  g_autoptr (GStrvBuilder) messages = g_strv_builder_new ();

  for (guint i = 0; self->status == DYNO_STATUS_OK && i < self->diagnostics->len; i++)
    {
      DynoDiagnostic *diagnostic = g_ptr_array_index (self->diagnostics, i);

      if (is_wanted (diagnostic))
        g_strv_builder_add (messages, dyno_diagnostic_get_message (diagnostic));
    }
  return g_strv_builder_end (messages);
}

GStrv
dyno_result_dup_doubts (DynoResult *self)
{
  g_return_val_if_fail (DYNO_IS_RESULT (self), NULL);
  return list_messages (self, dyno_diagnostic_is_doubt);
}

GStrv
dyno_result_dup_disturbances (DynoResult *self)
{
  g_return_val_if_fail (DYNO_IS_RESULT (self), NULL);
  return list_messages (self, dyno_diagnostic_is_noise);
}

void
dyno_result_set_status (DynoResult *self, DynoStatus status, const char *reason)
{
  g_return_if_fail (DYNO_IS_RESULT (self));

  set_text (self, PROP_REASON, reason);
  set_status (self, status);
}

GPtrArray *
dyno_result_get_values (DynoResult *self)
{
  g_return_val_if_fail (DYNO_IS_RESULT (self), NULL);
  return self->values;
}

GPtrArray *
dyno_result_get_traces (DynoResult *self)
{
  g_return_val_if_fail (DYNO_IS_RESULT (self), NULL);
  return self->traces;
}

GPtrArray *
dyno_result_get_operators (DynoResult *self)
{
  g_return_val_if_fail (DYNO_IS_RESULT (self), NULL);
  return self->operators;
}

gboolean
dyno_result_has_kernels (DynoResult *self)
{
  g_return_val_if_fail (DYNO_IS_RESULT (self), FALSE);

  for (guint i = 0; i < self->operators->len; i++)
    if (dyno_operator_get_kernel (self->operators->pdata[i]) != NULL)
      return TRUE;
  return FALSE;
}

GPtrArray *
dyno_result_get_diagnostics (DynoResult *self)
{
  g_return_val_if_fail (DYNO_IS_RESULT (self), NULL);
  return self->diagnostics;
}

GPtrArray *
dyno_result_list_diagnostics (DynoResult *self, gboolean are_records)
{
  GPtrArray *list = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_diagnostic_unref);

  g_return_val_if_fail (DYNO_IS_RESULT (self), list);

  for (int severity = DYNO_SEVERITY_ERROR; severity >= DYNO_SEVERITY_INFO; severity--)
    for (guint i = 0; i < self->diagnostics->len; i++)
      {
        DynoDiagnostic *diagnostic = self->diagnostics->pdata[i];

        if ((int)dyno_diagnostic_get_shown_severity (diagnostic) == severity &&
            dyno_diagnostic_is_record (diagnostic) == are_records)
          g_ptr_array_add (list, dyno_diagnostic_ref (diagnostic));
      }
  return list;
}

const char *
dyno_result_find_message (DynoResult *self, const char *code)
{
  DynoDiagnostic *found;

  g_return_val_if_fail (DYNO_IS_RESULT (self), NULL);

  found = dyno_diagnostic_find (self->diagnostics, code);
  return found != NULL ? dyno_diagnostic_get_message (found) : NULL;
}

char *
dyno_result_dup_precision_label (DynoResult *self)
{
  g_autofree char *label = NULL;

  g_return_val_if_fail (DYNO_IS_RESULT (self), NULL);

  label = dyno_case_dup_precision_label (self->kase);
  if (dyno_result_find_message (self, DYNO_PRECISION_REDUCED) == NULL)
    return g_steal_pointer (&label);
  /* Translators: a precision of a model, such as “int8-dynamic” */
  return g_strdup_printf (_ ("%s with 7-bit weights"), label);
}

GPtrArray *
dyno_result_get_invocations (DynoResult *self)
{
  g_return_val_if_fail (DYNO_IS_RESULT (self), NULL);
  return self->invocations;
}

guint
dyno_result_get_n_invocations (DynoResult *self)
{
  guint n = 0;

  g_return_val_if_fail (DYNO_IS_RESULT (self), 0);

  for (guint i = 0; i < self->invocations->len; i++)
    n += ((DynoInvocation *)self->invocations->pdata[i])->failure == NULL;
  return self->invocations->len == 0 && self->status == DYNO_STATUS_OK ? 1 : n;
}

double *
dyno_result_dup_invocation_numbers (DynoResult *self, const char *name, guint *n)
{
  GArray *numbers = g_array_new (FALSE, FALSE, sizeof (double));
  double number = dyno_result_get_number (self, name);

  for (guint i = 0; i < self->invocations->len; i++)
    {
      double of_invocation = dyno_invocation_get_number (self->invocations->pdata[i], name);

      if (isfinite (of_invocation))
        g_array_append_val (numbers, of_invocation);
    }
  if (self->invocations->len == 0 && isfinite (number))
    g_array_append_val (numbers, number);
  *n = numbers->len;
  return (double *)(void *)g_array_free (numbers, FALSE);
}

void
dyno_result_take_invocation (DynoResult *self, DynoInvocation *invocation)
{
  g_return_if_fail (DYNO_IS_RESULT (self));
  g_ptr_array_add (self->invocations, invocation);
}

DynoValue *
dyno_result_get_value (DynoResult *self, const char *name)
{
  guint hash = g_str_hash (name);

  g_return_val_if_fail (DYNO_IS_RESULT (self), NULL);

  for (guint i = 0; i < self->values->len; i++)
    if (dyno_value_has_name (self->values->pdata[i], name, hash))
      return self->values->pdata[i];
  return NULL;
}

double
dyno_result_get_number (DynoResult *self, const char *name)
{
  DynoValue *value = dyno_result_get_value (self, name);

  return value != NULL ? dyno_value_get_number (value) : NAN;
}

double
dyno_result_get_rate_at_median (DynoResult *self)
{
  DynoCase *kase = self->kase;
  double batch_size = MAX (dyno_case_get_batch_size (kase), 1);
  double n_items = dyno_result_get_number (self, "throughput_items_per_sec") *
                   dyno_result_get_number (self, "latency_mean_ms") / 1e3;
  gboolean is_step =
      dyno_case_get_generate_tokens (kase) == 0 && g_str_equal (dyno_case_get_load (kase), "single");

  if (!is_step || dyno_result_find_message (self, DYNO_ORIGIN_CODE) != NULL)
    return NAN;
  /* A step may be several requests, and the time between steps counts in the sustained rate. */
  n_items = batch_size * fmax (round (n_items / batch_size), 1);
  return 1e3 * n_items / dyno_result_get_number (self, "latency_p50_ms");
}

DynoTrace *
dyno_result_get_trace (DynoResult *self, const char *name)
{
  g_return_val_if_fail (DYNO_IS_RESULT (self), NULL);

  for (guint i = 0; i < self->traces->len; i++)
    if (g_str_equal (dyno_trace_get_name (self->traces->pdata[i]), name))
      return self->traces->pdata[i];
  return NULL;
}

DynoTrace *
dyno_result_get_invocation_trace (DynoResult *self, const char *name, guint invocation)
{
  g_return_val_if_fail (DYNO_IS_RESULT (self), NULL);

  for (guint i = 0; i < self->traces->len; i++)
    if (dyno_trace_get_invocation (self->traces->pdata[i]) == invocation &&
        g_str_equal (dyno_trace_get_name (self->traces->pdata[i]), name))
      return self->traces->pdata[i];
  return NULL;
}

void
dyno_result_take_value (DynoResult *self, DynoValue *value)
{
  g_return_if_fail (DYNO_IS_RESULT (self));
  g_ptr_array_add (self->values, value);
}

void
dyno_result_take_trace (DynoResult *self, DynoTrace *trace)
{
  g_return_if_fail (DYNO_IS_RESULT (self));
  g_ptr_array_add (self->traces, trace);
}

void
dyno_result_take_operator (DynoResult *self, DynoOperator *op)
{
  g_return_if_fail (DYNO_IS_RESULT (self));
  g_ptr_array_add (self->operators, op);
}

void
dyno_result_take_diagnostic (DynoResult *self, DynoDiagnostic *diagnostic)
{
  g_return_if_fail (DYNO_IS_RESULT (self));
  g_ptr_array_add (self->diagnostics, diagnostic);
}

void
dyno_result_add_measured (
    DynoResult *self, const char *name, double number, const char *unit, const char *source)
{
  dyno_result_take_value (self, dyno_value_new (name, number, unit, DYNO_QUALITY_MEASURED, source));
}

static gpointer
copy_value (gconstpointer value, gpointer data)
{
  return dyno_value_ref ((gpointer)value);
}

static gpointer
copy_diagnostic (gconstpointer diagnostic, gpointer data)
{
  return dyno_diagnostic_ref ((gpointer)diagnostic);
}

static gpointer
copy_object (gconstpointer object, gpointer data)
{
  return g_object_ref ((gpointer)object);
}

static gpointer
copy_invocation (gconstpointer invocation, gpointer data)
{
  return dyno_invocation_ref ((gpointer)invocation);
}

void
dyno_result_absorb (DynoResult *self, DynoResult *other)
{
  g_return_if_fail (DYNO_IS_RESULT (self));
  g_return_if_fail (DYNO_IS_RESULT (other));

  g_object_set (self, "model-name", dyno_result_get_model_name (other), "architecture",
                dyno_result_get_architecture (other), "device", dyno_result_get_device (other), "device-kind",
                get_text (other, PROP_DEVICE_KIND), "weights", get_text (other, PROP_WEIGHTS),
                "parameter-count", other->parameter_count, NULL);

  g_ptr_array_extend (self->values, other->values, copy_value, NULL);
  g_ptr_array_extend (self->traces, other->traces, copy_object, NULL);
  g_ptr_array_extend (self->operators, other->operators, copy_object, NULL);
  g_ptr_array_extend (self->diagnostics, other->diagnostics, copy_diagnostic, NULL);
  g_ptr_array_extend (self->invocations, other->invocations, copy_invocation, NULL);
  dyno_result_set_status (self, other->status, dyno_result_get_reason (other));
}

void
dyno_result_become (DynoResult *self, DynoResult *other)
{
  DynoStatus before;

  g_return_if_fail (DYNO_IS_RESULT (self));
  g_return_if_fail (DYNO_IS_RESULT (other));

  before = self->status;
  g_ptr_array_set_size (self->values, 0);
  g_ptr_array_set_size (self->traces, 0);
  g_ptr_array_set_size (self->operators, 0);
  g_ptr_array_set_size (self->diagnostics, 0);
  g_ptr_array_set_size (self->invocations, 0);
  dyno_result_absorb (self, other);
  if (self->status == before)
    g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_STATUS]);
}
