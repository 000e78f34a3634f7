/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "dyno-chart.h"

#define N_POINTS 1000000
#define N_ROUNDS 15
#define WIDTH    1200
#define HEIGHT   675

/* Draws a million samples as the window does, whole and zoomed in; a frame has 16 ms. */

static DynoTrace *
create_trace (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  DynoTrace *trace = dyno_trace_new ("latency", "ms", 0);
  gint64 time_ns = 0;

  dyno_trace_reserve (trace, N_POINTS);
  for (guint i = 0; i < N_POINTS; i++)
    {
      double latency = 0.1 + 0.01 * sin (i / 1e4) + 0.005 * g_rand_double (rand);

      dyno_trace_add (trace, time_ns, latency);
      time_ns += (gint64)(latency * 1e6);
    }
  return trace;
}

static int
compare_times (gconstpointer a, gconstpointer b)
{
  gint64 difference = *(const gint64 *)a - *(const gint64 *)b;

  return difference < 0 ? -1 : difference > 0;
}

static void
time_rendering (const char *what, DynoChart *chart, cairo_t *cr)
{
  gint64 times[N_ROUNDS];

  for (guint i = 0; i < N_ROUNDS; i++)
    {
      gint64 start = g_get_monotonic_time ();

      dyno_chart_render (chart, cr, WIDTH, HEIGHT, dyno_chart_style_get_light ());
      times[i] = g_get_monotonic_time () - start;
    }
  qsort (times, N_ROUNDS, sizeof *times, compare_times);
  g_print ("%-40s %8.2f ms (median of %d, slowest %.2f ms)\n", what, times[N_ROUNDS / 2] / 1e3, N_ROUNDS,
           times[N_ROUNDS - 1] / 1e3);
}

int
main (void)
{
  g_autoptr (DynoTrace) trace = create_trace ();
  gint64 start = g_get_monotonic_time ();
  g_autoptr (DynoChart) chart = dyno_chart_new_for_trace (trace, "A million samples");
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, WIDTH, HEIGHT);
  cairo_t *cr = cairo_create (surface);

  dyno_chart_render (chart, cr, WIDTH, HEIGHT, dyno_chart_style_get_light ());
  g_print ("%-40s %8.2f ms\n", "first time", (g_get_monotonic_time () - start) / 1e3);
  time_rendering ("a million samples", chart, cr);
  for (guint zooms = 1; zooms <= 3; zooms++)
    {
      g_autofree char *what = g_strdup_printf ("zoomed in %u times", 1u << (3 * zooms));

      dyno_chart_zoom (chart, 8, WIDTH / 2.0, HEIGHT / 2.0);
      time_rendering (what, chart, cr);
    }
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
  return 0;
}
