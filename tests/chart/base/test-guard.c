/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "chart-fixture.h"
#include "dyno-ceiling.h"
#include "dyno-chart-base-private.h"
#include "suite.h"

/* Runs that are valid documents but make no sense: no chart of them crashes, hangs or warns. */

#define N_ROUNDS 25
#define WIDTH    640
#define HEIGHT   400

static const char *const value_names[] = {
  "latency_p50_ms",
  "latency_mean_ms",
  "latency_median_low_ms",
  "latency_median_high_ms",
  "latency_samples",
  "throughput_items_per_sec",
  "throughput_tokens_per_sec",
  "memory_peak_mb",
  "flops",
  "flops_per_sec",
  "bytes_per_step",
  "arithmetic_intensity_flops_per_byte",
  "power_avg_watts",
  "power_max_watts",
  "energy_joules",
  "energy_per_item_joules",
  "gflops_per_watt",
  "throughput_per_watt",
  "avg_bandwidth_gbps",
  "peak_bandwidth_gbps",
  "peak_theoretical_bandwidth_gbps",
  "bandwidth_utilization_percent",
  "bandwidth_utilization_theoretical_percent",
};

static const char *const trace_names[] = {
  "latency", "memory_rss", "phases", "power_package", "power_estimate", "temperature_cpu", "throttled_cpu",
};

static double
draw_number (GRand *rand)
{
  static const double numbers[] = { NAN,      INFINITY, -INFINITY, 0,     -0.0,     1,         -1,
                                    4.9e-324, 1e-300,   1e-21,     1e21,  1.79e308, -1.79e308, 1e15,
                                    0.0125,   1234.56,  1e-160,    1e160, 50,       3.5 };

  return numbers[g_rand_int_range (rand, 0, G_N_ELEMENTS (numbers))];
}

static gint64
draw_count (GRand *rand)
{
  static const gint64 counts[] = { 0,  1,    -1,           G_MAXINT64, G_MININT64, G_MAXINT32,
                                   12, 4096, 900000000000, 7000000,    150,        31 };

  return counts[g_rand_int_range (rand, 0, G_N_ELEMENTS (counts))];
}

static guint
draw_size (GRand *rand)
{
  static const guint sizes[] = { 0, 1, 2, 3, 8, 64, 4096, G_MAXUINT };

  return sizes[g_rand_int_range (rand, 0, G_N_ELEMENTS (sizes))];
}

static DynoTrace *
draw_trace (GRand *rand, const char *name)
{
  DynoTrace *trace = dyno_trace_new (name, "ms", 0);
  guint n_points = g_rand_int_range (rand, 0, 60);
  gboolean is_plain = g_rand_boolean (rand);

  for (guint i = 0; i < n_points; i++)
    dyno_trace_add (trace, is_plain ? (gint64)i * 1000000 : draw_count (rand),
                    is_plain && g_rand_boolean (rand) ? g_rand_double_range (rand, 0, 9)
                                                      : draw_number (rand));
  return trace;
}

static DynoOperator *
draw_operator (GRand *rand)
{
  static const char *const types[] = { "Conv", "", "MatMul",
                                       "Some type of a very long name that nobody ever wrote" };
  static const char *const providers[] = { NULL, "", "ExecutionProvider", "CPUExecutionProvider" };
  DynoOperator *op = dyno_operator_new ("op", types[g_rand_int_range (rand, 0, G_N_ELEMENTS (types))],
                                        providers[g_rand_int_range (rand, 0, G_N_ELEMENTS (providers))]);

  dyno_operator_set_calls (op, draw_count (rand));
  dyno_operator_set_time_ns (op, draw_count (rand));
  dyno_operator_set_flops (op, draw_count (rand));
  dyno_operator_set_bytes (op, draw_count (rand));
  return op;
}

static DynoResult *
draw_result (GRand *rand, guint ordinal)
{
  static const char *const models[] = { "", "BERT", "A model" };
  static const char *const backends[] = { "cpu", "", "nothing-known" };
  g_autoptr (DynoCase) kase = dyno_case_new (models[g_rand_int_range (rand, 0, G_N_ELEMENTS (models))],
                                             backends[g_rand_int_range (rand, 0, G_N_ELEMENTS (backends))]);
  DynoResult *result;

  g_object_set (kase, "batch-size", 1 + draw_size (rand) / 2, "sequence-length", draw_size (rand), "threads",
                draw_size (rand) % 4096, NULL);
  result = dyno_result_new (kase, ordinal);
  for (guint i = 0; i < G_N_ELEMENTS (value_names); i++)
    if (g_rand_boolean (rand))
      dyno_result_add_measured (result, value_names[i], draw_number (rand), "", "a stranger");
  for (guint i = 0; i < G_N_ELEMENTS (trace_names); i++)
    if (g_rand_boolean (rand))
      dyno_result_take_trace (result, draw_trace (rand, trace_names[i]));
  for (int i = g_rand_int_range (rand, 0, 20); i > 0; i--)
    dyno_result_take_operator (result, draw_operator (rand));
  dyno_result_set_status (result, DYNO_STATUS_OK, NULL);
  return result;
}

static DynoRun *
draw_run (GRand *rand)
{
  static const char *const machines[] = {
    NULL,
    "",
    "[]",
    "{\"cpu\": 7, \"memory\": \"much\", \"backends\": {}}",
    "{\"cpu\": {\"name\": {}, \"cores\": -1}, \"backends\": [1, null, {\"id\": [], \"devices\": 2}]}",
    "{\"cpu\": {\"cores\": 1e300}, \"memory\": {\"total_bytes\": 1e300}, \"backends\": [{\"id\": \"cpu\", "
    "\"devices\": [null, {\"name\": 3, \"kind\": {}}]}]}",
  };
  static const gint64 dates[] = { 0, 1, G_MAXINT64, 1789041600000000 };
  DynoRun *run = dyno_run_new (NULL);
  int n_results = g_rand_int_range (rand, 1, 8);

  g_object_set (run, "title", "A stranger's", "machine",
                machines[g_rand_int_range (rand, 0, G_N_ELEMENTS (machines))], "started-at",
                dates[g_rand_int_range (rand, 0, G_N_ELEMENTS (dates))], NULL);
  for (int i = 0; i < n_results; i++)
    {
      g_autoptr (DynoResult) result = draw_result (rand, i);

      dyno_run_add_result (run, result);
    }
  return run;
}

static void
look_at (DynoChart *chart)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, WIDTH, HEIGHT);
  cairo_t *cr = cairo_create (surface);

  dyno_chart_render (chart, cr, WIDTH, HEIGHT, dyno_chart_style_get_light ());
  for (guint i = 0; i < 4; i++)
    dyno_chart_move_cursor (chart, i % 2, i / 2);
  dyno_chart_hover (chart, WIDTH / 2.0, HEIGHT / 2.0);
  dyno_chart_zoom (chart, 3, WIDTH / 2.0, HEIGHT / 2.0);
  dyno_chart_render (chart, cr, WIDTH, HEIGHT, dyno_chart_style_get_dark ());
  g_assert_cmpint (cairo_status (cr), ==, CAIRO_STATUS_SUCCESS);
  g_assert_nonnull (dyno_chart_get_finding (chart));
  g_assert_nonnull (dyno_chart_get_table (chart));
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
}

static void
look_at_all (DynoRun *run)
{
  g_autoptr (GPtrArray) runs = fixture_list (g_object_ref (run), NULL);
  GListModel *results = dyno_run_get_results (run);

  for (DynoChartKind kind = 0; kind < DYNO_N_CHARTS; kind++)
    {
      g_autoptr (DynoChart) chart = dyno_chart_new (kind, runs);

      fixture_set_ceilings (chart, runs);
      look_at (chart);
      for (guint i = 0; i < g_list_model_get_n_items (results); i++)
        {
          g_autoptr (DynoResult) result = g_list_model_get_item (results, i);
          g_autoptr (DynoChart) single = dyno_chart_new_for_result (kind, run, result);

          look_at (single);
        }
    }
}

static void
test_senseless (void)
{
  for (guint round = 0; round < N_ROUNDS; round++)
    {
      g_autoptr (GRand) rand = g_rand_new_with_seed (round);
      g_autoptr (DynoRun) run = draw_run (rand);

      look_at_all (run);
    }
}

static void
test_nothing_but_nan (void)
{
  static const char *const names[] = { "latency", "memory_rss", "power_package", "temperature_cpu" };
  g_autoptr (DynoRun) run = fixture_create_run ("NaN");
  g_autoptr (DynoCase) kase = dyno_case_new ("BERT", "cpu");
  g_autoptr (DynoResult) result = dyno_result_new (kase, 0);

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      DynoTrace *trace = dyno_trace_new (names[i], "ms", 0);

      for (guint j = 0; j < 100; j++)
        dyno_trace_add (trace, j * 1000000, NAN);
      dyno_result_take_trace (result, trace);
    }
  dyno_result_set_status (result, DYNO_STATUS_OK, NULL);
  dyno_run_add_result (run, result);
  look_at_all (run);
}

static void
test_what_stays (void)
{
  static const gint64 times[] = { 5, 4, 5, 9, -3, G_MAXINT64, 10 };
  static const double values[] = { 1, 2, 3, NAN, 5, 6, 7 };
  g_autoptr (DynoTrace) trace = dyno_trace_new ("latency", "ms", 0);
  g_autoptr (DynoTrace) guarded = NULL;
  g_autoptr (DynoTrace) again = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (times); i++)
    dyno_trace_add (trace, times[i], values[i]);
  guarded = dyno_chart_guard_trace (trace);
  g_assert_cmpuint (dyno_trace_get_length (guarded), ==, 3);
  g_assert_cmpint (dyno_trace_get_times (guarded)[0], ==, 5);
  g_assert_cmpfloat (dyno_trace_get_values (guarded)[1], ==, 3);
  g_assert_cmpfloat (dyno_trace_get_values (guarded)[2], ==, 7);
  again = dyno_chart_guard_trace (guarded);
  g_assert_true (again == guarded);
}

static const SuiteTest tests[] = {
  { "/chart/guard/senseless", test_senseless },
  { "/chart/guard/nothing-but-nan", test_nothing_but_nan },
  { "/chart/guard/what-stays", test_what_stays },
};

SUITE_TESTS (tests)
