/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "dyno-app-charts-private.h"
#include "dyno-app-runs-private.h"
#include "dyno-chart-kind-list.h"
#include "dyno-plan.h"
#include "run-fixture.h"
#include "suite.h"
#include "window-fixture.h"

#define NO_POWER "Nothing measures power here."

typedef struct
{
  DynoRun *run;
  DynoResult *result;
  GtkWidget *window;
  DynoCaseView *view;
} Fixture;

static void
set_up (Fixture *self, gconstpointer data)
{
  static const char *const missing[] = { "power_avg_watts", "energy_joules", "gflops_per_watt" };

  self->run = run_fixture_make ("A run", 1, 1);
  self->result = g_list_model_get_item (dyno_run_get_results (self->run), 0);
  for (guint i = 0; i < G_N_ELEMENTS (missing); i++)
    dyno_result_take_value (self->result, dyno_value_new_unsupported (missing[i], "W", NO_POWER));
  self->view = DYNO_CASE_VIEW (dyno_case_view_new ());
  self->window = gtk_window_new ();
  gtk_window_set_default_size (GTK_WINDOW (self->window), 480, 420);
  gtk_window_set_child (GTK_WINDOW (self->window), GTK_WIDGET (self->view));
  gtk_window_present (GTK_WINDOW (self->window));
  dyno_case_view_set_result (self->view, self->run, self->result);
  window_fixture_wait_frames (self->window);
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  gtk_window_destroy (GTK_WINDOW (self->window));
  g_clear_object (&self->result);
  g_clear_object (&self->run);
}

static void
add_operator (DynoResult *result, const char *name, gint64 time_ns)
{
  DynoOperator *op = dyno_operator_new (name, "MatMul", "CPUExecutionProvider");

  dyno_operator_set_calls (op, 10);
  dyno_operator_set_time_ns (op, time_ns);
  dyno_result_take_operator (result, op);
}

/* Modules are sorted by time and expand to their operators; a case without operators has none. */
static void
test_modules (Fixture *self, gconstpointer data)
{
  GtkWidget *modules = page_fixture_find_named (GTK_WIDGET (self->view), "modules");
  DynoModuleTable *table =
      DYNO_MODULE_TABLE (page_fixture_find_named (GTK_WIDGET (self->view), "module_table"));
  GListModel *rows = dyno_module_table_get_rows (table);
  GtkWidget *list;

  g_ptr_array_set_size (dyno_result_get_operators (self->result), 0);
  dyno_case_view_set_result (self->view, self->run, self->result);
  g_assert_false (gtk_widget_get_visible (modules));
  add_operator (self->result, "/embeddings/Gather", 100);
  add_operator (self->result, "/encoder/layer.0/MatMul", 500);
  add_operator (self->result, "/encoder/layer.1/MatMul", 700);
  dyno_case_view_set_result (self->view, self->run, self->result);
  g_assert_true (gtk_widget_get_visible (modules));
  g_assert_cmpuint (g_list_model_get_n_items (rows), ==, 2);
  window_fixture_wait_frames (self->window);
  list = page_fixture_find_named (GTK_WIDGET (table), "view");
  for (guint i = 0; i < 2; i++)
    {
      g_signal_emit_by_name (list, "activate", i);
      g_assert_cmpuint (g_list_model_get_n_items (rows), ==, 4 + i);
    }
  g_signal_emit_by_name (list, "activate", 0);
  g_assert_cmpuint (g_list_model_get_n_items (rows), ==, 2);
}

static guint
count_columns (Fixture *self)
{
  GtkWidget *table = page_fixture_find_named (GTK_WIDGET (self->view), "module_table");
  GtkColumnView *list = GTK_COLUMN_VIEW (page_fixture_find_named (table, "view"));

  return g_list_model_get_n_items (gtk_column_view_get_columns (list));
}

/* Where the engine names kernels, they have a column. */
static void
test_kernels (Fixture *self, gconstpointer data)
{
  GPtrArray *operators = dyno_result_get_operators (self->result);
  guint n_columns = count_columns (self);

  g_ptr_array_set_size (operators, 0);
  add_operator (self->result, "/encoder/Conv", 100);
  dyno_operator_set_kernel (operators->pdata[0], "brgconv_avx2_f32");
  dyno_case_view_set_result (self->view, self->run, self->result);
  g_assert_cmpuint (count_columns (self), ==, n_columns + 1);
  window_fixture_wait_frames (self->window);
  g_ptr_array_set_size (operators, 0);
  add_operator (self->result, "/encoder/Conv", 100);
  dyno_case_view_set_result (self->view, self->run, self->result);
  g_assert_cmpuint (count_columns (self), ==, n_columns);
}

/* The median is large, and notes are folded. */
static void
test_head (Fixture *self, gconstpointer data)
{
  GtkLabel *facts = GTK_LABEL (page_fixture_find_named (GTK_WIDGET (self->view), "facts_label"));
  GtkWidget *notes = page_fixture_find_named (GTK_WIDGET (self->view), "diagnostics_row");

  g_assert_cmpstr (gtk_label_get_label (facts), ==, "1\u00a0ms");
  g_assert_cmpstr (adw_preferences_row_get_title (ADW_PREFERENCES_ROW (notes)), ==, "1 Note");
  g_assert_false (adw_expander_row_get_expanded (ADW_EXPANDER_ROW (notes)));
  g_assert_nonnull (page_fixture_find_row (notes, "It ran on battery."));
  dyno_case_view_set_result (self->view, self->run, self->result);
  g_assert_cmpstr (adw_preferences_row_get_title (ADW_PREFERENCES_ROW (notes)), ==, "1 Note");
}

/* What only records how a case was measured is folded apart, and is no note. */
static void
test_records (Fixture *self, gconstpointer data)
{
  GtkWidget *notes = page_fixture_find_named (GTK_WIDGET (self->view), "diagnostics_row");
  GtkWidget *records = page_fixture_find_named (GTK_WIDGET (self->view), "records_row");

  g_assert_false (gtk_widget_get_visible (page_fixture_find_named (GTK_WIDGET (self->view), "records")));
  dyno_result_take_diagnostic (self->result, dyno_diagnostic_new (DYNO_SEVERITY_INFO, "engine-library",
                                                                  "SHA-256 of the engine: 12ab."));
  dyno_case_view_set_result (self->view, self->run, self->result);
  g_assert_cmpstr (adw_preferences_row_get_title (ADW_PREFERENCES_ROW (notes)), ==, "1 Note");
  g_assert_null (page_fixture_find_row (notes, "SHA-256 of the engine: 12ab."));
  g_assert_nonnull (page_fixture_find_row (records, "SHA-256 of the engine: 12ab."));
  g_assert_false (adw_expander_row_get_expanded (ADW_EXPANDER_ROW (records)));
  g_assert_true (gtk_widget_get_visible (page_fixture_find_named (GTK_WIDGET (self->view), "records")));
}

/* The kind of a device is shown beside its name. */
static void
test_device (Fixture *self, gconstpointer data)
{
  static const struct
  {
    const char *kind;
    const char *words;
  } kinds[] = {
    { "discrete-gpu", "A device · GPU" },
    { "integrated-gpu", "A device · Integrated GPU" },
    { "npu", "A device · NPU" },
    { "cpu", "A device · CPU" },
    { "software", "A device · Software-emulated on the CPU" },
    { NULL, "A device" },
  };
  GtkLabel *details = GTK_LABEL (page_fixture_find_named (GTK_WIDGET (self->view), "details_label"));

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_object_set (self->result, "device", "A device", "device-kind", kinds[i].kind, NULL);
      dyno_case_view_set_result (self->view, self->run, self->result);
      g_assert_true (g_str_has_suffix (gtk_label_get_label (details), kinds[i].words));
    }
}

/* Missing values are in one folded row, which lists each reason once. */
static void
test_missing (Fixture *self, gconstpointer data)
{
  GtkWidget *view = page_fixture_find_named (GTK_WIDGET (self->view), "missing_view");
  GtkWidget *row = page_fixture_find_row (view, "Power and energy (3 values)");

  g_assert_cmpstr (
      adw_expander_row_get_subtitle (ADW_EXPANDER_ROW (page_fixture_find_row (view, "Not Measured"))), ==,
      "4 values, for 2 reasons");
  g_assert_nonnull (page_fixture_find_row (view, "99.9th percentile of latency"));
  g_assert_cmpstr (adw_action_row_get_subtitle (ADW_ACTION_ROW (row)), ==,
                   NO_POWER "\nAverage power, Energy, GFLOP/s per watt");

  /* Showing a case again duplicates nothing. */
  dyno_result_take_value (self->result, dyno_value_new_unsupported ("power_max_watts", "W", "Too short."));
  dyno_case_view_set_result (self->view, self->run, self->result);
  g_assert_cmpstr (
      adw_expander_row_get_subtitle (ADW_EXPANDER_ROW (page_fixture_find_row (view, "Not Measured"))), ==,
      "5 values, for 3 reasons");
  row = page_fixture_find_row (view, "Maximum power");
  g_assert_cmpstr (adw_action_row_get_subtitle (ADW_ACTION_ROW (row)), ==, "Too short.");
}

/* A case that is shown again keeps its rows, and with them the focus and what is unfolded; only what is gone is removed. */
static void
test_again (Fixture *self, gconstpointer data)
{
  GPtrArray *notes = dyno_result_get_diagnostics (self->result);
  GtkWidget *view = GTK_WIDGET (self->view);
  GtkWidget *missing = page_fixture_find_named (view, "missing_view");
  GtkWidget *list = page_fixture_find_named (page_fixture_find_named (view, "module_table"), "view");
  GtkWidget *rows[] = { page_fixture_find_row (view, "It ran on battery."),
                        page_fixture_find_row (view, "Median latency"),
                        page_fixture_find_row (missing, "99.9th percentile of latency") };
  const char *const titles[] = { "It ran on battery.", "Median latency", "99.9th percentile of latency" };
  GListModel *modules =
      dyno_module_table_get_rows (DYNO_MODULE_TABLE (page_fixture_find_named (view, "module_table")));
  guint n_unfolded;

  g_signal_emit_by_name (list, "activate", 0);
  n_unfolded = g_list_model_get_n_items (modules);
  g_assert_cmpuint (n_unfolded, >, 1);
  dyno_result_take_diagnostic (self->result, dyno_diagnostic_new (DYNO_SEVERITY_INFO, "other", "It broke."));
  dyno_result_add_measured (self->result, "memory_avg_mb", 100, "MB", "made up");
  dyno_case_view_set_result (self->view, self->run, self->result);
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_assert_nonnull (rows[i]);
      g_assert_true (page_fixture_find_row (i == 2 ? missing : view, titles[i]) == rows[i]);
    }
  g_assert_nonnull (page_fixture_find_row (view, "It broke."));
  g_assert_cmpuint (g_list_model_get_n_items (modules), ==, n_unfolded);

  g_ptr_array_set_size (notes, 1);
  dyno_case_view_set_result (self->view, self->run, self->result);
  g_assert_null (page_fixture_find_row (view, "It broke."));
  g_assert_true (page_fixture_find_row (view, "It ran on battery.") == rows[0]);
}

static DynoChartGroups *
get_groups (Fixture *self)
{
  return DYNO_CHART_GROUPS (page_fixture_find (GTK_WIDGET (self->view), DYNO_TYPE_CHART_GROUPS));
}

static gboolean
has_page (DynoChartGroups *groups, const char *name)
{
  GtkStack *stack = GTK_STACK (page_fixture_find_named (GTK_WIDGET (groups), "stack"));

  return gtk_stack_page_get_visible (gtk_stack_get_page (stack, gtk_stack_get_child_by_name (stack, name)));
}

/* A group without data has no page, and a chart without data no view. */
static void
test_groups (Fixture *self, gconstpointer data)
{
  DynoChartGroups *groups = get_groups (self);
  DynoChartView *latency = dyno_chart_groups_show (groups, DYNO_CHART_LATENCY);

  g_assert_true (gtk_widget_get_visible (GTK_WIDGET (latency)));
  g_assert_null (dyno_chart_groups_show (groups, DYNO_CHART_QUEUE));
  g_assert_null (dyno_chart_groups_show (groups, DYNO_CHART_POWER));
  g_assert_null (dyno_chart_groups_show (groups, DYNO_CHART_COMPARISON));
  g_assert_true (has_page (groups, "memory"));
  g_assert_true (has_page (groups, "operators"));
  g_assert_false (has_page (groups, "energy"));
}

/* A part of the time is selected in the charts of all groups, and the list of modules says why it is of the whole. */
static void
test_selection (Fixture *self, gconstpointer data)
{
  DynoChartGroups *groups = get_groups (self);
  GtkWidget *label = page_fixture_find_named (GTK_WIDGET (self->view), "whole_label");
  DynoChart *memory = dyno_chart_view_get_chart (dyno_chart_groups_show (groups, DYNO_CHART_MEMORY));
  DynoChart *operators = dyno_chart_view_get_chart (dyno_chart_groups_show (groups, DYNO_CHART_OPERATORS));
  DynoChart *latency = dyno_chart_view_get_chart (dyno_chart_groups_show (groups, DYNO_CHART_LATENCY));
  double from, to;

  g_assert_false (gtk_widget_get_visible (label));
  g_assert_true (dyno_chart_extend_selection (latency, 3));
  g_assert_true (dyno_chart_get_selection (memory, &from, &to));
  g_assert_true (gtk_widget_get_visible (label));
  g_assert_nonnull (strstr (dyno_chart_get_note (operators), gtk_label_get_label (GTK_LABEL (label))));
  dyno_chart_unselect (memory);
  g_assert_false (dyno_chart_get_selection (latency, &from, &to));
  g_assert_false (gtk_widget_get_visible (label));
  dyno_chart_extend_selection (latency, 3);
  dyno_case_view_set_result (self->view, self->run, self->result);
  g_assert_false (gtk_widget_get_visible (label));
}

/* A click on an operator scrolls to the row of its type. */
static void
test_operator (Fixture *self, gconstpointer data)
{
  DynoOperator *op = g_ptr_array_index (dyno_result_get_operators (self->result), 1);
  DynoChartGroups *groups = get_groups (self);
  DynoChartView *view;
  GtkWidget *columns;
  GtkSelectionModel *rows;
  g_autoptr (GtkStringList) row = NULL;

  g_signal_emit_by_name (groups, "activated", op);
  view = dyno_chart_groups_show (groups, DYNO_CHART_OPERATORS);
  g_assert_true (dyno_chart_view_get_show_table (view));
  columns =
      page_fixture_find (page_fixture_find (GTK_WIDGET (view), DYNO_TYPE_DATA_TABLE), GTK_TYPE_COLUMN_VIEW);
  rows = gtk_column_view_get_model (GTK_COLUMN_VIEW (columns));
  row = g_object_ref (gtk_single_selection_get_selected_item (GTK_SINGLE_SELECTION (rows)));
  g_assert_cmpstr (gtk_string_list_get_string (row, 0), ==, dyno_operator_get_op_type (op));
}

static void
count_cb (guint *n_activated)
{
  *n_activated += 1;
}

/* A point of the roofline leads to its case, by keyboard too. */
static void
test_roofline (Fixture *self, gconstpointer data)
{
  g_autoptr (GPtrArray) runs = g_ptr_array_new ();
  g_autoptr (DynoChart) chart = NULL;
  GtkWidget *view, *canvas;
  guint n_activated = 0;

  dyno_result_add_measured (self->result, "flops", 1e7, "FLOP", "made up");
  dyno_result_add_measured (self->result, "arithmetic_intensity_flops_per_byte", 10, "FLOP/B", "made up");
  g_ptr_array_add (runs, self->run);
  chart = dyno_chart_new (DYNO_CHART_ROOFLINE, runs);
  g_assert_null (dyno_chart_get_empty_message (chart));
  view = dyno_chart_view_new (chart);
  g_signal_connect_swapped (view, "activated", G_CALLBACK (count_cb), &n_activated);
  gtk_window_set_child (GTK_WINDOW (self->window), view);
  window_fixture_wait_frames (self->window);
  canvas = page_fixture_find (view, DYNO_TYPE_CHART_CANVAS);
  window_fixture_press (canvas, GDK_KEY_Return, 0);
  g_assert_cmpuint (n_activated, ==, 0);
  g_assert_true (window_fixture_press (canvas, GDK_KEY_Home, 0));
  g_assert_true (window_fixture_press (canvas, GDK_KEY_Return, 0));
  g_assert_cmpuint (n_activated, ==, 1);
}

static gboolean
is_offered (gpointer row)
{
  return gtk_widget_get_visible (row);
}

static void
show_plan_cb (GSimpleAction *action, GVariant *json, gpointer plan)
{
  *(DynoPlan **)plan = dyno_plan_new_from_json (g_variant_get_string (json, NULL), NULL);
}

/* A case that does not fit a card names the other one, and a click opens a plan for it; a measured case names nothing. */
static void
test_instead (Fixture *self, gconstpointer data)
{
  g_autoptr (DynoCase) kase = g_object_new (DYNO_TYPE_CASE, "model", "bert-tiny", "backend", "fake", "device",
                                            "small", "sequence-length", 16, "batch-size", 2, NULL);
  g_autoptr (DynoResult) skipped = dyno_result_new (kase, 0);
  g_autoptr (GSimpleActionGroup) group = g_simple_action_group_new ();
  g_autoptr (GSimpleAction) action = g_simple_action_new ("show-plan", G_VARIANT_TYPE_STRING);
  GtkWidget *row = page_fixture_find_named (GTK_WIDGET (self->view), "instead_row");
  GtkWidget *button = page_fixture_find_named (GTK_WIDGET (self->view), "instead_button");
  g_autoptr (DynoPlan) plan = NULL;

  g_assert_false (gtk_widget_get_visible (row));
  g_action_map_add_action (G_ACTION_MAP (group), G_ACTION (action));
  g_signal_connect (action, "activate", G_CALLBACK (show_plan_cb), &plan);
  gtk_widget_insert_action_group (self->window, "win", G_ACTION_GROUP (group));
  dyno_result_set_status (skipped, DYNO_STATUS_SKIPPED, "The card is too small.");
  dyno_case_view_set_result (self->view, self->run, skipped);
  page_fixture_wait (is_offered, row);
  g_assert_true (g_str_has_prefix (gtk_button_get_label (GTK_BUTTON (button)), "Run on fake"));
  page_fixture_press (GTK_WIDGET (self->view), gtk_button_get_label (GTK_BUTTON (button)));
  g_assert_nonnull (plan);
  g_assert_cmpstrv (dyno_plan_get_backends (plan), ((const char *[]){ "fake:0000:65:00.0", NULL }));
  g_assert_cmpstrv (dyno_plan_get_batch_sizes (plan), ((const char *[]){ "2", NULL }));
  dyno_case_view_set_result (self->view, self->run, self->result);
  g_assert_false (gtk_widget_get_visible (row));
}

static void
add_tests (void)
{
#define ADD(path, function) g_test_add (path, Fixture, NULL, set_up, function, tear_down)
  ADD ("/case-view/head", test_head);
  ADD ("/case-view/records", test_records);
  ADD ("/case-view/device", test_device);
  ADD ("/case-view/modules", test_modules);
  ADD ("/case-view/kernels", test_kernels);
  ADD ("/case-view/selection", test_selection);
  ADD ("/case-view/missing", test_missing);
  ADD ("/case-view/again", test_again);
  ADD ("/case-view/groups", test_groups);
  ADD ("/case-view/operator", test_operator);
  ADD ("/case-view/roofline", test_roofline);
  ADD ("/case-view/instead", test_instead);
}

static int
run_suite (int argc, char *argv[])
{
  g_autofree char *script =
      g_build_filename (g_getenv ("G_TEST_SRCDIR"), "backends", "fixtures", "two-cards.json", NULL);

  /* Before the backends are listed. */
  g_setenv ("DYNO_FAKE_BACKEND", script, TRUE);
  return window_fixture_run_suite (argc, argv, add_tests);
}

SUITE (run_suite)
