/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glib.h>
#include <math.h>

#include "dyno-time-series.h"
#include "noise.h"
#include "suite.h"

static void
test_two_modes (void)
{
  static const double values[] = { 7.31, 4.28, 4.33, 7.25, 4.3, 4.31, 7.4, 4.27, 7.3, 4.35, 7.26, 4.29 };
  DynoModes modes;

  g_assert_true (dyno_stats_find_modes (values, 12, &modes));
  g_assert_cmpuint (modes.n_low, ==, 7);
  g_assert_cmpuint (modes.n_high, ==, 5);
  g_assert_cmpfloat_with_epsilon (modes.low, 4.304286, 1e-6);
  g_assert_cmpfloat_with_epsilon (modes.high, 7.304, 1e-9);
  g_assert_cmpfloat_with_epsilon (modes.threshold, (4.35 + 7.25) / 2, 1e-12);
  g_assert_cmpfloat (modes.p, <, 0.01);
}

/* A single process may be an outlier. */
static void
test_outlier (void)
{
  static const double values[] = { 4.28, 4.33, 4.3, 4.31, 4.27, 4.35, 4.29, 7.3 };
  DynoModes modes;

  g_assert_false (dyno_stats_find_modes (values, 8, &modes));
}

static void
test_few (void)
{
  static const double values[] = { 1, 1, 2, 2, NAN };
  static const double equal[6] = { 3, 3, 3, 3, 3, 3 };
  DynoModes modes;

  for (gsize n = 0; n <= 5; n++)
    g_assert_false (dyno_stats_find_modes (values, n, &modes));
  g_assert_false (dyno_stats_find_modes (equal, 6, &modes));
  g_assert_cmpfloat (modes.p, ==, 1);
}

/* Neither a normal nor a skewed distribution has two modes; groups separated by several times their noise do. */
static void
test_rates (void)
{
  static const gsize sizes[] = { 6, 12, 30 };
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      guint n_normal = 0, n_skewed = 0, n_apart = 0;

      for (guint trial = 0; trial < 100; trial++)
        {
          double normal[30], skewed[30], apart[30];
          DynoModes modes;

          noise_fill (rand, normal, sizes[i], 10, 1, 0);
          for (gsize k = 0; k < sizes[i]; k++)
            {
              skewed[k] = exp (0.5 * noise_normal (rand));
              apart[k] = noise_normal (rand) + (k % 2 == 0 ? 10 : 20);
            }
          n_normal += dyno_stats_find_modes (normal, sizes[i], &modes);
          n_skewed += dyno_stats_find_modes (skewed, sizes[i], &modes);
          n_apart += dyno_stats_find_modes (apart, sizes[i], &modes);
        }
      g_assert_cmpuint (n_normal, <=, 4);
      g_assert_cmpuint (n_skewed, <=, 10);
      g_assert_cmpuint (n_apart, >=, sizes[i] > 6 ? 95 : 50);
    }
}

static void
test_between_share (void)
{
  static const double shares[] = { 0, 0.5, 0.9 };
  g_autoptr (GRand) rand = g_rand_new_with_seed (2);
  double values[40][100];
  DynoSample groups[40];

  for (guint i = 0; i < G_N_ELEMENTS (shares); i++)
    {
      for (guint g = 0; g < 40; g++)
        {
          double level = 100 + sqrt (shares[i]) * noise_normal (rand);

          noise_fill (rand, values[g], 100, level, sqrt (1 - shares[i]), 0.3);
          groups[g] = (DynoSample){ values[g], 100 };
        }
      g_assert_cmpfloat_with_epsilon (dyno_stats_between_share (groups, 40), shares[i], 0.12);
    }
}

static void
test_between_share_of_few (void)
{
  static const double level[] = { 5, 5, 5 };
  static const double other[] = { 6, 6, 6 };
  const DynoSample equal[] = { { level, 3 }, { level, 3 } };
  const DynoSample apart[] = { { level, 3 }, { other, 3 }, { level, 1 }, { level, 0 } };

  g_assert_true (isnan (dyno_stats_between_share (equal, 0)));
  g_assert_true (isnan (dyno_stats_between_share (equal, 1)));
  g_assert_true (isnan (dyno_stats_between_share (equal, 2)));
  g_assert_cmpfloat (dyno_stats_between_share (apart, 4), ==, 1);
}

static const SuiteTest tests[] = {
  { "/modes/two", test_two_modes },
  { "/modes/outlier", test_outlier },
  { "/modes/few", test_few },
  { "/modes/rates", test_rates },
  { "/modes/between-share", test_between_share },
  { "/modes/between-share/few", test_between_share_of_few },
};

SUITE_TESTS (tests)
