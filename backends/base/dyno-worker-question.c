/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-command.h"
#include "dyno-error.h"
#include "dyno-json.h"
#include "dyno-paths.h"
#include "dyno-probe.h"

/* An engine may print much more than the answer. */
#define MAX_OUTPUT (16 * 1024 * 1024)

JsonObject *
dyno_worker_question_ask (
    const char *const *arguments, const char *variable, const char *value, guint seconds, GError **error)
{
  const DynoCommandLimits limits = { MAX_OUTPUT, seconds, seconds };
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_NONE);
  g_autofree char *path = dyno_paths_build (DYNO_PATH_LIBEXEC, "dyno-worker", NULL);
  g_autoptr (GPtrArray) command = g_ptr_array_new ();
  g_auto (DynoCommandAnswer) answer = { NULL };
  g_autoptr (GError) local_error = NULL;
  JsonObject *object = NULL;

  g_ptr_array_add (command, path);
  for (; *arguments != NULL; arguments++)
    g_ptr_array_add (command, (char *)*arguments);
  g_ptr_array_add (command, NULL);
  if (variable != NULL)
    g_subprocess_launcher_setenv (launcher, variable, value, TRUE);
  /* ONNX Runtime sends telemetry before a call can turn it off. */
  g_subprocess_launcher_setenv (launcher, "ORT_DISABLE_TELEMETRY", "1", TRUE);
  if (dyno_command_run (launcher, (const char *const *)command->pdata, NULL, &limits, NULL, &answer,
                        &local_error))
    object = dyno_json_try_object (answer.output, -1);
  if (g_error_matches (local_error, G_SPAWN_ERROR, G_SPAWN_ERROR_NOENT))
    g_propagate_error (error, g_steal_pointer (&local_error));
  else if (object == NULL && answer.signal != 0)
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_NO_RUNTIME, _ ("A process that examined it crashed: %s."),
                 g_strsignal (answer.signal));
  else if (object == NULL)
    g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_NO_RUNTIME,
                         _ ("A process that examined it crashed or did not answer."));
  return object;
}
