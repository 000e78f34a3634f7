/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "dyno-session.h"
#include "metric-fixture.h"
#include "suite.h"

#define CUDA "CUDAExecutionProvider"
#define CPU  "CPUExecutionProvider"

static void
add_node (DynoMeasurement *measurement, const char *provider, gint64 time_ns)
{
  DynoNodeProfile *node = g_new0 (DynoNodeProfile, 1);

  node->name = g_strdup_printf ("node%u", measurement->analysis.profile->len);
  node->op_type = g_strdup ("MatMul");
  node->provider = g_strdup (provider);
  node->calls = 1;
  node->time_ns = time_ns;
  node->inputs = g_array_new (FALSE, FALSE, sizeof (DynoShape));
  node->outputs = g_array_new (FALSE, FALSE, sizeof (DynoShape));
  g_ptr_array_add (measurement->analysis.profile, node);
}

static DynoMeasurement *
measure (gint64 time_on_device)
{
  g_autoptr (DynoMetric) metric = metric_fixture_create ("flops");
  g_autoptr (GError) error = NULL;
  DynoMeasurement *measurement = dyno_measurement_new ();

  measurement->model = dyno_model_load ("resnet-18", &error);
  g_assert_no_error (error);
  measurement->analysis.profile = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_node_profile_free);
  add_node (measurement, CUDA, time_on_device);
  add_node (measurement, CPU, 5000);
  dyno_metric_analysed (metric, measurement);
  return measurement;
}

/* A diagnostic says why some operators have no time. */
static void
test_untimed_operators (void)
{
  g_autoptr (DynoMeasurement) measurement = measure (-1);
  DynoDiagnostic *diagnostic;

  g_assert_cmpuint (measurement->diagnostics->len, ==, 1);
  diagnostic = measurement->diagnostics->pdata[0];
  g_assert_cmpstr (dyno_diagnostic_get_code (diagnostic), ==, "untimed-operators");
  g_assert_nonnull (strstr (dyno_diagnostic_get_message (diagnostic), "1 of 2 operators"));
  g_assert_nonnull (strstr (dyno_diagnostic_get_message (diagnostic), CUDA));
  g_assert_cmpint (dyno_operator_get_time_ns (measurement->operators->pdata[0]), ==, -1);
  g_assert_cmpint (dyno_operator_get_time_ns (measurement->operators->pdata[1]), ==, 5000);
}

static void
test_timed_operators (void)
{
  g_autoptr (DynoMeasurement) measurement = measure (7000);

  g_assert_cmpuint (measurement->diagnostics->len, ==, 0);
  g_assert_cmpint (dyno_operator_get_time_ns (measurement->operators->pdata[0]), ==, 7000);
}

static void
add_shape (GArray *shapes, gint64 rows, gint64 columns)
{
  DynoShape shape = { DYNO_DATA_TYPE_FLOAT, 2, { rows, columns } };

  g_array_append_val (shapes, shape);
}

/* One product of 2 × 3 by 3 × 4 numbers, in steps of 1 ms. */
static DynoMeasurement *
measure_with (const char *further, guint n_requests, DynoSteadiness steadiness)
{
  g_autoptr (DynoMetric) metric = metric_fixture_create ("flops");
  g_autoptr (GError) error = NULL;
  DynoMeasurement *measurement = dyno_measurement_new ();
  DynoNodeProfile *node;

  measurement->model = dyno_model_load ("resnet-18", &error);
  g_assert_no_error (error);
  measurement->n_requests = n_requests;
  measurement->analysis.profile = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_node_profile_free);
  add_node (measurement, CPU, 5000);
  node = measurement->analysis.profile->pdata[0];
  add_shape (node->inputs, 2, 3);
  add_shape (node->inputs, 3, 4);
  add_shape (node->outputs, 2, 4);
  if (further != NULL)
    {
      add_node (measurement, CPU, 5000);
      node = measurement->analysis.profile->pdata[1];
      g_free (node->op_type);
      node->op_type = g_strdup (further);
      add_shape (node->outputs, 2, 4);
    }
  measurement->analysis.shapes = g_ptr_array_ref (measurement->analysis.profile);
  measurement->analysis.traffic = g_ptr_array_ref (measurement->analysis.profile);
  measurement->analysis.traffic_steps = 1;
  dyno_measurement_add_measured (measurement, "latency_p50_ms", 1, "ms", "clock");
  measurement->samples = dyno_samples_new (1);
  dyno_samples_record (measurement->samples, 0, 1000000);
  measurement->steady_end = 1;
  measurement->steadiness = steadiness;
  dyno_metric_analysed (metric, measurement);
  return measurement;
}

static DynoMeasurement *
measure_requests (guint n_requests, DynoSteadiness steadiness)
{
  return measure_with (NULL, n_requests, steadiness);
}

static void
assert_unknown (DynoMeasurement *measurement, const char *name, const char *text)
{
  DynoValue *value = dyno_measurement_get_value (measurement, name);

  g_assert_cmpint (dyno_value_get_quality (value), ==, DYNO_QUALITY_UNSUPPORTED);
  g_assert_nonnull (strstr (dyno_value_get_source (value), text));
}

/* Without a rule for one operator there is no total, but the least that it is, and the case stands. */
static void
test_no_rule (void)
{
  g_autoptr (DynoMeasurement) measurement = measure_with ("Frobnicate", 1, DYNO_STEADINESS_FLAT);
  DynoDiagnostic *diagnostic;

  g_assert_cmpuint (measurement->diagnostics->len, ==, 1);
  diagnostic = measurement->diagnostics->pdata[0];
  assert_unknown (measurement, "flops", "Frobnicate. A step has at least");
  assert_unknown (measurement, "flops_per_sec", "Frobnicate");
  g_assert_null (dyno_measurement_get_value (measurement, "arithmetic_intensity_flops_per_byte"));
  g_assert_cmpfloat (dyno_measurement_get_number (measurement, "bytes_per_step"), >, 0);
  g_assert_cmpstr (dyno_diagnostic_get_code (diagnostic), ==, "unknown-operators");
  g_assert_cmpint (dyno_diagnostic_get_severity (diagnostic), ==, DYNO_SEVERITY_INFO);
  g_assert_cmpint (dyno_operator_get_flops (measurement->operators->pdata[0]), ==, 48);
  g_assert_cmpint (dyno_operator_get_flops (measurement->operators->pdata[1]), ==, -1);
}

/* A step is the work of all its requests; its operators are those of one. */
static void
test_requests (void)
{
  const double flops = 2 * 2 * 3 * 4;
  const double bytes = 4 * (2 * 3 + 3 * 4 + 2 * 4);

  for (guint n = 1; n <= 3; n++)
    {
      g_autoptr (DynoMeasurement) measurement = measure_requests (n, DYNO_STEADINESS_FLAT);

      g_assert_cmpfloat (dyno_measurement_get_number (measurement, "flops"), ==, n * flops);
      g_assert_cmpfloat (dyno_measurement_get_number (measurement, "bytes_per_step"), ==, n * bytes);
      g_assert_cmpfloat_with_epsilon (dyno_measurement_get_number (measurement, "flops_per_sec"),
                                      n * flops * 1e3, 1e-6);
      g_assert_cmpfloat_with_epsilon (
          dyno_measurement_get_number (measurement, "arithmetic_intensity_flops_per_byte"), flops / bytes,
          1e-12);
      g_assert_cmpint (dyno_operator_get_flops (measurement->operators->pdata[0]), ==, (gint64)flops);
    }
}

/* The rate of an unsteady case is shown and marked. */
static void
test_unsteady (void)
{
  g_autoptr (DynoMeasurement) measurement = measure_requests (1, DYNO_STEADINESS_NONE);
  DynoValue *value = dyno_measurement_get_value (measurement, "flops_per_sec");

  g_assert_nonnull (value);
  g_assert_cmpint (dyno_value_get_quality (value), ==, DYNO_QUALITY_UNSTEADY);
  g_assert_nonnull (strstr (dyno_value_get_source (value), dyno_measurement_explain_unsteady (measurement)));
  g_assert_cmpfloat (dyno_measurement_get_number (measurement, "flops"), >, 0);
}

static const SuiteTest tests[] = {
  { "/flops/untimed-operators", test_untimed_operators },
  { "/flops/timed-operators", test_timed_operators },
  { "/flops/requests", test_requests },
  { "/flops/no-rule", test_no_rule },
  { "/flops/unsteady", test_unsteady },
};

SUITE_TESTS (tests)
