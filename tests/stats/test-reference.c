/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glib.h>
#include <math.h>

#include "dyno-bootstrap.h"
#include "dyno-distributions.h"
#include "dyno-hypothesis-tests.h"
#include "dyno-stats.h"
#include "dyno-stop-rule.h"
#include "dyno-time-series.h"
#include "suite.h"

/* Everything that reference.ini has figures for; make-reference.py wrote it with SciPy. */

static GKeyFile *reference;

typedef void (*CheckGroup) (const char *group);

static double *
get_numbers (const char *group, const char *key, gsize *n)
{
  g_autoptr (GError) error = NULL;
  double *numbers = g_key_file_get_double_list (reference, group, key, n, &error);

  g_assert_no_error (error);
  return numbers;
}

static double
get_number (const char *group, const char *key)
{
  gsize n;
  g_autofree double *numbers = get_numbers (group, key, &n);

  g_assert_cmpuint (n, ==, 1);
  return numbers[0];
}

static void
for_each_group (const char *prefix, CheckGroup check)
{
  g_auto (GStrv) groups = g_key_file_get_groups (reference, NULL);
  guint n_checked = 0;

  for (guint i = 0; groups[i] != NULL; i++)
    if (g_str_has_prefix (groups[i], prefix))
      {
        g_test_message ("%s", groups[i]);
        check (groups[i]);
        n_checked++;
      }
  g_assert_cmpuint (n_checked, >, 0);
}

static void
assert_close (double value, double expected, double tolerance)
{
  g_assert_cmpfloat_with_epsilon (value, expected, tolerance * fmax (fabs (expected), 1e-300));
}

static void
check_rank_test (const char *group)
{
  gsize n_a, n_b;
  g_autofree double *a = get_numbers (group, "a", &n_a);
  g_autofree double *b = get_numbers (group, "b", &n_b);
  DynoRankTest test;

  g_assert_true (dyno_stats_rank_test (a, n_a, b, n_b, &test));
  g_assert_true (test.is_exact == (n_a + n_b <= 40));
  assert_close (test.u, get_number (group, "u"), 1e-14);
  assert_close (test.p, get_number (group, "p"), 1e-10);
  g_assert_cmpfloat_with_epsilon (test.delta, get_number (group, "delta"), 1e-12);
}

static void
test_rank_test (void)
{
  for_each_group ("rank-test ", check_rank_test);
}

static void
test_false_discovery (void)
{
  gsize n, n_adjusted;
  g_autofree double *p = get_numbers ("false-discovery", "p", &n);
  g_autofree double *expected = get_numbers ("false-discovery", "adjusted", &n_adjusted);
  g_autofree double *adjusted = g_new (double, n);

  dyno_stats_control_false_discovery (p, n, adjusted);
  for (gsize i = 0; i < n; i++)
    assert_close (adjusted[i], expected[i], 1e-12);
}

static void
check_normal (const char *group)
{
  gsize n;
  g_autofree double *z = get_numbers (group, "z", &n);
  g_autofree double *expected = get_numbers (group, "probability", &n);

  for (gsize i = 0; i < n; i++)
    assert_close (dyno_stats_normal_probability (z[i]), expected[i], 1e-12);
}

static void
check_student (const char *group)
{
  gsize n;
  double freedom = get_number (group, "freedom");
  g_autofree double *t = get_numbers (group, "t", &n);
  g_autofree double *expected = get_numbers (group, "probability", &n);

  for (gsize i = 0; i < n; i++)
    assert_close (dyno_stats_student_probability (t[i], freedom), expected[i], 1e-10);
}

static void
check_beta (const char *group)
{
  gsize n;
  g_autofree double *x = get_numbers (group, "x", &n);
  g_autofree double *expected = get_numbers (group, "probability", &n);

  for (gsize i = 0; i < n; i++)
    assert_close (dyno_stats_beta_probability (x[i], get_number (group, "a"), get_number (group, "b")),
                  expected[i], 1e-8);
}

static void
test_distributions (void)
{
  for_each_group ("normal", check_normal);
  for_each_group ("student ", check_student);
  for_each_group ("beta ", check_beta);
}

/* The ends may be as far off as the resamples of either side leave them uncertain. */
static void
assert_interval (const DynoBootstrap *bootstrap, const char *group, const char *key)
{
  gsize n;
  g_autofree double *expected = get_numbers (group, key, &n);
  DynoInterval interval;

  dyno_bootstrap_get_interval (bootstrap, 0.95, &interval);
  g_assert_cmpfloat_with_epsilon (interval.low, expected[0], 0.06 * (expected[1] - expected[0]));
  g_assert_cmpfloat_with_epsilon (interval.high, expected[1], 0.06 * (expected[1] - expected[0]));
}

static void
check_bootstrap (const char *group)
{
  gsize n_a, n_b;
  g_autofree double *a = get_numbers (group, "a", &n_a);
  g_autofree double *b = get_numbers (group, "b", &n_b);
  const DynoSample sample_a = { a, n_a };
  const DynoSample sample_b = { b, n_b };
  g_autoptr (DynoBootstrap) median = dyno_bootstrap_new_median (&sample_a, 1, 1);
  g_autoptr (DynoBootstrap) ratio = dyno_bootstrap_new_ratio (&sample_a, 1, &sample_b, 1, 1);

  assert_interval (median, group, "median");
  assert_interval (ratio, group, "ratio");
}

static void
test_bootstrap (void)
{
  for_each_group ("bootstrap ", check_bootstrap);
}

static void
check_division (const char *group)
{
  gsize n;
  g_autofree double *values = get_numbers (group, "values", &n);
  g_autoptr (GArray) changes = dyno_stats_divide (values, n, 0.02, 1);

  g_assert_cmpuint (changes->len, ==, 1);
  g_assert_cmpuint (g_array_index (changes, gsize, 0), ==, (gsize)get_number (group, "change"));
}

static void
test_division (void)
{
  for_each_group ("division ", check_division);
}

static void
check_early_stopping (const char *group)
{
  gsize n;
  g_autofree double *over = get_numbers (group, "over", &n);
  g_autofree double *sizes = get_numbers (group, "sizes", &n);

  for (gsize i = 0; i < n; i++)
    g_assert_cmpuint (dyno_stats_early_stopping_size (get_number (group, "percent"), (gsize)over[i]), ==,
                      (gsize)sizes[i]);
}

static void
test_early_stopping (void)
{
  for_each_group ("early-stopping ", check_early_stopping);
}

static void
test_means (void)
{
  gsize n;
  g_autofree double *values = get_numbers ("means", "values", &n);

  assert_close (dyno_stats_geometric_mean (values, n), get_number ("means", "geometric"), 1e-13);
  assert_close (dyno_stats_harmonic_mean (values, n), get_number ("means", "harmonic"), 1e-13);
}

static int
run_suite (int argc, char *argv[])
{
  g_autofree char *path = NULL;
  g_autoptr (GError) error = NULL;
  int status;

  g_test_init (&argc, &argv, NULL);

  path = g_test_build_filename (G_TEST_DIST, "stats", "reference.ini", NULL);
  reference = g_key_file_new ();
  g_key_file_load_from_file (reference, path, G_KEY_FILE_NONE, &error);
  g_assert_no_error (error);
  g_test_add_func ("/reference/rank-test", test_rank_test);
  g_test_add_func ("/reference/false-discovery", test_false_discovery);
  g_test_add_func ("/reference/distributions", test_distributions);
  g_test_add_func ("/reference/bootstrap", test_bootstrap);
  g_test_add_func ("/reference/division", test_division);
  g_test_add_func ("/reference/early-stopping", test_early_stopping);
  g_test_add_func ("/reference/means", test_means);
  status = g_test_run ();
  g_key_file_unref (reference);
  return status;
}

SUITE (run_suite)
