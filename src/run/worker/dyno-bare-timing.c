/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-error.h"
#include "dyno-json.h"
#include "dyno-run-json.h"
#include "dyno-text.h"
#include "dyno-worker-client.h"

/* Writing the model and opening it take longer than the loop. */
#define DEADLINE_SECONDS 60

void
dyno_bare_timing_free (DynoBareTiming *self)
{
  g_free (self->path);
  g_free (self->inputs);
  g_free (self);
}

static DynoBareTiming *
read_answer (JsonObject *answer, GError **error)
{
  DynoBareTiming *self;
  JsonNode *inputs = json_object_get_member (answer, "inputs");
  const char *path = dyno_json_member_get_string (answer, "path");

  if (!dyno_worker_answer_check (answer, error))
    return NULL;
  if (path == NULL || inputs == NULL)
    {
      g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA,
                           _ ("The measuring process returned a truncated result."));
      return NULL;
    }
  self = g_new (DynoBareTiming, 1);
  self->median_ms = dyno_json_member_get_double (answer, "median_ms", NAN);
  self->n_steps = (guint)CLAMP (dyno_json_member_get_int64 (answer, "steps", 0), 0, G_MAXUINT);
  self->path = g_strdup (path);
  self->inputs = dyno_json_text_write (inputs, FALSE);
  return self;
}

DynoBareTiming *
dyno_bare_timing_take (DynoCase *kase, double seconds, GCancellable *cancellable, GError **error)
{
  g_autoptr (JsonNode) node = dyno_case_to_json (kase);
  g_autofree char *json = dyno_json_text_write (node, FALSE);
  char text[G_ASCII_DTOSTR_BUF_SIZE];
  const char *const arguments[] = { "--bare-loop", dyno_case_get_backend (kase), json,
                                    g_ascii_dtostr (text, sizeof text, seconds), NULL };
  g_autoptr (DynoWorkerReply) reply =
      dyno_worker_query_run (arguments, (guint)seconds + DEADLINE_SECONDS, cancellable, error);
  g_autoptr (JsonObject) answer = NULL;
  gsize size = 0;

  if (reply == NULL || g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  if (reply->answer == NULL)
    {
      if (reply->is_late)
        g_set_error (error, DYNO_ERROR, DYNO_ERROR_TIMED_OUT, _ ("The bare loop took more than %u s."),
                     (guint)seconds + DEADLINE_SECONDS);
      else
        g_set_error (error, DYNO_ERROR, DYNO_ERROR_WORKER_DIED, _ ("The bare loop ended early: %s"),
                     reply->last_words);
      return NULL;
    }

  const char *bytes = g_bytes_get_data (reply->answer, &size);

  answer = dyno_json_parse_object (bytes, (gssize)size, dyno_case_get_model (kase), error);
  return answer != NULL ? read_answer (answer, error) : NULL;
}
