/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <gio/gio.h>
#include <string.h>

#include "dyno-slurm-reader.h"

static char *
load (const char *name)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "cluster", "fixtures", name, NULL);
  char *text = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  return text;
}

static void
check_task (GPtrArray *tasks, guint i, gint64 job, gint64 index, DynoTaskState state, const char *node)
{
  const DynoSlurmTask *task = tasks->pdata[i];

  g_assert_cmpint (task->job, ==, job);
  g_assert_cmpint (task->index, ==, index);
  g_assert_cmpint (task->state, ==, state);
  if (node != NULL)
    g_assert_cmpstr (task->node, ==, node);
}

/* Old and new releases, and the accounting, say the same in three ways. */
static void
test_tasks (gconstpointer name)
{
  g_autofree char *text = load (name);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) tasks = dyno_slurm_reader_read_tasks (text, -1, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (tasks->len, ==, 4);
  check_task (tasks, 0, 14, 0, DYNO_TASK_RUNNING, "n1");
  check_task (tasks, 1, 14, 1, DYNO_TASK_WAITING, NULL);
  check_task (tasks, 2, 9, -1, DYNO_TASK_FAILED, "n2");
  check_task (tasks, 3, 16, 4, DYNO_TASK_FAILED, "n2");
  g_assert_cmpint (((DynoSlurmTask *)tasks->pdata[0])->restarts, ==, 1);
  g_assert_null (((DynoSlurmTask *)tasks->pdata[0])->reason);
  g_assert_cmpstr (((DynoSlurmTask *)tasks->pdata[1])->reason, ==, "Resources");
  g_assert_nonnull (strstr (((DynoSlurmTask *)tasks->pdata[3])->reason, "--time"));
}

/* Whatever is cut off or swapped, reading ends with tasks or with a reason. */
static void
test_damaged_tasks (gconstpointer name)
{
  g_autofree char *text = load (name);
  gsize length = strlen (text);
  g_autoptr (GRand) random = g_rand_new_with_seed (14);

  for (guint i = 0; i < 3000; i++)
    {
      g_autofree char *changed = g_memdup2 (text, length);
      g_autoptr (GError) error = NULL;
      g_autoptr (GPtrArray) tasks = NULL;
      gsize cut = i < length ? i : length;

      for (guint k = 0; k < 3; k++)
        changed[g_rand_int_range (random, 0, (gint32)length)] =
            "\"{}[],:0n\xff"[g_rand_int_range (random, 0, 10)];
      tasks = dyno_slurm_reader_read_tasks (changed, (gssize)(i % 2 == 0 ? cut : length), &error);
      g_assert_true ((tasks != NULL) == (error == NULL));
    }
}

static void
test_nodes (void)
{
  g_autofree char *text = load ("nodes.txt");
  g_autoptr (GPtrArray) nodes = dyno_slurm_reader_read_nodes (text);
  const DynoSlurmNode *first, *second, *third;

  g_assert_cmpuint (nodes->len, ==, 3);
  first = nodes->pdata[0];
  second = nodes->pdata[1];
  third = nodes->pdata[2];
  g_assert_cmpstr (first->name, ==, "n1");
  g_assert_cmpstr (first->features, ==, "avx512,amx");
  g_assert_true (dyno_slurm_node_is_usable (first, NULL));
  g_assert_true (dyno_slurm_node_is_usable (first, "long"));
  g_assert_false (dyno_slurm_node_is_usable (second, "debug"));
  g_assert_true (dyno_slurm_node_is_usable (third, "debug"));
  g_assert_false (dyno_slurm_node_is_usable (third, "long"));
  g_assert_cmpstr (second->hardware, ==, third->hardware);
  g_assert_cmpstr (first->hardware, !=, third->hardware);
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

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/slurm-reader/squeue/22.05", "squeue-22.05.json", test_tasks);
  g_test_add_data_func ("/slurm-reader/squeue/24.11", "squeue-24.11.json", test_tasks);
  g_test_add_data_func ("/slurm-reader/sacct/24.11", "sacct-24.11.json", test_tasks);
  g_test_add_data_func ("/slurm-reader/damaged/22.05", "squeue-22.05.json", test_damaged_tasks);
  g_test_add_data_func ("/slurm-reader/damaged/24.11", "squeue-24.11.json", test_damaged_tasks);
  g_test_add_func ("/slurm-reader/nodes", test_nodes);
  g_test_add_func ("/slurm-reader/submission", test_submission);
  g_test_add_func ("/slurm-reader/states", test_states);
  return g_test_run ();
}
