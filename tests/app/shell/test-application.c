/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gstdio.h>
#include <sqlite3.h>

#include "dyno-app-benchmark-private.h"
#include "dyno-app-results-private.h"
#include "dyno-app-runs-private.h"
#include "dyno-app-session-private.h"
#include "dyno-app-shell-private.h"
#include "dyno-compat.h"
#include "dyno-error.h"
#include "dyno-paths.h"
#include "run-fixture.h"
#include "suite.h"
#include "window-fixture.h"

typedef struct
{
  DynoRun *run;
  char *message;
  const char *first_id; /* of the run that comes before the one that is waited for */
} Ending;

/* A mock notification server, which remembers the last notification */

static char *notification;
static guint n_ceilings;

static void
notify_cb (GDBusConnection *connection,
           const char *sender,
           const char *object_path,
           const char *interface_name,
           const char *method_name,
           GVariant *parameters,
           GDBusMethodInvocation *invocation,
           gpointer user_data)
{
  const char *summary, *body;

  if (!g_str_equal (method_name, "Notify"))
    {
      g_dbus_method_invocation_return_value (invocation, NULL);
      return;
    }
  g_variant_get (parameters, "(&su&s&s&s@as@a{sv}i)", NULL, NULL, NULL, &summary, &body, NULL, NULL, NULL);
  g_free (notification);
  notification = g_strdup_printf ("%s: %s", summary, body);
  g_dbus_method_invocation_return_value (invocation, g_variant_new ("(u)", 1));
}

static void
serve_notifications (void)
{
  static const char xml[] =
      "<node><interface name='org.freedesktop.Notifications'>"
      "<method name='Notify'><arg type='s'/><arg type='u'/><arg type='s'/><arg type='s'/>"
      "<arg type='s'/><arg type='as'/><arg type='a{sv}'/><arg type='i'/>"
      "<arg type='u' direction='out'/></method>"
      "<method name='CloseNotification'><arg type='u'/></method></interface></node>";
  static const GDBusInterfaceVTable vtable = { .method_call = notify_cb };
  g_autoptr (GError) error = NULL;
  g_autoptr (GDBusConnection) bus = g_bus_get_sync (G_BUS_TYPE_SESSION, NULL, &error);
  g_autoptr (GDBusNodeInfo) info = g_dbus_node_info_new_for_xml (xml, NULL);

  g_assert_no_error (error);
  g_dbus_connection_register_object (bus, "/org/freedesktop/Notifications", info->interfaces[0], &vtable,
                                     NULL, NULL, &error);
  g_assert_no_error (error);
  g_bus_own_name_on_connection (bus, "org.freedesktop.Notifications", G_BUS_NAME_OWNER_FLAGS_NONE, NULL, NULL,
                                NULL, NULL);
}

/* A mock of the portal that lets sandboxed applications go on without a window, which remembers what it was told */

static char *background_reason, *background_status;

static void
background_cb (GDBusConnection *connection,
               const char *sender,
               const char *object_path,
               const char *interface_name,
               const char *method_name,
               GVariant *parameters,
               GDBusMethodInvocation *invocation,
               gpointer user_data)
{
  gboolean asks = g_str_equal (method_name, "RequestBackground");
  g_autoptr (GVariant) options = g_variant_get_child_value (parameters, asks ? 1 : 0);
  char **told = asks ? &background_reason : &background_status;

  g_clear_pointer (told, g_free);
  g_assert_true (g_variant_lookup (options, asks ? "reason" : "message", "s", told));
  g_assert_cmpuint (g_utf8_strlen (*told, -1), <=, 96); /* the portal takes no more */
  g_dbus_method_invocation_return_value (invocation, asks ? g_variant_new ("(o)", "/request") : NULL);
}

/* GTK looks for portals when it starts, and would expect all of them. */
static guint
serve_background (void)
{
  static const char xml[] = "<node><interface name='org.freedesktop.portal.Background'>"
                            "<method name='RequestBackground'><arg type='s'/><arg type='a{sv}'/>"
                            "<arg type='o' direction='out'/></method>"
                            "<method name='SetStatus'><arg type='a{sv}'/></method></interface></node>";
  static const GDBusInterfaceVTable vtable = { .method_call = background_cb };
  g_autoptr (GError) error = NULL;
  g_autoptr (GDBusConnection) bus = g_bus_get_sync (G_BUS_TYPE_SESSION, NULL, &error);
  g_autoptr (GDBusNodeInfo) info = g_dbus_node_info_new_for_xml (xml, NULL);

  g_assert_no_error (error);
  g_dbus_connection_register_object (bus, "/org/freedesktop/portal/desktop", info->interfaces[0], &vtable,
                                     NULL, NULL, &error);
  g_assert_no_error (error);
  return g_bus_own_name_on_connection (bus, "org.freedesktop.portal.Desktop", G_BUS_NAME_OWNER_FLAGS_NONE,
                                       NULL, NULL, NULL, NULL);
}

static gboolean
is_notified (gpointer data)
{
  return notification != NULL;
}

static void
ended_cb (Ending *self, DynoRun *run, GError *error)
{
  g_set_object (&self->run, run);
  self->message = error != NULL ? g_strdup (error->message) : NULL;
}

static gboolean
has_ended (gpointer data)
{
  return ((Ending *)data)->run != NULL;
}

static DynoPlan *
make_plan (const char *batch_sizes)
{
  g_autofree char *json = g_strdup_printf (
      "{ \"title\": \"Measured here\", \"models\": [\"bert-tiny\"], \"backends\": [\"fake\"],"
      " \"batch-sizes\": [%s], \"method\": { \"invocations\": 1, \"min-seconds\": 0.05, \"min-samples\": 5,"
      " \"max-seconds\": 0.1, \"warmup-seconds\": 0.01 } }",
      batch_sizes);
  g_autoptr (GError) error = NULL;
  DynoPlan *plan = dyno_plan_new_from_json (json, &error);

  g_assert_no_error (error);
  return plan;
}

static void
start (DynoPlan *plan, Ending *ending)
{
  DynoApplication *application = window_fixture_get_application ();
  g_autoptr (GError) error = NULL;

  g_signal_connect_swapped (dyno_application_get_session (application), "run-ended", G_CALLBACK (ended_cb),
                            ending);
  dyno_app_session_start_run (dyno_application_get_session (application), plan, &error);
  g_assert_no_error (error);
  g_assert_nonnull (dyno_app_session_get_runner (dyno_application_get_session (application)));
}

static void
wait_for_end (Ending *ending)
{
  page_fixture_wait (has_ended, ending);
  g_signal_handlers_disconnect_by_data (window_fixture_get_session (), ending);
  g_assert_null (dyno_app_session_get_runner (window_fixture_get_session ()));
  g_assert_null (ending->message);
}

static gboolean
shows_run (gpointer page)
{
  return dyno_results_page_get_run (page) != NULL;
}

/* A self-test is marked, is not in the list of runs, and is not shown when it ends. */
static void
test_self_test (void)
{
  g_autoptr (DynoPlan) plan = make_plan ("\"1\"");
  DynoWindow *window = window_fixture_open (1000);
  DynoApplication *application = window_fixture_get_application ();
  guint n_before = dyno_store_count_runs (window_fixture_get_store (), NULL, NULL);
  g_autoptr (GError) error = NULL;
  Ending ending = { NULL };

  dyno_window_show_page (window, "benchmark");
  g_signal_connect_swapped (dyno_application_get_session (application), "run-ended", G_CALLBACK (ended_cb),
                            &ending);
  g_assert_true (dyno_app_session_start_self_test (dyno_application_get_session (application), plan, &error));
  g_assert_no_error (error);
  g_assert_true (
      dyno_runner_is_self_test (dyno_app_session_get_runner (dyno_application_get_session (application))));
  g_assert_false (
      dyno_app_session_start_self_test (dyno_application_get_session (application), plan, &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT);
  wait_for_end (&ending);
  g_assert_true (dyno_run_is_self_test (ending.run));
  g_assert_cmpuint (dyno_store_count_runs (window_fixture_get_store (), NULL, NULL), ==, n_before);
  window_fixture_wait_shown (window, "The self-test has ended: Hardware shows the noise floor");
  window_fixture_close (window);
  g_object_unref (ending.run);
}

/* A user who watches the run is shown its results. */
static void
test_run (void)
{
  g_autoptr (DynoPlan) plan = make_plan ("\"1\", \"2\"");
  DynoWindow *window = window_fixture_open (1000);
  Ending ending = { NULL };
  GtkWidget *page;

  dyno_window_show_page (window, "benchmark");
  start (plan, &ending);
  wait_for_end (&ending);
  g_assert_cmpuint (dyno_run_get_n_ok (ending.run), ==, 2);
  window_fixture_wait_shown (window, "Measured here");
  dyno_window_show_page (window, "results");
  page = page_fixture_find (GTK_WIDGET (window), DYNO_TYPE_RESULTS_PAGE);
  page_fixture_wait (shows_run, page);
  g_assert_cmpstr (dyno_run_get_id (dyno_results_page_get_run (DYNO_RESULTS_PAGE (page))), ==,
                   dyno_run_get_id (ending.run));
  window_fixture_close (window);
  g_object_unref (ending.run);
}

/* A user on another page gets a message with a button to show the results. */
static void
test_run_elsewhere (void)
{
  g_autoptr (DynoPlan) plan = make_plan ("\"1\"");
  DynoWindow *window = window_fixture_open (1000);
  Ending ending = { NULL };

  start (plan, &ending);
  dyno_window_show_page (window, "hardware");
  wait_for_end (&ending);
  window_fixture_wait_shown (window, "The run has ended");
  window_fixture_close (window);
  g_object_unref (ending.run);
}

/* With the window closed, a notification is sent. */
static void
test_notification (void)
{
  g_autoptr (DynoPlan) plan = make_plan ("\"1\"");
  Ending ending = { NULL };

  g_clear_pointer (&notification, g_free);
  start (plan, &ending);
  wait_for_end (&ending);
  page_fixture_wait (is_notified, NULL);
  g_assert_true (g_str_has_prefix (notification, "The Run Has Ended: 1 "));
  g_object_unref (ending.run);
}

static gboolean
is_alerted (gpointer data)
{
  return notification != NULL && g_str_has_prefix (notification, "1 Alert: ");
}

/* A failure is told although somebody watches, and is kept with the case. */
static void
test_alert (void)
{
  g_autoptr (DynoPlan) plan = make_plan ("\"1\", \"4\"");
  g_autofree char *demo = g_strdup (g_getenv ("DYNO_FAKE_BACKEND"));
  g_autofree char *script =
      g_test_build_filename (G_TEST_DIST, "backends", "fixtures", "fail-one-case.json", NULL);
  g_autoptr (DynoRun) stored = NULL;
  g_autoptr (GError) error = NULL;
  Ending ending = { NULL };
  guint n_kept = 0;

  g_setenv ("DYNO_FAKE_BACKEND", script, TRUE);
  g_clear_pointer (&notification, g_free);
  start (plan, &ending);
  wait_for_end (&ending);
  page_fixture_wait (is_alerted, NULL);
  stored = dyno_store_load_run (window_fixture_get_store (), dyno_run_get_id (ending.run), &error);
  g_assert_no_error (error);
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (dyno_run_get_results (stored), i);

      n_kept += dyno_result_find_message (result, "alert-failed") != NULL;
    }
  g_assert_cmpuint (n_kept, ==, 1);
  g_setenv ("DYNO_FAKE_BACKEND", demo, TRUE);
  g_object_unref (ending.run);
}

static void
submitted_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *id = dyno_cluster_follower_submit_finish (DYNO_CLUSTER_FOLLOWER (object), result, &error);

  g_assert_no_error (error);
}

static gboolean
polls_until_notified (gpointer follower)
{
  dyno_cluster_follower_poll (follower);
  return notification != NULL;
}

/* What ends elsewhere is told as well. */
static void
test_submission (void)
{
  g_autoptr (DynoPlan) plan = make_plan ("\"1\"");
  DynoClusterFollower *follower = dyno_app_session_get_follower (window_fixture_get_session ());
  DynoClusterOptions options = {
    .target = g_strdup ("local"),
    .program = dyno_paths_build (DYNO_PATH_BIN, "dyno-cli", NULL),
  };

  g_clear_pointer (&notification, g_free);
  dyno_cluster_follower_submit_async (follower, &options, plan, NULL, submitted_cb, NULL);
  page_fixture_wait (polls_until_notified, follower);
  g_assert_cmpstr (notification, ==, "The Run on Other Machines Has Ended: 1 done");
}

static gboolean
says_that_it_continues (gpointer data)
{
  return notification != NULL && g_str_has_prefix (notification, "The Run Continues in the Background: ");
}

static gboolean
has_finished_one (gpointer data)
{
  DynoRun *run = dyno_runner_get_run (dyno_app_session_get_runner (window_fixture_get_session ()));
  g_autoptr (DynoResult) first = run != NULL ? g_list_model_get_item (dyno_run_get_results (run), 0) : NULL;

  return first != NULL && dyno_result_get_status (first) == DYNO_STATUS_OK;
}

static gboolean
lists_finished (gpointer window)
{
  GtkWidget *page = page_fixture_find (window, DYNO_TYPE_LIVE_PAGE);
  GtkWidget *tiles = page != NULL ? page_fixture_find (page, DYNO_TYPE_RUN_TILES) : NULL;

  return tiles != NULL && gtk_widget_get_mapped (tiles) && page_fixture_find (tiles, GTK_TYPE_BUTTON) != NULL;
}

static gboolean
is_open (gpointer window)
{
  GList *windows = gtk_application_get_windows (GTK_APPLICATION (window_fixture_get_application ()));

  *(DynoWindow **)window = windows != NULL && DYNO_IS_WINDOW (windows->data) ? windows->data : NULL;
  return *(DynoWindow **)window != NULL;
}

/* Closing the last window does not stop a run, and a notification says so; its buttons show the whole run or stop
 * it. */
static void
test_closing (void)
{
  GActionGroup *actions = G_ACTION_GROUP (window_fixture_get_application ());
  g_autoptr (DynoPlan) plan = make_plan ("\"1\", \"2\", \"3\", \"4\", \"5\", \"6\", \"7\", \"8\"");
  DynoWindow *window = window_fixture_open (1000);
  Ending ending = { NULL };

  g_clear_pointer (&notification, g_free);
  start (plan, &ending);
  page_fixture_wait (has_finished_one, NULL);
  dyno_runner_set_paused (
      dyno_app_session_get_runner (dyno_application_get_session (DYNO_APPLICATION (actions))), TRUE);
  window_fixture_close (window);
  page_fixture_wait (says_that_it_continues, NULL);

  g_action_group_activate_action (actions, "show-progress", NULL);
  page_fixture_wait (is_open, &window);
  page_fixture_wait (lists_finished, window);
  g_action_group_activate_action (actions, "stop-run", NULL);
  wait_for_end (&ending);
  g_assert_cmpuint (dyno_run_get_n_ok (ending.run), <, 8);
  window_fixture_close (window);
  g_object_unref (ending.run);
}

static gboolean
has_told_portal (gpointer data)
{
  return background_reason != NULL && background_status != NULL && g_strcmp0 (background_status, data) != 0;
}

/* In a sandbox, the portal is asked whether the run may go on without a window, and hears how far it is. */
static void
test_background (void)
{
  GActionGroup *actions = G_ACTION_GROUP (window_fixture_get_application ());
  g_autoptr (DynoPlan) plan = make_plan ("\"1\", \"2\", \"3\", \"4\", \"5\", \"6\", \"7\", \"8\"");
  g_autofree char *root = g_dir_make_tmp ("dyno-sandbox-XXXXXX", NULL);
  g_autofree char *info = g_build_filename (root, ".flatpak-info", NULL);
  g_autofree char *first_status = NULL;
  DynoWindow *window = window_fixture_open (1000);
  guint portal = serve_background ();
  Ending ending = { NULL };

  g_assert_true (g_file_set_contents (info, "[Application]\n", -1, NULL));
  g_setenv ("DYNO_ROOT", root, TRUE);
  start (plan, &ending);
  page_fixture_wait (has_finished_one, NULL);
  window_fixture_close (window);
  page_fixture_wait (has_told_portal, NULL);
  g_assert_cmpstr (background_reason, ==, "A benchmark is running.");
  first_status = g_strdup (background_status);
  page_fixture_wait (has_told_portal, first_status);
  g_assert_true (g_str_has_suffix (background_status, " % done."));

  g_action_group_activate_action (actions, "stop-run", NULL);
  wait_for_end (&ending);
  g_bus_unown_name (portal);
  g_unsetenv ("DYNO_ROOT");
  g_unlink (info);
  g_rmdir (root);
  g_object_unref (ending.run);
}

static gboolean
has_no_window (gpointer application)
{
  return gtk_application_get_windows (application) == NULL;
}

/* Quitting closes the windows and stops the run. A window opened again before the run has ended works as before. */
static void
test_quit_taken_back (void)
{
  DynoApplication *application = window_fixture_get_application ();
  g_autoptr (DynoPlan) plan = make_plan ("\"1\", \"2\", \"3\", \"4\", \"5\", \"6\", \"7\", \"8\"");
  DynoWindow *window = window_fixture_open (1000);
  Ending first = { NULL }, second = { NULL };

  start (plan, &first);
  page_fixture_wait (has_finished_one, NULL);
  g_action_group_activate_action (G_ACTION_GROUP (application), "quit", NULL);
  page_fixture_wait (has_no_window, application);
  window = window_fixture_open (1000);
  wait_for_end (&first);
  g_assert_cmpuint (dyno_run_get_n_ok (first.run), <, 8);

  g_clear_pointer (&notification, g_free);
  start (plan, &second);
  page_fixture_wait (has_finished_one, NULL);
  window_fixture_close (window);
  page_fixture_wait (says_that_it_continues, NULL);
  g_action_group_activate_action (G_ACTION_GROUP (application), "stop-run", NULL);
  wait_for_end (&second);
  g_object_unref (first.run);
  g_object_unref (second.run);
}

static gboolean
says_that_results_wait (gpointer application)
{
  const char *message = dyno_app_session_get_message (dyno_application_get_session (application));

  return message != NULL && strstr (message, "kept beside it") != NULL;
}

static gboolean
says_that_results_are_stored (gpointer application)
{
  return g_str_has_suffix (dyno_app_session_get_message (dyno_application_get_session (application)),
                           "are now stored.");
}

/* A message says when another program blocks storing a result, and again when it is stored. */
static void
test_spooled (void)
{
  DynoApplication *application = window_fixture_get_application ();
  DynoStore *store = window_fixture_get_store ();
  g_autoptr (DynoPlan) plan = make_plan ("\"1\"");
  g_autoptr (DynoRun) stored = NULL;
  g_autoptr (GError) error = NULL;
  Ending ending = { NULL };
  sqlite3 *db;

  g_assert_cmpint (sqlite3_open (dyno_store_get_path (store), &db), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_exec (db, "BEGIN IMMEDIATE", NULL, NULL, NULL), ==, SQLITE_OK);
  start (plan, &ending);
  wait_for_end (&ending);
  g_assert_true (says_that_results_wait (application));
  g_assert_false (dyno_app_session_has_stored (dyno_application_get_session (application), ending.run));

  g_assert_cmpint (sqlite3_exec (db, "COMMIT", NULL, NULL, NULL), ==, SQLITE_OK);
  page_fixture_wait (says_that_results_are_stored, application);
  stored = dyno_store_load_run (store, dyno_run_get_id (ending.run), &error);
  g_assert_no_error (error);
  g_assert_cmpuint (dyno_run_get_n_ok (stored), ==, 1);
  sqlite3_close (db);
  g_object_unref (ending.run);
}

static gboolean
runs (gpointer window)
{
  return dyno_app_session_get_runner (window_fixture_get_session ()) != NULL;
}

static void
rest_ended_cb (Ending *self, DynoRun *run, GError *error)
{
  g_autoptr (GPtrArray) unanalysed = dyno_runner_list_unanalysed (run);

  g_assert_cmpuint (unanalysed->len, ==, 0);
  if (g_strcmp0 (self->first_id, dyno_run_get_id (run)) != 0)
    ended_cb (self, run, error);
}

/* A stored run is measured again, or the rest of a stopped one, after its measured cases are analysed. */
static void
test_again (void)
{
  g_autoptr (DynoPlan) plan = make_plan ("\"1\", \"2\", \"3\"");
  DynoWindow *window = window_fixture_open (1000);
  Ending first = { NULL }, second = { NULL }, third = { NULL };

  dyno_window_show_page (window, "benchmark");
  start (plan, &first);
  page_fixture_wait (has_finished_one, NULL);
  dyno_app_session_stop_run (window_fixture_get_session ());
  wait_for_end (&first);

  second.first_id = dyno_run_get_id (first.run);
  g_signal_connect_swapped (window_fixture_get_session (), "run-ended", G_CALLBACK (rest_ended_cb), &second);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.run-remaining", "s", dyno_run_get_id (first.run));
  page_fixture_wait (runs, NULL);
  wait_for_end (&second);
  g_assert_cmpuint (dyno_run_get_n_ok (second.run), ==, 3 - dyno_run_get_n_ok (first.run));

  g_signal_connect_swapped (window_fixture_get_session (), "run-ended", G_CALLBACK (ended_cb), &third);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.run-again", "s", dyno_run_get_id (first.run));
  page_fixture_wait (runs, NULL);
  wait_for_end (&third);
  g_assert_cmpuint (dyno_run_get_n_ok (third.run), ==, 3);
  window_fixture_close (window);
  g_object_unref (first.run);
  g_object_unref (second.run);
  g_object_unref (third.run);
}

/* Whatever the live page shows while ceilings are measured; then they are skipped, as the Skip button does. */
static void
skip_ceilings_cb (DynoWindow *window, GParamSpec *pspec, DynoRunner *runner)
{
  GtkWidget *page;

  if (!g_str_equal (dyno_runner_get_phase (runner), "ceilings"))
    return;
  page = page_fixture_find (GTK_WIDGET (window), DYNO_TYPE_LIVE_PAGE);
  n_ceilings++;
  window_fixture_wait_shown (window, "Measuring the roofs of this machine");
  g_assert_false (gtk_widget_get_visible (page_fixture_find_named (page, "readings")));
  dyno_runner_set_paused (runner, TRUE);
  window_fixture_wait_shown (window, "Measuring the roofs of CPU and memory. The run pauses after them.");
  dyno_runner_set_paused (runner, FALSE);
  gtk_widget_activate_action (page, "benchmark.skip", NULL);
}

static void
run_first (gboolean measures)
{
  g_autoptr (DynoPlan) plan = make_plan ("\"1\"");
  g_autoptr (GSettings) settings = g_settings_new (APP_ID);
  DynoWindow *window = window_fixture_open (1000);
  Ending ending = { NULL };

  g_settings_set_boolean (settings, "measure-ceilings", measures);
  dyno_window_show_page (window, "benchmark");
  start (plan, &ending);
  g_signal_connect_object (dyno_app_session_get_runner (window_fixture_get_session ()), "notify::phase",
                           G_CALLBACK (skip_ceilings_cb), window, G_CONNECT_SWAPPED);
  wait_for_end (&ending);
  g_assert_cmpuint (dyno_run_get_n_ok (ending.run), ==, 1);
  window_fixture_close (window);
  g_object_unref (ending.run);
}

/* The first run on a machine begins with its ceilings, unless the preferences disable that. */
static void
test_ceilings (void)
{
  g_unsetenv ("DYNO_NO_CEILINGS");
  n_ceilings = 0;
  run_first (FALSE);
  g_assert_cmpuint (n_ceilings, ==, 0);
  run_first (TRUE);
  g_assert_cmpuint (n_ceilings, ==, 1);
  g_setenv ("DYNO_NO_CEILINGS", "1", TRUE);
}

static void
test_two_at_once (void)
{
  g_autoptr (DynoPlan) plan = make_plan ("\"1\"");
  g_autoptr (GError) error = NULL;
  Ending ending = { NULL };

  start (plan, &ending);
  g_assert_false (dyno_app_session_start_run (window_fixture_get_session (), plan, &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT);
  wait_for_end (&ending);
  g_object_unref (ending.run);
}

static void
test_stop (void)
{
  g_autoptr (DynoPlan) plan = make_plan ("\"1\", \"2\", \"3\", \"4\", \"5\", \"6\", \"7\", \"8\"");
  Ending ending = { NULL };

  start (plan, &ending);
  dyno_app_session_stop_run (window_fixture_get_session ());
  wait_for_end (&ending);
  g_assert_cmpuint (dyno_run_get_n_ok (ending.run), <, 8);
  g_object_unref (ending.run);
}

/* The actions of notifications, the command line and other processes. */
static void
test_show_run (void)
{
  g_autoptr (DynoRun) run = run_fixture_add (window_fixture_get_store (), "Shown", 1, 1);
  DynoWindow *window = NULL;

  g_action_group_activate_action (G_ACTION_GROUP (window_fixture_get_application ()), "show-run",
                                  g_variant_new_string (dyno_run_get_id (run)));
  page_fixture_wait (is_open, &window);
  window_fixture_wait_shown (window, "Shown");
  window_fixture_close (window);
}

/* What the shell asks and does, over the bus. */

typedef struct
{
  GVariant *answer;
  GError *error;
} Answer;

static void
answered_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  Answer *answer = user_data;

  answer->answer = g_dbus_connection_call_finish (G_DBUS_CONNECTION (object), result, &answer->error);
}

static gboolean
is_answered (gpointer data)
{
  return ((Answer *)data)->answer != NULL || ((Answer *)data)->error != NULL;
}

static GVariant *
ask_search_provider (const char *method, GVariant *parameters)
{
  GApplication *application = G_APPLICATION (window_fixture_get_application ());
  const char *name = g_dbus_connection_get_unique_name (g_application_get_dbus_connection (application));
  g_autofree char *address = g_dbus_address_get_for_bus_sync (G_BUS_TYPE_SESSION, NULL, NULL);
  g_autoptr (GDBusConnection) bus = NULL;
  Answer answer = { NULL, NULL };

  bus = g_dbus_connection_new_for_address_sync (
      address, G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION,
      NULL, NULL, &answer.error);
  g_assert_no_error (answer.error);
  g_dbus_connection_call (bus, name, "/io/github/dynobench/Dyno/SearchProvider",
                          "org.gnome.Shell.SearchProvider2", method, parameters, NULL, G_DBUS_CALL_FLAGS_NONE,
                          -1, NULL, answered_cb, &answer);
  page_fixture_wait (is_answered, &answer);
  g_assert_no_error (answer.error);
  return answer.answer;
}

static char *
find_one (const char *method, GVariant *parameters)
{
  g_autoptr (GVariant) answer = ask_search_provider (method, parameters);
  g_autofree const char **ids = NULL;

  g_variant_get (answer, "(^a&s)", &ids);
  g_assert_cmpuint (g_strv_length ((char **)ids), <=, 1);
  return g_strdup (ids[0]);
}

static void
assert_described (const char *id, const char *name)
{
  const char *const ids[] = { id, "unknown", NULL };
  g_autoptr (GVariant) answer = ask_search_provider ("GetResultMetas", g_variant_new ("(^as)", ids));
  g_autoptr (GVariant) metas = g_variant_get_child_value (answer, 0);
  g_autoptr (GVariant) meta = NULL;
  g_autoptr (GVariant) icon = NULL;
  const char *text;

  g_assert_cmpuint (g_variant_n_children (metas), ==, 1);
  meta = g_variant_get_child_value (metas, 0);
  g_assert_true (g_variant_lookup (meta, "id", "&s", &text));
  g_assert_cmpstr (text, ==, id);
  g_assert_true (g_variant_lookup (meta, "name", "&s", &text));
  g_assert_cmpstr (text, ==, name);
  g_assert_true (g_variant_lookup (meta, "description", "&s", &text));
  g_assert_nonnull (strstr (text, " · "));
  icon = g_variant_lookup_value (meta, "icon", NULL);
  g_assert_nonnull (icon);
}

static void
test_search_provider (void)
{
  g_autoptr (DynoRun) run = run_fixture_add (window_fixture_get_store (), "Sought after", 2, 1);
  g_autoptr (DynoRun) other = run_fixture_add (window_fixture_get_store (), "Another", 1, 1);
  const char *const terms[] = { "AFTER", "sou", NULL };
  const char *const wrong[] = { "sought", "nothing", NULL };
  const char *const previous[] = { dyno_run_get_id (run), NULL };
  g_autofree char *id = find_one ("GetInitialResultSet", g_variant_new ("(^as)", terms));
  g_autofree char *none = NULL;
  g_autoptr (GVariant) done = NULL;
  g_autoptr (GVariant) launched = NULL;
  DynoWindow *window = NULL;
  GtkWidget *entry;

  g_assert_cmpstr (id, ==, dyno_run_get_id (run));
  assert_described (id, "Sought after");
  none = find_one ("GetSubsearchResultSet", g_variant_new ("(^as^as)", previous, wrong));
  g_assert_null (none);

  done = ask_search_provider ("ActivateResult", g_variant_new ("(s^asu)", id, terms, 0));
  page_fixture_wait (is_open, &window);
  window_fixture_wait_shown (window, "Sought after");
  launched = ask_search_provider ("LaunchSearch", g_variant_new ("(^asu)", wrong, 0));
  entry = page_fixture_find_named (page_fixture_find (GTK_WIDGET (window), DYNO_TYPE_RESULTS_PAGE),
                                   "search_entry");
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (entry)), ==, "sought nothing");
  window_fixture_close (window);
}

static gboolean
is_announcement (GtkWidget *widget, gconstpointer data)
{
  return g_str_equal (gtk_widget_get_name (widget), "announcement");
}

/* The end of a run is told to screen readers: by GTK, or where it cannot, in a status of the window. */
static void
assert_end_announced (DynoWindow *window)
{
  GtkWidget *label = page_fixture_find_where (GTK_WIDGET (window), is_announcement, NULL);

  gtk_test_accessible_assert_role (label, GTK_ACCESSIBLE_ROLE_STATUS);
  g_assert_true (gtk_widget_get_mapped (label));
  if (!dyno_compat_can_announce ())
    g_assert_true (g_str_has_prefix (gtk_label_get_text (GTK_LABEL (label)), "The run has ended: "));
}

/* The action of the desktop file. */
static void
test_quick (void)
{
  DynoApplication *application = window_fixture_get_application ();
  DynoWindow *window = NULL;
  Ending ending = { NULL };

  g_signal_connect_swapped (dyno_application_get_session (application), "run-ended", G_CALLBACK (ended_cb),
                            &ending);
  g_action_group_activate_action (G_ACTION_GROUP (application), "run-quick", NULL);
  page_fixture_wait (is_open, &window);
  page_fixture_wait (runs, NULL);
  /* Once more only shows it. */
  g_action_group_activate_action (G_ACTION_GROUP (application), "run-quick", NULL);
  dyno_app_session_stop_run (dyno_application_get_session (application));
  wait_for_end (&ending);
  g_assert_true (g_str_has_prefix (dyno_run_get_title (ending.run), "Quick"));
  assert_end_announced (window);
  window_fixture_close (window);
  g_object_unref (ending.run);
}

/* Every shortcut has an existing action. */
static void
test_accels (void)
{
  GtkApplication *application = GTK_APPLICATION (window_fixture_get_application ());
  static const char *const expected[] = { "app.open",        "app.quit",
                                          "app.preferences", "win.show-help-overlay",
                                          "win.save",        "win.search",
                                          "window.close",    "win.show-page::compare" };

  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    {
      g_auto (GStrv) accels = gtk_application_get_accels_for_action (application, expected[i]);
      g_assert_cmpuint (g_strv_length (accels), ==, 1);
    }
}

static gboolean
quit_cb (gpointer application)
{
  g_action_group_activate_action (application, "quit", NULL);
  return G_SOURCE_REMOVE;
}

/* As soon as the windows have gone: the writing does not wait for ever. */
static gboolean
unlock_cb (gpointer db)
{
  if (!has_no_window (window_fixture_get_application ()))
    return G_SOURCE_CONTINUE;
  g_assert_cmpint (sqlite3_exec (db, "COMMIT", NULL, NULL, NULL), ==, SQLITE_OK);
  return G_SOURCE_REMOVE;
}

static char *
dup_stored_title (const char *path, const char *id)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoStore) store = dyno_store_open (path, &error);
  g_autoptr (DynoRun) run = store != NULL ? dyno_store_load_run (store, id, &error) : NULL;

  g_assert_no_error (error);
  return g_strdup (dyno_run_get_title (run));
}

/* A new title that waits for another program is written before the application exits. This must be the last test. */
static void
test_quit_while_writing (void)
{
  GApplication *application = G_APPLICATION (window_fixture_get_application ());
  DynoStore *store = window_fixture_get_store ();
  g_autofree char *path = g_strdup (dyno_store_get_path (store));
  g_autoptr (DynoRun) run = run_fixture_add (store, "Before", 1, 1);
  g_autoptr (DynoRunEntry) entry = dyno_run_entry_new (store, run, FALSE);
  g_autofree char *title = NULL;
  sqlite3 *db;

  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_exec (db, "BEGIN IMMEDIATE", NULL, NULL, NULL), ==, SQLITE_OK);
  dyno_run_entry_set_title (entry, "Between");
  dyno_run_entry_set_title (entry, "After");
  g_idle_add (quit_cb, application);
  g_idle_add (unlock_cb, db);
  g_assert_cmpint (g_application_run (application, 0, NULL), ==, 0);
  title = dup_stored_title (path, dyno_run_get_id (run));
  g_assert_cmpstr (title, ==, "After");
  sqlite3_close (db);
}

static int
run_suite (int argc, char *argv[])
{
  g_autofree char *script = NULL;
  int status;

  gtk_test_init (&argc, &argv, NULL);
  script = g_test_build_filename (G_TEST_DIST, "backends", "fixtures", "demo-small.json", NULL);
  g_setenv ("DYNO_FAKE_BACKEND", script, TRUE);
  serve_notifications ();
  window_fixture_init ();
  window_fixture_get_application ();

  g_test_add_func ("/application/self-test", test_self_test);
  g_test_add_func ("/application/run", test_run);
  g_test_add_func ("/application/notification", test_notification);
  g_test_add_func ("/application/alert", test_alert);
  g_test_add_func ("/application/submission", test_submission);
  g_test_add_func ("/application/closing", test_closing);
  g_test_add_func ("/application/again", test_again);
  g_test_add_func ("/application/ceilings", test_ceilings);
  g_test_add_func ("/application/stop", test_stop);
  g_test_add_func ("/application/show-run", test_show_run);
  g_test_add_func ("/application/search-provider", test_search_provider);
  g_test_add_func ("/application/quick", test_quick);
  g_test_add_func ("/application/accels", test_accels);
  if (suite_is_thorough ())
    {
      g_test_add_func ("/application/run-elsewhere", test_run_elsewhere);
      g_test_add_func ("/application/background", test_background);
      g_test_add_func ("/application/quit-taken-back", test_quit_taken_back);
      g_test_add_func ("/application/spooled", test_spooled);
      g_test_add_func ("/application/two-at-once", test_two_at_once);
      g_test_add_func ("/application/quit-while-writing", test_quit_while_writing);
    }
  status = window_fixture_run ();
  g_free (notification);
  g_free (background_reason);
  g_free (background_status);
  return status;
}

SUITE (run_suite)
