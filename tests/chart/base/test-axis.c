/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>
#include <string.h>

#include "dyno-chart-base-private.h"
#include "dyno-unit.h"
#include "suite.h"

static void
assert_close (double a, double b)
{
  g_assert_cmpfloat_with_epsilon (a, b, 1e-9 * MAX (fabs (b), 1));
}

/* Round trips in the whole range and zoomed in. */
static void
check_round_trip (DynoAxis *axis, double low, double high)
{
  dyno_axis_set_range (axis, low, high);
  assert_close (dyno_axis_normalize (axis, low), 0);
  assert_close (dyno_axis_normalize (axis, high), 1);
  dyno_axis_zoom (axis, 3, 0.4);
  for (double position = 0; position <= 1; position += 0.125)
    assert_close (dyno_axis_normalize (axis, dyno_axis_denormalize (axis, position)), position);
}

static void
test_round_trip (void)
{
  g_autoptr (DynoAxis) linear = dyno_linear_axis_new ("x", "ms");
  g_autoptr (DynoAxis) binary = dyno_log_axis_new ("x", "", 2);
  g_autoptr (DynoAxis) decimal = dyno_log_axis_new ("x", "ms", 10);
  g_autoptr (DynoAxis) time = dyno_time_axis_new ("x");

  check_round_trip (linear, -3, 812);
  check_round_trip (linear, 1e-9, 2e-9);
  check_round_trip (linear, 1e12, 1.5e12);
  check_round_trip (binary, 1, 64);
  check_round_trip (decimal, 0.002, 9000);
  check_round_trip (time, 0, 3600);
}

/* A turned axis grows to the left, and so do its ticks, zoom and pan. */
static void
test_turned (void)
{
  g_autoptr (DynoAxis) axis = dyno_linear_axis_new ("x", "ms");
  g_autoptr (GArray) ticks = NULL;
  double low, high;

  dyno_axis_set_range (axis, 0, 10);
  dyno_axis_set_turned (axis, TRUE);
  assert_close (dyno_axis_normalize (axis, 0), 1);
  assert_close (dyno_axis_normalize (axis, 10), 0);
  assert_close (dyno_axis_denormalize (axis, 0.25), 7.5);
  ticks = dyno_axis_list_ticks (axis, 5);
  for (guint i = 1; i < ticks->len; i++)
    g_assert_cmpfloat (g_array_index (ticks, DynoTick, i).value, <,
                       g_array_index (ticks, DynoTick, i - 1).value);
  dyno_axis_zoom (axis, 2, 0);
  dyno_axis_get_visible (axis, &low, &high);
  assert_close (low, 5);
  assert_close (high, 10);
  dyno_axis_pan (axis, 0.5);
  dyno_axis_get_visible (axis, &low, &high);
  assert_close (low, 2.5);
}

/* The sides of an axis stand beside its label. */
static void
test_sides (void)
{
  g_autoptr (DynoAxis) axis = dyno_log_axis_new ("Ratio", "×", 2);
  g_autofree char *label = NULL;

  dyno_axis_set_sides (axis, "slower", "faster");
  label = dyno_axis_dup_label (axis);
  g_assert_cmpstr (label, ==, "◀ slower · Ratio (×) · faster ▶");
}

/* A lone power of two is no scale: other values are labelled beside it. */
static void
test_lone_power (void)
{
  g_autoptr (DynoAxis) axis = dyno_log_axis_new ("Ratio", "×", 2);
  g_autoptr (GArray) ticks = NULL;

  dyno_axis_set_range (axis, 0.55, 1.76);
  ticks = dyno_axis_list_ticks (axis, 4);
  g_assert_cmpuint (dyno_axis_count_labels (ticks), >=, 2);
}

/* Ticks lie inside, in order, and those with labels are about as many as asked. */
static guint
check_ticks (DynoAxis *axis, guint n_wanted)
{
  g_autoptr (GArray) ticks = dyno_axis_list_ticks (axis, n_wanted);
  double low, high;
  double before = -INFINITY;
  guint n_labels = 0;

  dyno_axis_get_visible (axis, &low, &high);
  for (guint i = 0; i < ticks->len; i++)
    {
      const DynoTick *tick = &g_array_index (ticks, DynoTick, i);

      g_assert_cmpfloat (tick->value, >=, low);
      g_assert_cmpfloat (tick->value, <=, high);
      g_assert_cmpfloat (tick->value, >, before);
      g_assert_true (tick->minor == (tick->label == NULL));
      before = tick->value;
      n_labels += tick->label != NULL;
    }
  g_assert_cmpuint (n_labels, <=, 2 * n_wanted + 1);
  return n_labels;
}

static void
test_ticks (void)
{
  static const double ranges[][2] = { { 0, 1 },          { 3.1, 3.4 },        { 0, 1e-7 },
                                      { -5, 5 },         { 0, 1234567 },      { 1e15, 2e15 },
                                      { 0.000123, 0.9 }, { 99.999, 100.001 }, { 1, 1e12 },
                                      { 1e-300, 1e300 } };
  g_autoptr (DynoAxis) linear = dyno_linear_axis_new ("x", "ms");
  g_autoptr (DynoAxis) binary = dyno_log_axis_new ("x", "", 2);
  g_autoptr (DynoAxis) decimal = dyno_log_axis_new ("x", "ms", 10);
  g_autoptr (DynoAxis) time = dyno_time_axis_new ("x");
  DynoAxis *axes[] = { linear, binary, decimal, time };

  for (guint i = 0; i < G_N_ELEMENTS (ranges); i++)
    for (guint j = 0; j < G_N_ELEMENTS (axes); j++)
      for (guint n_wanted = 2; n_wanted <= 10; n_wanted += 4)
        {
          dyno_axis_set_range (axes[j], ranges[i][0], ranges[i][1]);
          g_assert_cmpuint (check_ticks (axes[j], n_wanted), >=, 1);
          dyno_axis_zoom (axes[j], 37, 0.3);
          g_assert_cmpuint (check_ticks (axes[j], n_wanted), >=, 1);
        }
}

static char *
join_labels (DynoAxis *axis, guint n_wanted)
{
  g_autoptr (GArray) ticks = dyno_axis_list_ticks (axis, n_wanted);
  GString *labels = g_string_new (NULL);

  for (guint i = 0; i < ticks->len; i++)
    {
      const DynoTick *tick = &g_array_index (ticks, DynoTick, i);

      if (tick->label != NULL)
        g_string_append_printf (labels, "%s%s", labels->len > 0 ? " " : "", tick->label);
    }
  return g_string_free (labels, FALSE);
}

static void
assert_labels (DynoAxis *axis, double low, double high, guint n_wanted, const char *expected)
{
  g_autofree char *labels = NULL;

  dyno_axis_set_range (axis, low, high);
  labels = join_labels (axis, n_wanted);
  g_assert_cmpstr (labels, ==, expected);
}

static void
test_labels (void)
{
  g_autoptr (DynoAxis) linear = dyno_linear_axis_new ("x", "ms");
  g_autoptr (DynoAxis) plain = dyno_linear_axis_new ("x", "");
  g_autoptr (DynoAxis) binary = dyno_log_axis_new ("x", "", 2);
  g_autoptr (DynoAxis) ratio = dyno_log_axis_new ("x", "FLOP/byte", 2);
  g_autoptr (DynoAxis) decimal = dyno_log_axis_new ("x", "", 10);
  g_autoptr (DynoAxis) time = dyno_time_axis_new ("x");

  assert_labels (linear, 0, 10, 5, "0 2 4 6 8 10");
  assert_labels (linear, 0, 0.001, 4, "0.0 0.5 1.0");
  assert_labels (plain, -1, 1, 4, "−1.0 −0.5 0.0 0.5 1.0");
  assert_labels (plain, 3.1, 3.4, 3, "3.1 3.2 3.3 3.4");
  assert_labels (binary, 1, 32, 8, "1 2 4 8 16 32");
  assert_labels (binary, 1, 32, 3, "1 4 16");
  assert_labels (decimal, 1, 100, 8, "1 2 5 10 20 50 100");
  assert_labels (decimal, 1, 1e6, 4, "1 100 10000 1000000");
  assert_labels (decimal, 0.001, 1000, 8, "0.001 0.01 0.1 1 10 100 1000");
  assert_labels (decimal, 0.1, 1, 8, "0.1 0.2 0.5 1");
  assert_labels (decimal, 1e-6, 1e6, 5, "10⁻⁶ 10⁻³ 10⁰ 10³ 10⁶");
  assert_labels (decimal, 1e-7, 5e-7, 5, "10⁻⁷ 2·10⁻⁷ 5·10⁻⁷");
  assert_labels (ratio, 0.125, 4, 8, "1/8 1/4 1/2 1 2 4");
  assert_labels (binary, 1, 1, 8, "1 2"); /* there is no half batch */
  assert_labels (ratio, 1.0 / 16384, 4, 5, "2⁻¹⁴ 2⁻¹⁰ 2⁻⁶ 2⁻² 2²");
  assert_labels (binary, 1, 131072, 4, "2⁰ 2⁵ 2¹⁰ 2¹⁵");
  assert_labels (time, 0, 2, 4, "0.0 0.5 1.0 1.5 2.0");
  assert_labels (time, 0, 600, 5, "0:00 2:00 4:00 6:00 8:00 10:00");
  assert_labels (time, 0, 7200, 4, "0:00:00 0:30:00 1:00:00 1:30:00 2:00:00");
}

static void
assert_heading (DynoAxis *axis, double low, double high, const char *expected)
{
  g_autofree char *heading = NULL;

  dyno_axis_set_range (axis, low, high);
  heading = dyno_axis_dup_label (axis);
  g_assert_cmpstr (heading, ==, expected);
}

/* The heading says how clock readings are written. */
static void
test_clock (void)
{
  g_autoptr (DynoAxis) time = dyno_time_axis_new ("Time");
  g_autofree char *labels = NULL;

  assert_heading (time, 0, 2, "Time (s)");
  assert_heading (time, 0, 7200, "Time (h:min:s)");
  assert_heading (time, 0, 600, "Time (min:s)");
  dyno_axis_set_visible (time, 59.9, 60.5);
  labels = join_labels (time, 3);
  g_assert_cmpstr (labels, ==, "1:00.0 1:00.2 1:00.4");
  assert_heading (time, 0, 600, "Time (min:s)");
}

/* Data at zero alone say nothing of what is below. */
static void
test_zero (void)
{
  g_autoptr (DynoAxis) time = dyno_time_axis_new ("Time");

  assert_labels (time, 0, 0, 2, "0.0 0.5 1.0");
}

/* There is no share of 120 %. */
static void
test_limit (void)
{
  g_autoptr (DynoAxis) share = dyno_linear_axis_new ("Share", "%");

  assert_labels (share, 0, 140, 7, "0 20 40 60 80 100 120 140");
  dyno_axis_set_limit (share, 100);
  assert_labels (share, 0, 140, 7, "0 20 40 60 80 100");
}

/* Each label has its unit, so the heading has none; zooming in does not change that. */
static void
test_zoomed_unit (void)
{
  g_autoptr (DynoAxis) axis = dyno_log_axis_new ("x", "ms", 10);
  g_autofree char *heading = NULL;
  g_autofree char *labels = NULL;

  dyno_axis_set_range (axis, 1, 1e4);
  dyno_axis_set_visible (axis, 1, 10);
  heading = dyno_axis_dup_label (axis);
  labels = join_labels (axis, 5);
  g_assert_cmpstr (heading, ==, "x");
  g_assert_cmpstr (labels, ==, "1\u00a0ms 2\u00a0ms 5\u00a0ms 10\u00a0ms");
}

/* Between two powers of ten a single one would be the only label. */
static void
test_single_power (void)
{
  g_autoptr (DynoAxis) axis = dyno_log_axis_new ("x", "ms", 10);
  g_autofree char *labels = NULL;

  dyno_axis_set_range (axis, 1.2, 64);
  labels = join_labels (axis, 4);
  g_assert_cmpstr (labels, ==, "5\u00a0ms 10\u00a0ms 50\u00a0ms");
}

static void
assert_percent (double percent, const char *expected)
{
  g_autofree char *text = dyno_unit_format_percent (percent);

  g_assert_cmpstr (text, ==, expected);
}

/* A small value is not shown as zero. */
static void
test_percents (void)
{
  assert_percent (0, "0");
  assert_percent (0.0004, "less than 0.01");
  assert_percent (0.041, "0.04");
  assert_percent (0.41, "0.4");
  assert_percent (2.44, "2.4");
  assert_percent (9.96, "10");
  assert_percent (61.4, "61");
}

static void
assert_plain (double value, const char *expected)
{
  g_autofree char *text = dyno_unit_format_plain (value);

  g_assert_cmpstr (text, ==, expected);
}

/* Large values are no powers of ten. */
static void
test_plain (void)
{
  assert_plain (4.5, "4.5");
  assert_plain (31.2468, "31.25");
  assert_plain (9999.4, "9999");
  assert_plain (9999.6, "10000");
  assert_plain (12345.6, "12346");
}

static void
assert_ratio (double ratio, const char *expected)
{
  g_autofree char *text = dyno_unit_format_ratio (ratio);

  g_assert_cmpstr (text, ==, expected);
}

/* Large values need no decimals. */
static void
test_ratios (void)
{
  assert_ratio (2, "2.0");
  assert_ratio (18.66, "18.7");
  assert_ratio (1021.9, "1022");
}

static void
test_pathological (void)
{
  static const double ranges[][2] = { { 5, 5 }, { 0, 0 }, { NAN, 3 }, { INFINITY, -INFINITY }, { 7, 2 } };
  g_autoptr (DynoAxis) linear = dyno_linear_axis_new ("x", "ms");
  g_autoptr (DynoAxis) decimal = dyno_log_axis_new ("x", "ms", 10);
  DynoAxis *axes[] = { linear, decimal };

  for (guint i = 0; i < G_N_ELEMENTS (ranges); i++)
    for (guint j = 0; j < G_N_ELEMENTS (axes); j++)
      {
        double low, high;

        dyno_axis_set_range (axes[j], ranges[i][0], ranges[i][1]);
        dyno_axis_get_visible (axes[j], &low, &high);
        g_assert_cmpfloat (low, <, high);
        g_assert_true (isfinite (dyno_axis_normalize (axes[j], low)));
        check_ticks (axes[j], 5);
      }
  dyno_axis_set_range (decimal, -4, 10);
  g_assert_true (isfinite (dyno_axis_normalize (decimal, -4)));
}

static void
test_zoom (void)
{
  g_autoptr (DynoAxis) axis = dyno_linear_axis_new ("x", "ms");
  double low, high;

  dyno_axis_set_range (axis, 0, 100);
  dyno_axis_zoom (axis, 2, 0.5);
  dyno_axis_get_visible (axis, &low, &high);
  assert_close (low, 25);
  assert_close (high, 75);
  g_assert_true (dyno_axis_is_zoomed (axis));
  dyno_axis_pan (axis, 0.1);
  dyno_axis_get_visible (axis, &low, &high);
  assert_close (low, 30);
  dyno_axis_pan (axis, 100);
  dyno_axis_get_visible (axis, &low, &high);
  assert_close (low, 50);
  assert_close (high, 100);
  dyno_axis_zoom (axis, 0.01, 0.5);
  dyno_axis_get_visible (axis, &low, &high);
  g_assert_cmpfloat (low, ==, 0);
  g_assert_cmpfloat (high, ==, 100);
  g_assert_false (dyno_axis_is_zoomed (axis));
}

static void
test_home (void)
{
  g_autoptr (DynoAxis) axis = dyno_linear_axis_new ("x", "ms");
  double low, high;

  dyno_axis_set_range (axis, 0, 100);
  dyno_axis_set_home (axis, 0, 10);
  g_assert_false (dyno_axis_is_zoomed (axis));
  dyno_axis_zoom (axis, 0.001, 0);
  dyno_axis_get_visible (axis, &low, &high);
  assert_close (high, 100);
  g_assert_true (dyno_axis_is_zoomed (axis));
  dyno_axis_reset (axis);
  dyno_axis_get_visible (axis, &low, &high);
  assert_close (high, 10);
}

static void
test_category (void)
{
  g_autoptr (DynoAxis) axis = dyno_category_axis_new ("Case");
  g_autofree char *second = NULL;
  g_autofree char *labels = NULL;

  g_assert_cmpuint (dyno_category_axis_add (DYNO_CATEGORY_AXIS (axis), "cpu"), ==, 0);
  g_assert_cmpuint (dyno_category_axis_add (DYNO_CATEGORY_AXIS (axis), "cuda"), ==, 1);
  second = dyno_axis_format (axis, 1.2);
  g_assert_cmpstr (second, ==, "cuda");
  labels = join_labels (axis, 2);
  g_assert_cmpstr (labels, ==, "cpu cuda");
  assert_close (dyno_axis_normalize (axis, 0), 0.25);
  assert_close (dyno_axis_normalize (axis, 1), 0.75);
}

static void
assert_format (double value, const char *unit, const char *expected)
{
  g_autofree char *text = dyno_unit_format (value, unit);

  g_assert_cmpstr (text, ==, expected);
}

static void
test_units (void)
{
  assert_format (3.2149, "ms", "3.21\u00a0ms");
  assert_format (0.0032, "ms", "3.20\u00a0µs");
  assert_format (0.00000071, "ms", "0.710\u00a0ns");
  assert_format (12345, "ms", "12.3\u00a0s");
  assert_format (0, "ms", "0\u00a0ms");
  assert_format (512, "MB", "512\u00a0MB");
  assert_format (2048, "MB", "2.05\u00a0GB");
  assert_format (0.25, "MB", "250\u00a0kB");
  assert_format (1355.4, "items/s", "1355\u00a0items/s");
  assert_format (3.4e6, "items/s", "3.40\u00a0M items/s");
  assert_format (12.34, "%", "12.3\u00a0%");
  assert_format (0.04, "%", "0.04\u00a0%");
  assert_format (0.00412, "", "0.00412");
  assert_format (-1.5, "", "−1.50");
  /* Both are whole in ns, but for a rounding. */
  assert_format (1e-5, "ms", "10\u00a0ns");
  assert_format (5e-5, "ms", "50\u00a0ns");
  assert_format (5.01e-5, "ms", "50.1\u00a0ns");
}

/* There is no run one and a half. */
static void
test_counts (void)
{
  g_autoptr (DynoAxis) axis = dyno_linear_axis_new ("Run", "");
  g_autofree char *labels = NULL;

  dyno_axis_set_counts (axis, TRUE);
  dyno_axis_set_range (axis, 0.5, 3.5);
  labels = join_labels (axis, 8);
  g_assert_cmpstr (labels, ==, "1 2 3");
}

static void
check_range (DynoAxis *axis, double low, double high)
{
  double from, to;

  dyno_axis_get_visible (axis, &from, &to);
  g_assert_cmpfloat (from, ==, low);
  g_assert_cmpfloat (to, ==, high);
}

static void
test_created_with_range (void)
{
  g_autoptr (DynoAxis) nice = dyno_linear_axis_new_nice ("x", "ms", 3, 97);
  g_autoptr (DynoAxis) time = dyno_time_axis_new_between (2, 7);

  check_range (nice, 0, 100);
  check_range (time, 2, 7);
  g_assert_true (dyno_axis_get_zoomable (time));
  g_assert_false (dyno_axis_get_zoomable (nice));
}

static const SuiteTest tests[] = {
  { "/chart/axis/round-trip", test_round_trip },
  { "/chart/axis/turned", test_turned },
  { "/chart/axis/sides", test_sides },
  { "/chart/axis/lone-power", test_lone_power },
  { "/chart/axis/ticks", test_ticks },
  { "/chart/axis/clock", test_clock },
  { "/chart/axis/limit", test_limit },
  { "/chart/axis/zero", test_zero },
  { "/chart/axis/labels", test_labels },
  { "/chart/axis/zoomed-unit", test_zoomed_unit },
  { "/chart/axis/single-power", test_single_power },
  { "/chart/axis/percents", test_percents },
  { "/chart/axis/plain", test_plain },
  { "/chart/axis/ratios", test_ratios },
  { "/chart/axis/pathological", test_pathological },
  { "/chart/axis/zoom", test_zoom },
  { "/chart/axis/home", test_home },
  { "/chart/axis/category", test_category },
  { "/chart/axis/units", test_units },
  { "/chart/axis/counts", test_counts },
  { "/chart/axis/created-with-range", test_created_with_range },
};

SUITE_TESTS (tests)
