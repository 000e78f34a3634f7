/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "dyno-cluster-driver.h"
#include "dyno-command.h"
#include "dyno-error.h"
#include "dyno-slurm-reader.h"

static GPtrArray *
list_nodes (const DynoClusterOptions *options, GError **error)
{
  static const char *const words[] = { "scontrol", "show", "node", "-o", NULL };
  const char *partition = dyno_cluster_driver_get_argument (options->target);
  g_autofree char *output = dyno_command_run (words, NULL, NULL, error);
  g_autoptr (GPtrArray) found = output != NULL ? dyno_slurm_reader_read_nodes (output) : NULL;
  GPtrArray *nodes;

  if (found == NULL)
    return NULL;
  nodes = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_cluster_node_free);
  for (guint i = 0; i < found->len; i++)
    {
      const DynoSlurmNode *node = found->pdata[i];

      if (dyno_slurm_node_is_usable (node, partition))
        g_ptr_array_add (nodes, dyno_cluster_node_new (node->name, node->hardware));
    }
  return nodes;
}

static void
add_option (GPtrArray *words, const char *name, const char *value)
{
  if (value != NULL)
    g_ptr_array_add (words, g_strdup_printf ("--%s=%s", name, value));
}

static GPtrArray *
begin_command (const DynoClusterOptions *options, const char *node)
{
  GPtrArray *words = g_ptr_array_new_with_free_func (g_free);

  g_ptr_array_add (words, g_strdup ("sbatch"));
  g_ptr_array_add (words, g_strdup ("--parsable"));
  add_option (words, "job-name", "dyno");
  add_option (words, "nodes", "1");
  add_option (words, "ntasks", "1");
  add_option (words, "nodelist", node);
  add_option (words, "open-mode", "append");
  g_ptr_array_add (words, g_strdup ("--requeue"));
  if (!options->shares_nodes)
    g_ptr_array_add (words, g_strdup ("--exclusive"));
  add_option (words, "partition", dyno_cluster_driver_get_argument (options->target));
  add_option (words, "constraint", options->constraint);
  add_option (words, "gres", options->gres);
  add_option (words, "time", options->time);
  add_option (words, "account", options->account);
  return words;
}

static gboolean
test_node (const DynoClusterOptions *options, const char *node, char **answer, GError **error)
{
  g_autoptr (GPtrArray) words = begin_command (options, node);
  g_autofree char *output = NULL;

  g_ptr_array_add (words, g_strdup ("--test-only"));
  add_option (words, "wrap", "true");
  g_ptr_array_add (words, NULL);
  output = dyno_command_run ((const char *const *)words->pdata, NULL, answer, error);
  if (output != NULL)
    g_strstrip (*answer);
  return output != NULL;
}

/* The batch script becomes the program, so that it gets the signals. */
static char *
write_script (DynoClusterJob *job, const DynoClusterOptions *options, guint number)
{
  g_autofree char *program = g_shell_quote (options->program);
  g_autofree char *folder = g_shell_quote (job->folder);

  return g_strdup_printf ("exec %s jobs task %s %u", program, folder, number);
}

static gboolean
submit (DynoClusterJob *job, const DynoClusterOptions *options, guint number, GError **error)
{
  DynoClusterTask *task = job->tasks->pdata[number];
  g_autoptr (GPtrArray) words = begin_command (options, task->node);
  g_autofree char *log = dyno_cluster_job_build_path (job, number, ".log");
  g_autofree char *script = write_script (job, options, number);
  g_autofree char *output = NULL;

  add_option (words, "comment", job->id);
  add_option (words, "output", log);
  add_option (words, "wrap", script);
  g_ptr_array_add (words, NULL);
  output = dyno_command_run ((const char *const *)words->pdata, NULL, NULL, error);
  if (output == NULL)
    return FALSE;
  task->handle = dyno_slurm_reader_read_submission (output);
  if (task->handle == 0)
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA,
                 _ ("“sbatch” answered “%s”, which is not the number of a job."), g_strstrip (output));
  return task->handle != 0;
}

/* Newer releases fail for one number that they do not know, but not for two of them. */
static char *
list_handles (DynoClusterJob *job, GHashTable *found)
{
  GString *list = g_string_new (NULL);
  gint64 last = 0;
  guint n_handles = 0;

  for (guint i = 0; i < job->tasks->len; i++)
    {
      const DynoClusterTask *task = job->tasks->pdata[i];

      if (task->handle <= 0 || task->state == DYNO_TASK_DONE || g_hash_table_contains (found, &task->handle))
        continue;
      last = task->handle;
      g_string_append_printf (list, "%s%" G_GINT64_FORMAT, n_handles++ > 0 ? "," : "", last);
    }
  if (n_handles == 1)
    g_string_append_printf (list, ",%" G_GINT64_FORMAT, last);
  return g_string_free (list, FALSE);
}

/* One call for all of them; old releases answer with the whole queue whatever they are asked for. */
static gboolean
ask (DynoClusterJob *job, const char *const *command, GHashTable *found, GError **error)
{
  g_autofree char *handles = list_handles (job, found);
  g_autoptr (GPtrArray) words = g_ptr_array_new ();
  g_autofree char *output = NULL;
  g_autoptr (GPtrArray) tasks = NULL;

  if (*handles == '\0')
    return TRUE;
  for (; *command != NULL; command++)
    g_ptr_array_add (words, (gpointer)*command);
  g_ptr_array_add (words, handles);
  g_ptr_array_add (words, NULL);
  output = dyno_command_run ((const char *const *)words->pdata, NULL, NULL, error);
  tasks = output != NULL ? dyno_slurm_reader_read_tasks (output, -1, error) : NULL;
  if (tasks == NULL)
    return FALSE;
  g_ptr_array_set_free_func (tasks, NULL);
  for (guint i = 0; i < tasks->len; i++)
    {
      DynoSlurmTask *task = tasks->pdata[i];

      g_hash_table_replace (found, &task->job, task);
    }
  return TRUE;
}

static void
take_state (DynoClusterTask *task, const DynoSlurmTask *known)
{
  g_free (task->reason);
  task->state = known != NULL ? known->state : DYNO_TASK_LOST;
  task->reason = g_strdup (known != NULL ? known->reason : _ ("Slurm does not know of it any more."));
}

static gboolean
poll_tasks (DynoClusterJob *job, GError **error)
{
  static const char *const queue[] = { "squeue", "--json", "-t", "all", "-j", NULL };
  static const char *const accounts[] = { "sacct", "--json", "-j", NULL };
  g_autoptr (GHashTable) found =
      g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, (GDestroyNotify)dyno_slurm_task_free);
  g_autoptr (GError) local_error = NULL;

  if (!ask (job, queue, found, error))
    return FALSE;
  /* Many sites keep no accounts. */
  if (!ask (job, accounts, found, &local_error))
    g_debug ("%s", local_error->message);
  for (guint i = 0; i < job->tasks->len; i++)
    {
      DynoClusterTask *task = job->tasks->pdata[i];

      if (task->state != DYNO_TASK_DONE)
        take_state (task, g_hash_table_lookup (found, &task->handle));
    }
  return TRUE;
}

static gboolean
cancel (DynoClusterJob *job, GError **error)
{
  g_autoptr (GPtrArray) words = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *output = NULL;

  g_ptr_array_add (words, g_strdup ("scancel"));
  for (guint i = 0; i < job->tasks->len; i++)
    {
      const DynoClusterTask *task = job->tasks->pdata[i];

      if (task->handle > 0 && task->state != DYNO_TASK_DONE)
        g_ptr_array_add (words, g_strdup_printf ("%" G_GINT64_FORMAT, task->handle));
    }
  g_ptr_array_add (words, NULL);
  if (words->len == 2)
    return TRUE;
  output = dyno_command_run ((const char *const *)words->pdata, NULL, NULL, error);
  return output != NULL;
}

const DynoClusterDriver dyno_slurm_driver = {
  .name = "slurm",
  .takes = "PARTITION",
  .has_scheduler = TRUE,
  .list_nodes = list_nodes,
  .test = test_node,
  .submit = submit,
  .poll = poll_tasks,
  .cancel = cancel,
};
