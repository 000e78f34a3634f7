/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glib.h>
#include <math.h>

#include "dyno-time-series.h"
#include "noise.h"
#include "suite.h"

#define SIGNIFICANCE 0.05

static void
test_levels (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  g_autoptr (GArray) changes = NULL;
  g_autoptr (GArray) same = NULL;
  double values[90];

  noise_fill (rand, values, 90, 10, 0.1, 0);
  for (guint i = 30; i < 60; i++)
    values[i] += 0.6;
  changes = dyno_stats_divide (values, 90, SIGNIFICANCE, 1);
  same = dyno_stats_divide (values, 90, SIGNIFICANCE, 1);
  g_assert_cmpuint (changes->len, ==, 2);
  g_assert_cmpuint (g_array_index (changes, gsize, 0), ==, 30);
  g_assert_cmpuint (g_array_index (changes, gsize, 1), ==, 60);
  g_assert_cmpmem (changes->data, 2 * sizeof (gsize), same->data, same->len * sizeof (gsize));
}

/* A mean would not show it. */
static void
test_spread (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (2);
  g_autoptr (GArray) changes = NULL;
  double values[200];

  noise_fill (rand, values, 100, 10, 0.1, 0);
  noise_fill (rand, values + 100, 100, 10, 1, 0);
  changes = dyno_stats_divide (values, 200, SIGNIFICANCE, 1);
  g_assert_cmpuint (changes->len, ==, 1);
  g_assert_cmpuint (g_array_index (changes, gsize, 0), >, 90);
  g_assert_cmpuint (g_array_index (changes, gsize, 0), <, 110);
}

/* The last point alone is not a change, but three are. */
static void
test_end (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);
  double values[30];

  noise_fill (rand, values, 30, 10, 0.1, 0);
  for (guint n = 28; n <= 30; n++)
    {
      g_autoptr (GArray) changes = NULL;

      values[n - 1] += 2;
      changes = dyno_stats_divide (values, n, SIGNIFICANCE, 1);
      if (n != 29)
        g_assert_cmpuint (changes->len, ==, n == 30);
    }
}

static void
test_few (void)
{
  static const double values[] = { 1, 1, 1, 9, 9 };
  static const double equal[50] = { 0 };
  g_autoptr (GArray) none = dyno_stats_divide (equal, 50, SIGNIFICANCE, 1);

  g_assert_cmpuint (none->len, ==, 0);
  for (gsize n = 0; n <= 5; n++)
    {
      g_autoptr (GArray) changes = dyno_stats_divide (values, n, SIGNIFICANCE, 1);

      g_assert_cmpuint (changes->len, ==, 0);
    }
}

/* The rounding of a long sum is no change, whether one value comes again and again, or two take turns. */
static void
test_rounding (void)
{
  static const double pairs[][2] = { { 1.3919753084875, 1.3919753084875 }, { 0.1, 0.3 } };
  g_autofree double *values = g_new (double, 10000);

  for (guint k = 0; k < G_N_ELEMENTS (pairs); k++)
    {
      g_autoptr (GArray) none = NULL;

      for (guint i = 0; i < 10000; i++)
        values[i] = pairs[k][i % 2];
      none = dyno_stats_divide (values, 10000, SIGNIFICANCE, 1);
      g_assert_cmpuint (none->len, ==, 0);
    }
}

/* One of twenty constant series seems to change, whatever its noise. */
static void
test_false_alarms (void)
{
  static const gsize sizes[] = { 8, 40 };
  g_autoptr (GRand) rand = g_rand_new_with_seed (4);

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      guint n_alarms = 0;

      for (guint trial = 0; trial < 500; trial++)
        {
          g_autoptr (GArray) changes = NULL;
          double values[40];

          for (gsize k = 0; k < sizes[i]; k++)
            values[k] = exp (noise_normal (rand));
          changes = dyno_stats_divide (values, sizes[i], SIGNIFICANCE, trial);
          n_alarms += changes->len > 0;
        }
      g_assert_cmpuint (n_alarms, >=, 10);
      g_assert_cmpuint (n_alarms, <=, 40);
    }
}

static const SuiteTest tests[] = {
  { "/divisive/levels", test_levels },     { "/divisive/spread", test_spread },
  { "/divisive/end", test_end },           { "/divisive/few", test_few },
  { "/divisive/rounding", test_rounding }, { "/divisive/false-alarms", test_false_alarms },
};

SUITE_TESTS (tests)
