/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "dyno-session.h"
#include "metric-fixture.h"
#include "suite.h"

#define FLOPS(n_tokens) (2.0 * (n_tokens)*30 * 40)
#define BYTES(n_tokens) (4.0 * ((n_tokens)*30 + 30 * 40 + (n_tokens)*40))
/* Of a sum of two numbers for each that comes out. */
#define SUM_BYTES(n_tokens) (4.0 * 3 * (n_tokens)*40)

static void
add_shape (GArray *shapes, gint64 rows, gint64 columns)
{
  DynoShape shape = { DYNO_DATA_TYPE_FLOAT, 2, { rows, columns } };

  g_array_append_val (shapes, shape);
}

static DynoNodeProfile *
create_node (const char *name, const char *type, gint64 calls, gint64 time_ns)
{
  DynoNodeProfile *node = g_new0 (DynoNodeProfile, 1);

  node->name = g_strdup (name);
  node->op_type = g_strdup (type);
  node->provider = g_strdup ("CPUExecutionProvider");
  node->calls = calls;
  node->time_ns = time_ns;
  node->inputs = g_array_new (FALSE, FALSE, sizeof (DynoShape));
  node->outputs = g_array_new (FALSE, FALSE, sizeof (DynoShape));
  return node;
}

/* A product of a row of 30 numbers for each token by 30 × 40 weights, and a sum. */
static GPtrArray *
create_nodes (guint n_tokens, guint n_steps, gint64 product_ns, gint64 sum_ns)
{
  GPtrArray *nodes = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_node_profile_free);
  DynoNodeProfile *product = create_node ("product", "FusedMatMul", n_steps, product_ns);
  DynoNodeProfile *sum = create_node ("sum", "Add", n_steps, sum_ns);

  add_shape (product->inputs, n_tokens, 30);
  add_shape (product->inputs, 30, 40);
  add_shape (product->outputs, n_tokens, 40);
  for (guint i = 0; i < 2; i++)
    add_shape (sum->inputs, n_tokens, 40);
  add_shape (sum->outputs, n_tokens, 40);
  g_ptr_array_add (nodes, product);
  g_ptr_array_add (nodes, sum);
  return nodes;
}

/* Five tokens are read, then four generated, one of them with the prompt; steps that decode were profiled ten times. */
static DynoMeasurement *
create_measurement (void)
{
  DynoMeasurement *measurement = dyno_measurement_new ();
  DynoStepAnalysis *decoding = &measurement->decode_analysis;

  measurement->model = dyno_model_load ("gpt2", NULL);
  g_assert_nonnull (measurement->model);
  measurement->n_generated = 4;
  measurement->analysis.shapes = create_nodes (5, 1, 0, 0);
  measurement->analysis.traffic = create_nodes (5, 2, 0, 0);
  measurement->analysis.traffic_steps = 2;
  measurement->analysis.profile = create_nodes (5, 2, 20000, 4000);
  measurement->analysis.profile_steps = 2;
  decoding->shapes = create_nodes (1, 1, 0, 0);
  decoding->traffic = create_nodes (1, 10, 0, 0);
  decoding->traffic_steps = 10;
  decoding->profile = create_nodes (1, 10, 30000, 20000);
  decoding->profile_steps = 10;
  measurement->samples = dyno_samples_new (1);
  dyno_samples_record (measurement->samples, 0, 1000000);
  measurement->steady_end = 1;
  return measurement;
}

static void
collect (DynoMeasurement *measurement, const char *metric_id)
{
  g_autoptr (DynoMetric) metric = metric_fixture_create (metric_id);

  dyno_metric_analysed (metric, measurement);
}

static void
assert_number (DynoMeasurement *measurement, const char *name, double expected)
{
  g_test_message ("%s", name);
  g_assert_cmpfloat_with_epsilon (dyno_measurement_get_number (measurement, name), expected, 1e-9 * expected);
}

/* The work of the step over the prompt, and of one that decodes a token. */
static void
test_steps (void)
{
  g_autoptr (DynoMeasurement) measurement = create_measurement ();

  collect (measurement, "decoding");
  assert_number (measurement, "prefill_flops", FLOPS (5) + 5 * 40);
  assert_number (measurement, "decode_flops", FLOPS (1) + 40);
  assert_number (measurement, "prefill_bytes", BYTES (5) + SUM_BYTES (5));
  assert_number (measurement, "decode_bytes", BYTES (1) + SUM_BYTES (1));
  assert_number (measurement, "decode_product_bytes", BYTES (1));
  assert_number (measurement, "decode_product_ms", 0.003);
  assert_number (measurement, "decode_other_ms", 0.002);
  g_assert_null (dyno_measurement_get_value (measurement, "decode_flops_per_sec"));
}

static void
test_rates (void)
{
  g_autoptr (DynoMeasurement) measurement = create_measurement ();

  dyno_measurement_add_measured (measurement, "first_token_latency_ms", 4, "ms", "test");
  dyno_measurement_add_measured (measurement, "inter_token_latency_ms", 2, "ms", "test");
  collect (measurement, "decoding");
  assert_number (measurement, "prefill_flops_per_sec", (FLOPS (5) + 5 * 40) / 4e-3);
  assert_number (measurement, "decode_flops_per_sec", (FLOPS (1) + 40) / 2e-3);
}

/* Under load the time to the first token contains the queue. */
static void
test_load (void)
{
  const DynoLoad load = { .shape = DYNO_LOAD_MULTI, .clients = 2 };
  g_autoptr (DynoMeasurement) measurement = create_measurement ();

  measurement->load = dyno_load_outcome_new (&load);
  dyno_measurement_add_measured (measurement, "first_token_latency_ms", 4, "ms", "test");
  dyno_measurement_add_measured (measurement, "inter_token_latency_ms", 2, "ms", "test");
  collect (measurement, "decoding");
  g_assert_null (dyno_measurement_get_value (measurement, "prefill_flops_per_sec"));
  g_assert_null (dyno_measurement_get_value (measurement, "decode_flops_per_sec"));
}

/* A step of the case is the whole generation: the prompt, and three steps more. */
static void
test_generation (void)
{
  g_autoptr (DynoMeasurement) measurement = create_measurement ();
  DynoOperator *product;

  dyno_measurement_add_measured (measurement, "latency_p50_ms", 1, "ms", "clock");
  collect (measurement, "flops");
  assert_number (measurement, "flops", FLOPS (5) + 5 * 40 + 3 * (FLOPS (1) + 40));
  assert_number (measurement, "flops_per_sec", (FLOPS (5) + 5 * 40 + 3 * (FLOPS (1) + 40)) / 1e-3);
  assert_number (measurement, "bytes_per_step", BYTES (5) + SUM_BYTES (5) + 3 * (BYTES (1) + SUM_BYTES (1)));
  g_assert_cmpuint (measurement->operators->len, ==, 2);
  product = measurement->operators->pdata[0];
  g_assert_cmpint (dyno_operator_get_calls (product), ==, 4);
  g_assert_cmpint (dyno_operator_get_time_ns (product), ==, 10000 + 3 * 3000);
  g_assert_cmpint (dyno_operator_get_flops (product), ==, (gint64)((FLOPS (5) + 3 * FLOPS (1)) / 4));
}

/* Without the steps that decode, the work of the whole is unknown. */
static void
test_undecoded (void)
{
  g_autoptr (DynoMeasurement) measurement = create_measurement ();

  g_clear_pointer (&measurement->decode_analysis.shapes, g_ptr_array_unref);
  g_clear_pointer (&measurement->decode_analysis.traffic, g_ptr_array_unref);
  g_clear_pointer (&measurement->decode_analysis.profile, g_ptr_array_unref);
  dyno_measurement_add_measured (measurement, "latency_p50_ms", 1, "ms", "clock");
  collect (measurement, "flops");
  collect (measurement, "decoding");
  g_assert_cmpint (dyno_value_get_quality (dyno_measurement_get_value (measurement, "flops")), ==,
                   DYNO_QUALITY_UNSUPPORTED);
  g_assert_cmpint (dyno_value_get_quality (dyno_measurement_get_value (measurement, "bytes_per_step")), ==,
                   DYNO_QUALITY_UNSUPPORTED);
  assert_number (measurement, "prefill_flops", FLOPS (5) + 5 * 40);
  g_assert_null (dyno_measurement_get_value (measurement, "decode_flops"));
  g_assert_null (dyno_measurement_get_value (measurement, "decode_product_ms"));
}

/* An operator without a time may be the longest. */
static void
test_untimed (void)
{
  g_autoptr (DynoMeasurement) measurement = create_measurement ();

  ((DynoNodeProfile *)measurement->decode_analysis.profile->pdata[1])->time_ns = -1;
  collect (measurement, "decoding");
  g_assert_null (dyno_measurement_get_value (measurement, "decode_product_ms"));
}

static void
test_nothing_generated (void)
{
  g_autoptr (DynoMeasurement) measurement = create_measurement ();

  measurement->n_generated = 0;
  collect (measurement, "decoding");
  g_assert_cmpuint (measurement->values->len, ==, 0);
}

static const SuiteTest tests[] = {
  { "/decoding/steps", test_steps },
  { "/decoding/rates", test_rates },
  { "/decoding/load", test_load },
  { "/decoding/generation", test_generation },
  { "/decoding/undecoded", test_undecoded },
  { "/decoding/untimed", test_untimed },
  { "/decoding/nothing-generated", test_nothing_generated },
};

SUITE_TESTS (tests)
