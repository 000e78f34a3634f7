/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <sqlite3.h>
#include <unistd.h>

#include "dyno-app-results-private.h"
#include "dyno-app-session-private.h"
#include "dyno-app-shell-private.h"
#include "dyno-page-list.h"
#include "dyno-paths.h"
#include "dyno-stats.h"
#include "large-store.h"
#include "window-fixture.h"

/* A day of use in one window: hours in each of which something is measured, paused, skipped, stopped, queued or deleted, or a
 * device is lost; then every page is looked at. After enough days nothing has grown but the store, and that with every day
 * alike. `DYNO_SOAK_SECONDS` sets how long it goes on; otherwise there is one day.
 * Before, so many runs are stored as fill each list: a list keeps 200 rows. */

#define N_CASES  3
#define N_BEFORE 300
#define WIDE     1100

/* In the first days the caches of the store fill: a quarter has to be longer than those. */
#define FEWEST_JUDGED 24
#define LIMIT_MEMORY  1.05
#define LIMIT_STORE   1.1

#define PLAN                                                                                                 \
  "{ \"models\": [\"bert-tiny\"], \"backends\": [\"fake\"], \"batch-sizes\": [1, 2, 4],"                     \
  " \"sequence-lengths\": [8], \"method\": { \"invocations\": 1, \"warmup-steps\": 1,"                       \
  " \"warmup-seconds\": 0, \"min-samples\": 5, \"min-seconds\": 0.05, \"max-seconds\": 0.1,"                 \
  " \"interval-percent\": 100 } }"

typedef struct
{
  double memory; /* in MB */
  double n_descriptors;
  double n_threads;
  double store; /* in MB */
  double n_runs;
} Sample;

typedef struct
{
  DynoWindow *window;
  DynoAppSession *session;
  DynoRun *ended;
  guint n_ended;
  guint n_awaited; /* as many runs as will have ended then */
  guint n_queued;
  GArray *samples;
} Day;

/* Runs */

static void
ended_cb (Day *day, DynoRun *run, GError *error)
{
  g_assert_no_error (error);
  g_set_object (&day->ended, run);
  day->n_ended++;
}

static gboolean
has_ended (gpointer data)
{
  Day *day = data;

  return day->n_ended >= day->n_awaited;
}

static void
wait_for_end (Day *day)
{
  page_fixture_wait (has_ended, day);
}

static DynoPlan *
make_plan (void)
{
  g_autoptr (GError) error = NULL;
  DynoPlan *plan = dyno_plan_new_from_json (PLAN, &error);

  g_assert_no_error (error);
  return plan;
}

static DynoRunner *
start_run (Day *day)
{
  g_autoptr (DynoPlan) plan = make_plan ();
  g_autoptr (GError) error = NULL;

  dyno_app_session_start_run (day->session, plan, &error);
  g_assert_no_error (error);
  day->n_awaited++;
  return dyno_app_session_get_runner (day->session);
}

static gboolean
is_measuring (gpointer runner)
{
  return dyno_runner_get_current (runner) != NULL;
}

static gboolean
is_between (gpointer runner)
{
  return dyno_runner_get_run (runner) != NULL && dyno_runner_get_current (runner) == NULL;
}

/* Hours */

static void
measure (Day *day)
{
  start_run (day);
  wait_for_end (day);
  g_assert_cmpuint (dyno_run_get_n_ok (day->ended), ==, N_CASES);
}

static void
pause_run (Day *day)
{
  g_autoptr (DynoRunner) runner = g_object_ref (start_run (day));

  page_fixture_wait (is_measuring, runner);
  dyno_runner_set_paused (runner, TRUE);
  page_fixture_wait (is_between, runner);
  dyno_runner_set_paused (runner, FALSE);
  wait_for_end (day);
  g_assert_cmpuint (dyno_run_get_n_ok (day->ended), ==, N_CASES);
}

static void
skip_case (Day *day)
{
  g_autoptr (DynoRunner) runner = g_object_ref (start_run (day));

  page_fixture_wait (is_measuring, runner);
  dyno_runner_skip (runner);
  wait_for_end (day);
  g_assert_cmpuint (dyno_run_get_n_ok (day->ended), ==, N_CASES - 1);
}

static void
stop_run (Day *day)
{
  g_autoptr (DynoRunner) runner = g_object_ref (start_run (day));

  page_fixture_wait (is_measuring, runner);
  dyno_app_session_stop_run (day->session);
  wait_for_end (day);
  g_assert_cmpuint (dyno_run_get_n_ok (day->ended), <, N_CASES);
}

static void
lose_device (Day *day)
{
  g_autofree char *script = g_strdup (g_getenv ("DYNO_FAKE_BACKEND"));
  g_autofree char *failing =
      g_test_build_filename (G_TEST_DIST, "backends", "fixtures", "fail-open.json", NULL);

  g_setenv ("DYNO_FAKE_BACKEND", failing, TRUE);
  start_run (day);
  wait_for_end (day);
  g_setenv ("DYNO_FAKE_BACKEND", script, TRUE);
  g_assert_cmpuint (dyno_run_get_n_ok (day->ended), ==, 0);
}

static void
queued_cb (GObject *session, GAsyncResult *result, gpointer data)
{
  g_autoptr (GError) error = NULL;

  dyno_app_session_queue_run_finish (DYNO_APP_SESSION (session), result, &error);
  g_assert_no_error (error);
  ((Day *)data)->n_queued++;
}

static gboolean
has_queued (gpointer n_queued)
{
  return *(guint *)n_queued == 2;
}

static gboolean
has_empty_queue (gpointer store)
{
  g_autoptr (GPtrArray) waiting = dyno_store_list_queue (store, NULL);

  return waiting != NULL && waiting->len == 0;
}

static void
queue_runs (Day *day)
{
  g_autoptr (DynoPlan) plan = make_plan ();
  g_autoptr (GError) error = NULL;

  day->n_queued = 0;
  for (guint i = 0; i < 2; i++)
    dyno_app_session_queue_run_async (day->session, plan, DYNO_QUEUE_NORMAL, queued_cb, day);
  page_fixture_wait (has_queued, &day->n_queued);
  dyno_app_session_start_queue (day->session, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < 2; i++)
    {
      day->n_awaited++;
      wait_for_end (day);
    }
  page_fixture_wait (has_empty_queue, dyno_app_session_get_store (day->session));
}

static void
delete_and_restore (Day *day)
{
  DynoStore *store = dyno_app_session_get_store (day->session);
  const char *id = dyno_run_get_id (day->ended);
  g_autoptr (GError) error = NULL;

  dyno_store_delete_run (store, id, &error);
  g_assert_no_error (error);
  window_fixture_wait_frames (GTK_WIDGET (day->window));
  dyno_store_restore_run (store, id, &error);
  g_assert_no_error (error);
}

static gboolean
is_freed (gpointer window)
{
  return *(DynoWindow **)window == NULL;
}

/* A window that is closed leaves nothing. */
static void
open_another_window (Day *day)
{
  DynoWindow *other = window_fixture_open (WIDE / 2);

  g_object_add_weak_pointer (G_OBJECT (other), (gpointer *)&other);
  dyno_window_show_run (other, dyno_run_get_id (day->ended));
  window_fixture_wait_frames (GTK_WIDGET (other));
  window_fixture_close (other);
  page_fixture_wait (is_freed, &other);
}

static void (*const hours[]) (Day *day) = {
  measure, pause_run, skip_case, stop_run, lose_device, queue_runs, delete_and_restore, open_another_window,
};

static gboolean
shows_ended (gpointer data)
{
  Day *day = data;
  GtkWidget *page = page_fixture_find (GTK_WIDGET (day->window), DYNO_TYPE_RESULTS_PAGE);
  DynoRun *run = dyno_results_page_get_run (DYNO_RESULTS_PAGE (page));

  return run != NULL && g_str_equal (dyno_run_get_id (run), dyno_run_get_id (day->ended));
}

static void
look_around (Day *day)
{
  for (guint i = 0; i < G_N_ELEMENTS (dyno_pages); i++)
    {
      dyno_window_show_page (day->window, dyno_pages[i]->name);
      window_fixture_wait_frames (GTK_WIDGET (day->window));
    }
  dyno_window_search_runs (day->window, "bert");
  window_fixture_wait_frames (GTK_WIDGET (day->window));
  dyno_window_search_runs (day->window, "");
  dyno_window_show_run (day->window, dyno_run_get_id (day->ended));
  page_fixture_wait (shows_ended, day);
  window_fixture_wait_frames (GTK_WIDGET (day->window));
}

/* Samples */

/* @but: (nullable): the beginning of names that links lead to, which do not count */
static guint
count_entries (const char *folder, const char *but)
{
  g_autofree char *path = dyno_paths_build (DYNO_PATH_PROCFS, "self", folder, NULL);
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;
  guint n = 0;

  g_assert_nonnull (dir);
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *entry = g_build_filename (path, name, NULL);
      g_autofree char *target = but != NULL ? g_file_read_link (entry, NULL) : NULL;

      if (target == NULL || !g_str_has_prefix (target, but))
        n++;
    }
  return n;
}

static double
read_memory (void)
{
  g_autofree char *path = dyno_paths_build (DYNO_PATH_PROCFS, "self", "statm", NULL);
  g_autofree char *text = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  return g_ascii_strtod (strchr (text, ' '), NULL) * (double)sysconf (_SC_PAGESIZE) / 1e6;
}

/* In pages, because the file and its log grow in steps. */
static double
read_size (DynoStore *store)
{
  sqlite3_stmt *statement = NULL;
  sqlite3 *db = NULL;
  double size;

  g_assert_cmpint (sqlite3_open_v2 (dyno_store_get_path (store), &db, SQLITE_OPEN_READONLY, NULL), ==,
                   SQLITE_OK);
  sqlite3_prepare_v2 (db, "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size", -1,
                      &statement, NULL);
  g_assert_cmpint (sqlite3_step (statement), ==, SQLITE_ROW);
  size = sqlite3_column_double (statement, 0) / 1e6;
  sqlite3_finalize (statement);
  sqlite3_close (db);
  return size;
}

/* SQLite keeps the descriptors of closed connections for the next: as many as ever read at once. */
static void
take_sample (Day *day)
{
  DynoStore *store = dyno_app_session_get_store (day->session);
  Sample sample = { read_memory (), count_entries ("fd", dyno_store_get_path (store)),
                    count_entries ("task", NULL), read_size (store),
                    dyno_store_count_runs (store, NULL, NULL) };

  g_array_append_val (day->samples, sample);
  g_test_message ("%u days: %.1f MB, %.0f descriptors, %.0f threads, %.0f runs in %.2f MB", day->samples->len,
                  sample.memory, sample.n_descriptors, sample.n_threads, sample.n_runs, sample.store);
}

/* The median of a quarter of the samples. @offset: of the member in a sample. */
static double
sum_up (Day *day, guint quarter, gsize offset)
{
  guint n = day->samples->len / 4;
  g_autofree double *numbers = g_new (double, n);

  for (guint i = 0; i < n; i++)
    numbers[i] = G_STRUCT_MEMBER (double, &g_array_index (day->samples, Sample, quarter * n + i), offset);
  dyno_stats_sort (numbers, n);
  return dyno_stats_percentile (numbers, n, 50);
}

/* A row of the table that ./dev soak shows. */
static void
judge (const char *what, double before, double after, double limit)
{
  g_test_message ("| %s | %.4g | %.4g | %.3f | at most %.2f |", what, before, after, after / before, limit);
  if (!(after <= before * limit))
    g_test_fail_printf ("%s: %.4g in the second quarter, %.4g in the last, more than %.2f times as much",
                        what, before, after, limit);
}

static void
judge_member (Day *day, const char *what, gsize offset, double limit)
{
  judge (what, sum_up (day, 1, offset), sum_up (day, 3, offset), limit);
}

/* In kB for each run. */
static double
get_growth (Day *day, guint quarter)
{
  const Sample *first = &g_array_index (day->samples, Sample, quarter * (day->samples->len / 4));
  const Sample *last = &g_array_index (day->samples, Sample, (quarter + 1) * (day->samples->len / 4) - 1);

  return 1e3 * (last->store - first->store) / (last->n_runs - first->n_runs);
}

static void
judge_day (Day *day)
{
  if (day->samples->len < FEWEST_JUDGED)
    {
      g_test_message (
          "| Nothing was judged: that takes %d days, and there were %u. Give it more --seconds. |",
          FEWEST_JUDGED, day->samples->len);
      return;
    }
  g_test_message ("| Of %u days | Second quarter | Last quarter | Ratio | Limit |", day->samples->len);
  g_test_message ("|---|---|---|---|---|");
  judge_member (day, "memory of the window, MB", G_STRUCT_OFFSET (Sample, memory), LIMIT_MEMORY);
  judge_member (day, "open descriptors", G_STRUCT_OFFSET (Sample, n_descriptors), 1);
  judge_member (day, "threads", G_STRUCT_OFFSET (Sample, n_threads), 1);
  judge ("kB of the store for each run", get_growth (day, 1), get_growth (day, 3), LIMIT_STORE);
}

static void
test_day (void)
{
  const char *seconds = g_getenv ("DYNO_SOAK_SECONDS");
  gint64 end =
      g_get_monotonic_time () + (seconds != NULL ? g_ascii_strtoll (seconds, NULL, 10) : 0) * G_USEC_PER_SEC;
  Day day = { window_fixture_open (WIDE), window_fixture_get_session () };
  gulong handler = g_signal_connect_swapped (day.session, "run-ended", G_CALLBACK (ended_cb), &day);

  day.samples = g_array_new (FALSE, FALSE, sizeof (Sample));
  large_store_fill (dyno_store_get_path (dyno_app_session_get_store (day.session)), N_BEFORE);
  do
    {
      for (guint i = 0; i < G_N_ELEMENTS (hours); i++)
        {
          hours[i](&day);
          look_around (&day);
        }
      take_sample (&day);
    }
  while (g_get_monotonic_time () < end);
  g_assert_cmpuint (dyno_store_count_runs (dyno_app_session_get_store (day.session), NULL, NULL), ==,
                    N_BEFORE + day.n_ended);
  judge_day (&day);
  g_signal_handler_disconnect (day.session, handler);
  window_fixture_close (day.window);
  g_clear_object (&day.ended);
  g_array_unref (day.samples);
}

static void
add_tests (void)
{
  g_test_add_func ("/soak/day", test_day);
}

static int
run_suite (int argc, char *argv[])
{
  g_autofree char *fixtures = g_build_filename (g_getenv ("G_TEST_SRCDIR"), "backends", "fixtures", NULL);
  g_autofree char *script = g_build_filename (fixtures, "demo.json", NULL);

  /* Backends are listed once, and this one only if it has a script. */
  g_setenv ("DYNO_FAKE_BACKEND", script, TRUE);
  return window_fixture_run_suite (argc, argv, add_tests);
}

SUITE (run_suite)
