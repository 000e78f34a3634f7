/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "dyno-store-private.h"
#include "store-fixture.h"
#include "suite.h"

#define N_CASES       60
#define N_INVOCATIONS 3

static void
add_invocations (DynoResult *result, guint n)
{
  for (guint i = 0; i < n; i++)
    dyno_result_take_invocation (result, dyno_invocation_new (i, NULL));
}

/* Every state, and models and backends that come in any order; one model is called otherwise once it is read. */
static DynoResult *
make_result (guint ordinal, guint n_invocations)
{
  static const DynoStatus statuses[] = { DYNO_STATUS_OK,      DYNO_STATUS_FAILED, DYNO_STATUS_OK,
                                         DYNO_STATUS_SKIPPED, DYNO_STATUS_OK,     DYNO_STATUS_CANCELLED };
  g_autofree char *model = g_strdup_printf ("/models/%c.onnx", 'a' + ordinal / 12);
  g_autoptr (DynoCase) kase = dyno_case_new (model, ordinal % 7 == 0 ? "cuda" : "cpu");
  g_autoptr (DynoMethod) method = dyno_method_new ();
  DynoResult *result;

  g_object_set (method, "invocations", N_INVOCATIONS, NULL);
  g_object_set (kase, "method", method, NULL);
  result = dyno_result_new (kase, ordinal);
  if (ordinal % 12 < 6)
    g_object_set (result, "model-name", n_invocations > 1 ? "Read" : "Model", NULL);
  dyno_result_set_status (
      result, statuses[(ordinal + n_invocations / N_INVOCATIONS) % G_N_ELEMENTS (statuses)], NULL);
  add_invocations (result, n_invocations);
  if (ordinal % 5 == 0)
    dyno_result_take_diagnostic (
        result, dyno_diagnostic_new (DYNO_SEVERITY_WARNING, "no-steady-state", "It never became steady."));
  return result;
}

static char *
read_summary (sqlite3 *db)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (sqlite3_stmt) statement = dyno_store_statement_new (
      db,
      "SELECT json_array (n_cases, n_ok, n_doubtful, n_unsteady, n_failed, n_skipped,"
      " summary, search) FROM runs",
      &error);

  g_assert_no_error (error);
  g_assert_true (dyno_store_statement_next (statement, &error));
  return dyno_store_statement_dup_word (statement, 0);
}

/* The incrementally updated summary equals the one computed from all cases. */
static void
assert_in_line (sqlite3 *db, const char *id)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *followed = read_summary (db);
  g_autofree char *found = NULL;

  g_assert_true (dyno_store_summary_write (db, id, &error));
  found = read_summary (db);
  g_assert_cmpstr (followed, ==, found);
}

static sqlite3 *
open_store (StoreFixture *fixture)
{
  sqlite3 *db = NULL;

  g_assert_cmpint (sqlite3_open (fixture->path, &db), ==, SQLITE_OK);
  g_assert_true (dyno_store_statement_run (db, "PRAGMA foreign_keys = ON; PRAGMA synchronous = OFF", NULL));
  return db;
}

static void
add_result (sqlite3 *db, DynoRun *run, guint ordinal, guint n_invocations)
{
  g_autoptr (DynoResult) result = make_result (ordinal, n_invocations);
  g_autoptr (GError) error = NULL;

  dyno_store_writer_add_result (db, run, result, &error);
  g_assert_no_error (error);
}

static void
check_run (StoreFixture *fixture, guint n_planned, guint stride)
{
  g_autoptr (sqlite3) db = open_store (fixture);
  g_autoptr (DynoRun) run = store_fixture_make_run ("run", 1, "A run");
  g_autoptr (GError) error = NULL;

  g_object_set (run, "n-cases", n_planned, NULL);
  dyno_store_writer_begin_run (db, run, &error);
  g_assert_no_error (error);
  for (guint n = 1; n <= N_INVOCATIONS; n++)
    for (guint i = 0; i < N_CASES; i++)
      {
        add_result (db, run, i * stride % N_CASES, n);
        assert_in_line (db, "run");
      }
  store_fixture_assert_int (fixture->path, "SELECT n_cases FROM runs", MAX (n_planned, N_CASES));
}

static void
test_in_order (StoreFixture *fixture, gconstpointer data)
{
  check_run (fixture, N_CASES, 1);
}

static void
test_shuffled (StoreFixture *fixture, gconstpointer data)
{
  check_run (fixture, N_CASES + 5, 37);
}

/* A run may get more cases than planned. */
static void
test_more_than_planned (StoreFixture *fixture, gconstpointer data)
{
  check_run (fixture, 0, 59);
}

/* A model may be a folder. */
static void
test_folder (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (sqlite3) db = open_store (fixture);
  g_autoptr (DynoRun) run = store_fixture_make_run ("run", 1, "A run");
  g_autoptr (DynoCase) kase = dyno_case_new ("/models/whisper/", "cpu");
  g_autoptr (DynoResult) result = dyno_result_new (kase, 0);
  g_autoptr (GError) error = NULL;
  g_autofree char *summary = NULL;

  dyno_store_writer_begin_run (db, run, &error);
  dyno_store_writer_add_result (db, run, result, &error);
  g_assert_no_error (error);
  summary = read_summary (db);
  g_assert_nonnull (strstr (summary, "\"whisper · ONNX Runtime (CPU)\""));
}

static int
count_step (gpointer data)
{
  guint64 *n = data;

  (*n)++;
  return 0;
}

/* The instructions SQLite takes for a further case, and for a further invocation of one, when there are so many. */
static guint64
count_steps (StoreFixture *fixture, guint n_cases)
{
  g_autofree char *id = g_strdup_printf ("run-%u", n_cases);
  g_autoptr (sqlite3) db = open_store (fixture);
  g_autoptr (DynoRun) run = store_fixture_make_run (id, 1, "A run");
  g_autoptr (GError) error = NULL;
  guint64 n = 0;

  dyno_store_statement_run (db, "BEGIN", &error);
  dyno_store_writer_begin_run (db, run, &error);
  for (guint i = 0; i < n_cases; i++)
    {
      g_autoptr (DynoResult) result = store_fixture_make_result ("gpt2", "cpu", i);

      dyno_store_writer_add_result (db, run, result, &error);
    }
  g_assert_no_error (error);
  sqlite3_progress_handler (db, 1, count_step, &n);
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (DynoResult) result = store_fixture_make_result ("gpt2", "cpu", n_cases);

      for (guint j = 0; j < i; j++)
        dyno_result_take_invocation (result, dyno_invocation_new (3, NULL));
      dyno_store_writer_add_result (db, run, result, &error);
    }
  g_assert_no_error (error);
  g_assert_cmpuint (n, >, 0);
  return n;
}

/* Finding a row among more rows takes at most a few more steps. */
static void
test_takes_as_long (StoreFixture *fixture, gconstpointer data)
{
  guint64 few = count_steps (fixture, 10);

  g_assert_cmpuint (count_steps (fixture, 1000), <, few + few / 10);
}

static const SuiteFixtureTest (StoreFixture) tests[] = {
  { "/store-summary/in-order", test_in_order },
  { "/store-summary/folder", test_folder },
  { "/store-summary/shuffled", test_shuffled },
  { "/store-summary/more-than-planned", test_more_than_planned },
  { "/store-summary/takes-as-long", test_takes_as_long },
};

SUITE_FIXTURE_TESTS (tests, StoreFixture, store_fixture_set_up, store_fixture_tear_down)
