/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "dyno-model-weights-private.h"
#include "suite.h"

#define N_VALUES 100001

static const DynoWeight weight = {
  "layer.0.weight", { DYNO_DATA_TYPE_FLOAT, 1, { N_VALUES } }, 1, 0.5, TRUE
};

static void
test_same_everywhere (void)
{
  float values[4];

  g_assert_cmphex (dyno_weights_mix (1), ==, G_GUINT64_CONSTANT (0xe220a8397b1dcdaf));
  g_assert_cmphex (dyno_weights_mix (2), ==, G_GUINT64_CONSTANT (0x6e789e6aa1b965f4));
  dyno_weights_fill (&weight, 1, 0, values, 4);
  for (guint i = 0; i < 4; i++)
    {
      guint64 bits = dyno_weights_mix (dyno_weights_key (weight.name, 1) + i / 2);
      double whole = (gint32)(guint32)(i % 2 == 0 ? bits : bits >> 32);

      g_assert_cmpfloat_with_epsilon (values[i], 1 + 0.5 * sqrt (3) * whole / 2147483648.0, 1e-6);
    }
}

static void
test_distribution (void)
{
  g_autofree float *values = g_new (float, N_VALUES);
  double sum = 0, squares = 0;

  dyno_weights_fill (&weight, 7, 0, values, N_VALUES);
  for (guint i = 0; i < N_VALUES; i++)
    {
      sum += values[i];
      squares += (values[i] - 1.0) * (values[i] - 1.0);
      g_assert_cmpfloat (fabs (values[i] - 1.0), <=, 0.5 * sqrt (3) + 1e-6);
    }
  g_assert_cmpfloat_with_epsilon (sum / N_VALUES, 1, 0.01);
  g_assert_cmpfloat_with_epsilon (sqrt (squares / N_VALUES), 0.5, 0.01);
}

static void
test_parts (void)
{
  g_autofree float *whole = g_new (float, N_VALUES);
  g_autofree float *part = g_new (float, 1001);

  dyno_weights_fill (&weight, 7, 0, whole, N_VALUES);
  dyno_weights_fill (&weight, 7, 5000, part, 1001);
  g_assert_cmpmem (whole + 5000, 1001 * sizeof (float), part, 1001 * sizeof (float));
}

static void
test_seeds (void)
{
  const DynoWeight other = { "layer.1.weight", weight.shape, weight.mean, weight.deviation, TRUE };
  float a[8], b[8], c[8], d[8];

  dyno_weights_fill (&weight, 1, 0, a, 8);
  dyno_weights_fill (&weight, 1, 0, b, 8);
  dyno_weights_fill (&weight, 2, 0, c, 8);
  dyno_weights_fill (&other, 1, 0, d, 8);
  g_assert_cmpmem (a, sizeof a, b, sizeof b);
  g_assert_cmpint (memcmp (a, c, sizeof a), !=, 0);
  g_assert_cmpint (memcmp (a, d, sizeof a), !=, 0);
}

static void
test_constant (void)
{
  const DynoWeight ones = { "ones", { DYNO_DATA_TYPE_FLOAT, 1, { 3 } }, 1, 0, TRUE };
  float values[3];

  dyno_weights_fill (&ones, 1, 0, values, 3);
  for (guint i = 0; i < 3; i++)
    g_assert_cmpfloat (values[i], ==, 1);
}

static const SuiteTest tests[] = {
  { "/weights/same-everywhere", test_same_everywhere },
  { "/weights/distribution", test_distribution },
  { "/weights/parts", test_parts },
  { "/weights/seeds", test_seeds },
  { "/weights/constant", test_constant },
};

SUITE_TESTS (tests)
