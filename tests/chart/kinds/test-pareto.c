/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "chart-fixture.h"
#include "dyno-chart-kinds-private.h"
#include "suite.h"

static DynoChart *
create (guint aspect)
{
  g_autoptr (GPtrArray) runs = fixture_list (fixture_create_energies (), NULL);
  DynoChart *chart = dyno_chart_new (DYNO_CHART_PARETO, runs);

  dyno_chart_set_aspect (chart, aspect);
  return chart;
}

/* The fastest case and the one with the highest throughput are on the front; dominated ones are not. */
static void
test_front (void)
{
  g_autoptr (DynoChart) chart = create (0);
  guint n_front = 0, n_rows = dyno_chart_get_table (chart)->len - 1;

  g_assert_cmpstr (dyno_chart_get_title (chart), ==, "Sustained throughput against median latency");
  for (guint i = 1; i <= n_rows; i++)
    n_front += g_str_equal (fixture_get_cell (chart, i, "On the Pareto front"), "yes");
  fixture_assert_cell (chart, 1, "On the Pareto front", "yes");
  g_assert_cmpuint (n_front, >, 1);
  g_assert_cmpuint (n_front, <, n_rows);
}

/* Any two values of cases. */
static void
test_aspects (void)
{
  g_autoptr (DynoChart) chart = create (1);

  g_assert_cmpuint (dyno_chart_get_n_aspects (chart), >, 1);
  g_assert_cmpstr (dyno_chart_get_title (chart), ==, dyno_chart_get_aspect_name (chart, 1));
}

/* Higher is better, lower is better, and ties: of two equal ones only one is kept. */
static void
test_directions (void)
{
  static const DynoParetoMetric rate = { "throughput_items_per_sec", "1/s", "Rate" };
  static const DynoParetoMetric memory = { "memory_peak_mb", "MB", "Memory" };
  static const double values[][2] = { { 10, 5 }, { 20, 5 }, { 20, 5 }, { 30, 9 }, { 25, 10 }, { 5, 1 } };
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) cases = NULL;
  g_autoptr (GPtrArray) sorted = NULL;
  g_autoptr (GPtrArray) front = NULL;
  DynoRun *run = dyno_run_new (NULL);

  g_ptr_array_add (runs, run);
  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    {
      g_autoptr (DynoCase) kase = dyno_case_new ("net", "cpu");
      g_autoptr (DynoResult) result = dyno_result_new (kase, i);

      dyno_result_set_status (result, DYNO_STATUS_OK, NULL);
      dyno_result_add_measured (result, rate.value, values[i][0], "1/s", "clock");
      dyno_result_add_measured (result, memory.value, values[i][1], "MB", "kernel");
      dyno_run_add_result (run, result);
    }
  cases = dyno_chart_cases_collect (runs);
  sorted = dyno_pareto_sort (cases, &rate, &memory);
  front = dyno_pareto_find_front (sorted, &rate, &memory);
  g_assert_cmpuint (front->len, ==, 3);
  g_assert_cmpfloat (dyno_pareto_get_number (front->pdata[0], &rate), ==, 5);
  g_assert_cmpfloat (dyno_pareto_get_number (front->pdata[1], &rate), ==, 20);
  g_assert_cmpfloat (dyno_pareto_get_number (front->pdata[2], &rate), ==, 30);
}

static const SuiteTest tests[] = {
  { "/chart/pareto/front", test_front },
  { "/chart/pareto/aspects", test_aspects },
  { "/chart/pareto/directions", test_directions },
};

SUITE_TESTS (tests)
