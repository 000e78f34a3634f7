/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-chart-base-private.h"

/* The data that a thread reads: the machines of the runs, then their ceilings. */
typedef struct
{
  DynoStore *store;
  GPtrArray *runs;
  GPtrArray *machines;
  GPtrArray *ceilings;
} Load;

static void
load_free (gpointer data)
{
  Load *load = data;

  g_object_unref (load->store);
  g_ptr_array_unref (load->runs);
  g_ptr_array_unref (load->machines);
  g_ptr_array_unref (load->ceilings);
  g_free (load);
}

/* Imported runs may lack a machine. */
static Load *
load_new (DynoChart *chart, DynoStore *store)
{
  Load *load = g_new0 (Load, 1);
  GPtrArray *runs = dyno_chart_get_runs (chart);

  load->store = g_object_ref (store);
  load->runs = g_ptr_array_new_with_free_func (g_object_unref);
  load->machines = g_ptr_array_new_with_free_func (g_free);
  load->ceilings = g_ptr_array_new_with_free_func ((GDestroyNotify)g_ptr_array_unref);
  for (guint i = 0; i < runs->len; i++)
    {
      const char *machine = dyno_run_get_machine (runs->pdata[i]);

      if (machine == NULL || *machine == '\0')
        continue;
      g_ptr_array_add (load->runs, g_object_ref (runs->pdata[i]));
      g_ptr_array_add (load->machines, g_strdup (machine));
    }
  return load;
}

static gboolean
read_ceilings (Load *load, GError **error)
{
  for (guint i = 0; i < load->machines->len; i++)
    {
      GPtrArray *ceilings = dyno_store_load_ceilings (load->store, load->machines->pdata[i], error);

      if (ceilings == NULL)
        return FALSE;
      g_ptr_array_add (load->ceilings, ceilings);
    }
  return TRUE;
}

static void
apply (Load *load, DynoChart *chart)
{
  g_autoptr (GHashTable) all = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < load->runs->len; i++)
    g_hash_table_insert (all, load->runs->pdata[i], load->ceilings->pdata[i]);
  dyno_chart_set_all_ceilings (chart, all);
}

gboolean
dyno_chart_load_ceilings (DynoChart *chart, DynoStore *store, GError **error)
{
  g_return_val_if_fail (DYNO_IS_CHART (chart), FALSE);
  g_return_val_if_fail (DYNO_IS_STORE (store), FALSE);

  Load *load = load_new (chart, store);
  gboolean success = read_ceilings (load, error);
  if (success)
    apply (load, chart);
  load_free (load);
  return success;
}

static void
load_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  GError *error = NULL;

  if (read_ceilings (task_data, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

void
dyno_chart_load_ceilings_async (DynoChart *chart,
                                DynoStore *store,
                                GCancellable *cancellable,
                                GAsyncReadyCallback callback,
                                gpointer user_data)
{
  g_return_if_fail (DYNO_IS_CHART (chart));
  g_return_if_fail (DYNO_IS_STORE (store));

  g_autoptr (GTask) task = g_task_new (chart, cancellable, callback, user_data);
  g_task_set_source_tag (task, dyno_chart_load_ceilings_async);
  g_task_set_task_data (task, load_new (chart, store), load_free);
  g_task_run_in_thread (task, load_thread);
}

gboolean
dyno_chart_load_ceilings_finish (DynoChart *chart, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, chart), FALSE);

  if (!g_task_propagate_boolean (G_TASK (result), error))
    return FALSE;
  apply (g_task_get_task_data (G_TASK (result)), chart);
  return TRUE;
}
