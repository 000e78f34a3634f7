/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gstdio.h>
#include <sqlite3.h>
#include <string.h>

#include "dyno-importer.h"
#include "fuzz-corpus.h"

/* Whatever is in a file, reading it ends with a run or with a reason. The corpus are the fixtures of all dialects. */

/* Writing a document takes as long as reading hundreds of files: one run in so many is written. */
#define DOCUMENT_EVERY 256

static void
check_value (DynoValue *value)
{
  static const char *const amounts[] = { "ms",   "J",      "W",    "1/s", "tokens/s",
                                         "FLOP", "FLOP/s", "GB/s", "MHz", NULL };

  g_assert_cmpint (dyno_value_get_quality (value), ==, DYNO_QUALITY_IMPORTED);
  if (g_strv_contains (amounts, dyno_value_get_unit (value)))
    g_assert_cmpfloat (dyno_value_get_number (value), >=, 0);
}

static void
check_trace (DynoTrace *trace)
{
  const gint64 *times = dyno_trace_get_times (trace);

  for (gsize i = 0; i < dyno_trace_get_length (trace); i++)
    {
      g_assert_cmpfloat (dyno_trace_get_values (trace)[i], >=, 0);
      g_assert_cmpint (times[i], >=, i > 0 ? times[i - 1] : 0);
    }
}

/* What is left over must be JSON to the store. */
static void
check_rest (const char *rest)
{
  static sqlite3_stmt *statement;
  static sqlite3 *db;

  if (statement == NULL)
    {
      g_assert_cmpint (sqlite3_open (":memory:", &db), ==, SQLITE_OK);
      g_assert_cmpint (sqlite3_prepare_v2 (db, "SELECT json_valid (?)", -1, &statement, NULL), ==, SQLITE_OK);
    }
  sqlite3_bind_text (statement, 1, rest, -1, SQLITE_STATIC);
  g_assert_cmpint (sqlite3_step (statement), ==, SQLITE_ROW);
  if (!sqlite3_column_int (statement, 0))
    g_error ("This is not JSON: %s", rest);
  sqlite3_reset (statement);
}

/* What was imported can be written and opened again. */
static void
check_document (DynoRun *run)
{
  static guint n_runs;
  g_autofree char *folder = NULL;
  g_autofree char *path = NULL;
  g_autoptr (DynoStore) document = NULL;
  g_autoptr (GError) error = NULL;

  if (n_runs++ % DOCUMENT_EVERY > 0)
    return;
  folder = g_dir_make_tmp ("dyno-fuzz-XXXXXX", &error);
  g_assert_no_error (error);
  path = g_build_filename (folder, "run.dyno", NULL);
  dyno_store_save_run (run, NULL, path, &error);
  g_assert_no_error (error);
  document = dyno_store_open_document (path, &error);
  g_assert_no_error (error);
  g_unlink (path);
  g_rmdir (folder);
}

/* What a run must be that goes to the store. */
static void
check (const DynoDialect *dialect, DynoRun *run)
{
  GListModel *results = dyno_run_get_results (run);

  g_assert_true (dialect->read_runs != NULL || g_list_model_get_n_items (results) > 0);
  g_assert_cmpuint (strlen (dyno_run_get_id (run)), ==, 36);
  g_assert_true (g_uuid_string_is_valid (dyno_run_get_id (run)));
  for (guint i = 0; i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (results, i);
      GPtrArray *values = dyno_result_get_values (result);
      GPtrArray *traces = dyno_result_get_traces (result);

      for (guint k = 0; k < values->len && dialect->read_runs == NULL; k++)
        check_value (values->pdata[k]);
      for (guint k = 0; k < traces->len && dialect->read_runs == NULL; k++)
        check_trace (traces->pdata[k]);
    }
  if (dialect->read_runs != NULL)
    return;
  check_rest (dyno_run_get_origin (run)->extra);
  check_document (run);
}

static gboolean
read_as (const DynoDialect *dialect, DynoImportFile *file, GError **error)
{
  g_autoptr (DynoPowerLog) log = NULL;
  g_autoptr (GPtrArray) runs = NULL;

  if (dialect->read_power != NULL)
    {
      log = dialect->read_power (file, error);
      g_assert_true (log == NULL || dyno_trace_get_length (log->power) > 1);
      return log != NULL;
    }
  runs = dyno_importer_read (file, dialect, error);
  g_assert_true (runs == NULL || runs->len > 0);
  for (guint i = 0; runs != NULL && i < runs->len; i++)
    check (dialect, runs->pdata[i]);
  return runs != NULL;
}

/* All dialects take thirty times as long as one: libFuzzer's inputs are read as they are recognised, and as the dialect whose turn
 * their size gives. */
static gboolean
is_due (guint number, gsize size)
{
#ifdef DYNO_LIBFUZZER
  static guint n_dialects;

  while (dyno_dialect_list ()[n_dialects] != NULL)
    n_dialects++;
  return number == size % n_dialects;
#else
  return TRUE;
#endif
}

/* Each dialect must bear every file, whatever it is recognised as. */
static void
read_input (const guint8 *data, gsize size)
{
  const DynoDialect *const *dialects = dyno_dialect_list ();
  g_autoptr (GBytes) bytes = g_bytes_new_static (data, size);
  g_autoptr (DynoImportFile) whole = dyno_import_file_new_for_bytes ("file", bytes);

  for (guint i = 0; dialects[i] != NULL; i++)
    {
      g_autoptr (DynoImportFile) file = NULL;
      g_autoptr (GError) error = NULL;

      if (!dialects[i]->recognise (dyno_import_file_get_head (whole)) && !is_due (i, size))
        continue;
      file = dyno_import_file_new_for_bytes ("file", bytes);
      g_assert_true (read_as (dialects[i], file, &error) == (error == NULL));
    }
}

FUZZ_TARGET (read_input)
