/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "chart-fixture.h"
#include "dyno-chart-base-private.h"
#include "suite.h"

#define WIDTH  720
#define HEIGHT 420

static DynoRun *
create_sweep (double step_ms, guint n_models, guint n_sizes)
{
  static const char *const models[] = { "ResNet-18", "GPT-2" };
  DynoRun *run = fixture_create_run ("Run");

  for (guint i = 0; i < n_models; i++)
    for (guint j = 0; j < n_sizes; j++)
      {
        FixtureCase what = { models[i], "cpu", 1 << j, 0, step_ms * (i + 1) * (j + 1), 0.02, 60, 0 };

        fixture_add_case (run, &what);
      }
  return run;
}

static DynoChart *
create_chart (DynoChartKind kind, DynoRun *run)
{
  g_autoptr (GPtrArray) runs = fixture_list (run, NULL);

  return dyno_chart_new (kind, runs);
}

static void
render (DynoChart *chart)
{
  fixture_render (chart, WIDTH, HEIGHT, dyno_chart_style_get_light ());
}

static void
get_visible (DynoChart *chart, guint panel, gboolean across, double range[2])
{
  const DynoChartPanel *here = g_ptr_array_index (dyno_chart_get_panels (chart), panel);

  dyno_axis_get_visible (across ? here->x_axis : here->y_axis, &range[0], &range[1]);
}

static void
assert_same (DynoChart *one, DynoChart *other, guint panel, gboolean across)
{
  double here[2], there[2];

  get_visible (one, panel, across, here);
  get_visible (other, panel, across, there);
  g_assert_cmpfloat (here[0], ==, there[0]);
  g_assert_cmpfloat (here[1], ==, there[1]);
}

static double
get_most (DynoChart *chart, guint panel)
{
  double range[2];

  get_visible (chart, panel, FALSE, range);
  return range[1];
}

/* Panels of one model have one range, that of another model stays apart; alone, each has its own again. */
static void
test_ranges (void)
{
  g_autoptr (DynoChartLink) link = dyno_chart_link_new ();
  g_autoptr (DynoChart) fast = create_chart (DYNO_CHART_SCALING_LATENCY, create_sweep (2, 2, 3));
  g_autoptr (DynoChart) slow = create_chart (DYNO_CHART_SCALING_LATENCY, create_sweep (900, 2, 4));
  double own = get_most (fast, 0);
  g_autofree char *title = g_strdup (dyno_chart_get_panel_title (fast, 0));

  dyno_chart_set_link (fast, link);
  g_assert_cmpfloat (get_most (fast, 0), ==, own);
  dyno_chart_set_link (slow, link);
  for (guint panel = 0; panel < 2; panel++)
    {
      assert_same (fast, slow, panel, TRUE);
      assert_same (fast, slow, panel, FALSE);
    }
  g_assert_cmpfloat (get_most (fast, 0), >=, 3600);
  g_assert_cmpfloat (get_most (fast, 0), <, get_most (fast, 1));
  /* The titles of panels are in the unit of their axes. */
  g_assert_cmpstr (dyno_chart_get_panel_title (fast, 0), ==, dyno_chart_get_panel_title (slow, 0));
  g_assert_cmpstr (dyno_chart_get_panel_title (fast, 0), !=, title);
  dyno_chart_refresh (fast);
  assert_same (fast, slow, 0, FALSE);
  dyno_chart_set_link (fast, NULL);
  g_assert_cmpfloat (get_most (fast, 0), ==, own);
  g_assert_cmpstr (dyno_chart_get_panel_title (fast, 0), ==, title);
}

static void
test_gone (void)
{
  g_autoptr (DynoChartLink) link = dyno_chart_link_new ();
  g_autoptr (DynoChart) fast = create_chart (DYNO_CHART_SCALING_LATENCY, create_sweep (2, 1, 3));
  DynoChart *slow = create_chart (DYNO_CHART_SCALING_LATENCY, create_sweep (9, 1, 3));
  double own = get_most (fast, 0);

  dyno_chart_set_link (fast, link);
  dyno_chart_set_link (slow, link);
  g_assert_cmpfloat (get_most (fast, 0), >, own);
  g_object_unref (slow);
  g_assert_cmpfloat (get_most (fast, 0), ==, own);
}

static void
test_zoom (void)
{
  g_autoptr (DynoChartLink) link = dyno_chart_link_new ();
  g_autoptr (DynoChart) one = create_chart (DYNO_CHART_SCALING_LATENCY, create_sweep (2, 1, 5));
  g_autoptr (DynoChart) other = create_chart (DYNO_CHART_SCALING_LATENCY, create_sweep (5, 1, 5));

  dyno_chart_set_link (one, link);
  dyno_chart_set_link (other, link);
  render (one);
  dyno_chart_zoom (one, 2, WIDTH / 2, HEIGHT / 2);
  g_assert_true (dyno_chart_is_zoomed (other));
  assert_same (one, other, 0, TRUE);
  assert_same (one, other, 0, FALSE);
  dyno_chart_pan (one, WIDTH / 2, HEIGHT / 2, 40, 10);
  assert_same (one, other, 0, TRUE);
  dyno_chart_refresh (other);
  assert_same (one, other, 0, TRUE);
  dyno_chart_reset_zoom (other);
  g_assert_false (dyno_chart_is_zoomed (one));
}

/* A moment is the same in charts of other kinds, whose values have their own axes. */
static void
test_time (void)
{
  g_autoptr (DynoChartLink) link = dyno_chart_link_new ();
  g_autoptr (GPtrArray) runs = fixture_list (fixture_create_single (), NULL);
  g_autoptr (DynoChart) latency = dyno_chart_new (DYNO_CHART_LATENCY, runs);
  g_autoptr (DynoChart) memory = dyno_chart_new (DYNO_CHART_MEMORY, runs);
  double own = get_most (memory, 0);

  dyno_chart_set_link (latency, link);
  dyno_chart_set_link (memory, link);
  assert_same (latency, memory, 0, TRUE);
  g_assert_cmpfloat (get_most (memory, 0), ==, own);
  render (latency);
  dyno_chart_zoom (latency, 3, WIDTH / 2, HEIGHT / 2);
  assert_same (latency, memory, 0, TRUE);
  g_assert_true (dyno_chart_hover (latency, WIDTH / 2, HEIGHT / 2));
  g_assert_nonnull (dyno_chart_get_cursor_text (memory));
}

/* The other cursor is on the point of the same panel, series and size, with its own value. */
static void
test_cursor (void)
{
  g_autoptr (DynoChartLink) link = dyno_chart_link_new ();
  g_autoptr (DynoChart) one = create_chart (DYNO_CHART_SCALING_LATENCY, create_sweep (2, 2, 5));
  g_autoptr (DynoChart) other = create_chart (DYNO_CHART_SCALING_LATENCY, create_sweep (5, 2, 3));

  dyno_chart_set_link (one, link);
  dyno_chart_set_link (other, link);
  g_assert_true (dyno_chart_move_cursor (one, 1, 0));
  g_assert_true (dyno_chart_move_cursor (one, 1, 0));
  g_assert_nonnull (strstr (dyno_chart_get_cursor_text (one), "Batch size 2: 4.0"));
  g_assert_nonnull (strstr (dyno_chart_get_cursor_text (other), "ResNet-18"));
  g_assert_nonnull (strstr (dyno_chart_get_cursor_text (other), "Batch size 2: 10."));
  /* It was not measured at the largest size. */
  g_assert_true (dyno_chart_move_cursor (one, 5, 0));
  g_assert_null (dyno_chart_get_cursor_text (other));
  g_assert_true (dyno_chart_move_cursor (other, 1, 0));
  g_assert_nonnull (strstr (dyno_chart_get_cursor_text (one), "Batch size 1: 2.0"));
  dyno_chart_unhover (one);
  g_assert_null (dyno_chart_get_cursor_text (other));
}

static void
test_rows (void)
{
  g_autoptr (DynoChartLink) link = dyno_chart_link_new ();
  g_autoptr (DynoChart) one = create_chart (DYNO_CHART_COMPARISON, create_sweep (2, 1, 4));
  g_autoptr (DynoChart) other = create_chart (DYNO_CHART_COMPARISON, create_sweep (5, 1, 3));

  dyno_chart_set_link (one, link);
  dyno_chart_set_link (other, link);
  assert_same (one, other, 0, TRUE);
  for (guint i = 0; i < 3; i++)
    {
      g_autofree char *size = g_strdup_printf ("batch %u", 1 << i);

      g_assert_true (dyno_chart_move_cursor (one, 1, 0));
      g_assert_nonnull (strstr (dyno_chart_get_cursor_text (one), size));
      g_assert_nonnull (strstr (dyno_chart_get_cursor_text (other), size));
    }
  g_assert_true (dyno_chart_move_cursor (one, 1, 0));
  g_assert_null (dyno_chart_get_cursor_text (other));
}

static char *
dup_distribution (DynoChart *chart)
{
  return g_strconcat (dyno_chart_get_finding (chart), dyno_chart_get_note (chart), NULL);
}

/* A part of the time is that of all charts of the case; its distribution is built again once it no longer moves. */
static void
test_selection (void)
{
  g_autoptr (DynoRun) run = fixture_create_single ();
  g_autoptr (GPtrArray) runs = fixture_list (g_object_ref (run), NULL);
  g_autoptr (DynoResult) result = g_list_model_get_item (dyno_run_get_results (run), 0);
  g_autoptr (DynoChartData) data = dyno_chart_data_new (runs, result, NULL);
  g_autoptr (DynoChart) latency = dyno_chart_new_for_data (DYNO_CHART_LATENCY, data);
  g_autoptr (DynoChart) memory = dyno_chart_new_for_data (DYNO_CHART_MEMORY, data);
  g_autoptr (DynoChart) distribution = dyno_chart_new_for_data (DYNO_CHART_DISTRIBUTION, data);
  g_autofree char *whole_latency = g_strdup (dyno_chart_get_finding (latency));
  g_autofree char *whole_memory = g_strdup (dyno_chart_get_finding (memory));
  g_autoptr (DynoChart) operators = dyno_chart_new_for_data (DYNO_CHART_OPERATORS, data);
  g_autofree char *whole = dup_distribution (distribution);
  double from, to, other_from, other_to;

  g_assert_true (dyno_chart_can_select (latency));
  g_assert_false (dyno_chart_can_select (distribution));
  render (latency);
  dyno_chart_select (latency, WIDTH * 0.5, WIDTH * 0.6, FALSE);
  g_assert_true (dyno_chart_get_selection (memory, &from, &to));
  g_assert_cmpfloat (from, <, to);
  g_assert_cmpstr (dyno_chart_get_finding (latency), ==, whole_latency);
  g_autofree char *moving = dup_distribution (distribution);
  g_assert_cmpstr (moving, ==, whole);

  dyno_chart_select (latency, WIDTH * 0.7, WIDTH * 0.5, TRUE);
  g_assert_true (dyno_chart_get_selection (memory, &other_from, &other_to));
  g_assert_cmpfloat (other_to, >, to);
  g_assert_true (g_str_has_prefix (dyno_chart_get_finding (latency), "From "));
  g_assert_nonnull (strstr (dyno_chart_get_finding (memory), "median "));
  g_autofree char *part = dup_distribution (distribution);
  g_assert_nonnull (strstr (part, "Only the steps from "));
  g_assert_true (g_str_has_prefix (dyno_chart_get_note (operators), "Of the whole analysis: "));
  dyno_chart_zoom_to_selection (memory);
  g_assert_true (dyno_chart_is_zoomed (latency));
  dyno_chart_refresh (latency);
  g_assert_true (g_str_has_prefix (dyno_chart_get_finding (latency), "From "));

  dyno_chart_unselect (memory);
  g_autofree char *after = dup_distribution (distribution);
  g_assert_cmpstr (after, ==, whole);
  g_assert_cmpstr (dyno_chart_get_finding (latency), ==, whole_latency);
  g_assert_cmpstr (dyno_chart_get_finding (memory), ==, whole_memory);
  g_assert_cmpstr (dyno_chart_get_note (operators), ==, "");
}

static void
test_selection_by_keys (void)
{
  g_autoptr (GPtrArray) runs = fixture_list (fixture_create_single (), NULL);
  g_autoptr (DynoChart) chart = dyno_chart_new (DYNO_CHART_LATENCY, runs);
  g_autoptr (DynoChart) rows = dyno_chart_new (DYNO_CHART_OPERATORS, runs);
  double from, to, further;

  g_assert_false (dyno_chart_extend_selection (rows, 1));
  g_assert_true (dyno_chart_extend_selection (chart, 3));
  g_assert_true (dyno_chart_get_selection (chart, &from, &to));
  g_assert_true (dyno_chart_extend_selection (chart, 3));
  g_assert_true (dyno_chart_get_selection (chart, &from, &further));
  g_assert_cmpfloat (further, >, to);
  dyno_chart_unselect (chart);
  g_assert_false (dyno_chart_get_selection (chart, &from, &to));
}

/* Many steps are read and sorted once, in a thread, and all charts of the case share them. */
static void
test_prepared (void)
{
  FixtureCase what = { "BERT base uncased", "cpu", 1, 128, 0.4, 0.06, DYNO_SERIES_LONG, 4 };
  DynoRun *run = fixture_create_run ("A long run");
  DynoResult *result = fixture_add_case (run, &what);
  g_autoptr (GPtrArray) runs = fixture_list (run, NULL);
  g_autoptr (DynoChart) chart = NULL;
  DynoTrace *trace = dyno_result_get_trace (result, "latency");

  g_object_set (run, "finished-at", G_GINT64_CONSTANT (2), NULL);
  chart = dyno_chart_new (DYNO_CHART_COMPARISON, runs);
  dyno_chart_prepare_cases (chart);
  while (g_object_get_qdata (G_OBJECT (trace), g_quark_from_static_string ("dyno-chart-sorted")) == NULL)
    g_thread_yield ();

  g_autoptr (DynoSeries) first = dyno_series_new_from_trace ("First", 0, trace);
  g_autoptr (DynoSeries) second = dyno_series_new_from_trace ("Second", 1, trace);
  g_autoptr (GArray) sorted = dyno_chart_cases_sort_steady (result);
  g_autoptr (GArray) again = dyno_chart_cases_sort_steady (result);
  g_assert_true (dyno_series_get_x (first) == dyno_series_get_x (second));
  g_assert_true (sorted == again);
  g_assert_cmpuint (sorted->len, ==, dyno_chart_cases_count_steady (result));
  for (guint i = 1; i < sorted->len; i++)
    g_assert_cmpfloat (g_array_index (sorted, double, i - 1), <=, g_array_index (sorted, double, i));

  /* A trace that goes on is read again. */
  dyno_trace_add (trace, G_GINT64_CONSTANT (3600000000000), 1);
  g_autoptr (DynoSeries) longer = dyno_series_new_from_trace ("Longer", 0, trace);
  g_assert_cmpuint (dyno_series_get_length (longer), ==, dyno_series_get_length (first) + 1);
}

static const SuiteTest tests[] = {
  { "/chart/link/ranges", test_ranges },
  { "/chart/link/gone", test_gone },
  { "/chart/link/zoom", test_zoom },
  { "/chart/link/time", test_time },
  { "/chart/link/cursor", test_cursor },
  { "/chart/link/rows", test_rows },
  { "/chart/link/selection", test_selection },
  { "/chart/link/prepared", test_prepared },
  { "/chart/link/selection-by-keys", test_selection_by_keys },
};

SUITE_TESTS (tests)
