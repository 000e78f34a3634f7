/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "dyno-chart-base-private.h"
#include "dyno-phase.h"

/* The largest plausible magnitude: no quantity of a benchmark is further from 1, and ratios and products of
 * such numbers stay finite. */
#define GREATEST 1e21
#define LEAST    1e-21
/* Thirty years, in ns. */
#define LONGEST_NS G_GINT64_CONSTANT (946080000000000000)
/* Keeps sums over all operators of a result within 64 bits. */
#define GREATEST_COUNT G_GINT64_CONSTANT (1000000000000000)

static gboolean
is_plausible (const char *name, double value)
{
  /* Only temperatures can be negative. */
  if (!(fabs (value) <= GREATEST) || (value < 0 && !g_str_has_prefix (name, "temperature")))
    return FALSE;
  /* Durations and rates are never 0. */
  return value == 0 ? (!g_str_has_prefix (name, "latency_p") && !g_str_has_prefix (name, "latency_m") &&
                       !g_str_has_prefix (name, "throughput_"))
                    : fabs (value) >= LEAST;
}

static gboolean
is_plausible_value (DynoValue *value)
{
  return !dyno_value_is_number (value) ||
         is_plausible (dyno_value_get_name (value), dyno_value_get_number (value));
}

/* The values that a trace may have; 0 may be apart from the others. */
typedef struct
{
  double lowest;
  double highest;
  gboolean has_zero;
} Limits;

static gboolean
is_plausible_point (const Limits *limits, gint64 time, double value, gint64 earliest)
{
  return time >= earliest && time <= LONGEST_NS &&
         ((value >= limits->lowest && value <= limits->highest && fabs (value) >= LEAST) ||
          (value == 0 && limits->has_zero));
}

DynoTrace *
dyno_chart_guard_trace (DynoTrace *trace)
{
  const gint64 *times = dyno_trace_get_times (trace);
  const double *values = dyno_trace_get_values (trace);
  gsize length = dyno_trace_get_length (trace);
  /* A trace may have a million points, but it has one name. */
  const char *name = dyno_trace_get_name (trace);
  Limits limits = { LEAST, GREATEST, is_plausible (name, 0) && !g_str_equal (name, "latency") };
  /* Points are only ever added, so those that were plausible before still are. */
  GQuark quark = g_quark_from_static_string ("dyno-chart-guarded");
  gsize n = GPOINTER_TO_SIZE (g_object_get_qdata (G_OBJECT (trace), quark));
  gint64 earliest = n > 0 ? times[n - 1] : 0;

  if (is_plausible (name, -1))
    limits.lowest = -GREATEST;
  if (g_str_equal (name, "phases"))
    limits.highest = DYNO_N_PHASES;

  for (; n < length && is_plausible_point (&limits, times[n], values[n], earliest); n++)
    earliest = times[n];
  if (n == length)
    {
      g_object_set_qdata (G_OBJECT (trace), quark, GSIZE_TO_POINTER (n));
      return g_object_ref (trace);
    }
  earliest = 0;
  DynoTrace *copy = dyno_trace_new (name, dyno_trace_get_unit (trace), dyno_trace_get_origin (trace));
  dyno_trace_set_invocation (copy, dyno_trace_get_invocation (trace));
  for (gsize i = 0; i < length; i++)
    if (is_plausible_point (&limits, times[i], values[i], earliest))
      {
        earliest = times[i];
        dyno_trace_add (copy, earliest, values[i]);
      }
  return copy;
}

DynoResult *
dyno_chart_guard_result (DynoResult *result)
{
  DynoResult *copy = dyno_result_new (dyno_result_get_case (result), dyno_result_get_ordinal (result));
  GPtrArray *values = dyno_result_get_values (result);
  GPtrArray *traces = dyno_result_get_traces (result);
  GPtrArray *invocations = dyno_result_get_invocations (result);
  GPtrArray *operators = dyno_result_get_operators (result);
  GPtrArray *diagnostics = dyno_result_get_diagnostics (result);

  g_object_set (copy, "model-name", dyno_result_get_model_name (result), "architecture",
                dyno_result_get_architecture (result), "device", dyno_result_get_device (result),
                "device-kind", dyno_result_get_device_kind (result), "weights",
                dyno_result_get_weights (result), "parameter-count", dyno_result_get_parameter_count (result),
                NULL);
  dyno_result_set_status (copy, dyno_result_get_status (result), dyno_result_get_reason (result));
  for (guint i = 0; i < values->len; i++)
    {
      DynoValue *value = g_ptr_array_index (values, i);

      if (is_plausible_value (value))
        dyno_result_take_value (copy, dyno_value_ref (value));
    }
  for (guint i = 0; i < traces->len; i++)
    dyno_result_take_trace (copy, dyno_chart_guard_trace (g_ptr_array_index (traces, i)));
  for (guint i = 0; i < invocations->len; i++)
    {
      const DynoInvocation *invocation = g_ptr_array_index (invocations, i);
      DynoInvocation *kept = dyno_invocation_new (invocation->number, invocation->failure);

      for (guint j = 0; j < invocation->values->len; j++)
        if (is_plausible_value (invocation->values->pdata[j]))
          g_ptr_array_add (kept->values, dyno_value_ref (invocation->values->pdata[j]));
      dyno_result_take_invocation (copy, kept);
    }
  for (guint i = 0; i < operators->len; i++)
    {
      DynoOperator *op = g_ptr_array_index (operators, i);
      /* A negative time means that the engine does not report it. */
      gint64 most = MAX (MAX (dyno_operator_get_time_ns (op), dyno_operator_get_calls (op)),
                         MAX (dyno_operator_get_flops (op), dyno_operator_get_bytes (op)));

      if (most <= GREATEST_COUNT && dyno_operator_get_op_type (op) != NULL &&
          dyno_operator_get_calls (op) >= 0)
        dyno_result_take_operator (copy, g_object_ref (op));
    }
  for (guint i = 0; i < diagnostics->len; i++)
    dyno_result_take_diagnostic (copy, dyno_diagnostic_ref (g_ptr_array_index (diagnostics, i)));
  return copy;
}
