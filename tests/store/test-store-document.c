/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include <glib/gstdio.h>

#include "store-fixture.h"
#include "suite.h"

typedef struct
{
  StoreFixture base;
  char *document;
} Fixture;

static void
keep_run (DynoStore *store, const char *id, const char *title, guint n_results)
{
  g_autoptr (DynoRun) run = store_fixture_make_run (id, 1000, title);

  for (guint i = 0; i < n_results; i++)
    {
      g_autoptr (DynoResult) result = store_fixture_make_result ("gpt2", "cpu", i);
      dyno_run_add_result (run, result);
    }
  store_fixture_keep (store, run);
}

/* A document of one run with two results; the tests of hostile ones spoil it. */
static void
set_up (Fixture *fixture, gconstpointer data)
{
  static const char *const ids[] = { "run", NULL };
  g_autoptr (GError) error = NULL;

  store_fixture_set_up (&fixture->base, data);
  fixture->document = store_fixture_build_path (&fixture->base, "some runs?#%20.dyno");
  keep_run (fixture->base.store, "run", "Saved", 2);
  dyno_store_save_document (fixture->base.store, ids, fixture->document, &error);
  g_assert_no_error (error);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  store_fixture_tear_down (&fixture->base, data);
  g_free (fixture->document);
}

static void
assert_refused (Fixture *fixture, int code)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (dyno_store_open_document (fixture->document, &error));
  suite_assert_error (error, code, "some runs");
  g_assert_null (dyno_store_import_document (fixture->base.store, fixture->document, &error));
  g_assert_error (error, DYNO_ERROR, code);
  g_assert_cmpuint (dyno_store_count_runs (fixture->base.store, NULL, NULL), ==, 1);
}

static void
test_round_trip (Fixture *fixture, gconstpointer data)
{
  g_autoptr (DynoStore) document = store_fixture_open_document (fixture->document);
  g_autoptr (DynoRun) original = dyno_store_load_run (fixture->base.store, "run", NULL);
  g_autoptr (DynoRun) loaded = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (dyno_store_is_read_only (document));
  g_assert_cmpuint (dyno_store_count_runs (document, "saved gpt2", &error), ==, 1);
  loaded = store_fixture_load (document, "latest");
  store_fixture_assert_same_run (original, loaded);
}

static void
test_nothing_beside (Fixture *fixture, gconstpointer data)
{
  g_autoptr (DynoStore) document = store_fixture_open_document (fixture->document);
  g_autoptr (DynoRun) run = dyno_store_load_run (document, "run", NULL);
  g_autoptr (GDir) folder = g_dir_open (fixture->base.folder, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (folder)) != NULL)
    g_assert_true (g_str_equal (name, "some runs?#%20.dyno") || g_str_has_prefix (name, "store.sqlite"));
}

static void
test_is_read_only (Fixture *fixture, gconstpointer data)
{
  g_autoptr (DynoStore) document = store_fixture_open_document (fixture->document);
  g_autoptr (DynoRun) run = dyno_store_load_run (document, "run", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_false (dyno_store_update_run (document, run, &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_STORE_READ_ONLY);
  g_assert_cmpstr (error->message, ==, dyno_store_get_message (document));
  g_clear_error (&error);
  g_assert_false (dyno_store_delete_run (document, "run", &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_STORE_READ_ONLY);
}

static void
test_import (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = store_fixture_build_path (&fixture->base, "other.sqlite");
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoStore) other = dyno_store_open (path, &error);
  g_autoptr (DynoRun) original = dyno_store_load_run (fixture->base.store, "run", NULL);
  g_autoptr (DynoRun) imported = NULL;
  g_auto (GStrv) ids = store_fixture_import (other, fixture->document);
  g_auto (GStrv) again = NULL;

  g_assert_cmpuint (g_strv_length (ids), ==, 1);
  g_assert_cmpstr (ids[0], ==, "run");
  imported = store_fixture_load (other, "run");
  store_fixture_assert_same_run (original, imported);
  g_assert_cmpstr (dyno_run_get_source (imported), ==, "some runs?#%20.dyno");

  again = store_fixture_import (other, fixture->document);
  g_assert_cmpuint (g_strv_length (again), ==, 0);
  g_assert_cmpuint (dyno_store_count_runs (other, NULL, NULL), ==, 1);
  store_fixture_assert_int (path, "SELECT count (*) FROM results", 2);
}

/* The runs before one that cannot be read stay, and none after it comes. */
static void
test_import_failure (Fixture *fixture, gconstpointer data)
{
  static const char *const ids[] = { "first", "second", "third", NULL };
  g_autofree char *path = store_fixture_build_path (&fixture->base, "store.sqlite.other");
  g_autoptr (DynoStore) other = NULL;
  g_autoptr (GPtrArray) runs = NULL;
  g_autoptr (GError) error = NULL;

  for (guint i = 0; ids[i] != NULL; i++)
    keep_run (fixture->base.store, ids[i], ids[i], 1);
  g_assert_true (dyno_store_save_document (fixture->base.store, ids, fixture->document, &error));
  store_fixture_run_sql (fixture->document,
                         "UPDATE results SET options = '{\"threads\": -4}' WHERE run_id = 'second'");
  other = store_fixture_open (path);
  g_assert_null (dyno_store_import_document (other, fixture->document, &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA);
  runs = dyno_store_list_runs (other, NULL, 0, 10, NULL);
  g_assert_cmpuint (runs->len, ==, 1);
  g_assert_cmpstr (dyno_run_get_id (runs->pdata[0]), ==, "first");
}

/* An existing run gets the cases that it lacks. */
static void
test_import_by_case (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = store_fixture_build_path (&fixture->base, "other.sqlite");
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoStore) other = dyno_store_open (path, &error);
  g_autoptr (DynoRun) original = dyno_store_load_run (fixture->base.store, "run", NULL);
  g_autoptr (DynoRun) begun = store_fixture_make_run ("run", 1000, "Saved");
  g_autoptr (DynoRun) merged = NULL;
  g_autoptr (DynoResult) result = store_fixture_make_result ("gpt2", "cpu", 0);
  g_auto (GStrv) ids = NULL;

  g_object_set (begun, "n-cases", 2, NULL);
  store_fixture_begin (other, begun);
  store_fixture_add (other, begun, result);
  ids = store_fixture_import (other, fixture->document);
  g_assert_cmpstr (ids[0], ==, "run");
  merged = dyno_store_load_run (other, "run", &error);
  store_fixture_assert_same_run (original, merged);
  g_assert_cmpuint (dyno_run_get_n_ok (merged), ==, 2);
}

static void
assert_whole (GBytes *content)
{
  g_assert_nonnull (content);
  g_assert_cmpuint (g_bytes_get_size (content), >, 0);
}

/* A report may come before the document that has the files themselves. */
static void
test_import_completes (Fixture *fixture, gconstpointer data)
{
  DynoStore *store = fixture->base.store;
  g_autoptr (DynoRun) bare = store_fixture_make_run ("foreign", 1000, "Imported");
  g_autoptr (DynoRun) whole = store_fixture_make_run ("foreign", 1000, "Imported");
  g_autoptr (DynoRun) loaded = NULL;
  g_autoptr (GError) error = NULL;
  gboolean is_new = TRUE;
  DynoOrigin *meter;

  store_fixture_set_origin (bare);
  store_fixture_add_meter (bare);
  meter = dyno_run_get_meters (bare)->pdata[0];
  g_clear_pointer (&meter->content, g_bytes_unref);
  g_clear_pointer (&dyno_run_get_origin (bare)->content, g_bytes_unref);
  g_assert_true (dyno_store_add_run (store, bare, &is_new, &error));
  store_fixture_set_origin (whole);
  store_fixture_add_meter (whole);
  g_assert_true (dyno_store_add_run (store, whole, &is_new, &error));
  g_assert_no_error (error);
  g_assert_false (is_new);

  loaded = dyno_store_load_run (store, "foreign", &error);
  g_assert_true (dyno_store_add_original (store, loaded, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (dyno_run_get_meters (loaded)->len, ==, 1);
  meter = dyno_run_get_meters (loaded)->pdata[0];
  assert_whole (meter->content);
  assert_whole (dyno_run_get_origin (loaded)->content);
}

static void
test_async (Fixture *fixture, gconstpointer data)
{
  static const char *const ids[] = { "latest", "run", NULL };
  g_autofree char *path = store_fixture_build_path (&fixture->base, "async.dyno");
  g_autoptr (GAsyncResult) imported = NULL;
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) new_ids = NULL;

  g_assert_true (dyno_store_save_document (fixture->base.store, ids, path, &error));
  g_assert_no_error (error);
  store_fixture_delete (fixture->base.store, "run");
  dyno_store_import_document_async (fixture->base.store, path, NULL, store_fixture_on_ready, &imported);
  new_ids =
      dyno_store_import_document_finish (fixture->base.store, store_fixture_wait_for (&imported), &error);
  g_assert_no_error (error);
  g_assert_cmpuint (g_strv_length (new_ids), ==, 1);
}

static void
test_open_async (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GAsyncResult) opened = NULL;
  g_autoptr (GAsyncResult) refused = NULL;
  g_autoptr (DynoStore) document = NULL;
  g_autoptr (GError) error = NULL;

  dyno_store_open_document_async (fixture->document, NULL, store_fixture_on_ready, &opened);
  document = dyno_store_open_document_finish (store_fixture_wait_for (&opened), &error);
  g_assert_no_error (error);
  g_assert_cmpuint (dyno_store_count_runs (document, NULL, NULL), ==, 1);
  dyno_store_open_document_async (fixture->base.folder, NULL, store_fixture_on_ready, &refused);
  g_assert_null (dyno_store_open_document_finish (store_fixture_wait_for (&refused), &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA);
}

static void
assert_not_saved (Fixture *fixture, const char *const *ids, const char *path, int code)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GDir) folder = NULL;
  const char *name;

  g_assert_false (dyno_store_save_document (fixture->base.store, ids, path, &error));
  g_assert_error (error, DYNO_ERROR, code);
  folder = g_dir_open (fixture->base.folder, 0, NULL);
  while ((name = g_dir_read_name (folder)) != NULL)
    g_assert_false (g_str_has_prefix (name, ".dyno-"));
}

static void
test_save_errors (Fixture *fixture, gconstpointer data)
{
  static const char *const known[] = { "run", NULL };
  static const char *const unknown[] = { "run", "nothing", NULL };
  g_autofree char *missing = g_build_filename (fixture->base.folder, "missing", "x.dyno", NULL);
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;
  gsize size = 0, size_after = 0;

  assert_not_saved (fixture, known, missing, DYNO_ERROR_FAILED);
  assert_not_saved (fixture, known, fixture->base.folder, DYNO_ERROR_FAILED);
  assert_not_saved (fixture, known, fixture->base.path, DYNO_ERROR_INVALID_ARGUMENT);

  g_file_get_contents (fixture->document, &before, &size, NULL);
  assert_not_saved (fixture, unknown, fixture->document, DYNO_ERROR_NOT_FOUND);
  g_file_get_contents (fixture->document, &after, &size_after, NULL);
  g_assert_cmpmem (before, size, after, size_after);
}

static void
test_replace (Fixture *fixture, gconstpointer data)
{
  static const char *const ids[] = { "run", "second", NULL };
  g_autoptr (DynoStore) document = store_fixture_open_document (fixture->document);
  g_autoptr (DynoStore) replaced = NULL;
  g_autoptr (GError) error = NULL;

  keep_run (fixture->base.store, "second", "Second", 1);
  g_assert_true (dyno_store_save_document (fixture->base.store, ids, fixture->document, &error));
  g_assert_no_error (error);
  replaced = store_fixture_open_document (fixture->document);
  g_assert_cmpuint (dyno_store_count_runs (replaced, NULL, NULL), ==, 2);
  g_assert_cmpuint (dyno_store_count_runs (document, NULL, NULL), ==, 1);
}

static void
test_copy_of_store (Fixture *fixture, gconstpointer data)
{
  g_autoptr (DynoStore) document = NULL;
  g_autofree char *content = NULL;
  gsize size = 0;

  g_clear_object (&fixture->base.store);
  g_assert_true (g_file_get_contents (fixture->base.path, &content, &size, NULL));
  g_assert_true (g_file_set_contents (fixture->document, content, size, NULL));
  document = store_fixture_open_document (fixture->document);
  g_assert_cmpuint (dyno_store_count_runs (document, NULL, NULL), ==, 1);
}

static void
test_store_in_use (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (dyno_store_open_document (fixture->base.path, &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA);
}

static char *
build_fixture_path (guint version)
{
  g_autofree char *name = g_strdup_printf ("v%u.dyno", version);

  return g_test_build_filename (G_TEST_DIST, "store", "fixtures", name, NULL);
}

/* Those that do not keep the states of their cases are counted when they are listed. */
static void
assert_doubtful (DynoStore *document)
{
  g_autoptr (GPtrArray) runs = store_fixture_list (document, NULL, 0, 1);
  DynoCaseCounts counts = { 0 };

  dyno_run_count_cases (runs->pdata[0], &counts);
  g_assert_cmpuint (counts.n_cases, ==, 2);
  g_assert_cmpuint (counts.of[DYNO_CASE_STATE_DOUBTFUL], ==, 2);
}

/* Since version 9 a run knows the file that it was imported from. */
static void
assert_origin (DynoStore *document, DynoRun *run)
{
  const DynoOrigin *origin = dyno_run_get_origin (run);
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) original = dyno_store_load_original (document, "latest", &error);

  g_assert_no_error (error);
  g_assert_cmpstr (origin->dialect, ==, "llama-bench");
  g_assert_cmpstr (origin->version, ==, "6135 (c1a2b3d4)");
  g_assert_cmpstr (origin->file_name, ==, "results.json");
  g_assert_cmpint (origin->imported_at, ==, G_GINT64_CONSTANT (1750000000000000));
  g_assert_nonnull (strstr (origin->extra, "kept"));
  g_assert_cmpmem (g_bytes_get_data (original, NULL), g_bytes_get_size (original), "original", 8);
}

/* Since version 10 one keeps the files of power meters as well. */
static void
assert_meter (DynoStore *document, DynoRun *run)
{
  GPtrArray *meters = dyno_run_get_meters (run);
  const DynoOrigin *meter;
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) content = NULL;

  g_assert_true (dyno_store_add_original (document, run, &error));
  g_assert_cmpuint (meters->len, ==, 1);
  meter = meters->pdata[0];
  g_assert_cmpstr (meter->file_name, ==, "meter.csv");
  content = dyno_origin_unpack (meter, &error);
  g_assert_no_error (error);
  g_assert_cmpmem (g_bytes_get_data (content, NULL), g_bytes_get_size (content), "original", 8);
}

/* Documents of every version until now; @data is the version. */
static void
test_version (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = build_fixture_path (GPOINTER_TO_UINT (data));
  g_autofree char *title = g_strdup_printf ("Version %u", GPOINTER_TO_UINT (data));
  g_autoptr (DynoStore) document = store_fixture_open_document (path);
  g_autoptr (DynoRun) run = NULL;
  g_autoptr (DynoResult) result = NULL;

  run = store_fixture_load (document, "latest");
  g_assert_cmpstr (dyno_run_get_title (run), ==, title);
  g_assert_cmpuint (g_list_model_get_n_items (dyno_run_get_results (run)), ==, 2);
  result = g_list_model_get_item (dyno_run_get_results (run), 0);
  g_assert_cmpuint (dyno_case_get_sequence_length (dyno_result_get_case (result)), ==, 128);
  g_assert_cmpstr (dyno_result_get_device (result), ==, "A CPU");
  g_assert_cmpstr (dyno_result_get_device_kind (result), ==, GPOINTER_TO_UINT (data) < 3 ? NULL : "cpu");
  g_assert_cmpstr (dyno_result_get_weights (result), ==, GPOINTER_TO_UINT (data) < 8 ? NULL : "random");
  g_assert_cmpfloat (dyno_result_get_number (result, "latency_p50_ms"), ==, 1.375);
  g_assert_cmpuint (dyno_trace_get_length (dyno_result_get_trace (result, "latency")), ==, 2);
  g_assert_cmpuint (dyno_result_get_n_invocations (result), ==, GPOINTER_TO_UINT (data) < 6 ? 1 : 2);
  g_assert_cmpuint (dyno_result_get_diagnostics (result)->len, >=, GPOINTER_TO_UINT (data) < 6 ? 1 : 2);
  assert_doubtful (document);
  g_assert_cmpstr (dyno_operator_get_kernel (dyno_result_get_operators (result)->pdata[0]), ==,
                   GPOINTER_TO_UINT (data) < 11 ? NULL : "brgemm_avx2_f32");
  if (GPOINTER_TO_UINT (data) < 9)
    g_assert_null (dyno_run_get_origin (run));
  else
    assert_origin (document, run);
  if (GPOINTER_TO_UINT (data) < 10)
    g_assert_cmpuint (dyno_run_get_meters (run)->len, ==, 0);
  else
    assert_meter (document, run);
}

static void
copy_fixture (Fixture *fixture, guint version)
{
  g_autofree char *path = build_fixture_path (version);
  g_autofree char *content = NULL;
  gsize size = 0;

  g_assert_true (g_file_get_contents (path, &content, &size, NULL));
  g_assert_true (g_file_set_contents (fixture->document, content, size, NULL));
}

/* A store of an old version is migrated with all its contents, and accepts new kinds of data. */
static void
test_migration (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoStore) store = NULL;
  gint64 n_operators, n_series;

  copy_fixture (fixture, GPOINTER_TO_UINT (data));
  n_operators = store_fixture_read_int (fixture->document, "SELECT count(*) FROM operators");
  n_series = store_fixture_read_int (fixture->document, "SELECT count(*) FROM series");
  store = store_fixture_open (fixture->document);
  g_assert_cmpint (n_operators, >, 0);
  store_fixture_assert_int (fixture->document, "SELECT count(*) FROM operators", n_operators);
  store_fixture_assert_int (fixture->document, "SELECT count(*) FROM series WHERE invocation = 0", n_series);
  store_fixture_assert_int (fixture->document, "SELECT count(*) FROM invocations", 0);
  keep_run (store, "now", "Now", 1);
  store_fixture_assert_int (fixture->document, "SELECT count(*) FROM series WHERE invocation = 1", 1);
  g_assert_cmpint (
      store_fixture_read_int (fixture->document, "SELECT count(*) FROM operators WHERE time_ns = -1"), >, 0);
  g_assert_cmpint (store_fixture_read_int (
                       fixture->document, "SELECT count(*) FROM benchmark_results WHERE device_kind = 'cpu'"),
                   >, 0);
  g_assert_cmpint (store_fixture_read_int (fixture->document, "SELECT count(*) FROM benchmark_results WHERE "
                                                              "size = 'base' AND weights = 'random'"),
                   >, 0);
  store_fixture_delete (store, "now");
  g_assert_cmpuint (dyno_store_count_runs (store, NULL, NULL), ==, 1);
  g_assert_true (dyno_store_restore_run (store, "now", &error));
  store_fixture_assert_int (fixture->document,
                            "SELECT count(*) FROM benchmark_runs WHERE n_doubtful = n_cases", 2);
  g_clear_object (&store);
  store = store_fixture_open_document (fixture->document);
  g_assert_cmpuint (dyno_store_count_runs (store, NULL, NULL), ==, 2);
}

static void
assert_kinds (DynoStore *store)
{
  g_autoptr (DynoRun) run = dyno_store_load_run (store, "latest", NULL);
  g_autoptr (DynoResult) first = g_list_model_get_item (dyno_run_get_results (run), 0);
  g_autoptr (DynoResult) second = g_list_model_get_item (dyno_run_get_results (run), 1);

  g_assert_cmpstr (dyno_result_get_device_kind (first), ==, "software");
  g_assert_null (dyno_result_get_device_kind (second));
}

/* Before results had the kind of their device, a diagnostic told of one that the processor plays. */
static void
test_software_of_then (Fixture *fixture, gconstpointer data)
{
  g_autoptr (DynoStore) store = NULL;

  copy_fixture (fixture, 2);
  store_fixture_run_sql (fixture->document,
                         "UPDATE diagnostics SET code = 'software-device' WHERE result_id = 1");
  store = dyno_store_open_document (fixture->document, NULL);
  assert_kinds (store);
  g_clear_object (&store);
  store = dyno_store_open (fixture->document, NULL);
  assert_kinds (store);
}

static void
test_missing (Fixture *fixture, gconstpointer data)
{
  g_remove (fixture->document);
  assert_refused (fixture, DYNO_ERROR_NOT_FOUND);
}

static void
test_folder (Fixture *fixture, gconstpointer data)
{
  g_remove (fixture->document);
  g_mkdir (fixture->document, 0700);
  assert_refused (fixture, DYNO_ERROR_INVALID_DATA);
}

static void
test_empty (Fixture *fixture, gconstpointer data)
{
  g_file_set_contents (fixture->document, "", 0, NULL);
  assert_refused (fixture, DYNO_ERROR_INVALID_DATA);
}

static void
test_not_sqlite (Fixture *fixture, gconstpointer data)
{
  g_autofree char *text = g_strnfill (5000, 'x');

  g_file_set_contents (fixture->document, text, -1, NULL);
  assert_refused (fixture, DYNO_ERROR_INVALID_DATA);
}

static void
test_truncated (Fixture *fixture, gconstpointer data)
{
  g_autofree char *content = NULL;
  gsize size = 0;

  g_file_get_contents (fixture->document, &content, &size, NULL);
  for (gsize length = 1; length < size; length += 1021)
    {
      g_file_set_contents (fixture->document, content, (gssize)length, NULL);
      assert_refused (fixture, DYNO_ERROR_INVALID_DATA);
    }
}

/* With any wrong byte, the document is refused or read; nothing crashes. */
static void
test_flipped_bytes (Fixture *fixture, gconstpointer data)
{
  g_autofree char *content = NULL;
  gsize size = 0;
  guint n_refused = 0;

  g_file_get_contents (fixture->document, &content, &size, NULL);
  for (guint i = 0; i < 300; i++)
    {
      gsize position = (gsize)g_test_rand_int_range (0, (gint32)size);
      char byte = content[position];
      g_autoptr (DynoStore) document = NULL;
      g_autoptr (DynoRun) run = NULL;

      content[position] = (char)(byte ^ g_test_rand_int_range (1, 256));
      g_file_set_contents (fixture->document, content, (gssize)size, NULL);
      content[position] = byte;
      document = dyno_store_open_document (fixture->document, NULL);
      if (document != NULL)
        run = dyno_store_load_run (document, "latest", NULL);
      n_refused += document == NULL;
    }
  g_assert_cmpuint (n_refused, >, 0);
}

typedef struct
{
  const char *path;
  const char *sql;
  int code; /* DYNO_ERROR_INVALID_DATA unless another is given */
} Hostile;

static int
get_code (const Hostile *attack)
{
  return attack->code != 0 ? attack->code : DYNO_ERROR_INVALID_DATA;
}

/* Manipulations of an untrusted document by SQL. */
static const Hostile hostile[] = {
  { "trigger", "CREATE TRIGGER t AFTER INSERT ON runs BEGIN DELETE FROM results; END" },
  { "view", "CREATE VIEW v AS SELECT * FROM runs" },
  { "table", "CREATE TABLE t (x)" },
  { "missing-table", "DROP TABLE ceilings" },
  { "column", "ALTER TABLE results ADD COLUMN x TEXT CHECK (x <> randomblob (1000000000))" },
  { "virtual-table", "CREATE VIRTUAL TABLE t USING fts5 (x)" },
  { "view-for-table", "DROP TABLE ceilings; CREATE VIEW ceilings AS SELECT 1" },
  { "newer", "PRAGMA user_version = 1000000", DYNO_ERROR_STORE_NEWER },
  { "no-version", "PRAGMA user_version = 0" },
  { "negative-version", "PRAGMA user_version = -1" },
  { "foreign", "PRAGMA application_id = 1" },
  { "odd-blob", "UPDATE series SET data = x'00112233445566'" },
  { "negative-count", "UPDATE runs SET n_cases = -5, n_ok = -7" },
  { "huge-count", "UPDATE runs SET n_cases = 9223372036854775807" },
  { "negative-time", "UPDATE runs SET started_at = -1" },
  { "no-batch", "UPDATE results SET batch_size = 0" },
  { "negative-calls", "UPDATE operators SET calls = -1" },
  { "operator-time", "UPDATE operators SET time_ns = -2" },
  { "infinity", "UPDATE metric_values SET value = 9e999 WHERE value IS NOT NULL" },
  { "number-without-quality", "UPDATE metric_values SET value = 7, quality = 'unsupported'" },
  { "word-for-quality", "UPDATE metric_values SET quality = 'perfect'" },
  { "word-for-status", "UPDATE results SET status = 'splendid'" },
  { "huge-number", "UPDATE metric_values SET value = 1e300 WHERE value IS NOT NULL" },
  { "not-a-number", "UPDATE series SET data = x'0000000000000000000000000000f8ff'" },
  { "infinite", "UPDATE series SET data = x'0000000000000000000000000000f07f'" },
  { "backwards",
    "UPDATE series SET data = x'0200000000000000010000000000000000000000000000000000000000000000'" },
  { "no-phase", "UPDATE series SET name = 'phases', data = x'0000000000000000000000000000f83f'" },
  { "no-date", "UPDATE runs SET started_at = 9223372036854775807" },
  { "list-for-options", "UPDATE results SET options = '[1, 2]'" },
  { "list-for-machine", "UPDATE machines SET snapshot = '[]'" },
  { "number-for-processor", "UPDATE machines SET snapshot = '{\"cpu\":5}'" },
  { "huge-operator", "UPDATE operators SET flops = 9223372036854775807" },
  { "huge-batch", "UPDATE results SET batch_size = 4294967295" },
  { "bad-json", "UPDATE results SET options = '{\"model\": NaN'" },
  { "deep-json", "UPDATE runs SET plan = replace (hex (zeroblob (50000)), '0', '[')" },
  { "bad-machine", "UPDATE machines SET snapshot = 'Infinity'" },
};

static void
test_hostile (Fixture *fixture, gconstpointer data)
{
  const Hostile *attack = data;
  g_autofree char *sql = g_strconcat ("PRAGMA ignore_check_constraints = ON;", attack->sql, NULL);

  store_fixture_run_sql (fixture->document, sql);
  assert_refused (fixture, get_code (attack));
}

/* Errors that the schema's constraints cannot detect are reported when the run is loaded, and the rest is intact. */
static const Hostile unloadable[] = {
  { "unknown-option", "UPDATE results SET options = '{\"shell\": \"rm\"}'" },
  { "option-out-of-range", "UPDATE results SET options = '{\"threads\": -4}'" },
  { "huge-option", "UPDATE results SET options = '{\"batch-size\": 99999999999999999999}'" },
};

static void
test_unloadable (Fixture *fixture, gconstpointer data)
{
  const Hostile *attack = data;
  g_autoptr (DynoStore) document = NULL;
  g_autoptr (GError) error = NULL;

  store_fixture_run_sql (fixture->document, attack->sql);
  document = store_fixture_open_document (fixture->document);
  g_assert_cmpuint (dyno_store_count_runs (document, NULL, NULL), ==, 1);
  g_assert_null (dyno_store_load_run (document, "run", &error));
  g_assert_error (error, DYNO_ERROR, get_code (attack));
}

/* There is nothing to show of a document whose runs were deleted. */
static void
test_open_async_without_runs (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GAsyncResult) refused = NULL;
  g_autoptr (GError) error = NULL;

  store_fixture_run_sql (fixture->document, "UPDATE runs SET deleted_at = 1");
  dyno_store_open_document_async (fixture->document, NULL, store_fixture_on_ready, &refused);
  g_assert_null (dyno_store_open_document_finish (store_fixture_wait_for (&refused), &error));
  suite_assert_error (error, DYNO_ERROR_NOT_FOUND, "some runs");
}

/* A store of an earlier version may contain what no document may: it is not saved, whatever it is. */
static const Hostile unsaved[] = {
  { "huge-number", "UPDATE metric_values SET value = 1e300 WHERE value IS NOT NULL" },
  { "no-date", "UPDATE runs SET started_at = 9223372036854775807" },
  { "no-date-at-the-end", "UPDATE runs SET finished_at = 9223372036854775807" },
  { "list-for-plan", "UPDATE runs SET plan = '[]'" },
  { "huge-operator", "UPDATE operators SET flops = 9223372036854775807" },
  { "huge-parameter-count", "UPDATE results SET parameter_count = 9223372036854775807" },
  { "not-a-number", "UPDATE series SET data = x'0000000000000000000000000000f8ff'" },
  { "before-time", "UPDATE series SET t0 = -1" },
};

static void
test_unsaved (Fixture *fixture, gconstpointer data)
{
  static const char *const ids[] = { "run", NULL };
  const Hostile *attack = data;
  g_autofree char *path = store_fixture_build_path (&fixture->base, "unsaved.dyno");

  store_fixture_run_sql (fixture->base.path, attack->sql);
  assert_not_saved (fixture, ids, path, get_code (attack));
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
}

static void
test_bad_utf8 (Fixture *fixture, gconstpointer data)
{
  g_autoptr (DynoStore) document = NULL;
  g_autoptr (DynoRun) run = NULL;

  store_fixture_run_sql (
      fixture->document,
      "UPDATE runs SET title = CAST (x'41ff0042' AS TEXT), summary = CAST (x'c328' AS TEXT);"
      "UPDATE metric_values SET name = CAST (x'fffe' AS TEXT) WHERE name = 'flops'");
  document = store_fixture_open_document (fixture->document);
  run = store_fixture_load (document, "run");
  g_assert_true (g_utf8_validate (dyno_run_get_title (run), -1, NULL));
  g_assert_true (g_str_has_prefix (dyno_run_get_title (run), "A"));
  g_assert_true (g_utf8_validate (dyno_run_get_summary (run), -1, NULL));
}

static void
add (const char *path, gconstpointer data, void (*func) (Fixture *, gconstpointer))
{
  g_test_add (path, Fixture, data, set_up, func, tear_down);
}

static void
add_all (const char *group, const Hostile *attacks, guint n_attacks, void (*func) (Fixture *, gconstpointer))
{
  for (guint i = 0; i < n_attacks; i++)
    {
      g_autofree char *path = g_strdup_printf ("/store/document/%s/%s", group, attacks[i].path);
      add (path, &attacks[i], func);
    }
}

static void
add_tests (void)
{
  add ("/store/document/round-trip", NULL, test_round_trip);
  add ("/store/document/nothing-beside", NULL, test_nothing_beside);
  add ("/store/document/is-read-only", NULL, test_is_read_only);
  add ("/store/document/import", NULL, test_import);
  add ("/store/document/import-failure", NULL, test_import_failure);
  add ("/store/document/import-by-case", NULL, test_import_by_case);
  add ("/store/document/import-completes", NULL, test_import_completes);
  add ("/store/document/async", NULL, test_async);
  add ("/store/document/open-async", NULL, test_open_async);
  add ("/store/document/open-async-without-runs", NULL, test_open_async_without_runs);
  add ("/store/document/save-errors", NULL, test_save_errors);
  add ("/store/document/replace", NULL, test_replace);
  add ("/store/document/copy-of-store", NULL, test_copy_of_store);
  add ("/store/document/store-in-use", NULL, test_store_in_use);
  for (guint i = 1; i <= 11; i++)
    {
      g_autofree char *path = g_strdup_printf ("/store/document/version-%u", i);

      add (path, GUINT_TO_POINTER (i), test_version);
    }
  for (guint i = 1; i <= 5; i++)
    {
      g_autofree char *path = g_strdup_printf ("/store/document/migration-%u", i);

      add (path, GUINT_TO_POINTER (i), test_migration);
    }
  add ("/store/document/software-of-then", NULL, test_software_of_then);
  add ("/store/document/missing", NULL, test_missing);
  add ("/store/document/folder", NULL, test_folder);
  add ("/store/document/empty", NULL, test_empty);
  add ("/store/document/not-sqlite", NULL, test_not_sqlite);
  add ("/store/document/truncated", NULL, test_truncated);
  add ("/store/document/flipped-bytes", NULL, test_flipped_bytes);
  add ("/store/document/bad-utf8", NULL, test_bad_utf8);
  add_all ("hostile", hostile, G_N_ELEMENTS (hostile), test_hostile);
  add_all ("unsaved", unsaved, G_N_ELEMENTS (unsaved), test_unsaved);
  add_all ("unloadable", unloadable, G_N_ELEMENTS (unloadable), test_unloadable);
}

SUITE_ADD (add_tests)
