/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "dyno-chart-base-private.h"
#include "suite.h"

#define N_POINTS 100000

/* Noise with single spikes, which decimation must not lose. */
static DynoSeries *
create_noise (guint n_points)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);
  DynoSeries *series = dyno_series_new ("noise", 0);

  for (guint i = 0; i < n_points; i++)
    dyno_series_add (series, i, i % 9973 == 17 ? 50 : g_rand_double (rand));
  return series;
}

static void
scan (DynoSeries *series, guint first, guint end, double *least, double *most)
{
  *least = INFINITY;
  *most = -INFINITY;
  for (guint i = first; i < end; i++)
    {
      *least = MIN (*least, dyno_series_get_y (series)[i]);
      *most = MAX (*most, dyno_series_get_y (series)[i]);
    }
}

static void
test_extent (void)
{
  g_autoptr (DynoSeries) series = create_noise (N_POINTS);
  g_autoptr (GRand) rand = g_rand_new_with_seed (8);

  for (guint i = 0; i < 300; i++)
    {
      guint first = g_rand_int_range (rand, 0, N_POINTS);
      guint end = g_rand_int_range (rand, first, N_POINTS) + 1;
      double least, most, true_least, true_most;

      scan (series, first, end, &true_least, &true_most);
      g_assert_true (dyno_series_get_extent (series, first, end, &least, &most));
      g_assert_cmpfloat (least, ==, true_least);
      g_assert_cmpfloat (most, ==, true_most);
    }
}

static void
test_growing (void)
{
  g_autoptr (DynoSeries) series = dyno_series_new ("live", 0);
  double least, most;

  g_assert_false (dyno_series_get_extent (series, 0, 1, &least, &most));
  for (guint i = 0; i < 5000; i++)
    {
      dyno_series_add (series, i, i);
      g_assert_true (dyno_series_get_extent (series, 0, i + 1, &least, &most));
      g_assert_cmpfloat (most, ==, i);
    }
}

static void
test_find (void)
{
  g_autoptr (DynoSeries) series = dyno_series_new ("steps", 0);

  for (guint i = 0; i < 10; i++)
    dyno_series_add (series, i / 2, i);
  g_assert_cmpuint (dyno_series_find (series, -1), ==, 0);
  g_assert_cmpuint (dyno_series_find (series, 1), ==, 2);
  g_assert_cmpuint (dyno_series_find (series, 1.5), ==, 4);
  g_assert_cmpuint (dyno_series_find (series, 5), ==, 10);
}

/* Points at both ends belong to the range, and a range without points is empty. */
static void
test_find_range (void)
{
  static const struct
  {
    double low, high;
    guint first, end;
  } ranges[] = { { 1, 2, 2, 6 },   { 1.5, 2.5, 4, 6 },   { -INFINITY, INFINITY, 0, 10 },
                 { 5, 9, 10, 10 }, { 1.25, 1.75, 4, 4 }, { -2, -1, 0, 0 } };
  g_autoptr (DynoSeries) series = dyno_series_new ("steps", 0);

  for (guint i = 0; i < 10; i++)
    dyno_series_add (series, i / 2, i);
  for (guint i = 0; i < G_N_ELEMENTS (ranges); i++)
    {
      guint first, end;

      dyno_series_find_range (series, ranges[i].low, ranges[i].high, &first, &end);
      g_assert_cmpuint (first, ==, ranges[i].first);
      g_assert_cmpuint (end, ==, ranges[i].end);
    }
}

static void
test_not_finite (void)
{
  g_autoptr (DynoSeries) series = dyno_series_new ("gaps", 0);
  double low, high;

  g_assert_false (dyno_series_add (series, 1, NAN));
  g_assert_false (dyno_series_add (series, INFINITY, 1));
  g_assert_true (dyno_series_add (series, 1, 1));
  g_assert_true (dyno_series_add_with_band (series, 2, 2, NAN, NAN));
  g_assert_false (dyno_series_has_band (series));
  g_assert_true (dyno_series_add_with_band (series, 3, 3, 2.5, 3.5));
  g_assert_cmpuint (dyno_series_get_length (series), ==, 3);
  g_assert_false (dyno_series_get_band (series, 1, &low, &high));
  g_assert_true (dyno_series_get_band (series, 2, &low, &high));
  g_assert_cmpfloat (low, ==, 2.5);
}

/* Each column holds what a scan of its points finds, and together they hold every point in view. */
static void
check_columns (const DynoPlot *plot, DynoSeries *series)
{
  g_autoptr (GArray) columns = dyno_plot_decimate (plot, series, 2);
  double low, high;
  guint next;

  g_assert_nonnull (columns);
  g_assert_cmpuint (columns->len, <=, (guint)ceil (plot->width));
  dyno_axis_get_visible (plot->x_axis, &low, &high);
  next = dyno_series_find (series, low);
  for (guint i = 0; i < columns->len; i++)
    {
      const DynoColumn *column = &g_array_index (columns, DynoColumn, i);
      double least, most;

      g_assert_cmpuint (column->first, ==, next);
      scan (series, column->first, column->end, &least, &most);
      g_assert_cmpfloat (column->least, ==, least);
      g_assert_cmpfloat (column->most, ==, most);
      next = column->end;
    }
  g_assert_true (next == dyno_series_get_length (series) || dyno_series_get_x (series)[next] > high);
}

static void
test_decimate (void)
{
  g_autoptr (DynoSeries) series = create_noise (N_POINTS);
  g_autoptr (DynoAxis) x_axis = dyno_linear_axis_new ("x", "");
  g_autoptr (DynoAxis) y_axis = dyno_linear_axis_new ("y", "");
  DynoPlot plot = { 10, 10, 640, 300, x_axis, y_axis };

  dyno_axis_set_range (x_axis, 0, N_POINTS - 1);
  dyno_axis_set_range (y_axis, 0, 50);
  check_columns (&plot, series);
  dyno_axis_zoom (x_axis, 7.3, 0.31);
  check_columns (&plot, series);
  dyno_axis_zoom (x_axis, 1000, 0.5);
  g_assert_null (dyno_plot_decimate (&plot, series, 2));
}

/* A point without an interval leaves the bounds of an axis as they are. */
static void
test_band (void)
{
  g_autoptr (DynoSeries) series = dyno_series_new ("", 0);
  double low = 1, high = 2;

  dyno_series_add_with_band (series, 1, 10, NAN, NAN);
  dyno_series_add_with_band (series, 2, 20, 15, 25);
  g_assert_false (dyno_series_get_band (series, 0, &low, &high));
  g_assert_cmpfloat (low, ==, 1);
  g_assert_cmpfloat (high, ==, 2);
  g_assert_true (dyno_series_get_band (series, 1, &low, &high));
  g_assert_cmpfloat (low, ==, 15);
  g_assert_cmpfloat (high, ==, 25);
}

static const SuiteTest tests[] = {
  { "/chart/series/band", test_band },
  { "/chart/series/extent", test_extent },
  { "/chart/series/growing", test_growing },
  { "/chart/series/find", test_find },
  { "/chart/series/find-range", test_find_range },
  { "/chart/series/not-finite", test_not_finite },
  { "/chart/series/decimate", test_decimate },
};

SUITE_TESTS (tests)
