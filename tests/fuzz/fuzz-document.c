/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "dyno-report.h"
#include "dyno-store.h"
#include "fuzz-corpus.h"

/* Whatever the rows of a document hold, its runs are read and reported on, or it is refused with a reason.
 *
 * Each line of an input changes one cell of a whole document: “TABLE.COLUMN ROW VALUE”. Names and rows that do not exist count
 * as some that do, so that every line changes something. A first line that begins with “!” keeps the rules of the schema; without
 * it a changed row need not. */

typedef struct
{
  char *table;
  char *column;
} Cell;

static GArray *cells;
static guint8 *base;
static gsize base_size;

static void
list_cells (sqlite3 *db)
{
  static const char query[] =
      "SELECT t.name, c.name FROM sqlite_master AS t JOIN pragma_table_info (t.name) AS c "
      "WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%' ORDER BY 1, c.cid";
  sqlite3_stmt *statement = NULL;

  cells = g_array_new (FALSE, FALSE, sizeof (Cell));
  g_assert_cmpint (sqlite3_prepare_v2 (db, query, -1, &statement, NULL), ==, SQLITE_OK);
  while (sqlite3_step (statement) == SQLITE_ROW)
    {
      Cell cell = { g_strdup ((const char *)sqlite3_column_text (statement, 0)),
                    g_strdup ((const char *)sqlite3_column_text (statement, 1)) };

      g_array_append_val (cells, cell);
    }
  sqlite3_finalize (statement);
  g_assert_cmpuint (cells->len, >, 0);
}

static sqlite3 *
open_base (void)
{
  sqlite3 *db = NULL;
  guint8 *copy = sqlite3_malloc64 (base_size);

  memcpy (copy, base, base_size);
  g_assert_cmpint (sqlite3_open (":memory:", &db), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_deserialize (db, "main", copy, (gint64)base_size, (gint64)base_size,
                                        SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE),
                   ==, SQLITE_OK);
  return db;
}

static void
load_base (void)
{
  const char *tests = g_getenv ("G_TEST_SRCDIR");
  g_autofree char *path = g_build_filename (tests != NULL ? tests : "tests", "store/fixtures/v11.dyno", NULL);
  g_autoptr (GError) error = NULL;
  sqlite3 *db;

  g_file_get_contents (path, (char **)&base, &base_size, &error);
  g_assert_no_error (error);
  db = open_base ();
  list_cells (db);
  sqlite3_close (db);
}

static const Cell *
find_cell (const char *name)
{
  for (guint i = 0; i < cells->len; i++)
    {
      const Cell *cell = &g_array_index (cells, Cell, i);
      g_autofree char *known = g_strconcat (cell->table, ".", cell->column, NULL);

      if (g_str_equal (known, name))
        return cell;
    }
  return &g_array_index (cells, Cell, g_str_hash (name) % cells->len);
}

static void
bind_value (sqlite3_stmt *statement, const char *value)
{
  char *end = NULL;
  double number = g_ascii_strtod (value, &end);

  if (g_str_equal (value, "NULL"))
    sqlite3_bind_null (statement, 1);
  else if (g_str_has_prefix (value, "blob "))
    sqlite3_bind_blob (statement, 1, value + 5, (int)strlen (value + 5), SQLITE_TRANSIENT);
  else if (*value == '\0' || *end != '\0')
    sqlite3_bind_text (statement, 1, value, -1, SQLITE_TRANSIENT);
  else if (strcspn (value, ".eEnN") < strlen (value))
    sqlite3_bind_double (statement, 1, number);
  else
    sqlite3_bind_int64 (statement, 1, g_ascii_strtoll (value, NULL, 10));
}

static void
change_cell (sqlite3 *db, const char *line)
{
  g_auto (GStrv) parts = g_strsplit (line, " ", 3);
  const Cell *cell = find_cell (parts[0] != NULL ? parts[0] : "");
  guint64 row = g_strv_length (parts) > 1 ? g_ascii_strtoull (parts[1], NULL, 10) : 0;
  g_autofree char *query = g_strdup_printf ("UPDATE OR IGNORE \"%s\" SET \"%s\" = ?1 WHERE rowid = (SELECT "
                                            "rowid FROM \"%s\" ORDER BY rowid LIMIT 1 OFFSET "
                                            "?2 %% max (1, (SELECT count (*) FROM \"%s\")))",
                                            cell->table, cell->column, cell->table, cell->table);
  sqlite3_stmt *statement = NULL;

  /* A table without rowids is not changed. */
  if (sqlite3_prepare_v2 (db, query, -1, &statement, NULL) == SQLITE_OK)
    {
      bind_value (statement, g_strv_length (parts) > 2 ? parts[2] : "");
      sqlite3_bind_int64 (statement, 2, (gint64)(row % G_MAXINT32));
      sqlite3_step (statement);
    }
  sqlite3_finalize (statement);
}

static const char *
write_document (const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", 64);
  sqlite3 *db = open_base ();
  sqlite3_int64 size = 0;
  guint8 *bytes;
  const char *path;

  sqlite3_exec (db, *text == '!' ? "PRAGMA foreign_keys = ON" : "PRAGMA ignore_check_constraints = ON", NULL,
                NULL, NULL);
  for (guint i = *text == '!' ? 1 : 0; lines[i] != NULL && i < 64; i++)
    change_cell (db, lines[i]);
  bytes = sqlite3_serialize (db, "main", &size, 0);
  path = fuzz_file_write ("run.dyno", bytes, (gsize)size);
  sqlite3_free (bytes);
  sqlite3_close (db);
  return path;
}

/* A report in one format for each input, because all of them take a second. */
static void
report (DynoRun *run, guint choice)
{
  const DynoReportFormat *const *formats = dyno_report_format_list ();
  g_autoptr (GPtrArray) runs = g_ptr_array_new ();
  g_autoptr (GHashTable) ceilings = g_hash_table_new (g_str_hash, g_str_equal);
  const DynoReportSource source = { .runs = runs, .ceilings = ceilings };
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = NULL;
  guint n_formats = 0;

  while (formats[n_formats] != NULL)
    n_formats++;
  g_ptr_array_add (runs, run);
  bytes = dyno_report_write (formats[choice % n_formats], dyno_report_template_find ("run"), &source, &error);
  g_assert_true ((bytes != NULL) == (error == NULL));
}

static void
read_input (const guint8 *data, gsize size)
{
  g_autofree char *text = g_strndup ((const char *)data, size);
  g_autoptr (DynoStore) store = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) runs = NULL;

  if (base == NULL)
    load_base ();
  store = dyno_store_open_document (write_document (text), &error);
  g_assert_true ((store != NULL) == (error == NULL));
  runs = store != NULL ? dyno_store_list_runs (store, NULL, 0, 10, &error) : NULL;
  for (guint i = 0; runs != NULL && i < runs->len; i++)
    {
      g_autoptr (GError) problem = NULL;
      g_autoptr (DynoRun) run = dyno_store_load_run (store, dyno_run_get_id (runs->pdata[i]), &problem);

      g_assert_true ((run != NULL) == (problem == NULL));
      if (run != NULL)
        report (run, (guint)size);
    }
}

FUZZ_TARGET (read_input)
