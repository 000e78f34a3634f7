/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-app-history-private.h"
#include "dyno-comparison-builder.h"
#include "dyno-json.h"
#include "dyno-machine.h"
#include "dyno-roofline.h"

typedef struct
{
  DynoStore *store;
  char *here;
  char *machine;
  char *key;
  char *metric;
} Request;

static void
request_free (Request *request)
{
  g_object_unref (request->store);
  g_free (request->here);
  g_free (request->machine);
  g_free (request->key);
  g_free (request->metric);
  g_free (request);
}

void
dyno_history_answer_free (DynoHistoryAnswer *self)
{
  g_free (self->here);
  g_clear_pointer (&self->machines, g_ptr_array_unref);
  g_clear_pointer (&self->metrics, g_ptr_array_unref);
  g_clear_pointer (&self->history, dyno_history_unref);
  g_free (self);
}

/* Without a snapshot, the machine of the last run stands in. */
static char *
dup_here (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoMachine) machine = dyno_machine_snapshot (&error);
  g_autoptr (JsonNode) node = machine != NULL ? dyno_machine_to_json (machine) : NULL;

  if (node == NULL)
    g_debug ("No snapshot of this machine: %s", error->message);
  return node != NULL ? dyno_json_text_write (node, FALSE) : NULL;
}

static const DynoHistoryCase *
find_first (const DynoHistoryMachine *machine)
{
  const DynoHistoryCase *most_often = machine->cases->len > 0 ? machine->cases->pdata[0] : NULL;

  return most_often != NULL && most_often->n_runs >= 2 ? most_often : NULL;
}

static gboolean
has_name (GPtrArray *names, const char *name)
{
  return name != NULL && g_ptr_array_find_with_equal_func (names, name, g_str_equal, NULL);
}

static gboolean
fill (const Request *request, DynoHistoryAnswer *answer, GError **error)
{
  answer->here = request->here != NULL ? g_strdup (request->here) : dup_here ();
  answer->machines = dyno_history_catalog_load (request->store, answer->here, error);
  if (answer->machines == NULL)
    return FALSE;

  const DynoHistoryMachine *chosen =
      request->machine != NULL ? dyno_history_catalog_find_machine (answer->machines, request->machine)
                               : NULL;
  for (guint i = 0; chosen == NULL && i < answer->machines->len; i++)
    if (find_first (answer->machines->pdata[i]) != NULL)
      chosen = answer->machines->pdata[i];
  answer->machine = chosen != NULL || answer->machines->len == 0 ? chosen : answer->machines->pdata[0];
  if (answer->machine != NULL && request->key != NULL)
    answer->kase = dyno_history_machine_find (answer->machine, request->key);
  if (answer->machine != NULL && answer->kase == NULL)
    answer->kase = find_first (answer->machine);
  if (answer->kase == NULL)
    return TRUE;

  GPtrArray *metrics =
      dyno_history_catalog_list_metrics (request->store, answer->machine, answer->kase, error);
  const char *metric = NULL;
  /* Imported files may contain metrics that are only derived from the ceilings. */
  for (guint i = metrics != NULL ? metrics->len : 0; i > 0; i--)
    if (dyno_roofline_is_derived (metrics->pdata[i - 1]))
      g_ptr_array_remove_index (metrics, i - 1);
  answer->metrics = metrics;
  if (metrics == NULL || metrics->len == 0)
    return metrics != NULL;
  if (has_name (metrics, request->metric))
    metric = request->metric;
  else
    metric = has_name (metrics, DYNO_COMPARISON_METRIC) ? DYNO_COMPARISON_METRIC : metrics->pdata[0];
  answer->history = dyno_history_load (request->store,
                                       &(DynoHistoryQuery){ .metric = metric,
                                                            .machine = answer->machine->snapshot,
                                                            .only = answer->kase->head },
                                       error);
  return answer->history != NULL;
}

static void
load (GTask *task, gpointer source, gpointer request, GCancellable *cancellable)
{
  g_autoptr (DynoHistoryAnswer) answer = g_new0 (DynoHistoryAnswer, 1);
  GError *error = NULL;

  if (fill (request, answer, &error))
    g_task_return_pointer (task, g_steal_pointer (&answer), (GDestroyNotify)dyno_history_answer_free);
  else
    g_task_return_error (task, error);
}

void
dyno_history_task_load (DynoStore *store,
                        const char *here,
                        const char *machine,
                        const char *key,
                        const char *metric,
                        GCancellable *cancellable,
                        GAsyncReadyCallback callback,
                        gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Request *request = g_new (Request, 1);

  request->store = g_object_ref (store);
  request->here = g_strdup (here);
  request->machine = g_strdup (machine);
  request->key = g_strdup (key);
  request->metric = g_strdup (metric);
  g_task_set_source_tag (task, dyno_history_task_load);
  g_task_set_task_data (task, request, (GDestroyNotify)request_free);
  g_task_run_in_thread (task, load);
}

DynoHistoryAnswer *
dyno_history_task_load_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
