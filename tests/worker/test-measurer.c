/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>
#include <string.h>

#include "dyno-error.h"
#include "dyno-graph.h"
#include "dyno-model.h"
#include "dyno-onnx-writer.h"
#include "dyno-phase.h"
#include "dyno-precision.h"
#include "dyno-result-samples.h"
#include "dyno-scratch.h"
#include "dyno-worker-private.h"
#include "engine-probe.h"
#include "suite.h"

/* Cases as short as possible: no test asserts an upper limit of a time. */
static DynoCase *
create_case (const char *model, const char *backend, guint batch_size, guint sequence_length)
{
  g_autoptr (DynoMethod) method = dyno_method_new ();

  g_object_set (method, "invocations", 1, "warmup-steps", 2, "warmup-seconds", 0.0, "min-samples", 10,
                "min-seconds", 0.05, "max-seconds", 0.3, "interval-percent", 50.0, "sampling-milliseconds", 5,
                NULL);
  return g_object_new (DYNO_TYPE_CASE, "model", model, "backend", backend, "batch-size", batch_size,
                       "sequence-length", sequence_length, "threads", 1, "method", method, NULL);
}

static DynoResult *
measure (DynoCase *kase, GError **error)
{
  g_autoptr (DynoMeasurer) measurer = dyno_measurer_new (kase, 0, TRUE);

  return dyno_measurer_run (measurer, error);
}

static DynoResult *
measure_or_fail (DynoCase *kase)
{
  g_autoptr (GError) error = NULL;
  DynoResult *result = measure (kase, &error);

  g_assert_no_error (error);
  return result;
}

static double
get_positive (DynoResult *result, const char *name)
{
  double number = dyno_result_get_number (result, name);

  g_test_message ("%s: %g", name, number);
  g_assert_cmpfloat (number, >, 0);
  return number;
}

static void
assert_all_positive (DynoResult *result, const char *const *names)
{
  for (; *names != NULL; names++)
    get_positive (result, *names);
}

static void
assert_said_why (DynoResult *result, const char *name)
{
  DynoValue *value = dyno_result_get_value (result, name);

  g_assert_nonnull (value);
  g_assert_false (dyno_value_is_number (value));
  g_assert_cmpstr (dyno_value_get_source (value), !=, "");
}

static DynoTrace *
get_trace (DynoResult *result, const char *name)
{
  DynoTrace *trace = dyno_result_get_trace (result, name);

  g_assert_nonnull (trace);
  for (gsize i = 1; i < dyno_trace_get_length (trace); i++)
    g_assert_cmpint (dyno_trace_get_times (trace)[i], >=, dyno_trace_get_times (trace)[i - 1]);
  return trace;
}

static void
assert_phases (DynoResult *result)
{
  DynoTrace *phases = get_trace (result, "phases");

  g_assert_cmpuint (dyno_trace_get_length (phases), ==, DYNO_N_PHASES + 1);
  for (guint i = 0; i <= DYNO_N_PHASES; i++)
    g_assert_cmpfloat (dyno_trace_get_values (phases)[i], ==, i);
  g_assert_cmpint (dyno_trace_get_times (phases)[0], >=, 0);
}

/* Every sample lies in the phases that it belongs to, on one axis of time. Only time that is over ends a measurement with
 * fewer samples than there should be, as on a machine that stands still for a while. */
static void
assert_samples_lie_in_phases (DynoResult *result)
{
  const gint64 *phases = dyno_trace_get_times (get_trace (result, "phases"));
  DynoTrace *latency = get_trace (result, "latency");
  gsize n = dyno_trace_get_length (latency);
  gsize n_warm_up = (gsize)dyno_result_get_number (result, "warm_up_steps");
  double seconds = (double)(phases[DYNO_PHASE_ANALYSE] - phases[DYNO_PHASE_MEASURE]) / 1e9;
  DynoMethod *method = dyno_case_get_method (dyno_result_get_case (result));

  g_assert_cmpuint (n, >, n_warm_up);
  if (n < n_warm_up + 10)
    g_assert_cmpfloat (seconds, >=, dyno_method_get_max_seconds (method));
  g_assert_cmpint (dyno_trace_get_times (latency)[0], >=, phases[DYNO_PHASE_FIRST_RUN]);
  g_assert_cmpint (dyno_trace_get_times (latency)[1], >=, phases[DYNO_PHASE_WARM_UP]);
  g_assert_cmpint (dyno_trace_get_times (latency)[n_warm_up - 1], <=, phases[DYNO_PHASE_MEASURE]);
  g_assert_cmpint (dyno_trace_get_times (latency)[n_warm_up], >=, phases[DYNO_PHASE_MEASURE]);
  g_assert_cmpint (dyno_trace_get_times (latency)[n - 1], <=, phases[DYNO_PHASE_ANALYSE]);
}

static void
assert_operators (DynoResult *result)
{
  GPtrArray *operators = dyno_result_get_operators (result);

  g_assert_cmpuint (operators->len, >, 0);
  for (guint i = 0; i < operators->len; i++)
    {
      DynoOperator *op = g_ptr_array_index (operators, i);

      g_assert_cmpint (dyno_operator_get_calls (op), >, 0);
      g_assert_cmpint (dyno_operator_get_time_ns (op), >=, 0);
      g_assert_cmpint (dyno_operator_get_bytes (op), >, 0);
    }
}

static double
estimate_flops (DynoCase *kase)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoModel) model = dyno_model_load (dyno_case_get_model (kase), &error);
  g_autoptr (GHashTable) binding =
      dyno_case_get_generate_tokens (kase) > 0
          ? dyno_model_bind_prompt (model, dyno_case_get_batch_size (kase),
                                    dyno_case_get_sequence_length (kase), dyno_case_get_dimensions (kase),
                                    &error)
          : dyno_model_bind (model, dyno_case_get_batch_size (kase), dyno_case_get_sequence_length (kase),
                             dyno_case_get_dimensions (kase), &error);
  gint64 flops = 0;

  g_assert_no_error (error);
  g_assert_true (dyno_model_estimate_flops (model, binding, &flops));
  return (double)flops;
}

/* A generation is a step over the prompt, for which a model estimates its work, and one for each further token. */
static double
get_estimated_flops (DynoResult *result)
{
  guint n_tokens = dyno_case_get_generate_tokens (dyno_result_get_case (result));
  double flops = get_positive (result, "flops");

  if (n_tokens <= 1)
    return flops;
  g_assert_cmpfloat_with_epsilon (
      flops, get_positive (result, "prefill_flops") + (n_tokens - 1) * get_positive (result, "decode_flops"),
      1e-9 * flops);
  return get_positive (result, "prefill_flops");
}

static void
assert_flops (DynoResult *result)
{
  double estimate = estimate_flops (dyno_result_get_case (result));

  g_assert_cmpfloat_with_epsilon (get_estimated_flops (result), estimate, 0.05 * estimate);
  get_positive (result, "bytes_per_step");
  get_positive (result, "arithmetic_intensity_flops_per_byte");
  g_assert_cmpfloat (dyno_result_get_number (result, "placement_percent"), ==, 100);
}

static gboolean
has_diagnostic (DynoResult *result, const char *code, const char *words)
{
  GPtrArray *diagnostics = dyno_result_get_diagnostics (result);

  for (guint i = 0; i < diagnostics->len; i++)
    {
      DynoDiagnostic *diagnostic = g_ptr_array_index (diagnostics, i);

      if (g_str_equal (dyno_diagnostic_get_code (diagnostic), code))
        return strstr (dyno_diagnostic_get_message (diagnostic), words) != NULL;
    }
  return FALSE;
}

/* A machine with other work may not become steady, or give samples that depend on each other; then there is no interval. */
static gboolean
has_interval (DynoResult *result)
{
  return dyno_value_get_quality (dyno_result_get_value (result, "latency_p50_ms")) != DYNO_QUALITY_UNSTEADY &&
         !has_diagnostic (result, "interval-not-reached", "Too few samples");
}

static void
assert_order_of_percentiles (DynoResult *result)
{
  static const char *const names[] = { "latency_min_ms", "latency_median_low_ms", "latency_p50_ms",
                                       "latency_median_high_ms", "latency_max_ms" };
  double last = 0;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (!has_interval (result) && strstr (names[i], "_median_") != NULL)
      assert_said_why (result, names[i]);
    else
      {
        g_assert_cmpfloat (get_positive (result, names[i]), >=, last);
        last = dyno_result_get_number (result, names[i]);
      }
}

/* Models that Dyno builds have activations like those of trained models. */
static void
assert_usual_activations (DynoResult *result)
{
  g_assert_false (has_diagnostic (result, "activations-zero", ""));
  g_assert_false (has_diagnostic (result, "activations-subnormal", ""));
  g_assert_false (has_diagnostic (result, "activations-infinite", ""));
  g_assert_false (has_diagnostic (result, "activations-unchecked", ""));
}

static void
test_encoder (void)
{
  static const char *const names[] = { "load_time_ms",      "first_run_ms",
                                       "latency_samples",   "latency_batched_steps",
                                       "memory_weights_mb", "timer_resolution_ns",
                                       "timer_overhead_ns", NULL };
  static const char *const rates[] = { "throughput_items_per_sec", "throughput_tokens_per_sec", NULL };
  g_autoptr (DynoCase) kase = create_case ("bert-tiny", "cpu", 2, 8);
  g_autoptr (DynoResult) result = NULL;

  if (!has_engine_or_skip ("cpu"))
    return;
  result = measure_or_fail (kase);
  g_assert_cmpint (dyno_result_get_status (result), ==, DYNO_STATUS_OK);
  g_assert_cmpstr (dyno_result_get_architecture (result), ==, "bert");
  g_assert_cmpint (dyno_result_get_parameter_count (result), ==, 4385920);
  g_assert_cmpstr (dyno_result_get_device_kind (result), ==, "cpu");
  assert_all_positive (result, names);
  assert_order_of_percentiles (result);
  assert_phases (result);
  assert_samples_lie_in_phases (result);
  assert_operators (result);
  assert_flops (result);
  assert_usual_activations (result);
  assert_all_positive (result, rates);
  g_assert_cmpfloat_with_epsilon (dyno_result_get_number (result, "throughput_tokens_per_sec"),
                                  8 * dyno_result_get_number (result, "throughput_items_per_sec"), 1e-3);
  g_assert_null (dyno_result_get_value (result, "first_token_latency_ms"));
}

static gboolean
computes_in_bf16 (const char *id)
{
  DynoDevice *device = dyno_probe_find_device (probe_once (id), "CPU");

  return g_strv_contains (dyno_device_get_precisions (device), "bf16");
}

/* An engine that fuses operators and reports no shapes does the same work as another, with the same outputs. */
static void
test_other_engine (void)
{
  g_autoptr (DynoCase) on_cpu = create_case ("bert-tiny", "cpu", 2, 8);
  g_autoptr (DynoCase) on_other = create_case ("bert-tiny", "openvino", 2, 8);
  g_autoptr (DynoResult) reference = NULL;
  g_autoptr (DynoResult) result = NULL;

  if (!has_engine_or_skip ("cpu") || !has_engine_or_skip ("openvino"))
    return;
  reference = measure_or_fail (on_cpu);
  result = measure_or_fail (on_other);
  g_assert_null (dyno_result_get_value (reference, "output_max_error"));
  g_assert_cmpfloat (dyno_result_get_number (result, "output_max_error"), >=, 0);
  g_assert_cmpfloat (dyno_result_get_number (result, "output_max_error"), <=, 1e-3);
  g_assert_cmpfloat (get_positive (result, "flops"), ==, get_positive (reference, "flops"));
  g_assert_nonnull (
      strstr (dyno_value_get_source (dyno_result_get_value (result, "flops")), "by the CPU backend"));
  get_positive (result, "bytes_per_step");
  g_assert_cmpfloat (dyno_result_get_number (result, "placement_operators_percent"), ==, 100);
  if (computes_in_bf16 ("openvino"))
    g_assert_true (has_diagnostic (result, "engine-default", "inference-precision=bf16"));
  else
    g_assert_false (has_diagnostic (result, "engine-default", "inference-precision"));
  g_assert_false (has_diagnostic (reference, "engine-default", ""));
}

/* Fewer bytes, the same work, on the device that was asked for, and how far the answers are from those in fp32. */
static void
test_quantised (void)
{
  static const struct
  {
    const char *precision;
    const char *computed;
    double max_error;
  } cases[] = { { "int8-weights", "fp32", 0.05 }, { "int4-128", "fp32", 0.5 },     { "int4-32", "fp32", 0.5 },
                { "nf4", "fp32", 0.5 },           { "int8-dynamic", "int8", 0.2 }, { "int8", "int8", 0.2 } };
  g_autoptr (DynoCase) plain = create_case ("bert-tiny", "cpu", 2, 8);
  g_autoptr (DynoResult) reference = NULL;
  g_autoptr (GError) error = NULL;

  if (!has_engine_or_skip ("cpu"))
    return;
  reference = measure_or_fail (plain);
  for (guint i = 0; i < (suite_is_thorough () ? G_N_ELEMENTS (cases) : 2); i++)
    {
      g_autoptr (DynoCase) kase = create_case ("bert-tiny", "cpu", 2, 8);
      g_autoptr (DynoResult) result = NULL;

      g_object_set (kase, "precision", cases[i].precision, NULL);
      g_assert_cmpstr (dyno_case_get_computed_precision (kase), ==, cases[i].computed);
      result = measure_or_fail (kase);
      g_assert_cmpfloat (get_positive (result, "output_max_error"), <=, cases[i].max_error);
      g_assert_cmpfloat (dyno_result_get_number (result, "output_cosine"), >=, 0.95);
      g_assert_cmpfloat (dyno_result_get_number (result, "output_cosine"), <=, 1);
      g_assert_cmpfloat (get_positive (result, "bytes_per_step"), <,
                         get_positive (reference, "bytes_per_step"));
      g_assert_cmpfloat (dyno_result_get_number (result, "placement_percent"), ==, 100);
      g_assert_false (has_diagnostic (result, "inference-precision", ""));
      g_assert_false (has_diagnostic (result, "quantisation-error", ""));
    }
}

/* Keys and values of earlier tokens take a quarter of the memory, the weights as much as before, and the answer says how far
 * off it is. A model without such a cache is refused. */
static void
test_cache_in_bytes (void)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "worker", "fixtures", "tiny-llama.json", NULL);
  g_autoptr (DynoCase) plain = create_case (path, "cpu", 2, 8);
  g_autoptr (DynoCase) kase = create_case (path, "cpu", 2, 8);
  g_autoptr (DynoModel) bert = dyno_model_load ("bert-tiny", NULL);
  g_autoptr (DynoResult) reference = NULL;
  g_autoptr (DynoResult) prompt = NULL;
  g_autoptr (DynoResult) result = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_null (dyno_model_in_precision (bert, "int8-cache", &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED);
  if (!has_engine_or_skip ("cpu"))
    return;
  g_object_set (kase, "precision", "int8-cache", NULL);
  g_assert_cmpstr (dyno_case_get_computed_precision (kase), ==, "fp32");
  prompt = measure_or_fail (kase);
  g_assert_cmpfloat (get_positive (prompt, "output_max_error"), <=, 0.05);
  g_assert_cmpfloat (dyno_result_get_number (prompt, "output_cosine"), >=, 0.98);
  g_object_set (plain, "generate-tokens", 4, NULL);
  g_object_set (kase, "generate-tokens", 4, NULL);
  reference = measure_or_fail (plain);
  result = measure_or_fail (kase);
  g_assert_cmpfloat_with_epsilon (4 * get_positive (result, "cache_mb"), get_positive (reference, "cache_mb"),
                                  1e-12);
  g_assert_cmpfloat_with_epsilon (get_positive (result, "memory_weights_mb"),
                                  get_positive (reference, "memory_weights_mb"), 0.01);
  g_assert_cmpfloat (dyno_result_get_number (result, "placement_percent"), ==, 100);
}

/* Weights have the range that this processor multiplies without an overflow, and the result says which it is. */
static void
measure_dynamic (void)
{
  g_autoptr (DynoCase) kase = create_case ("bert-tiny", "cpu", 2, 8);
  g_autoptr (DynoResult) result = NULL;
  g_autofree char *label = NULL;

  g_object_set (kase, "precision", "int8-dynamic", NULL);
  result = measure_or_fail (kase);
  g_assert_cmpfloat (get_positive (result, "output_max_error"), <=, 0.1);
  g_assert_cmpfloat (get_positive (result, "output_cosine"), >=, 0.999);
  g_assert_cmpint (has_diagnostic (result, "reduced-weights", "7 bits"), ==,
                   dyno_precision_is_reduced ("int8-dynamic"));
  label = dyno_result_dup_precision_label (result);
  g_assert_cmpstr (label, ==,
                   dyno_precision_is_reduced ("int8-dynamic") ? "int8-dynamic with 7-bit weights"
                                                              : "int8-dynamic");
}

static void
test_dynamic (void)
{
  if (has_engine_or_skip ("cpu"))
    measure_dynamic ();
}

/* Whoever starts this has the engine; to ask it in the emulator would take longer than the rest. */
static void
test_dynamic_reduced (void)
{
  g_assert_true (dyno_precision_is_reduced ("int8-dynamic"));
  measure_dynamic ();
}

/* The same on a processor with AVX2 and without VNNI, which is emulated. */
static void
test_dynamic_without_vnni (void)
{
#if defined(__x86_64__)
  g_autofree char *emulator = g_find_program_in_path ("qemu-x86_64");
  g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL);
  const char *const command[] = { emulator, "-cpu", "Haswell",
                                  program,  "-p",   "/measurer/dynamic/reduced/subprocess",
                                  NULL };
  g_autofree char *output = NULL;
  g_autoptr (GError) error = NULL;
  int status;

  if (emulator == NULL)
    {
      g_test_skip ("qemu-x86_64 is not installed; it is in Debian's package qemu-user.");
      return;
    }
  if (!has_engine_or_skip ("cpu"))
    return;
  g_spawn_sync (NULL, (char **)command, NULL, G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL, &output, NULL, &status,
                &error);
  g_assert_no_error (error);
  g_test_message ("%s", output);
  g_assert_true (g_spawn_check_wait_status (status, &error));
  g_assert_nonnull (strstr (output, "ok 1 /measurer/dynamic/reduced/subprocess"));
#else
  g_test_skip ("Only x86-64 has processors that add products of bytes in 16 bits.");
#endif
}

/* Operators that the engine widens are found in its trace; those computed as requested are not mentioned. */
static void
test_converted_products (void)
{
  g_autoptr (DynoCase) dynamic = create_case ("bert-tiny", "openvino", 1, 8);
  g_autoptr (DynoCase) half = create_case ("bert-tiny", "openvino", 1, 8);
  g_autoptr (DynoResult) result = NULL;
  g_autoptr (DynoResult) half_result = NULL;

  if (!has_engine_or_skip ("cpu") || !has_engine_or_skip ("openvino"))
    return;
  g_object_set (dynamic, "precision", "int8-dynamic", NULL);
  result = measure_or_fail (dynamic);
  g_assert_true (has_diagnostic (result, "products-converted", "int8"));
  if (!computes_in_bf16 ("openvino"))
    return;
  g_object_set (half, "precision", "bf16", NULL);
  half_result = measure_or_fail (half);
  g_assert_false (has_diagnostic (half_result, "products-converted", ""));
  g_assert_cmpfloat (get_positive (half_result, "output_max_error"), <=, 0.1);
}

/* An engine without shapes, in a precision that the CPU backend lacks: the work is that of the graph. */
static void
test_work_of_graph (void)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "worker", "fixtures", "tiny-llama.json", NULL);
  g_autoptr (DynoCase) kase = create_case (path, "openvino", 2, 8);
  g_autoptr (DynoModel) model = NULL;
  g_autoptr (GHashTable) prompt = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoResult) result = NULL;
  gint64 flops;

  if (!has_engine_or_skip ("cpu") || !has_engine_or_skip ("openvino") || !computes_in_bf16 ("openvino"))
    return;
  g_object_set (kase, "precision", "bf16", "generate-tokens", 8, NULL);
  result = measure_or_fail (kase);
  model = dyno_model_load (path, &error);
  prompt = dyno_model_bind (model, 2, 8, NULL, &error);
  g_assert_true (dyno_model_estimate_flops (model, prompt, &flops));
  g_assert_cmpfloat_with_epsilon (get_positive (result, "prefill_flops"), (double)flops,
                                  0.01 * (double)flops);
  g_assert_cmpfloat_with_epsilon (
      get_positive (result, "flops"),
      get_positive (result, "prefill_flops") + 7 * get_positive (result, "decode_flops"), 1);
  g_assert_cmpfloat (get_positive (result, "decode_flops"), <, get_positive (result, "prefill_flops"));
  g_assert_cmpfloat (get_positive (result, "decode_product_bytes"), >, 0);
  g_assert_nonnull (
      strstr (dyno_value_get_source (dyno_result_get_value (result, "flops")), "Dyno's own graph"));
  get_positive (result, "bytes_per_step");
}

/* A filter that decays below what is normal, then a product with weights that are zero. */
static char *
write_decaying (const char *folder)
{
  const gint64 dims[] = { 16, 16 };
  g_autoptr (DynoGraph) graph = dyno_graph_new (NULL);
  g_autoptr (GError) error = NULL;
  const char *value = dyno_graph_add_input (graph, "signal", DYNO_DATA_TYPE_FLOAT, "4, 16");
  const char *smallest;

  value = dyno_graph_add (graph, "Sigmoid", NULL, value, NULL);
  value = dyno_graph_add (graph, "Mul", NULL, value, dyno_graph_add_real (graph, 1e-20f), NULL);
  smallest = dyno_graph_add (graph, "Mul", NULL, value, dyno_graph_add_real (graph, 1e-20f), NULL);
  value = dyno_graph_add (graph, "MatMul", NULL, value,
                          dyno_graph_add_weight (graph, "pruned", 0, 0, 2, dims), NULL);
  dyno_graph_add_output (graph, "decayed", dyno_graph_add (graph, "Add", NULL, smallest, value, NULL),
                         "4, 16");
  g_assert_true (dyno_graph_check (graph, &error));
  g_assert_no_error (error);
  dyno_onnx_writer_write (graph, folder, 0, NULL, &error);
  g_assert_no_error (error);
  return g_build_filename (folder, DYNO_ONNX_WRITER_FILE, NULL);
}

/* What activation functions and masks are there for: ReLU and Clip make zeros, a mask makes scores infinite, and Softmax
 * makes zeros of those. */
static char *
write_masking (const char *folder)
{
  const gint64 dims[] = { 16, 16 };
  g_autoptr (DynoGraph) graph = dyno_graph_new (NULL);
  g_autoptr (GError) error = NULL;
  const char *value = dyno_graph_add_input (graph, "signal", DYNO_DATA_TYPE_FLOAT, "4, 16");
  float mask[16] = { 0 };
  const char *weight = dyno_graph_add_weight (graph, "weight", 0, 0.25, 2, dims);

  value =
      dyno_graph_add (graph, "Relu", NULL, dyno_graph_add (graph, "MatMul", NULL, value, weight, NULL), NULL);
  value = dyno_graph_add (graph, "Clip", NULL, dyno_graph_add (graph, "MatMul", NULL, value, weight, NULL),
                          dyno_graph_add_real (graph, 0), dyno_graph_add_real (graph, 6), NULL);
  value = dyno_graph_add (graph, "MatMul", NULL, value, weight, NULL);
  value = dyno_graph_add (graph, "Add", NULL, value, dyno_graph_add_floats (graph, 16, mask), NULL);
  value = dyno_graph_add (graph, "Softmax", "axis=-1", value, NULL);
  dyno_graph_add_output (graph, "mixed", dyno_graph_add (graph, "MatMul", NULL, value, weight, NULL),
                         "4, 16");
  g_assert_true (dyno_graph_check (graph, &error));
  g_assert_no_error (error);
  dyno_onnx_writer_write (graph, folder, 0, NULL, &error);
  g_assert_no_error (error);
  return g_build_filename (folder, DYNO_ONNX_WRITER_FILE, NULL);
}

static void
test_masks (void)
{
  g_autofree char *folder = dyno_scratch_new (NULL);
  g_autofree char *path = write_masking (folder);
  g_autoptr (DynoCase) kase = create_case (path, "cpu", 1, 0);
  g_autoptr (DynoResult) result = NULL;

  if (!!has_engine_or_skip ("cpu"))
    {
      result = measure_or_fail (kase);
      assert_usual_activations (result);
    }
  dyno_scratch_remove (folder);
}

static void
test_activations (void)
{
  g_autofree char *folder = dyno_scratch_new (NULL);
  g_autofree char *path = write_decaying (folder);
  g_autoptr (DynoCase) kase = create_case (path, "cpu", 1, 0);
  g_autoptr (DynoResult) result = NULL;

  if (!!has_engine_or_skip ("cpu"))
    {
      result = measure_or_fail (kase);
      g_assert_true (has_diagnostic (result, "activations-subnormal", "2 layers"));
      g_assert_true (has_diagnostic (result, "activations-subnormal", "(Mul), with 100"));
      g_assert_true (has_diagnostic (result, "activations-zero", "(MatMul)"));
      g_assert_false (has_diagnostic (result, "activations-infinite", ""));
      g_assert_cmpint (dyno_result_get_state (result), !=, DYNO_CASE_STATE_MEASURED);
    }
  dyno_scratch_remove (folder);
}

/* The steps that count took at least their own time and at most that from the first to the last one of all, in which a
 * machine may also stand still; each gave the items of four requests of two. */
static void
assert_counts_requests (DynoResult *result)
{
  DynoTrace *latency = get_trace (result, "latency");
  gsize first = (gsize)get_positive (result, "warm_up_steps");
  gsize last = dyno_trace_get_length (latency) - 1;
  double steps = get_positive (result, "latency_batched_steps");
  double items = 4 * 2 * steps * get_positive (result, "latency_samples");
  double most = (double)(dyno_trace_get_times (latency)[last] - dyno_trace_get_times (latency)[first]) / 1e9 +
                dyno_trace_get_values (latency)[last] * steps / 1e3;
  double least =
      get_positive (result, "latency_samples") * steps * get_positive (result, "latency_mean_ms") / 1e3;
  double rate = get_positive (result, "throughput_items_per_sec");

  g_assert_cmpfloat (rate * least, <=, items * 1.000001);
  g_assert_cmpfloat (rate * most, >=, items * 0.999999);
}

/* A step is four requests at once: four times the items and the work in one latency, and each gave the right answer. */
static void
test_requests (void)
{
  g_autoptr (DynoCase) kase = create_case ("bert-tiny", "openvino", 2, 8);
  g_autoptr (DynoResult) one = NULL;
  g_autoptr (DynoResult) four = NULL;

  if (!has_engine_or_skip ("cpu") || !has_engine_or_skip ("openvino"))
    return;
  one = measure_or_fail (kase);
  g_object_set (kase, "options", "requests=4", NULL);
  four = measure_or_fail (kase);
  g_assert_false (has_diagnostic (one, "requests-in-flight", ""));
  g_assert_true (has_diagnostic (four, "requests-in-flight", "4 requests"));
  g_assert_cmpfloat (get_positive (four, "flops"), ==, 4 * get_positive (one, "flops"));
  g_assert_cmpfloat (get_positive (four, "bytes_per_step"), ==, 4 * get_positive (one, "bytes_per_step"));
  g_assert_cmpfloat (dyno_result_get_number (four, "output_max_error"), <=, 1e-3);
  assert_counts_requests (four);
}

/* The later processes of a case do not check the answer, but say how long it took back. */
static void
test_transfers (void)
{
  g_autoptr (DynoCase) kase = create_case ("bert-tiny", "webgpu", 1, 8);
  g_autoptr (DynoMeasurer) later = dyno_measurer_new (kase, 1, FALSE);
  g_autoptr (DynoResult) result = NULL;
  g_autoptr (GError) error = NULL;

  if (!has_engine_or_skip ("webgpu"))
    return;
  result = dyno_measurer_run (later, &error);
  g_assert_no_error (error);
  get_positive (result, "transfer_to_device_ms");
  get_positive (result, "transfer_from_device_ms");
}

/* A step of one token does less than one over six, but reads the same weights. */
static void
assert_decode_step (DynoResult *result)
{
  double latency = get_positive (result, "inter_token_latency_ms");
  double flops = get_positive (result, "decode_flops");

  g_assert_cmpfloat (flops, <, get_positive (result, "prefill_flops"));
  g_assert_cmpfloat_with_epsilon (get_positive (result, "decode_flops_per_sec"), flops / latency * 1e3,
                                  1e-6 * flops / latency * 1e3);
  g_assert_cmpfloat (get_positive (result, "decode_product_bytes"), <=,
                     get_positive (result, "decode_bytes"));
  g_assert_cmpfloat (get_positive (result, "decode_bytes"), <, get_positive (result, "prefill_bytes"));
  get_positive (result, "decode_product_ms");
  get_positive (result, "decode_other_ms");
}

static void
assert_generation (const char *fixture, double cache_mb)
{
  static const char *const names[] = { "first_token_latency_ms", "inter_token_latency_ms", NULL };
  static const char *const rates[] = { "prefill_tokens_per_sec", "decode_tokens_per_sec",
                                       "throughput_items_per_sec", NULL };
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "worker", "fixtures", fixture, NULL);
  g_autoptr (DynoCase) kase = create_case (path, "cpu", 2, 6);
  g_autoptr (DynoResult) result = NULL;
  gsize n_samples;

  g_object_set (kase, "generate-tokens", 8, NULL);
  result = measure_or_fail (kase);
  assert_all_positive (result, names);
  assert_all_positive (result, rates);
  assert_phases (result);
  assert_samples_lie_in_phases (result);
  assert_operators (result);
  assert_flops (result);
  assert_usual_activations (result);
  assert_decode_step (result);
  get_positive (result, "flops_per_sec");
  g_assert_null (dyno_result_get_value (result, "throughput_tokens_per_sec"));
  g_assert_cmpfloat_with_epsilon (dyno_result_get_number (result, "cache_mb"), cache_mb, 1e-9);

  n_samples = dyno_trace_get_length (get_trace (result, "latency")) -
              (gsize)dyno_result_get_number (result, "warm_up_steps");
  g_assert_cmpuint (dyno_trace_get_length (get_trace (result, "inter_token_latency")), ==,
                    7 * n_samples * (gsize)dyno_result_get_number (result, "latency_batched_steps"));
}

/* Two layers, keys and values, of 2 or 4 heads of 16 numbers of 4 bytes; 2 items of 6 + 8 - 1 positions. */
static void
test_llama (void)
{
  if (!!has_engine_or_skip ("cpu"))
    assert_generation ("tiny-llama.json", 2 * 2 * 2 * 16 * 4 * 2 * 13 / 1e6);
}

static void
test_gpt2 (void)
{
  if (!!has_engine_or_skip ("cpu"))
    assert_generation ("tiny-gpt2.json", 2 * 2 * 4 * 16 * 4 * 2 * 13 / 1e6);
}

/* The answer begins with one token: of each layer keys and values of 4 heads of 16 numbers; 2 items of 8 positions. What
 * the encoder takes is known apart from what the decoder does. */
static void
test_t5 (void)
{
  static const char *const numbers[] = {
    "stage_encoder_p50_ms",       "stage_decoder_p50_ms",       "stage_encoder_weights_mb",
    "stage_decoder_weights_mb",   "stage_encoder_flops",        "stage_encoder_bytes",
    "stage_decoder_decode_flops", "stage_decoder_decode_bytes", NULL
  };
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "worker", "fixtures", "tiny-t5.json", NULL);
  g_autoptr (DynoCase) kase = create_case (path, "cpu", 2, 6);
  g_autoptr (DynoResult) result = NULL;
  double share;

  if (!has_engine_or_skip ("cpu"))
    return;
  assert_generation ("tiny-t5.json", 2 * 2 * 4 * 16 * 4 * 2 * 8 / 1e6);
  g_object_set (kase, "generate-tokens", 4, NULL);
  result = measure_or_fail (kase);
  assert_all_positive (result, numbers);
  g_assert_cmpfloat_with_epsilon (dyno_result_get_number (result, "stage_encoder_flops") +
                                      dyno_result_get_number (result, "stage_decoder_flops"),
                                  dyno_result_get_number (result, "flops"), 1);
  share = dyno_result_get_number (result, "stage_encoder_percent") +
          dyno_result_get_number (result, "stage_decoder_percent");
  g_assert_cmpfloat (share, >, 0);
  g_assert_cmpfloat (share, <=, 100);
}

/* The model counts the tokens of each expert, and the result has the share of every one. */
static void
test_experts (void)
{
  g_autofree char *model =
      g_test_build_filename (G_TEST_DIST, "worker", "fixtures", "tiny-mixtral.json", NULL);
  g_autoptr (DynoCase) kase = create_case (model, "cpu", 2, 8);
  g_autoptr (DynoResult) result = NULL;

  if (!has_engine_or_skip ("cpu"))
    return;
  result = measure_or_fail (kase);
  for (guint layer = 0; layer < 2; layer++)
    {
      g_autofree char *name = g_strdup_printf ("expert_share_%u", layer);
      DynoTrace *trace = get_trace (result, name);
      double sum = 0;

      g_assert_cmpuint (dyno_trace_get_length (trace), ==, 4);
      for (guint i = 0; i < 4; i++)
        sum += dyno_trace_get_values (trace)[i];
      g_assert_cmpfloat_with_epsilon (sum, 100, 1e-9);
    }
  g_assert_cmpfloat (get_positive (result, "expert_share_max_percent"), >=, 25);
  g_assert_cmpfloat (dyno_result_get_number (result, "expert_share_min_percent"), <=, 25);
}

/* A token has two of four experts, so that of one token the busiest has half of the choices; over the prompt and all tokens
 * of the generation it has less. Two items of 8 positions and 15 tokens chose twice in each layer. */
static void
test_generation_experts (void)
{
  g_autofree char *model =
      g_test_build_filename (G_TEST_DIST, "worker", "fixtures", "tiny-mixtral.json", NULL);
  g_autoptr (DynoCase) kase = create_case (model, "cpu", 2, 8);
  g_autoptr (DynoResult) result = NULL;

  if (!has_engine_or_skip ("cpu"))
    return;
  g_object_set (kase, "generate-tokens", 16, NULL);
  result = measure_or_fail (kase);
  g_assert_nonnull (strstr (
      dyno_value_get_source (dyno_result_get_value (result, "expert_share_max_percent")), "generation"));
  for (guint layer = 0; layer < 2; layer++)
    {
      g_autofree char *name = g_strdup_printf ("expert_share_%u", layer);
      const double *shares = dyno_trace_get_values (get_trace (result, name));

      for (guint i = 0; i < 4; i++)
        {
          double choices = shares[i] / 100 * (2 * (8 + 15) * 2);

          g_assert_cmpfloat_with_epsilon (choices, round (choices), 1e-6);
          g_assert_cmpfloat (shares[i], >, 0);
        }
    }
  g_assert_cmpfloat (get_positive (result, "expert_share_max_percent"), <, 50);
}

static void
use_script (const char *room, const char *name)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, room, "fixtures", name, NULL);

  g_setenv ("DYNO_FAKE_BACKEND", path, TRUE);
}

/* Memory is read now and then by a thread of its own, which may never have its turn while a short case is measured. */
static void
assert_average_memory (DynoResult *result, double least_mb)
{
  DynoValue *value = dyno_result_get_value (result, "memory_average_mb");

  if (dyno_value_is_number (value))
    g_assert_cmpfloat (dyno_value_get_number (value), >=, least_mb);
  else
    g_assert_nonnull (strstr (dyno_value_get_source (value), "ended before memory was read"));
}

/* Scripted steps take at least their time, so a smaller number would be wrong. */
static void
test_truth (void)
{
  static const char *const rates[] = { "throughput_items_per_sec", NULL };
  g_autoptr (DynoCase) kase = create_case ("bert-tiny", "fake", 4, 8);
  g_autoptr (DynoResult) result = NULL;

  result = measure_or_fail (kase);
  g_assert_cmpstr (dyno_result_get_device (result), ==, "Fake");
  g_assert_null (dyno_result_get_device_kind (result)); /* the script does not tell */
  g_assert_cmpfloat (dyno_result_get_number (result, "load_time_ms"), >=, 30);
  g_assert_cmpfloat (dyno_result_get_number (result, "first_run_ms"), >=, 5.9); /* nearly three times 2 ms */
  g_assert_cmpfloat (dyno_result_get_number (result, "latency_min_ms"), >=, 2);
  assert_all_positive (result, rates);
  g_assert_cmpfloat (dyno_result_get_number (result, "throughput_items_per_sec"), <=, 4 / 0.002);
  g_assert_cmpfloat (dyno_result_get_number (result, "memory_peak_mb"), >=, 30);
  assert_average_memory (result, 30);
}

/* A file that declares wrong shapes runs, and its case says so; an output without elements is a reason to doubt. */
static void
test_claims (void)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "backends", "fixtures", "claims.onnx", NULL);
  g_autoptr (DynoCase) kase = create_case (path, "cpu", 4, 0);
  g_autoptr (DynoResult) result = NULL;
  g_auto (GStrv) doubts = NULL;
  const char *shape, *empty;

  if (!has_engine_or_skip ("cpu"))
    return;
  result = measure_or_fail (kase);
  shape = dyno_result_find_message (result, "declared-shape");
  g_assert_nonnull (shape);
  g_assert_nonnull (strstr (shape, "y: float [1, batch, 3], but the result is float [4, 3]"));
  empty = dyno_result_find_message (result, "empty-output");
  g_assert_nonnull (empty);
  g_assert_nonnull (strstr (empty, "these outputs: z. A step at batch 4 "));
  doubts = dyno_result_dup_doubts (result);
  g_assert_true (g_strv_contains ((const char *const *)doubts, empty));
}

/* Whether the first and the last tenth of the time after the warm-up have ten samples each. */
static gboolean
has_full_tenths (DynoTrace *latency, gsize first)
{
  const gint64 *times = dyno_trace_get_times (latency);
  gsize n = dyno_trace_get_length (latency);
  gint64 end = times[n - 1] + (gint64)(dyno_trace_get_values (latency)[n - 1] * 1e6);
  gint64 tenth = (end - times[first]) / 10;
  guint n_first = 0;
  guint n_last = 0;

  for (gsize i = first; i < n; i++)
    {
      n_first += times[i] < times[first] + tenth;
      n_last += times[i] >= times[first] + 9 * tenth;
    }
  return n_first >= 10 && n_last >= 10;
}

/* What is given a duration goes on although it is precise at once, and says what is left of its speed at the end. On a
 * busy machine samples fill only a part of the time, and may be too few at its ends. */
static void
test_given_duration (void)
{
  g_autoptr (DynoCase) kase = create_case ("bert-tiny", "fake", 4, 8);
  g_autoptr (DynoMethod) method = dyno_method_copy (dyno_case_get_method (kase));
  g_autoptr (DynoResult) result = NULL;
  DynoTrace *latency;
  gsize n;

  g_object_set (method, "min-seconds", 0.6, "max-seconds", 0.6, "interval-percent", 100.0, NULL);
  g_object_set (kase, "method", method, NULL);
  result = measure_or_fail (kase);
  latency = get_trace (result, "latency");
  n = dyno_trace_get_length (latency);
  g_assert_cmpfloat ((double)(dyno_trace_get_times (latency)[n - 1] - dyno_trace_get_times (latency)[0]) /
                             1e6 +
                         dyno_trace_get_values (latency)[n - 1],
                     >=, 300);
  if (has_full_tenths (latency, (gsize)dyno_result_get_number (result, "warm_up_steps")))
    g_assert_cmpfloat (dyno_result_get_number (result, "sustained_percent"), >, 0);
  else
    g_assert_nonnull (strstr (dyno_value_get_source (dyno_result_get_value (result, "sustained_percent")),
                              "fewer than 10 samples"));
}

/* From the start of a sample to that of the next it takes its own time, and @wire_ms besides. */
static void
assert_apart (DynoResult *result, double steps, double wire_ms)
{
  DynoTrace *latency = get_trace (result, "latency");
  const gint64 *times = dyno_trace_get_times (latency);
  const double *values = dyno_trace_get_values (latency);

  for (gsize i = (gsize)dyno_result_get_number (result, "warm_up_steps");
       i + 1 < dyno_trace_get_length (latency); i++)
    g_assert_cmpfloat ((double)(times[i + 1] - times[i]) / 1e6, >=, values[i] * steps + wire_ms);
}

/* No sample is too short for a clock that needs @least_ms. */
static void
assert_long_enough (DynoResult *result, double least_ms)
{
  double steps = dyno_result_get_number (result, "latency_batched_steps");

  g_assert_cmpfloat (steps * dyno_result_get_number (result, "latency_min_ms"), >=, least_ms - 1e-9);
  g_assert_false (has_diagnostic (result, "short-samples", ""));
}

/* The round trip takes ten times as long as a step; it must not be visible. */
static void
test_remote (void)
{
  static const char *const rates[] = { "throughput_items_per_sec", NULL };
  g_autoptr (DynoCase) kase = create_case ("bert-tiny", "fake", 4, 8);
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoResult) result = NULL;
  double steps;

  use_script ("worker", "remote.json");
  result = measure (kase, &error);
  use_script ("worker", "steady.json");
  g_assert_no_error (error);
  g_assert_cmpfloat (dyno_result_get_number (result, "timer_resolution_ns"), ==, 5000);
  g_assert_nonnull (
      strstr (dyno_value_get_source (dyno_result_get_value (result, "timer_resolution_ns")), "own clock"));
  g_assert_nonnull (
      strstr (dyno_value_get_source (dyno_result_get_value (result, "latency_p50_ms")), "own clock"));
  assert_said_why (result, "timer_overhead_ns");
  /* A step of 0.2 ms is 40 of 1000 resolutions, so 25 and a quarter more are timed together, or fewer where they were
   * slow. */
  steps = dyno_result_get_number (result, "latency_batched_steps");
  assert_long_enough (result, 1000 * 0.005);
  g_assert_cmpfloat (steps, <=, 32 + 1);
  g_assert_cmpfloat (dyno_result_get_number (result, "latency_p50_ms"), >=, 0.2 - 0.005);
  assert_apart (result, steps, 2.0);
  assert_all_positive (result, rates);
  g_assert_cmpfloat_with_epsilon (dyno_result_get_number (result, "throughput_items_per_sec"),
                                  4e3 / dyno_result_get_number (result, "latency_mean_ms"), 1);
  g_assert_cmpfloat (dyno_result_get_number (result, "memory_peak_mb"), >=, 60);
  assert_average_memory (result, 60);
  g_assert_nonnull (
      strstr (dyno_value_get_source (dyno_result_get_value (result, "memory_peak_mb")), "1 more"));
  g_assert_cmpfloat (dyno_result_get_number (result, "load_start_ms"), >=, 12);
  g_assert_cmpfloat (dyno_result_get_number (result, "load_compile_ms"), >=, 6);
  g_assert_cmpfloat (dyno_result_get_number (result, "load_time_ms"), >=, 12 + 6 + 5);
}

/* Ten times as fast from the sixth step on, when steps of 2 ms were long enough for the clock: what was measured until
 * that showed does not count, and what counts is long enough or said not to be. */
static void
test_steps_become_short (void)
{
  g_autoptr (DynoCase) kase = create_case ("bert-tiny", "fake", 4, 8);
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoResult) result = NULL;

  /* Only a machine that stands still for long needs so much time. */
  g_object_set (dyno_case_get_method (kase), "max-seconds", 5.0, NULL);
  use_script ("worker", "quickening.json");
  result = measure (kase, &error);
  use_script ("worker", "steady.json");
  g_assert_no_error (error);
  g_assert_true (has_diagnostic (result, "batches-enlarged", "Samples of 1 steps"));
  g_assert_cmpfloat (dyno_result_get_number (result, "latency_batched_steps"), >, 1);
  assert_long_enough (result, 1);
  assert_samples_lie_in_phases (result);
}

static DynoResult *
measure_apart (DynoCase *kase)
{
  g_autoptr (DynoMeasurer) measurer = dyno_measurer_new (kase, 0, FALSE);
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoResult) part = dyno_measurer_run (measurer, &error);
  g_autoptr (DynoResult) empty = dyno_result_new (kase, 0);

  g_assert_no_error (error);
  return dyno_result_join (empty, 0, part);
}

static DynoResult *
analyse_apart (DynoResult *measured)
{
  g_autoptr (DynoResult) first = dyno_result_dup_first (measured);
  g_autoptr (DynoMeasurer) analyser = dyno_measurer_new_for_analysis (first, TRUE);
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoResult) analysis = dyno_measurer_analyse (analyser, &error);

  g_assert_no_error (error);
  return dyno_result_join_analysis (measured, analysis);
}

static void
assert_product (
    DynoResult *result, const char *product, const char *rate, const char *milliseconds, double scale)
{
  double expected = get_positive (result, rate) * scale * get_positive (result, milliseconds) / 1e3;

  g_assert_cmpfloat_with_epsilon (get_positive (result, product), expected, 1e-6 * expected);
}

/* The rates follow from what the process before measured, whose numbers stay. */
static void
test_analysis_apart (void)
{
  g_autoptr (DynoCase) kase = create_case ("bert-tiny", "fake", 1, 8);
  g_autoptr (DynoResult) measured = NULL;
  g_autoptr (DynoResult) result = NULL;

  measured = measure_apart (kase);
  g_assert_true (has_diagnostic (measured, DYNO_RESULT_NOT_ANALYSED, "after all cases"));
  g_assert_cmpuint (dyno_result_get_operators (measured)->len, ==, 0);
  g_assert_null (dyno_result_get_value (measured, "flops"));
  assert_said_why (measured, "avg_bandwidth_gbps");

  result = analyse_apart (measured);
  g_assert_false (has_diagnostic (result, DYNO_RESULT_NOT_ANALYSED, ""));
  assert_operators (result);
  g_assert_cmpfloat (dyno_result_get_number (result, "latency_p50_ms"), ==,
                     dyno_result_get_number (measured, "latency_p50_ms"));
  assert_product (result, "flops", "flops_per_sec", "latency_p50_ms", 1);
  g_assert_cmpfloat (dyno_result_get_number (result, "placement_percent"), ==, 100);
  get_positive (result, DYNO_RESULT_ANALYSIS_MS);
  if (dyno_value_get_quality (dyno_result_get_value (result, "latency_p50_ms")) != DYNO_QUALITY_UNSTEADY)
    assert_product (result, "bytes_per_step", "avg_bandwidth_gbps", "latency_mean_ms", 1e9);
}

static void
test_percentiles_without_samples (void)
{
  g_autoptr (DynoCase) kase = create_case ("bert-tiny", "fake", 1, 8);
  g_autoptr (DynoResult) result = NULL;

  g_object_set (dyno_case_get_method (kase), "min-seconds", 0.01, "max-seconds", 0.04, NULL);
  result = measure_or_fail (kase);
  g_assert_cmpfloat (dyno_result_get_number (result, "latency_samples"), <, 44);
  assert_said_why (result, "latency_p90_ms");
  assert_said_why (result, "latency_p999_ms");
}

static const struct
{
  const char *path;
  const char *room;
  const char *script;
  gboolean needs_runtime;
  DynoError code;
  const char *words[2];
} failures[] = {
  { "/measurer/wrong-output", "backends", "nan.json", FALSE, DYNO_ERROR_WRONG_OUTPUT, { "“logits”" } },
  /* Random numbers instead of the model’s: fast, finite, with the right shape, and wrong. */
  { "/measurer/wrong-answer", "worker", "wrong.json", TRUE, DYNO_ERROR_WRONG_OUTPUT, { "of its scale" } },
  /* 64 of 192 columns. */
  { "/measurer/fell-back",
    "worker",
    "fallback.json",
    FALSE,
    DYNO_ERROR_FELL_BACK,
    { "33.3 %", "1 × MatMul (CPUExecutionProvider)" } },
  { "/measurer/engine-fails", "backends", "fail.json", FALSE, DYNO_ERROR_FAILED, { NULL } },
};

static void
test_failure (gconstpointer data)
{
  guint i = GPOINTER_TO_UINT (data);
  g_autoptr (DynoCase) kase = create_case ("bert-tiny", "fake", 1, 8);
  g_autoptr (GError) error = NULL;

  if (failures[i].needs_runtime && !has_engine_or_skip ("cpu"))
    return;
  use_script (failures[i].room, failures[i].script);
  g_assert_null (measure (kase, &error));
  use_script ("worker", "steady.json");
  g_assert_error (error, DYNO_ERROR, (int)failures[i].code);
  g_test_message ("%s", error->message);
  for (guint word = 0; word < 2 && failures[i].words[word] != NULL; word++)
    g_assert_nonnull (strstr (error->message, failures[i].words[word]));
}

static void
assert_refused (DynoCase *kase, DynoError code, const char *words)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (measure (kase, &error));
  suite_assert_error (error, code, words);
}

static void
test_refused (void)
{
  g_autoptr (DynoCase) no_backend = create_case ("bert-tiny", "abacus", 1, 8);
  g_autoptr (DynoCase) no_model = create_case ("no-such-model", "fake", 1, 8);
  g_autoptr (DynoCase) no_option = create_case ("bert-tiny", "fake", 1, 8);
  g_autoptr (DynoCase) no_policy = create_case ("bert-tiny", "fake", 1, 8);
  g_autoptr (DynoCase) too_long = create_case ("bert-tiny", "fake", 1, 1000);

  assert_refused (no_backend, DYNO_ERROR_NOT_FOUND, "abacus");
  assert_refused (no_model, DYNO_ERROR_NOT_FOUND, "no-such-model");
  assert_refused (too_long, DYNO_ERROR_INVALID_ARGUMENT, "1000");
  g_object_set (no_option, "options", "no-such-option=1", NULL);
  assert_refused (no_option, DYNO_ERROR_INVALID_ARGUMENT, "no-such-option");
  g_object_set (no_policy, "pinning", "no-such-policy", NULL);
  assert_refused (no_policy, DYNO_ERROR_INVALID_ARGUMENT, "no-such-policy");
}

static void
test_live (void)
{
  g_autoptr (DynoCase) kase = create_case ("bert-tiny", "fake", 1, 8);
  g_autoptr (DynoMeasurer) measurer = dyno_measurer_new (kase, 0, TRUE);
  g_autoptr (GArray) times = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autoptr (GArray) latencies = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (DynoResult) result = NULL;
  guint n, every;

  g_assert_cmpstr (dyno_measurer_get_phase (measurer), ==, "prepare");
  g_assert_cmpuint (dyno_measurer_get_progress (measurer), ==, 0);
  dyno_measurer_read_latencies (measurer, 4, times, latencies);
  g_assert_cmpuint (times->len, ==, 0);

  result = dyno_measurer_run (measurer, NULL);
  g_assert_nonnull (result);
  n = (guint)dyno_measurer_get_progress (measurer);
  g_assert_cmpuint (n, ==,
                    dyno_trace_get_length (get_trace (result, "latency")) -
                        (gsize)dyno_result_get_number (result, "warm_up_steps"));
  dyno_measurer_read_latencies (measurer, 4, times, latencies);
  every = (n + 3) / 4; /* so that at most four are left */
  g_assert_cmpuint (times->len, ==, (n + every - 1) / every);
  g_assert_cmpuint (latencies->len, ==, times->len);
  for (guint i = 1; i < times->len; i++)
    g_assert_cmpint (g_array_index (times, gint64, i), >, g_array_index (times, gint64, i - 1));
  g_assert_cmpfloat (g_array_index (latencies, double, 0), >=, 2);

  g_array_set_size (times, 0);
  dyno_measurer_read_latencies (measurer, 4, times, latencies);
  g_assert_cmpuint (times->len, ==, 0); /* all was read */
}

static int
run_suite (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  use_script ("worker", "steady.json"); /* the list of backends is created once */
  g_test_add_func ("/measurer/encoder", test_encoder);
  g_test_add_func ("/measurer/other-engine", test_other_engine);
  g_test_add_func ("/measurer/quantised", test_quantised);
  g_test_add_func ("/measurer/cache-in-bytes", test_cache_in_bytes);
  g_test_add_func ("/measurer/dynamic", test_dynamic);
  g_test_add_func ("/measurer/dynamic/reduced/subprocess", test_dynamic_reduced);
  g_test_add_func ("/measurer/requests", test_requests);
  g_test_add_func ("/measurer/activations", test_activations);
  g_test_add_func ("/measurer/llama", test_llama);
  g_test_add_func ("/measurer/t5", test_t5);
  g_test_add_func ("/measurer/experts", test_experts);
  g_test_add_func ("/measurer/truth", test_truth);
  g_test_add_func ("/measurer/claims", test_claims);
  g_test_add_func ("/measurer/given-duration", test_given_duration);
  g_test_add_func ("/measurer/remote", test_remote);
  g_test_add_func ("/measurer/analysis-apart", test_analysis_apart);
  g_test_add_func ("/measurer/percentiles-without-samples", test_percentiles_without_samples);
  for (guint i = 0; i < G_N_ELEMENTS (failures); i++)
    g_test_add_data_func (failures[i].path, GUINT_TO_POINTER (i), test_failure);
  g_test_add_func ("/measurer/refused", test_refused);
  g_test_add_func ("/measurer/live", test_live);
  if (suite_is_thorough ())
    {
      g_test_add_func ("/measurer/dynamic/without-vnni", test_dynamic_without_vnni);
      g_test_add_func ("/measurer/converted-products", test_converted_products);
      g_test_add_func ("/measurer/transfers", test_transfers);
      g_test_add_func ("/measurer/masks", test_masks);
      g_test_add_func ("/measurer/gpt2", test_gpt2);
      g_test_add_func ("/measurer/work-of-graph", test_work_of_graph);
      g_test_add_func ("/measurer/generation-experts", test_generation_experts);
      g_test_add_func ("/measurer/steps-become-short", test_steps_become_short);
    }
  return g_test_run ();
}

SUITE (run_suite)
