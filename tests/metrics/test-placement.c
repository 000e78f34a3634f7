/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "metric-fixture.h"
#include "suite.h"

#define GPU "WebGpuExecutionProvider"
#define CPU "CPUExecutionProvider"

static DynoMeasurement *
create_measurement (const char *provider)
{
  DynoMeasurement *measurement = dyno_measurement_new ();

  measurement->provider = g_strdup (provider);
  return measurement;
}

static void
add_operator (
    DynoMeasurement *measurement, const char *type, const char *provider, gint64 calls, gint64 flops)
{
  DynoOperator *op = dyno_operator_new (type, type, provider);

  dyno_operator_set_calls (op, calls);
  dyno_operator_set_flops (op, flops);
  dyno_measurement_take_operator (measurement, op);
}

static void
collect (DynoMeasurement *measurement)
{
  g_autoptr (DynoMetric) metric = metric_fixture_create ("placement");

  dyno_metric_collect (metric, measurement);
}

static const char *
find_fallback (DynoMeasurement *measurement)
{
  for (guint i = 0; i < measurement->diagnostics->len; i++)
    if (g_str_equal (dyno_diagnostic_get_code (measurement->diagnostics->pdata[i]), "fallback"))
      return dyno_diagnostic_get_message (measurement->diagnostics->pdata[i]);
  return NULL;
}

static void
test_all_placed (void)
{
  g_autoptr (DynoMeasurement) measurement = create_measurement (GPU);

  add_operator (measurement, "MatMul", GPU, 10, 1000);
  add_operator (measurement, "Reshape", GPU, 10, 0);
  collect (measurement);
  g_assert_cmpfloat (dyno_measurement_get_number (measurement, "placement_percent"), ==, 100);
  g_assert_cmpfloat (dyno_measurement_get_number (measurement, "placement_operators_percent"), ==, 100);
  g_assert_null (find_fallback (measurement));
}

static void
test_fallback (void)
{
  g_autoptr (DynoMeasurement) measurement = create_measurement (GPU);

  add_operator (measurement, "MatMul", GPU, 10, 900);
  add_operator (measurement, "Erf", CPU, 10, 100);
  add_operator (measurement, "Gather", CPU, 10, 0);
  add_operator (measurement, "Gather", CPU, 10, 0);
  collect (measurement);
  g_assert_cmpfloat (dyno_measurement_get_number (measurement, "placement_percent"), ==, 90);
  g_assert_cmpfloat (dyno_measurement_get_number (measurement, "placement_operators_percent"), ==, 25);
  g_assert_nonnull (strstr (find_fallback (measurement), "90.0 %"));
  g_assert_nonnull (strstr (find_fallback (measurement), "1 × Erf (" CPU "), 2 × Gather (" CPU ")"));
}

/* All work is on the requested device; data movement elsewhere is still reported. */
static void
test_only_moves_elsewhere (void)
{
  g_autoptr (DynoMeasurement) measurement = create_measurement (GPU);

  add_operator (measurement, "MatMul", GPU, 3, 900);
  add_operator (measurement, "Shape", CPU, 1, 0);
  collect (measurement);
  g_assert_cmpfloat (dyno_measurement_get_number (measurement, "placement_percent"), ==, 100);
  g_assert_cmpfloat (dyno_measurement_get_number (measurement, "placement_operators_percent"), ==, 75);
  g_assert_nonnull (strstr (find_fallback (measurement), "Shape"));
}

static const char *
get_source (DynoMeasurement *measurement, const char *name)
{
  for (guint i = 0; i < measurement->values->len; i++)
    if (g_str_equal (dyno_value_get_name (measurement->values->pdata[i]), name))
      return dyno_value_get_source (measurement->values->pdata[i]);
  g_error ("There is no value “%s”.", name);
}

static void
test_work_unknown (void)
{
  g_autoptr (DynoMeasurement) measurement = create_measurement ("OpenVINO GPU");

  add_operator (measurement, "FullyConnected", "OpenVINO GPU", 3, -1);
  add_operator (measurement, "Eltwise", "OpenVINO CPU", 1, -1);
  collect (measurement);
  g_assert_cmpfloat (dyno_measurement_get_number (measurement, "placement_percent"), ==, 75);
  g_assert_nonnull (strstr (get_source (measurement, "placement_percent"), "share of the operators"));
}

static void
test_not_told (void)
{
  g_autoptr (DynoMeasurement) no_provider = create_measurement (NULL);
  g_autoptr (DynoMeasurement) no_profile = create_measurement (GPU);

  add_operator (no_provider, "MatMul", NULL, 3, 900);
  collect (no_provider);
  g_assert_nonnull (strstr (get_source (no_provider, "placement_percent"), "does not report"));
  g_assert_null (find_fallback (no_provider));
  collect (no_profile);
  g_assert_nonnull (strstr (get_source (no_profile, "placement_operators_percent"), "analysed"));
}

static int
run_suite (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/placement/all-placed", test_all_placed);
  g_test_add_func ("/placement/fallback", test_fallback);
  g_test_add_func ("/placement/only-moves-elsewhere", test_only_moves_elsewhere);
  g_test_add_func ("/placement/work-unknown", test_work_unknown);
  g_test_add_func ("/placement/not-told", test_not_told);
  return g_test_run ();
}

SUITE (run_suite)
