/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-store-writer.h"
#include "store-fixture.h"

#define N_RUNS   10000
#define N_CASES  8
#define N_VALUES 30
#define N_ROUNDS 9

/* Fills a store as large as years of use leave it, in one transaction, then times what the window waits for. */

static DynoResult *
make_result (guint run, guint ordinal)
{
  static const char *const models[] = { "gpt2", "bert-base-uncased", "resnet50", "vit-base-patch16-224" };
  DynoResult *result = store_fixture_make_result (models[(run + ordinal) % G_N_ELEMENTS (models)],
                                                  ordinal % 2 == 0 ? "cpu" : "cuda", ordinal);

  for (guint i = 0; i < N_VALUES; i++)
    {
      g_autofree char *name = g_strdup_printf ("metric_%u", i);
      dyno_result_add_measured (result, name, run + i, "ms", "steady state");
    }
  return result;
}

static void
fill (const char *path)
{
  g_autoptr (sqlite3) db = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  dyno_store_statement_run (db, "BEGIN", &error);
  for (guint i = 0; i < N_RUNS && error == NULL; i++)
    {
      g_autofree char *title = g_strdup_printf ("Run %u of the benchmark", i);
      g_autoptr (DynoRun) run = store_fixture_make_run (NULL, i + 1, title);

      for (guint ordinal = 0; ordinal < N_CASES; ordinal++)
        {
          g_autoptr (DynoResult) result = make_result (i, ordinal);
          dyno_run_add_result (run, result);
        }
      dyno_store_writer_copy_run (db, run, &error);
    }
  g_assert_no_error (error);
  dyno_store_statement_run (db, "COMMIT", &error);
  g_assert_no_error (error);
}

static int
compare_times (gconstpointer a, gconstpointer b)
{
  gint64 difference = *(const gint64 *)a - *(const gint64 *)b;

  return difference < 0 ? -1 : difference > 0;
}

/* The median over rounds that each open the store anew, as a start of the window does. */
static void
time_it (const char *what, const char *path, void (*func) (DynoStore *store))
{
  gint64 times[N_ROUNDS];

  for (guint i = 0; i < N_ROUNDS; i++)
    {
      gint64 start = g_get_monotonic_time ();
      g_autoptr (DynoStore) store = dyno_store_open (path, NULL);

      func (store);
      times[i] = g_get_monotonic_time () - start;
    }
  qsort (times, N_ROUNDS, sizeof *times, compare_times);
  g_print ("%-40s %8.2f ms (median of %d, slowest %.2f ms)\n", what, times[N_ROUNDS / 2] / 1e3, N_ROUNDS,
           times[N_ROUNDS - 1] / 1e3);
}

static void
list (DynoStore *store, const char *search, guint offset, guint limit)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) runs = dyno_store_list_runs (store, search, offset, limit, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (runs->len, ==, limit);
}

static void
list_first (DynoStore *store)
{
  list (store, NULL, 0, 100);
}

static void
list_last (DynoStore *store)
{
  list (store, NULL, N_RUNS - 100, 100);
}

static void
list_all (DynoStore *store)
{
  list (store, NULL, 0, N_RUNS);
}

static void
search_old (DynoStore *store)
{
  list (store, "GPT2 cuda 1234", 0, 1);
}

static void
count_matches (DynoStore *store)
{
  g_assert_cmpuint (dyno_store_count_runs (store, "benchmark cpu resnet", NULL), ==, N_RUNS);
}

static void
load_one (DynoStore *store)
{
  g_autoptr (DynoRun) run = dyno_store_load_run (store, "latest", NULL);

  g_assert_cmpuint (g_list_model_get_n_items (dyno_run_get_results (run)), ==, N_CASES);
}

int
main (void)
{
  StoreFixture fixture;
  gint64 start = g_get_monotonic_time ();

  store_fixture_set_up (&fixture, NULL);
  fill (fixture.path);
  g_print ("%d runs of %d cases written in %.1f s\n", N_RUNS, N_CASES,
           (g_get_monotonic_time () - start) / 1e6);
  time_it ("open and list the first 100", fixture.path, list_first);
  time_it ("open and list the last 100", fixture.path, list_last);
  time_it ("open and list all", fixture.path, list_all);
  time_it ("open and search three words", fixture.path, search_old);
  time_it ("open and count matches of three words", fixture.path, count_matches);
  time_it ("open and load one run", fixture.path, load_one);
  store_fixture_tear_down (&fixture, NULL);
  return 0;
}
