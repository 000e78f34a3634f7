/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "chart-fixture.h"
#include "dyno-chart-base-private.h"
#include "suite.h"

static DynoChart *
create_chart (DynoRun *run)
{
  g_autoptr (GPtrArray) runs = fixture_list (run, NULL);

  return dyno_chart_new (DYNO_CHART_SUSTAINED, runs);
}

static guint
count_rows (DynoChart *chart, const char *series)
{
  GPtrArray *table = dyno_chart_get_table (chart);
  guint n = 0;

  for (guint i = 1; i < table->len; i++)
    n += g_str_equal (fixture_get_cell (chart, i, "Series"), series);
  return n;
}

/* Latency, clock, temperature and power stand below each other, over the measurement alone. */
static void
test_panels (void)
{
  g_autoptr (DynoChart) chart = create_chart (fixture_create_sustained ());

  g_assert_cmpuint (dyno_chart_get_n_series (chart), ==, 5);
  g_assert_cmpstr (dyno_chart_get_series_name (chart, 0), ==, "Median latency");
  g_assert_cmpstr (dyno_chart_get_series_name (chart, 1), ==, "Clock: cpu");
  g_assert_cmpstr (dyno_chart_get_series_name (chart, 2), ==, "Temperature: k10temp");
  g_assert_cmpstr (dyno_chart_get_series_name (chart, 3), ==, "Power: CPU");
  fixture_assert_finding (chart, "The throughput falls: the last tenth has 92 % of that of the first.");
  g_assert_cmpuint (count_rows (chart, "Median latency"), >=, 30);
  g_assert_cmpuint (count_rows (chart, "Clock: cpu"), >=, 40);
  g_assert_cmpfloat (fixture_get_number (chart, 1, "Time"), >, 0.9);
}

/* A missing sensor is mentioned with the reason instead of an empty panel. */
static void
test_no_sensors (void)
{
  FixtureCase what = { "BERT base uncased", "cpu", 1, 128, 3.1, 0.06, 800, 3 };
  DynoRun *run = fixture_create_run ("No sensors");
  DynoResult *result = fixture_add_case (run, &what);
  g_autoptr (DynoChart) chart = NULL;

  dyno_result_add_measured (result, "sustained_percent", 100.2, "%", "clock");
  dyno_result_take_value (result, dyno_value_new_unsupported ("temperature_max_celsius", "°C",
                                                              "This machine has no thermometer."));
  chart = create_chart (run);
  g_assert_cmpuint (dyno_chart_get_n_series (chart), ==, 1);
  fixture_assert_finding (chart, "The throughput holds: the last tenth has 100 % of that of the first.");
  fixture_assert_caption (chart, "No clock was read.");
  fixture_assert_caption (chart, "No temperature was read. This machine has no thermometer.");
}

/* Its time is that of one process, and joins no chart of all of them. */
static void
test_processes (void)
{
  DynoRun *run = fixture_create_sustained ();
  g_autoptr (DynoResult) result = g_list_model_get_item (dyno_run_get_results (run), 0);
  g_autoptr (DynoChart) chart = NULL;

  fixture_repeat_process (result);
  chart = create_chart (run);
  const DynoChartPanel *panel = g_ptr_array_index (dyno_chart_get_panels (chart), 0);
  g_assert_cmpstr (dyno_axis_get_title (panel->x_axis), ==, "Time in the first process");
}

static void
test_empty (void)
{
  g_autoptr (DynoChart) chart = create_chart (fixture_create_single ());

  g_assert_nonnull (strstr (dyno_chart_get_empty_message (chart), "Run the suite “Sustained”"));
}

static const SuiteTest tests[] = {
  { "/chart/sustained/panels", test_panels },
  { "/chart/sustained/no-sensors", test_no_sensors },
  { "/chart/sustained/processes", test_processes },
  { "/chart/sustained/empty", test_empty },
};

SUITE_TESTS (tests)
