/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include <json-glib/json-glib.h>

#include "chart-fixture.h"
#include "dyno-chart-base-private.h"
#include "suite.h"

static const DynoChartKind kinds[] = { DYNO_CHART_LOAD_LATENCY, DYNO_CHART_GOODPUT, DYNO_CHART_CLIENTS,
                                       DYNO_CHART_QUEUE, DYNO_CHART_QUEUE_SPLIT };

static DynoChart *
create_chart (DynoChartKind kind)
{
  g_autoptr (GPtrArray) runs = fixture_list (fixture_create_loads (), NULL);

  return dyno_chart_new (kind, runs);
}

/* The points of a series as the chart draws them. */
static GPtrArray *
list_points (DynoChart *chart, const char *series)
{
  g_autofree char *json = dyno_chart_spec_dup_json (chart);
  g_autoptr (JsonNode) root = json_from_string (json, NULL);
  JsonArray *all = json_object_get_array_member (json_node_get_object (root), "points");
  GPtrArray *points = g_ptr_array_new_with_free_func ((GDestroyNotify)json_object_unref);

  for (guint i = 0; i < json_array_get_length (all); i++)
    {
      JsonObject *point = json_array_get_object_element (all, i);

      if (g_str_equal (json_object_get_string_member (point, "series"), series))
        g_ptr_array_add (points, json_object_ref (point));
    }
  return points;
}

static double
get_number (GPtrArray *points, guint i, const char *member)
{
  return json_object_get_double_member (points->pdata[i], member);
}

static void
test_empty (void)
{
  g_autoptr (GPtrArray) runs = fixture_list (fixture_create_single (), NULL);

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_autoptr (DynoChart) chart = dyno_chart_new (kinds[i], runs);

      g_assert_nonnull (strstr (dyno_chart_get_empty_message (chart), "load"));
    }
}

/* A closed loop and a rate are never one series. */
static void
test_latency (void)
{
  g_autoptr (DynoChart) chart = create_chart (DYNO_CHART_LOAD_LATENCY);
  g_autoptr (GPtrArray) points = NULL;

  g_assert_cmpuint (dyno_chart_get_n_series (chart), ==, 3);
  g_assert_cmpstr (dyno_chart_get_series_name (chart, 0), ==, "rates");
  g_assert_nonnull (strstr (dyno_chart_get_note (chart), "Dashed lines: the 90th percentile"));
  g_assert_nonnull (strstr (dyno_chart_get_note (chart), "only have a throughput"));
  g_assert_cmpstr (dyno_chart_get_series_name (chart, 1), ==, "closed loops");
  g_assert_cmpstr (dyno_chart_get_series_name (chart, 2), ==, "overloaded");
  g_assert_nonnull (strstr (dyno_chart_get_finding (chart), "The knee is at 70"));
  g_assert_cmpuint (dyno_chart_get_table (chart)->len, ==, 11);
  fixture_assert_cell (chart, 7, "Overloaded", "yes");
  /* What grew throughout has a throughput, and no level. */
  fixture_assert_cell (chart, 7, "Answered", "100");
  fixture_assert_cell (chart, 7, "Median", "");
  fixture_assert_cell (chart, 7, "99th percentile", "");
  fixture_assert_cell (chart, 3, "90th percentile", "44");
  points = list_points (chart, "overloaded");
  g_assert_cmpuint (points->len, ==, 2);
  g_assert_false (json_object_has_member (points->pdata[0], "y"));
  g_assert_cmpstr (json_object_get_string_member (points->pdata[1], "label"), ==, "110 %");
  g_clear_pointer (&points, g_ptr_array_unref);
  points = list_points (chart, "closed loops");
  g_assert_cmpstr (json_object_get_string_member (points->pdata[2], "label"), ==, "4 clients");
}

static void
add_number (DynoResult *result, const char *name, guint invocation, double number)
{
  DynoTrace *trace = dyno_trace_new (name, "", 0);

  dyno_trace_set_invocation (trace, invocation);
  dyno_trace_add (trace, 0, number);
  dyno_result_take_trace (result, trace);
}

/* The loads of the fixture, with so many requests at the rate of 30/s. */
static DynoChart *
create_few (double n_requests)
{
  DynoRun *run = fixture_create_loads ();
  g_autoptr (GPtrArray) runs = fixture_list (run, NULL);
  g_autoptr (DynoResult) result = g_list_model_get_item (dyno_run_get_results (run), 0);
  DynoTrace *trace = dyno_trace_new ("load_requests", "", 0);

  for (guint i = 0; i < 10; i++)
    dyno_trace_add (trace, i, i == 4 ? n_requests : 1000);
  dyno_result_take_trace (result, trace);
  return dyno_chart_new (DYNO_CHART_LOAD_LATENCY, runs);
}

/* A percentile of too few requests is neither drawn nor told, and no knee is judged by it. */
static void
test_few_requests (void)
{
  g_autoptr (DynoChart) few = create_few (60);
  g_autoptr (DynoChart) fewer = create_few (40);
  g_autoptr (DynoChart) enough = create_few (500);

  fixture_assert_cell (few, 1, "Median", "10");
  fixture_assert_cell (few, 1, "90th percentile", "17");
  fixture_assert_cell (few, 1, "99th percentile", "");
  fixture_assert_cell (few, 2, "99th percentile", "44");
  fixture_assert_cell (fewer, 1, "90th percentile", "");
  fixture_assert_finding (
      few, "Whether there is a knee is not known: the 99th percentile takes 459 requests at each rate.");
  g_assert_nonnull (strstr (dyno_chart_get_note (few), "left out: the 90th takes 44, the 99th 459."));
  g_assert_nonnull (strstr (dyno_chart_get_finding (enough), "The knee is at 70"));
  g_assert_null (strstr (dyno_chart_get_note (enough), "left out"));
}

/* Where a case of one rate refuses a percentile, so does the chart, whatever the stretch says. */
static void
test_refused (void)
{
  DynoRun *run = fixture_create_run ("Under load");
  FixtureCase what = { "BERT tiny", "cpu", 1, 0, 5, 0, 40, 0 };
  DynoResult *result = fixture_add_case (run, &what);
  g_autoptr (GPtrArray) runs = fixture_list (run, NULL);
  g_autoptr (DynoChart) chart = NULL;

  g_object_set (dyno_result_get_case (result), "load", "rate=20/s", NULL);
  dyno_result_take_value (result,
                          dyno_value_new_unsupported ("latency_p99_ms", "ms", "It needs 459 samples."));
  add_number (result, "load_rate", 0, 20);
  add_number (result, "load_answered", 0, 20);
  add_number (result, "load_p50", 0, 9);
  add_number (result, "load_p99", 0, 80);
  chart = dyno_chart_new (DYNO_CHART_LOAD_LATENCY, runs);
  fixture_assert_cell (chart, 1, "99th percentile", "");
}

static void
test_goodput (void)
{
  g_autoptr (DynoChart) chart = create_chart (DYNO_CHART_GOODPUT);

  g_assert_nonnull (strstr (dyno_chart_get_finding (chart), "is 70"));
  fixture_assert_cell (chart, 3, "Kept", "yes");
  fixture_assert_cell (chart, 4, "Kept", "no");
}

static void
test_clients (void)
{
  g_autoptr (DynoChart) chart = create_chart (DYNO_CHART_CLIENTS);

  g_assert_nonnull (strstr (dyno_chart_get_finding (chart), "with 4 clients: 100"));
  g_assert_cmpuint (dyno_chart_get_table (chart)->len, ==, 4);
}

/* What several processes measured is one number: that of the case where it has one, else the one in the middle. */
static void
test_processes (void)
{
  static const double answered[] = { 40, 20, 50 };
  static const double p99s[] = { 80, 90, 300 };
  DynoRun *run = fixture_create_run ("Under load");
  FixtureCase what = { "BERT tiny", "cpu", 1, 0, 5, 0, 40, 0 };
  DynoResult *result = fixture_add_case (run, &what);
  g_autoptr (GPtrArray) runs = fixture_list (run, NULL);
  g_autoptr (DynoChart) chart = NULL;

  g_object_set (dyno_result_get_case (result), "load", "concurrent=4", NULL);
  for (guint i = 0; i < G_N_ELEMENTS (answered); i++)
    {
      add_number (result, "load_rate", i, 0);
      add_number (result, "load_clients", i, 4);
      add_number (result, "load_answered", i, answered[i]);
      add_number (result, "load_p50", i, 9 + i);
      add_number (result, "load_p99", i, p99s[i]);
    }
  chart = dyno_chart_new (DYNO_CHART_CLIENTS, runs);
  g_assert_cmpuint (dyno_chart_get_table (chart)->len, ==, 2);
  g_assert_cmpfloat_with_epsilon (fixture_get_number (chart, 1, "Median"),
                                  dyno_result_get_number (result, "latency_p50_ms"), 1e-3);
  g_assert_cmpfloat_with_epsilon (fixture_get_number (chart, 1, "Answered"),
                                  dyno_result_get_number (result, "throughput_items_per_sec"), 0.1);
  fixture_assert_cell (chart, 1, "99th percentile", "90");
}

/* At the first request, it alone is under way; at each it is among those that are. In between there is often none, and
 * over time there are as many on average as the case says. */
static void
test_queue (void)
{
  g_autoptr (DynoChart) chart = create_chart (DYNO_CHART_QUEUE);
  g_autoptr (GPtrArray) points = list_points (chart, "requests in flight");
  g_autoptr (GPtrArray) latencies = list_points (chart, "latency");
  double area = 0, waited = 0, end = get_number (points, points->len - 1, "x");
  guint n_idle = 0;

  g_assert_nonnull (strstr (dyno_chart_get_finding (chart), "On average, 1.5 requests are in flight"));
  g_assert_cmpuint (dyno_chart_get_table (chart)->len, ==, 401);
  fixture_assert_cell (chart, 1, "Requests in flight", "1");
  for (guint i = 1; i < points->len; i++)
    {
      double length = get_number (points, i, "x") - get_number (points, i - 1, "x");
      double change = get_number (points, i, "y") - get_number (points, i - 1, "y");

      g_assert_true (length == 0 || change == 0);
      area += length * get_number (points, i, "y");
      n_idle += get_number (points, i, "y") == 0;
    }
  for (guint i = 0; i < latencies->len; i++)
    waited += MIN (get_number (latencies, i, "y") / 1e3, end - get_number (latencies, i, "x"));
  g_assert_cmpuint (n_idle, >, 20);
  g_assert_cmpfloat_with_epsilon (area, waited, 1e-6);
}

/* The idle share shows: an item needs least near the capacity. */
static void
test_energy (void)
{
  g_autoptr (GPtrArray) runs = fixture_list (fixture_create_load_energies (), NULL);
  g_autoptr (DynoChart) chart = dyno_chart_new (DYNO_CHART_ENERGY_RATE, runs);

  g_assert_cmpuint (dyno_chart_get_n_series (chart), ==, 2);
  g_assert_cmpstr (dyno_chart_get_series_name (chart, 1), ==, "overloaded");
  g_assert_nonnull (strstr (dyno_chart_get_finding (chart), "Energy per item is lowest at 8"));
  g_assert_cmpuint (dyno_chart_get_table (chart)->len, ==, 6);
}

/* Each request is served for 10 ms; what is beyond is the queue. */
static void
test_split (void)
{
  g_autoptr (DynoChart) chart = create_chart (DYNO_CHART_QUEUE_SPLIT);

  g_assert_cmpuint (dyno_chart_get_table (chart)->len, ==, 4);
  for (guint row = 1; row <= 3; row++)
    fixture_assert_cell (chart, row, "Service (ms)", "10");
  g_assert_nonnull (strstr (dyno_chart_get_finding (chart), "of the latency is spent in the queue"));
}

static void
add_loop (DynoRun *run, guint batch, const char *load, double clients)
{
  FixtureCase what = { "BERT tiny", "cpu", batch, 0, 5, 0, 40, 0 };
  DynoResult *result = fixture_add_case (run, &what);

  g_object_set (dyno_result_get_case (result), "load", load, NULL);
  add_number (result, "load_rate", 0, 0);
  add_number (result, "load_clients", 0, clients);
}

/* Where nothing but the load differs, sizes say nothing; with two sizes they do. */
static void
test_no_column_of_points (void)
{
  DynoRun *run = fixture_create_run ("Under load");
  g_autoptr (GPtrArray) runs = fixture_list (run, NULL);
  g_autoptr (DynoChart) alone = NULL;
  g_autoptr (DynoChart) swept = NULL;

  add_loop (run, 1, "concurrent=1", 1);
  add_loop (run, 1, "concurrent=2", 2);
  alone = dyno_chart_new (DYNO_CHART_SCALING_LATENCY, runs);
  g_assert_cmpuint (dyno_chart_get_table (alone)->len, <=, 1);
  g_assert_nonnull (strstr (dyno_chart_get_empty_message (alone), "differ in their load"));
  add_loop (run, 4, "concurrent=1", 1);
  add_loop (run, 4, "concurrent=2", 2);
  swept = dyno_chart_new (DYNO_CHART_SCALING_LATENCY, runs);
  g_assert_cmpuint (dyno_chart_get_table (swept)->len, ==, 5);
}

/* More clients get more of the server, and less each; a case that is no server's is left out. */
static void
test_endpoints (void)
{
  DynoRun *run = fixture_create_endpoints ();
  g_autoptr (GPtrArray) runs = fixture_list (run, NULL);
  g_autoptr (DynoChart) chart = NULL;
  g_autoptr (DynoChart) without = create_chart (DYNO_CHART_ENDPOINTS);

  add_loop (run, 1, "concurrent=2", 2);
  chart = dyno_chart_new (DYNO_CHART_ENDPOINTS, runs);
  g_assert_cmpuint (dyno_chart_get_table (chart)->len, ==, 4);
  fixture_assert_cell (chart, 1, "Of the system (tokens/s)", "190");
  fixture_assert_cell (chart, 3, "For each user (tokens/s)", "40");
  g_assert_nonnull (strstr (dyno_chart_get_finding (chart), "with 8 clients: 190"));
  g_assert_nonnull (strstr (dyno_chart_get_empty_message (without), "“concurrent=1,2,4”"));
}

static const SuiteTest tests[] = {
  { "/load-charts/empty", test_empty },
  { "/load-charts/latency", test_latency },
  { "/load-charts/few-requests", test_few_requests },
  { "/load-charts/refused", test_refused },
  { "/load-charts/goodput", test_goodput },
  { "/load-charts/clients", test_clients },
  { "/load-charts/endpoints", test_endpoints },
  { "/load-charts/processes", test_processes },
  { "/load-charts/queue", test_queue },
  { "/load-charts/energy", test_energy },
  { "/load-charts/split", test_split },
  { "/load-charts/no-column-of-points", test_no_column_of_points },
};

SUITE_TESTS (tests)
