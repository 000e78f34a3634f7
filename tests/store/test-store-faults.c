/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <unistd.h>

#include "dyno-store-private.h"
#include "store-fixture.h"
#include "suite.h"

static DynoRun *
make_long_run (const char *id, const char *title)
{
  DynoRun *run = store_fixture_make_run (id, 1000, title);

  for (guint i = 0; i < 3; i++)
    {
      g_autoptr (DynoResult) result = store_fixture_make_result ("gpt2", "cpu", i);
      dyno_run_add_result (run, result);
    }
  return run;
}

static DynoRun *
keep_run (DynoStore *store, const char *id)
{
  DynoRun *run = make_long_run (id, id);

  store_fixture_keep (store, run);
  return run;
}

static void
keep_runs (DynoStore *store, guint n_runs)
{
  for (guint i = 0; i < n_runs; i++)
    {
      g_autofree char *id = g_strdup_printf ("run-%03u", i);
      g_autoptr (DynoRun) run = keep_run (store, id);
    }
}

static gboolean
try_to_begin (DynoStore *store, const char *id, GError **error)
{
  g_autoptr (DynoRun) run = store_fixture_make_run (id, 2000, id);

  return dyno_result_sink_begin_run (DYNO_RESULT_SINK (store), run, error);
}

static DynoStore *
open_impatiently (const char *path)
{
  g_autoptr (GError) error = NULL;
  DynoStore *store = g_initable_new (DYNO_TYPE_STORE, NULL, &error, "path", path, "busy-timeout", 1, NULL);

  g_assert_no_error (error);
  return store;
}

static void
measure (DynoStore *store, DynoRun *run, guint first, guint last)
{
  for (guint i = first; i <= last; i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (dyno_run_get_results (run), i);

      store_fixture_add (store, run, result);
    }
}

static sqlite3 *
lock (StoreFixture *fixture)
{
  sqlite3 *other = NULL;

  g_assert_cmpint (sqlite3_open (fixture->path, &other), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_exec (other, "BEGIN EXCLUSIVE", NULL, NULL, NULL), ==, SQLITE_OK);
  return other;
}

/* Results measured while another program locks the store are added with the first case that can be stored. */
static void
test_locked (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (DynoStore) store = NULL;
  g_autoptr (sqlite3) other = NULL;
  g_autoptr (DynoRun) run = make_long_run ("run", "Measured meanwhile");
  g_autoptr (DynoRun) loaded = NULL;
  g_autoptr (GError) error = NULL;

  g_clear_object (&fixture->store);
  store = open_impatiently (fixture->path);
  other = lock (fixture);
  g_assert_false (dyno_store_delete_run (store, "run", &error));
  suite_assert_error (error, DYNO_ERROR_STORE_LOCKED, "store.sqlite");
  g_assert_true (try_to_begin (store, "run", &error));
  measure (store, run, 0, 1);
  g_assert_true (dyno_store_has_spooled (store));
  g_assert_cmpuint (dyno_store_count_runs (store, NULL, &error), ==, 0);
  g_assert_no_error (error);

  g_assert_cmpint (sqlite3_exec (other, "ROLLBACK", NULL, NULL, NULL), ==, SQLITE_OK);
  measure (store, run, 2, 2);
  g_assert_false (dyno_store_has_spooled (store));
  loaded = store_fixture_load (store, "run");
  store_fixture_assert_same_run (run, loaded);
}

/* If nothing could be stored until the end, the next process that opens the store adds everything. */
static void
test_locked_to_the_end (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (DynoStore) store = NULL;
  g_autoptr (sqlite3) other = NULL;
  g_autoptr (DynoRun) run = make_long_run ("run", "Measured meanwhile");
  g_autoptr (DynoRun) loaded = NULL;

  g_clear_object (&fixture->store);
  store = open_impatiently (fixture->path);
  other = lock (fixture);
  store_fixture_keep (store, run);
  g_clear_object (&store);
  store = open_impatiently (fixture->path);
  g_assert_cmpuint (dyno_store_count_runs (store, NULL, NULL), ==, 0);
  g_assert_cmpint (sqlite3_exec (other, "ROLLBACK", NULL, NULL, NULL), ==, SQLITE_OK);
  g_clear_object (&store);
  store_fixture_reopen (fixture);
  loaded = store_fixture_load (fixture->store, "run");
  store_fixture_assert_same_run (run, loaded);
  g_assert_cmpstr (dyno_run_get_source (loaded), ==, "dyno");
  g_assert_cmpuint (dyno_run_get_n_ok (loaded), ==, 3);
}

static void
test_locked_on_open (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (sqlite3) other = NULL;
  g_autoptr (GObject) store = NULL;
  g_autoptr (GError) error = NULL;

  g_clear_object (&fixture->store);
  g_assert_cmpint (sqlite3_open (fixture->path, &other), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_exec (other, "PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE", NULL, NULL, NULL),
                   ==, SQLITE_OK);
  store = g_initable_new (DYNO_TYPE_STORE, NULL, &error, "path", fixture->path, "busy-timeout", 1, NULL);
  g_assert_null (store);
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_STORE_LOCKED);
}

/*
 * SQLite lets a program stand in for the system calls that it makes. So the tests bring about what a full disk and
 * missing permissions do, also for root, without a disk or a user of their own.
 */

static const char *const writing_calls[] = { "pwrite", "pwrite64", "write" };
static sqlite3_syscall_ptr real_open;

static gssize
fail_to_write (int fd, gconstpointer data, gsize size, off_t offset)
{
  errno = ENOSPC;
  return -1;
}

static int
open_only_to_read (const char *path, int flags, int mode)
{
  if ((flags & (O_RDWR | O_WRONLY | O_CREAT)) == 0)
    return ((int (*) (const char *, int, int))real_open) (path, flags, mode);
  errno = EACCES;
  return -1;
}

static void
fill_disk (void)
{
  sqlite3_vfs *vfs = sqlite3_vfs_find (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (writing_calls); i++)
    vfs->xSetSystemCall (vfs, writing_calls[i], (sqlite3_syscall_ptr)fail_to_write);
}

static void
take_permissions (void)
{
  sqlite3_vfs *vfs = sqlite3_vfs_find (NULL);

  real_open = vfs->xGetSystemCall (vfs, "open");
  vfs->xSetSystemCall (vfs, "open", (sqlite3_syscall_ptr)open_only_to_read);
}

static int mapping_error;

static gpointer
fail_to_map (gpointer address, gsize size, int protection, int flags, int fd, off_t offset)
{
  errno = mapping_error;
  return MAP_FAILED;
}

static void
restore_system (void)
{
  sqlite3_vfs *vfs = sqlite3_vfs_find (NULL);

  vfs->xSetSystemCall (vfs, NULL, NULL);
}

static void
test_full (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (DynoRun) run = keep_run (fixture->store, "before");
  g_autoptr (DynoResult) result = store_fixture_make_result ("gpt2", "cpu", 9);
  g_autoptr (DynoRun) loaded = NULL;
  g_autoptr (GError) error = NULL;

  fill_disk ();
  dyno_result_sink_add_result (DYNO_RESULT_SINK (fixture->store), run, result, &error);
  restore_system ();
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_STORE_FULL);
  g_clear_error (&error);

  loaded = store_fixture_load (fixture->store, "before");
  store_fixture_assert_same_run (run, loaded);
  store_fixture_add (fixture->store, run, result);
}

static void
test_full_for_document (StoreFixture *fixture, gconstpointer data)
{
  static const char *const ids[] = { "run", NULL };
  g_autofree char *path = store_fixture_build_path (fixture, "x.dyno");
  g_autoptr (DynoRun) run = keep_run (fixture->store, "run");
  g_autoptr (GError) error = NULL;

  g_assert_true (g_file_set_contents (path, "what was there", -1, NULL));
  fill_disk ();
  dyno_store_save_document (fixture->store, ids, path, &error);
  restore_system ();
  suite_assert_error (error, DYNO_ERROR_STORE_FULL, "x.dyno");
  {
    g_autofree char *content = NULL;

    g_assert_true (g_file_get_contents (path, &content, NULL, NULL));
    g_assert_cmpstr (content, ==, "what was there");
  }
}

static void
test_read_only (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (DynoRun) run = keep_run (fixture->store, "run");
  g_autoptr (DynoStore) store = NULL;
  g_autoptr (DynoRun) loaded = NULL;
  g_autoptr (GError) error = NULL;

  g_clear_object (&fixture->store);
  take_permissions ();
  store = store_fixture_open (fixture->path);
  loaded = dyno_store_load_run (store, "run", &error);
  restore_system ();
  g_assert_no_error (error);
  store_fixture_assert_same_run (run, loaded);

  g_assert_true (dyno_store_is_read_only (store));
  g_assert_nonnull (strstr (dyno_store_get_message (store), "cannot be written"));
  g_assert_false (try_to_begin (store, "other", &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_STORE_READ_ONLY);
}

/* The index of the log is memory that processes share: if that fails, the disk is not to blame. */
static void
test_no_shared_memory (StoreFixture *fixture, gconstpointer data)
{
  static const struct
  {
    int cause;
    DynoError code;
    const char *words;
  } rows[] = {
    { ENODEV, DYNO_ERROR_FAILED, "store.sqlite-shm” cannot be used: No such device." },
    { ENOMEM, DYNO_ERROR_OUT_OF_MEMORY, "No memory is left" },
  };
  sqlite3_vfs *vfs = sqlite3_vfs_find (NULL);

  g_clear_object (&fixture->store);
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GError) error = NULL;

      mapping_error = rows[i].cause;
      g_assert_cmpint (vfs->xSetSystemCall (vfs, "mmap", (sqlite3_syscall_ptr)fail_to_map), ==, SQLITE_OK);
      g_assert_null (dyno_store_open (fixture->path, &error));
      restore_system ();
      suite_assert_error (error, rows[i].code, rows[i].words);
    }
}

static void
test_nowhere_to_write (StoreFixture *fixture, gconstpointer data)
{
  g_autofree char *path = store_fixture_build_path (fixture, "new.sqlite");
  g_autofree char *below_file = g_build_filename (fixture->path, "folder", "store.sqlite", NULL);
  g_autoptr (GError) error = NULL;

  take_permissions ();
  g_assert_null (dyno_store_open (path, &error));
  restore_system ();
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_STORE_READ_ONLY);
  g_clear_error (&error);
  g_assert_null (dyno_store_open (below_file, &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_STORE_READ_ONLY);
  g_clear_error (&error);
  g_assert_null (dyno_store_open (fixture->folder, &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_STORE_READ_ONLY);
}

static void
test_newer (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (DynoRun) run = keep_run (fixture->store, "run");
  g_autoptr (DynoRun) loaded = NULL;
  g_autoptr (GError) error = NULL;

  g_clear_object (&fixture->store);
  store_fixture_run_sql (fixture->path, "ALTER TABLE runs ADD COLUMN colour TEXT; PRAGMA user_version = 99");
  store_fixture_reopen (fixture);
  g_assert_true (dyno_store_is_read_only (fixture->store));
  g_assert_nonnull (strstr (dyno_store_get_message (fixture->store), "newer"));
  loaded = store_fixture_load (fixture->store, "run");
  store_fixture_assert_same_run (run, loaded);
  g_assert_false (try_to_begin (fixture->store, "other", &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_STORE_NEWER);
  store_fixture_assert_int (fixture->path, "PRAGMA user_version", 99);
}

/* As another process would, between two questions. */
static int
make_store (unsigned int type, void *path, void *statement, void *text)
{
  g_autoptr (sqlite3) other = NULL;

  if (strstr (sqlite3_sql (statement), "user_version") == NULL)
    return 0;
  g_assert_cmpint (sqlite3_open (path, &other), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_busy_timeout (other, 0), ==, SQLITE_OK);
  dyno_store_schema_migrate (other, NULL);
  return 0;
}

static void
test_made_meanwhile (StoreFixture *fixture, gconstpointer data)
{
  g_autofree char *path = store_fixture_build_path (fixture, "new.sqlite");
  g_autoptr (GError) error = NULL;
  g_autoptr (sqlite3) db = NULL;
  DynoStoreIdentity identity;

  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_trace_v2 (db, SQLITE_TRACE_STMT, make_store, path), ==, SQLITE_OK);
  g_assert_true (dyno_store_schema_identify (db, &identity, &error));
  g_assert_no_error (error);
  g_assert_cmpint (identity, ==, DYNO_STORE_FRESH);
  sqlite3_trace_v2 (db, 0, NULL, NULL);
  g_assert_true (dyno_store_schema_migrate (db, &error));
  g_assert_true (dyno_store_schema_identify (db, &identity, &error));
  g_assert_cmpint (identity, ==, DYNO_STORE_CURRENT);
}

static void
test_foreign (StoreFixture *fixture, gconstpointer data)
{
  g_autofree char *path = store_fixture_build_path (fixture, "browser.sqlite");
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;
  g_autoptr (GError) error = NULL;
  gsize size = 0, size_after = 0;

  store_fixture_run_sql (path, "CREATE TABLE bookmarks (url); INSERT INTO bookmarks VALUES ('x')");
  g_file_get_contents (path, &before, &size, NULL);
  g_assert_null (dyno_store_open (path, &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA);
  g_file_get_contents (path, &after, &size_after, NULL);
  g_assert_cmpmem (before, size, after, size_after);
}

static char *
find_damaged (StoreFixture *fixture)
{
  g_autoptr (GDir) folder = g_dir_open (fixture->folder, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (folder)) != NULL)
    if (g_str_has_prefix (name, "store.sqlite.damaged-") && !g_str_has_suffix (name, "-wal") &&
        !g_str_has_suffix (name, "-shm"))
      return store_fixture_build_path (fixture, name);
  return NULL;
}

static void
overwrite (const char *path, gsize offset, gsize length)
{
  g_autofree char *noise = g_strnfill (length, '\x55');
  int fd = g_open (path, O_WRONLY, 0);

  g_assert_cmpint (pwrite (fd, noise, length, (off_t)offset), ==, length);
  g_close (fd, NULL);
}

static void
damage_page_of (StoreFixture *fixture, const char *table)
{
  g_autofree char *sql = g_strdup_printf ("SELECT pageno FROM dbstat WHERE name = '%s' AND pagetype = 'leaf'"
                                          " ORDER BY path LIMIT 1 OFFSET 2",
                                          table);
  gint64 page;

  g_clear_object (&fixture->store);
  page = store_fixture_read_int (fixture->path, sql);
  overwrite (fixture->path, (gsize)(page - 1) * 4096, 4096);
}

static void
assert_moved_aside (StoreFixture *fixture, const char *before, gsize size)
{
  g_autofree char *damaged = find_damaged (fixture);
  g_autofree char *content = NULL;
  gsize damaged_size = 0;

  g_assert_nonnull (damaged);
  g_assert_nonnull (strstr (dyno_store_get_message (fixture->store), damaged));
  g_assert_true (g_file_get_contents (damaged, &content, &damaged_size, NULL));
  g_assert_cmpmem (before, size, content, damaged_size);
}

static void
test_not_a_database (StoreFixture *fixture, gconstpointer data)
{
  g_autofree char *before = NULL;
  gsize size = 0;

  keep_runs (fixture->store, 3);
  g_clear_object (&fixture->store);
  overwrite (fixture->path, 0, 100);
  g_file_get_contents (fixture->path, &before, &size, NULL);
  store_fixture_reopen (fixture);
  assert_moved_aside (fixture, before, size);
  g_assert_false (dyno_store_is_read_only (fixture->store));
  g_assert_cmpuint (dyno_store_count_runs (fixture->store, NULL, NULL), ==, 0);
  keep_runs (fixture->store, 1);
}

static void
test_damaged_page (StoreFixture *fixture, gconstpointer data)
{
  g_autofree char *before = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoRun) first = NULL;
  g_autoptr (DynoRun) last = NULL;
  g_autoptr (DynoRun) expected = NULL;
  gsize size = 0;

  keep_runs (fixture->store, 60);
  expected = dyno_store_load_run (fixture->store, "run-059", &error);
  damage_page_of (fixture, "metric_values");
  g_file_get_contents (fixture->path, &before, &size, NULL);
  store_fixture_reopen (fixture);
  assert_moved_aside (fixture, before, size);

  g_assert_cmpuint (dyno_store_count_runs (fixture->store, "gpt2", NULL), ==, 60);
  g_assert_nonnull (strstr (dyno_store_get_message (fixture->store), "runs: 60, cases: 180"));
  first = dyno_store_load_run (fixture->store, "run-000", &error);
  last = store_fixture_load (fixture->store, "run-059");
  store_fixture_assert_same_run (expected, last);
  store_fixture_assert_int (fixture->path, "SELECT count (*) BETWEEN 700 AND 899 FROM metric_values", 1);
}

/* What may be left of a store after a crash or on a bad disk. */
typedef struct
{
  const char *name;
  void (*damage) (StoreFixture *fixture);
  guint n_runs; /* that are recovered at least; if 0, none can be */
} Shape;

static void
cut_pages (StoreFixture *fixture, gsize n_left)
{
  g_assert_cmpint (truncate (fixture->path, (off_t)n_left * 4096), ==, 0);
}

static gsize
count_pages (StoreFixture *fixture)
{
  return (gsize)store_fixture_read_int (fixture->path, "PRAGMA page_count");
}

static void
lose_last_page (StoreFixture *fixture)
{
  cut_pages (fixture, count_pages (fixture) - 1);
}

static void
lose_second_half (StoreFixture *fixture)
{
  cut_pages (fixture, count_pages (fixture) / 2);
}

static void
clear_header (StoreFixture *fixture)
{
  overwrite (fixture->path, 0, 100);
}

static void
clear_first_page (StoreFixture *fixture)
{
  overwrite (fixture->path, 0, 4096);
}

/* The offset of the page of the schema that says where a table is. */
static gsize
find_schema_page (StoreFixture *fixture, const char *table)
{
  g_autofree char *content = NULL;
  g_autofree char *words = g_strdup_printf ("CREATE TABLE %s (", table);
  gsize size = 0, at = 0;

  g_assert_true (g_file_get_contents (fixture->path, &content, &size, NULL));
  while (at + strlen (words) < size && memcmp (content + at, words, strlen (words)) != 0)
    at++;
  g_assert_cmpuint (at + strlen (words), <, size);
  return at / 4096 * 4096;
}

static void
clear_schema_of_runs (StoreFixture *fixture)
{
  overwrite (fixture->path, find_schema_page (fixture, "runs"), 4096);
}

static void
clear_schema_of_meters (StoreFixture *fixture)
{
  overwrite (fixture->path, find_schema_page (fixture, "meters"), 4096);
}

static void
cut_schema_of_meters (StoreFixture *fixture)
{
  overwrite (fixture->path, find_schema_page (fixture, "meters") + 2048, 2048);
}

static void
test_shape (StoreFixture *fixture, gconstpointer data)
{
  const Shape *shape = data;
  g_autofree char *before = NULL;
  const char *message;
  gsize size = 0;

  keep_runs (fixture->store, 30);
  g_clear_object (&fixture->store);
  store_fixture_run_sql (fixture->path, "PRAGMA journal_mode = DELETE");
  shape->damage (fixture);
  g_assert_true (g_file_get_contents (fixture->path, &before, &size, NULL));
  store_fixture_reopen (fixture);
  assert_moved_aside (fixture, before, size);
  message = dyno_store_get_message (fixture->store);
  g_assert_cmpuint (dyno_store_count_runs (fixture->store, NULL, NULL), >=, shape->n_runs);
  g_assert_cmpuint (dyno_store_count_runs (fixture->store, NULL, NULL), <=, shape->n_runs > 0 ? 30 : 0);
  g_assert_cmpint (dyno_store_is_lost (fixture->store), ==, shape->n_runs == 0);
  g_assert_nonnull (strstr (message, " .recover”"));
  store_fixture_reopen (fixture);
  g_assert_null (dyno_store_get_message (fixture->store));
  g_assert_false (dyno_store_is_lost (fixture->store));
}

static void
assert_not_opened (StoreFixture *fixture, int code)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (
      g_initable_new (DYNO_TYPE_STORE, NULL, &error, "path", fixture->path, "existing", TRUE, NULL));
  g_assert_error (error, DYNO_ERROR, code);
}

/* Whoever cannot tell people what was lost leaves it to others: nothing is recovered, and nothing made. */
static void
test_existing (StoreFixture *fixture, gconstpointer data)
{
  g_autofree char *damaged = NULL;

  g_clear_object (&fixture->store);
  clear_header (fixture);
  assert_not_opened (fixture, DYNO_ERROR_STORE_DAMAGED);
  damaged = find_damaged (fixture);
  g_assert_null (damaged);
  g_remove (fixture->path);
  assert_not_opened (fixture, DYNO_ERROR_NOT_FOUND);
  g_assert_false (g_file_test (fixture->path, G_FILE_TEST_EXISTS));
}

/* Runs in a folder that others can write may be forged. */
static void
test_open_to_others (StoreFixture *fixture, gconstpointer data)
{
  static const int modes[] = { 0777, 0770, 0755, 0700 };

  for (guint i = 0; i < G_N_ELEMENTS (modes); i++)
    {
      const char *message;

      g_assert_cmpint (g_chmod (fixture->folder, modes[i]), ==, 0);
      store_fixture_reopen (fixture);
      message = dyno_store_get_message (fixture->store);
      g_assert_cmpint (message != NULL, ==, i < 2);
      if (message != NULL)
        g_assert_nonnull (strstr (message, "“chmod go-w '"));
    }
}

/* A store that had no runs loses none. */
static void
test_damaged_and_empty (StoreFixture *fixture, gconstpointer data)
{
  g_clear_object (&fixture->store);
  store_fixture_run_sql (fixture->path, "PRAGMA journal_mode = DELETE");
  lose_last_page (fixture);
  store_fixture_reopen (fixture);
  g_assert_nonnull (strstr (dyno_store_get_message (fixture->store), "runs: 0, cases: 0"));
  g_assert_null (strstr (dyno_store_get_message (fixture->store), ".recover"));
  g_assert_false (dyno_store_is_lost (fixture->store));
}

static const Shape shapes[] = {
  { "last-page-lost", lose_last_page, 30 },
  { "second-half-lost", lose_second_half, 1 },
  { "header-lost", clear_header, 0 },
  { "first-page-lost", clear_first_page, 0 },
  { "schema-of-runs-lost", clear_schema_of_runs, 0 },
  { "schema-of-meters-lost", clear_schema_of_meters, 30 },
  { "schema-of-meters-cut", cut_schema_of_meters, 30 },
};

/* Values missing in a file of an earlier version keep their defaults, without affecting others. */
static void
test_damaged_of_then (StoreFixture *fixture, gconstpointer version)
{
  g_autofree char *document = g_test_build_filename (G_TEST_DIST, "store", "fixtures", version, NULL);
  g_autofree char *content = NULL;
  g_autofree char *damaged = NULL;
  gsize size = 0;
  g_autoptr (GPtrArray) runs = NULL;
  DynoCaseCounts counts = { 0 };
  gint64 page;

  g_clear_object (&fixture->store);
  g_assert_true (g_file_get_contents (document, &content, &size, NULL));
  g_assert_true (g_file_set_contents (fixture->path, content, (gssize)size, NULL));
  page =
      store_fixture_read_int (fixture->path, "SELECT rootpage FROM sqlite_schema WHERE name = 'operators'");
  overwrite (fixture->path, (gsize)(page - 1) * 4096, 4096);
  store_fixture_reopen (fixture);
  damaged = find_damaged (fixture);
  g_assert_nonnull (damaged);
  runs = dyno_store_list_runs (fixture->store, NULL, 0, 10, NULL);
  g_assert_cmpuint (runs->len, ==, 1);
  dyno_run_count_cases (runs->pdata[0], &counts);
  g_assert_cmpuint (counts.of[DYNO_CASE_STATE_DOUBTFUL], ==, 2);
  store_fixture_assert_int (fixture->path, "SELECT count (*) FROM series", 2);
}

static void
test_lost_runs (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (DynoRun) run = NULL;

  keep_runs (fixture->store, 60);
  damage_page_of (fixture, "runs");
  store_fixture_reopen (fixture);
  g_assert_cmpuint (dyno_store_count_runs (fixture->store, NULL, NULL), ==, 60);
  g_assert_cmpuint (dyno_store_count_runs (fixture->store, "Recovered run", NULL), >, 0);
  run = store_fixture_load (fixture->store, "run-030");
  g_assert_cmpuint (g_list_model_get_n_items (dyno_run_get_results (run)), ==, 3);
  store_fixture_assert_int (fixture->path, "SELECT count (*) FROM pragma_foreign_key_check", 0);
}

/* A store damaged before its migration lacks newer data, unless it can be derived. */
static void
test_damaged_older (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (DynoRun) run = NULL;
  g_autoptr (DynoResult) result = NULL;
  g_autoptr (DynoResult) in_software = NULL;

  keep_runs (fixture->store, 60);
  g_clear_object (&fixture->store);
  store_fixture_run_sql (fixture->path,
                         "DROP VIEW benchmark_results; DROP VIEW benchmark_runs;"
                         "DROP INDEX runs_by_deletion; ALTER TABLE runs DROP COLUMN deleted_at;"
                         "ALTER TABLE results DROP COLUMN device_kind; PRAGMA user_version = 2;"
                         "UPDATE diagnostics SET code = 'software-device' WHERE result_id IN"
                         " (SELECT id FROM results WHERE run_id = 'run-059' AND ordinal = 1)");
  damage_page_of (fixture, "metric_values");
  store_fixture_reopen (fixture);
  g_assert_nonnull (strstr (dyno_store_get_message (fixture->store), "runs: 60, cases: 180"));
  run = store_fixture_load (fixture->store, "run-059");
  result = g_list_model_get_item (dyno_run_get_results (run), 0);
  g_assert_cmpstr (dyno_result_get_device (result), ==, "A CPU");
  g_assert_null (dyno_result_get_device_kind (result));
  in_software = g_list_model_get_item (dyno_run_get_results (run), 1);
  g_assert_cmpstr (dyno_result_get_device_kind (in_software), ==, "software");
}

/* A store too large to be checked at every start is checked after damage was met in it. */
static void
test_damage_met_in_use (StoreFixture *fixture, gconstpointer data)
{
  g_autofree char *mark = store_fixture_build_path (fixture, "store.sqlite.suspect");
  g_autofree char *damaged = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoRun) run = NULL;

  keep_runs (fixture->store, 60);
  store_fixture_run_sql (fixture->path, "INSERT INTO series (result_id, name, unit, t0, data)"
                                        " VALUES (180, 'long', 'ms', 0, zeroblob (16000000))");
  damage_page_of (fixture, "metric_values");
  store_fixture_reopen (fixture);
  g_assert_null (dyno_store_get_message (fixture->store));
  for (guint i = 0; i < 60 && error == NULL; i++)
    {
      g_autofree char *id = g_strdup_printf ("run-%03u", i);
      g_autoptr (DynoRun) loaded = dyno_store_load_run (fixture->store, id, &error);
    }
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_STORE_DAMAGED);
  g_assert_true (g_file_test (mark, G_FILE_TEST_EXISTS));
  g_clear_error (&error);

  store_fixture_reopen (fixture);
  damaged = find_damaged (fixture);
  g_assert_nonnull (damaged);
  g_assert_false (g_file_test (mark, G_FILE_TEST_EXISTS));
  run = store_fixture_load (fixture->store, "run-059");
}

/* If the store is damaged, data that is only in the write-ahead log is also recovered, and the log is kept. */
static void
test_damaged_with_log (StoreFixture *fixture, gconstpointer data)
{
  g_autofree char *log_path = g_strconcat (fixture->path, "-wal", NULL);
  g_autofree char *log = NULL;
  g_autofree char *damaged = NULL;
  g_autofree char *damaged_log = NULL;
  gsize size = 0;

  keep_runs (fixture->store, 60);
  store_fixture_reopen (fixture);
  {
    g_autoptr (DynoRun) run = keep_run (fixture->store, "only-in-log");
    g_assert_true (g_file_get_contents (log_path, &log, &size, NULL));
  }
  {
    gint64 page =
        store_fixture_read_int (fixture->path, "SELECT pageno FROM dbstat WHERE name = 'operators'"
                                               " AND pagetype = 'leaf' ORDER BY path LIMIT 1 OFFSET 1");
    g_autofree char *content = NULL;
    gsize length = 0;

    g_assert_true (g_file_get_contents (fixture->path, &content, &length, NULL));
    g_clear_object (&fixture->store);
    g_assert_true (g_file_set_contents (fixture->path, content, (gssize)length, NULL));
    g_assert_true (g_file_set_contents (log_path, log, (gssize)size, NULL));
    overwrite (fixture->path, (gsize)(page - 1) * 4096, 4096);
  }
  store_fixture_reopen (fixture);
  damaged = find_damaged (fixture);
  g_assert_nonnull (damaged);
  damaged_log = g_strconcat (damaged, "-wal", NULL);
  g_assert_true (g_file_test (damaged_log, G_FILE_TEST_EXISTS));
  g_assert_cmpuint (dyno_store_count_runs (fixture->store, "only-in-log", NULL), ==, 1);
}

static void
add (const char *path, void (*func) (StoreFixture *, gconstpointer))
{
  g_test_add (path, StoreFixture, NULL, store_fixture_set_up, func, store_fixture_tear_down);
}

static void
add_tests (void)
{
  add ("/store/faults/locked", test_locked);
  add ("/store/faults/locked-to-the-end", test_locked_to_the_end);
  add ("/store/faults/locked-on-open", test_locked_on_open);
  add ("/store/faults/full", test_full);
  add ("/store/faults/full-for-document", test_full_for_document);
  add ("/store/faults/read-only", test_read_only);
  add ("/store/faults/no-shared-memory", test_no_shared_memory);
  add ("/store/faults/nowhere-to-write", test_nowhere_to_write);
  add ("/store/faults/newer", test_newer);
  add ("/store/faults/made-meanwhile", test_made_meanwhile);
  add ("/store/faults/foreign", test_foreign);
  add ("/store/faults/not-a-database", test_not_a_database);
  add ("/store/faults/damaged-page", test_damaged_page);
  add ("/store/faults/damaged-and-empty", test_damaged_and_empty);
  add ("/store/faults/existing", test_existing);
  add ("/store/faults/open-to-others", test_open_to_others);
  for (guint i = 0; i < G_N_ELEMENTS (shapes); i++)
    {
      g_autofree char *name = g_strconcat ("/store/faults/", shapes[i].name, NULL);

      g_test_add (name, StoreFixture, &shapes[i], store_fixture_set_up, test_shape, store_fixture_tear_down);
    }
  add ("/store/faults/damaged-older", test_damaged_older);
  add ("/store/faults/lost-runs", test_lost_runs);
  g_test_add ("/store/faults/damaged-version-4", StoreFixture, "v4.dyno", store_fixture_set_up,
              test_damaged_of_then, store_fixture_tear_down);
  g_test_add ("/store/faults/damaged-version-5", StoreFixture, "v5.dyno", store_fixture_set_up,
              test_damaged_of_then, store_fixture_tear_down);
  add ("/store/faults/damage-met-in-use", test_damage_met_in_use);
  add ("/store/faults/damaged-with-log", test_damaged_with_log);
}

SUITE_ADD (add_tests)
