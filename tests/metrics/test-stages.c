/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "dyno-session.h"
#include "metric-fixture.h"
#include "suite.h"

#define FLOPS(n_tokens) (2.0 * (n_tokens)*30 * 40)
#define BYTES(n_tokens) (4.0 * ((n_tokens)*30 + 30 * 40 + (n_tokens)*40))

static void
add_shape (GArray *shapes, gint64 rows, gint64 columns)
{
  DynoShape shape = { DYNO_DATA_TYPE_FLOAT, 2, { rows, columns } };

  g_array_append_val (shapes, shape);
}

/* A product of 30 numbers for each token by 30 × 40 weights. */
static void
add_product (GPtrArray *nodes, const char *name, const char *type, guint n_tokens)
{
  DynoNodeProfile *node = g_new0 (DynoNodeProfile, 1);

  node->name = g_strdup (name);
  node->op_type = g_strdup (type);
  node->calls = 1;
  node->inputs = g_array_new (FALSE, FALSE, sizeof (DynoShape));
  node->outputs = g_array_new (FALSE, FALSE, sizeof (DynoShape));
  add_shape (node->inputs, n_tokens, 30);
  add_shape (node->inputs, 30, 40);
  add_shape (node->outputs, n_tokens, 40);
  g_ptr_array_add (nodes, node);
}

static void
take_nodes (DynoStepAnalysis *analysis, GPtrArray *nodes)
{
  analysis->shapes = nodes;
  analysis->traffic = g_ptr_array_ref (nodes);
  analysis->traffic_steps = 1;
}

/* The encoder reads five tokens. The decoder writes four, the first with the prompt. */
static DynoMeasurement *
create_measurement (const char *encoder_type)
{
  DynoMeasurement *measurement = dyno_measurement_new ();
  GPtrArray *prompt = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_node_profile_free);
  GPtrArray *decode = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_node_profile_free);

  measurement->model = dyno_model_load ("whisper-tiny", NULL);
  g_assert_nonnull (measurement->model);
  measurement->n_generated = 4;
  add_product (prompt, "fused encoder.layers.0.Gemm_4", encoder_type, 5);
  add_product (prompt, "decoder.layers.0.MatMul_1", "MatMul", 1);
  add_product (decode, "decoder.layers.0.MatMul_1", "MatMul", 1);
  take_nodes (&measurement->analysis, prompt);
  take_nodes (&measurement->decode_analysis, decode);
  dyno_measurement_add_measured (measurement, "stage_encoder_p50_ms", 5, "ms", "clock");
  dyno_measurement_add_measured (measurement, "stage_decoder_p50_ms", 7, "ms", "clock");
  return measurement;
}

static void
analyse (DynoMeasurement *measurement)
{
  g_autoptr (DynoMetric) metric = metric_fixture_create ("stages");

  dyno_metric_analysed (metric, measurement);
}

static void
assert_number (DynoMeasurement *measurement, const char *name, double expected)
{
  g_test_message ("%s", name);
  g_assert_cmpfloat_with_epsilon (dyno_measurement_get_number (measurement, name), expected, 1e-9 * expected);
}

static void
assert_unknown (DynoMeasurement *measurement, const char *name, const char *words)
{
  DynoValue *value = dyno_measurement_get_value (measurement, name);

  g_assert_cmpint (dyno_value_get_quality (value), ==, DYNO_QUALITY_UNSUPPORTED);
  g_assert_nonnull (strstr (dyno_value_get_source (value), words));
}

/* Each stage has its own operators, also those that the engine fused. */
static void
test_work (void)
{
  g_autoptr (DynoMeasurement) measurement = create_measurement ("FusedMatMul");

  analyse (measurement);
  assert_number (measurement, "stage_encoder_flops", FLOPS (5));
  assert_number (measurement, "stage_encoder_bytes", BYTES (5));
  g_assert_null (dyno_measurement_get_value (measurement, "stage_encoder_decode_flops"));
  assert_number (measurement, "stage_decoder_flops", 4 * FLOPS (1));
  assert_number (measurement, "stage_decoder_bytes", 4 * BYTES (1));
  assert_number (measurement, "stage_decoder_decode_flops", 3 * FLOPS (1));
  assert_number (measurement, "stage_decoder_decode_bytes", 3 * BYTES (1));
  g_assert_cmpint (dyno_value_get_quality (dyno_measurement_get_value (measurement, "stage_decoder_flops")),
                   ==, DYNO_QUALITY_ESTIMATED);
}

/* An operator without a rule leaves the work of its own stage unknown. */
static void
test_unknown (void)
{
  g_autoptr (DynoMeasurement) measurement = create_measurement ("Frobnicate");

  analyse (measurement);
  assert_unknown (measurement, "stage_encoder_flops", "of this stage is unknown");
  assert_number (measurement, "stage_encoder_bytes", BYTES (5));
  assert_number (measurement, "stage_decoder_flops", 4 * FLOPS (1));
}

static void
test_no_shapes (void)
{
  g_autoptr (DynoMeasurement) measurement = create_measurement ("MatMul");

  for (guint i = 0; i < 2; i++)
    {
      DynoStepAnalysis *analysis = i == 0 ? &measurement->analysis : &measurement->decode_analysis;

      g_clear_pointer (&analysis->shapes, g_ptr_array_unref);
      g_clear_pointer (&analysis->traffic, g_ptr_array_unref);
    }
  analyse (measurement);
  assert_unknown (measurement, "stage_encoder_flops", "does not report operator shapes");
  assert_unknown (measurement, "stage_decoder_bytes", "does not report operator shapes");
}

/* The shapes of the CPU backend's own graph do not say what another engine moved. */
static void
test_no_traffic (void)
{
  g_autoptr (DynoMeasurement) measurement = create_measurement ("MatMul");

  g_clear_pointer (&measurement->analysis.traffic, g_ptr_array_unref);
  measurement->analysis.shapes_from_cpu = TRUE;
  analyse (measurement);
  assert_number (measurement, "stage_encoder_flops", FLOPS (5));
  assert_unknown (measurement, "stage_encoder_bytes", "of this stage is unknown");
}

/* An engine that runs the model as one graph has no stages. */
static void
test_untimed (void)
{
  g_autoptr (DynoMeasurement) measurement = create_measurement ("MatMul");

  g_ptr_array_set_size (measurement->values, 0);
  analyse (measurement);
  g_assert_cmpuint (measurement->values->len, ==, 0);
}

static DynoSamples *
create_samples (const gint64 *milliseconds, guint n)
{
  DynoSamples *samples = dyno_samples_new (n);

  for (guint i = 0; i < n; i++)
    dyno_samples_record (samples, 1000, 1000 + 1000000 * milliseconds[i]);
  return samples;
}

/* Copies from another device are apart from the time of the stage, and only the stage that gets them has any. */
static void
test_handover (void)
{
  static const gint64 all[] = { 20, 21, 22 }, own[] = { 8, 9, 10 }, copies[] = { 3, 2, 4 };
  g_autoptr (DynoMeasurement) measurement = create_measurement ("MatMul");
  g_autoptr (DynoMetric) metric = metric_fixture_create ("stages");
  DynoStageSamples encoder = { g_strdup ("encoder"), 0, 1, create_samples (own, 3), 0, NULL, { 80, 90 }, 0 };
  DynoStageSamples decoder = { g_strdup ("decoder"),       0,          1,      create_samples (own, 3), 0,
                               create_samples (copies, 3), { 60, 80 }, 7000000 };
  DynoTrace *openings;

  g_ptr_array_set_size (measurement->values, 0);
  measurement->samples = create_samples (all, 3);
  measurement->origin_ns = 50;
  measurement->steady_end = 3;
  g_array_append_val (measurement->stages, encoder);
  g_array_append_val (measurement->stages, decoder);
  dyno_metric_collect (metric, measurement);
  assert_number (measurement, "stage_decoder_handover_ms", 3);
  assert_number (measurement, "stage_decoder_p50_ms", 9);
  assert_number (measurement, "stage_decoder_peak_mb", 7);
  g_assert_null (dyno_measurement_get_value (measurement, "stage_encoder_handover_ms"));
  assert_unknown (measurement, "stage_encoder_peak_mb", "does not report allocator statistics");

  /* The decoder was opened first. */
  openings = measurement->traces->pdata[0];
  g_assert_cmpstr (dyno_trace_get_name (openings), ==, "stage_openings");
  g_assert_cmpuint (dyno_trace_get_length (openings), ==, 3);
  for (guint i = 0; i < 3; i++)
    {
      g_assert_cmpint (dyno_trace_get_times (openings)[i], ==, ((gint64[]){ 10, 30, 40 })[i]);
      g_assert_cmpfloat (dyno_trace_get_values (openings)[i], ==, ((double[]){ 1, 0, 2 })[i]);
    }
}

static const SuiteTest tests[] = {
  { "/stages/work", test_work },           { "/stages/unknown", test_unknown },
  { "/stages/no-shapes", test_no_shapes }, { "/stages/no-traffic", test_no_traffic },
  { "/stages/untimed", test_untimed },     { "/stages/handover", test_handover },
};

SUITE_TESTS (tests)
