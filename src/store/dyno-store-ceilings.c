/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-ceilings.h"
#include "dyno-error.h"
#include "dyno-json.h"
#include "dyno-store-machine.h"
#include "dyno-store-private.h"

/* Those that were measured with the governor ?2 of the machine ?1, as far as both are known. */
#define OF_MACHINE                                                                                           \
  "machine_id = ?1 AND (?2 = '' OR ifnull (json_extract (method, '$.governor'), '') IN (?2, ''))"

/* Returns the governor of a machine's state, which its record leaves out although clocks depend on it; NULL if
 * unknown. */
static char *
dup_governor (const char *machine)
{
  g_autoptr (JsonObject) snapshot = dyno_json_parse_object (machine, -1, "", NULL);
  JsonObject *state = snapshot != NULL ? dyno_json_member_get_object (snapshot, "state") : NULL;

  return state != NULL ? g_strdup (dyno_json_member_get_string (state, "governor")) : NULL;
}

/* Identifies a ceiling by its threads and their placement, after its id; SQL users find it by its prefix. */
static char *
dup_suffix (DynoCeiling *ceiling)
{
  const char *pinning = dyno_ceiling_get_pinning (ceiling);
  gboolean is_usual = pinning == NULL || *pinning == '\0';

  return g_strdup_printf ("/%u%s%s", dyno_ceiling_get_threads (ceiling), is_usual ? "" : "/",
                          is_usual ? "" : pinning);
}

gboolean
dyno_store_ceilings_write (sqlite3 *db, const char *machine, GPtrArray *ceilings, GError **error)
{
  g_autofree char *machine_id = NULL;
  g_autofree char *snapshot = NULL;
  g_autofree char *governor = dup_governor (machine);
  g_autoptr (sqlite3_stmt) statement = NULL;

  if (!dyno_store_machine_reduce (machine, &machine_id, &snapshot, error) ||
      !dyno_store_statement_run_with (
          db, error, "INSERT INTO machines (id, snapshot) VALUES (?, ?) ON CONFLICT (id) DO NOTHING", "ss",
          machine_id, snapshot))
    return FALSE;
  statement = dyno_store_statement_new (
      db,
      "INSERT INTO ceilings (machine_id, device, kind, value, unit, method, measured_at)"
      " VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (machine_id, device, kind, measured_at) DO NOTHING",
      error);
  for (guint i = 0; statement != NULL && i < ceilings->len; i++)
    {
      DynoCeiling *ceiling = ceilings->pdata[i];
      g_autofree char *suffix = dup_suffix (ceiling);
      g_autofree char *kind = g_strconcat (dyno_ceiling_get_id (ceiling), suffix, NULL);
      g_autoptr (JsonObject) object = dyno_ceiling_to_json (ceiling);
      g_autoptr (JsonNode) node = json_node_init_object (json_node_alloc (), object);
      g_autofree char *members = NULL;

      if (governor != NULL)
        json_object_set_string_member (object, "governor", governor);
      members = dyno_json_text_write (node, FALSE);
      if (!dyno_store_statement_bind (statement, error, "sssdssi", machine_id,
                                      dyno_ceiling_get_device (ceiling), kind,
                                      dyno_ceiling_get_value (ceiling), dyno_ceiling_get_unit (ceiling),
                                      members, dyno_ceiling_get_measured_at (ceiling)) ||
          !dyno_store_statement_execute (statement, error))
        return FALSE;
    }
  return statement != NULL && dyno_store_meaning_check_ceilings (db, machine_id, error);
}

gboolean
dyno_store_ceilings_replace (sqlite3 *db, const char *machine, GPtrArray *ceilings, GError **error)
{
  g_autofree char *id = NULL;
  g_autofree char *snapshot = NULL;
  g_autofree char *governor = dup_governor (machine);
  g_autofree char *previous = NULL;

  if (!dyno_store_machine_reduce (machine, &id, &snapshot, error))
    return FALSE;
  for (guint i = 0; i < ceilings->len; i++)
    {
      const char *device = dyno_ceiling_get_device (ceilings->pdata[i]);
      g_autofree char *suffix = dup_suffix (ceilings->pdata[i]);

      /* Those of one team come one after the other. */
      if (g_strcmp0 (suffix, previous) != 0 &&
          !dyno_store_statement_run_with (db, error,
                                          "DELETE FROM ceilings WHERE " OF_MACHINE
                                          " AND device = ?3 AND substr (kind, instr (kind, '/')) = ?4",
                                          "ssss", id, governor, device, suffix))
        return FALSE;
      g_free (previous);
      previous = g_steal_pointer (&suffix);
    }
  return dyno_store_ceilings_write (db, machine, ceilings, error);
}

gpointer
dyno_store_ceilings_read (sqlite3 *db, gconstpointer machine, GError **error)
{
  g_autoptr (GPtrArray) ceilings = g_ptr_array_new_with_free_func (g_object_unref);
  g_autofree char *id = NULL;
  g_autofree char *snapshot = NULL;
  g_autofree char *governor = dup_governor (machine);
  g_autoptr (sqlite3_stmt) statement = NULL;
  g_autoptr (GError) local_error = NULL;

  if (!dyno_store_machine_reduce (machine, &id, &snapshot, error))
    return NULL;
  statement = dyno_store_statement_new (
      db, "SELECT method FROM ceilings WHERE " OF_MACHINE " ORDER BY measured_at", error);
  if (statement == NULL || !dyno_store_statement_bind (statement, error, "ss", id, governor))
    return NULL;
  while (dyno_store_statement_next (statement, &local_error))
    {
      g_autofree char *text = dyno_store_statement_dup_word (statement, 0);
      g_autoptr (JsonObject) members = dyno_json_parse_object (text, -1, _ ("The stored roof"), error);
      DynoCeiling *ceiling = members != NULL ? dyno_ceiling_from_json (members) : NULL;

      if (members != NULL && ceiling == NULL)
        g_set_error_literal (
            error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA,
            _ ("A roof in the store is not as Dyno writes it. Measure again to replace it."));
      if (ceiling == NULL)
        return NULL;
      g_ptr_array_add (ceilings, ceiling);
    }
  return dyno_error_pass (&local_error, error) ? dyno_ceilings_keep_best (ceilings) : NULL;
}

gboolean
dyno_store_ceilings_copy (sqlite3 *source, sqlite3 *target, const char *machine, GError **error)
{
  g_autoptr (GPtrArray) theirs = NULL;

  if (machine == NULL)
    return TRUE;
  theirs = dyno_store_ceilings_read (source, machine, error);
  return theirs != NULL && dyno_store_ceilings_add (target, machine, theirs, error);
}

gboolean
dyno_store_ceilings_add (sqlite3 *db, const char *machine, GPtrArray *ceilings, GError **error)
{
  g_autoptr (GPtrArray) ours = NULL;

  if (machine == NULL || ceilings == NULL || ceilings->len == 0)
    return TRUE;
  ours = dyno_store_ceilings_read (db, machine, error);
  return ours != NULL && (ours->len > 0 || dyno_store_ceilings_write (db, machine, ceilings, error));
}
