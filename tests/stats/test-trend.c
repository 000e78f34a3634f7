/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glib.h>

#include "dyno-time-series.h"
#include "suite.h"

/* Counted by hand: of the 10 pairs of five rising values all rise, z = 9 / √(50/3), and of 1 3 2 4 5 one falls. */
static void
test_by_hand (void)
{
  static const double rising[] = { 1, 2, 3, 4, 5 };
  static const double falling[] = { 5, 4, 3, 2, 1 };
  static const double mixed[] = { 1, 3, 2, 4, 5 };
  static const double level[] = { 7, 7, 7, 7, 7 };

  g_assert_cmpfloat_with_epsilon (dyno_stats_trend_probability (rising, 5), 0.01374, 1e-4);
  g_assert_cmpfloat_with_epsilon (dyno_stats_trend_probability (mixed, 5), 0.04322, 1e-4);
  g_assert_cmpfloat (dyno_stats_trend_probability (falling, 5), ==, 1);
  g_assert_cmpfloat (dyno_stats_trend_probability (level, 5), ==, 1);
  g_assert_cmpfloat (dyno_stats_trend_probability (rising, 3), ==, 1);
}

/* With ties: 1 1 2 2 has four rising pairs and a variance of (4·3·13 − 2·(2·1·9)) / 18 = 20/3. */
static void
test_ties (void)
{
  static const double values[] = { 1, 1, 2, 2 };

  g_assert_cmpfloat_with_epsilon (dyno_stats_trend_probability (values, 4), 0.12264, 1e-4);
}

/* Of 2000 series without a trend, about 1 % look as if they had one at 1 %. */
static void
test_false_alarms (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  guint n_alarms = 0;

  for (guint trial = 0; trial < 2000; trial++)
    {
      double values[20];

      for (guint i = 0; i < 20; i++)
        values[i] = g_rand_double (rand);
      n_alarms += dyno_stats_trend_probability (values, 20) < 0.01;
    }
  g_assert_cmpuint (n_alarms, <=, 40);
}

static const SuiteTest tests[] = {
  { "/trend/by-hand", test_by_hand },
  { "/trend/ties", test_ties },
  { "/trend/false-alarms", test_false_alarms },
};

SUITE_TESTS (tests)
