/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <gio/gio.h>
#include <string.h>

#include "dyno-cluster-private.h"
#include "suite.h"

static char *
load (const char *name)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "cluster", "fixtures", name, NULL);
  char *text = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  return text;
}

typedef struct
{
  gint64 job;
  gint64 index;
  DynoTaskState state;
  gint64 restarts;
  const char *node;
  const char *reason; /* a part of it */
} Expected;

static void
check_task (const DynoSlurmTask *task, const Expected *expected)
{
  g_assert_cmpint (task->job, ==, expected->job);
  g_assert_cmpint (task->index, ==, expected->index);
  g_assert_cmpint (task->state, ==, expected->state);
  g_assert_cmpint (task->restarts, ==, expected->restarts);
  g_assert_cmpstr (task->node, ==, expected->node);
  if (expected->reason == NULL)
    g_assert_null (task->reason);
  else
    g_assert_nonnull (strstr (task->reason, expected->reason));
}

static GPtrArray *
read_tasks (const char *name)
{
  g_autofree char *text = load (name);
  g_autoptr (GError) error = NULL;
  GPtrArray *tasks = dyno_slurm_reader_read_tasks (text, -1, &error);

  g_assert_no_error (error);
  return tasks;
}

/* As it was recorded: one that was held, one that no node can take, three that ended, one whose time was up, one that
 * was put back after its node died, and two arrays: each element that began is a task, and the rest of the array is
 * one. Releases number them differently. */
static void
check_queue (const char *name, const gint64 *numbers)
{
  const Expected expected[] = {
    { numbers[0], -1, DYNO_TASK_WAITING, 0, NULL, "JobHeldUser" },
    { numbers[1], -1, DYNO_TASK_FAILED, 0, NULL, "error" },
    { numbers[2], -1, DYNO_TASK_ENDED, 0, "n1", NULL },
    { numbers[3], -1, DYNO_TASK_FAILED, 0, "n1", "error" },
    { numbers[4], -1, DYNO_TASK_FAILED, 0, "n1", "error" },
    { numbers[5], -1, DYNO_TASK_FAILED, 0, "n2", "--time" },
    { numbers[6], -1, DYNO_TASK_RUNNING, 1, "n1", NULL },
    { numbers[7], 0, DYNO_TASK_STOPPED, 0, "n2", NULL },
    { numbers[8], -1, DYNO_TASK_WAITING, 0, NULL, "ReqNodeNotAvail" },
    { numbers[7], 1, DYNO_TASK_RUNNING, 0, "n2", NULL },
    { numbers[7], -1, DYNO_TASK_WAITING, 0, NULL, "Resources" },
  };
  g_autoptr (GPtrArray) tasks = read_tasks (name);

  g_assert_cmpuint (tasks->len, ==, G_N_ELEMENTS (expected));
  for (guint i = 0; i < tasks->len; i++)
    check_task (tasks->pdata[i], &expected[i]);
}

static void
test_queue (void)
{
  check_queue ("squeue-22.05.8.json", (const gint64[]){ 1, 6, 7, 8, 9, 10, 11, 12, 13 });
  check_queue ("squeue-24.11.5.json", (const gint64[]){ 1, 5, 6, 7, 8, 9, 10, 11, 12 });
}

/* Right after its node died: in the first the scheduler has not looked at it again. */
static void
test_node_down (void)
{
  g_autoptr (GPtrArray) old = read_tasks ("squeue-node-down-22.05.8.json");
  g_autoptr (GPtrArray) new = read_tasks ("squeue-node-down-24.11.5.json");

  g_assert_cmpuint (old->len, ==, 1);
  g_assert_cmpuint (new->len, ==, 1);
  check_task (old->pdata[0], &(Expected){ 11, -1, DYNO_TASK_WAITING, 1, NULL, NULL });
  check_task (new->pdata[0], &(Expected){ 10, -1, DYNO_TASK_WAITING, 1, NULL, "BeginTime" });
}

/* By hand, as no accounts are kept where the rest was recorded. */
static void
test_accounts (void)
{
  g_autoptr (GPtrArray) tasks = read_tasks ("sacct-24.11.json");

  g_assert_cmpuint (tasks->len, ==, 4);
  check_task (tasks->pdata[0], &(Expected){ 14, 0, DYNO_TASK_RUNNING, 1, "n1", NULL });
  check_task (tasks->pdata[1], &(Expected){ 14, 1, DYNO_TASK_WAITING, 0, NULL, "Resources" });
  check_task (tasks->pdata[2], &(Expected){ 9, -1, DYNO_TASK_FAILED, 0, "n2", "error" });
  check_task (tasks->pdata[3], &(Expected){ 16, 4, DYNO_TASK_FAILED, 0, "n2", "--time" });
}

static void
check_nodes (GPtrArray *nodes)
{
  const DynoSlurmNode *down, *busy;

  g_assert_cmpuint (nodes->len, ==, 2);
  down = nodes->pdata[0];
  busy = nodes->pdata[1];
  g_assert_cmpstr (down->name, ==, "n1");
  g_assert_cmpstr (down->features, ==, "avx512,amx");
  g_assert_false (dyno_slurm_node_is_usable (down, NULL));
  g_assert_cmpstr (busy->name, ==, "n2");
  g_assert_true (dyno_slurm_node_is_usable (busy, NULL));
  g_assert_true (dyno_slurm_node_is_usable (busy, "small"));
  g_assert_false (dyno_slurm_node_is_usable (busy, "large"));
  g_assert_cmpstr (down->hardware, !=, busy->hardware);
}

static void
test_nodes (void)
{
  g_autofree char *old_text = load ("nodes-22.05.8.txt");
  g_autofree char *new_text = load ("nodes-24.11.5.txt");
  g_autoptr (GPtrArray) old = dyno_slurm_reader_read_nodes (old_text);
  g_autoptr (GPtrArray) new = dyno_slurm_reader_read_nodes (new_text);

  check_nodes (old);
  check_nodes (new);
  g_assert_cmpstr (((DynoSlurmNode *)old->pdata[0])->hardware, ==,
                   ((DynoSlurmNode *)new->pdata[0])->hardware);
}

static void
test_submission (void)
{
  g_assert_cmpint (dyno_slurm_reader_read_submission ("14\n"), ==, 14);
  g_assert_cmpint (dyno_slurm_reader_read_submission ("14;dyno\n"), ==, 14);
  g_assert_cmpint (dyno_slurm_reader_read_submission ("sbatch: error"), ==, 0);
  g_assert_cmpint (dyno_slurm_reader_read_submission (""), ==, 0);
}

static void
test_start (void)
{
  g_assert_cmpint (
      dyno_slurm_reader_read_start (
          "sbatch: Job 14 to start at 2026-11-23T07:00:10 using 2 processors on nodes n1 in partition debug"),
      ==, G_GINT64_CONSTANT (1795417210) * G_USEC_PER_SEC);
  g_assert_cmpint (dyno_slurm_reader_read_start ("sbatch: Job 14 to start at Unknown"), ==, 0);
  g_assert_cmpint (dyno_slurm_reader_read_start (""), ==, 0);
}

static void
test_states (void)
{
  const char *why = "";

  g_assert_cmpint (dyno_task_state_from_slurm ("CANCELLED by 0", &why), ==, DYNO_TASK_STOPPED);
  g_assert_null (why);
  g_assert_cmpint (dyno_task_state_from_slurm ("COMPLETED", &why), ==, DYNO_TASK_ENDED);
  g_assert_cmpint (dyno_task_state_from_slurm ("COMPLETING", &why), ==, DYNO_TASK_RUNNING);
  g_assert_cmpint (dyno_task_state_from_slurm ("PREEMPTED", &why), ==, DYNO_TASK_WAITING);
  g_assert_nonnull (why);
  g_assert_cmpint (dyno_task_state_from_slurm ("OUT_OF_MEMORY", &why), ==, DYNO_TASK_FAILED);
  g_assert_cmpint (dyno_task_state_from_slurm ("NEVER_HEARD_OF", &why), ==, DYNO_TASK_WAITING);
}

static const SuiteTest tests[] = {
  { "/slurm-reader/queue", test_queue },           { "/slurm-reader/node-down", test_node_down },
  { "/slurm-reader/accounts", test_accounts },     { "/slurm-reader/nodes", test_nodes },
  { "/slurm-reader/submission", test_submission }, { "/slurm-reader/start", test_start },
  { "/slurm-reader/states", test_states },
};

SUITE_TESTS (tests)
