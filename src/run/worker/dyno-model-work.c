/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-error.h"
#include "dyno-graph.h"
#include "dyno-json.h"
#include "dyno-model-work.h"
#include "dyno-worker-client.h"

void
dyno_model_work_free (DynoModelWork *self)
{
  g_strfreev (self->uncounted);
  g_free (self);
}

static DynoModelWork *
read_answer (JsonObject *answer, GError **error)
{
  DynoModelWork *self;

  if (!dyno_worker_answer_check (answer, error))
    return NULL;
  self = g_new (DynoModelWork, 1);
  self->multiply_adds = NAN;
  self->flops = dyno_json_member_get_double (answer, "flops", NAN);
  self->uncounted = dyno_json_member_dup_strings (answer, "uncounted");
  return self;
}

/* All shapes of a model that Dyno builds itself are known, however large it is. */
static DynoModelWork *
count_graph (DynoModel *model, guint batch_size, guint sequence_length, const char *dimensions)
{
  g_autoptr (GHashTable) binding = dyno_model_bind (
      model, batch_size, dyno_model_has_sequence (model) ? sequence_length : 0, dimensions, NULL);
  DynoModelWork *self;
  gint64 flops;

  if (binding == NULL || !dyno_model_estimate_flops (model, binding, &flops))
    return NULL;
  self = g_new (DynoModelWork, 1);
  self->flops = (double)flops;

  g_autoptr (GArray) products = dyno_model_list_products (model, binding);
  double product_flops = 0;

  for (guint i = 0; products != NULL && i < products->len; i++)
    product_flops += g_array_index (products, DynoGraphProduct, i).flops;
  self->multiply_adds = product_flops / 2;
  self->uncounted = g_new0 (char *, 1);
  return self;
}

DynoModelWork *
dyno_model_work_count (DynoModel *model,
                       guint batch_size,
                       guint sequence_length,
                       const char *dimensions,
                       const char *inputs,
                       guint deadline_seconds,
                       GCancellable *cancellable,
                       GError **error)
{
  DynoModelWork *counted = count_graph (model, batch_size, sequence_length, dimensions);
  g_autoptr (DynoWorkerReply) reply = NULL;
  g_autoptr (JsonObject) answer = NULL;
  gsize size = 0;
  const char *text;

  if (counted != NULL)
    return counted;

  g_autofree char *batch = g_strdup_printf ("%u", batch_size);
  g_autofree char *sequence = g_strdup_printf ("%u", sequence_length);
  const char *const arguments[] = {
    "--count-work",
    dyno_model_get_id (model),
    batch,
    sequence,
    dimensions != NULL ? dimensions : "",
    inputs != NULL ? inputs : "",
    NULL,
  };

  reply = dyno_worker_query_run (arguments, deadline_seconds, cancellable, error);
  if (reply == NULL || g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  if (reply->answer == NULL)
    {
      if (reply->is_late)
        g_set_error (error, DYNO_ERROR, DYNO_ERROR_TIMED_OUT, _ ("One step took more than %u s."),
                     deadline_seconds);
      else if (dyno_worker_reply_check_calls (reply, dyno_model_get_id (model), error))
        g_set_error (error, DYNO_ERROR, DYNO_ERROR_WORKER_DIED,
                     _ ("The worker ended while it ran one step: %s"), reply->last_words);
      return NULL;
    }
  text = g_bytes_get_data (reply->answer, &size);
  answer = dyno_json_parse_object (text, (gssize)size, dyno_model_get_id (model), error);
  return answer != NULL ? read_answer (answer, error) : NULL;
}
