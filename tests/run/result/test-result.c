/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>
#include <string.h>

#include "dyno-error.h"
#include "dyno-json.h"
#include "dyno-result-samples.h"
#include "dyno-run.h"
#include "suite.h"

static DynoResult *
create_result (void)
{
  g_autoptr (DynoCase) kase = dyno_case_new ("gpt2", "cpu");
  DynoResult *result;
  DynoTrace *trace = dyno_trace_new ("latency", "ms", 5);
  DynoOperator *op = dyno_operator_new ("/h/MatMul", "MatMul", "CPUExecutionProvider");

  g_object_set (kase, "batch-size", 4, "sequence-length", 64, "seed", (guint64)G_MAXINT64, NULL);
  result = dyno_result_new (kase, 3);
  g_object_set (result, "model-name", "GPT-2", "architecture", "GPT2LMHeadModel", "device", "A board",
                "device-kind", "discrete-gpu", "parameter-count", G_GINT64_CONSTANT (124439808), NULL);
  dyno_result_add_measured (result, "latency_p50_ms", 0.1 + 0.2, "ms", "clock");
  dyno_result_take_value (result, dyno_value_new_unsupported ("power_avg_watts", "W", "No sensor."));
  dyno_trace_add (trace, 10, 1.25);
  dyno_trace_add (trace, 20, 1.5);
  dyno_result_take_trace (result, trace);
  dyno_operator_set_calls (op, 7);
  dyno_operator_set_kernel (op, "jit_gemm");
  dyno_operator_set_flops (op, G_GINT64_CONSTANT (1) << 40);
  dyno_result_take_operator (result, op);
  dyno_result_take_diagnostic (result, dyno_diagnostic_new (DYNO_SEVERITY_WARNING, "outliers", "Two."));
  dyno_result_set_status (result, DYNO_STATUS_OK, NULL);
  return result;
}

static DynoResult *
round_trip (DynoResult *result, gboolean with_traces)
{
  g_autoptr (JsonNode) node = dyno_result_to_json (result, with_traces);
  g_autofree char *text = dyno_json_text_write (node, FALSE);
  g_autoptr (JsonNode) parsed = json_from_string (text, NULL);
  g_autoptr (GError) error = NULL;
  DynoResult *again = dyno_result_new_from_json (json_node_get_object (parsed), &error);

  g_assert_no_error (error);
  return again;
}

static void
test_json_round_trip (void)
{
  g_autoptr (DynoResult) result = create_result ();
  g_autoptr (DynoResult) again = round_trip (result, TRUE);
  DynoOperator *op = g_ptr_array_index (dyno_result_get_operators (again), 0);
  DynoTrace *trace = dyno_result_get_trace (again, "latency");

  g_assert_cmpuint (dyno_result_get_ordinal (again), ==, 3);
  g_assert_cmpuint (dyno_case_get_batch_size (dyno_result_get_case (again)), ==, 4);
  g_assert_cmpuint (dyno_case_get_seed (dyno_result_get_case (again)), ==, G_MAXINT64);
  g_assert_cmpstr (dyno_result_get_model_name (again), ==, "GPT-2");
  g_assert_cmpstr (dyno_result_get_device (again), ==, "A board");
  g_assert_cmpstr (dyno_result_get_device_kind (again), ==, "discrete-gpu");
  g_assert_cmpint (dyno_result_get_status (again), ==, DYNO_STATUS_OK);
  g_assert_cmpfloat (dyno_result_get_number (again, "latency_p50_ms"), ==, 0.1 + 0.2);
  g_assert_true (isnan (dyno_result_get_number (again, "power_avg_watts")));
  g_assert_cmpstr (dyno_value_get_source (dyno_result_get_value (again, "power_avg_watts")), ==,
                   "No sensor.");
  g_assert_cmpuint (dyno_trace_get_length (trace), ==, 2);
  g_assert_cmpfloat (dyno_trace_get_values (trace)[1], ==, 1.5);
  g_assert_cmpint (dyno_trace_get_origin (trace), ==, 5);
  g_assert_cmpint (dyno_operator_get_flops (op), ==, G_GINT64_CONSTANT (1) << 40);
  g_assert_cmpint (dyno_operator_get_bytes (op), ==, -1);
  g_assert_cmpstr (dyno_operator_get_kernel (op), ==, "jit_gemm");
  g_assert_true (dyno_result_has_kernels (again));
}

/* Results of older and newer versions of Dyno are shown as far as they are understood. */
static void
test_device_label (void)
{
  static const struct
  {
    const char *device;
    const char *kind;
    const char *label;
  } devices[] = {
    { "A board", "discrete-gpu", "A board · GPU" },
    { "A chip", "integrated-gpu", "A chip · Integrated GPU" },
    { "A chip", "npu", "A chip · NPU" },
    { "A CPU", "cpu", "A CPU · CPU" },
    { "SwiftShader", "software", "SwiftShader · Software-emulated on the CPU" },
    { "A board", "unknown", "A board" },
    { "A board", "quantum", "A board" },
    { "A board", NULL, "A board" },
    { NULL, "cpu", NULL },
  };
  g_autoptr (DynoResult) result = create_result ();

  for (guint i = 0; i < G_N_ELEMENTS (devices); i++)
    {
      g_autofree char *label = NULL;

      g_object_set (result, "device", devices[i].device, "device-kind", devices[i].kind, NULL);
      label = dyno_result_dup_device_label (result);
      g_assert_cmpstr (label, ==, devices[i].label);
    }
}

static void
test_json_without_traces (void)
{
  g_autoptr (DynoResult) result = create_result ();
  g_autoptr (DynoResult) again = round_trip (result, FALSE);

  g_assert_cmpuint (dyno_result_get_traces (again)->len, ==, 0);
  g_assert_cmpuint (dyno_result_get_values (again)->len, ==, 2);
}

static void
assert_refused (const char *json, const char *named)
{
  g_autoptr (JsonNode) parsed = json_from_string (json, NULL);
  g_autoptr (GError) error = NULL;

  g_assert_null (dyno_result_new_from_json (json_node_get_object (parsed), &error));
  suite_assert_error (error, DYNO_ERROR_INVALID_DATA, named);
}

static void
test_bad_json (void)
{
  assert_refused ("{}", "case");
  assert_refused ("{ \"case\": {}, \"status\": \"splendid\" }", "status");
  assert_refused ("{ \"case\": { \"batch-size\": -1 }, \"status\": \"ok\" }", "batch-size");
  assert_refused ("{ \"case\": {}, \"status\": \"ok\", \"values\": [ { \"name\": \"x\" } ] }", "values");
  assert_refused ("{ \"case\": {}, \"status\": \"ok\", \"operators\": [ 3 ] }", "operators");
  assert_refused ("{ \"case\": {}, \"status\": \"ok\", \"traces\": [ { \"name\": \"x\", \"unit\": \"\","
                  " \"times_ns\": [1, 2], \"values\": [1] } ] }",
                  "traces");
}

static void
test_absorb (void)
{
  g_autoptr (DynoResult) result = create_result ();
  g_autoptr (DynoResult) pending = dyno_result_new (dyno_result_get_case (result), 9);

  dyno_result_take_diagnostic (pending, dyno_diagnostic_new (DYNO_SEVERITY_INFO, "governor", "Powersave."));
  dyno_result_absorb (pending, result);
  g_assert_cmpuint (dyno_result_get_ordinal (pending), ==, 9);
  g_assert_cmpuint (dyno_result_get_diagnostics (pending)->len, ==, 2);
  g_assert_cmpint (dyno_result_get_status (pending), ==, DYNO_STATUS_OK);
  g_assert_cmpint (dyno_result_get_parameter_count (pending), ==, 124439808);
}

static void
test_label (void)
{
  g_autoptr (DynoResult) result = create_result ();
  DynoCase *kase = dyno_result_get_case (result);
  g_autofree char *label = dyno_case_dup_label (kase);
  g_autofree char *key = dyno_case_dup_key (kase);

  g_assert_cmpstr (label, ==, "GPT-2 · ONNX Runtime (CPU) · fp32 · batch 4 · 64 tokens");
  g_assert_cmpstr (key, ==, "gpt2 · cpu · fp32 · batch 4 · 64 tokens");
}

static void
test_run_counts (void)
{
  g_autoptr (DynoRun) run = dyno_run_new (NULL);
  g_autoptr (DynoResult) good = create_result ();
  g_autoptr (DynoResult) bad = create_result ();

  g_object_set (run, "n-cases", 12, NULL);
  dyno_result_set_status (bad, DYNO_STATUS_FAILED, "It broke.");
  dyno_run_add_result (run, good);
  dyno_run_add_result (run, bad);
  g_assert_cmpuint (dyno_run_get_n_cases (run), ==, 12);
  g_assert_cmpuint (dyno_run_get_n_ok (run), ==, 1);
  g_assert_true (g_uuid_string_is_valid (dyno_run_get_id (run)));
}

static DynoResult *
add_analysed (GListStore *results, const char *model, guint batch, const char *code)
{
  g_autoptr (DynoCase) kase =
      g_object_new (DYNO_TYPE_CASE, "model", model, "backend", "cpu", "batch-size", batch, NULL);
  g_autoptr (DynoResult) result = dyno_result_new (kase, g_list_model_get_n_items (G_LIST_MODEL (results)));

  dyno_result_add_measured (result, DYNO_RESULT_ANALYSIS_MS, 5, "ms", "");
  if (code != NULL)
    dyno_result_take_diagnostic (result, dyno_diagnostic_new (DYNO_SEVERITY_WARNING, code, "3 % are."));
  g_list_store_append (results, result);
  return result; /* the list owns it */
}

/* Findings about activations go from one batch size to the others, and say with which they were made. */
static void
test_known_activations (void)
{
  g_autoptr (GListStore) results = g_list_store_new (DYNO_TYPE_RESULT);
  DynoResult *first = add_analysed (results, "bert-tiny", 4, "activations-subnormal");
  DynoResult *unlike = add_analysed (results, "gpt2", 1, NULL);
  g_autoptr (GHashTable) known = dyno_known_activations_new (G_LIST_MODEL (results));
  DynoResult *second = add_analysed (results, "bert-tiny", 1, NULL);
  DynoResult *third = add_analysed (results, "bert-tiny", 8, NULL);
  DynoResult *unchecked = add_analysed (results, "resnet-18", 1, "activations-unchecked");
  DynoResult *other = add_analysed (results, "resnet-18", 2, NULL);

  g_assert_true (dyno_known_activations_find (known, second) == first);
  g_assert_null (dyno_known_activations_find (known, first));
  g_assert_null (dyno_known_activations_find (known, other));
  dyno_known_activations_add (known, unchecked);
  g_assert_null (dyno_known_activations_find (known, other));
  dyno_known_activations_copy (first, second);
  g_assert_cmpstr (dyno_result_find_message (second, "activations-subnormal"), ==, "3 % are.");
  g_assert_nonnull (strstr (dyno_result_find_message (second, "activations-batch"), "batch size of 4."));

  /* A copy of a copy names the first one still, and that once. */
  dyno_known_activations_add (known, second);
  g_assert_true (dyno_known_activations_find (known, third) == first);
  dyno_known_activations_copy (second, third);
  g_assert_nonnull (strstr (dyno_result_find_message (third, "activations-batch"), "batch size of 4."));
  g_assert_cmpuint (dyno_result_get_diagnostics (third)->len, ==, 2);

  /* Nothing is said where nothing is wrong. */
  dyno_known_activations_copy (unlike, other);
  g_assert_cmpuint (dyno_result_get_diagnostics (other)->len, ==, 0);
}

static const SuiteTest tests[] = {
  { "/result/json-round-trip", test_json_round_trip },
  { "/result/device-label", test_device_label },
  { "/result/json-without-traces", test_json_without_traces },
  { "/result/bad-json", test_bad_json },
  { "/result/absorb", test_absorb },
  { "/result/known-activations", test_known_activations },
  { "/result/label", test_label },
  { "/run/counts", test_run_counts },
};

SUITE_TESTS (tests)
