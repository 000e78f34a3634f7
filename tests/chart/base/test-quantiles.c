/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-chart-base-private.h"
#include "dyno-stats.h"
#include "suite.h"

static const double percents[] = { 0, 1, 5, 25, 50, 75, 90, 99, 99.9, 100 };

/* Against the sorted values, for which the definition is tested elsewhere. */
static void
check (const double *values, guint n)
{
  g_autofree double *sorted = g_memdup2 (values, n * sizeof (double));
  double quantiles[G_N_ELEMENTS (percents)];

  dyno_stats_sort (sorted, n);
  dyno_quantiles_find (values, n, percents, G_N_ELEMENTS (percents), quantiles);
  for (guint i = 0; i < G_N_ELEMENTS (percents); i++)
    g_assert_cmpfloat_with_epsilon (quantiles[i], dyno_stats_percentile (sorted, n, percents[i]), 1e-12);
}

static double
draw (GRand *rand, guint shape, guint i, guint n)
{
  switch (shape)
    {
    case 0:
      return g_rand_double (rand);
    case 1:
      return i;
    case 2:
      return n - i;
    case 3:
      return g_rand_int_range (rand, 0, 3);
    default:
      return 7;
    }
}

static void
test_all (void)
{
  static const guint sizes[] = { 1, 2, 3, 10, 601, 5000, 100003 };
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);

  for (guint shape = 0; shape < 5; shape++)
    for (guint size = 0; size < G_N_ELEMENTS (sizes); size++)
      {
        g_autofree double *values = g_new (double, sizes[size]);

        for (guint i = 0; i < sizes[size]; i++)
          values[i] = draw (rand, shape, i, sizes[size]);
        check (values, sizes[size]);
      }
}

static const SuiteTest tests[] = {
  { "/chart/quantiles", test_all },
};

SUITE_TESTS (tests)
