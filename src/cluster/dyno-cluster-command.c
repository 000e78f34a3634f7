/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>
#include <unistd.h>

#include "dyno-cluster-private.h"
#include "dyno-error.h"

/* The longest error message, in bytes. */
#define MAX_WORDS 4096

#define MAX_OUTPUT (16 * 1024 * 1024)

const DynoCommandLimits dyno_cluster_command_usual = { MAX_OUTPUT, 120, 600 };
const DynoCommandLimits dyno_cluster_command_patient = { MAX_OUTPUT, 900, 1800 };
const DynoCommandLimits dyno_cluster_command_copying = { MAX_OUTPUT, 21600, 21600 };

/* The user's settings for the scheduler, and those of a job that Dyno runs in, must not affect Dyno's own
 * commands. */
char *
dyno_cluster_command_run (const char *const *words,
                          const char *input,
                          const DynoCommandLimits *limits,
                          char **messages,
                          GError **error)
{
  static const char *const prefixes[] = { "SBATCH_", "SLURM_JOB", "SQUEUE_", "SCANCEL_", "SACCT_" };
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_NONE);
  g_auto (DynoCommandAnswer) answer = { NULL };
  g_autoptr (GError) local_error = NULL;
  g_auto (GStrv) names = g_listenv ();

  for (guint i = 0; names[i] != NULL; i++)
    for (guint j = 0; j < G_N_ELEMENTS (prefixes); j++)
      if (g_str_has_prefix (names[i], prefixes[j]))
        g_subprocess_launcher_unsetenv (launcher, names[i]);
  if (!dyno_command_run (launcher, words, input, limits, g_cancellable_get_current (), &answer, &local_error))
    {
      /* The other errors already name the command and the remedy. */
      if (local_error->domain == G_SPAWN_ERROR)
        g_set_error (error, DYNO_ERROR, DYNO_ERROR_FAILED,
                     _ ("“%s” cannot be used: %s. Install it, or log in where it is."), words[0],
                     local_error->message);
      else
        g_propagate_error (error, g_steal_pointer (&local_error));
      return NULL;
    }

  /* Logins print greetings first, so the error is in the last words. */
  const char *said = g_strstrip (answer.messages);
  gsize length = strlen (said);

  if (!answer.is_successful)
    {
      if (length > 0)
        g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_FAILED,
                             length > MAX_WORDS ? g_utf8_find_next_char (said + length - MAX_WORDS, NULL)
                                                : said);
      else
        g_set_error (error, DYNO_ERROR, DYNO_ERROR_FAILED, _ ("“%s” failed without saying why."), words[0]);
      return NULL;
    }
  if (messages != NULL)
    *messages = g_steal_pointer (&answer.messages);
  return g_steal_pointer (&answer.output);
}

static void
detach (gpointer data)
{
  setsid ();
}

gboolean
dyno_cluster_command_spawn (const char *const *words, const char *log, gint64 *process, GError **error)
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
