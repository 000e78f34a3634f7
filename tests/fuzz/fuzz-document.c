/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "dyno-report.h"
#include "dyno-store-private.h"
#include "dyno-store.h"
#include "fuzz-corpus.h"

/* Whatever the rows of a document hold, its runs are read and reported on, or it is refused with a reason.
 *
 * Each line of an input changes one cell of a whole document: “TABLE.COLUMN ROW VALUE”. Names and rows that do not exist count
 * as some that do, so that every line changes something. A first line that begins with “!” keeps the rules of the schema; without
 * it a changed row need not. */

/* A report, and opening a file, take as long as reading the rows of dozens of inputs: one of libFuzzer's in so many has both. */
#ifdef DYNO_LIBFUZZER
#define WHOLE_EVERY 64
#else
#define WHOLE_EVERY 1
#endif

typedef struct
{
  char *name;
  sqlite3_stmt *update;
} Cell;

static GArray *cells;
static sqlite3 *db;
static gboolean keeps_rules;

static void
list_cells (void)
{
  static const char query[] =
      "SELECT t.name || '.' || c.name, "
      "printf ('UPDATE OR IGNORE \"%w\" SET \"%w\" = ?1 WHERE rowid = (SELECT rowid FROM \"%w\" ORDER BY "
      "rowid "
      "LIMIT 1 OFFSET ?2 %% max (1, (SELECT count (*) FROM \"%w\")))', t.name, c.name, t.name, t.name) "
      "FROM sqlite_master AS t JOIN pragma_table_info (t.name) AS c "
      "WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%' ORDER BY t.name, c.cid";
  sqlite3_stmt *statement = NULL;

  cells = g_array_new (FALSE, FALSE, sizeof (Cell));
  g_assert_cmpint (sqlite3_prepare_v2 (db, query, -1, &statement, NULL), ==, SQLITE_OK);
  while (sqlite3_step (statement) == SQLITE_ROW)
    {
      Cell cell = { g_strdup ((const char *)sqlite3_column_text (statement, 0)), NULL };

      /* A table without rowids is not changed. */
      sqlite3_prepare_v2 (db, (const char *)sqlite3_column_text (statement, 1), -1, &cell.update, NULL);
      g_array_append_val (cells, cell);
    }
  sqlite3_finalize (statement);
  g_assert_cmpuint (cells->len, >, 0);
}

/* In place of the file, the base in memory, where rows can be changed. */
static void
open_base (void)
{
  const char *tests = g_getenv ("G_TEST_SRCDIR");
  g_autofree char *path = g_build_filename (tests != NULL ? tests : "tests", "store/fixtures/v11.dyno", NULL);
  g_autofree char *base = NULL;
  gsize size = 0;
  g_autoptr (GError) error = NULL;
  guint8 *copy;

  g_file_get_contents (path, &base, &size, &error);
  g_assert_no_error (error);
  db = dyno_store_connection_open (path, DYNO_STORE_UNTRUSTED, 0, &error);
  g_assert_no_error (error);
  /* SQLite 3.40 takes json_valid(), which the rules of rows call, for unsafe where something can be written. */
  sqlite3_db_config (db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 1, NULL);
  copy = sqlite3_malloc64 (size);
  memcpy (copy, base, size);
  g_assert_cmpint (sqlite3_deserialize (db, "main", copy, (gint64)size, (gint64)size,
                                        SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE),
                   ==, SQLITE_OK);
  sqlite3_exec (db, "PRAGMA foreign_keys = ON", NULL, NULL, NULL);
  keeps_rules = TRUE;
  list_cells ();
}

static void
close_base (void)
{
  for (guint i = 0; i < cells->len; i++)
    {
      g_free (g_array_index (cells, Cell, i).name);
      sqlite3_finalize (g_array_index (cells, Cell, i).update);
    }
  g_clear_pointer (&cells, g_array_unref);
  g_assert_cmpint (sqlite3_close (db), ==, SQLITE_OK);
  db = NULL;
}

static const Cell *
find_cell (const char *name)
{
  for (guint i = 0; i < cells->len; i++)
    if (g_str_equal (g_array_index (cells, Cell, i).name, name))
      return &g_array_index (cells, Cell, i);
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
change_cell (const char *line)
{
  g_auto (GStrv) parts = g_strsplit (line, " ", 3);
  sqlite3_stmt *update = find_cell (parts[0] != NULL ? parts[0] : "")->update;
  guint64 row = g_strv_length (parts) > 1 ? g_ascii_strtoull (parts[1], NULL, 10) : 0;

  if (update == NULL)
    return;
  bind_value (update, g_strv_length (parts) > 2 ? parts[2] : "");
  sqlite3_bind_int64 (update, 2, (gint64)(row % G_MAXINT32));
  sqlite3_step (update);
  sqlite3_reset (update);
}

/* Leaves a transaction, so that the changes can be taken back. Each switch of the rules makes SQLite prepare all statements anew. */
static void
change_cells (const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", 64);

  if (keeps_rules != (*text == '!'))
    {
      keeps_rules = !keeps_rules;
      sqlite3_exec (db,
                    keeps_rules ? "PRAGMA foreign_keys = ON; PRAGMA ignore_check_constraints = OFF"
                                : "PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON",
                    NULL, NULL, NULL);
    }
  sqlite3_exec (db, "BEGIN", NULL, NULL, NULL);
  for (guint i = keeps_rules ? 1 : 0; lines[i] != NULL && i < 64; i++)
    change_cell (lines[i]);
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
read_runs (gboolean is_whole, guint choice)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) runs = dyno_store_reader_list_runs (db, NULL, 0, 10, &error);

  g_assert_true ((runs != NULL) == (error == NULL));
  for (guint i = 0; runs != NULL && i < runs->len; i++)
    {
      g_autoptr (GError) problem = NULL;
      g_autoptr (DynoRun) run =
          dyno_store_reader_load_run (db, dyno_run_get_id (runs->pdata[i]), -1, &problem);

      g_assert_true ((run != NULL) == (problem == NULL));
      if (run != NULL && is_whole)
        report (run, choice);
    }
}

/* As a file, the document is taken or refused as its rows are. */
static void
open_whole (gboolean is_sound)
{
  g_autoptr (DynoStore) document = NULL;
  g_autoptr (GError) error = NULL;
  sqlite3_int64 size = 0;
  guint8 *bytes;

  sqlite3_exec (db, "COMMIT", NULL, NULL, NULL);
  bytes = sqlite3_serialize (db, "main", &size, 0);
  document = dyno_store_open_document (fuzz_file_write ("run.dyno", bytes, (gsize)size), &error);
  g_assert_true ((document != NULL) == (error == NULL));
  g_assert_true ((document != NULL) == is_sound);
  sqlite3_free (bytes);
  close_base ();
}

static void
read_input (const guint8 *data, gsize size)
{
  static guint n_inputs;
  g_autofree char *text = g_strndup ((const char *)data, size);
  g_autoptr (GError) error = NULL;
  gboolean is_whole = n_inputs++ % WHOLE_EVERY == 0;
  gboolean is_sound;

  if (db == NULL)
    open_base ();
  change_cells (text);
  is_sound = dyno_store_document_check (db, &error);
  g_assert_true (is_sound == (error == NULL));
  if (is_sound)
    read_runs (is_whole, (guint)size);
  if (is_whole)
    open_whole (is_sound);
  else
    sqlite3_exec (db, "ROLLBACK", NULL, NULL, NULL);
}

FUZZ_TARGET (read_input)
