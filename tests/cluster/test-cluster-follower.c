/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gstdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dyno-cluster-follower.h"
#include "dyno-paths.h"
#include "suite.h"

/* What a task of this machine would take at most, in s: a limit for a test that hangs, not for the machine. */
#define PATIENCE 120

typedef struct
{
  DynoStore *store;
  DynoClusterFollower *follower;
  GError *error;
  char *id;
  gboolean has_answer;
  gboolean polled;
  guint n_changes;
  guint n_ended;
  guint n_lost;
} Fixture;

static void
write_script (const char *text)
{
  g_assert_true (g_file_set_contents (g_getenv ("DYNO_FAKE_BACKEND"), text, -1, NULL));
}

static void
polled_cb (Fixture *self)
{
  self->polled = TRUE;
}

static void
items_changed_cb (Fixture *self)
{
  self->n_changes++;
}

static void
ended_cb (Fixture *self)
{
  self->n_ended++;
}

static void
lost_cb (Fixture *self, DynoClusterProgress *progress, guint number)
{
  g_assert_cmpuint (number, ==, 0);
  self->n_lost++;
}

static gboolean
timeout_cb (gpointer data)
{
  g_error ("What the test waits for did not happen");
  return G_SOURCE_REMOVE;
}

static void
wait_until (gboolean *condition)
{
  guint timeout = g_timeout_add_seconds (PATIENCE, timeout_cb, NULL);

  while (!*condition)
    g_main_context_iteration (NULL, TRUE);
  g_source_remove (timeout);
}

static DynoClusterFollower *
follow (Fixture *self)
{
  DynoClusterFollower *follower = dyno_cluster_follower_new (self->store);

  g_signal_connect_swapped (follower, "polled", G_CALLBACK (polled_cb), self);
  self->polled = FALSE;
  wait_until (&self->polled);
  return follower;
}

static void
delete_folder (void)
{
  const char *words[] = { "rm", "-rf", g_getenv ("DYNO_DATA_DIR"), NULL };

  g_spawn_sync (NULL, (char **)words, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, NULL, NULL);
}

static void
finalized_cb (gpointer is_finalized, GObject *follower)
{
  *(gboolean *)is_finalized = TRUE;
}

/* A thread may still ask. */
static void
end_follower (Fixture *self)
{
  gboolean is_finalized = FALSE;

  g_signal_handlers_disconnect_by_data (self->follower, self);
  g_object_weak_ref (G_OBJECT (self->follower), finalized_cb, &is_finalized);
  g_clear_object (&self->follower);
  wait_until (&is_finalized);
}

/* As when the window is closed, and opened again. */
static void
replace_follower (Fixture *self)
{
  end_follower (self);
  self->follower = follow (self);
}

static void
set_up (Fixture *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  write_script ("{}");
  self->store = dyno_store_open_default (&error);
  g_assert_no_error (error);
  self->follower = follow (self);
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  end_follower (self);
  g_clear_object (&self->store);
  g_clear_error (&self->error);
  g_free (self->id);
  delete_folder ();
}

static void
submitted_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  Fixture *self = user_data;

  self->id = dyno_cluster_follower_submit_finish (DYNO_CLUSTER_FOLLOWER (object), result, &self->error);
  self->has_answer = TRUE;
}

static void
submit_to (Fixture *self, const char *target, const char *plan_text, GCancellable *cancellable)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoPlan) plan = dyno_plan_new_from_json (plan_text, &error);
  DynoClusterOptions options = {
    .target = g_strdup (target),
    .program = dyno_paths_build (DYNO_PATH_BIN, "dyno-cli", NULL),
  };

  g_assert_no_error (error);
  dyno_cluster_follower_submit_async (self->follower, &options, plan, cancellable, submitted_cb, self);
  g_assert_null (options.target);
  wait_until (&self->has_answer);
}

static void
submit (Fixture *self, const char *plan_text)
{
  submit_to (self, "local", plan_text, NULL);
}

#define PLAN(sizes)                                                                                          \
  "{\"title\": \"Small\", \"models\": [\"bert-tiny\"], \"backends\": [\"fake\"], \"batch-sizes\": [" sizes   \
  "],"                                                                                                       \
  " \"method\": {\"invocations\": 1, \"min-seconds\": 0.1, \"max-seconds\": 0.5, \"idle-seconds\": 0}}"

static DynoClusterProgress *
find (Fixture *self)
{
  return dyno_cluster_follower_find (self->follower, self->id);
}

static void
poll_once (Fixture *self)
{
  self->polled = FALSE;
  dyno_cluster_follower_poll (self->follower);
  wait_until (&self->polled);
}

/* Whoever asks has an answer, although nothing is followed. */
static void
test_nothing (Fixture *self, gconstpointer data)
{
  g_assert_cmpuint (g_list_model_get_n_items (dyno_cluster_follower_get_model (self->follower)), ==, 0);
  poll_once (self);
  g_assert_cmpuint (g_list_model_get_n_items (dyno_cluster_follower_get_model (self->follower)), ==, 0);
}

static DynoClusterProgress *
wait_for_end (Fixture *self)
{
  for (;;)
    {
      g_autoptr (DynoClusterProgress) progress = find (self);

      g_assert_nonnull (progress);
      if (!dyno_cluster_progress_is_open (progress))
        return g_steal_pointer (&progress);
      poll_once (self);
    }
}

static guint
count_runs (Fixture *self)
{
  g_autoptr (GPtrArray) runs = dyno_store_list_runs (self->store, NULL, 0, 9, NULL);

  return runs->len;
}

static DynoTaskState
get_state (DynoClusterProgress *progress)
{
  return ((const DynoClusterTask *)dyno_cluster_progress_get_job (progress)->tasks->pdata[0])->state;
}

/* What is submitted is followed to its end, and is in the store once. */
static void
test_done (Fixture *self, gconstpointer data)
{
  g_autoptr (DynoClusterProgress) progress = NULL;
  g_autoptr (DynoClusterProgress) same = NULL;
  DynoRun *run;

  g_signal_connect_swapped (self->follower, "ended", G_CALLBACK (ended_cb), self);
  submit (self, PLAN ("1, 2"));
  g_assert_no_error (self->error);
  progress = wait_for_end (self);
  g_assert_cmpint (get_state (progress), ==, DYNO_TASK_DONE);
  g_assert_null (dyno_cluster_progress_get_problem (progress));
  g_assert_cmpstr (dyno_cluster_progress_get_title (progress), ==, "Small");
  g_assert_cmpuint (dyno_cluster_progress_get_cases (progress)->len, ==, 2);
  run = dyno_cluster_progress_get_run (progress, 0);
  g_assert_cmpuint (g_list_model_get_n_items (dyno_run_get_results (run)), ==, 2);
  g_assert_cmpuint (count_runs (self), ==, 1);

  /* Whoever looks at it keeps what they see while nothing changes. */
  g_signal_connect_swapped (dyno_cluster_follower_get_model (self->follower), "items-changed",
                            G_CALLBACK (items_changed_cb), self);
  poll_once (self);
  same = find (self);
  g_assert_true (same == progress);
  g_assert_cmpuint (self->n_changes, ==, 0);
  g_assert_cmpuint (self->n_ended, ==, 1);
  g_assert_cmpuint (count_runs (self), ==, 1);

  dyno_cluster_follower_leave (self->follower, self->id);
  g_assert_null (find (self));
}

/* What was submitted before the window opened is found, as long as it is under way. */
static void
test_found (Fixture *self, gconstpointer data)
{
  g_autoptr (DynoClusterProgress) progress = NULL;
  g_autoptr (DynoClusterProgress) found = NULL;

  write_script ("{\"load_ms\": 3000}");
  submit (self, PLAN ("1, 2, 4, 8"));
  g_assert_no_error (self->error);
  replace_follower (self);
  found = find (self);
  g_assert_nonnull (found);
  g_assert_true (dyno_cluster_progress_is_active (found));

  dyno_cluster_follower_cancel (self->follower, self->id);
  progress = wait_for_end (self);
  g_assert_cmpint (get_state (progress), ==, DYNO_TASK_STOPPED);
  replace_follower (self);
  g_assert_cmpuint (g_list_model_get_n_items (dyno_cluster_follower_get_model (self->follower)), ==, 0);
}

/* What is removed meanwhile is not waited for. */
static void
test_removed (Fixture *self, gconstpointer data)
{
  g_autoptr (DynoClusterProgress) progress = NULL;
  g_autofree char *jobs = dyno_paths_build (DYNO_PATH_DATA, "jobs", NULL);
  const char *words[] = { "rm", "-rf", jobs, NULL };

  submit (self, PLAN ("1"));
  progress = wait_for_end (self);
  g_spawn_sync (NULL, (char **)words, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, NULL, NULL);
  /* The first may be a look that had begun before. */
  poll_once (self);
  poll_once (self);
  g_assert_null (find (self));
  g_assert_cmpuint (count_runs (self), ==, 1);
}

/* What ended while no window was open is fetched by the next one, though there is nothing to follow any more. */
static void
test_ended_meanwhile (Fixture *self, gconstpointer data)
{
  g_autoptr (DynoClusterProgress) progress = NULL;
  DynoStore *store = g_steal_pointer (&self->store);

  end_follower (self);
  self->follower = follow (self);
  submit (self, PLAN ("1, 2"));
  progress = wait_for_end (self);
  end_follower (self);
  self->store = store;
  g_assert_cmpuint (count_runs (self), ==, 0);
  self->follower = follow (self);
  g_assert_cmpuint (g_list_model_get_n_items (dyno_cluster_follower_get_model (self->follower)), ==, 0);
  g_assert_cmpuint (count_runs (self), ==, 1);
}

/* The nodes are asked first, and say why. */
static void
test_refused (Fixture *self, gconstpointer data)
{
  g_autofree char *jobs = dyno_paths_build (DYNO_PATH_DATA, "jobs", NULL);

  submit (self, "{\"models\": [\"bert-tiny\"], \"backends\": [\"fake:nothing\"]}");
  g_assert_null (self->id);
  g_assert_nonnull (self->error);
  g_assert_nonnull (g_strstr_len (self->error->message, -1, "0 of 1 case"));
  g_assert_cmpuint (g_list_model_get_n_items (dyno_cluster_follower_get_model (self->follower)), ==, 0);
  g_assert_false (g_file_test (jobs, G_FILE_TEST_EXISTS));
}

typedef struct
{
  char *pipe;
  GCancellable *cancellable;
} Waiting;

static gpointer
cancel_thread (gpointer data)
{
  const Waiting *waiting = data;
  g_autofree char *text = NULL;

  g_file_get_contents (waiting->pipe, &text, NULL, NULL);
  g_cancellable_cancel (waiting->cancellable);
  return NULL;
}

/* The host never answers. */
static void
test_cancelled (Fixture *self, gconstpointer folder)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autofree char *program = g_build_filename (folder, "ssh", NULL);
  g_autofree char *pipe = g_build_filename (folder, "started", NULL);
  g_autofree char *script = g_strdup_printf ("#!/bin/sh\necho > '%s'\nexec sleep 1000\n", pipe);
  Waiting waiting = { pipe, cancellable };
  GThread *thread;

  g_assert_true (g_file_set_contents_full (program, script, -1, G_FILE_SET_CONTENTS_NONE, 0700, NULL));
  g_assert_cmpint (mkfifo (pipe, 0600), ==, 0);
  thread = g_thread_new ("cancel", cancel_thread, &waiting);
  submit_to (self, "ssh:host", PLAN ("1"), cancellable);
  g_thread_join (thread);
  g_assert_null (self->id);
  g_assert_error (self->error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_remove (program);
  g_remove (pipe);
}

static void
write_file (const char *folder, const char *name, const char *text)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
}

/* The scheduler forgets a task that ran: told once. */
static void
test_lost (Fixture *self, gconstpointer folder)
{
  static const char *const names[] = { "sbatch", "srun", "squeue", "sacct", "scontrol", "scancel" };
  static const char *const written[] = { "scenario.json", "jobs.json", "calls" };
  g_autofree char *stand_in = g_test_build_filename (G_TEST_DIST, "cluster", "fake_slurm.py", NULL);

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *link = g_build_filename (folder, names[i], NULL);

      g_assert_cmpint (symlink (stand_in, link), ==, 0);
    }
  write_file (
      folder, "scenario.json",
      "{\"release\": \"22.05\", \"tasks\": {\"n1\": [\"RUNNING\", \"RUNNING\", \"RUNNING\", \"gone\"]},"
      " \"nodes\": {\"n1\": {\"state\": \"IDLE\", \"partitions\": \"debug\", \"features\": \"avx2\"}}}");
  g_signal_connect_swapped (self->follower, "lost", G_CALLBACK (lost_cb), self);
  submit_to (self, "slurm", PLAN ("1"), NULL);
  g_assert_no_error (self->error);
  for (guint i = 0; i < 6; i++)
    poll_once (self);

  g_autoptr (DynoClusterProgress) progress = find (self);

  g_assert_cmpint (get_state (progress), ==, DYNO_TASK_LOST);
  g_assert_cmpuint (self->n_lost, ==, 1);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *link = g_build_filename (folder, names[i], NULL);

      g_remove (link);
    }
  for (guint i = 0; i < G_N_ELEMENTS (written); i++)
    {
      g_autofree char *path = g_build_filename (folder, written[i], NULL);

      g_remove (path);
    }
}

static int
run_suite (int argc, char *argv[])
{
  g_autofree char *folder = NULL;
  g_autofree char *path = NULL;
  g_autofree char *data = NULL;
  g_autofree char *script = NULL;
  int status;

  g_test_init (&argc, &argv, NULL);
  folder = g_dir_make_tmp ("dyno-follower-XXXXXX", NULL);
  data = g_build_filename (folder, "data", NULL);
  script = g_build_filename (folder, "script.json", NULL);
  /* Before there are threads. */
  g_setenv ("DYNO_DATA_DIR", data, TRUE);
  g_setenv ("DYNO_FAKE_BACKEND", script, TRUE);
  path = g_strconcat (folder, ":", g_getenv ("PATH"), NULL);
  g_setenv ("PATH", path, TRUE);
  g_setenv ("FAKE_SLURM", folder, TRUE);
#define ADD(path, func) g_test_add (path, Fixture, NULL, set_up, func, tear_down)
  ADD ("/cluster-follower/nothing", test_nothing);
  ADD ("/cluster-follower/done", test_done);
  ADD ("/cluster-follower/found", test_found);
  g_test_add ("/cluster-follower/cancelled", Fixture, folder, set_up, test_cancelled, tear_down);
  g_test_add ("/cluster-follower/lost", Fixture, folder, set_up, test_lost, tear_down);
  ADD ("/cluster-follower/removed", test_removed);
  if (suite_is_thorough ())
    {
      ADD ("/cluster-follower/refused", test_refused);
      ADD ("/cluster-follower/ended-meanwhile", test_ended_meanwhile);
    }
  status = g_test_run ();
  g_remove (script);
  g_rmdir (folder);
  return status;
}

SUITE (run_suite)
