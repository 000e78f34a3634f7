/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "chart-fixture.h"
#include "dyno-phase.h"

/* Times the rendering of a million steps, whole and at several depths of zoom. One line per picture. */

#define N_STEPS  1000000
#define N_FRAMES 21
#define WIDTH    1600
#define HEIGHT   900

static DynoRun *
create_run (void)
{
  FixtureCase what = { "BERT base uncased", "cpu", 1, 128, 0.4, 0.06, N_STEPS, 40 };
  DynoRun *run = fixture_create_run ("A million steps");
  DynoResult *result = fixture_add_case (run, &what);

  fixture_add_memory (result, 48, 512);
  return run;
}

static int
compare_times (gconstpointer a, gconstpointer b)
{
  gint64 left = *(const gint64 *)a;
  gint64 right = *(const gint64 *)b;

  return left < right ? -1 : left > right;
}

static double
time_frames (DynoChart *chart)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, WIDTH, HEIGHT);
  cairo_t *cr = cairo_create (surface);
  gint64 times[N_FRAMES];

  for (guint i = 0; i < N_FRAMES; i++)
    {
      gint64 begin = g_get_monotonic_time ();

      dyno_chart_render (chart, cr, WIDTH, HEIGHT, dyno_chart_style_get_light ());
      cairo_surface_flush (surface);
      times[i] = g_get_monotonic_time () - begin;
    }
  qsort (times, N_FRAMES, sizeof (gint64), compare_times);
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
  return times[N_FRAMES / 2] / 1e3;
}

static void
bench (DynoChartKind kind, GPtrArray *runs)
{
  gint64 begin = g_get_monotonic_time ();
  g_autoptr (DynoChart) chart = dyno_chart_new (kind, runs);

  g_print ("%s: made in %.1f ms\n", dyno_chart_kind_to_string (kind),
           (g_get_monotonic_time () - begin) / 1e3);
  for (int exponent = 0; exponent <= 5; exponent++)
    {
      g_print ("%s: zoom %.0f, median frame %.2f ms\n", dyno_chart_kind_to_string (kind), pow (10, exponent),
               time_frames (chart));
      dyno_chart_zoom (chart, 10, WIDTH * 0.6, HEIGHT / 2.0);
    }
}

static void
bench_hover (GPtrArray *runs)
{
  g_autoptr (DynoChart) chart = dyno_chart_new (DYNO_CHART_LATENCY, runs);
  gint64 begin;

  time_frames (chart);
  begin = g_get_monotonic_time ();
  for (guint i = 0; i < 100; i++)
    dyno_chart_hover (chart, 100 + i * 14, HEIGHT / 2.0);
  g_print ("hover: %.2f ms\n", (g_get_monotonic_time () - begin) / 1e5);
}

/* Many points with labels to place. */
static void
bench_roofline (void)
{
  DynoRun *run = fixture_create_run ("Many cases");
  g_autoptr (GPtrArray) runs = fixture_list (run, NULL);
  g_autoptr (DynoChart) chart = NULL;
  gint64 begin;

  for (guint i = 0; i < 500; i++)
    {
      FixtureCase what = { "BERT base uncased", "cpu", 1 + i, 128, 1 + i % 37, 0.06, 50, 0, 0,
                           1e8 * (1 + i),       1e7 };

      fixture_add_case (run, &what);
    }
  begin = g_get_monotonic_time ();
  chart = dyno_chart_new (DYNO_CHART_ROOFLINE, runs);
  fixture_set_ceilings (chart, runs);
  dyno_chart_set_aspect (chart, 1);
  g_print ("roofline: made three times in %.1f ms\n", (g_get_monotonic_time () - begin) / 1e3);
  g_print ("roofline: median frame %.2f ms\n", time_frames (chart));
}

int
main (int argc, char **argv)
{
  g_autoptr (GPtrArray) runs = fixture_list (create_run (), NULL);

  bench (DYNO_CHART_LATENCY, runs);
  bench (DYNO_CHART_MEMORY, runs);
  bench (DYNO_CHART_DISTRIBUTION, runs);
  bench_hover (runs);
  bench_roofline ();
  return EXIT_SUCCESS;
}
