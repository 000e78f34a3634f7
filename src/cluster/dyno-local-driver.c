/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "dyno-cluster-driver.h"
#include "dyno-cluster-private.h"
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

static char *
ask (const DynoClusterOptions *options, const char *node, const char *plan, GError **error)
{
  g_autofree char *program = g_shell_quote (options->program);
  g_autofree char *question = dyno_cluster_driver_write_question (program);
  const char *words[] = { "sh", "-c", question, NULL };
  g_autofree char *messages = NULL;
  char *answer = dyno_cluster_command_run (words, plan, &dyno_cluster_command_patient, &messages, error);

  return dyno_cluster_driver_check_answer (answer, messages, error);
}

static gboolean
submit (DynoClusterJob *job, const DynoClusterOptions *options, GError **error)
{
  for (guint i = 0; i < job->tasks->len; i++)
    {
      DynoClusterTask *task = job->tasks->pdata[i];
      g_autofree char *log = dyno_cluster_job_build_path (job, i, ".log");
      g_autofree char *name = g_strdup_printf ("%u", i);
      const char *words[] = { options->program, "jobs", "task", job->folder, name, NULL };

      if (task->handle == 0 && !dyno_cluster_command_spawn (words, log, &task->handle, error))
        return FALSE;
    }
  return TRUE;
}

/* The number may have been reused by another process, which does not have the folder in its command line.
 **/
static gboolean
is_of_job (DynoClusterJob *job, const char *process)
{
  g_autofree char *path = dyno_paths_build (DYNO_PATH_PROCFS, process, "cmdline", NULL);
  g_autoptr (GBytes) line = dyno_file_read (path, MAX_COMMAND_LINE, NULL);
  gsize size = 0;
  const char *text = line != NULL ? g_bytes_get_data (line, &size) : NULL;

  for (const char *word = text; word != NULL && word < text + size; word += strlen (word) + 1)
    if (g_str_equal (word, job->folder))
      return TRUE;
  return FALSE;
}

static gboolean
is_running (DynoClusterJob *job, const DynoClusterTask *task)
{
  g_autofree char *process = g_strdup_printf ("%" G_GINT64_FORMAT, task->handle);

  return task->handle > 0 && is_of_job (job, process);
}

static gboolean
poll_tasks (DynoClusterJob *job, GError **error)
{
  for (guint i = 0; i < job->tasks->len; i++)
    {
      DynoClusterTask *task = job->tasks->pdata[i];

      /* The submitter may have ended before the number was saved. A child of the task briefly has the same
       * command line, but it does not lead a session. */
      g_autofree char *path = dyno_paths_build (DYNO_PATH_PROCFS, NULL, NULL);
      g_autoptr (GDir) processes = g_dir_open (path, 0, NULL);
      const char *name;

      while (processes != NULL && task->handle == 0 && (name = g_dir_read_name (processes)) != NULL)
        {
          gint64 process = g_ascii_strtoll (name, NULL, 10);

          if (process > 0 && is_of_job (job, name) && getsid ((pid_t)process) == (pid_t)process)
            task->handle = process;
        }
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
        task->is_stopped = kill ((pid_t)task->handle, SIGTERM) == 0;
    }
  return TRUE;
}

const DynoClusterDriver dyno_local_driver = {
  .name = "local",
  .label = N_ ("In the Background Here"),
  .list_nodes = list_nodes,
  .ask = ask,
  .submit = submit,
  .poll = poll_tasks,
  .cancel = cancel,
};
