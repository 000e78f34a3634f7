/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <adwaita.h>
#include <glib/gstdio.h>
#include <string.h>

#include "dyno-app-engines-private.h"
#include "dyno-app-hardware-private.h"
#include "dyno-app-session-private.h"
#include "dyno-compatibility.h"
#include "dyno-machine.h"
#include "dyno-model-library.h"
#include "dyno-ort.h"
#include "dyno-paths.h"
#include "engines.h"
#include "page-fixture.h"
#include "suite.h"

static gboolean
is_loaded (gpointer data)
{
  return !dyno_hardware_page_get_loading (data);
}

static gboolean
is_probed (gpointer data)
{
  return !dyno_backend_row_get_probing (data);
}

static GtkWidget *
present_page (void)
{
  g_autoptr (DynoAppSession) session = dyno_app_session_new ();
  GtkWidget *window = adw_window_new ();
  GtkWidget *page = g_object_new (DYNO_TYPE_HARDWARE_PAGE, "session", session, NULL);

  gtk_window_set_default_size (GTK_WINDOW (window), 360, 600);
  adw_window_set_content (ADW_WINDOW (window), page);
  gtk_window_present (GTK_WINDOW (window));
  page_fixture_wait (is_loaded, page);
  return page;
}

static AdwActionRow *
get_row (GtkWidget *page, const char *list, int index)
{
  GtkWidget *list_box = page_fixture_find_named (page, list);

  return ADW_ACTION_ROW (gtk_list_box_get_row_at_index (GTK_LIST_BOX (list_box), index));
}

/* The order of the rows follows what was found last, which other tests change. */
static GtkWidget *
find_cpu_row (GtkWidget *widget)
{
  GtkWidget *found = NULL;

  if (DYNO_IS_BACKEND_ROW (widget))
    return g_str_equal (dyno_backend_get_id (dyno_backend_row_get_backend (DYNO_BACKEND_ROW (widget))), "cpu")
               ? widget
               : NULL;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = find_cpu_row (child);
  return found;
}

static gboolean
has_cpu_row (gpointer group)
{
  return find_cpu_row (group) != NULL;
}

/* The rows are created when they are first shown. */
static AdwExpanderRow *
get_backend_row (GtkWidget *page)
{
  GtkWidget *group = page_fixture_find_named (page, "backend_group");

  gtk_stack_set_visible_child_name (GTK_STACK (page_fixture_find_named (page, "section_stack")), "backends");
  page_fixture_wait (has_cpu_row, group);
  return ADW_EXPANDER_ROW (find_cpu_row (group));
}

static void
test_machine (void)
{
  GtkWidget *page = present_page ();
  GtkWidget *facts = page_fixture_find_named (page, "facts_list");
  GtkWidget *row = page_fixture_find (facts, ADW_TYPE_ACTION_ROW);
  GtkWidget *view = page_fixture_find (page, DYNO_TYPE_TOPOLOGY_VIEW);
  GtkWidget *label = page_fixture_find_named (page, "topology_label");
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoMachine) machine = dyno_machine_snapshot (&error);

  g_assert_no_error (error);
  g_assert_cmpstr (gtk_stack_get_visible_child_name (GTK_STACK (page_fixture_find (page, GTK_TYPE_STACK))),
                   ==, "content");
  g_assert_cmpstr (adw_preferences_row_get_title (ADW_PREFERENCES_ROW (row)), ==, "CPU");
  if (dyno_machine_get_cpu_name (machine) != NULL)
    g_assert_nonnull (
        strstr (adw_action_row_get_subtitle (ADW_ACTION_ROW (row)), dyno_machine_get_cpu_name (machine)));
  g_assert_nonnull (dyno_topology_view_get_node (DYNO_TOPOLOGY_VIEW (view)));
  gtk_test_accessible_assert_property (view, GTK_ACCESSIBLE_PROPERTY_LABEL,
                                       gtk_label_get_label (GTK_LABEL (label)));
  gtk_test_accessible_assert_role (view, GTK_ACCESSIBLE_ROLE_IMG);
  g_assert_nonnull (get_row (page, "findings_list", 0));
  page_fixture_close (page);
}

static void
test_backends (void)
{
  GtkWidget *page = present_page ();
  AdwExpanderRow *row = get_backend_row (page);
  DynoProbe *probe;
  const char *subtitle;

  page_fixture_wait (is_probed, row);
  probe = dyno_backend_row_get_probe (DYNO_BACKEND_ROW (row));
  subtitle = adw_expander_row_get_subtitle (row);
  if (dyno_probe_get_state (probe) == DYNO_PROBE_AVAILABLE)
    g_assert_nonnull (strstr (subtitle, dyno_probe_get_runtime (probe)));
  else
    g_assert_nonnull (strstr (subtitle, dyno_probe_get_reason (probe)));
  g_assert_cmpint (dyno_backend_row_get_available (DYNO_BACKEND_ROW (row)), ==,
                   dyno_probe_get_state (probe) == DYNO_PROBE_AVAILABLE);
  g_assert_true (gtk_widget_is_sensitive (GTK_WIDGET (row)));
  page_fixture_close (page);
}

/* The text shows the noise floor; without an application there is no store for a self-test. */
static void
test_noise_floor (void)
{
  GtkWidget *page = present_page ();
  GtkWidget *row = page_fixture_find (page, DYNO_TYPE_NOISE_FLOOR_ROW);
  GtkWidget *button = page_fixture_find_named (row, "run_button");
  g_autoptr (DynoSelfTest) self_test = dyno_self_test_new ("id", G_GINT64_CONSTANT (1778587200000000));

  g_assert_cmpstr (adw_action_row_get_subtitle (ADW_ACTION_ROW (row)), ==, "Not measured yet");
  g_assert_true (gtk_widget_get_visible (button));
  g_assert_false (gtk_widget_is_sensitive (button));
  g_assert_false (gtk_widget_get_visible (page_fixture_find_named (row, "stop_button")));
  for (guint i = 0; i < DYNO_SELF_TEST_MIN_PROCESSES; i++)
    dyno_self_test_add (self_test, "latency_p50_ms", i % 2 == 0 ? 4 : 4.25);
  dyno_noise_floor_row_set_self_test (DYNO_NOISE_FLOOR_ROW (row), self_test);
  g_assert_cmpstr (adw_action_row_get_subtitle (ADW_ACTION_ROW (row)), ==, "6.2 %, self-test on 12 May 2026");
  dyno_noise_floor_row_set_self_test (DYNO_NOISE_FLOOR_ROW (row), NULL);
  g_assert_cmpstr (adw_action_row_get_subtitle (ADW_ACTION_ROW (row)), ==, "Not measured yet");
  page_fixture_close (page);
}

/* A self-test shows its progress and can be stopped; another run must end first. */
static void
test_self_test_runs (void)
{
  GtkWidget *page = present_page ();
  GtkWidget *row = page_fixture_find (page, DYNO_TYPE_NOISE_FLOOR_ROW);
  g_autoptr (DynoPlan) plan = dyno_plan_new ();
  g_autoptr (DynoRunner) other = dyno_runner_new (plan, NULL);
  g_autoptr (DynoRunner) runner = dyno_runner_new (plan, NULL);

  dyno_runner_set_self_test (runner, TRUE);
  dyno_noise_floor_row_set_runner (DYNO_NOISE_FLOOR_ROW (row), runner);
  g_assert_cmpstr (adw_action_row_get_subtitle (ADW_ACTION_ROW (row)), ==, "Preparing…");
  g_assert_true (gtk_widget_get_visible (page_fixture_find_named (row, "stop_button")));
  g_assert_true (gtk_widget_get_visible (page_fixture_find_named (row, "progress_bar")));
  g_assert_false (gtk_widget_get_visible (page_fixture_find_named (row, "run_button")));
  dyno_noise_floor_row_set_runner (DYNO_NOISE_FLOOR_ROW (row), other);
  g_assert_cmpstr (adw_action_row_get_subtitle (ADW_ACTION_ROW (row)), ==, "Not measured yet");
  g_assert_false (gtk_widget_get_visible (page_fixture_find_named (row, "stop_button")));
  page_fixture_close (page);
}

/* Without any library, the list and the backend say what to do. */
static void
test_no_runtime (void)
{
  GtkWidget *page;
  AdwExpanderRow *row;

  if (!g_test_subprocess ())
    {
      g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_DEFAULT);
      g_test_trap_assert_passed ();
      return;
    }
  g_setenv ("DYNO_LIBRARY_PATH", "", TRUE);
  g_setenv ("DYNO_RUNTIMES_DIR", "/nonexistent", TRUE);
  g_setenv ("HOME", "/nonexistent", TRUE);
  g_unsetenv ("DYNO_ONNXRUNTIME");
  g_unsetenv ("VIRTUAL_ENV");
  page = present_page ();
  g_assert_cmpstr (adw_action_row_get_subtitle (get_row (page, "runtimes_list", 0)), ==,
                   dyno_ort_library_get_remedy ());
  row = get_backend_row (page);
  page_fixture_wait (is_probed, row);
  g_assert_false (dyno_backend_row_get_available (DYNO_BACKEND_ROW (row)));
  g_assert_nonnull (strstr (adw_expander_row_get_subtitle (row), dyno_ort_library_get_remedy ()));
  page_fixture_close (page);
}

static gboolean
names_missing_library (gpointer data)
{
  return strstr (adw_expander_row_get_subtitle (data), "/nonexistent/libonnxruntime.so") != NULL;
}

/* Another library in Preferences is probed automatically. */
static void
test_runtime_path (void)
{
  GtkWidget *page = present_page ();
  AdwExpanderRow *row = get_backend_row (page);
  g_autoptr (GSettings) settings = g_settings_new (APP_ID);

  page_fixture_wait (is_probed, row);
  dyno_engine_path_set ("DYNO_ONNXRUNTIME", "/nonexistent/libonnxruntime.so");
  g_settings_set_value (settings, DYNO_ENGINE_PATHS_KEY,
                        g_variant_new_parsed ("{'onnxruntime': '/nonexistent/libonnxruntime.so'}"));
  page_fixture_wait (names_missing_library, row);
  g_assert_false (dyno_backend_row_get_available (DYNO_BACKEND_ROW (row)));

  dyno_engine_path_set ("DYNO_ONNXRUNTIME", NULL);
  g_settings_reset (settings, DYNO_ENGINE_PATHS_KEY);
  page_fixture_close (page);
}

static void
test_refresh (void)
{
  GtkWidget *page = present_page ();
  GtkWidget *button = page_fixture_find_named (page, "refresh_button");

  g_assert_true (gtk_widget_is_sensitive (button));
  g_assert_true (gtk_widget_activate_action (page, "hardware.refresh", NULL));
  g_assert_true (dyno_hardware_page_get_loading (DYNO_HARDWARE_PAGE (page)));
  g_assert_false (gtk_widget_is_sensitive (button));
  page_fixture_wait (is_loaded, page);
  g_assert_true (gtk_widget_is_sensitive (button));
  page_fixture_close (page);
}

/* Within Flatpak a banner says what cannot be seen from there. */
static void
test_sandbox (void)
{
  g_autofree char *root = g_dir_make_tmp ("dyno-sandbox-XXXXXX", NULL);
  g_autofree char *info = g_build_filename (root, ".flatpak-info", NULL);
  GtkWidget *page = present_page ();

  g_assert_false (gtk_widget_get_mapped (page_fixture_find_named (page, "sandbox_banner")));
  page_fixture_close (page);

  g_assert_true (g_file_set_contents (info, "[Application]\n", -1, NULL));
  dyno_paths_set_root (DYNO_PATH_ROOT, root);
  page = present_page ();
  g_assert_true (gtk_widget_get_mapped (page_fixture_find_named (page, "sandbox_banner")));
  g_assert_nonnull (strstr (gtk_label_get_label (GTK_LABEL (page_fixture_find_named (page, "sandbox_label"))),
                            "--device=all"));
  page_fixture_close (page);
  dyno_paths_set_root (DYNO_PATH_ROOT, NULL);
  g_remove (info);
  g_rmdir (root);
}

static gboolean
is_asked (gpointer data)
{
  return !dyno_compatibility_window_get_loading (data);
}

static gboolean
is_tried (gpointer button)
{
  return gtk_widget_get_visible (button);
}

static guint
count_not_tried (GListModel *cells)
{
  guint n = 0;

  for (guint i = 0; i < g_list_model_get_n_items (cells); i++)
    {
      g_autoptr (DynoCompatibility) cell = g_list_model_get_item (cells, i);

      n += dyno_compatibility_get_verdict (cell) == DYNO_COMPATIBILITY_NOT_TRIED;
    }
  return n;
}

static gboolean
has_engine (void)
{
  g_autoptr (GError) error = NULL;
  DynoBackend *backend = dyno_backend_lookup ("cpu", &error);
  g_autoptr (DynoProbe) probe = NULL;

  g_assert_no_error (error);
  probe = dyno_backend_probe (backend, NULL);
  if (dyno_probe_get_state (probe) == DYNO_PROBE_AVAILABLE)
    return TRUE;
  skip_without_engine ("cpu", dyno_probe_get_reason (probe));
  return FALSE;
}

/* Nothing is tried without a request. After stopping, untried cells are unchanged. */
static void
assert_trial (GtkWidget *window, GtkColumnView *view, GtkListBox *details)
{
  GtkWidget *try_button = page_fixture_find_named (window, "try_button");
  GtkWidget *stop_button = page_fixture_find_named (window, "stop_button");
  GtkSingleSelection *selection = GTK_SINGLE_SELECTION (gtk_column_view_get_model (view));
  GListModel *cells = gtk_single_selection_get_selected_item (selection);
  g_autoptr (DynoCompatibility) cell = g_list_model_get_item (cells, 0);
  AdwActionRow *row = ADW_ACTION_ROW (gtk_list_box_get_row_at_index (details, 0));
  guint n_before = count_not_tried (cells);

  g_assert_cmpint (dyno_compatibility_get_verdict (cell), ==, DYNO_COMPATIBILITY_NOT_TRIED);
  g_assert_nonnull (strstr (adw_action_row_get_subtitle (row), "not tried"));
  g_assert_false (gtk_widget_get_visible (stop_button));
  gtk_widget_grab_focus (try_button);
  g_signal_emit_by_name (try_button, "clicked");
  g_assert_true (gtk_widget_has_focus (stop_button));
  g_signal_connect_swapped (cell, "notify::verdict", G_CALLBACK (gtk_widget_activate), stop_button);
  page_fixture_wait (is_tried, try_button);
  g_assert_cmpint (dyno_compatibility_get_verdict (cell), ==, DYNO_COMPATIBILITY_RUNS);
  g_assert_cmpstr (adw_action_row_get_subtitle (row), ==, "Runs");
  g_assert_cmpuint (count_not_tried (cells), ==, n_before - 1);
}

/* One row per model, one column per device, and the reasons for the selected row. */
static void
test_compatibility (void)
{
  g_autoptr (DynoAppSession) session = dyno_app_session_new ();
  GtkWidget *window = dyno_compatibility_window_new (session);
  GtkColumnView *view = GTK_COLUMN_VIEW (page_fixture_find_named (window, "view"));
  GtkListBox *details = GTK_LIST_BOX (page_fixture_find_named (window, "details_list"));
  g_autoptr (GListModel) library = dyno_model_library_get_default ();
  guint n_columns;
  GtkListBoxRow *row;

  gtk_window_present (GTK_WINDOW (window));
  page_fixture_wait (is_asked, window);
  g_assert_cmpstr (gtk_stack_get_visible_child_name (GTK_STACK (page_fixture_find_named (window, "stack"))),
                   ==, "content");
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (gtk_column_view_get_model (view))), ==,
                    g_list_model_get_n_items (library));
  n_columns = g_list_model_get_n_items (gtk_column_view_get_columns (view));
  g_assert_cmpuint (n_columns, >, 1);
  row = gtk_list_box_get_row_at_index (details, (int)n_columns - 2);
  g_assert_true (ADW_IS_ACTION_ROW (row));
  g_assert_null (gtk_list_box_get_row_at_index (details, (int)n_columns - 1));
  g_assert_cmpint (*adw_action_row_get_subtitle (ADW_ACTION_ROW (row)), !=, '\0');

  if (has_engine ())
    assert_trial (window, view, details);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (page_fixture_find_named (window, "batch_spin")), 2);
  g_assert_true (dyno_compatibility_window_get_loading (DYNO_COMPATIBILITY_WINDOW (window)));
  gtk_window_destroy (GTK_WINDOW (window));
}

static int
run_suite (int argc, char *argv[])
{
  gtk_test_init (&argc, &argv, NULL);
  adw_init ();

  g_test_add_func ("/hardware-page/noise-floor", test_noise_floor);
  g_test_add_func ("/hardware-page/machine", test_machine);
  g_test_add_func ("/hardware-page/backends", test_backends);
  g_test_add_func ("/hardware-page/no-runtime", test_no_runtime);
  g_test_add_func ("/hardware-page/refresh", test_refresh);
  g_test_add_func ("/hardware-page/compatibility", test_compatibility);
  if (suite_is_thorough ())
    {
      g_test_add_func ("/hardware-page/self-test", test_self_test_runs);
      g_test_add_func ("/hardware-page/runtime-path", test_runtime_path);
      g_test_add_func ("/hardware-page/sandbox", test_sandbox);
    }
  return g_test_run ();
}

SUITE (run_suite)
