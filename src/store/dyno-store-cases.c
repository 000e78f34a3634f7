/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-store-machine.h"
#include "dyno-store-private.h"

#define CASES                                                                                                \
  "SELECT machine_id, snapshot, " DYNO_STORE_SETTING ", model_name, group_concat(DISTINCT runs.rowid), "     \
  "max(started_at)"                                                                                          \
  " FROM runs JOIN results ON run_id = runs.id JOIN machines ON machine_id = machines.id"                    \
  " WHERE status = 'ok' AND %s IS NULL AND " DYNO_STORE_NO_SELF_TEST                                         \
  " GROUP BY machine_id, 3, model_name ORDER BY 6 DESC, machine_id, 3, model_name"

typedef struct
{
  GHashTable *ids;       /* id of a machine, to its snapshot without engines and kernel */
  GHashTable *snapshots; /* by that part, the newest snapshot */
  GHashTable *by_case;
  GPtrArray *cases;
} Reading;

static void
reading_clear (Reading *self)
{
  g_hash_table_unref (self->ids);
  g_hash_table_unref (self->snapshots);
  g_hash_table_unref (self->by_case);
  g_clear_pointer (&self->cases, g_ptr_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Reading, reading_clear)

/* The first row of a machine belongs to its newest run. A machine with an unreadable snapshot is ignored. */
static const char *
find_machine (Reading *self, sqlite3_stmt *row)
{
  g_autofree char *machine_id = dyno_store_statement_dup_word (row, 0);
  g_autofree char *snapshot = NULL;
  g_autofree char *reduced = NULL;
  char *same = g_hash_table_lookup (self->ids, machine_id);

  if (same != NULL)
    return same;
  snapshot = dyno_store_statement_dup_word (row, 1);
  if (!dyno_store_machine_reduce (snapshot, &same, &reduced, NULL))
    return NULL;
  g_hash_table_insert (self->ids, g_steal_pointer (&machine_id), same);
  if (!g_hash_table_contains (self->snapshots, same))
    g_hash_table_insert (self->snapshots, g_strdup (same), g_ref_string_new (snapshot));
  return same;
}

static gboolean
read_row (Reading *self, sqlite3_stmt *row, GError **error)
{
  const char *machine = find_machine (self, row);
  g_autofree char *setting = dyno_store_statement_dup_word (row, 2);
  g_autofree char *model_name = dyno_store_statement_dup_text (row, 3);
  g_autofree char *runs = dyno_store_statement_dup_word (row, 4);
  g_autofree char *key = NULL;
  DynoMeasuredCase *kase;

  if (machine == NULL)
    return TRUE;
  key = g_strconcat (machine, setting, model_name, NULL);
  kase = g_hash_table_lookup (self->by_case, key);
  if (kase == NULL)
    {
      DynoResult *head = dyno_store_history_create_head (setting, model_name, error);

      if (head == NULL)
        return FALSE;
      kase = g_new0 (DynoMeasuredCase, 1);
      kase->head = head;
      kase->runs = g_hash_table_new (NULL, NULL);
      kase->machine = g_ref_string_acquire (g_hash_table_lookup (self->snapshots, machine));
      g_ptr_array_add (self->cases, kase);
    }
  g_hash_table_replace (self->by_case, g_steal_pointer (&key), kase);

  /* Settings that name the same case may belong to the same run. */
  g_auto (GStrv) list = g_strsplit (runs, ",", -1);

  for (char **number = list; *number != NULL; number++)
    g_hash_table_add (kase->runs, GSIZE_TO_POINTER (g_ascii_strtoull (*number, NULL, 10)));

  kase->measured_at = MAX (kase->measured_at, sqlite3_column_int64 (row, 5));
  return TRUE;
}

gpointer
dyno_store_cases_read (sqlite3 *db, gconstpointer unused, GError **error)
{
  g_auto (Reading) self = { NULL };
  const char *deletion = dyno_store_schema_has_column (db, "runs", "deleted_at") ? "deleted_at" : "NULL";
  g_autofree char *sql = g_strdup_printf (CASES, deletion);
  g_autoptr (sqlite3_stmt) rows = NULL;
  g_autoptr (GError) local_error = NULL;

  self.ids = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self.snapshots =
      g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify)g_ref_string_release);
  self.by_case = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self.cases = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_measured_case_free);

  rows = dyno_store_statement_new (db, sql, error);
  if (rows == NULL)
    return NULL;
  while (dyno_store_statement_next (rows, &local_error))
    if (!read_row (&self, rows, error))
      return NULL;
  return dyno_error_pass (&local_error, error) ? g_steal_pointer (&self.cases) : NULL;
}
