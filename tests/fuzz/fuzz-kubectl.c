/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-cluster-driver.h"
#include "fuzz-corpus.h"

/* Whatever kubectl prints, it is nodes, an answer and the state of each task, or an error in UTF-8. */

static void
read_input (const guint8 *data, gsize size)
{
  DynoClusterOptions options = { .target = (char *)"k8s:dyno", .program = (char *)"dyno-cli" };
  const DynoClusterDriver *driver = dyno_cluster_driver_find (options.target, NULL);
  static DynoClusterJob *job;
  const DynoClusterTask *task;
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) problem = NULL;
  g_autoptr (GPtrArray) nodes = NULL;

  if (job == NULL)
    {
      g_autoptr (DynoPlan) plan = dyno_plan_new ();

      job = dyno_cluster_job_new (plan, options.target);
      g_free (job->folder);
      job->folder = g_build_filename (fuzz_file_get_folder (), "job", NULL);
    }
  fuzz_command_answer (data, size);
  nodes = driver->list_nodes (&options, &error);
  g_assert_true ((nodes != NULL) == (error == NULL));
  g_assert_true (error == NULL || g_utf8_validate (error->message, -1, NULL));
  g_ptr_array_set_size (job->tasks, 0);
  dyno_cluster_job_add_task (job, "n1", NULL, NULL);
  g_assert_true (driver->poll (job, &problem) == (problem == NULL));
  task = job->tasks->pdata[0];
  g_assert_true (task->reason == NULL || g_utf8_validate (task->reason, -1, NULL));
  fuzz_file_remove (job->folder);
}

FUZZ_TARGET (read_input)
