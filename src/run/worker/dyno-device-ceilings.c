/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-ceiling.h"
#include "dyno-device-ceilings.h"
#include "dyno-error.h"
#include "dyno-json.h"
#include "dyno-worker-client.h"

/* Opening models and creating their inputs takes longer than the requested time; a worker that exceeds this
 * is hanging. */
#define DEADLINE_FACTOR  4
#define DEADLINE_SECONDS 120

typedef struct
{
  char *device;
  double seconds;
} Request;

static void
request_free (gpointer data)
{
  Request *request = data;

  g_free (request->device);
  g_free (request);
}

static GPtrArray *
read_ceilings (JsonObject *answer, GError **error)
{
  g_autoptr (GPtrArray) ceilings = g_ptr_array_new_with_free_func (g_object_unref);
  JsonArray *array = dyno_json_member_get_array (answer, "ceilings");
  const char *problem = dyno_json_member_get_string (answer, "error");

  for (guint i = 0; array != NULL && i < json_array_get_length (array); i++)
    {
      JsonObject *object = dyno_json_member_get_element (array, i);
      DynoCeiling *ceiling = object != NULL ? dyno_ceiling_from_json (object) : NULL;

      if (ceiling != NULL)
        g_ptr_array_add (ceilings, ceiling);
    }
  if (ceilings->len > 0)
    return g_steal_pointer (&ceilings);
  g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_FAILED,
                       problem != NULL ? problem : _ ("The measuring process returned no roofs."));
  return NULL;
}

static void
measure_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  const Request *request = task_data;
  char text[G_ASCII_DTOSTR_BUF_SIZE];
  const char *const arguments[] = { "--ceilings", request->device,
                                    g_ascii_dtostr (text, sizeof text, request->seconds), NULL };
  guint deadline = (guint)(DEADLINE_FACTOR * request->seconds) + DEADLINE_SECONDS;
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoWorkerReply) reply = NULL;
  GPtrArray *ceilings = NULL;

  if (g_task_return_error_if_cancelled (task))
    return;
  reply = dyno_worker_query_run (arguments, deadline, cancellable, &error);
  if (g_task_return_error_if_cancelled (task))
    return;
  if (reply != NULL)
    {
      g_autoptr (JsonObject) answer = NULL;
      gsize size = 0;
      const char *reply_text = reply->answer != NULL ? g_bytes_get_data (reply->answer, &size) : NULL;

      if (reply->is_late)
        g_set_error_literal (&error, DYNO_ERROR, DYNO_ERROR_TIMED_OUT,
                             _ ("The device exceeded its time limit and was stopped."));
      else if (reply_text == NULL)
        g_set_error_literal (&error, DYNO_ERROR, DYNO_ERROR_WORKER_DIED,
                             _ ("The engine or its driver ended the measuring process."));
      else
        answer = dyno_json_parse_object (reply_text, (gssize)size, _ ("the device’s roofs"), &error);
      ceilings = answer != NULL ? read_ceilings (answer, &error) : NULL;
    }
  if (ceilings != NULL)
    g_task_return_pointer (task, ceilings, (GDestroyNotify)g_ptr_array_unref);
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

void
dyno_device_ceilings_measure_async (const char *device,
                                    double seconds,
                                    GCancellable *cancellable,
                                    GAsyncReadyCallback callback,
                                    gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Request *request;

  g_return_if_fail (device != NULL);
  g_return_if_fail (seconds > 0);

  g_task_set_source_tag (task, dyno_device_ceilings_measure_async);
  request = g_new0 (Request, 1);
  request->device = g_strdup (device);
  request->seconds = seconds;
  g_task_set_task_data (task, request, request_free);
  g_task_run_in_thread (task, measure_thread);
}

GPtrArray *
dyno_device_ceilings_measure_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), NULL);
  return g_task_propagate_pointer (G_TASK (result), error);
}
