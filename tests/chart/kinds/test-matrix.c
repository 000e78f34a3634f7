/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "chart-fixture.h"
#include "dyno-chart-base-private.h"
#include "dyno-subject-charts.h"
#include "suite.h"

static DynoChart *
create (void)
{
  g_autoptr (DynoRecommendation) recommendation = fixture_create_recommendation ();

  return dyno_matrix_chart_new (recommendation);
}

/* Every cell is a row, the empty ones too. */
static void
test_table (void)
{
  g_autoptr (DynoChart) chart = create ();

  g_assert_cmpint (dyno_chart_get_table (chart)->len, ==, 9);
  fixture_assert_cell (chart, 1, "Model", "BERT tiny");
  fixture_assert_cell (chart, 1, "Best", "OpenVINO (CPU) = ONNX Runtime (CPU)");
  fixture_assert_cell (chart, 1, "State", "tie within the noise");
  fixture_assert_cell (chart, 3, "Best", "OpenVINO (CPU)");
  fixture_assert_cell (chart, 3, "Next", "ONNX Runtime (CPU)");
  fixture_assert_cell (chart, 3, "Ratio", "0.514");
  fixture_assert_cell (chart, 3, "Measured in", "case 6 of run 0a1b2c3d");
  fixture_assert_cell (chart, 3, "Doubt", "The CPU was hot.");
  fixture_assert_cell (chart, 5, "Best", "not measured");
}

/* The cursor goes through all cells of a state, then to the next; those with a case open it. */
static void
test_keyboard (void)
{
  g_autoptr (DynoChart) chart = create ();
  guint n_cases = 0, n_empty = 0;

  for (gboolean moved = dyno_chart_move_cursor (chart, 0, 1); moved;)
    {
      const char *text = dyno_chart_get_cursor_text (chart);

      if (DYNO_IS_RESULT (dyno_chart_get_cursor_subject (chart)))
        n_cases++;
      else
        n_empty++;
      g_assert_nonnull (strstr (text, ", batch "));
      moved = dyno_chart_move_cursor (chart, 1, 0) || dyno_chart_move_cursor (chart, 0, 1);
    }
  g_assert_cmpuint (n_cases + n_empty, >, 2);
}

static void
test_legend (void)
{
  g_autoptr (DynoChart) chart = create ();

  g_assert_cmpuint (dyno_chart_get_n_series (chart), ==, 6);
  g_assert_cmpstr (dyno_chart_get_series_name (chart, 0), ==, "shown to be best");
  g_assert_cmpstr (dyno_chart_get_series_name (chart, 5), ==, "not measured");
}

static void
add_case (DynoRun *run, guint tokens)
{
  g_autoptr (DynoCase) kase = dyno_case_new ("tiny-model", "cpu");
  g_autoptr (DynoResult) result = dyno_result_new (kase, tokens);

  g_object_set (kase, "generate-tokens", tokens, NULL);
  dyno_result_set_status (result, DYNO_STATUS_OK, NULL);
  dyno_result_add_measured (result, "latency_p50_ms", tokens, "ms", "test");
  dyno_run_add_result (run, result);
}

static DynoChart *
create_generated (void)
{
  g_autoptr (GPtrArray) runs = fixture_list (dyno_run_new ("0a1b2c3d-0000-4000-8000-000000000000"), NULL);
  g_autoptr (DynoRecommendation) recommendation = NULL;
  DynoGoal goal;

  for (guint tokens = 8; tokens <= 64; tokens *= 2)
    add_case (runs->pdata[0], tokens);
  dyno_goal_init (&goal, DYNO_OBJECTIVE_LATENCY);
  recommendation = dyno_recommendation_new (runs, &goal, "model", "size", NULL);
  return dyno_matrix_chart_new (recommendation);
}

static double
find_height (GArray *boxes, const char *text)
{
  for (guint i = 0; i < boxes->len; i++)
    if (g_str_equal (g_array_index (boxes, DynoTextBox, i).text, text))
      return g_array_index (boxes, DynoTextBox, i).height;
  g_error ("%s is not drawn; the last is %s", text, g_array_index (boxes, DynoTextBox, boxes->len - 1).text);
}

/* Where columns are narrow their names take several lines, above the title and below the cells. */
static void
test_narrow (void)
{
  g_autoptr (DynoChart) chart = create_generated ();
  g_autoptr (GArray) boxes = fixture_record (chart, 420, 320, dyno_chart_style_get_light ());

  g_assert_cmpfloat (find_height (boxes, "batch 1\u00a0· 16 generated"), >,
                     1.5 * find_height (boxes, "Size"));
  for (guint i = 0; i < boxes->len; i++)
    for (guint j = 0; j < i; j++)
      g_assert_false (dyno_text_box_touches (&g_array_index (boxes, DynoTextBox, i),
                                             &g_array_index (boxes, DynoTextBox, j), 1));
}

static const SuiteTest tests[] = {
  { "/chart/matrix/table", test_table },
  { "/chart/matrix/keyboard", test_keyboard },
  { "/chart/matrix/legend", test_legend },
  { "/chart/matrix/narrow", test_narrow },
};

SUITE_TESTS (tests)
