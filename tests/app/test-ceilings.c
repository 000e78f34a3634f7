/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-ceiling-row.h"
#include "dyno-ceilings-view.h"
#include "dyno-machine.h"
#include "window-fixture.h"

static DynoCeiling *
create_ceiling (const char *id, DynoCeilingKind kind, guint n_threads, double spread)
{
  gboolean compute = kind == DYNO_CEILING_COMPUTE;

  return g_object_new (DYNO_TYPE_CEILING, "id", id, "kind", kind, "device", "cpu", "threads", n_threads,
                       "precision", compute ? "fp32" : NULL, "level", compute ? NULL : "L1", "mix",
                       kind == DYNO_CEILING_BANDWIDTH ? "nt-write" : NULL, "instruction-set", "AVX2", "value",
                       5e10, "best", 6e10, "spread", spread, "unit", compute ? "FLOP/s" : "B/s", "clock", 3e9,
                       "theoretical", compute ? 1e11 : 0, "derivation", "Two at once.", "method", "A loop.",
                       "measured-at", G_GINT64_CONSTANT (1700000000000000), NULL);
}

static void
save_ceilings (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoMachine) machine = dyno_machine_snapshot (&error);
  g_autoptr (JsonNode) node = dyno_machine_to_json (machine);
  g_autofree char *snapshot = json_to_string (node, FALSE);
  g_autoptr (GPtrArray) ceilings = g_ptr_array_new_with_free_func (g_object_unref);

  g_ptr_array_add (ceilings, create_ceiling ("fp32-avx2", DYNO_CEILING_COMPUTE, 1, 0.01));
  g_ptr_array_add (ceilings, create_ceiling ("l1-nt-write", DYNO_CEILING_BANDWIDTH, 1, 0.01));
  g_ptr_array_add (ceilings, create_ceiling ("fp32-avx2", DYNO_CEILING_COMPUTE, 2, 0.2));
  dyno_store_save_ceilings (window_fixture_get_store (), snapshot, ceilings, &error);
  g_assert_no_error (error);
}

static DynoCeilingsView *
create_view (DynoCeilingsKeeper *keeper)
{
  return g_object_ref_sink (g_object_new (DYNO_TYPE_CEILINGS_VIEW, "keeper", keeper, NULL));
}

static const char *
get_page (DynoCeilingsView *view)
{
  return gtk_stack_get_visible_child_name (GTK_STACK (page_fixture_find (GTK_WIDGET (view), GTK_TYPE_STACK)));
}

static AdwExpanderRow *
get_row (DynoCeilingsView *view, const char *list)
{
  GtkWidget *list_box = page_fixture_find_named (GTK_WIDGET (view), list);

  return ADW_EXPANDER_ROW (gtk_list_box_get_row_at_index (GTK_LIST_BOX (list_box), 0));
}

static gboolean
has_ceilings (gpointer keeper)
{
  return g_list_model_get_n_items (dyno_ceilings_keeper_get_ceilings (keeper)) > 0;
}

static gboolean
is_idle (gpointer keeper)
{
  return !dyno_ceilings_keeper_get_measuring (keeper);
}

static gboolean
has_begun (gpointer keeper)
{
  return dyno_ceilings_keeper_get_step (keeper) != NULL;
}

/* Nothing measured yet, a measurement that is called off, and still nothing. */
static void
test_cancel (void)
{
  g_autoptr (DynoCeilingsKeeper) keeper = dyno_ceilings_keeper_new ();
  DynoCeilingsView *view = create_view (keeper);

  g_assert_cmpstr (get_page (view), ==, "empty");
  gtk_widget_activate_action (GTK_WIDGET (view), "ceilings.measure", NULL);
  g_assert_true (dyno_ceilings_keeper_get_measuring (keeper));
  g_assert_cmpstr (get_page (view), ==, "measuring");
  page_fixture_wait (has_begun, keeper);
  g_assert_cmpstr (
      gtk_label_get_label (GTK_LABEL (page_fixture_find_named (GTK_WIDGET (view), "step_label"))), ==,
      dyno_ceilings_keeper_get_step (keeper));
  gtk_widget_activate_action (GTK_WIDGET (view), "ceilings.cancel", NULL);
  page_fixture_wait (is_idle, keeper);
  g_assert_cmpstr (get_page (view), ==, "empty");
  g_assert_finalize_object (view);
}

static void
test_stored (void)
{
  g_autoptr (DynoCeilingsKeeper) keeper = dyno_ceilings_keeper_new ();
  DynoCeilingsView *view = create_view (keeper);
  GtkWidget *drop_down = page_fixture_find_named (GTK_WIDGET (view), "threads_drop_down");
  AdwExpanderRow *row;

  save_ceilings ();
  dyno_ceilings_keeper_set_store (keeper, window_fixture_get_store ());
  page_fixture_wait (has_ceilings, keeper);
  g_assert_cmpstr (get_page (view), ==, "content");

  /* All threads come first, and one of them was disturbed. */
  g_assert_cmpuint (gtk_drop_down_get_selected (GTK_DROP_DOWN (drop_down)), ==, 1);
  row = get_row (view, "compute_list");
  g_assert_cmpstr (adw_preferences_row_get_title (ADW_PREFERENCES_ROW (row)), ==, "fp32 · AVX2");
  g_assert_cmpstr (adw_expander_row_get_subtitle (row), ==,
                   "± 10.0 % · 100 GFLOP/s in theory, 50.0 % reached");
  g_assert_false (gtk_widget_get_visible (page_fixture_find_named (GTK_WIDGET (view), "bandwidth_group")));
  g_assert_true (gtk_widget_get_visible (page_fixture_find_named (GTK_WIDGET (view), "disturbed_label")));

  gtk_drop_down_set_selected (GTK_DROP_DOWN (drop_down), 0);
  g_assert_false (gtk_widget_get_visible (page_fixture_find_named (GTK_WIDGET (view), "disturbed_label")));
  row = get_row (view, "bandwidth_list");
  g_assert_cmpstr (adw_preferences_row_get_title (ADW_PREFERENCES_ROW (row)), ==,
                   "L1 · write past the caches");
  g_assert_finalize_object (view);
}

/* How it was measured is there once somebody asks. */
static void
test_details (void)
{
  g_autoptr (DynoCeiling) ceiling = create_ceiling ("fp32-avx2", DYNO_CEILING_COMPUTE, 1, 0.01);
  GtkWidget *row = g_object_ref_sink (dyno_ceiling_row_new (ceiling));
  GtkWidget *details = page_fixture_find (row, GTK_TYPE_REVEALER);

  g_assert_null (page_fixture_find (details, ADW_TYPE_ACTION_ROW));
  adw_expander_row_set_expanded (ADW_EXPANDER_ROW (row), TRUE);
  details = page_fixture_find (details, ADW_TYPE_ACTION_ROW);
  g_assert_cmpstr (adw_action_row_get_subtitle (ADW_ACTION_ROW (details)), ==, "A loop.");
  g_assert_finalize_object (row);
}

/* Two at once would disturb each other. */
static void
test_not_while_measuring (void)
{
  DynoApplication *application = window_fixture_get_application ();
  DynoCeilingsKeeper *keeper = dyno_application_get_ceilings (application);
  g_autoptr (DynoPlan) plan = dyno_plan_new ();
  g_autoptr (GError) error = NULL;

  dyno_ceilings_keeper_measure (keeper, DYNO_CEILINGS_SECONDS);
  g_assert_false (dyno_application_start_run (application, plan, &error));
  g_assert_nonnull (strstr (error->message, "ceilings"));
  dyno_ceilings_keeper_cancel (keeper);
  page_fixture_wait (is_idle, keeper);
}

int
main (int argc, char *argv[])
{
  int status;

  gtk_test_init (&argc, &argv, NULL);
  window_fixture_init ();
  window_fixture_get_application ();

  g_test_add_func ("/ceilings/cancel", test_cancel);
  g_test_add_func ("/ceilings/stored", test_stored);
  g_test_add_func ("/ceilings/details", test_details);
  g_test_add_func ("/ceilings/not-while-measuring", test_not_while_measuring);
  status = g_test_run ();
  window_fixture_finish ();
  return status;
}
