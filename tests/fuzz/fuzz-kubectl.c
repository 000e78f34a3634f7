/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gstdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "dyno-cluster-driver.h"
#include "fuzz-corpus.h"

/* Whatever kubectl prints, it is nodes, an answer and the state of each task, or an error in UTF-8. */

/* The first word in PATH, which prints the input. */
static void
make_kubectl (void)
{
  static const char script[] = "#!/bin/sh\nexec cat \"$DYNO_FUZZ_ANSWER\"\n";
  g_autofree char *old = g_strdup (g_getenv ("PATH"));
  g_autofree char *path = g_strconcat (fuzz_file_get_folder (), ":", old, NULL);
  g_autofree char *answer = g_build_filename (fuzz_file_get_folder (), "kubectl-answer", NULL);

  g_assert_cmpint (g_chmod (fuzz_file_write ("kubectl", (const guint8 *)script, sizeof script - 1), 0700), ==,
                   0);
  g_setenv ("PATH", path, TRUE);
  g_setenv ("DYNO_FUZZ_ANSWER", answer, TRUE);
}

static void
read_input (const guint8 *data, gsize size)
{
  static gsize is_made;
  DynoClusterOptions options = { .target = (char *)"k8s:dyno", .program = (char *)"dyno-cli" };
  const DynoClusterDriver *driver = dyno_cluster_driver_find (options.target, NULL);
  g_autoptr (DynoPlan) plan = dyno_plan_new ();
  g_autoptr (DynoClusterJob) job = NULL;
  const DynoClusterTask *task;
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) problem = NULL;
  g_autoptr (GPtrArray) nodes = NULL;

  if (g_once_init_enter (&is_made))
    {
      make_kubectl ();
      g_once_init_leave (&is_made, 1);
    }
  fuzz_file_write ("kubectl-answer", data, size);
  nodes = driver->list_nodes (&options, &error);
  g_assert_true ((nodes != NULL) == (error == NULL));
  g_assert_true (error == NULL || g_utf8_validate (error->message, -1, NULL));
  job = dyno_cluster_job_new (plan, options.target);
  g_free (job->folder);
  job->folder = g_build_filename (fuzz_file_get_folder (), "job", NULL);
  dyno_cluster_job_add_task (job, "n1", NULL, NULL);
  g_assert_true (driver->poll (job, &problem) == (problem == NULL));
  task = job->tasks->pdata[0];
  g_assert_true (task->reason == NULL || g_utf8_validate (task->reason, -1, NULL));
  fuzz_file_remove (job->folder);
}

FUZZ_TARGET (read_input)
