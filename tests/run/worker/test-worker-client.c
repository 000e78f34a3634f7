/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "dyno-error.h"
#include "dyno-paths.h"
#include "dyno-run-worker-private.h"
#include "suite.h"

/* The folder contains another worker, which answers like the real one. */
typedef struct
{
  char *folder;
  char *program;
  GMainLoop *loop;
  DynoResult *result;
  GError *error;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autofree char *built = g_test_build_filename (G_TEST_BUILT, "run", "other-worker", NULL);

  fixture->folder = g_dir_make_tmp ("dyno-worker-client-XXXXXX", &fixture->error);
  g_assert_no_error (fixture->error);
  fixture->program = g_build_filename (fixture->folder, "dyno-worker", NULL);
  g_assert_cmpint (symlink (built, fixture->program), ==, 0);
  dyno_paths_set_root (DYNO_PATH_LIBEXEC, fixture->folder);
  fixture->loop = g_main_loop_new (NULL, FALSE);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_unlink (fixture->program);
  g_rmdir (fixture->folder);
  g_free (fixture->program);
  g_free (fixture->folder);
  g_main_loop_unref (fixture->loop);
  g_clear_object (&fixture->result);
  g_clear_error (&fixture->error);
}

static void
measured_cb (GObject *object, GAsyncResult *result, gpointer data)
{
  Fixture *fixture = data;

  fixture->result = dyno_worker_client_measure_finish (DYNO_WORKER_CLIENT (object), result, &fixture->error);
  g_main_loop_quit (fixture->loop);
}

static void
measure (Fixture *fixture, const char *what)
{
  g_autoptr (DynoWorkerClient) client = dyno_worker_client_new ();
  g_autoptr (DynoCase) kase = g_object_new (DYNO_TYPE_CASE, "model", what, "backend", "other", NULL);

  dyno_worker_client_measure_async (client, kase, 0, TRUE, NULL, measured_cb, fixture);
  g_main_loop_run (fixture->loop);
}

/* D-Bus ends the conversation when a message is larger than 128 MiB. */
static void
test_large_traces (Fixture *fixture, gconstpointer data)
{
  GPtrArray *traces;
  gsize n_points = 0;

  measure (fixture, "traces");
  g_assert_no_error (fixture->error);
  traces = dyno_result_get_traces (fixture->result);
  for (guint i = 0; i < traces->len; i++)
    {
      DynoTrace *trace = g_ptr_array_index (traces, i);
      gsize length = dyno_trace_get_length (trace);

      g_assert_cmpstr (dyno_trace_get_unit (trace), ==, "°C");
      g_assert_cmpint (dyno_trace_get_origin (trace), ==, i);
      g_assert_cmpint (dyno_trace_get_times (trace)[length - 1], ==, length - 1);
      g_assert_cmpfloat (dyno_trace_get_values (trace)[length - 1], ==, i + length - 1);
      n_points += length;
    }
  g_assert_cmpuint (n_points * (sizeof (gint64) + sizeof (double)), >, 128 * 1024 * 1024);
}

static void
test_babbling (Fixture *fixture, gconstpointer data)
{
  measure (fixture, "babbles");
  g_assert_no_error (fixture->error);
  g_assert_nonnull (fixture->result);
}

static void
test_last_words (Fixture *fixture, gconstpointer data)
{
  measure (fixture, "babbles and dies");
  g_assert_error (fixture->error, DYNO_ERROR, DYNO_ERROR_WORKER_DIED);
  g_assert_true (g_utf8_validate (fixture->error->message, -1, NULL));
  g_assert_nonnull (strstr (fixture->error->message, "t 19999 "));
}

static void
test_no_words (Fixture *fixture, gconstpointer data)
{
  measure (fixture, "dies");
  g_assert_error (fixture->error, DYNO_ERROR, DYNO_ERROR_WORKER_DIED);
  g_assert_nonnull (strstr (fixture->error->message, "no message"));
}

static gboolean
stand_still_cb (gpointer data)
{
  gint64 until = g_get_monotonic_time () + 3 * G_TIME_SPAN_SECOND;

  while (g_get_monotonic_time () < until)
    continue;
  return G_SOURCE_REMOVE;
}

/* What stood still is this process, not the worker. */
static void
test_paused (Fixture *fixture, gconstpointer data)
{
  g_autoptr (DynoWorkerClient) client = dyno_worker_client_new ();
  g_autoptr (DynoCase) kase = g_object_new (DYNO_TYPE_CASE, "model", "any", "backend", "other", NULL);

  dyno_worker_client_set_limits (client, 2, 3600);
  dyno_worker_client_measure_async (client, kase, 0, TRUE, NULL, measured_cb, fixture);
  g_idle_add_full (G_PRIORITY_HIGH, stand_still_cb, NULL, NULL);
  g_main_loop_run (fixture->loop);
  g_assert_no_error (fixture->error);
  g_assert_nonnull (fixture->result);
}

static int
run_suite (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/worker-client/large-traces", Fixture, NULL, set_up, test_large_traces, tear_down);
  g_test_add ("/worker-client/babbling", Fixture, NULL, set_up, test_babbling, tear_down);
  g_test_add ("/worker-client/last-words", Fixture, NULL, set_up, test_last_words, tear_down);
  g_test_add ("/worker-client/no-words", Fixture, NULL, set_up, test_no_words, tear_down);
  g_test_add ("/worker-client/paused", Fixture, NULL, set_up, test_paused, tear_down);
  return g_test_run ();
}

SUITE (run_suite)
