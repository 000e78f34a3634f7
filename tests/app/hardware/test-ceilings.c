/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-app-hardware-private.h"
#include "dyno-app-session-private.h"
#include "dyno-app-shell-private.h"
#include "dyno-json.h"
#include "dyno-machine.h"
#include "suite.h"
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
save (GPtrArray *ceilings)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoMachine) machine = dyno_machine_snapshot (&error);
  g_autoptr (JsonNode) node = dyno_machine_to_json (machine);
  g_autofree char *snapshot = dyno_json_text_write (node, FALSE);

  dyno_store_save_ceilings (window_fixture_get_store (), snapshot, ceilings, &error);
  g_assert_no_error (error);
}

static void
save_ceilings (void)
{
  g_autoptr (GPtrArray) ceilings = g_ptr_array_new_with_free_func (g_object_unref);

  g_ptr_array_add (ceilings, create_ceiling ("fp32-avx2", DYNO_CEILING_COMPUTE, 1, 0.01));
  g_ptr_array_add (ceilings, create_ceiling ("l1-nt-write", DYNO_CEILING_BANDWIDTH, 1, 0.01));
  g_ptr_array_add (ceilings, create_ceiling ("fp32-avx2", DYNO_CEILING_COMPUTE, 2, 0.2));
  save (ceilings);
}

/* As the command line measures them: of a device, and of a placement. */
static void
save_others (void)
{
  g_autoptr (GPtrArray) ceilings = g_ptr_array_new_with_free_func (g_object_unref);
  const gint64 date = G_GINT64_CONSTANT (1700000000000000);

  g_ptr_array_add (ceilings, g_object_new (DYNO_TYPE_CEILING, "id", "fp16-gemm", "kind", DYNO_CEILING_COMPUTE,
                                           "device", "gone:card", "precision", "fp16", "value", 1e12, "best",
                                           1e12, "unit", "FLOP/s", "measured-at", date, NULL));
  g_ptr_array_add (ceilings,
                   g_object_new (DYNO_TYPE_CEILING, "id", "device-copy", "kind", DYNO_CEILING_BANDWIDTH,
                                 "device", "gone:card", "level", "device", "mix", "copy", "value", 1e11,
                                 "best", 1e11, "unit", "B/s", "measured-at", date, NULL));
  g_ptr_array_add (ceilings,
                   g_object_new (DYNO_TYPE_CEILING, "id", "fp64-sse", "kind", DYNO_CEILING_COMPUTE, "threads",
                                 1u, "pinning", "compact", "precision", "fp64", "instruction-set", "SSE",
                                 "value", 1e9, "best", 1e9, "unit", "FLOP/s", "measured-at", date, NULL));
  save (ceilings);
}

static DynoCeilingsModel *
create_model (void)
{
  DynoCeilingsModel *model = dyno_ceilings_model_new ();

  dyno_ceilings_model_set_store (model, window_fixture_get_store ());
  return model;
}

static DynoCeilingsView *
create_view (DynoCeilingsModel *model)
{
  return g_object_ref_sink (g_object_new (DYNO_TYPE_CEILINGS_VIEW, "model", model, NULL));
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

static guint
count_rows (DynoCeilingsView *view, const char *list)
{
  GtkWidget *list_box = page_fixture_find_named (GTK_WIDGET (view), list);
  guint n_rows = 0;

  while (gtk_list_box_get_row_at_index (GTK_LIST_BOX (list_box), (int)n_rows) != NULL)
    n_rows++;
  return n_rows;
}

static void
assert_row (DynoCeilingsView *view, const char *list, const char *title)
{
  g_assert_cmpuint (count_rows (view, list), ==, 1);
  g_assert_cmpstr (adw_preferences_row_get_title (ADW_PREFERENCES_ROW (get_row (view, list))), ==, title);
}

static AdwComboRow *
get_subjects (DynoCeilingsView *view)
{
  return ADW_COMBO_ROW (page_fixture_find_named (GTK_WIDGET (view), "subject_row"));
}

static gboolean
choose (DynoCeilingsView *view, const char *name)
{
  GListModel *subjects = adw_combo_row_get_model (get_subjects (view));

  for (guint i = 0; i < g_list_model_get_n_items (subjects); i++)
    {
      g_autoptr (DynoCeilingsSubject) subject = g_list_model_get_item (subjects, i);

      if (strcmp (dyno_ceilings_subject_get_name (subject), name) != 0)
        continue;
      adw_combo_row_set_selected (get_subjects (view), i);
      return TRUE;
    }
  return FALSE;
}

static gboolean
is_shown (DynoCeilingsView *view, const char *name)
{
  return gtk_widget_get_visible (page_fixture_find_named (GTK_WIDGET (view), name));
}

static gboolean
has_ceilings (gpointer model)
{
  return g_list_model_get_n_items (dyno_ceilings_model_get_ceilings (model)) > 0;
}

static gboolean
is_idle (gpointer model)
{
  return !dyno_ceilings_model_get_measuring (model);
}

static gboolean
has_begun (gpointer model)
{
  return dyno_ceilings_model_get_step (model) != NULL;
}

/* Nothing is measured yet, a measurement is cancelled, and there is still nothing. */
static void
test_cancel (void)
{
  g_autoptr (DynoCeilingsModel) model = dyno_ceilings_model_new ();
  DynoCeilingsView *view = create_view (model);

  g_assert_cmpstr (get_page (view), ==, "empty");
  gtk_widget_activate_action (GTK_WIDGET (view), "ceilings.measure", NULL);
  g_assert_true (dyno_ceilings_model_get_measuring (model));
  g_assert_cmpstr (get_page (view), ==, "measuring");
  page_fixture_wait (has_begun, model);
  g_assert_cmpstr (
      gtk_label_get_label (GTK_LABEL (page_fixture_find_named (GTK_WIDGET (view), "step_label"))), ==,
      dyno_ceilings_model_get_step (model));
  gtk_widget_activate_action (GTK_WIDGET (view), "ceilings.cancel", NULL);
  page_fixture_wait (is_idle, model);
  g_assert_cmpstr (get_page (view), ==, "empty");
  g_assert_finalize_object (view);
}

static void
test_stored (void)
{
  g_autoptr (DynoCeilingsModel) model = dyno_ceilings_model_new ();
  DynoCeilingsView *view = create_view (model);
  GtkWidget *drop_down = page_fixture_find_named (GTK_WIDGET (view), "threads_drop_down");
  AdwExpanderRow *row;

  save_ceilings ();
  dyno_ceilings_model_set_store (model, window_fixture_get_store ());
  page_fixture_wait (has_ceilings, model);
  g_assert_cmpstr (get_page (view), ==, "content");

  /* All threads come first, and one of them was disturbed. */
  g_assert_cmpuint (gtk_drop_down_get_selected (GTK_DROP_DOWN (drop_down)), ==, 1);
  row = get_row (view, "compute_list");
  g_assert_cmpstr (adw_preferences_row_get_title (ADW_PREFERENCES_ROW (row)), ==, "fp32 · AVX2");
  g_assert_cmpstr (adw_expander_row_get_subtitle (row), ==, "± 10.0 % · 50.0 % of 100 GFLOP/s (theoretical)");
  g_assert_false (gtk_widget_get_visible (page_fixture_find_named (GTK_WIDGET (view), "bandwidth_group")));
  g_assert_true (gtk_widget_get_visible (page_fixture_find_named (GTK_WIDGET (view), "disturbed_label")));

  gtk_drop_down_set_selected (GTK_DROP_DOWN (drop_down), 0);
  g_assert_false (gtk_widget_get_visible (page_fixture_find_named (GTK_WIDGET (view), "disturbed_label")));
  row = get_row (view, "bandwidth_list");
  g_assert_cmpstr (adw_preferences_row_get_title (ADW_PREFERENCES_ROW (row)), ==, "L1 · non-temporal write");
  g_assert_false (is_shown (view, "roofline"));
  g_assert_finalize_object (view);
}

/* Ceilings of different devices are not mixed, and each names its device. */
static void
test_subjects (void)
{
  g_autoptr (DynoCeilingsModel) model = NULL;
  DynoCeilingsView *view;
  const char *remedy;

  save_ceilings ();
  save_others ();
  model = create_model ();
  view = create_view (model);
  page_fixture_wait (has_ceilings, model);
  gtk_drop_down_set_selected (
      GTK_DROP_DOWN (page_fixture_find_named (GTK_WIDGET (view), "threads_drop_down")), 0);
  assert_row (view, "compute_list", "fp32 · AVX2");
  assert_row (view, "bandwidth_list", "L1 · non-temporal write");
  g_assert_true (is_shown (view, "measure_button"));

  g_assert_true (choose (view, "gone:card"));
  assert_row (view, "compute_list", "fp16");
  assert_row (view, "bandwidth_list", "device memory · copy");
  g_assert_true (is_shown (view, "roofline"));
  g_assert_false (is_shown (view, "threads_drop_down"));
  g_assert_false (is_shown (view, "measure_button"));
  g_assert_true (is_shown (view, "remedy_label"));

  g_assert_true (choose (view, "CPU, compact pinning"));
  assert_row (view, "compute_list", "fp64 · SSE");
  g_assert_true (is_shown (view, "threads_drop_down"));
  remedy = gtk_label_get_label (GTK_LABEL (page_fixture_find_named (GTK_WIDGET (view), "remedy_label")));
  g_assert_nonnull (strstr (remedy, "--pinning compact"));
  g_assert_false (is_shown (view, "measure_button"));
  g_assert_finalize_object (view);
}

typedef struct
{
  DynoCeilingsView *view;
  const char *name;
} Choice;

static gboolean
can_choose (gpointer data)
{
  Choice *choice = data;

  return choose (choice->view, choice->name);
}

static guint
count_of_device (DynoCeilingsModel *model, const char *device)
{
  GListModel *ceilings = dyno_ceilings_model_get_ceilings (model);
  guint n_ceilings = 0;

  for (guint i = 0; i < g_list_model_get_n_items (ceilings); i++)
    {
      g_autoptr (DynoCeiling) ceiling = g_list_model_get_item (ceilings, i);

      n_ceilings += strcmp (dyno_ceiling_get_device (ceiling), device) == 0;
    }
  return n_ceilings;
}

/* A device of a backend is measured in a separate process, and earlier ceilings stay. */
static void
test_device (void)
{
  g_autoptr (DynoCeilingsModel) model = NULL;
  g_autoptr (DynoCeilingsModel) other = NULL;
  GtkWidget *window = adw_window_new ();
  DynoCeilingsView *view;
  Choice choice;

  save_ceilings ();
  save_others ();
  model = create_model ();
  page_fixture_wait (has_ceilings, model);
  view = create_view (model);
  adw_window_set_content (ADW_WINDOW (window), GTK_WIDGET (view));
  gtk_window_present (GTK_WINDOW (window));
  choice = (Choice){ view, "Fake · Card" };
  page_fixture_wait (can_choose, &choice);
  g_assert_cmpstr (get_page (view), ==, "empty");

  gtk_widget_activate_action (GTK_WIDGET (view), "ceilings.measure", NULL);
  g_assert_cmpstr (dyno_ceilings_model_get_device (model), ==, "fake:card");
  g_assert_cmpstr (get_page (view), ==, "measuring");
  g_assert_true (is_shown (view, "spinner"));
  g_assert_false (is_shown (view, "progress_bar"));
  gtk_widget_activate_action (GTK_WIDGET (view), "ceilings.cancel", NULL);
  page_fixture_wait (is_idle, model);
  g_assert_cmpstr (get_page (view), ==, "empty");

  dyno_ceilings_model_measure_device (model, "fake:card", 0.5);
  page_fixture_wait (is_idle, model);
  g_assert_cmpstr (get_page (view), ==, "content");
  assert_row (view, "bandwidth_list", "device memory · copy");
  g_assert_true (is_shown (view, "measure_button"));
  g_assert_cmpuint (count_of_device (model, "fake:card"), >=, 2);
  g_assert_cmpuint (count_of_device (model, "cpu"), ==, 4);
  g_assert_cmpuint (count_of_device (model, "gone:card"), ==, 2);

  other = create_model ();
  page_fixture_wait (has_ceilings, other);
  g_assert_cmpuint (g_list_model_get_n_items (dyno_ceilings_model_get_ceilings (other)), ==,
                    g_list_model_get_n_items (dyno_ceilings_model_get_ceilings (model)));
  gtk_window_destroy (GTK_WINDOW (window));
  g_assert_finalize_object (view);
}

#define BEYOND 1e29

static double
find_product (DynoCeilingsModel *model)
{
  GListModel *ceilings = dyno_ceilings_model_get_ceilings (model);

  for (guint i = 0; i < g_list_model_get_n_items (ceilings); i++)
    {
      g_autoptr (DynoCeiling) ceiling = g_list_model_get_item (ceilings, i);

      if (strcmp (dyno_ceiling_get_device (ceiling), "fake:card") == 0 &&
          strcmp (dyno_ceiling_get_id (ceiling), "fp32-gemm") == 0)
        return dyno_ceiling_get_value (ceiling);
    }
  return 0;
}

/* A better measurement stays until it is forgotten. */
static void
test_forget (void)
{
  g_autoptr (GPtrArray) ceilings = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (DynoCeilingsModel) model = NULL;
  DynoCeilingsView *view;

  g_ptr_array_add (ceilings,
                   g_object_new (DYNO_TYPE_CEILING, "id", "fp32-gemm", "device", "fake:card", "precision",
                                 "fp32", "value", BEYOND, "best", BEYOND, "unit", "FLOP/s", "measured-at",
                                 G_GINT64_CONSTANT (1700000000000000), NULL));
  save (ceilings);
  model = create_model ();
  page_fixture_wait (has_ceilings, model);
  dyno_ceilings_model_measure_device (model, "fake:card", 0.5);
  page_fixture_wait (is_idle, model);
  g_assert_cmpfloat (find_product (model), ==, BEYOND);
  dyno_ceilings_model_measure_device (model, "fake:card", 0.5);
  dyno_ceilings_model_forget (model);
  page_fixture_wait (is_idle, model);
  g_assert_cmpfloat (find_product (model), >, 0);
  g_assert_cmpfloat (find_product (model), <, BEYOND);

  view = create_view (model);
  gtk_widget_activate_action (GTK_WIDGET (view), "ceilings.forget", NULL);
  g_assert_cmpstr (get_page (view), ==, "measuring");
  gtk_widget_activate_action (GTK_WIDGET (view), "ceilings.cancel", NULL);
  page_fixture_wait (is_idle, model);
  g_assert_finalize_object (view);
}

static void
failed_cb (DynoCeilingsModel *model, const GError *error, gpointer message)
{
  *(char **)message = g_strdup (error->message);
}

/* A failure is reported in words, and earlier ceilings stay. */
static void
test_device_fails (void)
{
  g_autoptr (DynoCeilingsModel) model = NULL;
  g_autofree char *message = NULL;

  save_ceilings ();
  model = create_model ();
  page_fixture_wait (has_ceilings, model);
  g_signal_connect (model, "failed", G_CALLBACK (failed_cb), &message);
  dyno_ceilings_model_measure_device (model, "fake:nosuch", 0.5);
  page_fixture_wait (is_idle, model);
  g_assert_nonnull (strstr (message, "nosuch"));
  g_assert_true (has_ceilings (model));
}

/* How it was measured is shown on request. */
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
  DynoCeilingsModel *model = dyno_app_session_get_ceilings (dyno_application_get_session (application));
  g_autoptr (DynoPlan) plan = dyno_plan_new ();
  g_autoptr (GError) error = NULL;

  dyno_ceilings_model_measure (model, DYNO_CEILINGS_SECONDS);
  g_assert_false (dyno_app_session_start_run (dyno_application_get_session (application), plan, &error));
  g_assert_nonnull (strstr (error->message, "roofs"));
  dyno_ceilings_model_cancel (model);
  page_fixture_wait (is_idle, model);
}

/* Must be set before backends are listed, which happens once. */
static void
play_card (const char *folder)
{
  g_autofree char *script = g_build_filename (folder, "card.json", NULL);

  g_assert_true (
      g_file_set_contents (script, "{\"devices\": [{\"id\": \"card\", \"name\": \"Card\"}]}", -1, NULL));
  g_setenv ("DYNO_FAKE_BACKEND", script, TRUE);
}

/* Every other process takes a quarter longer. */
static void
keep_self_test (const char *id)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoMachine) machine = dyno_machine_snapshot (&error);
  g_autoptr (JsonNode) node = dyno_machine_to_json (machine);
  g_autofree char *snapshot = dyno_json_text_write (node, FALSE);
  g_autoptr (DynoCase) kase = dyno_case_new ("small", "cpu");
  g_autoptr (DynoResult) result = dyno_result_new (kase, 0);
  g_autoptr (DynoRun) run = dyno_run_new (id);
  DynoResultSink *sink = DYNO_RESULT_SINK (window_fixture_get_store ());

  dyno_result_set_status (result, DYNO_STATUS_OK, NULL);
  for (guint i = 0; i < DYNO_SELF_TEST_MIN_PROCESSES; i++)
    {
      DynoInvocation *process = dyno_invocation_new (i, NULL);

      g_ptr_array_add (process->values, dyno_value_new ("latency_p50_ms", i % 2 == 0 ? 4 : 5, "ms",
                                                        DYNO_QUALITY_MEASURED, "clock"));
      dyno_result_take_invocation (result, process);
    }
  g_object_set (run, "started-at", (gint64)1, "source", DYNO_SELF_TEST_SOURCE, "machine", snapshot, NULL);
  dyno_run_add_result (run, result);
  g_assert_true (dyno_result_sink_begin_run (sink, run, &error));
  g_assert_true (dyno_result_sink_add_result (sink, run, result, &error));
  g_assert_true (dyno_result_sink_end_run (sink, run, &error));
  g_assert_no_error (error);
}

static gboolean
has_floor (gpointer row)
{
  return g_str_has_prefix (adw_action_row_get_subtitle (row), "25 %");
}

static gboolean
has_no_floor (gpointer row)
{
  return g_str_equal (adw_action_row_get_subtitle (row), "Not measured yet");
}

/* The row of the noise floor follows the self-tests in the store. */
static void
test_noise_floor (void)
{
  GtkWidget *window = adw_window_new ();
  GtkWidget *list = gtk_list_box_new ();
  GtkWidget *row = g_object_new (DYNO_TYPE_NOISE_FLOOR_ROW, NULL);
  g_autoptr (GError) error = NULL;

  dyno_noise_floor_row_set_session (DYNO_NOISE_FLOOR_ROW (row), window_fixture_get_session ());
  gtk_list_box_append (GTK_LIST_BOX (list), row);
  adw_window_set_content (ADW_WINDOW (window), list);
  gtk_window_present (GTK_WINDOW (window));
  page_fixture_wait (has_no_floor, row);
  keep_self_test ("self-test");
  page_fixture_wait (has_floor, row);
  g_assert_true (dyno_store_delete_run (window_fixture_get_store (), "self-test", &error));
  g_assert_no_error (error);
  page_fixture_wait (has_no_floor, row);
  gtk_window_destroy (GTK_WINDOW (window));
}

static int
run_suite (int argc, char *argv[])
{
  gtk_test_init (&argc, &argv, NULL);
  play_card (window_fixture_init ());
  window_fixture_get_application ();

  g_test_add_func ("/ceilings/cancel", test_cancel);
  g_test_add_func ("/ceilings/stored", test_stored);
  g_test_add_func ("/ceilings/details", test_details);
  g_test_add_func ("/ceilings/subjects", test_subjects);
  g_test_add_func ("/ceilings/device", test_device);
  g_test_add_func ("/ceilings/forget", test_forget);
  g_test_add_func ("/ceilings/device-fails", test_device_fails);
  g_test_add_func ("/ceilings/not-while-measuring", test_not_while_measuring);
  g_test_add_func ("/ceilings/noise-floor", test_noise_floor);
  return window_fixture_run ();
}

SUITE (run_suite)
