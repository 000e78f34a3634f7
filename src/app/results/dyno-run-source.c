/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "dyno-run-source"

#include "config.h"

#include "dyno-run-source.h"

/* Without them a report has no roofs, which is no reason to have none. */
static void
load_ceilings (DynoRunSource *self, DynoStore *store, DynoRun *run)
{
  const char *machine = dyno_run_get_machine (run);
  g_autoptr (GError) error = NULL;
  GPtrArray *ceilings = NULL;

  if (machine != NULL && *machine != '\0')
    ceilings = dyno_store_load_ceilings (store, machine, &error);
  if (ceilings != NULL)
    g_hash_table_insert (self->source.ceilings, run, ceilings);
  else if (error != NULL)
    g_message ("%s", error->message);
}

/**
 * dyno_run_source_load:
 * @entry: a run
 * @error: return location
 *
 * May be called on any thread.
 *
 * Returns: (transfer full): the run as a source of reports
 */
DynoRunSource *
dyno_run_source_load (DynoRunEntry *entry, GError **error)
{
  DynoStore *store = dyno_run_entry_get_store (entry);
  DynoRun *run = dyno_store_load_run (store, dyno_run_entry_get_id (entry), error);
  DynoRunSource *self;

  if (run == NULL)
    return NULL;
  self = g_new0 (DynoRunSource, 1);
  self->source.runs = g_ptr_array_new_with_free_func (g_object_unref);
  self->source.ceilings = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify)g_ptr_array_unref);
  g_ptr_array_add (self->source.runs, run);
  load_ceilings (self, store, run);
  return self;
}

void
dyno_run_source_free (DynoRunSource *self)
{
  g_hash_table_unref (self->source.ceilings);
  g_ptr_array_unref (self->source.runs);
  g_free (self);
}
