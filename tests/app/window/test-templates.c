/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <adwaita.h>

#include "dyno-backend-row.h"
#include "dyno-baseline-form.h"
#include "dyno-benchmark-page.h"
#include "dyno-bin-window.h"
#include "dyno-browser.h"
#include "dyno-case-table.h"
#include "dyno-case-view.h"
#include "dyno-chart-view.h"
#include "dyno-compare-page.h"
#include "dyno-compatibility-window.h"
#include "dyno-data-table.h"
#include "dyno-difference-table.h"
#include "dyno-hardware-page.h"
#include "dyno-engine-window.h"
#include "dyno-hub-window.h"
#include "dyno-model-row.h"
#include "dyno-model-window.h"
#include "dyno-ort-library.h"
#include "dyno-ov-library.h"
#include "dyno-preferences.h"
#include "dyno-results-page.h"
#include "dyno-run-picker.h"
#include "dyno-run-view.h"
#include "dyno-tune-window.h"
#include "window-fixture.h"

#define PREFIX "/io/github/dynobench/Dyno/"

static char *
dup_template_class (const char *resource)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = g_resources_lookup_data (resource, G_RESOURCE_LOOKUP_FLAGS_NONE, &error);
  g_autoptr (GRegex) regex = g_regex_new ("<template class=\"(\\w+)\"", 0, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;

  g_assert_no_error (error);
  if (!g_regex_match_full (regex, g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), 0, 0, &match,
                           NULL))
    return NULL;
  return g_match_info_fetch (match, 1);
}

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

static GtkWidget *
construct (GType type)
{
  g_autoptr (GListModel) backends = NULL;
  g_autoptr (DynoBackend) backend = NULL;

  if (type != DYNO_TYPE_BACKEND_ROW)
    return g_object_new (type, NULL);
  backends = dyno_backend_list ();
  backend = g_list_model_get_item (backends, 0);
  return GTK_WIDGET (dyno_backend_row_new (backend, TRUE));
}

/* A widget is finalized on the main thread, at the latest when its tasks have ended. */
static void
make (GType type)
{
  GtkWidget *widget = g_object_ref_sink (construct (type));
  gboolean finalized = FALSE;

  g_object_set_data_full (G_OBJECT (widget), "finalized", &finalized, finalized_cb);
  if (GTK_IS_WINDOW (widget))
    gtk_window_destroy (GTK_WINDOW (widget));
  g_object_unref (widget);
  page_fixture_wait (is_finalized, &finalized);
}

/* Types that are only named in templates are registered by the types that use them. */
static void
ensure_types (void)
{
  g_type_class_unref (g_type_class_ref (DYNO_TYPE_WINDOW));
  g_type_class_unref (g_type_class_ref (DYNO_TYPE_RESULTS_PAGE));
  g_type_class_unref (g_type_class_ref (DYNO_TYPE_RUN_VIEW));
  g_type_class_unref (g_type_class_ref (DYNO_TYPE_CASE_VIEW));
  g_type_class_unref (g_type_class_ref (DYNO_TYPE_CHART_VIEW));
  g_type_class_unref (g_type_class_ref (DYNO_TYPE_COMPARE_PAGE));
  g_type_class_unref (g_type_class_ref (DYNO_TYPE_PREFERENCES));
  g_type_ensure (DYNO_TYPE_BASELINE_FORM);
  g_type_ensure (DYNO_TYPE_BIN_WINDOW);
  g_type_ensure (DYNO_TYPE_COMPATIBILITY_WINDOW);
  g_type_ensure (DYNO_TYPE_ENGINE_WINDOW);
  g_type_ensure (DYNO_TYPE_HUB_WINDOW);
  g_type_ensure (DYNO_TYPE_MODEL_ROW);
  g_type_ensure (DYNO_TYPE_MODEL_WINDOW);
  g_type_class_unref (g_type_class_ref (DYNO_TYPE_TUNE_WINDOW));
  make (DYNO_TYPE_BENCHMARK_PAGE);
  make (DYNO_TYPE_HARDWARE_PAGE);
}

static void
test_template (gconstpointer resource)
{
  g_autofree char *name = dup_template_class (resource);
  GType type;

  if (g_strcmp0 (name, "GtkListItem") == 0)
    {
      g_test_message ("%s describes list items; the tests of the lists show them", (const char *)resource);
      return;
    }
  g_assert_nonnull (name);
  type = g_type_from_name (name);
  if (type == G_TYPE_INVALID)
    g_error ("%s: no widget makes the type %s known", (const char *)resource, name);
  g_test_message ("%s", name);
  make (type);
}

static void
test_preferences (void)
{
  g_autoptr (GSettings) settings = g_settings_new (APP_ID);
  GtkWidget *preferences = dyno_preferences_new (settings);
  GtkWidget *row = page_fixture_find_named (preferences, "runtime_row");

  gtk_window_present (GTK_WINDOW (preferences));
  g_assert_cmpstr (adw_action_row_get_subtitle (ADW_ACTION_ROW (row)), ==,
                   "Found automatically; see Hardware");
  g_settings_set_string (settings, "runtime-path", "/there/libonnxruntime.so");
  g_assert_cmpstr (adw_action_row_get_subtitle (ADW_ACTION_ROW (row)), ==, "/there/libonnxruntime.so");
  g_settings_reset (settings, "runtime-path");
  gtk_window_destroy (GTK_WINDOW (preferences));
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
  g_settings_set_string (settings, "browser-path", "/there/chrome");
  g_settings_set_string (settings, "openvino-path", "/there/libopenvino_c.so");
  g_settings_set_string (settings, "plugin-folder", "/there/plugins");
  browser = dyno_browser_dup_path ();
  openvino = dyno_ov_library_dup_path ();
  plugins = dyno_ort_library_dup_plugin_folder ();
  g_assert_cmpstr (browser, ==, "/there/chrome");
  g_assert_cmpstr (openvino, ==, "/there/libopenvino_c.so");
  g_assert_cmpstr (plugins, ==, "/there/plugins");
  g_settings_reset (settings, "browser-path");
  g_settings_reset (settings, "openvino-path");
  g_settings_reset (settings, "plugin-folder");
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

static void
add_templates (void)
{
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) names = g_resources_enumerate_children (PREFIX, G_RESOURCE_LOOKUP_FLAGS_NONE, &error);

  g_assert_no_error (error);
  for (guint i = 0; names[i] != NULL; i++)
    if (g_str_has_suffix (names[i], ".ui"))
      {
        g_autofree char *path = g_strconcat ("/templates/", names[i], NULL);
        g_test_add_data_func_full (path, g_strconcat (PREFIX, names[i], NULL), test_template, g_free);
      }
}

int
main (int argc, char *argv[])
{
  int status;

  main_thread = g_thread_self ();
  gtk_test_init (&argc, &argv, NULL);
  window_fixture_init ();
  window_fixture_get_application ();
  ensure_types ();

  add_templates ();
  g_test_add_func ("/templates/preferences", test_preferences);
  g_test_add_func ("/templates/preferences/engines", test_preferences_engines);
  g_test_add_func ("/templates/preferences/method", test_preferences_method);
  g_test_add_func ("/templates/shortcuts", test_shortcuts);
  status = g_test_run ();
  window_fixture_finish ();
  return status;
}
