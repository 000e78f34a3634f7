/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-app-compare-private.h"
#include "dyno-comparison.h"
#include "dyno-comparison-builder.h"

typedef struct
{
  GPtrArray *runs;
  char *metric;
  char *baseline;
} Request;

static void
request_free (Request *request)
{
  g_ptr_array_unref (request->runs);
  g_free (request->metric);
  g_free (request->baseline);
  g_free (request);
}

static void
compare (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Request *request = data;
  const DynoComparisonOptions options = {
    .metric = request->metric,
    .baseline = request->baseline,
  };
  g_autoptr (GError) error = NULL;
  DynoComparison *comparison = dyno_comparison_new (request->runs, &options, &error);

  if (comparison != NULL)
    g_task_return_pointer (task, comparison, (GDestroyNotify)dyno_comparison_unref);
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

void
dyno_comparison_task_compare (GPtrArray *runs,
                              const char *metric,
                              const char *baseline,
                              GCancellable *cancellable,
                              GAsyncReadyCallback callback,
                              gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Request *request = g_new (Request, 1);

  request->runs = g_ptr_array_new_with_free_func (g_object_unref);
  for (guint i = 0; i < runs->len; i++)
    g_ptr_array_add (request->runs, g_object_ref (runs->pdata[i]));
  request->metric = g_strdup (metric);
  request->baseline = g_strdup (baseline);
  g_task_set_source_tag (task, dyno_comparison_task_compare);
  g_task_set_task_data (task, request, (GDestroyNotify)request_free);
  g_task_run_in_thread (task, compare);
}

DynoComparison *
dyno_comparison_task_compare_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

static void
plan (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  g_autoptr (GError) error = NULL;
  DynoPlan *made = dyno_comparison_plan_new (data, &error);

  if (made != NULL)
    g_task_return_pointer (task, made, g_object_unref);
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

void
dyno_comparison_task_plan (DynoComparison *comparison, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, NULL, callback, user_data);

  g_task_set_source_tag (task, dyno_comparison_task_plan);
  g_task_set_task_data (task, dyno_comparison_ref (comparison), (GDestroyNotify)dyno_comparison_unref);
  g_task_run_in_thread (task, plan);
}

DynoPlan *
dyno_comparison_task_plan_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
