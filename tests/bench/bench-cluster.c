/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <gio/gio.h>
#include <unistd.h>

#include "bench.h"
#include "dyno-cluster-private.h"
#include "dyno-cluster-submission.h"
#include "dyno-json.h"
#include "dyno-paths.h"
#include "large-store.h"
#include "store-fixture.h"
#include "suite.h"

/* What 1 000 tasks cost. Merging: the documents of a submission, of 8 cases each, go into a new store. Submitting and
 * asking: with commands that stand in for those of Slurm, whose time is in it, and which count how often they are called.
 * The baseline of both is a tenth of the tasks, ten times, so the ratio shows the growth. Reading: of the one answer about
 * all of them; the baseline is parsing it as JSON. */

#define N_TASKS       1000
#define N_FEWER       (N_TASKS / 10)
#define N_MERGES      3
#define N_READINGS    15
#define N_SUBMISSIONS 3
#define LIMIT_SECONDS 60
#define LIMIT_READING 1.5

static DynoPlan *
make_plan (void)
{
  static const char *const models[] = { "bert-tiny", NULL };
  static const char *const sizes[] = { "1", "2", "3", "4", "5", "6", "7", "8", NULL };
  DynoPlan *plan = dyno_plan_new ();

  g_assert_cmpuint (G_N_ELEMENTS (sizes) - 1, ==, LARGE_STORE_CASES);
  g_object_set (plan, "models", models, "batch-sizes", sizes, "title", "Eight", NULL);
  return plan;
}

static void
write_document (DynoClusterJob *job, const char *path)
{
  g_autoptr (DynoRun) run = store_fixture_make_run (NULL, 1, "Eight");
  g_autoptr (GError) error = NULL;

  g_object_set (run, "plan", job->plan, "machine", "{\"state\": {}}", "n-cases", LARGE_STORE_CASES, NULL);
  for (guint i = 0; i < LARGE_STORE_CASES; i++)
    {
      g_autoptr (DynoResult) result = store_fixture_make_result ("bert-tiny", "cpu", i);

      dyno_run_add_result (run, result);
    }
  dyno_store_save_run (run, NULL, path, &error);
  g_assert_no_error (error);
}

/* The documents are alike; the runs that are composed of them are not. */
static DynoClusterJob *
make_job (guint n_tasks)
{
  g_autoptr (DynoPlan) plan = make_plan ();
  g_autoptr (GError) error = NULL;
  DynoClusterJob *job = dyno_cluster_job_new (plan, "slurm");
  g_autofree char *original = NULL;
  g_autofree char *document = NULL;
  gsize length;

  for (guint i = 0; i < n_tasks; i++)
    {
      g_autofree char *node = g_strdup_printf ("n%u", i);

      dyno_cluster_job_add_task (job, node, NULL, NULL);
    }
  dyno_cluster_job_save (job, &error);
  g_assert_no_error (error);
  original = g_build_filename (job->folder, "original.dyno", NULL);
  write_document (job, original);
  g_assert_true (g_file_get_contents (original, &document, &length, NULL));
  for (guint i = 0; i < n_tasks; i++)
    {
      g_autofree char *path = dyno_cluster_job_build_path (job, i, "-r0.dyno");

      g_assert_true (g_file_set_contents (path, document, (gssize)length, NULL));
    }
  return job;
}

static double
merge (DynoClusterJob *job)
{
  StoreFixture fixture;
  g_autoptr (GError) error = NULL;
  gint64 start;
  double seconds;
  guint n_new = 0;

  store_fixture_set_up (&fixture, NULL);
  start = g_get_monotonic_time ();
  dyno_cluster_job_fetch (job, fixture.store, &n_new, &error);
  seconds = (double)(g_get_monotonic_time () - start) / G_USEC_PER_SEC;
  g_assert_no_error (error);
  g_assert_cmpuint (n_new, ==, job->tasks->len);
  store_fixture_tear_down (&fixture, NULL);
  return seconds;
}

static void
report_merging (void)
{
  g_autoptr (DynoClusterJob) large = make_job (N_TASKS);
  g_autoptr (DynoClusterJob) small = make_job (N_FEWER);
  g_autoptr (BenchPairs) pairs = bench_pairs_new ();

  for (guint i = 0; i < N_MERGES; i++)
    bench_pairs_add (pairs, merge (large), merge (small) * N_TASKS / N_FEWER);
  bench_report_value ("merge 1 000 documents of 8 cases", "s", "100 of them, ten times", pairs, BENCH_AT_MOST,
                      LIMIT_SECONDS);
}

/* The recorded answer has each job in a line of its own. */
static char *
make_answer (const char *name)
{
  g_autofree char *path = g_build_filename (g_getenv ("G_TEST_SRCDIR"), "cluster", "fixtures", name, NULL);
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  GString *answer;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  lines = g_strsplit (text, "\n", -1);
  answer = g_string_new (lines[0]);
  for (guint i = 0; i < N_TASKS; i++)
    g_string_append (answer, lines[1]);
  g_string_truncate (answer, answer->len - 1);
  g_string_append (answer, "]}");
  return g_string_free (answer, FALSE);
}

static double
read_answer (gpointer answer)
{
  gint64 start = g_get_monotonic_time ();
  g_autoptr (GPtrArray) tasks = dyno_slurm_reader_read_tasks (answer, -1, NULL);

  g_assert_cmpuint (tasks->len, ==, N_TASKS);
  return (double)(g_get_monotonic_time () - start) / 1e3;
}

static double
parse_answer (gpointer answer)
{
  gint64 start = g_get_monotonic_time ();
  g_autoptr (JsonObject) root = dyno_json_parse_object (answer, -1, "", NULL);

  g_assert_nonnull (root);
  return (double)(g_get_monotonic_time () - start) / 1e3;
}

static void
report_reading (const char *name, const char *fixture)
{
  g_autofree char *answer = make_answer (fixture);
  g_autoptr (BenchPairs) pairs = bench_pairs_new ();

  bench_pairs_run (pairs, N_READINGS, read_answer, parse_answer, answer);
  bench_report_ratio (name, "ms", "parsing it as JSON", pairs, BENCH_AT_MOST, LIMIT_READING);
}

static const char *const commands[] = { "sbatch", "scontrol", "squeue", "sacct", "scancel" };

/* All nodes are alike, and every task runs as soon as it is released. */
static char *
set_up_stand_in (guint n_nodes)
{
  char *folder = g_dir_make_tmp ("dyno-stand-in-XXXXXX", NULL);
  g_autofree char *program = g_build_filename (g_getenv ("G_TEST_SRCDIR"), "cluster", "fake_slurm.py", NULL);
  g_autofree char *scenario = g_build_filename (folder, "scenario.json", NULL);
  GString *nodes = g_string_new (NULL);
  GString *tasks = g_string_new (NULL);
  g_autofree char *text = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    {
      g_autofree char *path = g_build_filename (folder, commands[i], NULL);

      g_assert_cmpint (symlink (program, path), ==, 0);
    }
  for (guint i = 0; i < n_nodes; i++)
    {
      const char *comma = i > 0 ? ", " : "";

      g_string_append_printf (
          nodes, "%s\"n%u\": {\"state\": \"IDLE\", \"partitions\": \"all\", \"features\": \"avx2\"}", comma,
          i);
      g_string_append_printf (tasks, "%s\"n%u\": [\"RUNNING\"]", comma, i);
    }
  text =
      g_strdup_printf ("{\"release\": \"24.11\", \"nodes\": {%s}, \"tasks\": {%s}}", nodes->str, tasks->str);
  g_assert_true (g_file_set_contents (scenario, text, -1, NULL));
  g_string_free (nodes, TRUE);
  g_string_free (tasks, TRUE);
  return folder;
}

static guint
count_calls (const char *folder, const char *command)
{
  g_autofree char *path = g_build_filename (folder, "calls", NULL);
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  guint n_calls = 0;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  lines = g_strsplit (text, "\n", -1);
  for (char **line = lines; *line != NULL; line++)
    n_calls += g_str_equal (*line, command);
  return n_calls;
}

typedef struct
{
  double submitting;
  double polling;
} Seconds;

static double
get_seconds_since (gint64 start)
{
  return (double)(g_get_monotonic_time () - start) / G_USEC_PER_SEC;
}

static Seconds
submit_and_poll (guint n_tasks)
{
  g_autofree char *folder = set_up_stand_in (n_tasks);
  g_autofree char *path = g_strconcat (folder, ":", g_getenv ("PATH"), NULL);
  g_autofree char *old_path = g_strdup (g_getenv ("PATH"));
  g_auto (DynoClusterOptions) options = { .target = g_strdup ("slurm"), .program = g_strdup ("true") };
  g_autoptr (GPtrArray) answers = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (DynoPlan) plan = make_plan ();
  g_autoptr (GPtrArray) nodes = NULL;
  g_autoptr (DynoClusterJob) job = NULL;
  g_autoptr (GError) error = NULL;
  gint64 start = g_get_monotonic_time ();
  Seconds seconds;

  g_setenv ("PATH", path, TRUE);
  g_setenv ("FAKE_SLURM", folder, TRUE);
  nodes = dyno_cluster_submission_choose_nodes (&options, answers, &error);
  g_assert_no_error (error);
  job = dyno_cluster_submission_submit (&options, plan, nodes, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (job->tasks->len, ==, n_tasks);
  seconds.submitting = get_seconds_since (start);
  start = g_get_monotonic_time ();
  g_assert_true (dyno_cluster_submission_poll (job, &error));
  seconds.polling = get_seconds_since (start);
  for (guint i = 0; i < n_tasks; i++)
    g_assert_cmpint (((DynoClusterTask *)job->tasks->pdata[i])->state, ==, DYNO_TASK_RUNNING);
  /* One is asked whether it takes a task, and one takes them all; the nodes are listed, and the tasks pinned to them. */
  g_assert_cmpuint (count_calls (folder, "sbatch"), ==, 2);
  g_assert_cmpuint (count_calls (folder, "scontrol"), ==, 2);
  g_assert_cmpuint (count_calls (folder, "squeue"), ==, 1);
  g_setenv ("PATH", old_path, TRUE);
  bench_remove_tree (folder);
  return seconds;
}

static void
report_submitting (void)
{
  g_autoptr (BenchPairs) submitting = bench_pairs_new ();
  g_autoptr (BenchPairs) polling = bench_pairs_new ();

  for (guint i = 0; i < N_SUBMISSIONS; i++)
    {
      Seconds large = submit_and_poll (N_TASKS);
      Seconds small = submit_and_poll (N_FEWER);

      bench_pairs_add (submitting, large.submitting, small.submitting * N_TASKS / N_FEWER);
      bench_pairs_add (polling, large.polling, small.polling * N_TASKS / N_FEWER);
    }
  bench_report_value ("submit 1 000 tasks, commands that stand in for Slurm’s", "s", "100 of them, ten times",
                      submitting, BENCH_AT_MOST, LIMIT_SECONDS);
  bench_report_value ("ask about 1 000 tasks, commands that stand in for Slurm’s", "s",
                      "100 of them, ten times", polling, BENCH_AT_MOST, LIMIT_SECONDS);
}

static int
run_suite (int argc, char *argv[])
{
  g_autofree char *folder = g_dir_make_tmp ("dyno-cluster-XXXXXX", NULL);

  bench_init ();
  dyno_paths_set_root (DYNO_PATH_DATA, folder);
  report_reading ("read the answer about 1 000 tasks, Slurm 22.05", "squeue-22.05.8.json");
  report_reading ("read the answer about 1 000 tasks, Slurm 24.11", "squeue-24.11.5.json");
  report_submitting ();
  report_merging ();
  bench_remove_tree (folder);
  return 0;
}

SUITE (run_suite)
