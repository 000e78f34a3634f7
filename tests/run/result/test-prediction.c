/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "dyno-graph.h"
#include "dyno-model-library.h"
#include "dyno-prediction.h"
#include "suite.h"

#define MACHINE "{\"cpu\": {\"cores\": 2, \"usable_threads\": 2}}"

static void
add (GPtrArray *ceilings, DynoCeilingKind kind, const char *what, double value, gint64 bytes)
{
  gboolean computes = kind == DYNO_CEILING_COMPUTE;

  g_ptr_array_add (ceilings, g_object_new (DYNO_TYPE_CEILING, "id", what, "device", "cpu", "threads", 2,
                                           "kind", kind, computes ? "precision" : "level",
                                           computes ? "fp32" : what, "mix", computes ? "" : "read", "value",
                                           value, "unit", computes ? "FLOP/s" : "B/s", "bytes", bytes, NULL));
}

static GPtrArray *
create_ceilings (double compute, double memory)
{
  GPtrArray *ceilings = g_ptr_array_new_with_free_func (g_object_unref);

  add (ceilings, DYNO_CEILING_COMPUTE, "fp32-avx2", compute, 0);
  add (ceilings, DYNO_CEILING_BANDWIDTH, "dram", memory, G_GINT64_CONSTANT (1) << 30);
  add (ceilings, DYNO_CEILING_BANDWIDTH, "l1", 1000 * memory, 32 << 10);
  return ceilings;
}

static void
predict (const char *spec, guint generated, GPtrArray *ceilings, DynoPrediction *prediction)
{
  g_autoptr (DynoModel) model = dyno_model_load (spec, NULL);
  g_autoptr (GHashTable) binding = dyno_model_bind (model, 1, 32, NULL, NULL);
  g_autoptr (DynoCase) kase = dyno_case_new (spec, "cpu");

  g_object_set (kase, "sequence-length", 32, "generate-tokens", generated, NULL);
  dyno_prediction_make (prediction, model, binding, kase, MACHINE, ceilings);
}

/* A compute-bound case takes as long as its FLOPs, a memory-bound one as long as its bytes. */
static void
test_roofs (void)
{
  g_autoptr (DynoModel) model = dyno_model_load ("bert-tiny", NULL);
  g_autoptr (GHashTable) binding = dyno_model_bind (model, 1, 32, NULL, NULL);
  g_autoptr (GArray) products = dyno_model_list_products (model, binding);
  g_autoptr (GPtrArray) slow = create_ceilings (1e9, 1e15);
  g_autoptr (GPtrArray) narrow = create_ceilings (1e18, 1e9);
  g_auto (DynoPrediction) computes = { 0 };
  g_auto (DynoPrediction) moves = { 0 };
  double flops = 0, bytes = 0;
  gint64 all = 0;

  for (guint i = 0; i < products->len; i++)
    {
      flops += g_array_index (products, DynoGraphProduct, i).flops;
      bytes += g_array_index (products, DynoGraphProduct, i).bytes;
    }
  g_assert_true (dyno_model_estimate_flops (model, binding, &all));
  g_assert_cmpfloat (flops, <=, (double)all);
  g_assert_cmpfloat (flops, >, 0.9 * (double)all);
  predict ("bert-tiny", 0, slow, &computes);
  predict ("bert-tiny", 0, narrow, &moves);
  g_assert_cmpfloat_with_epsilon (computes.milliseconds, flops / 1e6, 1e-6 * flops / 1e6);
  g_assert_cmpfloat_with_epsilon (moves.milliseconds, bytes / 1e6, 1e-6 * bytes / 1e6);
  g_assert_nonnull (strstr (computes.source, "Predicted, not measured"));
}

/* Without a prediction, the reason is given. */
static void
test_refused (void)
{
  g_autoptr (GPtrArray) ceilings = create_ceilings (1e9, 1e9);
  g_autoptr (GPtrArray) none = g_ptr_array_new ();
  g_auto (DynoPrediction) generated = { 0 };
  g_auto (DynoPrediction) unknown = { 0 };

  predict ("gpt2", 8, ceilings, &generated);
  predict ("bert-tiny", 0, none, &unknown);
  g_assert_true (isnan (generated.milliseconds));
  g_assert_nonnull (strstr (generated.source, "generating"));
  g_assert_true (isnan (unknown.milliseconds));
  g_assert_nonnull (strstr (unknown.source, "dyno-cli ceilings"));
}

static void
test_outcome (void)
{
  static const struct
  {
    double median;
    const char *outcome;
  } rows[] = {
    { 1, "Predicted: 2\u00a0ms per step. Measured: 1\u00a0ms, 50 % less." },
    { 3, "Predicted: 2\u00a0ms per step. Measured: 3\u00a0ms, 50 % longer." },
    { 11, "Predicted: 2\u00a0ms per step. Measured: 11\u00a0ms, 5.50 times as long." },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (DynoCase) kase = dyno_case_new ("bert-tiny", "cpu");
      g_autoptr (DynoResult) result = dyno_result_new (kase, 0);
      g_autofree char *none = dyno_prediction_dup_outcome (result);
      g_autofree char *outcome = NULL;

      g_assert_null (none);
      dyno_result_take_value (
          result, dyno_value_new (DYNO_PREDICTION_VALUE, 2, "ms", DYNO_QUALITY_ESTIMATED, "roofs"));
      dyno_result_add_measured (result, "latency_p50_ms", rows[i].median, "ms", "clock");
      outcome = dyno_prediction_dup_outcome (result);
      g_assert_cmpstr (outcome, ==, rows[i].outcome);
    }
}

/* Each further token takes as long as all weights do at the measured rate, and longer texts take so much longer. */
static void
test_expected_seconds (void)
{
  static const guint tokens[] = { 101, 201 };
  g_autoptr (GPtrArray) ceilings = create_ceilings (1e12, 1e10);
  double seconds[G_N_ELEMENTS (tokens)];

  for (guint i = 0; i < G_N_ELEMENTS (tokens); i++)
    {
      g_autoptr (DynoCase) kase = dyno_case_new ("gpt2", "cpu");

      g_object_set (kase, "sequence-length", 32, "generate-tokens", tokens[i], NULL);
      dyno_case_estimate (kase, G_GINT64_CONSTANT (1000000000), 1e10);
      dyno_prediction_expect_seconds (kase, MACHINE, NULL);
      seconds[i] = dyno_case_get_expected_seconds (kase);
      dyno_prediction_expect_seconds (kase, MACHINE, ceilings);
      g_assert_cmpfloat (dyno_case_get_expected_seconds (kase), >, seconds[i]);
      seconds[i] = dyno_case_get_expected_seconds (kase);
    }
  /* 100 tokens of 0.1 s more, in the first run, the warm-up and the measurement of each of five processes. */
  g_assert_cmpfloat_with_epsilon (seconds[1] - seconds[0], 5 * 3 * 100 * 0.1, 1e-6);
}

static const SuiteTest tests[] = {
  { "/prediction/roofs", test_roofs },
  { "/prediction/refused", test_refused },
  { "/prediction/outcome", test_outcome },
  { "/prediction/expected-seconds", test_expected_seconds },
};

SUITE_TESTS (tests)
