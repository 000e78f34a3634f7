/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "dyno-chart-style.h"

/* What WCAG 2 asks of text and of graphics; high contrast asks more. */
#define TEXT_CONTRAST    4.5
#define GRAPHIC_CONTRAST 3.0
#define HIGH_CONTRAST    7.0

static void
check_contrast (const DynoChartStyle *style, double text, double graphic)
{
  g_assert_cmpfloat (dyno_color_get_contrast (&style->foreground, &style->background), >=, text);
  g_assert_cmpfloat (dyno_color_get_contrast (&style->dim, &style->background), >=, text);
  g_assert_cmpfloat (dyno_color_get_contrast (&style->accent, &style->background), >=, graphic);
  for (guint i = 0; i < DYNO_CHART_N_COLORS; i++)
    g_assert_cmpfloat (dyno_color_get_contrast (&style->series[i], &style->background), >=, graphic);
}

static void
test_contrast (void)
{
  const DynoColor black = { 0, 0, 0, 1 };
  const DynoColor white = { 1, 1, 1, 1 };

  g_assert_cmpfloat_with_epsilon (dyno_color_get_contrast (&black, &white), 21, 1e-9);
  check_contrast (dyno_chart_style_get_light (), TEXT_CONTRAST, GRAPHIC_CONTRAST);
  check_contrast (dyno_chart_style_get_dark (), TEXT_CONTRAST, GRAPHIC_CONTRAST);
  check_contrast (dyno_chart_style_get_high_contrast (), HIGH_CONTRAST, HIGH_CONTRAST);
}

/* What people without long-wave or without middle-wave cones see, after Viénot, Brettel and Mollon (1999). */
static const double blindness[][3][3] = {
  { { 0.11238, 0.88762, 0 }, { 0.11238, 0.88762, 0 }, { 0.00401, -0.00401, 1 } },
  { { 0.29275, 0.70725, 0 }, { 0.29275, 0.70725, 0 }, { -0.02234, 0.02234, 1 } },
};

static void
see (const DynoColor *color, const double matrix[3][3], double *seen)
{
  double linear[3] = { pow (color->red, 2.2), pow (color->green, 2.2), pow (color->blue, 2.2) };

  for (guint i = 0; i < 3; i++)
    {
      double sum = 0;

      for (guint j = 0; j < 3; j++)
        sum += matrix[i][j] * linear[j];
      seen[i] = pow (CLAMP (sum, 0, 1), 1 / 2.2);
    }
}

static void
check_apart (const DynoChartStyle *style, const double matrix[3][3])
{
  /* Most charts have no more series than these; beyond, markers and dashes carry on alone. */
  const guint n_checked = 4;

  for (guint i = 0; i < n_checked; i++)
    for (guint j = 0; j < i; j++)
      {
        double a[3], b[3];

        see (&style->series[i], matrix, a);
        see (&style->series[j], matrix, b);
        g_assert_cmpfloat (sqrt (pow (a[0] - b[0], 2) + pow (a[1] - b[1], 2) + pow (a[2] - b[2], 2)), >,
                           0.25);
      }
}

static void
test_color_blindness (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (blindness); i++)
    {
      check_apart (dyno_chart_style_get_light (), blindness[i]);
      check_apart (dyno_chart_style_get_dark (), blindness[i]);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/chart/style/contrast", test_contrast);
  g_test_add_func ("/chart/style/color-blindness", test_color_blindness);
  return g_test_run ();
}
