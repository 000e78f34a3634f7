/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "chart-fixture.h"
#include "dyno-result-samples.h"
#include "suite.h"

static const FixtureCase gpu = { "GPT-2", "cuda", 1, 0, 2, 0, 60, 0 };

static void
test_processor (void)
{
  g_autoptr (GPtrArray) runs = fixture_list (fixture_create_single (), NULL);
  g_autoptr (DynoChart) chart = dyno_chart_new (DYNO_CHART_UTILISATION, runs);

  g_assert_cmpuint (dyno_chart_get_n_series (chart), ==, 2);
  g_assert_cmpstr (dyno_chart_get_series_name (chart, 0), ==, "Processor utilisation by the engine");
  g_assert_cmpstr (dyno_chart_get_finding (chart), ==,
                   "Processor utilisation by the engine: 88 % on average.");
}

/* The whole device comes first, and the time in which it did nothing is the finding. */
static void
test_device (void)
{
  DynoRun *run = fixture_create_run ("On a device");
  g_autoptr (GPtrArray) runs = fixture_list (run, NULL);
  DynoResult *result = fixture_add_case (run, &gpu);
  g_autoptr (DynoChart) chart = NULL;

  fixture_add_usage (result, "cpu", 5, 20);
  fixture_add_usage (result, "device", 0, 60);
  fixture_add_usage (result, "device_tensor", 0, 31);
  fixture_add_usage (result, "device_global", 1, 62);
  chart = dyno_chart_new (DYNO_CHART_UTILISATION, runs);
  g_assert_cmpuint (dyno_chart_get_n_series (chart), ==, 4);
  g_assert_cmpstr (dyno_chart_get_series_name (chart, 0), ==, "Device utilisation");
  g_assert_cmpstr (dyno_chart_get_series_name (chart, 1), ==, "Device utilisation by the engine");
  g_assert_cmpstr (dyno_chart_get_finding (chart), ==, "The device was idle 38 % of the time.");
}

/* Each case has the line of its device, else of its processors. */
static void
test_several (void)
{
  FixtureCase cpu = gpu;
  DynoRun *run = fixture_create_run ("Two engines");
  g_autoptr (GPtrArray) runs = fixture_list (run, NULL);
  g_autoptr (DynoChart) chart = NULL;

  cpu.backend = "cpu";
  fixture_add_usage (fixture_add_case (run, &gpu), "device_global", 1, 62);
  fixture_add_usage (fixture_add_case (run, &cpu), "process", 1, 97);
  chart = dyno_chart_new (DYNO_CHART_UTILISATION, runs);
  g_assert_cmpuint (dyno_chart_get_n_series (chart), ==, 2);
  g_assert_nonnull (strstr (dyno_chart_get_finding (chart), "busiest, 97 % on average"));
  g_assert_nonnull (strstr (dyno_chart_get_finding (chart), "least busy, 62 %."));
}

/* The lines go on through all processes, as those of the other charts of a case do. */
static void
test_processes (void)
{
  DynoRun *run = fixture_create_single ();
  g_autoptr (GPtrArray) runs = fixture_list (run, NULL);
  g_autoptr (DynoResult) result = g_list_model_get_item (dyno_run_get_results (run), 0);
  double end = 0;
  g_autoptr (DynoChart) chart = NULL;

  fixture_repeat_process (result);
  chart = dyno_chart_new (DYNO_CHART_UTILISATION, runs);
  g_assert_cmpuint (dyno_chart_get_n_series (chart), ==, 2);
  for (guint i = 1; i < dyno_chart_get_table (chart)->len; i++)
    end = MAX (end, fixture_get_number (chart, i, "Time"));
  g_assert_cmpfloat (end, >, 1.5e-9 * (double)dyno_result_get_process_end (result, 0));
}

static void
test_empty (void)
{
  DynoRun *run = fixture_create_run ("Without sensors");
  g_autoptr (GPtrArray) runs = fixture_list (run, NULL);
  g_autoptr (DynoChart) chart = NULL;

  fixture_add_case (run, &gpu);
  chart = dyno_chart_new (DYNO_CHART_UTILISATION, runs);
  g_assert_nonnull (strstr (dyno_chart_get_empty_message (chart), "how busy"));
}

static const SuiteTest tests[] = {
  { "/chart/utilisation/processor", test_processor }, { "/chart/utilisation/device", test_device },
  { "/chart/utilisation/several", test_several },     { "/chart/utilisation/processes", test_processes },
  { "/chart/utilisation/empty", test_empty },
};

SUITE_TESTS (tests)
