/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "bench.h"
#include "dyno-chart-kind.h"
#include "dyno-subject-charts.h"
#include "suite.h"

/* Draws a million samples as the window does, whole and zoomed in; a frame has 16 ms. The baseline is the same chart
 * of a thousand samples: axes, text and a line of as many pixels. */

#define N_POINTS       1000000
#define N_FEWER_POINTS 1000
#define N_ROUNDS       15
#define WIDTH          1200
#define HEIGHT         675
#define LIMIT_MS       16

typedef struct
{
  DynoChart *large;
  DynoChart *small;
  cairo_t *cr;
  DynoRun *large_run;
  DynoRun *small_run;
} Bench;

static DynoTrace *
create_trace (guint n_points)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  DynoTrace *trace = dyno_trace_new ("latency", "ms", 0);
  gint64 time_ns = 0;

  dyno_trace_reserve (trace, n_points);
  for (guint i = 0; i < n_points; i++)
    {
      double latency = 0.1 + 0.01 * sin (i * 100.0 / n_points) + 0.005 * g_rand_double (rand);

      dyno_trace_add (trace, time_ns, latency);
      time_ns += (gint64)(latency * 1e6);
    }
  return trace;
}

static double
time_rendering (DynoChart *chart, cairo_t *cr)
{
  gint64 start = g_get_monotonic_time ();

  dyno_chart_render (chart, cr, WIDTH, HEIGHT, dyno_chart_style_get_light ());
  return (double)(g_get_monotonic_time () - start) / 1e3;
}

static double
render_large (gpointer data)
{
  Bench *self = data;

  return time_rendering (self->large, self->cr);
}

static double
render_small (gpointer data)
{
  Bench *self = data;

  return time_rendering (self->small, self->cr);
}

static double
create_and_render (Bench *self, guint n_points)
{
  g_autoptr (DynoTrace) trace = create_trace (n_points);
  gint64 start = g_get_monotonic_time ();
  g_autoptr (DynoChart) chart = dyno_chart_new_for_trace (trace, "Samples");

  time_rendering (chart, self->cr);
  return (double)(g_get_monotonic_time () - start) / 1e3;
}

static double
open_large (gpointer data)
{
  return create_and_render (data, N_POINTS);
}

static double
open_small (gpointer data)
{
  return create_and_render (data, N_FEWER_POINTS);
}

static DynoRun *
create_run (guint n_points)
{
  g_autoptr (DynoCase) kase = dyno_case_new ("bench", "cpu");
  g_autoptr (DynoResult) result = dyno_result_new (kase, 0);
  DynoRun *run = dyno_run_new (NULL);

  dyno_result_take_trace (result, create_trace (n_points));
  dyno_result_set_status (result, DYNO_STATUS_OK, NULL);
  dyno_run_add_result (run, result);
  return run;
}

static double
distribute (DynoRun *run, cairo_t *cr)
{
  g_autoptr (DynoResult) result = g_list_model_get_item (dyno_run_get_results (run), 0);
  gint64 start = g_get_monotonic_time ();
  g_autoptr (DynoChart) chart = dyno_chart_new_for_result (DYNO_CHART_DISTRIBUTION, run, result);

  time_rendering (chart, cr);
  return (double)(g_get_monotonic_time () - start) / 1e3;
}

static double
distribute_large (gpointer data)
{
  Bench *self = data;

  return distribute (self->large_run, self->cr);
}

static double
distribute_small (gpointer data)
{
  Bench *self = data;

  return distribute (self->small_run, self->cr);
}

static void
report (Bench *self, const char *name, BenchBlock subject, BenchBlock baseline)
{
  g_autoptr (BenchPairs) pairs = bench_pairs_new ();

  bench_pairs_run (pairs, N_ROUNDS, subject, baseline, self);
  if (subject == render_large || subject == distribute_large)
    bench_report_value (name, "ms", "a thousand samples", pairs, BENCH_AT_MOST, LIMIT_MS);
  else
    bench_report (name, "ms", "a thousand samples", pairs);
}

static void
bench_frames (Bench *self)
{
  report (self, "drawing a million samples", render_large, render_small);
  for (guint zooms = 1; zooms <= 3; zooms++)
    {
      g_autofree char *name =
          g_strdup_printf ("drawing a million samples, zoomed in %u times", 1u << (3 * zooms));

      dyno_chart_zoom (self->large, 8, WIDTH / 2.0, HEIGHT / 2.0);
      dyno_chart_zoom (self->small, 8, WIDTH / 2.0, HEIGHT / 2.0);
      report (self, name, render_large, render_small);
    }
}

static int
run_suite (int argc, char *argv[])
{
  g_autoptr (DynoTrace) large = create_trace (N_POINTS);
  g_autoptr (DynoTrace) small = create_trace (N_FEWER_POINTS);
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, WIDTH, HEIGHT);
  Bench bench = { NULL };

  bench_init ();
  bench.cr = cairo_create (surface);
  report (&bench, "opening a chart of a million samples", open_large, open_small);
  bench.large_run = create_run (N_POINTS);
  bench.small_run = create_run (N_FEWER_POINTS);
  report (&bench, "making and drawing the distribution of a million samples", distribute_large,
          distribute_small);
  bench.large = dyno_chart_new_for_trace (large, "A million samples");
  bench.small = dyno_chart_new_for_trace (small, "A thousand samples");
  bench_frames (&bench);
  g_object_unref (bench.large);
  g_object_unref (bench.small);
  g_object_unref (bench.large_run);
  g_object_unref (bench.small_run);
  cairo_destroy (bench.cr);
  cairo_surface_destroy (surface);
  return 0;
}

SUITE (run_suite)
