/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "dyno-cluster-driver.h"
#include "dyno-cluster-private.h"
#include "dyno-error.h"
#include "dyno-paths.h"

/* The time that a question waits for a core, in s, and the message of srun if there is none. */
#define PATIENCE_SECONDS "10"
#define NO_ROOM          "Unable to allocate resources"

static GPtrArray *
list_nodes (const DynoClusterOptions *options, GError **error)
{
  static const char *const words[] = { "scontrol", "show", "node", "-o", NULL };
  const char *partition = dyno_cluster_driver_get_argument (options->target);
  g_autofree char *output = dyno_cluster_command_run (words, NULL, &dyno_cluster_command_usual, NULL, error);
  g_autoptr (GPtrArray) found = output != NULL ? dyno_slurm_reader_read_nodes (output) : NULL;
  g_autoptr (GPtrArray) nodes = NULL;

  if (found == NULL)
    return NULL;
  nodes = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_cluster_node_free);
  for (guint i = 0; i < found->len; i++)
    {
      const DynoSlurmNode *node = found->pdata[i];
      const char *arch = node->hardware + strlen ("Arch=");
      g_autofree char *machine = g_strndup (arch, strcspn (arch, " "));
      DynoClusterNode *usable;

      if (!dyno_slurm_node_is_usable (node, partition))
        continue;
      if (options->stage != NULL && !dyno_cluster_stage_check_machine (node->name, machine, error))
        return NULL;
      usable = dyno_cluster_node_new (node->name, node->hardware);
      usable->partitions = g_strdup (node->partitions);
      usable->is_busy = g_strcmp0 (node->state, "IDLE") != 0;
      g_ptr_array_add (nodes, usable);
    }
  return g_steal_pointer (&nodes);
}

static void
add_option (GPtrArray *words, const char *name, const char *value)
{
  if (value != NULL)
    g_ptr_array_add (words, g_strdup_printf ("--%s=%s", name, value));
}

/* Requests the resources of a task on a node, which a question needs, too. */
static void
add_request (GPtrArray *words, const DynoClusterOptions *options)
{
  add_option (words, "job-name", "dyno");
  add_option (words, "nodes", "1");
  add_option (words, "ntasks", "1");
  add_option (words, "partition", dyno_cluster_driver_get_argument (options->target));
  add_option (words, "constraint", options->constraint);
  add_option (words, "gres", options->gres);
  add_option (words, "account", options->account);
  add_option (words, "qos", options->qos);
  add_option (words, "reservation", options->reservation);
}

static GPtrArray *
begin_command (const DynoClusterOptions *options)
{
  GPtrArray *words = g_ptr_array_new_with_free_func (g_free);

  g_ptr_array_add (words, g_strdup ("sbatch"));
  g_ptr_array_add (words, g_strdup ("--parsable"));
  add_request (words, options);
  add_option (words, "time", options->time);
  add_option (words, "nice", options->nice);
  add_option (words, "begin", options->begin);
  add_option (words, "priority", options->priority);
  add_option (words, "open-mode", "append");
  g_ptr_array_add (words, g_strdup ("--requeue"));
  if (!options->shares_nodes)
    g_ptr_array_add (words, g_strdup ("--exclusive"));
  return words;
}

static char *
describe (const DynoClusterOptions *options)
{
  g_autoptr (GPtrArray) words = begin_command (options);
  g_autofree char *command = NULL;

  g_ptr_array_add (words, NULL);
  command = g_strjoinv (" ", (char **)words->pdata);
  /* Translators: a command */
  return g_strdup_printf (_ ("Each task is submitted by: %s"), command);
}

static gboolean
test_node (
    const DynoClusterOptions *options, const char *node, char **answer, double *free_in, GError **error)
{
  g_autoptr (GPtrArray) words = begin_command (options);
  g_autofree char *output = NULL;

  g_ptr_array_add (words, g_strdup ("--test-only"));
  add_option (words, "nodelist", node);
  add_option (words, "wrap", "true");
  g_ptr_array_add (words, NULL);
  output = dyno_cluster_command_run ((const char *const *)words->pdata, NULL, &dyno_cluster_command_usual,
                                     answer, error);
  if (output == NULL)
    return FALSE;
  g_strstrip (*answer);
  *free_in = fmax (0, (double)(dyno_slurm_reader_read_start (*answer) - g_get_real_time ()) / 1e6);
  return TRUE;
}

/* The question needs a core for a moment. */
static char *
ask_node (const DynoClusterOptions *options, const char *node, const char *plan, GError **error)
{
  g_autofree char *program = g_shell_quote (options->program);
  g_autofree char *question = dyno_cluster_driver_write_question (program);
  g_autoptr (GPtrArray) words = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *messages = NULL;
  g_autoptr (GError) local_error = NULL;
  char *answer;

  if (options->stage != NULL)
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_BUSY,
                           _ ("Dyno is not there yet; the task itself finds out what it can measure."));
      return NULL;
    }
  g_ptr_array_add (words, g_strdup ("srun"));
  g_ptr_array_add (words, g_strdup ("--quiet"));
  add_option (words, "immediate", PATIENCE_SECONDS);
  add_request (words, options);
  add_option (words, "nodelist", node);
  g_ptr_array_add (words, g_strdup ("sh"));
  g_ptr_array_add (words, g_strdup ("-c"));
  g_ptr_array_add (words, g_steal_pointer (&question));
  g_ptr_array_add (words, NULL);
  answer = dyno_cluster_command_run ((const char *const *)words->pdata, plan, &dyno_cluster_command_patient,
                                     &messages, &local_error);
  if (local_error == NULL || strstr (local_error->message, NO_ROOM) == NULL)
    {
      if (local_error != NULL)
        g_propagate_error (error, g_steal_pointer (&local_error));
      return dyno_cluster_driver_check_answer (answer, messages, error);
    }
  g_set_error_literal (
      error, G_IO_ERROR, G_IO_ERROR_BUSY,
      _ ("It has no room for a question now; the task itself finds out what it can measure."));
  return NULL;
}

/* All elements of an array are alike until each is pinned to its node, so none may start before that. */
static gint64
queue (DynoClusterJob *job, const DynoClusterOptions *options, GError **error)
{
  g_autoptr (GPtrArray) words = begin_command (options);
  g_autoptr (GString) unsent = g_string_new (NULL);
  /* The index in the array is the number of the task. Percent signs in the folder are escaped for Slurm. */
  g_auto (GStrv) parts = g_strsplit (job->folder, "%", -1);
  g_autofree char *escaped = g_strjoinv ("%%", parts);
  g_autofree char *log = g_build_filename (escaped, "tasks", "%a.log", NULL);
  g_autofree char *staged = options->stage != NULL
                                ? dyno_paths_build (DYNO_PATH_DATA, "stage", options->stage, "dyno", NULL)
                                : NULL;
  g_autofree char *program = g_shell_quote (staged != NULL ? staged : options->program);
  g_autofree char *folder = g_shell_quote (job->folder);
  /* The batch script executes the program in its place, so that it gets the signals. */
  g_autofree char *script = g_strdup_printf ("exec %s jobs task %s $SLURM_ARRAY_TASK_ID", program, folder);
  g_autofree char *output = NULL;
  gint64 handle;

  for (guint i = 0; i < job->tasks->len; i++)
    if (((const DynoClusterTask *)job->tasks->pdata[i])->handle == 0)
      g_string_append_printf (unsent, "%s%u", unsent->len > 0 ? "," : "", i);
  g_ptr_array_add (words, g_strdup ("--hold"));
  add_option (words, "array", unsent->str);
  add_option (words, "comment", job->id);
  add_option (words, "output", log);
  add_option (words, "wrap", script);
  g_ptr_array_add (words, NULL);
  output = dyno_cluster_command_run ((const char *const *)words->pdata, NULL, &dyno_cluster_command_usual,
                                     NULL, error);
  if (output == NULL)
    return 0;
  handle = dyno_slurm_reader_read_submission (output);
  if (handle == 0)
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA,
                 _ ("“sbatch” answered “%s”, which is not the number of a job."), g_strstrip (output));
  return handle;
}

/* One call pins all of them: scontrol also reads commands from its input. A task that was held has lost its priority. */
static gboolean
pin (DynoClusterJob *job, gint64 handle, const char *priority, GError **error)
{
  static const char *const words[] = { "scontrol", NULL };
  g_autoptr (GString) commands = g_string_new (NULL);
  g_autofree char *output = NULL;

  for (guint i = 0; i < job->tasks->len; i++)
    {
      const DynoClusterTask *task = job->tasks->pdata[i];

      if (task->handle == handle)
        g_string_append_printf (commands, "update JobId=%" G_GINT64_FORMAT "_%u ReqNodeList=%s\n", handle, i,
                                task->node);
    }
  g_string_append_printf (commands, "release %" G_GINT64_FORMAT "\n", handle);
  if (priority != NULL)
    g_string_append_printf (commands, "update JobId=%" G_GINT64_FORMAT " Priority=%s\n", handle, priority);
  output = dyno_cluster_command_run (words, commands->str, &dyno_cluster_command_usual, NULL, error);
  return output != NULL;
}

/* Copies to a folder beside the submissions, on the file system that the nodes share. */
static gboolean
stage (const DynoClusterOptions *options, GError **error)
{
  g_autofree char *folder = dyno_paths_build (DYNO_PATH_DATA, "stage", options->stage, NULL);
  g_autofree char *quoted = g_shell_quote (folder);
  g_autofree char *pack = dyno_cluster_stage_write_pack (options->program);
  g_autofree char *unpack = dyno_cluster_stage_write_unpack (quoted, options->program);
  g_autofree char *script = g_strdup_printf ("%s | { %s; }", pack, unpack);
  const char *words[] = { "sh", "-c", script, NULL };
  g_autofree char *output =
      dyno_cluster_command_run (words, NULL, &dyno_cluster_command_copying, NULL, error);

  return output != NULL;
}

static gboolean
move_task (DynoClusterJob *job, guint number, GError **error)
{
  const DynoClusterTask *task = job->tasks->pdata[number];
  g_autofree char *id = g_strdup_printf ("JobId=%" G_GINT64_FORMAT "_%u", task->handle, number);
  g_autofree char *node = g_strconcat ("ReqNodeList=", task->node, NULL);
  const char *words[] = { "scontrol", "update", id, node, NULL };
  g_autofree char *output = dyno_cluster_command_run (words, NULL, &dyno_cluster_command_usual, NULL, error);

  return output != NULL;
}

static gboolean
submit (DynoClusterJob *job, const DynoClusterOptions *options, GError **error)
{
  gint64 handle = options->stage == NULL || stage (options, error) ? queue (job, options, error) : 0;

  for (guint i = 0; i < job->tasks->len; i++)
    {
      DynoClusterTask *task = job->tasks->pdata[i];

      if (task->handle == 0)
        task->handle = handle;
    }
  return handle != 0 && pin (job, handle, options->priority, error);
}

static char *
name_task (gint64 job, gint64 index)
{
  return g_strdup_printf ("%" G_GINT64_FORMAT "_%" G_GINT64_FORMAT, job, index);
}

/* Elements that never began share one line without an index. */
static const DynoSlurmTask *
find_known (DynoClusterJob *job, guint number, GHashTable *found)
{
  const DynoClusterTask *task = job->tasks->pdata[number];
  g_autofree char *name = name_task (task->handle, number);
  g_autofree char *of_all = name_task (task->handle, -1);
  const DynoSlurmTask *known = g_hash_table_lookup (found, name);

  return known != NULL ? known : g_hash_table_lookup (found, of_all);
}

static GPtrArray *
read_answer (const char *const *command, const char *last_word, GError **error)
{
  g_autoptr (GPtrArray) words = g_ptr_array_new ();
  g_autofree char *output = NULL;

  for (; *command != NULL; command++)
    g_ptr_array_add (words, (gpointer)*command);
  g_ptr_array_add (words, (gpointer)last_word);
  g_ptr_array_add (words, NULL);
  output = dyno_cluster_command_run ((const char *const *)words->pdata, NULL, &dyno_cluster_command_usual,
                                     NULL, error);
  return output != NULL ? dyno_slurm_reader_read_tasks (output, -1, error) : NULL;
}

/* One call asks for all of them; old releases answer with the whole queue in any case. */
static gboolean
ask (DynoClusterJob *job, const char *const *command, GHashTable *found, GError **error)
{
  g_autoptr (GHashTable) listed = g_hash_table_new (g_int64_hash, g_int64_equal);
  g_autoptr (GString) handles = g_string_new (NULL);
  g_autoptr (GPtrArray) tasks = NULL;
  gint64 last = 0;

  for (guint i = 0; i < job->tasks->len; i++)
    {
      DynoClusterTask *task = job->tasks->pdata[i];

      if (task->handle <= 0 || task->state == DYNO_TASK_DONE || find_known (job, i, found) != NULL ||
          !g_hash_table_add (listed, &task->handle))
        continue;
      last = task->handle;
      g_string_append_printf (handles, "%s%" G_GINT64_FORMAT, handles->len > 0 ? "," : "", last);
    }
  if (handles->len == 0)
    return TRUE;
  /* Newer releases fail for a single number that they do not know, but not for two. */
  if (g_hash_table_size (listed) == 1)
    g_string_append_printf (handles, ",%" G_GINT64_FORMAT, last);

  tasks = read_answer (command, handles->str, error);
  if (tasks == NULL)
    return FALSE;
  g_ptr_array_set_free_func (tasks, NULL);
  for (guint i = 0; i < tasks->len; i++)
    {
      DynoSlurmTask *task = tasks->pdata[i];

      g_hash_table_replace (found, name_task (task->job, task->index), task);
    }
  return TRUE;
}

static gboolean
lacks_handle (DynoClusterJob *job)
{
  for (guint i = 0; i < job->tasks->len; i++)
    if (((const DynoClusterTask *)job->tasks->pdata[i])->handle == 0)
      return TRUE;
  return FALSE;
}

/* The submitter may have ended before the number was saved; the array has the submission's id as its
 * comment. It may still be held, so it is pinned again, which is harmless. */
static gboolean
find_handles (DynoClusterJob *job, GError **error)
{
  static const char *const queue_of_user[] = { "squeue", "--json", "-t", "all", NULL };
  g_autoptr (GPtrArray) tasks = lacks_handle (job) ? read_answer (queue_of_user, "--me", error) : NULL;
  gint64 handle = 0;

  if (tasks == NULL)
    return !lacks_handle (job);
  for (guint i = 0; i < tasks->len; i++)
    {
      const DynoSlurmTask *task = tasks->pdata[i];

      if (g_strcmp0 (task->comment, job->id) == 0)
        handle = MAX (handle, task->job);
    }
  for (guint i = 0; i < job->tasks->len; i++)
    {
      DynoClusterTask *task = job->tasks->pdata[i];

      task->handle = task->handle != 0 ? task->handle : handle;
    }
  if (handle != 0)
    pin (job, handle, NULL, NULL);
  return TRUE;
}

static gboolean
poll_tasks (DynoClusterJob *job, GError **error)
{
  static const char *const of_queue[] = { "squeue", "--json", "-t", "all", "-j", NULL };
  static const char *const accounts[] = { "sacct", "--json", "-j", NULL };
  g_autoptr (GHashTable) found =
      g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify)dyno_slurm_task_free);
  g_autoptr (GError) local_error = NULL;

  if (!find_handles (job, error) || !ask (job, of_queue, found, error))
    return FALSE;
  /* Many sites keep no accounting. */
  if (!ask (job, accounts, found, &local_error))
    g_debug ("%s", local_error->message);
  for (guint i = 0; i < job->tasks->len; i++)
    {
      DynoClusterTask *task = job->tasks->pdata[i];
      const DynoSlurmTask *known = find_known (job, i, found);
      const char *reason = known != NULL ? known->reason : _ ("Slurm does not know of it any more.");

      if (task->state == DYNO_TASK_DONE)
        continue;
      g_free (task->reason);
      task->state = known != NULL ? known->state : DYNO_TASK_LOST;
      task->reason = reason != NULL ? dyno_task_state_explain_slurm (reason) : NULL;
      task->lacks_node =
          task->state == DYNO_TASK_WAITING && reason != NULL && g_str_has_prefix (reason, "ReqNodeNotAvail");
    }
  return TRUE;
}

/* A job that Slurm has forgotten cannot be cancelled. */
static gboolean
is_cancellable (const DynoClusterTask *task)
{
  return task->handle > 0 && (task->state == DYNO_TASK_WAITING || task->state == DYNO_TASK_RUNNING);
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

      if (is_cancellable (task))
        g_ptr_array_add (words, name_task (task->handle, i));
    }
  g_ptr_array_add (words, NULL);
  if (words->len == 2)
    return TRUE;
  output = dyno_cluster_command_run ((const char *const *)words->pdata, NULL, &dyno_cluster_command_usual,
                                     NULL, error);
  for (guint i = 0; output != NULL && i < job->tasks->len; i++)
    {
      DynoClusterTask *task = job->tasks->pdata[i];

      task->is_stopped = task->is_stopped || is_cancellable (task);
    }
  return output != NULL;
}

const DynoClusterDriver dyno_slurm_driver = {
  .name = "slurm",
  .label = N_ ("Slurm Cluster"),
  .takes = "PARTITION",
  .takes_label = N_ ("Partition (empty: the default)"),
  .has_scheduler = TRUE,
  .time_label = N_ ("Time limit per task (such as “2:00:00”)"),
  .describe = describe,
  .list_nodes = list_nodes,
  .test = test_node,
  .ask = ask_node,
  .submit = submit,
  .poll = poll_tasks,
  .move = move_task,
  .cancel = cancel,
};
