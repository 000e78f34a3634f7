/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gstdio.h>
#include <sqlite3.h>

#include "dyno-app-session-private.h"
#include "dyno-app-shell-private.h"
#include "dyno-error.h"
#include "dyno-paths.h"
#include "suite.h"
#include "window-fixture.h"

/* Each of these needs an application that starts with a damaged store, so each runs in a separate process. */

static const char *folder;

static gboolean
has_message (gpointer application)
{
  return dyno_app_session_get_message (dyno_application_get_session (application)) != NULL;
}

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
  page_fixture_wait (has_message, application);
  return application;
}

static DynoWindow *
open_window (DynoApplication *application)
{
  DynoWindow *window = dyno_window_new (application);

  dyno_window_show_page (window, "results");
  gtk_window_present (GTK_WINDOW (window));
  window_fixture_wait_frames (GTK_WIDGET (window));
  window_fixture_wait_shown (window,
                             dyno_app_session_get_message (dyno_application_get_session (application)));
  return window;
}

static void
assert_cannot_run (DynoApplication *application)
{
  g_autoptr (DynoPlan) plan = dyno_plan_new ();
  g_autoptr (GError) error = NULL;

  g_assert_false (dyno_app_session_start_run (dyno_application_get_session (application), plan, &error));
  suite_assert_error (error, DYNO_ERROR_STORE_READ_ONLY,
                      dyno_app_session_get_message (dyno_application_get_session (application)));
}

static gboolean
has_store (gpointer application)
{
  return dyno_app_session_get_store (dyno_application_get_session (application)) != NULL;
}

static void
press_try_again (DynoWindow *window)
{
  GtkWidget *button = page_fixture_find_named (GTK_WIDGET (window), "retry_button");

  g_assert_true (gtk_widget_get_mapped (button));
  g_signal_emit_by_name (button, "clicked");
}

/* The folder of the store cannot be created, because a file with its name exists, until that is gone. */
static void
test_no_store_process (void)
{
  g_autofree char *path = g_build_filename (folder, "file", NULL);
  g_autofree char *below = g_build_filename (path, "data", NULL);
  g_autoptr (DynoApplication) application = NULL;
  DynoWindow *window;

  g_assert_true (g_file_set_contents (path, "in the way", -1, NULL));
  dyno_paths_set_root (DYNO_PATH_DATA, below);
  application = start_application ();
  g_assert_null (dyno_app_session_get_store (dyno_application_get_session (application)));
  window = open_window (application);
  window_fixture_wait_shown (window, "No Runs Yet");
  assert_cannot_run (application);

  press_try_again (window);
  g_assert_null (dyno_app_session_get_message (dyno_application_get_session (application)));
  page_fixture_wait (has_message, application);
  g_assert_false (has_store (application));
  g_assert_cmpint (g_remove (path), ==, 0);
  press_try_again (window);
  page_fixture_wait (has_store, application);
  g_assert_null (dyno_app_session_get_message (dyno_application_get_session (application)));
  g_assert_false (gtk_widget_get_visible (page_fixture_find_named (GTK_WIDGET (window), "retry_button")));
  window_fixture_close (window);
}

static void
run_sql (const char *path, const char *sql)
{
  sqlite3 *db = NULL;

  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_exec (db, sql, NULL, NULL, NULL), ==, SQLITE_OK);
  sqlite3_close (db);
}

/* A newer version of Dyno wrote the store: it is read-only. */
static void
test_newer_process (void)
{
  g_autofree char *path = g_build_filename (folder, "store.sqlite", NULL);
  g_autoptr (DynoApplication) application = NULL;
  g_autoptr (DynoStore) store = dyno_store_open (path, NULL);
  DynoWindow *window;

  g_clear_object (&store);
  run_sql (path, "PRAGMA user_version = 999");
  application = start_application ();
  g_assert_true (
      dyno_store_is_read_only (dyno_app_session_get_store (dyno_application_get_session (application))));
  window = open_window (application);
  assert_cannot_run (application);
  window_fixture_close (window);
}

/* The store is garbage: a new one replaces it, and the window says so. */
static void
test_damaged_process (void)
{
  g_autofree char *path = g_build_filename (folder, "store.sqlite", NULL);
  g_autoptr (DynoApplication) application = NULL;
  g_autofree char *rubbish = g_strnfill (8192, 'x');
  DynoWindow *window;

  g_assert_true (g_file_set_contents (path, rubbish, 8192, NULL));
  application = start_application ();
  g_assert_nonnull (dyno_app_session_get_store (dyno_application_get_session (application)));
  g_assert_false (
      dyno_store_is_read_only (dyno_app_session_get_store (dyno_application_get_session (application))));
  window = open_window (application);
  window_fixture_wait_shown (window, "No Runs Yet");
  window_fixture_close (window);
}

static void
trap (const char *path)
{
  g_test_trap_subprocess (path, 0, 0);
  g_test_trap_assert_passed ();
}

static void
test_no_store (void)
{
  trap ("/store-problem/no-store/subprocess");
}

static void
test_newer (void)
{
  trap ("/store-problem/newer/subprocess");
}

static void
test_damaged (void)
{
  trap ("/store-problem/damaged/subprocess");
}

static int
run_suite (int argc, char *argv[])
{
  gtk_test_init (&argc, &argv, NULL);
  folder = window_fixture_init ();
  g_test_add_func ("/store-problem/no-store", test_no_store);
  g_test_add_func ("/store-problem/no-store/subprocess", test_no_store_process);
  g_test_add_func ("/store-problem/newer", test_newer);
  g_test_add_func ("/store-problem/newer/subprocess", test_newer_process);
  g_test_add_func ("/store-problem/damaged", test_damaged);
  g_test_add_func ("/store-problem/damaged/subprocess", test_damaged_process);
  return window_fixture_run ();
}

SUITE (run_suite)
