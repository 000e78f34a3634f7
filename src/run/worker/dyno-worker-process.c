/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "dyno-backend.h"
#include "dyno-error.h"
#include "dyno-paths.h"
#include "dyno-run-worker-private.h"
#include "dyno-system.h"

/* Runs in the child, between fork and exec: nothing here may allocate. */
static void
child_setup (gpointer data)
{
  setpgid (0, 0);
  dyno_system_die_with_parent (SIGKILL);
}

char *
dyno_worker_process_dup_path (void)
{
  return dyno_paths_build (DYNO_PATH_LIBEXEC, "dyno-worker", NULL);
}

GSubprocessLauncher *
dyno_worker_process_prepare (GSubprocessFlags flags)
{
  GSubprocessLauncher *launcher = g_subprocess_launcher_new (flags);
  GPtrArray *paths = dyno_engine_path_list ();

  /* The worker searches for engines that are not named. */
  for (guint i = 0; i < paths->len; i++)
    {
      const DynoEnginePath *engine = paths->pdata[i];
      g_autofree char *path = dyno_engine_path_dup (engine->variable);

      if (path != NULL)
        g_subprocess_launcher_setenv (launcher, engine->variable, path, TRUE);
    }
  /* ONNX Runtime would send telemetry during a measurement, and leave files behind. */
  g_subprocess_launcher_setenv (launcher, "ORT_DISABLE_TELEMETRY", "1", TRUE);
  g_subprocess_launcher_set_child_setup (launcher, child_setup, NULL, NULL);
  return launcher;
}

GSubprocess *
dyno_worker_process_start (GSubprocessLauncher *launcher, const char *const *arguments, GError **error)
{
  g_autofree char *path = dyno_worker_process_dup_path ();
  g_autoptr (GPtrArray) command = g_ptr_array_new ();
  g_autoptr (GError) local_error = NULL;
  GSubprocess *process;

  g_ptr_array_add (command, path);
  for (; *arguments != NULL; arguments++)
    g_ptr_array_add (command, (char *)*arguments);
  g_ptr_array_add (command, NULL);
  process = g_subprocess_launcher_spawnv (launcher, (const char *const *)command->pdata, &local_error);
  if (process == NULL)
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_WORKER_DIED,
                 _ ("The measuring process “%s” could not be started: %s. Install Dyno again."), path,
                 local_error->message);
  return process;
}

char *
dyno_worker_process_dup_last_words (const char *words, gsize length)
{
  g_autofree char *text = g_utf8_make_valid (length > 0 ? words : "", (gssize)length);
  const char *newline = strrchr (g_strchomp (text), '\n');
  const char *last = newline != NULL ? newline + 1 : text;

  return g_strdup (*last != '\0' ? last : _ ("There was no message."));
}
