/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "dyno-cluster-job.h"
#include "dyno-error.h"
#include "dyno-paths.h"
#include "dyno-run.h"
#include "dyno-task-sink.h"
#include "suite.h"

#define N_CASES 4

/* Fills more than three documents. */
#define N_LARGE 50

static DynoClusterJob *
make_job (gboolean divides)
{
  static const char *const models[] = { "bert-tiny", NULL };
  static const char *const sizes[] = { "1", "2", "3", "4", NULL };
  g_autoptr (DynoPlan) plan = dyno_plan_new ();
  g_autoptr (GError) error = NULL;
  DynoClusterJob *job;

  g_object_set (plan, "models", models, "batch-sizes", sizes, "title", "Four", NULL);
  job = dyno_cluster_job_new (plan, "slurm");
  for (guint i = 0; i < 2; i++)
    {
      const guint ordinals[] = { i, i + 2 };
      g_autoptr (GArray) cases = g_array_new (FALSE, FALSE, sizeof (guint));

      g_array_append_vals (cases, ordinals, G_N_ELEMENTS (ordinals));
      dyno_cluster_job_add_task (job, i == 0 ? "n1" : "n2", divides ? "fast" : NULL, divides ? cases : NULL);
    }
  dyno_cluster_job_save (job, &error);
  g_assert_no_error (error);
  return job;
}

/* A start of a task that is killed after some of its cases. */
static void
start_task (DynoClusterJob *job, guint number, guint n_finished)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoTaskSink) sink = dyno_task_sink_new (job, number, &error);
  g_autoptr (DynoPlan) plan = dyno_cluster_job_build_plan (job, number, &error);
  g_autoptr (GPtrArray) cases = plan != NULL ? dyno_plan_expand (plan, &error) : NULL;
  g_autofree char *json = plan != NULL ? dyno_plan_to_json (plan) : NULL;
  g_autoptr (DynoRun) run = dyno_run_new (NULL);

  g_assert_no_error (error);
  g_object_set (run, "title", "Four", "plan", json, "machine", "{\"state\": {}}", "source", "dyno",
                "started-at", (gint64)1000, "n-cases", cases->len, NULL);
  for (guint i = 0; i < cases->len; i++)
    {
      g_autoptr (DynoResult) result = dyno_result_new (cases->pdata[i], i);

      dyno_run_add_result (run, result);
    }
  g_assert_true (dyno_result_sink_begin_run (DYNO_RESULT_SINK (sink), run, &error));
  for (guint i = 0; i < MIN (n_finished, cases->len); i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (dyno_run_get_results (run), i);

      g_object_set (result, "status", DYNO_STATUS_SKIPPED, "reason", "A test.", NULL);
      g_assert_true (dyno_result_sink_add_result (DYNO_RESULT_SINK (sink), run, result, &error));
    }
}

static guint
count (DynoClusterJob *job, guint number)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoRun) run = dyno_cluster_job_compose (job, number, &error);

  g_assert_no_error (error);
  return g_list_model_get_n_items (dyno_run_get_results (run));
}

/* What a killed start finished is kept; the next one measures the rest, and no case stands twice. */
static void
test_restart (void)
{
  g_autoptr (DynoClusterJob) job = make_job (FALSE);
  g_autoptr (DynoRun) run = NULL;
  g_autoptr (GError) error = NULL;
  guint seen = 0;

  start_task (job, 0, 1);
  g_assert_cmpuint (count (job, 0), ==, 1);
  g_assert_false (dyno_cluster_job_finish_task (job, 0, &error));
  g_clear_error (&error);
  start_task (job, 0, 2);
  g_assert_cmpuint (count (job, 0), ==, 3);
  start_task (job, 0, N_CASES);
  g_assert_true (dyno_cluster_job_finish_task (job, 0, &error));
  g_assert_no_error (error);
  g_assert_true (dyno_cluster_job_is_done (job, 0));
  g_assert_false (dyno_cluster_job_is_done (job, 1));
  run = dyno_cluster_job_compose (job, 0, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (dyno_run_get_title (run), ==, "Four on n1");
  g_assert_nonnull (strstr (dyno_run_get_machine (run), job->id));
  for (guint i = 0; i < N_CASES; i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (dyno_run_get_results (run), i);

      seen |= 1u << dyno_result_get_ordinal (result);
      g_assert_cmpuint (dyno_case_get_batch_size (dyno_result_get_case (result)), ==,
                        dyno_result_get_ordinal (result) + 1);
    }
  g_assert_cmpuint (seen, ==, (1u << N_CASES) - 1);
}

/* A later start takes what an earlier one left of the cases that were dealt to its task. */
static void
test_shares (void)
{
  g_autoptr (DynoClusterJob) job = make_job (TRUE);
  g_autoptr (DynoClusterJob) again = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoPlan) rest = NULL;

  start_task (job, 1, 1);
  again = dyno_cluster_job_load (job->folder, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (((DynoClusterTask *)again->tasks->pdata[1])->hardware, ==, "fast");
  rest = dyno_cluster_job_build_plan (again, 1, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (dyno_plan_get_cases (rest)[0], ==, "4");
  g_assert_null (dyno_plan_get_cases (rest)[1]);
  start_task (again, 1, 1);
  g_assert_cmpuint (count (again, 1), ==, 2);
}

/* A plan of chosen cases that is not divided: each case keeps its place among the chosen ones, and is measured once. */
static void
test_chosen (void)
{
  static const char *const chosen[] = { "4", "2", "3", NULL };
  g_autoptr (DynoClusterJob) job = make_job (FALSE);
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoPlan) plan = dyno_plan_new_from_json (job->plan, &error);
  g_autoptr (DynoPlan) rest = NULL;
  g_autoptr (DynoRun) run = NULL;

  g_assert_no_error (error);
  g_object_set (plan, "cases", chosen, NULL);
  g_free (job->plan);
  job->plan = dyno_plan_to_json (plan);
  start_task (job, 0, 1);
  rest = dyno_cluster_job_build_plan (job, 0, &error);
  g_assert_no_error (error);
  g_assert_cmpstrv (dyno_plan_get_cases (rest), ((const char *[]){ "2", "3", NULL }));
  start_task (job, 0, 1);
  start_task (job, 0, 1);
  g_assert_true (dyno_cluster_job_finish_task (job, 0, &error));
  g_assert_no_error (error);
  run = dyno_cluster_job_compose (job, 0, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (dyno_run_get_n_cases (run), ==, 3);
  for (guint i = 0; i < 3; i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (dyno_run_get_results (run), i);
      guint size = dyno_case_get_batch_size (dyno_result_get_case (result));

      g_assert_cmpuint (dyno_result_get_ordinal (result), ==, i);
      g_assert_cmpuint (size, ==, g_ascii_strtoull (chosen[i], NULL, 10));
    }
}

static void
test_fetch (void)
{
  g_autoptr (DynoClusterJob) job = make_job (FALSE);
  g_autoptr (GError) error = NULL;
  g_autofree char *path = g_build_filename (job->folder, "store.sqlite", NULL);
  g_autoptr (DynoStore) store = dyno_store_open (path, &error);
  guint n_new = 0;

  g_assert_no_error (error);
  start_task (job, 0, N_CASES);
  start_task (job, 1, 2);
  g_assert_true (dyno_cluster_job_fetch (job, store, &n_new, &error));
  g_assert_cmpuint (n_new, ==, 2);
  n_new = 0;
  g_assert_true (dyno_cluster_job_fetch (job, store, &n_new, &error));
  g_assert_cmpuint (n_new, ==, 0);
  start_task (job, 1, N_CASES);
  g_assert_true (dyno_cluster_job_fetch (job, store, &n_new, &error));
  g_assert_cmpuint (n_new, ==, 1);
  g_assert_cmpuint (dyno_store_count_runs (store, NULL, NULL), ==, 2);
}

/* What one task left damaged is said, and does not keep the others' results from the store. */
static void
test_damaged (void)
{
  g_autoptr (DynoClusterJob) job = make_job (FALSE);
  g_autoptr (GError) error = NULL;
  g_autofree char *path = g_build_filename (job->folder, "store.sqlite", NULL);
  g_autofree char *document = dyno_cluster_job_build_path (job, 0, "-r0.dyno.part");
  g_autoptr (DynoStore) store = dyno_store_open (path, &error);
  guint n_new = 0;

  g_assert_no_error (error);
  start_task (job, 0, N_CASES);
  start_task (job, 1, N_CASES);
  g_assert_true (g_file_set_contents (document, "This is no document.", -1, &error));
  g_assert_false (dyno_cluster_job_fetch (job, store, &n_new, &error));
  g_assert_nonnull (error);
  g_assert_cmpuint (n_new, ==, 1);
}

/* One start of a task left a damaged document: what its other starts finished comes, and the rest is measured again. */
static void
check_damaged_start (const char *name)
{
  g_autoptr (DynoClusterJob) job = make_job (FALSE);
  g_autoptr (GError) error = NULL;
  g_autofree char *path = g_build_filename (job->folder, "store.sqlite", NULL);
  g_autofree char *document = g_build_filename (job->folder, "tasks", name, NULL);
  g_autoptr (DynoStore) store = dyno_store_open (path, &error);
  g_autoptr (DynoPlan) rest = NULL;
  guint n_new = 0;

  g_assert_no_error (error);
  start_task (job, 0, 1);
  start_task (job, 0, 1);
  start_task (job, 0, 1);
  g_assert_cmpuint (count (job, 0), ==, 3);
  g_assert_true (g_file_set_contents (document, "This is no document.", -1, &error));
  g_assert_false (dyno_cluster_job_fetch (job, store, &n_new, &error));
  g_assert_nonnull (strstr (error->message, name));
  g_clear_error (&error);
  g_assert_cmpuint (n_new, ==, 1);
  g_assert_cmpuint (count (job, 0), ==, 2);
  rest = dyno_cluster_job_build_plan (job, 0, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (g_strv_length ((char **)dyno_plan_get_cases (rest)), ==, 2);
  start_task (job, 0, N_CASES);
  g_assert_true (dyno_cluster_job_finish_task (job, 0, &error));
  g_assert_no_error (error);
}

static void
test_damaged_start (void)
{
  check_damaged_start ("0-r0.dyno.part");
  check_damaged_start ("0-r1.dyno.part");
}

/* Of a large plan no document is written anew for all of its cases, and all of them together are the run. */
static void
test_large_plan (void)
{
  static const char *const models[] = { "bert-tiny", NULL };
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_autoptr (DynoPlan) plan = dyno_plan_new ();
  g_autoptr (DynoClusterJob) job = NULL;
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) sizes = NULL;
  g_autofree char *first = NULL;
  g_autofree char *last = NULL;
  GStatBuf before, after;

  for (guint i = 1; i <= N_LARGE; i++)
    {
      g_autofree char *size = g_strdup_printf ("%u", i);

      g_strv_builder_add (builder, size);
    }
  sizes = g_strv_builder_end (builder);
  g_object_set (plan, "models", models, "batch-sizes", sizes, "title", "Large", NULL);
  job = dyno_cluster_job_new (plan, "slurm");
  dyno_cluster_job_add_task (job, "n1", NULL, NULL);
  dyno_cluster_job_save (job, &error);
  g_assert_no_error (error);
  job->shares_nodes = TRUE;
  start_task (job, 0, N_LARGE / 2);
  first = dyno_cluster_job_build_path (job, 0, "-r0.dyno.part");
  g_assert_cmpint (g_stat (first, &before), ==, 0);
  g_assert_cmpuint (count (job, 0), ==, N_LARGE / 2);
  start_task (job, 0, N_LARGE);
  g_assert_cmpint (g_stat (first, &after), ==, 0);
  g_assert_cmpint (before.st_ino, ==, after.st_ino);
  g_assert_cmpuint (count (job, 0), ==, N_LARGE);
  g_assert_true (dyno_cluster_job_finish_task (job, 0, &error));
  last = dyno_cluster_job_build_path (job, 0, "-r3.dyno");
  g_assert_true (g_file_test (last, G_FILE_TEST_EXISTS));
}

/* Two starts at once write to different files, before either of them has a result. */
static void
test_starts_at_once (void)
{
  g_autoptr (DynoClusterJob) job = make_job (FALSE);
  g_autoptr (GError) error = NULL;
  g_autofree char *first = dyno_cluster_job_choose_document (job, 0, &error);
  g_autofree char *second = dyno_cluster_job_choose_document (job, 0, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (first, !=, second);
  g_assert_null (dyno_cluster_job_compose (job, 0, &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND);
}

static void
remove_jobs (void)
{
  g_autoptr (GPtrArray) jobs = dyno_cluster_job_list ();

  for (guint i = 0; i < jobs->len; i++)
    dyno_cluster_job_delete (jobs->pdata[i]);
}

static int
run_suite (int argc, char *argv[])
{
  g_autofree char *folder = g_dir_make_tmp ("dyno-cluster-XXXXXX", NULL);
  g_autofree char *jobs = g_build_filename (folder, "jobs", NULL);
  int status;

  g_test_init (&argc, &argv, NULL);
  dyno_paths_set_root (DYNO_PATH_DATA, folder);
  g_test_add_func ("/cluster-job/restart", test_restart);
  g_test_add_func ("/cluster-job/shares", test_shares);
  g_test_add_func ("/cluster-job/chosen", test_chosen);
  g_test_add_func ("/cluster-job/fetch", test_fetch);
  g_test_add_func ("/cluster-job/damaged", test_damaged);
  g_test_add_func ("/cluster-job/damaged-start", test_damaged_start);
  g_test_add_func ("/cluster-job/large-plan", test_large_plan);
  g_test_add_func ("/cluster-job/starts-at-once", test_starts_at_once);
  status = g_test_run ();
  remove_jobs ();
  g_rmdir (jobs);
  g_rmdir (folder);
  return status;
}

SUITE (run_suite)
