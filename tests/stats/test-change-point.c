/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glib.h>
#include <math.h>

#include "dyno-stats.h"
#include "noise.h"
#include "suite.h"

/* Flow of the Nile at Aswan, 1871–1970 (Cobb, 1978): one change, after the flood of 1898. */
static const double nile[] = {
  1120, 1160, 963,  1210, 1160, 1160, 813,  1230, 1370, 1140, 995,  935,  1110, 994, 1020, 960,  1180,
  799,  958,  1140, 1100, 1210, 1150, 1250, 1260, 1220, 1030, 1100, 774,  840,  874, 694,  940,  833,
  701,  916,  692,  1020, 1050, 969,  831,  726,  456,  824,  702,  1120, 1100, 832, 764,  821,  768,
  845,  864,  862,  698,  845,  744,  796,  1040, 759,  781,  865,  845,  944,  984, 897,  822,  1010,
  771,  676,  649,  846,  812,  742,  801,  1040, 860,  874,  848,  890,  744,  749, 838,  1050, 918,
  986,  797,  923,  975,  815,  1020, 906,  901,  1170, 912,  746,  919,  718,  714, 740,
};

static void
assert_changes (GArray *changes, const gsize *expected, guint n_expected)
{
  g_assert_cmpuint (changes->len, ==, n_expected);
  for (guint i = 0; i < n_expected; i++)
    g_assert_cmpuint (g_array_index (changes, gsize, i), ==, expected[i]);
}

static void
test_nile (void)
{
  static const gsize expected[] = { 28 };
  g_autoptr (GArray) changes = dyno_stats_change_points (nile, G_N_ELEMENTS (nile), 5);

  g_assert_cmpuint (G_N_ELEMENTS (nile), ==, 100);
  assert_changes (changes, expected, 1);
}

static void
test_exact_steps (void)
{
  static const gsize expected[] = { 30, 70 };
  g_autoptr (GArray) changes = NULL;
  double values[100];

  for (gsize i = 0; i < 100; i++)
    values[i] = i < 30 ? 5 : i < 70 ? 3 : 4;
  changes = dyno_stats_change_points (values, 100, 15);
  assert_changes (changes, expected, 2);
}

static void
test_few (void)
{
  static const double values[] = { 1, 9, 1, 9, 1 };

  for (gsize n = 0; n <= G_N_ELEMENTS (values); n++)
    {
      g_autoptr (GArray) changes = dyno_stats_change_points (values, n, 2);

      g_assert_cmpuint (changes->len, ==, 0);
    }
}

static void
test_constant (void)
{
  g_autoptr (GArray) changes = NULL;
  double values[500];

  for (gsize i = 0; i < 500; i++)
    values[i] = 1e-3;
  changes = dyno_stats_change_points (values, 500, 15);
  g_assert_cmpuint (changes->len, ==, 0);
}

/* A clock that ticks in whole steps gives mostly equal values. */
static void
test_coarse_clock (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);
  g_autoptr (GArray) changes = NULL;
  double values[500];

  for (gsize i = 0; i < 500; i++)
    values[i] = g_rand_int_range (rand, 0, 10) == 0 ? 11 : 10;
  changes = dyno_stats_change_points (values, 500, 15);
  g_assert_cmpuint (changes->len, ==, 0);
}

static void
test_no_reading (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (5);
  g_autoptr (GArray) changes = NULL;
  double values[300];

  for (gsize i = 0; i < 300; i++)
    values[i] = i < 10 || i % 7 == 0 ? NAN : (i < 200 ? 3 : 2) + 0.01 * noise_normal (rand);
  values[50] = INFINITY;
  changes = dyno_stats_change_points (values, 300, 15);
  g_assert_cmpuint (changes->len, ==, 1);
  g_assert_cmpuint (g_array_index (changes, gsize, 0), >=, 198);
  g_assert_cmpuint (g_array_index (changes, gsize, 0), <=, 202);
}

static void
test_nothing_but_nan (void)
{
  g_autoptr (GArray) changes = NULL;
  double values[50];

  for (gsize i = 0; i < 50; i++)
    values[i] = NAN;
  changes = dyno_stats_change_points (values, 50, 15);
  g_assert_cmpuint (changes->len, ==, 0);
}

/* Searched in blocks, yet placed to the sample. */
static void
test_long (void)
{
  const gsize n = 1000000;
  static const gsize expected[] = { 123457, 700001 };
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);
  g_autofree double *values = g_new (double, n);
  g_autoptr (GArray) changes = NULL;

  for (gsize i = 0; i < n; i++)
    values[i] = (i < 123457 ? 1.5 : i < 700001 ? 1 : 1.2) + 0.01 * noise_normal (rand);
  changes = dyno_stats_change_points (values, n, 15);
  assert_changes (changes, expected, 2);
}

static void
test_penalty (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (11);
  g_autoptr (GArray) changes = NULL;
  double values[400];

  for (gsize i = 0; i < 400; i++)
    values[i] = (i < 200 ? 1 : 2) + noise_normal (rand);
  changes = dyno_stats_change_points (values, 400, 3);
  g_assert_cmpuint (changes->len, ==, 1);
  g_clear_pointer (&changes, g_array_unref);
  changes = dyno_stats_change_points (values, 400, 100);
  g_assert_cmpuint (changes->len, ==, 0);
}

static void
test_noise (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (13);
  g_autofree double *values = g_new (double, 5000);
  static const double ramp[] = { 1, 2, 3, 4, 5 };

  for (gsize i = 0; i < 5000; i++)
    values[i] = (i < 2000 ? 9 : 5) + 0.001 * i + 0.1 * noise_normal (rand) + (i % 50 == 0 ? 30 : 0);
  g_assert_cmpfloat_with_epsilon (dyno_stats_noise (values, 5000), 0.1, 0.01);
  g_assert_cmpfloat_with_epsilon (dyno_stats_noise (ramp, 5), 0, 1e-12);
  g_assert_true (isnan (dyno_stats_noise (ramp, 1)));
  g_assert_true (isnan (dyno_stats_noise (ramp, 0)));
}

static const SuiteTest tests[] = {
  { "/change-point/nile", test_nile },
  { "/change-point/exact-steps", test_exact_steps },
  { "/change-point/few", test_few },
  { "/change-point/constant", test_constant },
  { "/change-point/coarse-clock", test_coarse_clock },
  { "/change-point/no-reading", test_no_reading },
  { "/change-point/nothing-but-nan", test_nothing_but_nan },
  { "/change-point/long", test_long },
  { "/change-point/penalty", test_penalty },
  { "/noise", test_noise },
};

SUITE_TESTS (tests)
