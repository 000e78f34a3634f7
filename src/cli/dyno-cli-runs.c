/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "dyno-cli.h"
#include "dyno-cli-private.h"
#include "dyno-error.h"
#include "dyno-store-machine.h"

#define NEWEST "last"

/* The key of a run's data for the ceilings of its machine. */
#define CEILINGS "dyno-cli-ceilings"
#define STORE    "dyno-cli-store"

/* If all runs of a store are lost, only this command fails; the next one finds the new, empty store. */
static DynoStore *
open_store (GError **error)
{
  g_autoptr (DynoStore) store = dyno_store_open_default (error);

  if (store == NULL || !dyno_store_is_lost (store))
    return g_steal_pointer (&store);
  g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_STORE_DAMAGED, dyno_store_get_message (store));
  return NULL;
}

DynoStore *
dyno_cli_runs_open_store (GError **error)
{
  DynoStore *store = open_store (error);

  if (store != NULL && dyno_store_get_message (store) != NULL)
    dyno_cli_warn ("%s", dyno_store_get_message (store));
  return store;
}

DynoStore *
dyno_cli_runs_open_writable_store (GError **error)
{
  g_autoptr (DynoStore) store = open_store (error);
  const char *message = store != NULL ? dyno_store_get_message (store) : NULL;

  if (store != NULL && dyno_store_is_read_only (store))
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_STORE_READ_ONLY, _ ("Results cannot be stored in “%s”. %s"),
                   dyno_store_get_path (store), message != NULL ? message : "");
      return NULL;
    }
  if (message != NULL)
    dyno_cli_warn ("%s", message);
  return g_steal_pointer (&store);
}

static void
remember (DynoRun *run, DynoStore *store, GPtrArray *ceilings)
{
  g_object_set_data_full (G_OBJECT (run), STORE, g_object_ref (store), g_object_unref);
  if (ceilings != NULL)
    g_object_set_data_full (G_OBJECT (run), CEILINGS, g_ptr_array_ref (ceilings),
                            (GDestroyNotify)g_ptr_array_unref);
}

typedef struct
{
  DynoStore *store;
  GPtrArray *runs;
  GError **error;
} Loading;

static gboolean
add_run (const char *id, DynoRun *run, GPtrArray *ceilings, const GError *why, gpointer data)
{
  Loading *loading = data;

  if (run == NULL)
    {
      g_propagate_error (loading->error, g_error_copy (why));
      return FALSE;
    }
  remember (run, loading->store, ceilings);
  g_ptr_array_add (loading->runs, g_object_ref (run));
  return TRUE;
}

GPtrArray *
dyno_cli_runs_load_all (DynoStore *store, GError **error)
{
  g_autoptr (GError) local_error = NULL;
  Loading loading = { .store = store, .error = &local_error };
  gboolean is_complete;

  loading.runs = g_ptr_array_new_with_free_func (g_object_unref);
  is_complete = dyno_store_foreach_run (store, add_run, &loading, &local_error);
  if (is_complete)
    return loading.runs;
  g_propagate_error (error, g_steal_pointer (&local_error));
  g_ptr_array_unref (loading.runs);
  return NULL;
}

DynoSelfTest *
dyno_cli_runs_load_self_test (const char *machine)
{
  g_autoptr (DynoStore) store = dyno_store_open_existing (NULL);

  return store != NULL ? dyno_store_load_self_test (store, machine, NULL) : NULL;
}

static void
free_self_test (gpointer self_test)
{
  if (self_test != NULL)
    dyno_self_test_unref (self_test);
}

static gboolean
add_document (GPtrArray *runs, const char *path, GError **error)
{
  g_autoptr (DynoStore) document = dyno_store_open_document (path, error);
  g_autoptr (GPtrArray) loaded = NULL;

  if (document == NULL || !dyno_store_expect_runs (document, error))
    return FALSE;
  loaded = dyno_cli_runs_load_all (document, error);
  if (loaded == NULL)
    return FALSE;

  /* A document does not contain the self-test of its machine. If that is this machine, the store has it. */
  g_autoptr (DynoStore) store = dyno_store_open_existing (NULL);
  g_autoptr (GHashTable) known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, free_self_test);

  for (guint i = 0; store != NULL && i < loaded->len; i++)
    {
      DynoRun *run = loaded->pdata[i];
      const char *machine = dyno_run_get_machine (run);
      g_autofree char *id = NULL;
      g_autofree char *snapshot = NULL;
      gpointer self_test = NULL;

      if (dyno_run_get_self_test (run) != NULL || machine == NULL || *machine == '\0')
        continue;
      /* Reads the self-test of a machine once for all runs on it. */
      if (dyno_store_machine_reduce (machine, &id, &snapshot, NULL) &&
          !g_hash_table_lookup_extended (known, id, NULL, &self_test))
        {
          self_test = dyno_store_load_self_test (store, machine, NULL);
          g_hash_table_insert (known, g_steal_pointer (&id), self_test);
        }
      dyno_run_set_self_test (run, self_test);
    }

  g_ptr_array_extend (runs, loaded, (GCopyFunc)g_object_ref, NULL);
  return TRUE;
}

char *
dyno_cli_runs_resolve (DynoStore *store, const char *name, GError **error)
{
  g_autoptr (GPtrArray) baselines = NULL;

  if (strcmp (name, NEWEST) == 0)
    {
      g_autoptr (GPtrArray) newest = dyno_store_list_runs (store, NULL, 0, 1, error);

      if (newest == NULL)
        return NULL;
      if (newest->len > 0)
        return g_strdup (dyno_run_get_id (newest->pdata[0]));
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND,
                   _ ("There are no runs yet. Measure with “dyno-cli run --suite quick”."));
      return NULL;
    }
  baselines = dyno_store_list_baselines (store, error);
  if (baselines == NULL)
    return NULL;
  for (guint i = 0; i < baselines->len; i++)
    {
      const DynoBaseline *baseline = baselines->pdata[i];

      if (strcmp (baseline->name, name) != 0)
        continue;
      if (baseline->is_kept)
        return dyno_store_resolve_run (store, baseline->run_id, error);
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA,
                   _ ("The baseline “%s” was run %.8s, which is not in the store any more. Set it again with "
                      "“dyno-cli baseline set”."),
                   name, baseline->run_id);
      return NULL;
    }
  return dyno_store_resolve_run (store, name, error);
}

GPtrArray *
dyno_cli_runs_load (char **names, GError **error)
{
  char *newest[] = { (char *)NEWEST, NULL };
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (DynoStore) store = NULL;

  for (char **name = *names != NULL ? names : newest; *name != NULL; name++)
    {
      g_autofree char *id = NULL;
      DynoRun *run;

      if (g_str_has_suffix (*name, ".dyno") || strchr (*name, G_DIR_SEPARATOR) != NULL)
        {
          if (!add_document (runs, *name, error))
            return NULL;
          continue;
        }
      if (store == NULL)
        store = dyno_cli_runs_open_store (error);
      if (store == NULL)
        return NULL;
      id = dyno_cli_runs_resolve (store, *name, error);
      run = id != NULL ? dyno_store_load_run (store, id, error) : NULL;
      if (run == NULL)
        return NULL;
      g_ptr_array_add (runs, run);
      if (!dyno_cli_runs_take_ceilings (run, store, error))
        return NULL;
    }
  return g_steal_pointer (&runs);
}

gboolean
dyno_cli_runs_take_ceilings (DynoRun *run, DynoStore *store, GError **error)
{
  const char *machine = dyno_run_get_machine (run);
  gboolean is_known = machine != NULL && *machine != '\0';
  g_autoptr (GPtrArray) ceilings = is_known ? dyno_store_load_ceilings (store, machine, error) : NULL;

  remember (run, store, ceilings);
  return !is_known || ceilings != NULL;
}

GHashTable *
dyno_cli_runs_collect_ceilings (GPtrArray *runs)
{
  GHashTable *all = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < runs->len; i++)
    {
      GPtrArray *ceilings = g_object_get_data (G_OBJECT (runs->pdata[i]), CEILINGS);

      if (ceilings != NULL)
        g_hash_table_insert (all, runs->pdata[i], ceilings);
    }
  return all;
}

gboolean
dyno_cli_runs_add_originals (GPtrArray *runs, GError **error)
{
  for (guint i = 0; i < runs->len; i++)
    if (!dyno_store_add_original (g_object_get_data (G_OBJECT (runs->pdata[i]), STORE), runs->pdata[i],
                                  error))
      return FALSE;
  return TRUE;
}

GStrv
dyno_cli_runs_get_ids (GPtrArray *runs)
{
  g_autoptr (GStrvBuilder) ids = g_strv_builder_new ();

  for (guint i = 0; i < runs->len; i++)
    g_strv_builder_add (ids, dyno_run_get_id (runs->pdata[i]));
  return g_strv_builder_end (ids);
}
