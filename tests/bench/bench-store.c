/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "bench.h"
#include "large-store.h"
#include "store-fixture.h"
#include "suite.h"

/* The time for which the window waits with a large store of runs of 8 cases: every block opens the store again, like a
 * start of the window. The baseline is the same with a tenth of the runs, so the ratio shows the growth. Likewise for
 * adding a case to a run of 10 000 cases. Opening a document, importing it and reading a history take a time that grows as
 * the number of runs does: four times the runs, four times the time. So do
 * answers that look at all runs of a store with more than 10 000. */

#define N_RUN_CASES       10000
#define N_FEWER_RUN_CASES 1000
#define N_ROUNDS          9
#define N_LISTED          100
#define N_ADDED           50
#define LIMIT_MS          200
#define LIMIT_GROWTH      1.5
#define LIMIT_TENFOLD     12

#define N_DOCUMENT_RUNS       800
#define N_FEWER_DOCUMENT_RUNS 200
#define LIMIT_LINEAR          4.8
#define MACHINE               "{\"cpu\":{\"name\":\"A CPU\",\"cores\":2}}"

typedef struct
{
  const char *path;
  guint n_runs; /* or cases of its one run */
} LargeStore;

typedef void (*Task) (DynoStore *store, guint n_runs);

typedef struct
{
  LargeStore large;
  LargeStore small;
  Task task;
} Bench;

static double
time_task (const LargeStore *where, Task task)
{
  gint64 start = g_get_monotonic_time ();
  g_autoptr (DynoStore) store = dyno_store_open (where->path, NULL);

  task (store, where->n_runs);
  return (double)(g_get_monotonic_time () - start) / 1e3;
}

static double
time_large (gpointer data)
{
  const Bench *bench = data;

  return time_task (&bench->large, bench->task);
}

static double
time_small (gpointer data)
{
  const Bench *bench = data;

  return time_task (&bench->small, bench->task);
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
list_first (DynoStore *store, guint n_runs)
{
  list (store, NULL, 0, N_LISTED);
}

static void
list_last (DynoStore *store, guint n_runs)
{
  list (store, NULL, n_runs - N_LISTED, N_LISTED);
}

static void
list_all (DynoStore *store, guint n_runs)
{
  list (store, NULL, 0, n_runs);
}

static void
search_old (DynoStore *store, guint n_runs)
{
  list (store, "GPT2 cuda 123", 0, 1);
}

static void
count_matches (DynoStore *store, guint n_runs)
{
  g_assert_cmpuint (dyno_store_count_runs (store, "benchmark cpu resnet", NULL), ==, n_runs);
}

static void
load_one (DynoStore *store, guint n_runs)
{
  g_autoptr (DynoRun) run = dyno_store_load_run (store, "latest", NULL);

  g_assert_cmpuint (g_list_model_get_n_items (dyno_run_get_results (run)), ==, LARGE_STORE_CASES);
}

static void
add_case (DynoStore *store, DynoRun *run, guint ordinal, guint n_further)
{
  g_autoptr (DynoResult) result = store_fixture_make_result ("model-1", "cpu", ordinal);
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < n_further; i++)
    dyno_result_take_invocation (result, dyno_invocation_new (3 + i, NULL));
  dyno_result_sink_add_result (DYNO_RESULT_SINK (store), run, result, &error);
  g_assert_no_error (error);
}

/* Each case once when it is new, and once after another invocation. */
static void
add_cases (DynoStore *store, guint n_cases)
{
  g_autoptr (DynoRun) run = store_fixture_make_run ("long", 1, NULL);
  static guint n_added;

  for (guint i = 0; i < N_ADDED; i++, n_added++)
    {
      add_case (store, run, n_cases + n_added, 0);
      add_case (store, run, n_cases + n_added, 1);
    }
}

static void
report_growth (void)
{
  StoreFixture large, small;
  g_autoptr (BenchPairs) pairs = bench_pairs_new ();
  Bench bench;

  store_fixture_set_up (&large, NULL);
  store_fixture_set_up (&small, NULL);
  large_store_fill_run (large.path, N_RUN_CASES);
  large_store_fill_run (small.path, N_FEWER_RUN_CASES);
  bench = (Bench){ { large.path, N_RUN_CASES }, { small.path, N_FEWER_RUN_CASES }, add_cases };
  bench_pairs_run (pairs, N_ROUNDS, time_large, time_small, &bench);
  bench_report_ratio ("open and add 50 cases to a run of 10 000", "ms", "a tenth of the cases", pairs,
                      BENCH_AT_MOST, LIMIT_GROWTH);
  store_fixture_tear_down (&large, NULL);
  store_fixture_tear_down (&small, NULL);
}

static gboolean
take_run (const char *id, DynoRun *run, GPtrArray *ceilings, const GError *why, gpointer data)
{
  g_assert_no_error (why);
  return TRUE;
}

static void
read_all (DynoStore *document)
{
  g_assert_true (dyno_store_foreach_run (document, take_run, NULL, NULL));
}

static gboolean
want_all (DynoResult *head, gpointer data)
{
  return TRUE;
}

static void
read_history (DynoStore *document)
{
  g_autoptr (GPtrArray) points =
      dyno_store_list_history (document, MACHINE, "metric_1", want_all, NULL, NULL);

  g_assert_cmpuint (points->len, >, 0);
}

static void
import_all (DynoStore *document)
{
  StoreFixture target;
  g_auto (GStrv) ids = NULL;
  g_autoptr (GError) error = NULL;

  store_fixture_set_up (&target, NULL);
  ids = dyno_store_import_document (target.store, dyno_store_get_path (document), &error);
  g_assert_no_error (error);
  store_fixture_tear_down (&target, NULL);
}

typedef struct
{
  const char *large;
  const char *small;
  void (*task) (DynoStore *document);
} DocumentBench;

static double
time_document (const char *path, void (*task) (DynoStore *document))
{
  gint64 start = g_get_monotonic_time ();
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoStore) document = dyno_store_open_document (path, &error);

  g_assert_no_error (error);
  task (document);
  return (double)(g_get_monotonic_time () - start) / 1e3;
}

static double
time_large_document (gpointer data)
{
  const DocumentBench *bench = data;

  return time_document (bench->large, bench->task);
}

static double
time_small_document (gpointer data)
{
  const DocumentBench *bench = data;

  return time_document (bench->small, bench->task);
}

static void
report_document (DocumentBench *bench, const char *name, void (*task) (DynoStore *document))
{
  g_autoptr (BenchPairs) pairs = bench_pairs_new ();

  bench->task = task;
  bench_pairs_run (pairs, N_ROUNDS, time_large_document, time_small_document, bench);
  bench_report_ratio (name, "ms", "a quarter of the runs", pairs, BENCH_AT_MOST, LIMIT_LINEAR);
}

/* A store that nobody has open is a document as it is. */
static void
report_documents (void)
{
  StoreFixture large, small;
  DocumentBench bench;

  store_fixture_set_up (&large, NULL);
  store_fixture_set_up (&small, NULL);
  large_store_fill (large.path, N_DOCUMENT_RUNS);
  large_store_fill (small.path, N_FEWER_DOCUMENT_RUNS);
  g_clear_object (&large.store);
  g_clear_object (&small.store);
  bench = (DocumentBench){ large.path, small.path, NULL };
  report_document (&bench, "open a document of 800 runs and read all", read_all);
  report_document (&bench, "open it and read a history", read_history);
  report_document (&bench, "open it and import it", import_all);
  store_fixture_tear_down (&large, NULL);
  store_fixture_tear_down (&small, NULL);
}

static void
report (Bench *bench, const char *name, Task task, double limit)
{
  g_autoptr (BenchPairs) pairs = bench_pairs_new ();

  bench->task = task;
  bench_pairs_run (pairs, N_ROUNDS, time_large, time_small, bench);
  bench_report_value (name, "ms", "a tenth of the runs", pairs, BENCH_AT_MOST, limit);
}

static void
list_history (DynoStore *store, guint n_runs)
{
  read_history (store);
}

static void
report_history (Bench *bench)
{
  g_autoptr (BenchPairs) pairs = bench_pairs_new ();

  bench->task = list_history;
  bench_pairs_run (pairs, N_ROUNDS, time_large, time_small, bench);
  bench_report_ratio ("open and read a history", "ms", "a tenth of the runs", pairs, BENCH_AT_MOST,
                      LIMIT_TENFOLD);
}

static int
run_suite (int argc, char *argv[])
{
  guint n_runs = large_store_count_runs ();
  double limit_all = LIMIT_MS * MAX (1, n_runs / 10000.0);
  g_autofree char *first = g_strdup_printf ("open and list the first 100 of %u runs", n_runs);
  StoreFixture large, small;
  Bench bench;

  bench_init ();
  store_fixture_set_up (&large, NULL);
  store_fixture_set_up (&small, NULL);
  large_store_fill (large.path, n_runs);
  large_store_fill (small.path, n_runs / 10);
  bench = (Bench){ { large.path, n_runs }, { small.path, n_runs / 10 }, NULL };
  report (&bench, first, list_first, LIMIT_MS);
  report (&bench, "open and list the last 100", list_last, LIMIT_MS);
  report (&bench, "open and list all", list_all, limit_all);
  report (&bench, "open and search three words", search_old, LIMIT_MS);
  report (&bench, "open and count the matches of three words", count_matches, limit_all);
  report (&bench, "open and load one run", load_one, LIMIT_MS);
  report_history (&bench);
  store_fixture_tear_down (&large, NULL);
  store_fixture_tear_down (&small, NULL);
  report_growth ();
  report_documents ();
  return 0;
}

SUITE (run_suite)
