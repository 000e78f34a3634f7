/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "chart-fixture.h"
#include "suite.h"

#define WIDTH  900
#define HEIGHT 420

static DynoChart *
create_chart (void)
{
  g_autoptr (GPtrArray) runs = fixture_list (fixture_create_modules (), NULL);

  return dyno_chart_new (DYNO_CHART_PLACEMENT, runs);
}

/* Each provider is one series, the one with the most time first. */
static void
test_providers (void)
{
  g_autoptr (DynoChart) chart = create_chart ();

  g_assert_cmpuint (dyno_chart_get_n_series (chart), ==, 2);
  g_assert_cmpstr (dyno_chart_get_series_name (chart, 0), ==, "CUDA");
  g_assert_cmpstr (dyno_chart_get_series_name (chart, 1), ==, "CPU");
  fixture_assert_finding (chart,
                          "85 % of the time on CUDA; the work goes from one provider to another once.");
}

/* The table has every operator in the order of the graph. */
static void
test_table (void)
{
  g_autoptr (DynoChart) chart = create_chart ();

  g_assert_cmpuint (dyno_chart_get_table (chart)->len, ==, 11);
  fixture_assert_cell (chart, 3, "Operator", "encoder.layer.0.attention.MatMul_2");
  fixture_assert_cell (chart, 3, "Module", "encoder.layer.0.attention");
  fixture_assert_cell (chart, 10, "Provider", "CPUExecutionProvider");
  g_assert_cmpfloat (fixture_get_number (chart, 10, "Time"), ==, 14);
}

/* Keys go along the strip from piece to piece, whatever provider they belong to: modules first, then operators. */
static void
test_keys (void)
{
  static const char *const texts[] = {
    "CUDA. embeddings: 2 operators, 5.3 % of the time",
    "CUDA. encoder.layer.0.attention: 2 operators, 16 % of the time",
    "CUDA. encoder.layer.0.output: 1 operator, 21 % of the time",
    "CUDA. encoder.layer.1.attention: 2 operators, 18 % of the time",
    "CUDA. encoder.layer.1.output: 1 operator, 18 % of the time",
    "CUDA. No module: 1 operator, 6.4 % of the time",
    "CPU. pooler: 1 operator, 15 % of the time",
    "CUDA. embeddings.Gather_0 (Gather): 3.2 % of the time, 3 ms",
  };
  g_autoptr (DynoChart) chart = create_chart ();

  fixture_render (chart, WIDTH, HEIGHT, dyno_chart_style_get_light ());
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_assert_true (dyno_chart_move_cursor (chart, 1, 0));
      g_assert_cmpstr (dyno_chart_get_cursor_text (chart), ==, texts[i]);
    }
  g_assert_true (DYNO_IS_OPERATOR (dyno_chart_get_cursor_subject (chart)));
}

/* The pointer finds a piece anywhere in it. */
static void
test_pointer (void)
{
  g_autoptr (DynoChart) chart = create_chart ();

  fixture_render (chart, WIDTH, HEIGHT, dyno_chart_style_get_light ());
  g_assert_true (dyno_chart_hover (chart, WIDTH * 0.9, HEIGHT * 0.7));
  g_assert_nonnull (g_strrstr (dyno_chart_get_cursor_text (chart), "pooler.Gemm_5 (Gemm)"));
}

/* Operators without times have no width: nothing is drawn, and the reason is given. */
static void
test_untimed (void)
{
  DynoRun *run = fixture_create_modules ();
  g_autoptr (GPtrArray) runs = fixture_list (run, NULL);
  g_autoptr (DynoResult) result = g_list_model_get_item (dyno_run_get_results (run), 0);
  g_autoptr (DynoChart) chart = NULL;

  dyno_operator_set_time_ns (g_ptr_array_index (dyno_result_get_operators (result), 0), -1);
  chart = dyno_chart_new (DYNO_CHART_PLACEMENT, runs);
  g_assert_nonnull (strstr (dyno_chart_get_empty_message (chart), "1 of 10 operators have no time"));
}

static const SuiteTest tests[] = {
  { "/chart/placement/providers", test_providers }, { "/chart/placement/table", test_table },
  { "/chart/placement/keys", test_keys },           { "/chart/placement/pointer", test_pointer },
  { "/chart/placement/untimed", test_untimed },
};

SUITE_TESTS (tests)
