/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-latency-interval.h"
#include "dyno-roofline.h"
#include "dyno-store-machine.h"
#include "dyno-store-private.h"

struct _DynoStoreJudge
{
  sqlite3 *db;
  GHashTable *machines; /* by the id of the reduced snapshot of a machine: Machine */
};

typedef struct
{
  GPtrArray *ceilings;
  GError *no_ceilings; /* why the ceilings cannot be read */
  DynoSelfTest *self_test;
} Machine;

static void
machine_free (gpointer data)
{
  Machine *machine = data;

  g_clear_pointer (&machine->ceilings, g_ptr_array_unref);
  g_clear_error (&machine->no_ceilings);
  g_clear_pointer (&machine->self_test, dyno_self_test_unref);
  g_free (machine);
}

DynoStoreJudge *
dyno_store_judge_new (sqlite3 *db)
{
  DynoStoreJudge *self = g_new (DynoStoreJudge, 1);

  self->db = db;
  self->machines = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, machine_free);
  return self;
}

void
dyno_store_judge_free (DynoStoreJudge *self)
{
  g_hash_table_unref (self->machines);
  g_free (self);
}

DynoRun *
dyno_store_judge_load (
    DynoStoreJudge *self, const char *id, gint64 ordinal, GPtrArray **ceilings, GError **error)
{
  static const Machine unknown;
  g_autoptr (DynoRun) run = dyno_store_reader_load_run (self->db, id, ordinal, error);
  const char *json = run != NULL ? dyno_run_get_machine (run) : NULL;
  const Machine *machine = &unknown;
  g_autofree char *machine_id = NULL;
  g_autofree char *snapshot = NULL;

  if (run == NULL)
    return NULL;
  if (json != NULL && dyno_store_machine_reduce (json, &machine_id, &snapshot, NULL))
    {
      Machine *known = g_hash_table_lookup (self->machines, machine_id);

      if (known == NULL)
        {
          known = g_new0 (Machine, 1);
          known->ceilings = dyno_store_ceilings_read (self->db, json, &known->no_ceilings);
          known->self_test = dyno_store_self_test_read (self->db, json, NULL);
          g_hash_table_insert (self->machines, g_steal_pointer (&machine_id), known);
        }
      machine = known;
    }
  if (ceilings != NULL && machine->no_ceilings != NULL)
    {
      g_propagate_error (error, g_error_copy (machine->no_ceilings));
      return NULL;
    }
  dyno_run_set_self_test (run, machine->self_test);
  dyno_latency_interval_complete_run (run);
  /* The ceilings do not apply to values that another tool measured. */
  if (dyno_run_get_origin (run) == NULL)
    dyno_roofline_complete_run (run, machine->ceilings);
  if (ceilings != NULL)
    *ceilings = machine->ceilings;
  return g_steal_pointer (&run);
}
