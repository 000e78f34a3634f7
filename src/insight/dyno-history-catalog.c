/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-cases.h"
#include "dyno-history.h"
#include "dyno-machine.h"
#include "dyno-store-machine.h"

static void
case_free (DynoHistoryCase *kase)
{
  g_object_unref (kase->head);
  g_hash_table_unref (kase->runs);
  g_free (kase->key);
  g_free (kase->label);
  g_free (kase);
}

static void
machine_free (DynoHistoryMachine *machine)
{
  g_free (machine->snapshot);
  g_free (machine->title);
  g_ptr_array_unref (machine->cases);
  g_free (machine);
}

static gboolean
is_same_machine (const char *one, const char *other)
{
  g_autofree char *one_id = NULL;
  g_autofree char *one_snapshot = NULL;
  g_autofree char *other_id = NULL;
  g_autofree char *other_snapshot = NULL;

  return dyno_store_machine_reduce (one, &one_id, &one_snapshot, NULL) &&
         dyno_store_machine_reduce (other, &other_id, &other_snapshot, NULL) &&
         g_str_equal (one_id, other_id);
}

/* Merges settings whose cases have the same name. */
static void
add_case (DynoHistoryMachine *machine, const DynoMeasuredCase *measured)
{
  g_autofree char *key = dyno_case_parts_dup_key (measured->head, DYNO_CASE_ALL);
  DynoHistoryCase *kase = (DynoHistoryCase *)dyno_history_machine_find (machine, key);

  if (kase == NULL)
    {
      kase = g_new0 (DynoHistoryCase, 1);
      kase->head = g_object_ref (measured->head);
      kase->key = g_steal_pointer (&key);
      kase->label = dyno_case_parts_dup_label (measured->head);
      kase->runs = g_hash_table_new (NULL, NULL);
      g_ptr_array_add (machine->cases, kase);
    }

  /* A run counts once, however many settings it has for the case. */
  GHashTableIter iter;
  gpointer run;

  g_hash_table_iter_init (&iter, measured->runs);
  while (g_hash_table_iter_next (&iter, &run, NULL))
    g_hash_table_add (kase->runs, run);
  kase->n_runs = g_hash_table_size (kase->runs);

  kase->measured_at = MAX (kase->measured_at, measured->measured_at);
}

static int
compare_cases (gconstpointer a, gconstpointer b)
{
  const DynoHistoryCase *one = *(const DynoHistoryCase *const *)a;
  const DynoHistoryCase *other = *(const DynoHistoryCase *const *)b;

  if (one->n_runs != other->n_runs)
    return one->n_runs > other->n_runs ? -1 : 1;
  if (one->measured_at != other->measured_at)
    return one->measured_at > other->measured_at ? -1 : 1;
  return g_utf8_collate (one->label, other->label);
}

GPtrArray *
dyno_history_catalog_load (DynoStore *store, const char *here, GError **error)
{
  g_autoptr (GPtrArray) measured = dyno_store_list_cases (store, error);
  g_autoptr (GHashTable) by_snapshot = g_hash_table_new (NULL, NULL);
  GPtrArray *machines;

  if (measured == NULL)
    return NULL;
  machines = g_ptr_array_new_with_free_func ((GDestroyNotify)machine_free);
  for (guint i = 0; i < measured->len; i++)
    {
      const DynoMeasuredCase *kase = measured->pdata[i];
      DynoHistoryMachine *machine = g_hash_table_lookup (by_snapshot, kase->machine);

      if (machine == NULL)
        {
          machine = g_new0 (DynoHistoryMachine, 1);
          machine->snapshot = g_strdup (kase->machine);
          machine->title = dyno_machine_dup_summary (kase->machine);
          machine->is_this = here != NULL && is_same_machine (kase->machine, here);
          machine->cases = g_ptr_array_new_with_free_func ((GDestroyNotify)case_free);
          g_ptr_array_insert (machines, machine->is_this ? 0 : -1, machine);
        }
      g_hash_table_insert (by_snapshot, kase->machine, machine);
      add_case (machine, kase);
    }
  for (guint i = 0; i < machines->len; i++)
    g_ptr_array_sort (((DynoHistoryMachine *)machines->pdata[i])->cases, compare_cases);
  return machines;
}

const DynoHistoryMachine *
dyno_history_catalog_find_machine (GPtrArray *machines, const char *snapshot)
{
  for (guint i = 0; i < machines->len; i++)
    {
      const DynoHistoryMachine *machine = machines->pdata[i];

      if (is_same_machine (machine->snapshot, snapshot))
        return machine;
    }
  return NULL;
}

static gboolean
is_case (DynoResult *head, gpointer key)
{
  g_autofree char *its_key = dyno_case_parts_dup_key (head, DYNO_CASE_ALL);

  return g_str_equal (its_key, key);
}

GPtrArray *
dyno_history_catalog_list_metrics (DynoStore *store,
                                   const DynoHistoryMachine *machine,
                                   const DynoHistoryCase *kase,
                                   GError **error)
{
  return dyno_store_list_history_names (store, machine->snapshot, is_case, kase->key, error);
}

const DynoHistoryCase *
dyno_history_machine_find (const DynoHistoryMachine *self, const char *key)
{
  for (guint i = 0; i < self->cases->len; i++)
    {
      const DynoHistoryCase *kase = self->cases->pdata[i];

      if (g_str_equal (kase->key, key))
        return kase;
    }
  return NULL;
}
