/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glib.h>
#include <math.h>
#include <string.h>

#include "dyno-load.h"
#include "suite.h"

#define N 10000

static void
test_rate_is_exact (void)
{
  for (guint64 seed = 0; seed < 20; seed++)
    {
      g_autofree gint64 *arrivals = dyno_arrivals_draw (100, 50, seed);

      g_assert_cmpint (arrivals[99], ==, 2000000000);
      for (guint i = 1; i < 100; i++)
        g_assert_cmpint (arrivals[i], >=, arrivals[i - 1]);
    }
}

/* The gaps are exponential: the greatest distance of their distribution from it is below Kolmogorov's bound at 0.1 %. */
static void
test_gaps (void)
{
  g_autofree gint64 *arrivals = dyno_arrivals_draw (N, 1000, 1);
  gint64 last = 0;
  guint n_below[20] = { 0 };

  for (guint i = 0; i < N; i++)
    {
      double gap = (double)(arrivals[i] - last) / 1e6; /* ms, of mean 1 */

      for (guint j = 0; j < 20; j++)
        n_below[j] += gap <= (j + 1) * 0.25;
      last = arrivals[i];
    }
  for (guint j = 0; j < 20; j++)
    g_assert_cmpfloat_with_epsilon ((double)n_below[j] / N, -expm1 ((j + 1) * -0.25), 1.95 / sqrt (N));
}

static void
test_seed (void)
{
  g_autofree gint64 *first = dyno_arrivals_draw (50, 10, 7);
  g_autofree gint64 *again = dyno_arrivals_draw (50, 10, 7);
  g_autofree gint64 *other = dyno_arrivals_draw (50, 10, 8);

  g_assert_cmpmem (first, 50 * sizeof *first, again, 50 * sizeof *again);
  g_assert_true (memcmp (first, other, 50 * sizeof *first) != 0);
}

static const SuiteTest tests[] = {
  { "/arrivals/rate-is-exact", test_rate_is_exact },
  { "/arrivals/gaps", test_gaps },
  { "/arrivals/seed", test_seed },
};

SUITE_TESTS (tests)
