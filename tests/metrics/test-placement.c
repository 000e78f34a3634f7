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

static void
test_all_placed (void)
{
  g_autoptr (DynoMeasurement) measurement = create_measurement (GPU);

  add_operator (measurement, "MatMul", GPU, 10, 1000);
  add_operator (measurement, "Reshape", GPU, 10, 0);
  collect (measurement);
  g_assert_cmpfloat (dyno_measurement_get_number (measurement, "placement_percent"), ==, 100);
  g_assert_cmpfloat (dyno_measurement_get_number (measurement, "placement_operators_percent"), ==, 100);
  g_assert_null (metric_fixture_find_diagnostic (measurement, "fallback"));
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
  metric_fixture_assert_said (measurement, "fallback", "90.0 %");
  metric_fixture_assert_said (measurement, "fallback", "1 × Erf (" CPU "), 2 × Gather (" CPU ")");
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
  metric_fixture_assert_said (measurement, "fallback", "Shape");
}

static void
test_work_unknown (void)
{
  g_autoptr (DynoMeasurement) measurement = create_measurement ("OpenVINO GPU");

  add_operator (measurement, "FullyConnected", "OpenVINO GPU", 3, -1);
  add_operator (measurement, "Eltwise", "OpenVINO CPU", 1, -1);
  collect (measurement);
  g_assert_cmpfloat (dyno_measurement_get_number (measurement, "placement_percent"), ==, 75);
  g_assert_nonnull (
      strstr (dyno_value_get_source (dyno_measurement_get_value (measurement, "placement_percent")),
              "share of the operators"));
}

static void
test_not_told (void)
{
  g_autoptr (DynoMeasurement) no_provider = create_measurement (NULL);
  g_autoptr (DynoMeasurement) no_profile = create_measurement (GPU);

  add_operator (no_provider, "MatMul", NULL, 3, 900);
  collect (no_provider);
  g_assert_nonnull (
      strstr (dyno_value_get_source (dyno_measurement_get_value (no_provider, "placement_percent")),
              "does not report"));
  g_assert_null (metric_fixture_find_diagnostic (no_provider, "fallback"));
  collect (no_profile);
  g_assert_nonnull (
      strstr (dyno_value_get_source (dyno_measurement_get_value (no_profile, "placement_operators_percent")),
              "analysed"));
}

static const SuiteTest tests[] = {
  { "/placement/all-placed", test_all_placed },
  { "/placement/fallback", test_fallback },
  { "/placement/only-moves-elsewhere", test_only_moves_elsewhere },
  { "/placement/work-unknown", test_work_unknown },
  { "/placement/not-told", test_not_told },
};

SUITE_TESTS (tests)
