/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "bench.h"
#include "dyno-chart-kind-list.h"
#include "dyno-chart-kind.h"
#include "suite.h"

/* Opens and draws a million samples as the window does, whole, zoomed in and while a part is being selected; a frame
 * has 16 ms. The window reads long cases in a thread before their charts are opened, which is not timed. The baseline
 * is the same chart of a thousand samples: axes, text and a line of as many pixels. */

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

static DynoChart *
create_chart (DynoChartKind kind, DynoRun *run)
{
  g_autoptr (DynoResult) result = g_list_model_get_item (dyno_run_get_results (run), 0);

  return dyno_chart_new_for_result (kind, run, result);
}

static double
create_and_render (DynoChartKind kind, DynoRun *run, cairo_t *cr)
{
  gint64 start = g_get_monotonic_time ();
  g_autoptr (DynoChart) chart = create_chart (kind, run);

  time_rendering (chart, cr);
  return (double)(g_get_monotonic_time () - start) / 1e3;
}

static double
open_large (gpointer data)
{
  Bench *self = data;

  return create_and_render (DYNO_CHART_LATENCY, self->large_run, self->cr);
}

static double
open_small (gpointer data)
{
  Bench *self = data;

  return create_and_render (DYNO_CHART_LATENCY, self->small_run, self->cr);
}

static double
distribute_large (gpointer data)
{
  Bench *self = data;

  return create_and_render (DYNO_CHART_DISTRIBUTION, self->large_run, self->cr);
}

static double
distribute_small (gpointer data)
{
  Bench *self = data;

  return create_and_render (DYNO_CHART_DISTRIBUTION, self->small_run, self->cr);
}

static double
select_part (DynoChart *chart, cairo_t *cr)
{
  gint64 start = g_get_monotonic_time ();

  dyno_chart_select (chart, WIDTH * 0.3, WIDTH * 0.6, FALSE);
  time_rendering (chart, cr);
  return (double)(g_get_monotonic_time () - start) / 1e3;
}

static double
select_in_large (gpointer data)
{
  Bench *self = data;

  return select_part (self->large, self->cr);
}

static double
select_in_small (gpointer data)
{
  Bench *self = data;

  return select_part (self->small, self->cr);
}

static void
report (Bench *self, const char *name, BenchBlock subject, BenchBlock baseline)
{
  g_autoptr (BenchPairs) pairs = bench_pairs_new ();

  bench_pairs_run (pairs, N_ROUNDS, subject, baseline, self);
  bench_report_value (name, "ms", "a thousand samples", pairs, BENCH_AT_MOST, LIMIT_MS);
}

static void
bench_frames (Bench *self)
{
  report (self, "drawing a million samples", render_large, render_small);
  report (self, "selecting in a million samples", select_in_large, select_in_small);
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
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, WIDTH, HEIGHT);
  Bench bench = { NULL };

  bench_init ();
  bench.cr = cairo_create (surface);
  bench.large_run = create_run (N_POINTS);
  bench.small_run = create_run (N_FEWER_POINTS);
  open_large (&bench);
  distribute_large (&bench);
  report (&bench, "opening a chart of a million samples", open_large, open_small);
  report (&bench, "making and drawing the distribution of a million samples", distribute_large,
          distribute_small);
  bench.large = create_chart (DYNO_CHART_LATENCY, bench.large_run);
  bench.small = create_chart (DYNO_CHART_LATENCY, bench.small_run);
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
