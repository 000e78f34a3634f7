/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <unistd.h>

#include "dyno-error.h"
#include "dyno-store-private.h"

/* Reading a whole file takes a moment, so only small ones are always checked from end to end. */
#define SMALL_FILE (8 * 1024 * 1024)

/* Separates the name of the store from the date in the name of a damaged file. */
#define ASIDE ".damaged-"

/* Files that SQLite keeps beside the database and that are part of it. */
static const char *const sidecars[] = { "-wal", "-journal" };

/* Parents come before children. Each order follows an index of the table, so that it can be read in both
 * directions. */
static const struct
{
  const char *table;
  const char *columns;
  const char *order;
  gint64 since; /* the version of the schema that added it */
} tables[] = {
  { "machines", "id, snapshot", "rowid", 1 },
  { "ceilings", "machine_id, device, kind, value, unit, method, measured_at", "machine_id", 1 },
  { "baselines", "name, run_id, set_at", "name", 7 },
  { "runs",
    "id, started_at, finished_at, title, notes, source, app_version, n_cases, n_ok, summary, search, "
    "machine_id,"
    " machine_state, plan, deleted_at, n_doubtful, n_unsteady, n_failed, n_skipped",
    "rowid", 1 },
  { "imports", "run_id, dialect, tool, version, file_name, imported_at, hash, size, extra, content", "rowid",
    9 },
  { "meters", "run_id, hash, file_name, imported_at, size, content", "run_id", 10 },
  { "results",
    "id, run_id, ordinal, model, model_name, architecture, parameter_count, backend, device, precision, "
    "batch_size,"
    " sequence_length, options, status, reason, device_kind, state, weights",
    "rowid", 1 },
  { "metric_values", "result_id, name, ordinal, value, unit, quality, source", "result_id", 1 },
  { "series", "id, result_id, name, unit, t0, data, invocation", "rowid", 1 },
  { "invocations", "result_id, number, failure", "result_id", 6 },
  { "invocation_values", "result_id, invocation, name, ordinal, value, unit, quality, source", "result_id",
    6 },
  { "operators", "result_id, ordinal, name, type, provider, calls, time_ns, flops, bytes, kernel",
    "result_id", 1 },
  { "diagnostics", "result_id, ordinal, severity, code, message", "result_id", 1 },
};

static char *
dup_mark (const char *path)
{
  return g_strconcat (path, ".suspect", NULL);
}

void
dyno_store_recovery_suspect (const char *path)
{
  g_autofree char *mark = dup_mark (path);
  g_autoptr (GError) error = NULL;

  if (!g_file_set_contents (mark, "", 0, &error))
    g_debug ("No mark beside the damaged store: %s", error->message);
}

gboolean
dyno_store_recovery_check (const char *path, sqlite3 *db, GError **error)
{
  g_autofree char *mark = dup_mark (path);
  GStatBuf info;

  if (!g_file_test (mark, G_FILE_TEST_EXISTS) && (g_stat (path, &info) != 0 || info.st_size >= SMALL_FILE))
    return TRUE;
  if (!dyno_store_schema_check_pages (db, error))
    return FALSE;
  g_unlink (mark);
  return TRUE;
}

static gboolean
copy_rows (sqlite3 *damaged, const char *select, sqlite3_stmt *to, gboolean *reached_end, GError **error)
{
  g_autoptr (sqlite3_stmt) from = dyno_store_statement_new (damaged, select, NULL);
  int code = SQLITE_ERROR;

  while (from != NULL && (code = sqlite3_step (from)) == SQLITE_ROW)
    {
      int inserted;

      sqlite3_reset (to);
      for (int i = 0; i < sqlite3_column_count (from); i++)
        sqlite3_bind_value (to, i + 1, sqlite3_column_value (from, i));
      inserted = sqlite3_step (to);
      /* A row that breaks a constraint was not written by Dyno, or is in the table already. */
      if (inserted != SQLITE_DONE && (inserted & 0xff) != SQLITE_CONSTRAINT)
        {
          dyno_store_statement_set_error (sqlite3_db_handle (to), error);
          return FALSE;
        }
    }
  *reached_end = code == SQLITE_DONE;
  return TRUE;
}

/* A file of an older version lacks some columns, which then keep their defaults, or the whole table. */
static GStrv
list_columns (sqlite3 *damaged, guint index)
{
  g_auto (GStrv) columns = g_strsplit (tables[index].columns, ",", -1);
  g_autoptr (GStrvBuilder) known = g_strv_builder_new ();

  for (guint i = 0; columns[i] != NULL; i++)
    if (dyno_store_schema_has_column (damaged, tables[index].table, g_strstrip (columns[i])))
      g_strv_builder_add (known, columns[i]);
  return g_strv_builder_end (known);
}

/* Results of a lost run get a run with that id; the rows of a lost result are useless. */
static gboolean
mend_references (sqlite3 *fresh, GError **error)
{
  static const char *const children[] = { "metric_values", "series", "operators", "diagnostics",
                                          "invocations" };

  if (!dyno_store_statement_run_with (
          fresh, error,
          "INSERT INTO runs (id, started_at, finished_at, title, n_cases, n_ok, summary, search)"
          " SELECT DISTINCT run_id, 0, 0, ?, 0, 0, '', '' FROM results WHERE run_id NOT IN (SELECT id FROM "
          "runs)",
          "s", _ ("Recovered run")) ||
      !dyno_store_statement_run (fresh,
                                 "UPDATE runs SET machine_id = NULL"
                                 " WHERE machine_id NOT IN (SELECT id FROM machines);"
                                 "DELETE FROM ceilings WHERE machine_id NOT IN (SELECT id FROM machines);"
                                 "DELETE FROM imports WHERE run_id NOT IN (SELECT id FROM runs);"
                                 "DELETE FROM meters WHERE run_id NOT IN (SELECT id FROM runs)",
                                 error))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (children); i++)
    {
      g_autofree char *sql =
          g_strdup_printf ("DELETE FROM %s WHERE result_id NOT IN (SELECT id FROM results)", children[i]);

      if (!dyno_store_statement_run (fresh, sql, error))
        return FALSE;
    }
  return dyno_store_statement_run (fresh,
                                   "DELETE FROM invocation_values WHERE (result_id, invocation)"
                                   " NOT IN (SELECT result_id, number FROM invocations)",
                                   error);
}

/* A table that the file's version does not have yet is not missing. If the version cannot be read, every
 * absent table counts as missing. */
static gboolean
copy_tables (sqlite3 *damaged, sqlite3 *fresh, gboolean *is_whole, GError **error)
{
  gint64 version = G_MAXINT64;

  dyno_store_statement_read_int (damaged, "PRAGMA user_version", &version, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (tables); i++)
    {
      gboolean table_is_whole = FALSE;

      /* If reading from the front fails, read on from the back: most damage is in one place. */
      g_auto (GStrv) columns = list_columns (damaged, i);
      g_autofree char *list = g_strjoinv (", ", columns);
      g_autoptr (GString) parameters = g_string_new ("?");
      g_autofree char *insert = NULL;
      g_autofree char *forwards =
          g_strdup_printf ("SELECT %s FROM %s ORDER BY %s", list, tables[i].table, tables[i].order);
      g_autofree char *backwards = g_strconcat (forwards, " DESC", NULL);
      g_autoptr (sqlite3_stmt) to = NULL;
      gboolean reached_end = FALSE;

      for (guint k = 1; k < g_strv_length (columns); k++)
        g_string_append (parameters, ", ?");
      insert = g_strdup_printf ("INSERT OR IGNORE INTO %s (%s) VALUES (%s)", tables[i].table, list,
                                parameters->str);
      if (*columns != NULL)
        {
          to = dyno_store_statement_new (fresh, insert, error);
          if (to == NULL || !copy_rows (damaged, forwards, to, &table_is_whole, error))
            return FALSE;
          if (!table_is_whole && !copy_rows (damaged, backwards, to, &reached_end, error))
            return FALSE;
        }
      *is_whole = *is_whole && (table_is_whole || version < tables[i].since);
    }
  /* Columns of later versions follow from the copied rows, so a damaged diagnostic loses no result. */
  return (dyno_store_schema_has_column (damaged, "results", "device_kind") ||
          dyno_store_statement_run (
              fresh, "UPDATE results SET device_kind = " DYNO_STORE_DEVICE_KIND_BEFORE_3, error)) &&
         (dyno_store_schema_has_column (damaged, "results", "state") ||
          dyno_store_statement_run (fresh, "UPDATE results SET state = " DYNO_STORE_STATE_BEFORE_5, error));
}

static gboolean
salvage (const char *damaged_path, sqlite3 *fresh, gboolean *is_whole, GError **error)
{
  g_autoptr (sqlite3) damaged = dyno_store_connection_open (damaged_path, DYNO_STORE_SALVAGE, 0, NULL);
  g_autoptr (DynoStoreTransaction) transaction = NULL;
  g_auto (GStrv) ids = NULL;

  if (!dyno_store_schema_migrate (fresh, error))
    return FALSE;
  transaction = dyno_store_transaction_write (fresh, error);
  if (transaction == NULL)
    return FALSE;
  *is_whole = damaged != NULL;
  if (damaged != NULL && !copy_tables (damaged, fresh, is_whole, error))
    return FALSE;
  ids = mend_references (fresh, error) ? dyno_store_reader_list_ids (fresh, NULL, error) : NULL;
  for (char **id = ids; id != NULL && *id != NULL; id++)
    if (!dyno_store_summary_write (fresh, *id, error))
      return FALSE;
  return ids != NULL && dyno_store_transaction_commit (transaction, error);
}

static gboolean
rename_file (const char *from, const char *to, GError **error)
{
  g_autofree char *display_from = g_filename_display_name (from);
  g_autofree char *display_to = g_filename_display_name (to);

  if (g_rename (from, to) == 0)
    return TRUE;
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_STORE_DAMAGED,
               _ ("“%s” cannot be moved to “%s”: %s. Try again."), display_from, display_to,
               g_strerror (errno));
  return FALSE;
}

/* Gives the new file its name only once it is complete. */
static gboolean
build_fresh (const char *damaged_path, const char *fresh_path, gboolean *is_whole, GError **error)
{
  g_autofree char *part_path = g_strconcat (fresh_path, "-part", NULL);
  g_autoptr (sqlite3) fresh = NULL;

  g_unlink (part_path);
  fresh = dyno_store_connection_open (part_path, DYNO_STORE_COPY, 0, error);
  if (fresh == NULL || !salvage (damaged_path, fresh, is_whole, error))
    {
      g_unlink (part_path);
      return FALSE;
    }
  g_clear_pointer (&fresh, sqlite3_close_v2);
  return rename_file (part_path, fresh_path, error);
}

static gboolean
count (const char *path, gint64 *n_runs, gint64 *n_results, GError **error)
{
  g_autoptr (sqlite3) db = dyno_store_connection_open (path, DYNO_STORE_READ_ONLY, 0, error);

  return db != NULL && dyno_store_statement_read_int (db, "SELECT count (*) FROM runs", n_runs, error) &&
         dyno_store_statement_read_int (db, "SELECT count (*) FROM results", n_results, error);
}

/* A process that died may have linked the file already. */
static char *
find_aside (const char *path)
{
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *base = g_path_get_basename (path);
  g_autofree char *prefix = g_strconcat (base, ASIDE, NULL);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;
  GStatBuf ours, theirs;

  if (dir == NULL || g_stat (path, &ours) != 0)
    return NULL;
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *candidate = g_build_filename (folder, name, NULL);

      if (g_str_has_prefix (name, prefix) && g_stat (candidate, &theirs) == 0 &&
          theirs.st_ino == ours.st_ino && theirs.st_dev == ours.st_dev)
        return g_steal_pointer (&candidate);
    }
  return NULL;
}

/* Copies the file if the file system has no links. */
static int
link_or_copy (const char *from, const char *to)
{
  g_autoptr (GFile) source = g_file_new_for_path (from);
  g_autoptr (GFile) target = g_file_new_for_path (to);
  g_autoptr (GError) error = NULL;

  if (link (from, to) == 0)
    return 0;
  if (errno != EPERM && errno != EOPNOTSUPP && errno != EMLINK)
    return errno;
  if (g_file_copy (source, target, G_FILE_COPY_NONE, NULL, NULL, NULL, &error))
    return 0;
  return g_error_matches (error, G_IO_ERROR, G_IO_ERROR_EXISTS) ? EEXIST : EIO;
}

static char *
link_aside (const char *path, GError **error)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autofree char *date = g_date_time_format (now, "%Y-%m-%d-%H%M%S");
  g_autofree char *display_path = g_filename_display_name (path);
  char *aside = find_aside (path);
  int code = aside != NULL ? 0 : EEXIST;

  for (guint i = 1; code == EEXIST; i++)
    {
      g_free (aside);
      aside = i == 1 ? g_strconcat (path, ASIDE, date, NULL)
                     : g_strdup_printf ("%s" ASIDE "%s-%u", path, date, i);
      code = link_or_copy (path, aside);
    }
  if (code == 0)
    return aside;
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_STORE_DAMAGED,
               _ ("“%s” is damaged and cannot be kept as “%s”: %s. Move it away to go on."), display_path,
               aside, g_strerror (code));
  g_free (aside);
  return NULL;
}

static char *
dup_fresh_path (const char *path)
{
  return g_strconcat (path, ".recovering", NULL);
}

gboolean
dyno_store_recovery_is_pending (const char *path)
{
  g_autofree char *fresh_path = dup_fresh_path (path);

  return g_file_test (fresh_path, G_FILE_TEST_EXISTS);
}

static char *
describe (const char *path,
          const char *aside,
          gint64 n_runs,
          gint64 n_results,
          gboolean is_lost,
          gboolean is_partial)
{
  g_autofree char *display_path = g_filename_display_name (path);
  g_autofree char *display_aside = g_filename_display_name (aside);
  g_autofree char *quoted = g_shell_quote (display_aside);
  g_autofree char *recovered =
      g_strdup_printf (_ ("“%s” was damaged. Recovered from it: runs: %d, cases: %d. It is kept as “%s”."),
                       display_path, (int)n_runs, (int)n_results, display_aside);

  if (is_lost)
    return g_strdup_printf (
        _ ("“%s” was damaged, and none of its runs could be read. Dyno starts again with an empty store. The "
           "damaged file is kept as “%s”. Restore a backup, or try “sqlite3 %s .recover” with the sqlite3 "
           "from sqlite.org, which may still find runs."),
        display_path, display_aside, quoted);
  if (!is_partial)
    return g_steal_pointer (&recovered);
  return g_strdup_printf (_ ("%s Some of its data could not be read. Restore a backup, or try “sqlite3 %s "
                             ".recover” with the sqlite3 from sqlite.org, which may find more."),
                          recovered, quoted);
}

char *
dyno_store_recovery_run (const char *path, gboolean *lost, GError **error)
{
  g_autofree char *fresh_path = dup_fresh_path (path);
  g_autofree char *aside = NULL;
  g_autofree char *mark = dup_mark (path);
  gboolean is_whole = FALSE;
  gboolean is_pending = dyno_store_recovery_is_pending (path);
  gint64 n_runs = 0, n_results = 0;

  if ((!is_pending && !build_fresh (path, fresh_path, &is_whole, error)) ||
      !count (fresh_path, &n_runs, &n_results, error))
    return NULL;
  aside = link_aside (path, error);
  if (aside == NULL)
    return NULL;

  for (guint i = 0; i < G_N_ELEMENTS (sidecars); i++)
    {
      g_autofree char *from = g_strconcat (path, sidecars[i], NULL);
      g_autofree char *to = g_strconcat (aside, sidecars[i], NULL);
      int code = link_or_copy (from, to);

      if (code != 0 && code != EEXIST && code != ENOENT)
        {
          g_set_error (error, DYNO_ERROR, DYNO_ERROR_STORE_DAMAGED,
                       _ ("“%s” is damaged and cannot be kept as “%s”: %s. Move it away to go on."), from, to,
                       g_strerror (code));
          return NULL;
        }
    }

  /* SQLite must not read the log of the damaged file as that of the new file. */
  g_autofree char *index = g_strconcat (path, "-shm", NULL);

  for (guint i = 0; i < G_N_ELEMENTS (sidecars); i++)
    {
      g_autofree char *name = g_strconcat (path, sidecars[i], NULL);
      g_unlink (name);
    }
  g_unlink (index);

  if (!rename_file (fresh_path, path, error))
    return NULL;
  g_unlink (mark);
  *lost = n_runs == 0 && !is_whole;
  /* A process that died did not record whether its file is complete. */
  return describe (path, aside, n_runs, n_results, *lost, !is_pending && !is_whole);
}
