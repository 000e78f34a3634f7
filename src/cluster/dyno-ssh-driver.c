/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>

#include "dyno-cluster-driver.h"
#include "dyno-cluster-private.h"
#include "dyno-error.h"
#include "dyno-json.h"

/* Below the folder in which a login begins. */
#define REMOTE_FOLDER ".cache/dyno/jobs"
#define REMOTE_STAGE  ".cache/dyno/stage"

/* Nobody can type a password, and a host name that begins with a dash must not become an option. A lost
 * connection ends after a minute. */
#define OPTIONS "-o", "BatchMode=yes", "-o", "ConnectTimeout=10", "-o", "ServerAliveInterval=20", "--"

/* Its folder is the same on all machines, but logins need not begin in folders of the same name. */
static char *
write_stage (const DynoClusterOptions *options)
{
  return g_strdup_printf ("\"$HOME\"/" REMOTE_STAGE "/%s", options->stage);
}

static char *
write_program (const DynoClusterOptions *options)
{
  g_autofree char *stage = options->stage != NULL ? write_stage (options) : NULL;

  return stage != NULL ? g_strconcat (stage, "/dyno", NULL) : g_shell_quote (options->program);
}

/* Works with any login shell. */
static char *
run_there (const char *host,
           const char *command,
           const char *input,
           const DynoCommandLimits *limits,
           char **messages,
           GError **error)
{
  g_autofree char *quoted = g_shell_quote (command);
  g_autofree char *script = g_strconcat ("exec sh -c ", quoted, NULL);
  const char *words[] = { "ssh", OPTIONS, host, script, NULL };
  g_autoptr (GError) local_error = NULL;
  char *output = dyno_cluster_command_run (words, input, limits, messages, &local_error);

  if (output == NULL)
    /* Translators: a machine, and its error */
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_FAILED, _ ("%s: %s"), host, local_error->message);
  return output;
}

static gboolean
stage (const DynoClusterOptions *options, const char *host, GError **error)
{
  g_autofree char *folder = write_stage (options);
  g_autofree char *question = g_strdup_printf ("uname -m; if [ -x %s/dyno ]; then echo there; fi", folder);
  g_autofree char *answer = run_there (host, question, NULL, &dyno_cluster_command_usual, NULL, error);
  g_auto (GStrv) lines = answer != NULL ? g_strsplit (answer, "\n", -1) : NULL;

  if (lines == NULL || !dyno_cluster_stage_check_machine (host, lines[0], error))
    return FALSE;
  if (g_strv_contains ((const char *const *)lines, "there"))
    return TRUE;

  /* An archive is binary, so a shell connects the two ends. */
  g_autofree char *pack = dyno_cluster_stage_write_pack (options->program);
  g_autofree char *unpack = dyno_cluster_stage_write_unpack (folder, options->program);
  g_autofree char *quoted = g_shell_quote (unpack);
  g_autofree char *script = g_strconcat ("exec sh -c ", quoted, NULL);
  g_autofree char *pipe = g_strconcat (pack, " | \"$@\"", NULL);
  const char *words[] = { "sh", "-c", pipe, "sh", "ssh", OPTIONS, host, script, NULL };
  g_autofree char *output =
      dyno_cluster_command_run (words, NULL, &dyno_cluster_command_copying, NULL, error);
  return output != NULL;
}

static DynoClusterNode *
discover (const DynoClusterOptions *options, const char *host, GError **error)
{
  static const char *const names[] = { "cpu", "caches", "core_kinds", "devices" };
  g_autofree char *program = write_program (options);
  g_autofree char *command = g_strconcat (program, " hardware --json", NULL);
  g_autofree char *output = options->stage == NULL || stage (options, host, error)
                                ? run_there (host, command, NULL, &dyno_cluster_command_patient, NULL, error)
                                : NULL;
  g_autoptr (JsonObject) root = output != NULL ? dyno_json_parse_object (output, -1, host, error) : NULL;
  JsonObject *machine = dyno_json_member_get_object (root, "machine");
  g_autoptr (GString) hardware = g_string_new (NULL);

  /* Machines are equal if Dyno finds the same processor and devices there. */
  for (guint i = 0; machine != NULL && i < G_N_ELEMENTS (names); i++)
    {
      JsonNode *node = json_object_get_member (machine, names[i]);
      g_autofree char *words = node != NULL ? dyno_json_text_write (node, FALSE) : NULL;

      g_string_append (hardware, words != NULL ? words : "");
    }
  return root != NULL ? dyno_cluster_node_new (host, hardware->str) : NULL;
}

static GPtrArray *
list_nodes (const DynoClusterOptions *options, GError **error)
{
  const char *argument = dyno_cluster_driver_get_argument (options->target);
  g_auto (GStrv) hosts = g_strsplit (argument != NULL ? argument : "", ",", -1);
  g_autoptr (GPtrArray) nodes = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_cluster_node_free);

  for (char **host = hosts; *host != NULL; host++)
    {
      DynoClusterNode *node = **host != '\0' ? discover (options, *host, error) : NULL;

      if (node == NULL && **host != '\0')
        return NULL;
      if (node != NULL)
        g_ptr_array_add (nodes, node);
    }
  return g_steal_pointer (&nodes);
}

static char *
ask (const DynoClusterOptions *options, const char *host, const char *plan, GError **error)
{
  g_autofree char *program = write_program (options);
  g_autofree char *question = dyno_cluster_driver_write_question (program);
  g_autofree char *messages = NULL;
  char *answer = run_there (host, question, plan, &dyno_cluster_command_patient, &messages, error);

  return dyno_cluster_driver_check_answer (answer, messages, error);
}

static gboolean
start (DynoClusterJob *job, const DynoClusterOptions *options, guint number, GError **error)
{
  DynoClusterTask *task = job->tasks->pdata[number];
  g_autofree char *path = g_build_filename (job->folder, "job.json", NULL);
  g_autofree char *program = write_program (options);
  g_autofree char *command =
      g_strdup_printf ("mkdir -p " REMOTE_FOLDER "/%s/tasks && cd " REMOTE_FOLDER "/%s && cat > job.json && "
                       "{ nohup setsid %s jobs task \"$PWD\" %u > tasks/%u.log 2>&1 < /dev/null & echo $! "
                       "> tasks/%u.pid; } && "
                       "cat tasks/%u.pid",
                       job->id, job->id, program, number, number, number, number);
  g_autofree char *text = NULL;
  g_autofree char *output = NULL;

  if (!g_file_get_contents (path, &text, NULL, error))
    return FALSE;
  output = run_there (task->node, command, text, &dyno_cluster_command_usual, NULL, error);
  if (output == NULL)
    return FALSE;
  task->handle = g_ascii_strtoll (output, NULL, 10);
  if (task->handle <= 0)
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA,
                 _ ("“%s” answered “%s”, which is not the number of a process."), task->node,
                 g_strstrip (output));
  return task->handle > 0;
}

static gboolean
submit (DynoClusterJob *job, const DynoClusterOptions *options, GError **error)
{
  for (guint i = 0; i < job->tasks->len; i++)
    if (((const DynoClusterTask *)job->tasks->pdata[i])->handle == 0 && !start (job, options, i, error))
      return FALSE;
  return TRUE;
}

/* A document gets its name only when it is complete, even if the connection breaks. */
static gboolean
move_into_place (const char *from, const char *to, GError **error)
{
  g_autoptr (GDir) folder = g_dir_open (from, 0, error);
  const char *name;

  while (folder != NULL && (name = g_dir_read_name (folder)) != NULL)
    {
      g_autofree char *source = g_build_filename (from, name, NULL);
      g_autofree char *target = g_build_filename (to, name, NULL);

      if (g_rename (source, target) == 0)
        continue;
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_FAILED, _ ("“%s” cannot be written: %s."), target,
                   g_strerror (errno));
      return FALSE;
    }
  return folder != NULL;
}

static gboolean
bring (DynoClusterJob *job, guint number, GError **error)
{
  const DynoClusterTask *task = job->tasks->pdata[number];
  g_autofree char *source =
      g_strdup_printf ("%s:" REMOTE_FOLDER "/%s/tasks/%u[.-]*", task->node, job->id, number);
  g_autofree char *name = g_strdup_printf ("incoming-%u", number);
  g_autofree char *incoming = g_build_filename (job->folder, name, NULL);
  g_autofree char *tasks_folder = g_build_filename (job->folder, "tasks", NULL);
  const char *words[] = { "scp", "-q", OPTIONS, source, incoming, NULL };
  g_autofree char *output = NULL;
  gboolean is_moved;

  g_mkdir_with_parents (incoming, 0700);
  output = dyno_cluster_command_run (words, NULL, &dyno_cluster_command_patient, NULL, error);
  is_moved = output != NULL && move_into_place (incoming, tasks_folder, error);
  g_rmdir (incoming);
  return is_moved;
}

static void
take_answer (DynoClusterJob *job, guint number, const char *answer)
{
  DynoClusterTask *task = job->tasks->pdata[number];
  g_autofree char *log = dyno_cluster_job_build_path (job, number, ".log");

  task->state = g_str_has_prefix (answer, "running") ? DYNO_TASK_RUNNING : DYNO_TASK_ENDED;
  /* With its last document here, nobody asks for the task again, though it may need a moment to end. */
  if (!g_str_has_prefix (answer, "gone") &&
      (task->state == DYNO_TASK_ENDED || dyno_cluster_job_is_done (job, number)))
    {
      /* Removes the remote files once all of them are here. Another task of the submission may have files in the
       * same folder. */
      g_autofree char *command = g_strdup_printf (
          "cd " REMOTE_FOLDER
          " && rm -f %s/tasks/%u.* %s/tasks/%u-* && if rmdir %s/tasks 2> /dev/null; then rm -r %s; fi",
          job->id, number, job->id, number, job->id, job->id);
      g_autoptr (GError) error = NULL;
      g_autofree char *output =
          run_there (task->node, command, NULL, &dyno_cluster_command_usual, NULL, &error);

      if (output == NULL)
        g_debug ("%s", error->message);
    }
  if (!g_file_test (log, G_FILE_TEST_EXISTS))
    {
      task->state = DYNO_TASK_LOST;
      task->reason = g_strdup (_ ("It was not started there. Submit again."));
    }
}

/* A machine that does not answer may still be measuring. */
static void
poll_task (DynoClusterJob *job, guint number)
{
  DynoClusterTask *task = job->tasks->pdata[number];
  g_autofree char *command = g_strdup_printf (
      "d=" REMOTE_FOLDER "/%s/tasks; if [ ! -e $d/%u.log ]; then echo gone; "
      "elif grep -aqsF %s /proc/$(cat $d/%u.pid)/cmdline; then echo running; else echo ended; fi",
      job->id, number, job->id, number);
  g_autoptr (GError) error = NULL;
  g_autofree char *output = run_there (task->node, command, NULL, &dyno_cluster_command_usual, NULL, &error);

  g_clear_pointer (&task->reason, g_free);
  if (output != NULL && (g_str_has_prefix (output, "gone") || bring (job, number, &error)))
    {
      take_answer (job, number, output);
      return;
    }
  task->state = DYNO_TASK_LOST;
  task->reason = g_strdup_printf (_ ("It cannot be asked, and may well go on: %s"), error->message);
}

static gboolean
poll_tasks (DynoClusterJob *job, GError **error)
{
  for (guint i = 0; i < job->tasks->len; i++)
    if (((const DynoClusterTask *)job->tasks->pdata[i])->state != DYNO_TASK_DONE)
      poll_task (job, i);
  return TRUE;
}

static gboolean
cancel_task (DynoClusterJob *job, guint number, GError **error)
{
  DynoClusterTask *task = job->tasks->pdata[number];
  g_autofree char *command =
      g_strdup_printf ("cd " REMOTE_FOLDER
                       "/%s/tasks && p=$(cat %u.pid) && if grep -aqsF %s /proc/$p/cmdline; then kill $p; fi",
                       job->id, number, job->id);
  g_autoptr (GError) local_error = NULL;
  g_autofree char *output =
      run_there (task->node, command, NULL, &dyno_cluster_command_usual, NULL, &local_error);

  if (output != NULL)
    {
      task->is_stopped = TRUE;
      return TRUE;
    }
  g_free (task->reason);
  task->reason = g_strdup (local_error->message);
  g_propagate_error (error, g_steal_pointer (&local_error));
  return FALSE;
}

/* A machine that does not answer does not keep the others from being told. */
static gboolean
cancel (DynoClusterJob *job, GError **error)
{
  gboolean all_told = TRUE;

  for (guint i = 0; i < job->tasks->len; i++)
    {
      const DynoClusterTask *task = job->tasks->pdata[i];

      if (dyno_cluster_task_is_open (task) && !cancel_task (job, i, all_told ? error : NULL))
        all_told = FALSE;
    }
  return all_told;
}

const DynoClusterDriver dyno_ssh_driver = {
  .name = "ssh",
  .label = N_ ("Machines over SSH"),
  .takes = "HOST,HOST",
  .takes_label = N_ ("Hosts, with commas between them"),
  .missing = N_ ("Enter the hosts to measure on"),
  .list_nodes = list_nodes,
  .ask = ask,
  .submit = submit,
  .poll = poll_tasks,
  .cancel = cancel,
};
