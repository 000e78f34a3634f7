/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <signal.h>

#include "dyno-ceiling.h"
#include "dyno-device-ceilings.h"
#include "dyno-error.h"
#include "dyno-json.h"
#include "dyno-worker-process.h"

/* Opening models and making their numbers comes on top of the requested time; a worker that takes longer than this
 * hangs. */
#define DEADLINE_FACTOR  4
#define DEADLINE_SECONDS 120

typedef struct
{
  GSubprocess *process;
  GCancellable *cancellable;
  gulong handler;
  guint deadline;
  gboolean is_late;
  char *output;
  GError *error;
} Request;

static void
request_free (gpointer data)
{
  Request *request = data;

  g_clear_handle_id (&request->deadline, g_source_remove);
  g_cancellable_disconnect (request->cancellable, request->handler);
  g_clear_object (&request->cancellable);
  g_clear_object (&request->process);
  g_clear_error (&request->error);
  g_free (request->output);
  g_free (request);
}

/* With all that it has started. */
static void
give_up (Request *request)
{
  const char *identifier = g_subprocess_get_identifier (request->process);

  if (identifier != NULL)
    kill (-(pid_t)g_ascii_strtoll (identifier, NULL, 10), SIGKILL);
}

static void
cancelled_cb (GCancellable *cancellable, gpointer data)
{
  give_up (data);
}

static gboolean
late_cb (gpointer data)
{
  Request *request = data;

  request->is_late = TRUE;
  request->deadline = 0;
  give_up (request);
  return G_SOURCE_REMOVE;
}

static GPtrArray *
read_ceilings (JsonObject *answer, GError **error)
{
  g_autoptr (GPtrArray) ceilings = g_ptr_array_new_with_free_func (g_object_unref);
  JsonArray *array =
      json_object_has_member (answer, "ceilings") ? json_object_get_array_member (answer, "ceilings") : NULL;

  for (guint i = 0; array != NULL && i < json_array_get_length (array); i++)
    {
      DynoCeiling *ceiling = dyno_ceiling_from_json (json_array_get_object_element (array, i));

      if (ceiling != NULL)
        g_ptr_array_add (ceilings, ceiling);
    }
  if (ceilings->len > 0)
    return g_steal_pointer (&ceilings);
  g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_FAILED,
                       json_object_get_string_member_with_default (
                           answer, "error", _ ("The measuring process returned no ceilings.")));
  return NULL;
}

static GPtrArray *
read_answer (Request *request, const char *output, GError **error)
{
  g_autoptr (JsonObject) answer = NULL;

  if (request->is_late)
    {
      g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_TIMED_OUT,
                           _ ("The device exceeded its time limit and was stopped."));
      return NULL;
    }
  if (output == NULL || *output == '\0')
    {
      g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_WORKER_DIED,
                           _ ("The engine or its driver ended the measuring process."));
      return NULL;
    }
  answer = dyno_json_parse_object (output, -1, _ ("the device’s ceilings"), error);
  return answer != NULL ? read_ceilings (answer, error) : NULL;
}

/* Only now is it known that nothing of it goes on, and who owned what was left behind. */
static void
ended_cb (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  Request *request = g_task_get_task_data (task);
  GPtrArray *ceilings = NULL;

  g_subprocess_wait_finish (G_SUBPROCESS (object), result, NULL);
  dyno_worker_process_clean_up ();
  if (g_task_return_error_if_cancelled (task))
    return;
  if (request->error == NULL)
    ceilings = read_answer (request, request->output, &request->error);
  if (ceilings != NULL)
    g_task_return_pointer (task, ceilings, (GDestroyNotify)g_ptr_array_unref);
  else
    g_task_return_error (task, g_steal_pointer (&request->error));
}

static void
answered_cb (GObject *object, GAsyncResult *result, gpointer data)
{
  Request *request = g_task_get_task_data (data);

  g_subprocess_communicate_utf8_finish (G_SUBPROCESS (object), result, &request->output, NULL,
                                        &request->error);
  g_subprocess_wait_async (G_SUBPROCESS (object), NULL, ended_cb, data);
}

static GSubprocess *
start (const char *device, double seconds, GError **error)
{
  g_autoptr (GSubprocessLauncher) launcher =
      dyno_worker_process_prepare (G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_SILENCE);
  char text[G_ASCII_DTOSTR_BUF_SIZE];
  const char *const arguments[] = { "--ceilings", device, g_ascii_dtostr (text, sizeof text, seconds), NULL };

  return dyno_worker_process_start (launcher, arguments, error);
}

/**
 * dyno_device_ceilings_measure_async:
 * @device: what to measure, `BACKEND:DEVICE`, or `BACKEND` for its first device
 * @seconds: about how long it may take, %DYNO_DEVICE_CEILINGS_SECONDS usually
 * @cancellable: (nullable): a cancellable
 * @callback: called when done
 * @user_data: for @callback
 *
 * Measures what a device behind a runtime does at most, in a process of its own. Call it on the thread of the main
 * context, which must live as long as the measurement.
 */
void
dyno_device_ceilings_measure_async (const char *device,
                                    double seconds,
                                    GCancellable *cancellable,
                                    GAsyncReadyCallback callback,
                                    gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  g_autoptr (GError) error = NULL;
  Request *request;

  g_return_if_fail (device != NULL);
  g_return_if_fail (seconds > 0);

  g_task_set_source_tag (task, dyno_device_ceilings_measure_async);
  request = g_new0 (Request, 1);
  g_task_set_task_data (task, request, request_free);
  if (g_task_return_error_if_cancelled (task))
    return;
  request->process = start (device, seconds, &error);
  if (request->process == NULL)
    {
      g_task_return_error (task, g_steal_pointer (&error));
      return;
    }
  request->deadline =
      g_timeout_add_seconds ((guint)(DEADLINE_FACTOR * seconds) + DEADLINE_SECONDS, late_cb, request);
  if (cancellable != NULL)
    {
      request->cancellable = g_object_ref (cancellable);
      request->handler = g_cancellable_connect (cancellable, G_CALLBACK (cancelled_cb), request, NULL);
    }
  g_subprocess_communicate_utf8_async (request->process, NULL, NULL, answered_cb, g_steal_pointer (&task));
}

/**
 * dyno_device_ceilings_measure_finish:
 * @result: the result
 * @error: return location
 *
 * Returns: (transfer full) (element-type DynoCeiling): the ceilings, of the device `BACKEND:DEVICE`
 */
GPtrArray *
dyno_device_ceilings_measure_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), NULL);
  return g_task_propagate_pointer (G_TASK (result), error);
}
