/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-store-private.h"
#include "store-fixture.h"
#include "suite.h"

#define N_RUNS  50
#define MACHINE "{\"cpu\":{\"name\":\"A CPU\",\"cores\":2}}"

static guint64 n_steps;

/* The instructions that SQLite took for a statement. */
static int
add_steps (unsigned int type, void *data, void *statement, void *nanoseconds)
{
  n_steps += (guint64)sqlite3_stmt_status (statement, SQLITE_STMTSTATUS_VM_STEP, TRUE);
  return 0;
}

static int
watch (sqlite3 *db, char **message, const void *routines)
{
  return sqlite3_trace_v2 (db, SQLITE_TRACE_PROFILE, add_steps, NULL);
}

static void
add_run (sqlite3 *db, guint number)
{
  g_autofree char *id = g_strdup_printf ("run-%03u", number);
  g_autoptr (DynoRun) run = store_fixture_make_run (id, 1000 + number, "One of many");
  g_autoptr (DynoResult) result = store_fixture_make_result ("gpt2", "cpu", 0);
  g_autoptr (GError) error = NULL;

  dyno_run_add_result (run, result);
  dyno_store_writer_copy_run (db, run, &error);
  g_assert_no_error (error);
}

/* In one transaction, so that it does not wait for the disk with every run. */
static void
fill (StoreFixture *fixture, guint n_runs)
{
  g_autoptr (sqlite3) db = NULL;

  g_clear_object (&fixture->store);
  g_assert_cmpint (sqlite3_open (fixture->path, &db), ==, SQLITE_OK);
  g_assert_true (dyno_store_statement_run (db, "BEGIN", NULL));
  for (guint i = 0; i < n_runs; i++)
    add_run (db, i);
  g_assert_true (dyno_store_statement_run (db, "COMMIT", NULL));
}

typedef void (*Task) (StoreFixture *fixture);

static gboolean
count_run (const char *id, DynoRun *run, GPtrArray *ceilings, const GError *why, gpointer data)
{
  g_assert_no_error (why);
  return TRUE;
}

static void
read_document (StoreFixture *fixture)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoStore) document = store_fixture_open_document (fixture->path);

  g_assert_true (dyno_store_foreach_run (document, count_run, NULL, &error));
}

static void
import_document (StoreFixture *fixture)
{
  g_autofree char *path = store_fixture_build_path (fixture, "other.sqlite");
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoStore) store = dyno_store_open (path, &error);
  g_auto (GStrv) ids = store_fixture_import (store, fixture->path);

  g_assert_nonnull (ids);
}

static void
save_document (StoreFixture *fixture)
{
  g_autofree char *path = store_fixture_build_path (fixture, "saved.dyno");
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoStore) document = dyno_store_open_document (fixture->path, &error);
  g_autoptr (GPtrArray) runs = dyno_store_list_runs (document, NULL, 0, 1000, &error);
  g_autoptr (GStrvBuilder) ids = g_strv_builder_new ();
  g_auto (GStrv) list = NULL;

  for (guint i = 0; i < runs->len; i++)
    g_strv_builder_add (ids, dyno_run_get_id (runs->pdata[i]));
  list = g_strv_builder_end (ids);
  g_assert_true (dyno_store_save_document (document, (const char *const *)list, path, &error));
  g_assert_no_error (error);
}

static gboolean
want_all (DynoResult *head, gpointer data)
{
  return TRUE;
}

static void
read_history (StoreFixture *fixture)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoStore) document = dyno_store_open_document (fixture->path, &error);
  g_autoptr (GPtrArray) points =
      dyno_store_list_history (document, MACHINE, "latency_p50_ms", want_all, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (points->len, >=, N_RUNS);
}

static guint64
count_steps (Task task, guint n_runs)
{
  StoreFixture fixture;
  guint64 n_before;

  store_fixture_set_up (&fixture, NULL);
  fill (&fixture, n_runs);
  n_before = n_steps;
  task (&fixture);
  n_before = n_steps - n_before;
  store_fixture_tear_down (&fixture, NULL);
  return n_before;
}

/* Four times the runs take four times the instructions: none looks at all others. */
static void
test_growth (gconstpointer data)
{
  const Task *task = data;
  guint64 few = count_steps (*task, N_RUNS);
  guint64 many = count_steps (*task, 4 * N_RUNS);

  g_test_message ("%" G_GUINT64_FORMAT " and %" G_GUINT64_FORMAT " instructions", few, many);
  g_assert_cmpuint (few, >, N_RUNS);
  g_assert_cmpuint (many, <, 4 * few);
}

/* Many readers at once leave few connections behind. */
static void
test_readers (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  sqlite3 *first = dyno_store_connection_open (fixture->path, DYNO_STORE_READ_WRITE, 1000, &error);
  g_autoptr (DynoStorePool) pool = dyno_store_pool_new (first, fixture->path, DYNO_STORE_READ_WRITE, 1000);
  DynoStoreLease *leases[20];
  sqlite3_int64 few = sqlite3_memory_used ();
  sqlite3_int64 busy;

  for (guint i = 0; i < G_N_ELEMENTS (leases); i++)
    {
      leases[i] = dyno_store_pool_take (pool, NULL, &error);
      g_assert_no_error (error);
    }
  busy = sqlite3_memory_used ();
  for (guint i = 0; i < G_N_ELEMENTS (leases); i++)
    dyno_store_pool_give_back (leases[i]);
  g_assert_cmpint (busy, >, few);
  g_assert_cmpint (sqlite3_memory_used () - few, <, (busy - few) / 4);
}

static void
add_tests (void)
{
  static const Task tasks[] = { read_document, import_document, save_document, read_history };

  g_assert_cmpint (sqlite3_auto_extension ((void (*) (void))watch), ==, SQLITE_OK);
  g_test_add_data_func ("/store/growth/read", &tasks[0], test_growth);
  g_test_add_data_func ("/store/growth/import", &tasks[1], test_growth);
  g_test_add_data_func ("/store/growth/save", &tasks[2], test_growth);
  g_test_add_data_func ("/store/growth/history", &tasks[3], test_growth);
  g_test_add ("/store/growth/readers", StoreFixture, NULL, store_fixture_set_up, test_readers,
              store_fixture_tear_down);
}

SUITE_ADD (add_tests)
