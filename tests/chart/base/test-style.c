/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "dyno-chart-base-private.h"
#include "dyno-chart-layers-private.h"
#include "dyno-chart-style.h"
#include "dyno-ink.h"
#include "suite.h"

/* The contrast that WCAG 2 requires for text and graphics; high contrast requires more. */
#define TEXT_CONTRAST    4.5
#define GRAPHIC_CONTRAST 3.0
#define HIGH_CONTRAST    7.0

#define SIZE 80

static void
check_contrast (const DynoChartStyle *style, double text, double graphic)
{
  g_assert_cmpfloat (dyno_color_get_contrast (&style->foreground, &style->background), >=, text);
  g_assert_cmpfloat (dyno_color_get_contrast (&style->dim, &style->background), >=, text);
  g_assert_cmpfloat (dyno_color_get_contrast (&style->accent, &style->background), >=, graphic);
  g_assert_cmpfloat (dyno_color_get_contrast (&style->doubt, &style->background), >=, graphic);
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

/* Simulates protanopia and deuteranopia after Viénot, Brettel and Mollon (1999). */
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
  /* Most charts have no more series than these; beyond that, only markers and dashes distinguish them. */
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

static DynoColor
get_pixel (cairo_surface_t *surface, int x, int y)
{
  const guint8 *data = cairo_image_surface_get_data (surface);
  gsize stride = (gsize)cairo_image_surface_get_stride (surface);
  guint32 pixel = ((const guint32 *)(const void *)(data + (gsize)y * stride))[x];

  return (DynoColor){ (pixel >> 16 & 255) / 255.0, (pixel >> 8 & 255) / 255.0, (pixel & 255) / 255.0, 1 };
}

/* The most contrast between two neighbours in a row of pixels. */
static double
find_contrast (cairo_surface_t *surface, int y)
{
  double most = 1;

  for (int x = 1; x < SIZE; x++)
    {
      DynoColor one = get_pixel (surface, x - 1, y);
      DynoColor other = get_pixel (surface, x, y);

      most = MAX (most, dyno_color_get_contrast (&one, &other));
    }
  return most;
}

static void
check_over (DynoLayer *layer, const DynoChartStyle *style)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, SIZE, SIZE);
  cairo_t *cr = cairo_create (surface);
  g_autoptr (DynoAxis) x_axis = dyno_linear_axis_new ("", "");
  g_autoptr (DynoAxis) y_axis = dyno_linear_axis_new ("", "");
  DynoPlot plot = { 0, 0, SIZE, SIZE, x_axis, y_axis, NULL };

  dyno_axis_set_range (x_axis, 0, 2);
  dyno_axis_set_range (y_axis, 0, 2);
  dyno_ink_set (cr, &style->foreground);
  cairo_paint (cr);
  dyno_layer_render (layer, cr, &plot, style);
  cairo_surface_flush (surface);
  g_assert_cmpfloat (find_contrast (surface, SIZE / 2), >=, GRAPHIC_CONTRAST);
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
}

/* Lines over bars are visible on any colour of the bars, even their own. */
static void
test_over (void)
{
  const DynoChartStyle *const styles[] = { dyno_chart_style_get_light (), dyno_chart_style_get_dark (),
                                           dyno_chart_style_get_high_contrast () };
  g_autoptr (DynoLayer) rules = dyno_rule_layer_new ();
  g_autoptr (DynoSeries) series = dyno_series_new ("limit", 0);
  g_autoptr (DynoLayer) limits = NULL;

  dyno_rule_layer_add (DYNO_RULE_LAYER (rules), 1, "");
  dyno_series_add (series, 1, 1);
  limits = dyno_limit_layer_new (series, FALSE);
  for (guint i = 0; i < G_N_ELEMENTS (styles); i++)
    {
      check_over (rules, styles[i]);
      check_over (limits, styles[i]);
    }
}

static const SuiteTest tests[] = {
  { "/chart/style/contrast", test_contrast },
  { "/chart/style/color-blindness", test_color_blindness },
  { "/chart/style/over", test_over },
};

SUITE_TESTS (tests)
