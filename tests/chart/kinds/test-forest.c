/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "chart-fixture.h"
#include "dyno-chart-base-private.h"
#include "dyno-chart-export.h"
#include "dyno-subject-charts.h"
#include "suite.h"

static DynoChart *
create (const char *metric, const char *unit)
{
  g_autoptr (DynoComparison) comparison = fixture_create_comparison (metric, unit);

  return dyno_forest_chart_new (comparison);
}

static void
test_order (void)
{
  g_autoptr (DynoChart) times = create ("latency_p50_ms", "ms");
  g_autoptr (DynoChart) rates = create ("throughput_items_per_sec", "1/s");

  g_assert_cmpint (dyno_chart_get_table (times)->len, ==, 7);
  g_assert_nonnull (strstr (fixture_get_cell (times, 1, "Case"), "BERT base"));
  fixture_assert_cell (times, 1, "Verdict", "faster");
  fixture_assert_cell (times, 6, "Verdict", "slower");
  g_assert_nonnull (strstr (fixture_get_cell (rates, 1, "Case"), "GPT-2"));
  fixture_assert_cell (rates, 6, "Ratio", "0.510");
}

static void
test_keyboard (void)
{
  g_autoptr (DynoChart) chart = create ("latency_p50_ms", "ms");
  guint n_moves = 0;

  g_assert_true (dyno_chart_move_cursor (chart, 0, 1));
  g_assert_nonnull (strstr (dyno_chart_get_cursor_text (chart), "0.51 (0.49 – 0.54), faster"));
  g_assert_true (DYNO_IS_RESULT (dyno_chart_get_cursor_subject (chart)));
  while (dyno_chart_move_cursor (chart, 0, 1))
    n_moves++;
  g_assert_cmpuint (n_moves, ==, 5);
  g_assert_nonnull (strstr (dyno_chart_get_cursor_text (chart), "slower"));
}

static void
test_legend (void)
{
  g_autoptr (DynoChart) chart = create ("memory_peak_mb", "MB");

  g_assert_cmpuint (dyno_chart_get_n_series (chart), ==, 6);
  g_assert_cmpstr (dyno_chart_get_series_name (chart, 0), ==, "better");
  g_assert_cmpstr (dyno_chart_get_series_name (chart, 5), ==, "confounded");
}

static gboolean
says (DynoChart *chart, double width, const char *text)
{
  g_autoptr (GArray) boxes = fixture_record (chart, width, 400, dyno_chart_style_get_light ());
  gboolean found = FALSE;

  for (guint i = 0; i < boxes->len; i++)
    {
      const DynoTextBox *box = &g_array_index (boxes, DynoTextBox, i);
      double left, top, right, bottom;

      dyno_text_box_get_extents (box, &left, &top, &right, &bottom);
      g_assert_cmpfloat (right, <=, width + 1);
      found |= strstr (box->text, text) != NULL;
    }
  return found;
}

/* The text beside the rows is omitted if there is no room. */
static void
test_width (void)
{
  g_autoptr (DynoChart) chart = create ("latency_p50_ms", "ms");

  g_assert_true (says (chart, 960, "0.51 (0.49 – 0.54)"));
  g_assert_false (says (chart, 320, "0.51 (0.49 – 0.54)"));
}

/* Where it is wider than what matters, the band is the noise of the machine. */
static void
test_noise_floor (void)
{
  g_autoptr (DynoComparison) comparison = fixture_create_comparison ("latency_p50_ms", "ms");
  DynoComparedCase *kase = comparison->cases->pdata[0];
  g_autoptr (DynoChart) quiet = NULL;
  g_autoptr (DynoChart) noisy = NULL;

  kase->noise_floor = 0.015;
  quiet = dyno_forest_chart_new (comparison);
  kase->noise_floor = 0.073;
  noisy = dyno_forest_chart_new (comparison);
  g_assert_nonnull (strstr (dyno_chart_get_note (quiet), "within 2 %, which does not matter"));
  g_assert_nonnull (strstr (dyno_chart_get_note (noisy), "within 7.30 %, the noise floor of the machine"));
}

static void
test_empty (void)
{
  g_autoptr (DynoComparison) comparison = dyno_comparison_new_empty ("latency_p50_ms", "ms", 0.02);
  g_autoptr (DynoRun) run = fixture_create_run ("Alone");
  g_autoptr (DynoChart) chart = NULL;

  dyno_comparison_add_side (comparison, run, "Alone");
  chart = dyno_forest_chart_new (comparison);
  g_assert_nonnull (dyno_chart_get_empty_message (chart));
}

static const SuiteTest tests[] = {
  { "/chart/forest/order", test_order },
  { "/chart/forest/keyboard", test_keyboard },
  { "/chart/forest/legend", test_legend },
  { "/chart/forest/width", test_width },
  { "/chart/forest/noise-floor", test_noise_floor },
  { "/chart/forest/empty", test_empty },
};

SUITE_TESTS (tests)
