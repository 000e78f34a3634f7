/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "dyno-roofline.h"
#include "suite.h"

#define MACHINE                                                                                              \
  "{\"cpu\": {\"cores\": 4, \"usable_threads\": 2}, \"backends\": ["                                         \
  "{\"id\": \"openvino\", \"devices\": [{\"id\": \"CPU\", \"kind\": \"cpu\"}, {\"id\": \"GPU.0\", "          \
  "\"kind\": "                                                                                               \
  "\"discrete-gpu\"}]}]}"

static void
add (GPtrArray *ceilings,
     const char *device,
     guint threads,
     const char *id,
     DynoCeilingKind kind,
     double value)
{
  g_auto (GStrv) words = g_strsplit (id, "-", -1);
  gboolean computes = kind == DYNO_CEILING_COMPUTE;

  g_ptr_array_add (ceilings,
                   g_object_new (DYNO_TYPE_CEILING, "id", id, "device", device, "threads", threads, "kind",
                                 kind, computes ? "precision" : "level", words[0],
                                 computes ? "instruction-set" : "mix", words[1], "value", value, "unit",
                                 computes ? "FLOP/s" : "B/s", "upper-bound", words[2] != NULL, NULL));
}

/* 200 GFLOP/s, 20 GB/s from memory and 100 GB/s from the cache before it: the ridge is at 10 FLOP/B. */
static GPtrArray *
create_ceilings (void)
{
  GPtrArray *ceilings = g_ptr_array_new_with_free_func (g_object_unref);

  add (ceilings, "cpu", 2, "fp32-sse", DYNO_CEILING_COMPUTE, 50e9);
  add (ceilings, "cpu", 2, "fp32-avx2", DYNO_CEILING_COMPUTE, 200e9);
  add (ceilings, "cpu", 2, "fp32-amx-zeros", DYNO_CEILING_COMPUTE, 900e9);
  add (ceilings, "cpu", 2, "fp16-avx2", DYNO_CEILING_COMPUTE, 400e9);
  add (ceilings, "cpu", 1, "fp32-avx2", DYNO_CEILING_COMPUTE, 100e9);
  add (ceilings, "cpu", 2, "l3-read", DYNO_CEILING_BANDWIDTH, 100e9);
  add (ceilings, "cpu", 2, "dram-read", DYNO_CEILING_BANDWIDTH, 20e9);
  add (ceilings, "cpu", 2, "dram-copy", DYNO_CEILING_BANDWIDTH, 30e9);
  add (ceilings, "openvino:GPU.0", 1, "fp32-gemm", DYNO_CEILING_COMPUTE, 8e12);
  add (ceilings, "openvino:GPU.0", 1, "device-copy", DYNO_CEILING_BANDWIDTH, 400e9);
  return ceilings;
}

/* The same, but for one number of one of the processor's. */
static GPtrArray *
create_changed (const char *id, const char *member, double number)
{
  GPtrArray *ceilings = create_ceilings ();

  for (guint i = 0; i < ceilings->len; i++)
    {
      g_autoptr (JsonObject) members = dyno_ceiling_to_json (ceilings->pdata[i]);

      if (g_strcmp0 (dyno_ceiling_get_id (ceilings->pdata[i]), id) != 0)
        continue;
      json_object_set_double_member (members, member, number);
      g_object_unref (ceilings->pdata[i]);
      ceilings->pdata[i] = dyno_ceiling_from_json (members);
    }
  return ceilings;
}

static void
check (const DynoRoofline *roofs,
       double flops,
       double bytes,
       double seconds,
       const char *roof,
       double attainable,
       gboolean memory_bound)
{
  DynoRooflinePoint point;

  g_assert_true (dyno_roofline_place (roofs, flops, bytes, seconds, &point));
  g_assert_cmpstr (dyno_ceiling_get_id (point.roof), ==, roof);
  g_assert_cmpfloat_with_epsilon (point.attainable, attainable, attainable * 1e-12);
  g_assert_cmpint (point.memory_bound, ==, memory_bound);
  g_assert_cmpfloat_with_epsilon (point.ridge, 10, 1e-9);
}

static void
test_place (void)
{
  g_autoptr (GPtrArray) ceilings = create_ceilings ();
  DynoRooflinePoint point;
  DynoRoofline roofs;

  g_assert_true (dyno_roofline_find (&roofs, ceilings, "cpu", 2, NULL, "fp32"));
  g_assert_cmpfloat (dyno_ceiling_get_value (roofs.compute), ==, 200e9);
  g_assert_cmpuint (roofs.n_levels, ==, 2);
  check (&roofs, 1e9, 1e9, 0.1, "dram-read", 20e9, TRUE);
  check (&roofs, 1e9, 1e9, 0.02, "l3-read", 100e9, TRUE);    /* 50 GFLOP/s: too fast for the memory */
  check (&roofs, 20e9, 1e9, 0.2, "fp32-avx2", 200e9, FALSE); /* right of the ridge */
  check (&roofs, 5e9, 1e9, 0.04, "fp32-avx2", 200e9, TRUE);  /* the cache feeds more than it can compute */
  check (&roofs, 1e9, 1e9, 0.001, "l3-read", 100e9, TRUE);   /* above everything */
  g_assert_false (dyno_roofline_place (&roofs, NAN, 1, 1, &point));
  g_assert_false (dyno_roofline_place (&roofs, 1, 0, 1, &point));
  g_assert_false (dyno_roofline_place (&roofs, 1, 1, NAN, &point));
}

static void
test_find (void)
{
  g_autoptr (GPtrArray) ceilings = create_ceilings ();
  DynoRoofline roofs;

  g_assert_false (dyno_roofline_find (&roofs, NULL, "cpu", 2, NULL, "fp32"));
  g_assert_false (dyno_roofline_find (&roofs, ceilings, "cpu", 4, NULL, "fp32"));
  g_assert_false (dyno_roofline_find (&roofs, ceilings, "cpu", 2, "compact", "fp32"));
  g_assert_false (dyno_roofline_find (&roofs, ceilings, "cpu", 2, NULL, "int8"));
  g_assert_false (
      dyno_roofline_find (&roofs, ceilings, "cpu", 1, NULL, "fp32")); /* no memory of one thread */
  g_assert_true (dyno_roofline_find (&roofs, ceilings, "cpu", 2, "", "fp16"));
  g_assert_true (dyno_roofline_find (&roofs, ceilings, "openvino:GPU.0", 2, NULL, "fp32"));
}

static void
check_device (const char *backend, const char *device, const char *expected)
{
  g_autoptr (DynoCase) kase = dyno_case_new ("model", backend);
  g_autofree char *found = NULL;

  g_object_set (kase, "device", device, NULL);
  found = dyno_roofline_dup_device (kase, MACHINE);
  g_assert_cmpstr (found, ==, expected);
}

static void
test_device (void)
{
  check_device ("cpu", "", "cpu");
  check_device ("openvino", "", "cpu");
  check_device ("openvino", "GPU.0", "openvino:GPU.0");
  check_device ("webgpu", "", "webgpu");
}

static DynoResult *
create_result_with (const char *device, double rate, double gbps, DynoQuality quality)
{
  g_autoptr (DynoCase) kase = dyno_case_new ("model", "openvino");
  DynoResult *result;

  g_object_set (kase, "device", device, NULL);
  result = dyno_result_new (kase, 0);
  dyno_result_add_measured (result, "flops", 1e9, "FLOP", "test");
  dyno_result_add_measured (result, "flops_per_sec", rate, "FLOP/s", "test");
  dyno_result_add_measured (result, "bytes_per_step", 1e9, "B", "test");
  dyno_result_take_value (result, dyno_value_new ("avg_bandwidth_gbps", gbps, "GB/s", quality, "test"));
  return result;
}

static DynoResult *
create_result (const char *device, double rate)
{
  return create_result_with (device, rate, 5, DYNO_QUALITY_MEASURED);
}

static void
test_complete (void)
{
  g_autoptr (GPtrArray) ceilings = create_ceilings ();
  g_autoptr (DynoResult) result = create_result ("CPU", 10e9);
  g_autoptr (DynoResult) far = create_result ("CPU", 9e9);

  dyno_roofline_complete (result, MACHINE, ceilings);
  g_assert_cmpfloat (dyno_result_get_number (result, "ridge_point_flops_per_byte"), ==, 10);
  g_assert_cmpfloat (dyno_result_get_number (result, "memory_bound"), ==, 1);
  g_assert_cmpfloat (dyno_result_get_number (result, "compute_bound"), ==, 0);
  dyno_roofline_complete (far, MACHINE, ceilings);
  g_assert_cmpfloat (dyno_result_get_number (far, "memory_bound"), ==, 0);
  g_assert_cmpfloat (dyno_result_get_number (far, "compute_bound"), ==, 0);
  g_assert_cmpfloat_with_epsilon (dyno_result_get_number (result, "roof_distance_percent"), 50, 1e-9);
  g_assert_cmpfloat_with_epsilon (dyno_result_get_number (result, "bandwidth_utilization_percent"), 25, 1e-9);
  g_assert_cmpint (dyno_value_get_quality (dyno_result_get_value (result, "bandwidth_utilization_percent")),
                   ==, DYNO_QUALITY_MEASURED);
  g_assert_cmpuint (dyno_result_get_diagnostics (result)->len, ==, 0);
}

static const char *const names[] = { "ridge_point_flops_per_byte",
                                     "compute_bound",
                                     "memory_bound",
                                     "roof_distance_percent",
                                     "bandwidth_utilization_percent",
                                     "bandwidth_utilization_theoretical_percent" };

static void
assert_why (DynoResult *result, const char *name, const char *words)
{
  DynoValue *value = dyno_result_get_value (result, name);

  g_assert_nonnull (value);
  g_assert_cmpint (dyno_value_get_quality (value), ==, DYNO_QUALITY_UNSUPPORTED);
  g_test_message ("%s", dyno_value_get_source (value));
  g_assert_nonnull (strstr (dyno_value_get_source (value), words));
}

static void
assert_unsupported (DynoResult *result, const char *words)
{
  assert_why (result, "roof_distance_percent", words);
}

static void
assert_diagnostic (DynoResult *result, const char *code)
{
  GPtrArray *diagnostics = dyno_result_get_diagnostics (result);

  g_assert_cmpuint (diagnostics->len, >, 0);
  g_assert_cmpstr (dyno_diagnostic_get_code (diagnostics->pdata[0]), ==, code);
}

/* The memory provides 20 GB/s; a twentieth more is possible, because both are measured. */
static void
test_utilisation (void)
{
  const char *name = "bandwidth_utilization_percent";
  g_autoptr (GPtrArray) ceilings = create_ceilings ();
  g_autoptr (DynoResult) nearly = create_result_with ("CPU", 10e9, 20.9, DYNO_QUALITY_MEASURED);
  g_autoptr (DynoResult) counted = create_result_with ("CPU", 10e9, 21.5, DYNO_QUALITY_MEASURED);
  g_autoptr (DynoResult) modelled = create_result_with ("CPU", 10e9, 21.5, DYNO_QUALITY_ESTIMATED);

  dyno_roofline_complete (nearly, MACHINE, ceilings);
  g_assert_cmpfloat_with_epsilon (dyno_result_get_number (nearly, name), 104.5, 1e-9);
  dyno_roofline_complete (counted, MACHINE, ceilings);
  assert_why (counted, name, "counted 21.5 GB/s");
  assert_why (counted, name, "roof of 20 GB/s");
  assert_why (counted, name, "quiet machine with “dyno-cli ceilings --measure --threads 2”");
  dyno_roofline_complete (modelled, MACHINE, ceilings);
  assert_why (modelled, name, "21.5 GB/s");
  assert_why (modelled, name, "caches");
}

/* Memory that gives 20 GB/s of the 40 it should. */
static void
test_theoretical (void)
{
  const char *name = "bandwidth_utilization_theoretical_percent";
  g_autoptr (GPtrArray) ceilings = create_changed ("dram-read", "theoretical", 40e9);
  g_autoptr (GPtrArray) slow = create_changed ("dram-read", "theoretical", 4e9);
  g_autoptr (GPtrArray) unknown = create_ceilings ();
  g_autoptr (DynoResult) fine = create_result ("CPU", 10e9);
  g_autoptr (DynoResult) cached = create_result_with ("CPU", 10e9, 21.5, DYNO_QUALITY_ESTIMATED);
  g_autoptr (DynoResult) above = create_result ("CPU", 10e9);
  g_autoptr (DynoResult) without = create_result ("CPU", 10e9);
  const char *source;

  dyno_roofline_complete (fine, MACHINE, ceilings);
  g_assert_cmpfloat_with_epsilon (dyno_result_get_number (fine, name), 12.5, 1e-9);
  g_assert_cmpint (dyno_value_get_quality (dyno_result_get_value (fine, name)), ==, DYNO_QUALITY_ESTIMATED);
  source = dyno_value_get_source (dyno_result_get_value (fine, name));
  g_assert_nonnull (strstr (source, "40 GB/s"));
  dyno_roofline_complete (cached, MACHINE, ceilings);
  assert_why (cached, name, "caches");
  dyno_roofline_complete (above, MACHINE, slow);
  assert_why (above, name, "4 GB/s");
  dyno_roofline_complete (without, MACHINE, unknown);
  assert_why (without, name, "theoretical");
}

static void
assert_disturbed (GPtrArray *ceilings, double rate, const char *value, const char *words)
{
  g_autoptr (DynoResult) result = create_result ("CPU", rate);
  DynoDiagnostic *diagnostic;

  dyno_roofline_complete (result, MACHINE, ceilings);
  g_assert_nonnull (strstr (dyno_value_get_source (dyno_result_get_value (result, value)), words));
  assert_diagnostic (result, "disturbed-roof");
  diagnostic = g_ptr_array_index (dyno_result_get_diagnostics (result), 0);
  g_test_message ("%s", dyno_diagnostic_get_message (diagnostic));
  g_assert_nonnull (strstr (dyno_diagnostic_get_message (diagnostic), "dyno-cli ceilings --measure"));
}

static void
assert_sides (GPtrArray *ceilings, gboolean are_told)
{
  g_autoptr (DynoResult) result = create_result ("CPU", 10e9);

  dyno_roofline_complete (result, MACHINE, ceilings);
  g_assert_cmpint (isfinite (dyno_result_get_number (result, "memory_bound")), ==, are_told);
  g_assert_cmpint (isfinite (dyno_result_get_number (result, "compute_bound")), ==, are_told);
  g_assert_true (isfinite (dyno_result_get_number (result, "roof_distance_percent")));
  if (!are_told)
    assert_why (result, "memory_bound", "by 21 %");
}

/* A case far below roofs that vary too much may be near the true ones. */
static void
assert_no_cause (GPtrArray *ceilings)
{
  g_autoptr (DynoResult) result = create_result ("CPU", 9e9);

  dyno_result_take_diagnostic (result,
                               dyno_diagnostic_new (DYNO_SEVERITY_WARNING, "load-during", "A warning."));
  dyno_roofline_complete (result, MACHINE, ceilings);
  g_assert_null (dyno_result_find_message (result, "far-below-roofs"));
}

/* Roofs that vary by more than a fifth do not tell what bounds a case. */
static void
test_doubtful (void)
{
  g_autoptr (GPtrArray) enough = create_changed ("dram-read", "spread", 0.2);
  g_autoptr (GPtrArray) memory = create_changed ("dram-read", "spread", 0.21);
  g_autoptr (GPtrArray) compute = create_changed ("fp32-avx2", "spread", 0.21);
  g_autoptr (GPtrArray) unused = create_changed ("l3-read", "spread", 0.21);

  assert_sides (enough, TRUE);
  assert_sides (memory, FALSE);
  assert_sides (compute, FALSE);
  assert_sides (unused, TRUE);
  assert_no_cause (memory);
}

static void
warn (DynoResult *result, const char *code)
{
  dyno_result_take_diagnostic (result, dyno_diagnostic_new (DYNO_SEVERITY_WARNING, code, "A warning."));
}

/* The words of the probable cause, NULL for none; at 45 % of the memory roof, or at 75 %. */
static void
assert_cause (const char *code, double step_ms, double rate, const char *words)
{
  g_autoptr (GPtrArray) ceilings = create_ceilings ();
  g_autoptr (DynoResult) result = create_result ("CPU", rate);
  const char *message;

  if (code != NULL)
    warn (result, code);
  dyno_result_add_measured (result, "latency_p50_ms", step_ms, "ms", "test");
  dyno_roofline_complete (result, MACHINE, ceilings);
  dyno_roofline_complete (result, MACHINE, ceilings); /* says it once */
  message = dyno_result_find_message (result, "far-below-roofs");
  g_assert_cmpint (message != NULL, ==, words != NULL);
  if (words == NULL)
    return;
  g_assert_nonnull (strstr (message, words));
  g_assert_nonnull (strstr (message, "45 %"));
  g_assert_cmpuint (dyno_result_get_diagnostics (result)->len, ==, code != NULL ? 2 : 1);
}

/* Only what the case measured is named as the cause. */
static void
test_cause (void)
{
  assert_cause ("load-during", 5, 9e9, "other programs");
  assert_cause ("throttled-window", 5, 9e9, "control group");
  assert_cause ("oversubscribed", 5, 9e9, "threads");
  assert_cause (NULL, 0.085, 9e9, "a step takes only 85");
  assert_cause (NULL, 5, 9e9, NULL);
  assert_cause ("load-during", 5, 15e9, NULL);
}

/* Other programs do not explain the median of steps that they left alone. */
static void
test_cause_undisturbed (void)
{
  g_autoptr (GPtrArray) ceilings = create_ceilings ();
  g_autoptr (DynoResult) result = create_result ("CPU", 9e9);

  warn (result, "load-during");
  dyno_result_add_measured (result, "latency_p50_ms", 0.085, "ms", "test");
  dyno_result_add_measured (result, "latency_all_p50_ms", 0.2, "ms", "test");
  dyno_roofline_complete (result, MACHINE, ceilings);
  g_assert_nonnull (strstr (dyno_result_find_message (result, "far-below-roofs"), "a step takes only 85"));
}

/* A roof that varied during its measurement makes the judgement uncertain; a roof that is not used does not. */
static void
test_disturbed (void)
{
  g_autoptr (GPtrArray) memory = create_changed ("dram-read", "spread", 0.7);
  g_autoptr (GPtrArray) cache = create_changed ("l3-read", "spread", 0.2);
  g_autoptr (GPtrArray) compute = create_changed ("fp32-avx2", "spread", 0.06);
  g_autoptr (GPtrArray) copy = create_changed ("dram-copy", "spread", 0.7);
  g_autoptr (DynoResult) calm = create_result ("CPU", 10e9);
  g_autoptr (DynoResult) below_cache = create_result ("CPU", 10e9);

  assert_disturbed (memory, 10e9, "ridge_point_flops_per_byte", "dram-read (varied by 70 %");
  assert_disturbed (memory, 10e9, "roof_distance_percent", "dram-read (varied by 70 %");
  assert_disturbed (memory, 10e9, "bandwidth_utilization_percent", "dram-read (varied by 70 %");
  assert_disturbed (compute, 10e9, "ridge_point_flops_per_byte", "fp32-avx2 (varied by 6 %");
  assert_disturbed (cache, 50e9, "roof_distance_percent", "l3-read (varied by 20 %");
  dyno_roofline_complete (calm, MACHINE, copy);
  g_assert_cmpuint (dyno_result_get_diagnostics (calm)->len, ==, 0);
  dyno_roofline_complete (below_cache, MACHINE, cache);
  g_assert_cmpuint (dyno_result_get_diagnostics (below_cache)->len, ==, 0);
}

static void
assert_remedy (const char *backend,
               const char *device,
               guint threads,
               const char *pinning,
               const char *words,
               gboolean on_page)
{
  g_autoptr (DynoCase) kase = dyno_case_new ("model", backend);
  g_autoptr (DynoResult) result = NULL;

  g_object_set (kase, "device", device, "threads", threads, "pinning", pinning, NULL);
  result = dyno_result_new (kase, 0);
  dyno_roofline_complete (result, MACHINE, NULL);
  assert_unsupported (result, words);
  g_assert_cmpint (strstr (dyno_value_get_source (dyno_result_get_value (result, "memory_bound")),
                           "the Hardware page") != NULL,
                   ==, on_page);
  g_assert_cmpint (dyno_roofline_is_on_page (device[0] == 'G' ? "openvino:GPU.0" : "cpu",
                                             dyno_roofline_count_threads (kase, MACHINE), pinning, MACHINE),
                   ==, on_page);
}

/* Under load, the threads of all clients work below the same roof, no more of them than there is room for. */
static void
test_load (void)
{
  static const struct
  {
    const char *load;
    guint threads, busy;
  } loads[] = {
    { "single", 1, 1 },    { "concurrent=2", 1, 2 }, { "concurrent=64", 1, 2 },     { "rate=50/s", 1, 1 },
    { "rate=auto", 1, 2 }, { "concurrent=2", 0, 2 }, { "rate=5/s clients=2", 1, 2 }
  };

  for (guint i = 0; i < G_N_ELEMENTS (loads); i++)
    {
      g_autoptr (DynoCase) kase = dyno_case_new ("model", "cpu");

      g_object_set (kase, "threads", loads[i].threads, "load", loads[i].load, NULL);
      g_assert_cmpuint (dyno_roofline_count_busy_threads (kase, MACHINE), ==, loads[i].busy);
    }
}

/* The window's page knows devices, and the processor with one thread, one per core, and all; nothing else. */
static void
test_remedy (void)
{
  assert_remedy ("cpu", "", 0, "", "this machine and 2 threads.", TRUE);
  assert_remedy ("cpu", "", 1, "", "this machine and 1 thread.", TRUE);
  assert_remedy ("cpu", "", 3, "", "this machine and 3 threads.", FALSE);
  assert_remedy ("cpu", "", 1, "compact", "1 thread with pinning compact.", FALSE);
  assert_remedy ("cpu", "", 2, "compact", "2 threads with pinning compact.", FALSE);
  assert_remedy ("openvino", "GPU.0", 0, "", "the device openvino:GPU.0.", TRUE);
}

static void
expect_command (const char *device, const char *threads, const char *pinning, const char *expected)
{
  g_autofree char *command = dyno_roofline_dup_command (device, threads, pinning);

  g_assert_cmpstr (command, ==, expected);
}

static void
test_command (void)
{
  expect_command ("cpu", NULL, NULL, "dyno-cli ceilings --measure");
  expect_command ("cpu", "4", "", "dyno-cli ceilings --measure --threads 4");
  expect_command ("cpu", "N", "compact", "dyno-cli ceilings --measure --threads N --pinning compact");
  expect_command ("webgpu:0", "4", "compact", "dyno-cli ceilings --measure --device webgpu:0");
  expect_command ("webgpu", NULL, NULL, "dyno-cli ceilings --measure --device webgpu");
}

static void
test_nothing_known (void)
{
  g_autoptr (GPtrArray) ceilings = create_ceilings ();
  g_autoptr (DynoResult) unmeasured = create_result ("CPU", 10e9);
  g_autoptr (DynoResult) elsewhere = create_result ("NPU", 10e9);
  g_autoptr (DynoCase) kase = dyno_case_new ("model", "cpu");
  g_autoptr (DynoResult) unknown = dyno_result_new (kase, 0);

  dyno_roofline_complete (unmeasured, MACHINE, NULL);
  assert_unsupported (unmeasured, "ceilings --measure --threads 2");
  dyno_roofline_complete (elsewhere, MACHINE, ceilings);
  assert_unsupported (elsewhere, "“dyno-cli ceilings --measure --device openvino:NPU”");
  dyno_roofline_complete (unknown, MACHINE, ceilings);
  assert_unsupported (unknown, "bytes_per_step");
}

/* A device that copies its results back has no measurable memory roof, so none is requested. */
static void
test_without_memory (void)
{
  const char *why = "Its memory has no roof: every step brings the results to the page.";
  g_autoptr (GPtrArray) ceilings = create_ceilings ();
  g_autoptr (DynoResult) result = create_result ("NPU", 10e9);
  g_autoptr (DynoResult) above = create_result ("NPU", 5e12);
  DynoRoofline roofs;

  g_ptr_array_add (ceilings, g_object_new (DYNO_TYPE_CEILING, "id", "fp32-gemm", "device", "openvino:NPU",
                                           "kind", DYNO_CEILING_COMPUTE, "precision", "fp32", "value", 4e12,
                                           "unit", "FLOP/s", "derivation", why, NULL));
  g_assert_false (dyno_roofline_find (&roofs, ceilings, "openvino:NPU", 2, NULL, "fp32"));
  g_assert_cmpstr (dyno_roofline_get_obstacle (&roofs), ==, why);
  dyno_roofline_complete (result, MACHINE, ceilings);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    g_assert_cmpstr (dyno_value_get_source (dyno_result_get_value (result, names[i])), ==, why);
  g_assert_cmpuint (dyno_result_get_diagnostics (result)->len, ==, 0);
  dyno_roofline_complete (above, MACHINE, ceilings);
  assert_diagnostic (above, "above-roof");
  g_assert_true (dyno_roofline_find (&roofs, ceilings, "openvino:GPU.0", 2, NULL, "fp32"));
  g_assert_null (dyno_roofline_get_obstacle (&roofs));
  g_assert_false (dyno_roofline_find (&roofs, ceilings, "cpu", 1, NULL, "fp32"));
  g_assert_null (dyno_roofline_get_obstacle (&roofs));
}

static void
test_above (void)
{
  g_autoptr (GPtrArray) ceilings = create_ceilings ();
  g_autoptr (DynoResult) result = create_result ("CPU", 300e9);

  dyno_roofline_complete (result, MACHINE, ceilings);
  assert_diagnostic (result, "above-roof");
}

static DynoResult *
create_reading (double bytes,
                const char *precision,
                double inter_token_ms,
                double flops,
                double product_ms,
                double other_ms)
{
  g_autoptr (DynoCase) kase = dyno_case_new ("model", "cpu");
  DynoResult *result;

  g_object_set (kase, "precision", precision, "generate-tokens", 8, NULL);
  result = dyno_result_new (kase, 0);
  dyno_result_add_measured (result, "flops", 10e9, "FLOP", "test");
  dyno_result_add_measured (result, "flops_per_sec", 10e9, "FLOP/s", "test");
  dyno_result_add_measured (result, "bytes_per_step", 1e9, "B", "test");
  dyno_result_add_measured (result, "avg_bandwidth_gbps", 5, "GB/s", "test");
  dyno_result_add_measured (result, "inter_token_latency_ms", inter_token_ms, "ms", "test");
  dyno_result_add_measured (result, "decode_flops", flops, "FLOP", "test");
  dyno_result_add_measured (result, "decode_bytes", 120e6, "B", "test");
  dyno_result_add_measured (result, "decode_product_bytes", bytes, "B", "test");
  dyno_result_add_measured (result, "decode_flops_per_sec", flops / inter_token_ms * 1e3, "FLOP/s", "test");
  if (isfinite (product_ms))
    dyno_result_add_measured (result, "decode_product_ms", product_ms, "ms", "test");
  if (isfinite (product_ms))
    dyno_result_add_measured (result, "decode_other_ms", other_ms, "ms", "test");
  return result;
}

/* A step that decodes reads 10 GB/s of 20, at 1 FLOP/B; over the prompt 30 FLOP are computed with each byte. */
static DynoResult *
create_generation (
    const char *precision, double inter_token_ms, double flops, double product_ms, double other_ms)
{
  return create_reading (100e6, precision, inter_token_ms, flops, product_ms, other_ms);
}

static void
test_decode (void)
{
  g_autoptr (GPtrArray) ceilings = create_ceilings ();
  g_autoptr (DynoResult) result = create_generation ("fp32", 10, 120e6, 8, 2);
  g_autoptr (DynoResult) cached = create_generation ("fp32", 4, 120e6, 3, 1);
  g_autoptr (DynoResult) fast = create_generation ("fp32", 10, 120e6, 8, 2);
  g_autoptr (DynoResult) without = create_generation ("fp32", 10, 120e6, 8, 2);

  for (guint i = 0; i < 2; i++)
    dyno_roofline_complete (result, MACHINE, ceilings);
  g_assert_cmpfloat_with_epsilon (dyno_result_get_number (result, "decode_read_percent"), 50, 1e-9);
  g_assert_cmpfloat (dyno_result_get_number (result, "ridge_point_flops_per_byte"), ==, 10);
  g_assert_cmpfloat_with_epsilon (dyno_result_get_number (result, "bandwidth_utilization_percent"), 25, 1e-9);
  assert_unsupported (result, "Prefill and decode");
  assert_why (result, "memory_bound", "Prefill and decode");
  g_assert_cmpuint (dyno_result_get_diagnostics (result)->len, ==, 0);
  dyno_roofline_complete (cached, MACHINE, ceilings);
  assert_why (cached, "decode_read_percent", "25 GB/s, more than the roof of 20 GB/s (dram-read)");
  dyno_result_add_measured (fast, "prefill_flops", 30e9, "FLOP", "test");
  dyno_result_add_measured (fast, "prefill_bytes", 1e9, "B", "test");
  dyno_result_add_measured (fast, "prefill_flops_per_sec", 300e9, "FLOP/s", "test");
  dyno_roofline_complete (fast, MACHINE, ceilings);
  assert_diagnostic (fast, "above-roof");
  dyno_roofline_complete (without, MACHINE, NULL);
  assert_why (without, "decode_read_percent", "ceilings --measure --threads 2");
}

static void
add_of_stage (DynoResult *result, const char *stage, const char *what, double number)
{
  g_autofree char *name = g_strdup_printf ("stage_%s_%s", stage, what);

  dyno_result_add_measured (result, name, number, "", "test");
}

/* The encoder computes for 100 ms at best. The decoder computes its prompt in 10 ms, and reads 2 GB in 100 ms. */
static DynoResult *
create_stages (double encoder_ms, double decoder_ms)
{
  DynoResult *result = create_generation ("fp32", 10, 120e6, 8, 2);

  add_of_stage (result, "encoder", "p50_ms", encoder_ms);
  add_of_stage (result, "encoder", "flops", 20e9);
  add_of_stage (result, "encoder", "bytes", 1e9);
  add_of_stage (result, "decoder", "p50_ms", decoder_ms);
  add_of_stage (result, "decoder", "flops", 3e9);
  add_of_stage (result, "decoder", "bytes", 2.1e9);
  add_of_stage (result, "decoder", "decode_flops", 1e9);
  add_of_stage (result, "decoder", "decode_bytes", 2e9);
  return result;
}

static void
assert_stage (DynoResult *result, const char *stage, double roof_ms, int compute_bound, int memory_bound)
{
  const double expected[] = { roof_ms, compute_bound, memory_bound };
  static const char *const what[] = { "roof_ms", "compute_bound", "memory_bound" };

  for (guint i = 0; i < G_N_ELEMENTS (what); i++)
    {
      g_autofree char *name = g_strdup_printf ("stage_%s_%s", stage, what[i]);

      g_test_message ("%s", name);
      g_assert_true (dyno_roofline_is_derived (name));
      g_assert_cmpfloat_with_epsilon (dyno_result_get_number (result, name), expected[i], 1e-9);
    }
}

static void
test_stages (void)
{
  g_autoptr (GPtrArray) ceilings = create_ceilings ();
  g_autoptr (GPtrArray) doubtful = create_changed ("dram-read", "spread", 0.21);
  g_autoptr (DynoResult) near = create_stages (125, 137.5);
  g_autoptr (DynoResult) far = create_stages (250, 300);
  guint n_values;

  dyno_roofline_complete (near, MACHINE, ceilings);
  assert_stage (near, "encoder", 100, 1, 0);
  assert_stage (near, "decoder", 110, 0, 1);
  n_values = dyno_result_get_values (near)->len;
  dyno_roofline_complete (near, MACHINE, ceilings);
  g_assert_cmpuint (dyno_result_get_values (near)->len, ==, n_values);
  dyno_roofline_complete (far, MACHINE, ceilings);
  assert_stage (far, "encoder", 100, 0, 0);
  assert_stage (far, "decoder", 110, 0, 0);
  dyno_roofline_complete (near, MACHINE, doubtful);
  g_assert_null (dyno_result_get_value (near, "stage_decoder_roof_ms"));
  dyno_roofline_complete (near, MACHINE, NULL);
  g_assert_null (dyno_result_get_value (near, "stage_encoder_roof_ms"));
  g_assert_false (dyno_roofline_is_derived ("stage_encoder_p50_ms"));
}

/* A stage in another precision has other roofs, and the model as a whole has none. */
static void
test_mixed_stages (void)
{
  g_autoptr (GPtrArray) ceilings = create_ceilings ();
  g_autoptr (DynoResult) result = create_stages (125, 137.5);

  g_object_set (dyno_result_get_case (result), "options", "encoder.precision=fp16", NULL);
  dyno_roofline_complete (result, MACHINE, ceilings);
  /* 20 FLOP per byte are right of the ridge of fp32, and on that of fp16, whose roof is twice as high. */
  assert_stage (result, "encoder", 50, 0, 0);
  assert_stage (result, "decoder", 110, 0, 1);
  assert_why (result, "memory_bound", "See those of its stages");
  g_object_set (dyno_result_get_case (result), "options", "decoder.device=openvino:GPU.0,encoder.threads=1",
                NULL);
  dyno_roofline_complete (result, MACHINE, ceilings);
  /* One thread has no measured memory roof. */
  g_assert_null (dyno_result_get_value (result, "stage_encoder_roof_ms"));
  g_assert_nonnull (dyno_result_get_value (result, "stage_decoder_roof_ms"));
}

/* The ceiling of the cache was measured over 8 MB for each of two threads, so the cache holds 32 MB. */
static GPtrArray *
create_sized (void)
{
  return create_changed ("l3-read", "bytes", 8e6);
}

/* What a cache holds is read from there: 32 GB/s are more than memory gives, and less than a half of what the cache does. */
static void
test_decode_in_cache (void)
{
  g_autoptr (GPtrArray) ceilings = create_sized ();
  g_autoptr (DynoResult) held = create_reading (32e6, "fp32", 1, 40e6, 0.8, 0.2);
  g_autoptr (DynoResult) slow = create_reading (32e6, "fp32", 4, 40e6, 3, 1);
  g_autoptr (DynoResult) beyond = create_reading (33e6, "fp32", 4, 40e6, 3, 1);
  GPtrArray *diagnostics = dyno_result_get_diagnostics (held);

  dyno_roofline_complete (held, MACHINE, ceilings);
  g_assert_cmpfloat_with_epsilon (dyno_result_get_number (held, "decode_read_percent"), 32, 1e-9);
  assert_diagnostic (held, "decode-below-roof");
  g_assert_nonnull (strstr (dyno_diagnostic_get_message (diagnostics->pdata[0]), "32 % of the roof l3-"));
  dyno_roofline_complete (slow, MACHINE, ceilings);
  g_assert_cmpfloat_with_epsilon (dyno_result_get_number (slow, "decode_read_percent"), 8, 1e-9);
  dyno_roofline_complete (beyond, MACHINE, ceilings);
  g_assert_cmpfloat_with_epsilon (dyno_result_get_number (beyond, "decode_read_percent"), 41.25, 1e-9);
}

static void
assert_below (DynoResult *result, const char *words)
{
  g_autoptr (GPtrArray) ceilings = create_ceilings ();
  GPtrArray *diagnostics = dyno_result_get_diagnostics (result);

  for (guint i = 0; i < 2; i++) /* said once */
    dyno_roofline_complete (result, MACHINE, ceilings);
  g_assert_cmpuint (diagnostics->len, ==, 1);
  assert_diagnostic (result, "decode-below-roof");
  g_test_message ("%s", dyno_diagnostic_get_message (diagnostics->pdata[0]));
  g_assert_nonnull (strstr (dyno_diagnostic_get_message (diagnostics->pdata[0]), words));
}

/* A quarter of the roof, and what the step does meanwhile. */
static void
test_decode_below (void)
{
  g_autoptr (DynoResult) products = create_generation ("fp32", 20, 120e6, 15, 5);
  g_autoptr (DynoResult) unpacks = create_generation ("int4-32", 20, 120e6, 15, 5);
  g_autoptr (DynoResult) others = create_generation ("fp32", 20, 120e6, 5, 15);
  g_autoptr (DynoResult) between = create_generation ("fp32", 20, 120e6, 5, 4);
  g_autoptr (DynoResult) little = create_generation ("int4-32", 40, 120e6, 11, 20);
  g_autoptr (DynoResult) passes = create_generation ("fp32", 40, 120e6, 11, 9);
  g_autoptr (DynoResult) slowed = create_generation ("fp32", 20, 120e6, 30, 20);
  g_autoptr (DynoResult) fast = create_generation ("fp32", 20, 120e6, 9, 8);
  g_autoptr (DynoResult) untimed = create_generation ("fp32", 20, 120e6, NAN, NAN);
  g_autoptr (DynoResult) many = create_generation ("fp32", 20, 1300e6, 15, 5);

  assert_below (products, "reads at 25 % of the roof dram-read. Matrix products take 75 %");
  assert_below (products, "6.67\u00a0GB/s: they do not read as fast");
  assert_below (unpacks, "unpacking the quantised weights");
  assert_below (others, "other than matrix products take 75 % of the time");
  assert_below (between, "take 9\u00a0ms of its 20\u00a0ms");
  assert_below (little, "other than matrix products take 50 % of the time"); /* the products read at 9 GB/s */
  assert_below (passes, "take 20\u00a0ms of its 40\u00a0ms");
  assert_below (slowed,
                "take 60 % of the operators’ time and read 8.33\u00a0GB/s"); /* 30 of 50 ms, so 12 of 20 */
  assert_below (fast, "other than matrix products take 40 % of the time");   /* they read at 11 of 20 GB/s */
  assert_below (untimed, "does not tell how long");
  assert_below (many, "compute is the limit");
}

static const SuiteTest tests[] = {
  { "/roofline/place", test_place },
  { "/roofline/find", test_find },
  { "/roofline/device", test_device },
  { "/roofline/complete", test_complete },
  { "/roofline/utilisation", test_utilisation },
  { "/roofline/theoretical", test_theoretical },
  { "/roofline/disturbed", test_disturbed },
  { "/roofline/doubtful", test_doubtful },
  { "/roofline/cause", test_cause },
  { "/roofline/cause-undisturbed", test_cause_undisturbed },
  { "/roofline/remedy", test_remedy },
  { "/roofline/load", test_load },
  { "/roofline/command", test_command },
  { "/roofline/nothing-known", test_nothing_known },
  { "/roofline/without-memory", test_without_memory },
  { "/roofline/above", test_above },
  { "/roofline/decode", test_decode },
  { "/roofline/stages", test_stages },
  { "/roofline/mixed-stages", test_mixed_stages },
  { "/roofline/decode-in-cache", test_decode_in_cache },
  { "/roofline/decode-below", test_decode_below },
};

SUITE_TESTS (tests)
