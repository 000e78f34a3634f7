/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-json.h"
#include "dyno-store-machine.h"
#include "dyno-store-private.h"

#define MEDIAN "latency_p50_ms"

#define CASES                                                                                                \
  "SELECT machine_id, " DYNO_STORE_SETTING ", model_name, results.id, ordinal,"                              \
  " runs.id, title, notes, started_at"                                                                       \
  " FROM runs JOIN results ON run_id = runs.id WHERE status = 'ok' AND machine_id IS NOT NULL AND %s IS "    \
  "NULL AND " DYNO_STORE_NO_SELF_TEST " ORDER BY started_at, runs.id, ordinal"

#define VALUES                                                                                               \
  "SELECT value, unit, quality,"                                                                             \
  " (SELECT value FROM metric_values WHERE result_id = ?1 AND name = 'latency_median_low_ms'),"              \
  " (SELECT value FROM metric_values WHERE result_id = ?1 AND name = 'latency_median_high_ms')"              \
  " FROM metric_values WHERE result_id = ?1 AND name = ?2 AND value IS NOT NULL"

/* The CROSS JOIN keeps this order, in which each process is found by its key. */
#define PROCESSES                                                                                            \
  "SELECT min (value), max (value), count (value)"                                                           \
  " FROM invocations CROSS JOIN invocation_values"                                                           \
  " ON invocation_values.result_id = invocations.result_id AND invocation = number AND name = ?2"            \
  " WHERE invocations.result_id = ?1"

#define NAMES "SELECT name FROM metric_values WHERE result_id = ? AND value IS NOT NULL ORDER BY ordinal"

typedef struct Reading Reading;

struct Reading
{
  const DynoStoreHistoryQuery *query;
  gboolean (*take) (Reading *self, sqlite3_stmt *row, DynoResult *head, GError **error);
  GHashTable *machines;
  GHashTable *heads; /* by the setting and the model's name; NULL for cases that are not wanted */
  sqlite3_stmt *values;
  sqlite3_stmt *processes; /* NULL for files of earlier versions, which have no processes */
  sqlite3_stmt *names;
  GPtrArray *found;
  GHashTable *known; /* names found so far */
};

static void
reading_clear (Reading *self)
{
  g_clear_pointer (&self->machines, g_hash_table_unref);
  g_clear_pointer (&self->heads, g_hash_table_unref);
  g_clear_pointer (&self->values, sqlite3_finalize);
  g_clear_pointer (&self->processes, sqlite3_finalize);
  g_clear_pointer (&self->names, sqlite3_finalize);
  g_clear_pointer (&self->found, g_ptr_array_unref);
  g_clear_pointer (&self->known, g_hash_table_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Reading, reading_clear)

static void
unref_head (gpointer head)
{
  g_clear_object (&head);
}

DynoResult *
dyno_store_history_create_head (const char *setting, const char *model_name, GError **error)
{
  g_autoptr (JsonObject) object = dyno_json_parse_object (setting, -1, _ ("The stored case"), error);
  g_autoptr (DynoCase) kase = object != NULL ? dyno_case_new_from_json (object, error) : NULL;
  DynoResult *head = kase != NULL ? dyno_result_new (kase, 0) : NULL;

  if (head != NULL)
    g_object_set (head, "model-name", model_name, NULL);
  return head;
}

static char *
share_text (sqlite3_stmt *row, int column)
{
  const char *text = (const char *)sqlite3_column_text (row, column);

  return text != NULL ? g_ref_string_new_intern (text) : NULL;
}

static gboolean
has_number (sqlite3_stmt *row, int column)
{
  return sqlite3_column_type (row, column) != SQLITE_NULL;
}

/* The spread between processes or, if there is only one, within it. */
static gboolean
read_ends (Reading *self, gint64 result_id, DynoHistoryPoint *point, GError **error)
{
  const char *metric = self->query->metric;
  g_autoptr (GError) local_error = NULL;
  guint n = 0;

  if (self->processes != NULL)
    {
      if (!dyno_store_statement_bind (self->processes, error, "is", result_id, metric))
        return FALSE;
      if (dyno_store_statement_next (self->processes, &local_error))
        n = dyno_store_statement_get_uint (self->processes, 2);
    }
  if (n > 1)
    {
      point->n_processes = n;
      point->low = sqlite3_column_double (self->processes, 0);
      point->high = sqlite3_column_double (self->processes, 1);
    }
  else if (g_str_equal (metric, MEDIAN) && has_number (self->values, 3) && has_number (self->values, 4))
    {
      point->low = sqlite3_column_double (self->values, 3);
      point->high = sqlite3_column_double (self->values, 4);
    }
  return dyno_error_pass (&local_error, error);
}

static gboolean
add_point (Reading *self, sqlite3_stmt *row, DynoResult *head, GError **error)
{
  gint64 result_id = sqlite3_column_int64 (row, 3);
  g_autoptr (DynoHistoryPoint) point = NULL;
  g_autofree char *run_id = NULL;
  g_autofree char *quality = NULL;
  GError *local_error = NULL;

  if (!dyno_store_statement_bind (self->values, error, "is", result_id, self->query->metric))
    return FALSE;
  if (!dyno_store_statement_next (self->values, &local_error))
    {
      return dyno_error_pass (&local_error, error);
    }
  run_id = dyno_store_statement_dup_word (row, 5);
  quality = dyno_store_statement_dup_word (self->values, 2);
  point = dyno_history_point_new (head, run_id, (gint64)MAX (sqlite3_column_int64 (row, 8), 0),
                                  sqlite3_column_double (self->values, 0));
  point->ordinal = dyno_store_statement_get_uint (row, 4);
  point->run_title = share_text (row, 6);
  point->run_notes = share_text (row, 7);
  point->unit = share_text (self->values, 1);
  point->is_steady = !g_str_equal (quality, "unsteady");
  if (!read_ends (self, result_id, point, error))
    return FALSE;
  g_ptr_array_add (self->found, g_steal_pointer (&point));
  return TRUE;
}

static gboolean
add_names (Reading *self, sqlite3_stmt *row, DynoResult *head, GError **error)
{
  GError *local_error = NULL;

  if (!dyno_store_statement_bind (self->names, error, "i", sqlite3_column_int64 (row, 3)))
    return FALSE;
  while (dyno_store_statement_next (self->names, &local_error))
    {
      g_autofree char *name = dyno_store_statement_dup_word (self->names, 0);

      if (g_hash_table_contains (self->known, name))
        continue;
      g_hash_table_add (self->known, name);
      g_ptr_array_add (self->found, g_steal_pointer (&name));
    }
  return dyno_error_pass (&local_error, error);
}

static gboolean
read_rows (Reading *self, sqlite3 *db, GError **error)
{
  const char *deletion = dyno_store_schema_has_column (db, "runs", "deleted_at") ? "deleted_at" : "NULL";
  g_autofree char *sql = g_strdup_printf (CASES, deletion);
  g_autoptr (sqlite3_stmt) rows = NULL;
  g_autoptr (GError) local_error = NULL;

  self->machines = dyno_store_machine_list_same (db, self->query->machine, error);
  self->heads = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, unref_head);
  rows = self->machines != NULL ? dyno_store_statement_new (db, sql, error) : NULL;
  if (rows == NULL)
    return FALSE;
  while (dyno_store_statement_next (rows, &local_error))
    {
      const char *machine_id = (const char *)sqlite3_column_text (rows, 0);
      DynoResult *head = NULL;

      if (!g_hash_table_contains (self->machines, machine_id))
        continue;

      g_autofree char *setting = dyno_store_statement_dup_word (rows, 1);
      g_autofree char *model_name = dyno_store_statement_dup_text (rows, 2);
      g_autofree char *key = g_strconcat (setting, model_name, NULL);

      /* Cases that are not wanted have no head. */
      if (!g_hash_table_lookup_extended (self->heads, key, NULL, (gpointer *)&head))
        {
          g_autoptr (DynoResult) created = dyno_store_history_create_head (setting, model_name, error);

          if (created == NULL)
            return FALSE;
          head = self->query->filter (created, self->query->data) ? created : NULL;
          g_hash_table_insert (self->heads, g_steal_pointer (&key),
                               head != NULL ? g_object_ref (head) : NULL);
        }
      if (head != NULL && !self->take (self, rows, head, error))
        return FALSE;
    }
  return dyno_error_pass (&local_error, error);
}

gpointer
dyno_store_history_read (sqlite3 *db, gconstpointer query, GError **error)
{
  g_auto (Reading) self = { .query = query };

  self.take = add_point;
  self.found = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_history_point_free);
  self.values = dyno_store_statement_new (db, VALUES, error);
  if (self.values != NULL && dyno_store_schema_has_column (db, "invocations", "number"))
    {
      self.processes = dyno_store_statement_new (db, PROCESSES, error);
      if (self.processes == NULL)
        return NULL;
    }
  if (self.values == NULL || !read_rows (&self, db, error))
    return NULL;
  return g_steal_pointer (&self.found);
}

gpointer
dyno_store_history_read_names (sqlite3 *db, gconstpointer query, GError **error)
{
  g_auto (Reading) self = { .query = query };

  self.take = add_names;
  self.found = g_ptr_array_new_with_free_func (g_free);
  self.known = g_hash_table_new (g_str_hash, g_str_equal);
  self.names = dyno_store_statement_new (db, NAMES, error);
  if (self.names == NULL || !read_rows (&self, db, error))
    return NULL;
  return g_steal_pointer (&self.found);
}
