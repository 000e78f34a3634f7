/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>
#include <string.h>

#include "metric-fixture.h"
#include "suite.h"

#define GPU "WebGpuExecutionProvider"
#define CPU "CPUExecutionProvider"

typedef struct
{
  const char *type;
  const char *provider;
  gint64 calls;
  gint64 flops; /* -1 if they are not known */
} Operator;

/* Percentages are NAN where no operator is known, and the reason is in the source. */
static const struct
{
  const char *name;
  const char *provider;
  const Operator operators[4];
  double percent;
  double operators_percent;
  const char *value; /* whose source has the words */
  const char *source;
  const char *said[2]; /* of operators elsewhere */
} rows[] = {
  { "all placed", GPU, { { "MatMul", GPU, 10, 1000 }, { "Reshape", GPU, 10, 0 } }, 100, 100 },
  { "fallback",
    GPU,
    { { "MatMul", GPU, 10, 900 },
      { "Erf", CPU, 10, 100 },
      { "Gather", CPU, 10, 0 },
      { "Gather", CPU, 10, 0 } },
    90,
    25,
    .said = { "90.0 %", "1 × Erf (" CPU "), 2 × Gather (" CPU ")" } },
  /* All work is on the requested device; data movement elsewhere is still reported. */
  { "only moves elsewhere",
    GPU,
    { { "MatMul", GPU, 3, 900 }, { "Shape", CPU, 1, 0 } },
    100,
    75,
    .said = { "Shape" } },
  { "work unknown",
    "OpenVINO GPU",
    { { "FullyConnected", "OpenVINO GPU", 3, -1 }, { "Eltwise", "OpenVINO CPU", 1, -1 } },
    75,
    75,
    "placement_percent",
    "share of the operators",
    { "Eltwise" } },
  { "no provider", NULL, { { "MatMul", NULL, 3, 900 } }, NAN, NAN, "placement_percent", "does not report" },
  { "no profile", GPU, { { NULL } }, NAN, NAN, "placement_operators_percent", "analysed" },
};

static void
test_shares (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (DynoMeasurement) measurement = dyno_measurement_new ();
      g_autoptr (DynoMetric) metric = metric_fixture_create ("placement");

      g_test_message ("%s", rows[i].name);
      measurement->provider = g_strdup (rows[i].provider);
      for (const Operator *row = rows[i].operators;
           row < rows[i].operators + G_N_ELEMENTS (rows[i].operators) && row->type != NULL; row++)
        {
          DynoOperator *op = dyno_operator_new (row->type, row->type, row->provider);

          dyno_operator_set_calls (op, row->calls);
          dyno_operator_set_flops (op, row->flops);
          dyno_measurement_take_operator (measurement, op);
        }
      dyno_metric_analysed (metric, measurement);
      if (!isnan (rows[i].percent))
        {
          g_assert_cmpfloat (dyno_measurement_get_number (measurement, "placement_percent"), ==,
                             rows[i].percent);
          g_assert_cmpfloat (dyno_measurement_get_number (measurement, "placement_operators_percent"), ==,
                             rows[i].operators_percent);
        }
      if (rows[i].value != NULL)
        g_assert_nonnull (strstr (
            dyno_value_get_source (dyno_measurement_get_value (measurement, rows[i].value)), rows[i].source));
      if (rows[i].said[0] == NULL)
        g_assert_null (metric_fixture_find_diagnostic (measurement, "fallback"));
      for (guint k = 0; k < G_N_ELEMENTS (rows[i].said) && rows[i].said[k] != NULL; k++)
        metric_fixture_assert_said (measurement, "fallback", rows[i].said[k]);
    }
}

/* Each stage was asked for on its own device; the provider of another stage is a fallback. */
static void
test_stages (void)
{
  static const char *const names[] = { "encoder.MatMul", "decoder.MatMul", "decoder.Erf" };
  static const char *const providers[] = { GPU, CPU, GPU };
  g_autoptr (DynoMeasurement) measurement = dyno_measurement_new ();
  g_autoptr (DynoMetric) metric = metric_fixture_create ("placement");

  measurement->provider = g_strdup (GPU);
  measurement->stage_providers = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_hash_table_insert (measurement->stage_providers, g_strdup ("encoder"), g_strdup (GPU));
  g_hash_table_insert (measurement->stage_providers, g_strdup ("decoder"), g_strdup (CPU));
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      DynoOperator *op = dyno_operator_new (names[i], strchr (names[i], '.') + 1, providers[i]);

      dyno_operator_set_calls (op, 1);
      dyno_operator_set_flops (op, i == 2 ? 100 : 450);
      dyno_measurement_take_operator (measurement, op);
    }
  dyno_metric_analysed (metric, measurement);
  g_assert_cmpfloat (dyno_measurement_get_number (measurement, "placement_percent"), ==, 90);
  metric_fixture_assert_said (measurement, "fallback", "1 × Erf (" GPU ")");
}

/* The layout counts for convolutions on the processor alone: where there are none, there is no value. */
static void
test_blocks (void)
{
  static const struct
  {
    Operator op;
    const char *kernel;
    double percent;
  } steps[] = {
    { { "Relu", CPU, 10, 10 }, "NCHWc", NAN }, { { "Conv", GPU, 10, 10 }, NULL, NAN },
    { { "Conv", CPU, 10, 10 }, NULL, 0 },      { { "FusedConv", CPU, 10, 10 }, "NCHWc", 50 },
    { { "Conv", CPU, 20, 10 }, "NCHWc", 75 },
  };
  g_autoptr (DynoMetric) metric = metric_fixture_create ("placement");

  for (guint n = 1; n <= G_N_ELEMENTS (steps); n++)
    {
      g_autoptr (DynoMeasurement) measurement = dyno_measurement_new ();

      measurement->provider = g_strdup (CPU);
      for (guint i = 0; i < n; i++)
        {
          DynoOperator *op = dyno_operator_new (steps[i].op.type, steps[i].op.type, steps[i].op.provider);

          dyno_operator_set_calls (op, steps[i].op.calls);
          dyno_operator_set_flops (op, steps[i].op.flops);
          dyno_operator_set_kernel (op, steps[i].kernel);
          dyno_measurement_take_operator (measurement, op);
        }
      dyno_metric_analysed (metric, measurement);
      if (isnan (steps[n - 1].percent))
        g_assert_null (dyno_measurement_get_value (measurement, "blocked_convolutions_percent"));
      else
        g_assert_cmpfloat (dyno_measurement_get_number (measurement, "blocked_convolutions_percent"), ==,
                           steps[n - 1].percent);
    }
}

static const SuiteTest tests[] = {
  { "/placement/blocks", test_blocks },
  { "/placement/shares", test_shares },
  { "/placement/stages", test_stages },
};

SUITE_TESTS (tests)
