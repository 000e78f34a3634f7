/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "dyno-json.h"
#include "dyno-run-probe-private.h"
#include "dyno-worker-client.h"

static DynoProbe *
explain_end (DynoBackend *backend, const DynoWorkerReply *reply)
{
  const char *name = dyno_backend_get_name (backend);
  g_autofree char *reason = NULL;

  if (reply->is_late)
    reason = g_strdup_printf (
        _ ("The driver or engine of “%s” did not answer the probe for %u s and was stopped. (%s)"), name,
        dyno_backend_get_probe_seconds (backend), reply->last_words);
  else if (reply->signal != 0)
    reason =
        g_strdup_printf (_ ("The driver or engine of “%s” crashed while it was probed: %s, signal %d. (%s)"),
                         name, g_strsignal (reply->signal), reply->signal, reply->last_words);
  else
    reason = g_strdup_printf (_ ("The driver or engine of “%s” ended the process that probed it. (%s)"), name,
                              reply->last_words);
  return dyno_probe_new_unsupported (
      reason, _ ("Refresh the Hardware page, or run “dyno-cli hardware --fresh”. If that does not help, "
                 "update or reinstall the driver and the engine."));
}

DynoProbe *
dyno_probe_process_ask (DynoBackend *backend, GCancellable *cancellable, gboolean *is_answer)
{
  const char *const arguments[] = { "--probe", dyno_backend_get_id (backend), NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoWorkerReply) reply = NULL;
  DynoProbe *probe = NULL;

  /* The caller may have waited for another probe and been cancelled meanwhile. */
  if (!g_cancellable_is_cancelled (cancellable))
    reply = dyno_worker_query_run (arguments, dyno_backend_get_probe_seconds (backend), cancellable, &error);
  if (reply != NULL)
    {
      gsize size = 0;
      const char *text = reply->answer != NULL ? g_bytes_get_data (reply->answer, &size) : NULL;
      g_autoptr (JsonObject) object =
          text != NULL ? dyno_json_parse_object (text, (gssize)size, _ ("the answer about a backend"), NULL)
                       : NULL;

      probe = object != NULL ? dyno_probe_new_from_json (object, NULL) : NULL;
    }
  *is_answer = probe != NULL;
  if (error != NULL)
    return dyno_probe_new_deferred (error->message, NULL);
  if (probe == NULL && g_cancellable_is_cancelled (cancellable))
    return dyno_probe_new_deferred (_ ("The probe was stopped."), NULL);
  return probe != NULL ? probe : explain_end (backend, reply);
}
