/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "chart-fixture.h"
#include "dyno-subject-charts.h"
#include "suite.h"

static void
test_table (void)
{
  g_autoptr (DynoHistory) history = fixture_create_history ();
  g_autoptr (DynoChart) chart = dyno_history_chart_new (history);

  g_assert_cmpint (dyno_chart_get_table (chart)->len, ==, 29);
  fixture_assert_cell (chart, 6, "Status", "never steady");
  fixture_assert_cell (chart, 16, "Change", "");
  g_assert_true (g_str_has_suffix (fixture_get_cell (chart, 17, "Change"), "faster"));
  fixture_assert_cell (chart, 17, "What changed there", "Runtime: 2026.3 → 2026.4");
}

static void
test_keyboard (void)
{
  g_autoptr (DynoHistory) history = fixture_create_history ();
  g_autoptr (DynoChart) chart = dyno_history_chart_new (history);
  guint n_moves = 1;

  g_assert_true (dyno_chart_move_cursor (chart, 1, 0));
  g_assert_nonnull (strstr (dyno_chart_get_cursor_text (chart), "Run 1a2b3c00"));
  g_assert_nonnull (strstr (dyno_chart_get_cursor_text (chart), "range of 5 processes"));
  while (dyno_chart_move_cursor (chart, 1, 0))
    n_moves++;
  g_assert_cmpuint (n_moves, ==, 28);
}

static void
name_baseline (DynoHistory *history, const char *name, const char *run_id)
{
  DynoBaseline *baseline = g_new0 (DynoBaseline, 1);

  baseline->name = g_strdup (name);
  baseline->run_id = g_strdup (run_id);
  g_ptr_array_add (history->baselines, baseline);
}

/* Each baseline is a reference line and is named after its run, unless the run lacks the case. */
static void
test_baselines (void)
{
  g_autoptr (DynoHistory) history = fixture_create_history ();
  g_autoptr (DynoChart) chart = NULL;

  name_baseline (history, "elsewhere", "another-run");
  name_baseline (history, "main", "1a2b3c00-0000");
  chart = dyno_history_chart_new (history);
  g_assert_cmpuint (dyno_chart_get_n_series (chart), ==, 3);
  g_assert_cmpstr (dyno_chart_get_series_name (chart, 1), ==, "Baseline “main”");
  fixture_assert_cell (chart, 1, "Baseline", "“main”");
  fixture_assert_cell (chart, 2, "Baseline", "");
  g_assert_true (dyno_chart_move_cursor (chart, 1, 0));
  g_assert_true (g_str_has_suffix (dyno_chart_get_cursor_text (chart), "; baseline “main”"));
}

/* A point represents its run. */
static void
test_subject (void)
{
  g_autoptr (DynoHistory) history = fixture_create_history ();
  g_autoptr (DynoChart) chart = dyno_history_chart_new (history);

  g_assert_true (dyno_chart_move_cursor (chart, 1, 0));
  g_assert_cmpstr (dyno_run_get_id (DYNO_RUN (dyno_chart_get_cursor_subject (chart))), ==, "1a2b3c00-0000");
}

static void
test_empty (void)
{
  g_autoptr (DynoHistory) history = dyno_history_new (g_ptr_array_new (), "latency_p50_ms", 0.02);
  g_autoptr (DynoChart) chart = dyno_history_chart_new (history);

  g_assert_nonnull (dyno_chart_get_empty_message (chart));
}

static const SuiteTest tests[] = {
  { "/chart/history/table", test_table },         { "/chart/history/keyboard", test_keyboard },
  { "/chart/history/baselines", test_baselines }, { "/chart/history/subject", test_subject },
  { "/chart/history/empty", test_empty },
};

SUITE_TESTS (tests)
