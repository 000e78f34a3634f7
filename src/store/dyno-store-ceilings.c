/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-ceiling.h"
#include "dyno-error.h"
#include "dyno-json.h"
#include "dyno-store-machine.h"
#include "dyno-store-private.h"

static gboolean
insert_ceiling (sqlite3_stmt *statement, const char *machine_id, DynoCeiling *ceiling, GError **error)
{
  /* Identifies one ceiling of a measurement; SQL users find it by its prefix. */
  const char *pinning = dyno_ceiling_get_pinning (ceiling);
  gboolean is_usual = pinning == NULL || *pinning == '\0';
  g_autofree char *kind =
      g_strdup_printf ("%s/%u%s%s", dyno_ceiling_get_id (ceiling), dyno_ceiling_get_threads (ceiling),
                       is_usual ? "" : "/", is_usual ? "" : pinning);
  g_autoptr (JsonObject) object = dyno_ceiling_to_json (ceiling);
  g_autoptr (JsonNode) node = json_node_init_object (json_node_alloc (), object);
  g_autofree char *members = dyno_json_text_write (node, FALSE);

  return dyno_store_statement_bind (statement, error, "sssdssi", machine_id,
                                    dyno_ceiling_get_device (ceiling), kind, dyno_ceiling_get_value (ceiling),
                                    dyno_ceiling_get_unit (ceiling), members,
                                    dyno_ceiling_get_measured_at (ceiling)) &&
         dyno_store_statement_execute (statement, error);
}

gboolean
dyno_store_ceilings_write (sqlite3 *db, const char *machine, GPtrArray *ceilings, GError **error)
{
  g_autofree char *machine_id = NULL;
  g_autofree char *snapshot = NULL;
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
    if (!insert_ceiling (statement, machine_id, ceilings->pdata[i], error))
      return FALSE;
  return statement != NULL && dyno_store_meaning_check_ceilings (db, machine_id, error);
}

gpointer
dyno_store_ceilings_read (sqlite3 *db, gconstpointer machine, GError **error)
{
  g_autoptr (GPtrArray) ceilings = g_ptr_array_new_with_free_func (g_object_unref);
  g_autofree char *id = NULL;
  g_autofree char *snapshot = NULL;
  g_autoptr (sqlite3_stmt) statement = NULL;
  g_autoptr (GError) local_error = NULL;

  if (!dyno_store_machine_reduce (machine, &id, &snapshot, error))
    return NULL;
  statement = dyno_store_statement_new (db,
                                        "SELECT method, max (measured_at) FROM ceilings WHERE machine_id = ?"
                                        " GROUP BY device, kind ORDER BY 2",
                                        error);
  if (statement == NULL || !dyno_store_statement_bind (statement, error, "s", id))
    return NULL;
  while (dyno_store_statement_next (statement, &local_error))
    {
      g_autofree char *text = dyno_store_statement_dup_word (statement, 0);
      g_autoptr (JsonObject) members = dyno_json_parse_object (text, -1, _ ("The stored ceiling"), error);
      DynoCeiling *ceiling = members != NULL ? dyno_ceiling_from_json (members) : NULL;

      if (members != NULL && ceiling == NULL)
        g_set_error_literal (
            error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA,
            _ ("A ceiling in the store is not as Dyno writes it. Measure again to replace it."));
      if (ceiling == NULL)
        return NULL;
      g_ptr_array_add (ceilings, ceiling);
    }
  return dyno_error_pass (&local_error, error) ? g_steal_pointer (&ceilings) : NULL;
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
