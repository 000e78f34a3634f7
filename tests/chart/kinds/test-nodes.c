/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>
#include <string.h>

#include "chart-fixture.h"
#include "suite.h"

#define N_CASES 6

static DynoChart *
create (GPtrArray *runs)
{
  return dyno_chart_new (DYNO_CHART_NODES, runs);
}

static double
read_number (DynoChart *chart, guint row, const char *heading)
{
  return fixture_get_number (chart, row, heading);
}

static void
assert_empty (GPtrArray *runs)
{
  g_autoptr (DynoChart) chart = create (runs);

  fixture_assert_empty (chart, "This chart compares the same cases on several nodes of a cluster.");
}

/* Runs of one machine are not nodes, nor are those of different submissions. */
static void
test_empty (void)
{
  g_autoptr (GPtrArray) one = fixture_create_nodes (1);
  g_autoptr (GPtrArray) others =
      fixture_list (fixture_create_sweep ("Laptop", 2, 4), fixture_create_sweep ("Laptop", 2, 4), NULL);
  g_autoptr (GPtrArray) mixed = fixture_create_nodes (3);
  g_autoptr (GPtrArray) apart =
      fixture_list (fixture_create_sweep ("A", 1, 2), fixture_create_sweep ("B", 2, 2), NULL);

  assert_empty (one);
  assert_empty (others);
  fixture_set_node (mixed->pdata[2], "another", "n3");
  assert_empty (mixed);
  g_object_set (mixed->pdata[2], "machine", "{\"state\": {\"cluster\": 3}}", NULL);
  assert_empty (mixed);
  g_object_set (mixed->pdata[2], "machine", "{\"state\": {\"cluster\": {\"submission\": \"one\"}}}", NULL);
  assert_empty (mixed);
  fixture_set_node (apart->pdata[0], "one", "n1");
  fixture_set_node (apart->pdata[1], "one", "n1");
  assert_empty (apart);
}

static void
test_range (void)
{
  g_autoptr (GPtrArray) runs = fixture_create_nodes (3);
  g_autoptr (DynoChart) chart = create (runs);

  g_assert_null (dyno_chart_get_empty_message (chart));
  g_assert_cmpstr (dyno_chart_get_note (chart), ==, "Whiskers: range over 3 nodes.");
  fixture_assert_finding (chart,
                          "ResNet-18 · batch 4 spreads most: from 8.40\u00a0ms on n1 to 9.74\u00a0ms on n3, "
                          "16 % more.");
  g_assert_cmpuint (dyno_chart_get_table (chart)->len, ==, 1 + 3 * N_CASES);
  for (guint i = 0; i < 3; i++)
    {
      g_autofree char *node = g_strdup_printf ("n%u", i + 1);

      fixture_assert_cell (chart, 1 + i, "Node", node);
      fixture_assert_cell (chart, 1 + i, "Model", "BERT tiny");
      g_assert_cmpfloat_with_epsilon (read_number (chart, 1 + i, "Median latency"), 4.4 * (1 + 0.04 * i),
                                      0.01);
      g_assert_cmpfloat_with_epsilon (read_number (chart, 1 + i, "Median of the nodes"), 4.58, 0.01);
      g_assert_cmpfloat_with_epsilon (read_number (chart, 1 + i, "Range from"), 4.4, 0.01);
      g_assert_cmpfloat_with_epsilon (read_number (chart, 1 + i, "Range to"), 4.75, 0.01);
    }
}

static void
test_interval (void)
{
  g_autoptr (GPtrArray) few = fixture_create_nodes (4);
  g_autoptr (GPtrArray) enough = fixture_create_nodes (5);
  g_autoptr (GPtrArray) many = fixture_create_nodes (31);
  g_autoptr (DynoChart) range = create (few);
  g_autoptr (DynoChart) interval = create (enough);
  g_autoptr (DynoChart) narrow = create (many);
  double low = read_number (narrow, 1, "95 % interval from");
  double high = read_number (narrow, 1, "95 % interval to");
  double median = read_number (narrow, 1, "Median of the nodes");

  g_assert_cmpstr (dyno_chart_get_note (range), ==, "Whiskers: range over 4 nodes.");
  g_assert_cmpstr (dyno_chart_get_note (interval), ==, "Whiskers: 95 % interval of the median over 5 nodes.");
  g_assert_cmpfloat (read_number (interval, 1, "95 % interval from"), >, 0);
  /* Of many nodes the interval is well within the range. */
  g_assert_cmpfloat_with_epsilon (median, 4.4 * 1.6, 0.01);
  g_assert_cmpfloat (low, >, 4.4 * 1.04);
  g_assert_cmpfloat (low, <, median);
  g_assert_cmpfloat (high, >, median);
  g_assert_cmpfloat (high, <, 4.4 * (1 + 0.04 * 29));
}

/* Cases are put together by what they are, in whichever order nodes measured them. */
static void
test_alignment (void)
{
  g_autoptr (GPtrArray) runs = fixture_create_nodes (2);
  DynoRun *third = fixture_create_run ("A plan for all nodes");
  FixtureCase last = { "ResNet-18", "cpu", 4, 0, 20, 0, 40, 0 };
  FixtureCase first = { "BERT tiny", "cpu", 1, 0, 5, 0, 40, 0 };
  FixtureCase lonely = { "BERT tiny", "cpu", 64, 0, 90, 0, 40, 0 };
  g_autoptr (DynoChart) chart = NULL;

  fixture_add_case (third, &last);
  fixture_add_case (third, &lonely);
  fixture_add_case (third, &first);
  fixture_set_node (third, "one", "n9");
  g_ptr_array_add (runs, third);
  chart = create (runs);
  g_assert_cmpuint (dyno_chart_get_table (chart)->len, ==, 1 + 2 * N_CASES + 2);
  fixture_assert_cell (chart, 3, "Node", "n9");
  g_assert_cmpfloat_with_epsilon (read_number (chart, 3, "Median latency"), 5, 0.01);
  fixture_assert_cell (chart, 2 * N_CASES + 2, "Batch size", "4");
  fixture_assert_cell (chart, 2 * N_CASES + 2, "Node", "n9");
  fixture_assert_caption (chart, "1 case was measured on one node only and is not drawn.");
  g_assert_cmpstr (dyno_chart_get_note (chart), ==,
                   "Whiskers: 95 % interval of the median over the nodes; range of fewer than five.");
  g_assert_nonnull (strstr (dyno_chart_get_finding (chart), "to 20\u00a0ms on n9, 138 % more"));
}

static void
set_devices (DynoRun *run, const char *planned, const char *name)
{
  GListModel *results = dyno_run_get_results (run);

  for (guint i = 0; i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (results, i);

      /* Of each model one case is on a device of its own, so that there are several. */
      g_object_set (result, "device", name, NULL);
      g_object_set (dyno_result_get_case (result), "device", i % 3 == 2 ? planned : "", NULL);
    }
}

/* What the plan calls by the same name has another one on each node, and is compared all the same. */
static void
test_devices (void)
{
  g_autoptr (GPtrArray) runs = fixture_create_nodes (2);
  g_autoptr (DynoChart) chart = NULL;

  set_devices (runs->pdata[0], "GPU.0", "Arc A770");
  set_devices (runs->pdata[1], "GPU.0", "Arc B580");
  chart = create (runs);
  g_assert_cmpuint (dyno_chart_get_table (chart)->len, ==, 1 + 2 * N_CASES);
  g_assert_cmpstr (dyno_chart_get_note (chart), ==, "Whiskers: range over 2 nodes.");
  fixture_assert_finding (
      chart, "ResNet-18 · batch 4 · GPU.0 spreads most: from 8.40\u00a0ms on n1 to 9.07\u00a0ms on n2, "
             "8.0 % more.");
}

/* A node that a case ran on twice is one node. */
static void
test_same_node (void)
{
  g_autoptr (GPtrArray) runs = fixture_create_nodes (3);
  g_autoptr (DynoChart) chart = NULL;

  fixture_set_node (runs->pdata[2], "one", "n2");
  chart = create (runs);
  g_assert_cmpstr (dyno_chart_get_note (chart), ==, "Whiskers: range over 2 nodes.");
  g_assert_cmpuint (dyno_chart_get_table (chart)->len, ==, 1 + 3 * N_CASES);
  fixture_assert_cell (chart, 1, "Node", "n1");
  fixture_assert_cell (chart, 3, "Node", "n2");
  g_assert_cmpfloat_with_epsilon (read_number (chart, 1, "Range to"), 4.4 * 1.06, 0.01);
}

/* Keys go from node to node, then to the next case. */
static void
test_keyboard (void)
{
  g_autoptr (GPtrArray) runs = fixture_create_nodes (2);
  g_autoptr (DynoChart) chart = create (runs);
  static const char *const texts[] = { "between 4.40\u00a0ms and 4.58\u00a0ms", "n1: 4.40\u00a0ms",
                                       "n2: 4.58\u00a0ms", "between 4.80\u00a0ms" };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_assert_true (dyno_chart_move_cursor (chart, 0, 1));
      g_test_message ("%s", dyno_chart_get_cursor_text (chart));
      g_assert_nonnull (strstr (dyno_chart_get_cursor_text (chart), texts[i]));
      if (i == 1)
        g_assert_true (DYNO_IS_RESULT (dyno_chart_get_cursor_subject (chart)));
    }
}

static const SuiteTest tests[] = {
  { "/chart/nodes/empty", test_empty },         { "/chart/nodes/range", test_range },
  { "/chart/nodes/interval", test_interval },   { "/chart/nodes/alignment", test_alignment },
  { "/chart/nodes/same-node", test_same_node }, { "/chart/nodes/devices", test_devices },
  { "/chart/nodes/keyboard", test_keyboard },
};

SUITE_TESTS (tests)
