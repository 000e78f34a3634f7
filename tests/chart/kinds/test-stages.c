/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>
#include <string.h>

#include "chart-fixture.h"
#include "dyno-chart-base-private.h"
#include "suite.h"

/* The fixture's model that reads pictures takes 45, 2 and 48 % of 2 s for its stages on one engine, and 30, 2 and 64 % of
 * 1 s on the other. The one that hears takes 30 and 64 % of 0.4 s. */

static DynoChart *
create_single (guint index)
{
  g_autoptr (DynoRun) run = fixture_create_stages ();
  g_autoptr (DynoResult) result = g_list_model_get_item (dyno_run_get_results (run), index);

  return dyno_chart_new_for_result (DYNO_CHART_STAGES, run, result);
}

static void
test_single (void)
{
  g_autoptr (DynoChart) chart = create_single (0);

  fixture_assert_finding (chart, "“decoder” takes 48 % of the time.");
  fixture_assert_caption (chart, "Memory was measured of the whole model, not of each stage");
  fixture_assert_cell (chart, 1, "Stage", "vision");
  g_assert_cmpfloat_with_epsilon (fixture_get_number (chart, 1, "Share"), 45, 0.5);
  g_assert_cmpfloat_with_epsilon (fixture_get_number (chart, 1, "Time in"), 900, 1);
  fixture_assert_cell (chart, 2, "Stage", "projector");
  fixture_assert_cell (chart, 3, "Stage", "decoder");
  g_assert_cmpfloat_with_epsilon (fixture_get_number (chart, 3, "Time of one run"), 30, 0.1);

  /* The fourth series is the time between the stages. */
  g_assert_cmpuint (dyno_chart_get_n_series (chart), ==, 4);
  dyno_chart_move_cursor (chart, 0, 0);
  g_assert_nonnull (strstr (dyno_chart_get_cursor_text (chart), "vision: 45 % of the time, 900"));
  dyno_chart_move_cursor (chart, 0, 2);
  g_assert_nonnull (strstr (dyno_chart_get_cursor_text (chart), "for each of its runs"));
}

/* Where the roofs are known, the finding says what bounds the stage. */
static void
test_bound (void)
{
  g_autoptr (DynoRun) run = fixture_create_stages ();
  g_autoptr (DynoResult) result = g_list_model_get_item (dyno_run_get_results (run), 0);
  g_autoptr (DynoChart) chart = NULL;

  dyno_result_add_measured (result, "stage_decoder_roof_ms", 768, "ms", "test");
  dyno_result_add_measured (result, "stage_decoder_memory_bound", 1, "", "test");
  dyno_result_add_measured (result, "stage_decoder_flops", 3e9, "FLOP", "test");
  dyno_result_add_measured (result, "stage_decoder_weights_mb", 80, "MB", "test");
  chart = dyno_chart_new_for_result (DYNO_CHART_STAGES, run, result);
  fixture_assert_finding (chart,
                          "“decoder” takes 48 % of the time. It is memory-bound, at 80 % of the roof.");
  fixture_assert_cell (chart, 3, "Bound by", "memory");
  fixture_assert_cell (chart, 1, "Bound by", "");
  g_assert_cmpfloat_with_epsilon (fixture_get_number (chart, 3, "Shortest"), 768, 1e-9);
  g_assert_cmpfloat_with_epsilon (fixture_get_number (chart, 3, "Work"), 3, 1e-9);
  g_assert_cmpfloat_with_epsilon (fixture_get_number (chart, 3, "Weights"), 80, 1e-9);
}

/* Memory that the runtime tells of each stage takes the place of that of the whole model. */
static void
test_memory (void)
{
  g_autoptr (DynoRun) run = fixture_create_stages ();
  g_autoptr (DynoResult) result = g_list_model_get_item (dyno_run_get_results (run), 0);
  g_autoptr (DynoChart) chart = NULL;

  dyno_result_add_measured (result, "stage_vision_peak_mb", 420, "MB", "test");
  dyno_result_add_measured (result, "stage_decoder_peak_mb", 80, "MB", "test");
  dyno_result_add_measured (result, "stage_decoder_handover_ms", 5, "ms", "test");
  chart = dyno_chart_new_for_result (DYNO_CHART_STAGES, run, result);
  fixture_assert_caption (chart, "Peak memory in the runtime’s allocator: vision 420");
  g_assert_cmpfloat_with_epsilon (fixture_get_number (chart, 1, "Peak"), 420, 1e-9);
  g_assert_cmpfloat_with_epsilon (fixture_get_number (chart, 3, "Hand-over"), 5, 1e-9);
  dyno_chart_move_cursor (chart, 0, 0);
  dyno_chart_move_cursor (chart, 0, 2);
  g_assert_nonnull (strstr (dyno_chart_get_cursor_text (chart), "for its inputs from another device"));
}

static void
test_several (void)
{
  g_autoptr (GPtrArray) runs = fixture_list (fixture_create_stages (), NULL);
  g_autoptr (DynoChart) chart = dyno_chart_new (DYNO_CHART_STAGES, runs);

  fixture_assert_finding (chart, "“decoder” takes the most time in all cases: 48 to 64 %.");
  fixture_assert_cell (chart, 7, "Stage", "encoder");
  g_assert_cmpuint (dyno_chart_get_n_series (chart), ==, 5);
}

/* As times, the steps are as long as they took, and what lies between the stages is not drawn. */
static void
test_times (void)
{
  g_autoptr (GPtrArray) runs = fixture_list (fixture_create_stages (), NULL);
  g_autoptr (DynoChart) chart = dyno_chart_new (DYNO_CHART_STAGES, runs);
  g_autoptr (GArray) parts = NULL;
  double end = 0;

  dyno_chart_set_aspect (chart, 1);
  g_assert_cmpuint (dyno_chart_get_n_series (chart), ==, 4);
  parts = dyno_chart_list_parts (chart);
  for (guint i = 0; i < parts->len; i++)
    {
      DynoSeries *series = g_array_index (parts, DynoChartPart, i).series;

      for (guint k = 0; k < dyno_series_get_length (series); k++)
        end = MAX (end, dyno_series_get_y (series)[k]);
    }
  g_assert_cmpfloat_with_epsilon (end, 1900, 1);
}

static void
test_one_graph (void)
{
  g_autoptr (GPtrArray) runs = fixture_list (fixture_create_single (), NULL);
  g_autoptr (DynoChart) chart = dyno_chart_new (DYNO_CHART_STAGES, runs);

  fixture_assert_empty (chart, "No model has several stages.");
}

static const SuiteTest tests[] = {
  { "/chart/stages/single", test_single },       { "/chart/stages/bound", test_bound },
  { "/chart/stages/several", test_several },     { "/chart/stages/times", test_times },
  { "/chart/stages/one-graph", test_one_graph }, { "/chart/stages/memory", test_memory },
};

SUITE_TESTS (tests)
