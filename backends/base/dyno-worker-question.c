/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-error.h"
#include "dyno-paths.h"
#include "dyno-system.h"
#include "dyno-worker-question.h"

/* One run of the worker; the context is its own, so that it can be waited for on any thread. */
typedef struct
{
  GSubprocess *process;
  GMainContext *context;
  GMainLoop *loop;
  GBytes *answer;
  GError *error;
} Question;

static void
question_clear (Question *self)
{
  g_clear_object (&self->process);
  g_clear_pointer (&self->loop, g_main_loop_unref);
  g_clear_pointer (&self->context, g_main_context_unref);
  g_clear_pointer (&self->answer, g_bytes_unref);
  g_clear_error (&self->error);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Question, question_clear)

/* Runs in the child, between fork and exec: nothing here may allocate. */
static void
child_setup (gpointer data)
{
  dyno_system_die_with_parent ();
}

static gboolean
late_cb (gpointer data)
{
  Question *self = data;

  g_subprocess_force_exit (self->process);
  return G_SOURCE_REMOVE;
}

static void
answered_cb (GObject *object, GAsyncResult *result, gpointer data)
{
  Question *self = data;

  g_subprocess_communicate_finish (G_SUBPROCESS (object), result, &self->answer, NULL, &self->error);
  g_main_loop_quit (self->loop);
}

static void
wait_for_answer (Question *self, guint seconds)
{
  g_autoptr (GSource) deadline = g_timeout_source_new_seconds (seconds);

  self->loop = g_main_loop_new (self->context, FALSE);
  g_source_set_callback (deadline, late_cb, self, NULL);
  g_source_attach (deadline, self->context);
  g_subprocess_communicate_async (self->process, NULL, NULL, answered_cb, self);
  g_main_loop_run (self->loop);
  g_source_destroy (deadline);
}

static GSubprocess *
start (const char *const *arguments, const char *variable, const char *value, GError **error)
{
  g_autoptr (GSubprocessLauncher) launcher =
      g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_SILENCE);
  g_autofree char *path = dyno_paths_build (DYNO_PATH_LIBEXEC, "dyno-worker", NULL);
  g_autoptr (GPtrArray) command = g_ptr_array_new ();

  g_ptr_array_add (command, path);
  for (; *arguments != NULL; arguments++)
    g_ptr_array_add (command, (char *)*arguments);
  g_ptr_array_add (command, NULL);
  if (variable != NULL)
    g_subprocess_launcher_setenv (launcher, variable, value, TRUE);
  /* ONNX Runtime sends telemetry before a call can turn that off. */
  g_subprocess_launcher_setenv (launcher, "ORT_DISABLE_TELEMETRY", "1", TRUE);
  g_subprocess_launcher_set_child_setup (launcher, child_setup, NULL, NULL);
  return g_subprocess_launcher_spawnv (launcher, (const char *const *)command->pdata, error);
}

static JsonObject *
parse_answer (Question *self)
{
  g_autoptr (JsonParser) parser = json_parser_new ();
  gsize length = 0;
  const char *text = g_bytes_get_data (self->answer, &length);
  JsonNode *root;

  if (text == NULL || !json_parser_load_from_data (parser, text, (gssize)length, NULL))
    return NULL;
  root = json_parser_get_root (parser);
  return root != NULL && JSON_NODE_HOLDS_OBJECT (root) ? json_node_dup_object (root) : NULL;
}

/**
 * dyno_worker_question_ask:
 * @arguments: (array zero-terminated=1): what to ask `dyno-worker`
 * @variable: (nullable): a variable of its environment
 * @value: (nullable): its value
 * @seconds: how long to wait for the answer
 * @error: return location for an error: %DYNO_ERROR_NO_RUNTIME if the process crashed or gave no answer
 *
 * Finds out in a process of its own what would do harm in this one, such as opening a second library of an engine.
 * Blocks; any thread may call this.
 *
 * Returns: (transfer full) (nullable): the object that the process printed
 */
JsonObject *
dyno_worker_question_ask (
    const char *const *arguments, const char *variable, const char *value, guint seconds, GError **error)
{
  g_auto (Question) question = { NULL };
  JsonObject *answer = NULL;

  question.context = g_main_context_new ();
  g_main_context_push_thread_default (question.context);
  question.process = start (arguments, variable, value, error);
  if (question.process != NULL)
    wait_for_answer (&question, seconds);
  g_main_context_pop_thread_default (question.context);
  if (question.process == NULL)
    return NULL;
  if (question.answer != NULL)
    answer = parse_answer (&question);
  if (answer == NULL)
    g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_NO_RUNTIME,
                         _ ("A process that examined it crashed or did not answer."));
  return answer;
}
