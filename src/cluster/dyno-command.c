/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>
#include <unistd.h>

#include "dyno-command.h"
#include "dyno-error.h"

/* What the user has set for own jobs must not steer these, nor those of a job that this runs in. */
static void
forget_scheduler (GSubprocessLauncher *launcher)
{
  static const char *const prefixes[] = { "SBATCH_", "SLURM_JOB", "SQUEUE_", "SCANCEL_", "SACCT_" };
  g_auto (GStrv) names = g_listenv ();

  for (guint i = 0; names[i] != NULL; i++)
    for (guint j = 0; j < G_N_ELEMENTS (prefixes); j++)
      if (g_str_has_prefix (names[i], prefixes[j]))
        g_subprocess_launcher_unsetenv (launcher, names[i]);
}

static gboolean
check_end (GSubprocess *process, const char *name, const char *messages, GError **error)
{
  g_autofree char *words = g_strstrip (g_strdup (messages != NULL ? messages : ""));

  if (g_subprocess_get_successful (process))
    return TRUE;
  if (*words != '\0')
    g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_FAILED, words);
  else
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_FAILED, _ ("“%s” failed without saying why."), name);
  return FALSE;
}

/**
 * dyno_command_run:
 * @words: (array zero-terminated=1): a command, found in `PATH`, and its arguments
 * @input: (nullable): what it reads
 * @messages: (out) (optional) (transfer full): what it says beside its output
 * @error: return location, with the words of the command where it fails
 *
 * Waits for the end of a command.
 *
 * Returns: (transfer full): what it prints
 */
char *
dyno_command_run (const char *const *words, const char *input, char **messages, GError **error)
{
  g_autoptr (GSubprocessLauncher) launcher =
      g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE |
                                 (input != NULL ? G_SUBPROCESS_FLAGS_STDIN_PIPE : G_SUBPROCESS_FLAGS_NONE));
  g_autoptr (GSubprocess) process = NULL;
  g_autoptr (GError) local_error = NULL;
  g_autofree char *output = NULL;
  g_autofree char *said = NULL;

  forget_scheduler (launcher);
  process = g_subprocess_launcher_spawnv (launcher, words, &local_error);
  if (process == NULL || !g_subprocess_communicate_utf8 (process, input, NULL, &output, &said, &local_error))
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_FAILED,
                   _ ("“%s” cannot be used: %s. Install it, or log in where it is."), words[0],
                   local_error->message);
      return NULL;
    }
  if (!check_end (process, words[0], said, error))
    return NULL;
  if (messages != NULL)
    *messages = g_steal_pointer (&said);
  return g_steal_pointer (&output);
}

static void
detach (gpointer data)
{
  setsid ();
}

/**
 * dyno_command_spawn:
 * @words: (array zero-terminated=1): a command and its arguments
 * @log: where what it prints goes
 * @process: (out): its process
 * @error: return location
 *
 * Starts a command that goes on when this process and its terminal are gone.
 *
 * Returns: whether it runs
 */
gboolean
dyno_command_spawn (const char *const *words, const char *log, gint64 *process, GError **error)
{
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDERR_MERGE);
  g_autoptr (GSubprocess) child = NULL;

  g_subprocess_launcher_set_stdout_file_path (launcher, log);
  g_subprocess_launcher_set_child_setup (launcher, detach, NULL, NULL);
  child = g_subprocess_launcher_spawnv (launcher, words, error);
  if (child == NULL)
    return FALSE;
  *process = g_ascii_strtoll (g_subprocess_get_identifier (child), NULL, 10);
  return TRUE;
}
