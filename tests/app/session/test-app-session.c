/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-app-session-private.h"
#include "dyno-error.h"
#include "page-fixture.h"
#include "run-fixture.h"
#include "suite.h"
#include "window-fixture.h"

/* The session works without an application and without a window. */

static const char *folder;

static void
count_cb (guint *n)
{
  (*n)++;
}

static gboolean
is_open (gpointer session)
{
  return !dyno_app_session_get_opening (session);
}

static DynoAppSession *
open_session (void)
{
  DynoAppSession *session = dyno_app_session_new ();
  guint n = 0;

  g_signal_connect_swapped (session, "notify::opening", G_CALLBACK (count_cb), &n);
  dyno_app_session_open_store (session);
  g_assert_true (dyno_app_session_get_opening (session));
  page_fixture_wait (is_open, session);
  g_assert_cmpuint (n, ==, 1);
  g_signal_handlers_disconnect_by_data (session, &n);
  return session;
}

static void
test_store (void)
{
  g_autoptr (DynoAppSession) session = open_session ();
  DynoStore *store = dyno_app_session_get_store (session);
  g_autoptr (DynoStore) found = dyno_app_session_find_store (session, dyno_store_get_path (store));

  g_assert_null (dyno_app_session_get_message (session));
  g_assert_null (dyno_app_session_get_wait_reason (session));
  g_assert_nonnull (dyno_app_session_get_follower (session));
  g_assert_true (found == store);
  g_assert_null (dyno_app_session_find_store (session, "/no/such/store"));
}

/* Without a store, nothing can be measured. */
static void
test_closed (void)
{
  g_autoptr (DynoAppSession) session = dyno_app_session_new ();
  g_autoptr (DynoPlan) plan = dyno_plan_new ();
  g_autoptr (GError) error = NULL;

  g_assert_false (dyno_app_session_start_run (session, plan, &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_STORE_READ_ONLY);
  g_assert_null (dyno_app_session_get_runner (session));
  g_assert_null (dyno_app_session_get_follower (session));
}

static void
opened_cb (GObject *session, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  *(DynoStore **)user_data =
      dyno_app_session_open_document_finish (DYNO_APP_SESSION (session), result, &error);
  g_assert_no_error (error);
}

static gboolean
is_set (gpointer document)
{
  return *(DynoStore **)document != NULL;
}

static DynoStore *
open_document (DynoAppSession *session, const char *path)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  DynoStore *document = NULL;

  dyno_app_session_open_document_async (session, file, NULL, opened_cb, &document);
  page_fixture_wait (is_set, &document);
  return document;
}

/* A document that is opened again is the same. */
static void
test_documents (void)
{
  g_autoptr (DynoAppSession) session = open_session ();
  DynoStore *store = dyno_app_session_get_store (session);
  g_autoptr (DynoRun) run = run_fixture_add (store, "Sent to me", 1, 1);
  g_autofree char *path = g_build_filename (folder, "sent.dyno", NULL);
  g_autoptr (DynoStore) document = NULL;
  g_autoptr (DynoStore) again = NULL;
  g_autoptr (DynoStore) found = NULL;
  g_autoptr (GError) error = NULL;

  dyno_store_save_document (store, (const char *[]){ dyno_run_get_id (run), NULL }, path, &error);
  g_assert_no_error (error);
  document = open_document (session, path);
  again = open_document (session, path);
  g_assert_true (again == document);
  g_assert_cmpuint (g_list_model_get_n_items (dyno_app_session_get_documents (session)), ==, 1);
  found = dyno_app_session_find_store (session, path);
  g_assert_true (found == document);
  dyno_app_session_close_document (session, document);
  g_assert_cmpuint (g_list_model_get_n_items (dyno_app_session_get_documents (session)), ==, 0);
  g_assert_null (dyno_app_session_find_store (session, path));
}

static int
run_suite (int argc, char *argv[])
{
  gtk_test_init (&argc, &argv, NULL);
  folder = window_fixture_init ();

  g_test_add_func ("/app-session/closed", test_closed);
  g_test_add_func ("/app-session/store", test_store);
  g_test_add_func ("/app-session/documents", test_documents);
  return window_fixture_run ();
}

SUITE (run_suite)
