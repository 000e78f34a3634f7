/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <sched.h>
#include <string.h>

#include "dyno-pinning.h"
#include "dyno-worker-private.h"
#include "suite.h"

static DynoMeasurement *
create_measurement (void)
{
  DynoMeasurement *measurement = dyno_measurement_new ();

  dyno_measurement_add_measured (measurement, "latency_p50_ms", 2, "ms", "clock");
  measurement->settings = g_hash_table_new (g_str_hash, g_str_equal);
  g_hash_table_insert (measurement->settings, (gpointer) "inference-precision", (gpointer) "fp32");
  g_hash_table_insert (measurement->settings, (gpointer) "threads", (gpointer) "1");
  g_hash_table_insert (measurement->settings, (gpointer) "streams", (gpointer) "2");
  g_hash_table_insert (measurement->settings, (gpointer) "hint", (gpointer) "latency");
  return measurement;
}

/* The diagnostic if these are OpenVINO's defaults. */
static char *
report_under (const DynoLoad *load, const char *alone)
{
  g_autofree char *model = g_test_build_filename (G_TEST_DIST, "backends", "fixtures", "affine.onnx", NULL);
  g_autoptr (DynoCase) kase = g_object_new (DYNO_TYPE_CASE, "model", model, "backend", "openvino", "device",
                                            "GPU", "batch-size", 1, "threads", 1, NULL);
  g_autoptr (DynoMeasurement) measurement = create_measurement ();
  DynoDiagnostic *diagnostic;

  if (load != NULL)
    measurement->load = dyno_load_outcome_new (load);
  g_setenv ("DYNO_FAKE_OV_ALONE", alone, TRUE);
  dyno_engine_default_report (kase, dyno_backend_lookup ("openvino", NULL), measurement);
  if (measurement->diagnostics->len == 0)
    return NULL;
  g_assert_cmpuint (measurement->diagnostics->len, ==, 1);
  diagnostic = measurement->diagnostics->pdata[0];
  g_assert_cmpstr (dyno_diagnostic_get_code (diagnostic), ==, "engine-default");
  g_test_message ("%s", dyno_diagnostic_get_message (diagnostic));
  return g_strdup (dyno_diagnostic_get_message (diagnostic));
}

static char *
report (const char *alone)
{
  return report_under (NULL, alone);
}

static void
assert_says (const char *message, const char *words)
{
  g_assert_nonnull (message);
  g_assert_nonnull (strstr (message, words));
}

/* One sentence and one trial for all that differs. */
static void
test_differences (void)
{
  g_autofree char *message = report ("INFERENCE_PRECISION_HINT=bf16,INFERENCE_NUM_THREADS=4,NUM_STREAMS=1,"
                                     "PERFORMANCE_HINT=THROUGHPUT");

  assert_says (message, "Left to itself, OpenVINO would use bf16, 4 threads, 1 stream and the hint "
                        "“throughput” here, not fp32, 1 thread, 2 streams and the hint “latency”: ");
  assert_says (message,
               " instead of 2\u00a0ms. To measure that, set “inference-precision=bf16”, “threads=4”, "
               "“streams=1” and “hint=throughput”.");
}

static void
test_one_difference (void)
{
  g_autofree char *message = report ("INFERENCE_PRECISION_HINT=f32,INFERENCE_NUM_THREADS=4,NUM_STREAMS=2,"
                                     "PERFORMANCE_HINT=LATENCY");

  assert_says (message, "would use 4 threads here, not 1 thread: in a short trial, a step took ");
  assert_says (message, "set “threads=4”.");
}

/* A setting that is not reported does not differ. */
static void
test_no_difference (void)
{
  g_assert_null (report ("INFERENCE_PRECISION_HINT=f32,INFERENCE_NUM_THREADS=1,NUM_STREAMS=2"));
  g_assert_null (report (""));
}

static void
test_failing_trial (void)
{
  g_autofree char *message = NULL;

  g_setenv ("DYNO_FAKE_OV_FAILS", "any", TRUE);
  message = report ("INFERENCE_PRECISION_HINT=bf16,INFERENCE_NUM_THREADS=4");
  g_unsetenv ("DYNO_FAKE_OV_FAILS");
  g_assert_cmpstr (message, ==,
                   "Left to itself, OpenVINO would use bf16 and 4 threads here, not fp32 and 1 thread. "
                   "To measure that, set “inference-precision=bf16” and “threads=4”.");
}

/* An engine on the single processor of the work would report one thread. */
static void
test_is_not_pinned (void)
{
  g_autofree char *message = NULL;
  g_autofree char *expected = NULL;
  g_autoptr (GError) error = NULL;
  cpu_set_t allowed;

  g_assert_cmpint (sched_getaffinity (0, sizeof allowed, &allowed), ==, 0);
  if (CPU_COUNT (&allowed) == 1)
    {
      g_test_skip ("There is one processor.");
      return;
    }
  if (!dyno_pinning_bind (NULL, 1, &error))
    {
      g_test_skip (error->message);
      return;
    }
  message = report ("INFERENCE_NUM_THREADS=all");
  expected = g_strdup_printf ("“threads=%d”", CPU_COUNT (&allowed));
  assert_says (message, expected);
}

/* A request waits, which a step of the trial does not. */
static void
test_under_load (void)
{
  const DynoLoad load = { .shape = DYNO_LOAD_CONCURRENT, .clients = 2 };
  g_autofree char *message = report_under (&load, "NUM_STREAMS=1");

  assert_says (message, "1 stream");
  g_assert_null (strstr (message, "in a short trial"));
}

static void
add_tests (void)
{
  g_setenv ("DYNO_OPENVINO", g_getenv ("DYNO_TEST_OPENVINO"), TRUE);

  g_test_add_func ("/engine-default/differences", test_differences);
  g_test_add_func ("/engine-default/one-difference", test_one_difference);
  g_test_add_func ("/engine-default/no-difference", test_no_difference);
  g_test_add_func ("/engine-default/failing-trial", test_failing_trial);
  g_test_add_func ("/engine-default/is-not-pinned", test_is_not_pinned);
  g_test_add_func ("/engine-default/under-load", test_under_load);
}

SUITE_ADD (add_tests)
