/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <signal.h>
#include <string.h>

#include "dyno-cluster-driver.h"
#include "dyno-command.h"
#include "dyno-file.h"
#include "dyno-paths.h"

#define MAX_COMMAND_LINE (64 * 1024)

static GPtrArray *
list_nodes (const DynoClusterOptions *options, GError **error)
{
  GPtrArray *nodes = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_cluster_node_free);

  g_ptr_array_add (nodes, dyno_cluster_node_new (g_get_host_name (), NULL));
  return nodes;
}

static gboolean
submit (DynoClusterJob *job, const DynoClusterOptions *options, guint number, GError **error)
{
  DynoClusterTask *task = job->tasks->pdata[number];
  g_autofree char *log = dyno_cluster_job_build_path (job, number, ".log");
  g_autofree char *name = g_strdup_printf ("%u", number);
  const char *words[] = { options->program, "jobs", "task", job->folder, name, NULL };

  return dyno_command_spawn (words, log, &task->handle, error);
}

/* The number of a process may have gone to another one, which does not have the folder in its command line. */
static gboolean
is_running (DynoClusterJob *job, const DynoClusterTask *task)
{
  g_autofree char *number = g_strdup_printf ("%" G_GINT64_FORMAT, task->handle);
  g_autofree char *path = dyno_paths_build (DYNO_PATH_PROCFS, number, "cmdline", NULL);
  g_autoptr (GBytes) line = task->handle > 0 ? dyno_file_read (path, MAX_COMMAND_LINE, NULL) : NULL;
  gsize size = 0;
  const char *text = line != NULL ? g_bytes_get_data (line, &size) : NULL;

  for (const char *word = text; word != NULL && word < text + size; word += strlen (word) + 1)
    if (g_str_equal (word, job->folder))
      return TRUE;
  return FALSE;
}

static gboolean
poll_tasks (DynoClusterJob *job, GError **error)
{
  for (guint i = 0; i < job->tasks->len; i++)
    {
      DynoClusterTask *task = job->tasks->pdata[i];

      task->state = is_running (job, task) ? DYNO_TASK_RUNNING : DYNO_TASK_ENDED;
    }
  return TRUE;
}

static gboolean
cancel (DynoClusterJob *job, GError **error)
{
  for (guint i = 0; i < job->tasks->len; i++)
    {
      DynoClusterTask *task = job->tasks->pdata[i];

      if (is_running (job, task))
        kill ((pid_t)task->handle, SIGTERM);
    }
  return TRUE;
}

const DynoClusterDriver dyno_local_driver = {
  .name = "local",
  .list_nodes = list_nodes,
  .submit = submit,
  .poll = poll_tasks,
  .cancel = cancel,
};
