/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gstdio.h>

#include "dyno-app-session-private.h"
#include "dyno-app-shell-private.h"
#include "suite.h"
#include "window-fixture.h"

/* Files may be given before the store is open, by a command line or a drop: they wait for it. The application opens its store
 * once, when it starts, so all of this is one test. */

static DynoApplication *
start_application (void)
{
  DynoApplication *application = dyno_application_new ();
  g_autoptr (GError) error = NULL;

  g_application_set_flags (G_APPLICATION (application),
                           G_APPLICATION_HANDLES_OPEN | G_APPLICATION_NON_UNIQUE);
  g_application_register (G_APPLICATION (application), NULL, &error);
  g_assert_no_error (error);
  g_object_set (gtk_settings_get_default (), "gtk-enable-animations", FALSE, NULL);
  return application;
}

static void
add_file (GListStore *files, const char *path)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);

  g_list_store_append (files, file);
}

static gboolean
any_window_shows (gpointer text)
{
  GListModel *windows = gtk_window_get_toplevels ();
  gboolean is_shown = FALSE;

  for (guint i = 0; i < g_list_model_get_n_items (windows) && !is_shown; i++)
    {
      g_autoptr (GtkWidget) window = g_list_model_get_item (windows, i);

      is_shown = window_fixture_shows (window, text);
    }
  return is_shown;
}

/* What a folder holds besides results is skipped, and named. */
static void
import_folder (DynoWindow *window)
{
  g_autofree char *folder = g_dir_make_tmp ("dyno-import-XXXXXX", NULL);
  g_autofree char *below = g_build_filename (folder, "below", NULL);
  g_autofree char *path = g_build_filename (below, "readme.txt", NULL);
  g_autoptr (GListStore) files = g_list_store_new (G_TYPE_FILE);

  g_assert_cmpint (g_mkdir (below, 0700), ==, 0);
  g_assert_true (g_file_set_contents (path, "Read me.\n", -1, NULL));
  add_file (files, folder);
  dyno_window_open_files (window, G_LIST_MODEL (files));
  page_fixture_wait (any_window_shows, (gpointer) "1 file was skipped, as it holds no results in a format "
                                                  "that Dyno knows:\nbelow/readme.txt");
  g_assert_cmpint (g_remove (path), ==, 0);
  g_assert_cmpint (g_remove (below), ==, 0);
  g_assert_cmpint (g_remove (folder), ==, 0);
}

static void
test_waiting (void)
{
  g_autofree char *path =
      g_test_build_filename (G_TEST_DIST, "import", "fixtures", "llama-bench", "b6135.json", NULL);
  g_autoptr (GListStore) files = g_list_store_new (G_TYPE_FILE);
  g_autoptr (DynoApplication) application = start_application ();
  DynoWindow *window = dyno_window_new (application);
  g_autoptr (GPtrArray) runs = NULL;

  add_file (files, path);
  gtk_window_present (GTK_WINDOW (window));
  g_assert_true (dyno_app_session_get_opening (dyno_application_get_session (application)));
  g_assert_null (dyno_app_session_get_store (dyno_application_get_session (application)));
  dyno_window_open_files (window, G_LIST_MODEL (files));
  window_fixture_wait_shown (window, "Imported 1 run");
  runs = dyno_store_list_runs (dyno_app_session_get_store (dyno_application_get_session (application)), NULL,
                               0, 10, NULL);
  g_assert_cmpuint (runs->len, ==, 1);
  g_assert_cmpstr (dyno_run_get_title (runs->pdata[0]), ==, "b6135.json");
  import_folder (window);
  window_fixture_close (window);
}

static int
run_suite (int argc, char *argv[])
{
  gtk_test_init (&argc, &argv, NULL);
  window_fixture_init ();
  g_test_add_func ("/import-task/waiting", test_waiting);
  return window_fixture_run ();
}

SUITE (run_suite)
