/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glib.h>
#include <math.h>

#include "dyno-stats.h"
#include "noise.h"
#include "suite.h"

#define N_DRAWS 100

/* A shared machine: each sample has noise, partly autocorrelated, some are spikes, and the level drifts slowly. All as
 * shares of the level. */
typedef struct
{
  double noise;
  double memory;
  double spikes;
  double sway;
} Weather;

static const Weather calm = { .noise = 0.005 };
static const Weather shared = { .noise = 0.02, .memory = 0.6, .spikes = 0.03, .sway = 0.005 };
static const Weather rough = { .noise = 0.08, .memory = 0.3, .spikes = 0.05 };

typedef double (*Shape) (double at);

static double
shape_flat (double at)
{
  return 1;
}

static double
shape_warm_up_step (double at)
{
  return at < 0.2 ? 1.5 : 1;
}

static double
shape_warm_up_curve (double at)
{
  return 1 + exp (-at / 0.05);
}

static double
shape_falling_ramp (double at)
{
  return 2 - at;
}

static double
shape_rising_ramp (double at)
{
  return 1 + 0.3 * at;
}

static double
shape_slow_down (double at)
{
  return at < 0.6 ? 1 : 1.3;
}

static double
shape_late_slow_down (double at)
{
  return at < 0.9 ? 1 : 1.3;
}

static double
shape_cycle (double at)
{
  return (int)(at * 10) % 2 == 0 ? 1 : 1.4;
}

static double
shape_burst (double at)
{
  return at > 0.5 && at < 0.53 ? 1.6 : 1;
}

static void
draw (GRand *rand, Shape shape, const Weather *weather, double *values, gsize n)
{
  double phase = 2 * G_PI * g_rand_double (rand);
  double carried = 0;

  for (gsize i = 0; i < n; i++)
    {
      double at = (double)i / n;
      double spike = g_rand_double (rand) < weather->spikes ? 1 + 3 * g_rand_double (rand) : 1;

      carried =
          weather->memory * carried + sqrt (1 - weather->memory * weather->memory) * noise_normal (rand);
      values[i] = 2.5 * shape (at) * spike *
                  (1 + weather->noise * carried + weather->sway * sin (2 * G_PI * 3 * at + phase));
    }
}

/* In how many draws the series gets this verdict, with a steady start in this range of shares. */
static guint
count_verdicts (
    Shape shape, const Weather *weather, gsize n, DynoSteadiness expected, double first, double last)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (2017);
  g_autofree double *values = g_new (double, n);
  guint count = 0;

  for (guint i = 0; i < N_DRAWS; i++)
    {
      DynoSteadiness found;
      gsize start;

      draw (rand, shape, weather, values, n);
      found = dyno_stats_classify_steadiness (values, n, &start);
      count += found == expected && start >= first * n && start <= last * n;
    }
  g_test_message ("%u of %d", count, N_DRAWS);
  return count;
}

static void
assert_mostly (
    Shape shape, const Weather *weather, gsize n, DynoSteadiness expected, double first, double last)
{
  g_assert_cmpuint (count_verdicts (shape, weather, n, expected, first, last), >=, N_DRAWS * 95 / 100);
}

static void
test_flat (void)
{
  static const gsize sizes[] = { 10, 20, 50, 200, 1000, 5000 };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      assert_mostly (shape_flat, &calm, sizes[i], DYNO_STEADINESS_FLAT, 0, 0);
      if (sizes[i] < 50)
        continue;
      assert_mostly (shape_flat, &shared, sizes[i], DYNO_STEADINESS_FLAT, 0, 0);
      assert_mostly (shape_flat, &rough, sizes[i], DYNO_STEADINESS_FLAT, 0, 0);
    }
}

static void
test_burst (void)
{
  assert_mostly (shape_burst, &calm, 1000, DYNO_STEADINESS_FLAT, 0, 0);
  assert_mostly (shape_burst, &shared, 1000, DYNO_STEADINESS_FLAT, 0, 0);
}

static void
test_warm_up (void)
{
  assert_mostly (shape_warm_up_step, &calm, 50, DYNO_STEADINESS_WARM_UP, 0.18, 0.24);
  assert_mostly (shape_warm_up_step, &shared, 200, DYNO_STEADINESS_WARM_UP, 0.18, 0.24);
  assert_mostly (shape_warm_up_step, &shared, 2000, DYNO_STEADINESS_WARM_UP, 0.19, 0.21);
  assert_mostly (shape_warm_up_step, &rough, 1000, DYNO_STEADINESS_WARM_UP, 0.18, 0.22);
  /* The curve is within 8 % of its end after a twentieth times ln 12, within 1 % after ln 100. */
  assert_mostly (shape_warm_up_curve, &calm, 1000, DYNO_STEADINESS_WARM_UP, 0.12, 0.3);
  assert_mostly (shape_warm_up_curve, &shared, 1000, DYNO_STEADINESS_WARM_UP, 0.1, 0.35);
}

static void
test_slow_down (void)
{
  assert_mostly (shape_slow_down, &calm, 100, DYNO_STEADINESS_SLOW_DOWN, 0.58, 0.62);
  assert_mostly (shape_slow_down, &shared, 1000, DYNO_STEADINESS_SLOW_DOWN, 0.59, 0.61);
  assert_mostly (shape_slow_down, &rough, 2000, DYNO_STEADINESS_SLOW_DOWN, 0.58, 0.62);
}

static void
test_none (void)
{
  assert_mostly (shape_falling_ramp, &calm, 500, DYNO_STEADINESS_NONE, 1, 1);
  assert_mostly (shape_falling_ramp, &shared, 1000, DYNO_STEADINESS_NONE, 1, 1);
  assert_mostly (shape_rising_ramp, &calm, 500, DYNO_STEADINESS_NONE, 1, 1);
  assert_mostly (shape_rising_ramp, &shared, 2000, DYNO_STEADINESS_NONE, 1, 1);
  assert_mostly (shape_late_slow_down, &shared, 1000, DYNO_STEADINESS_NONE, 1, 1);
  assert_mostly (shape_cycle, &shared, 1000, DYNO_STEADINESS_NONE, 1, 1);
}

static void
test_few (void)
{
  static const double values[] = { 1, 1, 1, 1, 1, 1 };
  gsize start;

  for (gsize n = 0; n < 6; n++)
    {
      g_assert_cmpint (dyno_stats_classify_steadiness (values, n, &start), ==, DYNO_STEADINESS_NONE);
      g_assert_cmpuint (start, ==, n);
    }
  g_assert_cmpint (dyno_stats_classify_steadiness (values, 6, &start), ==, DYNO_STEADINESS_FLAT);
  g_assert_cmpuint (start, ==, 0);
}

static void
test_no_reading (void)
{
  double values[40];
  gsize start;

  for (gsize i = 0; i < 40; i++)
    values[i] = i % 4 == 0 ? NAN : 3;
  g_assert_cmpint (dyno_stats_classify_steadiness (values, 40, &start), ==, DYNO_STEADINESS_FLAT);
  for (gsize i = 0; i < 40; i++)
    values[i] = NAN;
  g_assert_cmpint (dyno_stats_classify_steadiness (values, 40, &start), ==, DYNO_STEADINESS_NONE);
}

/* A search over all pairs of a million samples would take far too long. */
static void
test_long (void)
{
  const gsize n = 1000000;
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  g_autofree double *values = g_new (double, n);
  gsize start;

  draw (rand, shape_warm_up_step, &shared, values, n);
  g_assert_cmpint (dyno_stats_classify_steadiness (values, n, &start), ==, DYNO_STEADINESS_WARM_UP);
  g_assert_cmpuint (start, >=, n / 5 - n / 1000);
  g_assert_cmpuint (start, <=, n / 5 + n / 1000);
}

static void
test_names (void)
{
  g_assert_cmpstr (dyno_steadiness_to_string (DYNO_STEADINESS_FLAT), ==, "flat");
  g_assert_cmpstr (dyno_steadiness_to_string (DYNO_STEADINESS_WARM_UP), ==, "warm-up");
  g_assert_cmpstr (dyno_steadiness_to_string (DYNO_STEADINESS_SLOW_DOWN), ==, "slow-down");
  g_assert_cmpstr (dyno_steadiness_to_string (DYNO_STEADINESS_NONE), ==, "none");
}

static const SuiteTest tests[] = {
  { "/steadiness/flat", test_flat },
  { "/steadiness/burst", test_burst },
  { "/steadiness/warm-up", test_warm_up },
  { "/steadiness/slow-down", test_slow_down },
  { "/steadiness/none", test_none },
  { "/steadiness/few", test_few },
  { "/steadiness/no-reading", test_no_reading },
  { "/steadiness/long", test_long },
  { "/steadiness/names", test_names },
};

SUITE_TESTS (tests)
