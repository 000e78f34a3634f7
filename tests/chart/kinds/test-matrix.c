/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "chart-fixture.h"
#include "dyno-matrix-chart.h"

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
  g_assert_cmpstr (fixture_get_cell (chart, 1, "Model"), ==, "bert-tiny");
  g_assert_cmpstr (fixture_get_cell (chart, 1, "Best"), ==, "openvino = cpu");
  g_assert_cmpstr (fixture_get_cell (chart, 1, "State"), ==, "tie within the noise");
  g_assert_cmpstr (fixture_get_cell (chart, 3, "Best"), ==, "openvino");
  g_assert_cmpstr (fixture_get_cell (chart, 3, "Next"), ==, "cpu");
  g_assert_cmpstr (fixture_get_cell (chart, 3, "Ratio"), ==, "0.514");
  g_assert_cmpstr (fixture_get_cell (chart, 3, "Measured in"), ==, "case 6 of run 0a1b2c3d");
  g_assert_cmpstr (fixture_get_cell (chart, 3, "Doubt"), ==, "Two CPU cores were busy.");
  g_assert_cmpstr (fixture_get_cell (chart, 5, "Best"), ==, "not measured");
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

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/chart/matrix/table", test_table);
  g_test_add_func ("/chart/matrix/keyboard", test_keyboard);
  g_test_add_func ("/chart/matrix/legend", test_legend);
  return g_test_run ();
}
