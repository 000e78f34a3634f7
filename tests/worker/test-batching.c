/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "dyno-worker-private.h"
#include "suite.h"

/* A clock with a resolution of 5 µs, as in some browsers: samples shorter than 5 ms are too short. */
#define RESOLUTION_NS 5000
#define US            G_GINT64_CONSTANT (1000)

static DynoSamples *
record (const gint64 *durations, gsize n)
{
  DynoSamples *samples = dyno_samples_new (n);
  gint64 now = 0;

  for (gsize i = 0; i < n; i++)
    {
      dyno_samples_record (samples, now, now + durations[i]);
      now += durations[i];
    }
  return samples;
}

/* The fastest decides, not the usual one. */
static void
test_fastest (void)
{
  const gint64 durations[] = { 5200 * US, 4000 * US, 5300 * US, 5250 * US };
  g_autoptr (DynoSamples) samples = record (durations, G_N_ELEMENTS (durations));

  g_assert_false (dyno_batching_is_enough (samples, 0, 4, RESOLUTION_NS));
  g_assert_cmpuint (dyno_batching_choose_steps (samples, 0, 4, 1, RESOLUTION_NS), ==, 2);
  g_assert_cmpfloat (dyno_batching_find_shortest_step (samples, 0, 4, 1, RESOLUTION_NS), ==, 4e6);
}

static void
test_long_enough (void)
{
  const gint64 durations[] = { 4000 * US, 5000 * US, 5300 * US };
  g_autoptr (DynoSamples) samples = record (durations, G_N_ELEMENTS (durations));

  g_assert_true (dyno_batching_is_enough (samples, 1, 3, RESOLUTION_NS));
  g_assert_cmpuint (dyno_batching_choose_steps (samples, 1, 3, 1, RESOLUTION_NS), ==, 1);
}

/* A fifth faster than the fastest so far is still long enough. */
static void
test_margin (void)
{
  const gint64 durations[] = { 1000 * US, 1100 * US };
  g_autoptr (DynoSamples) samples = record (durations, G_N_ELEMENTS (durations));
  guint steps = dyno_batching_choose_steps (samples, 0, 2, 1, RESOLUTION_NS);

  g_assert_cmpfloat (steps * 0.8 * 1000 * US, >=, DYNO_BATCHING_MIN_RESOLUTIONS * RESOLUTION_NS);
  g_assert_cmpuint (steps, <=, 8);
}

/* Samples that were of several steps each. */
static void
test_of_batches (void)
{
  const gint64 durations[] = { 4000 * US, 4400 * US };
  g_autoptr (DynoSamples) samples = record (durations, G_N_ELEMENTS (durations));

  g_assert_cmpfloat (dyno_batching_find_shortest_step (samples, 0, 2, 8, RESOLUTION_NS), ==, 5e5);
  g_assert_cmpuint (dyno_batching_choose_steps (samples, 0, 2, 8, RESOLUTION_NS), ==, 13);
}

/* With such a clock a step takes no time or one tick. */
static void
test_coarse (void)
{
  const gint64 durations[] = { 0, 5 * US, 0, 5 * US };
  const gint64 nothing[] = { 0, 0 };
  g_autoptr (DynoSamples) samples = record (durations, G_N_ELEMENTS (durations));
  g_autoptr (DynoSamples) unseen = record (nothing, G_N_ELEMENTS (nothing));

  g_assert_cmpuint (dyno_batching_choose_steps (samples, 0, 4, 1, RESOLUTION_NS), ==, 2500);
  g_assert_cmpuint (dyno_batching_choose_steps (unseen, 0, 2, 1, RESOLUTION_NS), ==, 12500);
}

static void
assert_diagnostics (DynoMeasurement *measurement, guint n, const char *words)
{
  DynoDiagnostic *last;

  g_assert_cmpuint (measurement->diagnostics->len, ==, n);
  if (n == 0)
    return;
  last = measurement->diagnostics->pdata[n - 1];
  g_test_message ("%s", dyno_diagnostic_get_message (last));
  g_assert_cmpstr (dyno_diagnostic_get_code (last), ==, "short-samples");
  g_assert_cmpint (dyno_diagnostic_get_severity (last), ==, DYNO_SEVERITY_WARNING);
  g_assert_nonnull (strstr (dyno_diagnostic_get_message (last), words));
}

/* Only samples that count are considered. */
static void
test_sum_up (void)
{
  const gint64 durations[] = { 100 * US, 5000 * US, 4500 * US, 4900 * US };
  g_autoptr (DynoMeasurement) measurement = dyno_measurement_new ();

  measurement->clock_resolution_ns = RESOLUTION_NS;
  measurement->samples = record (durations, G_N_ELEMENTS (durations));
  measurement->steady_first = 1;
  measurement->steady_end = 2;
  dyno_batching_sum_up (measurement);
  assert_diagnostics (measurement, 0, NULL);
  measurement->steady_end = 4;
  dyno_batching_sum_up (measurement);
  assert_diagnostics (
      measurement, 1,
      "2 of 3 are shorter than 1000 clock resolutions (5\u00a0ms); the shortest is 4.50\u00a0ms");
}

/* Two generations in a sample, of a prompt and two tokens each: the tokens are timed one by one. */
static void
test_generation (void)
{
  const gint64 totals[] = { 27000 * US, 27000 * US };
  const gint64 prefills[] = { 1 * US, 1 * US, 6000 * US, 6000 * US };
  const gint64 decodes[] = { 1 * US, 1 * US, 1 * US, 1 * US, 5000 * US, 2500 * US, 5000 * US, 2000 * US };
  g_autoptr (DynoMeasurement) measurement = dyno_measurement_new ();

  measurement->clock_resolution_ns = RESOLUTION_NS;
  measurement->steps_per_sample = 2;
  measurement->samples = record (totals, G_N_ELEMENTS (totals));
  measurement->prefills = record (prefills, G_N_ELEMENTS (prefills));
  measurement->decodes = record (decodes, G_N_ELEMENTS (decodes));
  measurement->steady_first = 1;
  measurement->steady_end = 2;
  dyno_batching_sum_up (measurement);
  assert_diagnostics (measurement, 1, "tokens after the first. 2 of 4 are shorter");
}

static const SuiteTest tests[] = {
  { "/batching/fastest", test_fastest },       { "/batching/long-enough", test_long_enough },
  { "/batching/margin", test_margin },         { "/batching/of-batches", test_of_batches },
  { "/batching/coarse", test_coarse },         { "/batching/sum-up", test_sum_up },
  { "/batching/generation", test_generation },
};

SUITE_TESTS (tests)
