/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <adwaita.h>

#include "dyno-app-shell-private.h"
#include "dyno-browser.h"
#include "dyno-openvino-private.h"
#include "dyno-ort.h"
#include "suite.h"
#include "template-fixture.h"
#include "window-fixture.h"

#define PREFIX "/io/github/dynobench/Dyno/"

static GThread *main_thread;

static void
finalized_cb (gpointer is_finalized)
{
  g_assert_true (g_thread_self () == main_thread);
  *(gboolean *)is_finalized = TRUE;
}

static gboolean
is_finalized (gpointer data)
{
  return *(gboolean *)data;
}

/* A widget is finalized on the main thread, at the latest when its tasks have ended. */
static void
make (GType type)
{
  GtkWidget *widget = g_object_ref_sink (template_fixture_construct (type));
  gboolean finalized = FALSE;

  g_object_set_data_full (G_OBJECT (widget), "finalized", &finalized, finalized_cb);
  if (GTK_IS_WINDOW (widget))
    gtk_window_destroy (GTK_WINDOW (widget));
  g_object_unref (widget);
  page_fixture_wait (is_finalized, &finalized);
}

static void
test_template (gconstpointer resource)
{
  GType type = template_fixture_find_type (resource);

  if (type != G_TYPE_INVALID)
    make (type);
}

static void
test_preferences (void)
{
  g_autoptr (GSettings) settings = g_settings_new (APP_ID);
  GtkWidget *preferences = dyno_preferences_new (settings);
  GtkWidget *row = page_fixture_find_row (preferences, "ONNX Runtime Library");

  gtk_window_present (GTK_WINDOW (preferences));
  g_assert_cmpstr (adw_action_row_get_subtitle (ADW_ACTION_ROW (row)), ==,
                   "Found automatically; see Hardware");
  g_settings_set_value (settings, DYNO_ENGINE_PATHS_KEY,
                        g_variant_new_parsed ("{'onnxruntime': '/there/libonnxruntime.so'}"));
  g_assert_cmpstr (adw_action_row_get_subtitle (ADW_ACTION_ROW (row)), ==, "/there/libonnxruntime.so");
  g_settings_reset (settings, DYNO_ENGINE_PATHS_KEY);
  gtk_window_destroy (GTK_WINDOW (preferences));
}

static void
apply_address (GtkWidget *preferences, const char *address)
{
  GtkWidget *row = page_fixture_find_named (preferences, "python_row");

  gtk_editable_set_text (GTK_EDITABLE (row), address);
  g_signal_emit_by_name (row, "apply");
}

/* What is no address is said in words, and does not replace one. */
static void
test_preferences_addresses (void)
{
  g_autoptr (GSettings) settings = g_settings_new (APP_ID);
  GtkWidget *preferences = dyno_preferences_new (settings);
  GtkWidget *problem = page_fixture_find_named (preferences, "address_problem_label");
  g_autofree char *applied = NULL;
  g_autofree char *kept = NULL;

  apply_address (preferences, " https://packages.example/simple/ ");
  applied = g_settings_get_string (settings, "python-index");
  g_assert_cmpstr (applied, ==, "https://packages.example/simple/");
  g_assert_false (gtk_widget_get_visible (problem));

  apply_address (preferences, "packages.example");
  kept = g_settings_get_string (settings, "python-index");
  g_assert_cmpstr (kept, ==, applied);
  g_assert_true (gtk_widget_get_visible (problem));
  g_assert_true (g_str_has_prefix (gtk_label_get_label (GTK_LABEL (problem)), "“packages.example” is not"));

  apply_address (preferences, "");
  g_assert_false (gtk_widget_get_visible (problem));
  gtk_window_destroy (GTK_WINDOW (preferences));
  g_settings_reset (settings, "python-index");
}

/* Engines get the settings made here. */
static void
test_preferences_engines (void)
{
  g_autoptr (GSettings) settings = g_settings_new (APP_ID);
  g_autofree char *browser = NULL;
  g_autofree char *openvino = NULL;
  g_autofree char *plugins = NULL;

  if (g_getenv ("DYNO_BROWSER") != NULL || g_getenv ("DYNO_OPENVINO") != NULL ||
      g_getenv ("DYNO_ONNXRUNTIME_PLUGINS") != NULL)
    {
      g_test_skip ("The environment names engines, which goes before the settings");
      return;
    }
  g_settings_set_value (
      settings, DYNO_ENGINE_PATHS_KEY,
      g_variant_new_parsed ("{'browser': '/there/chrome', 'openvino': '/there/libopenvino_c.so', "
                            "'onnxruntime-plugins': '/there/plugins'}"));
  browser = dyno_engine_path_dup ("DYNO_BROWSER");
  openvino = dyno_engine_path_dup ("DYNO_OPENVINO");
  plugins = dyno_ort_library_dup_plugin_folder ();
  g_assert_cmpstr (browser, ==, "/there/chrome");
  g_assert_cmpstr (openvino, ==, "/there/libopenvino_c.so");
  g_assert_cmpstr (plugins, ==, "/there/plugins");
  g_settings_reset (settings, DYNO_ENGINE_PATHS_KEY);
}

static void
test_preferences_method (void)
{
  g_autoptr (GSettings) settings = g_settings_new (APP_ID);
  GtkWidget *preferences = dyno_preferences_new (settings);
  GtkWidget *spin = page_fixture_find_named (preferences, "min-samples");

  gtk_spin_button_set_value (GTK_SPIN_BUTTON (spin), 77);
  g_assert_cmpuint (g_settings_get_uint (settings, "min-samples"), ==, 77);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (page_fixture_find_named (preferences, "tdp-watts")), 65);
  g_assert_cmpfloat (g_settings_get_double (settings, "tdp-watts"), ==, 65);
  g_settings_reset (settings, "tdp-watts");
  g_settings_reset (settings, "min-samples");
  g_assert_cmpint (gtk_spin_button_get_value_as_int (GTK_SPIN_BUTTON (spin)), !=, 77);
  gtk_window_destroy (GTK_WINDOW (preferences));
}

static void
test_shortcuts (void)
{
  g_autoptr (GtkBuilder) builder = gtk_builder_new_from_resource (PREFIX "shortcuts/help-overlay.ui");
  GtkWindow *window = GTK_WINDOW (gtk_builder_get_object (builder, "help_overlay"));

  g_assert_true (GTK_IS_SHORTCUTS_WINDOW (window));
  gtk_window_destroy (window);
}

static int
run_suite (int argc, char *argv[])
{
  main_thread = g_thread_self ();
  gtk_test_init (&argc, &argv, NULL);
  window_fixture_init ();
  window_fixture_get_application ();
  template_fixture_ensure_types ();

  template_fixture_add_tests ("/templates/", test_template);
  g_test_add_func ("/templates/preferences", test_preferences);
  g_test_add_func ("/templates/preferences/addresses", test_preferences_addresses);
  g_test_add_func ("/templates/preferences/engines", test_preferences_engines);
  g_test_add_func ("/templates/preferences/method", test_preferences_method);
  g_test_add_func ("/templates/shortcuts", test_shortcuts);
  return window_fixture_run ();
}

SUITE (run_suite)
