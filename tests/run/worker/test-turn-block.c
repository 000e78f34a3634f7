/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "dyno-error.h"
#include "dyno-result-samples.h"
#include "dyno-run-worker-private.h"
#include "suite.h"

/* Cases of the fake engine that do the same work so many times, side by side. */
typedef struct
{
  GMainLoop *loop;
  GPtrArray *cases;
  GCancellable *cancellable;
  DynoTurnBlock *block;
  GPtrArray *workers; /* in the order in which they first worked */
  void (*interfere) (gpointer fixture);
  double seconds_left; /* 0 if there is no limit */
  double prepare_seconds;
  guint n_stopped;
} Fixture;

static void
choose_script (const char *script)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "backends", "fixtures", script, NULL);

  g_setenv ("DYNO_FAKE_BACKEND", path, TRUE);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  choose_script ("demo-small.json");
  fixture->loop = g_main_loop_new (NULL, FALSE);
  fixture->cases = g_ptr_array_new_with_free_func (g_object_unref);
  fixture->cancellable = g_cancellable_new ();
  fixture->workers = g_ptr_array_new_with_free_func (g_object_unref);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_main_loop_unref (fixture->loop);
  g_ptr_array_unref (fixture->cases);
  g_ptr_array_unref (fixture->workers);
  g_clear_object (&fixture->block);
  g_clear_object (&fixture->cancellable);
}

static void
add_case (Fixture *fixture, const char *options, double max_seconds)
{
  g_autoptr (DynoMethod) method = dyno_method_new ();

  g_object_set (method, "invocations", 1, "warmup-steps", 40, "warmup-seconds", 0.0, "min-samples", 10,
                "min-seconds", 0.01, "max-seconds", max_seconds, "interval-percent", 50.0, NULL);
  g_ptr_array_add (fixture->cases,
                   g_object_new (DYNO_TYPE_CASE, "model", "bert-tiny", "backend", "fake", "sequence-length",
                                 8, "threads", 1, "options", options, "method", method, NULL));
}

static void
finished_cb (GObject *object, GAsyncResult *result, gpointer data)
{
  Fixture *fixture = data;

  dyno_turn_block_run_finish (DYNO_TURN_BLOCK (object), result);
  g_main_loop_quit (fixture->loop);
}

static void
beat_cb (DynoTurnBlock *block,
         guint index,
         DynoWorkerClient *worker,
         const char *phase,
         gint64 time,
         guint n_samples,
         GVariant *latencies,
         gpointer data)
{
  Fixture *fixture = data;

  if (!g_ptr_array_find (fixture->workers, worker, NULL))
    g_ptr_array_add (fixture->workers, g_object_ref (worker));
  if (g_str_equal (phase, "measure") && fixture->interfere != NULL)
    fixture->interfere (fixture);
}

static void
measure (Fixture *fixture)
{
  fixture->block = dyno_turn_block_new (fixture->cases, 1, FALSE, 7);
  dyno_turn_block_set_limits (fixture->block, 60, 3600);
  if (fixture->seconds_left > 0)
    dyno_turn_block_set_seconds_left (fixture->block, fixture->seconds_left, fixture->prepare_seconds);
  g_signal_connect (fixture->block, "beat", G_CALLBACK (beat_cb), fixture);
  dyno_turn_block_run_async (fixture->block, fixture->cancellable, finished_cb, fixture);
  g_main_loop_run (fixture->loop);
}

static DynoResult *
take_result (Fixture *fixture, guint index)
{
  g_autoptr (GError) error = NULL;
  DynoResult *result = dyno_turn_block_steal_result (fixture->block, index, &error);

  g_assert_no_error (error);
  g_assert_nonnull (result);
  return result;
}

/* The times are those of one clock, so turns of two processes can be put in order. */
static gint64
get_turn (DynoResult *result, guint round)
{
  DynoTrace *turns = dyno_result_get_trace (result, "turns");

  return dyno_trace_get_origin (turns) + dyno_trace_get_times (turns)[round];
}

/* All have a turn in each round, before anyone has the next, and not always in the same order. */
static void
test_rounds (Fixture *fixture, gconstpointer data)
{
  g_autoptr (DynoResult) one = NULL;
  g_autoptr (DynoResult) three = NULL;
  guint n_rounds, n_first = 0;

  add_case (fixture, "", 5);
  add_case (fixture, "repeats=3", 5);
  measure (fixture);
  one = take_result (fixture, 0);
  three = take_result (fixture, 1);
  n_rounds = dyno_turn_block_get_n_rounds (fixture->block);
  g_assert_cmpuint (n_rounds, >=, 10);
  g_assert_cmpuint (dyno_trace_get_length (dyno_result_get_trace (one, "turns")), ==, n_rounds);
  g_assert_cmpuint (dyno_trace_get_length (dyno_result_get_trace (three, "turns")), ==, n_rounds);
  for (guint i = 0; i < n_rounds; i++)
    {
      n_first += get_turn (one, i) < get_turn (three, i);
      if (i > 0)
        g_assert_cmpint (MIN (get_turn (one, i), get_turn (three, i)), >,
                         MAX (get_turn (one, i - 1), get_turn (three, i - 1)));
    }
  g_assert_cmpuint (n_first, >, 0);
  g_assert_cmpuint (n_first, <, n_rounds);
  g_assert_cmpfloat (dyno_result_get_number (three, "latency_p50_ms"), >,
                     2 * dyno_result_get_number (one, "latency_p50_ms"));
  g_assert_cmpfloat (dyno_turn_block_get_fraction (fixture->block), ==, 1);
}

/* Turns end with the time of all sides, even if nothing is precise. */
static void
test_limit (Fixture *fixture, gconstpointer data)
{
  g_autoptr (DynoResult) one = NULL;
  g_autoptr (DynoResult) other = NULL;

  add_case (fixture, "", 0.3);
  add_case (fixture, "repeats=2", 0.3);
  measure (fixture);
  one = take_result (fixture, 0);
  other = take_result (fixture, 1);
  g_assert_cmpuint (dyno_turn_block_get_n_rounds (fixture->block), >=, 1);
  g_assert_cmpuint (dyno_turn_block_get_n_rounds (fixture->block), <, 10);
}

/* Where no time is left when the turns begin, each side has one, and so a number. */
static void
test_no_time_left (Fixture *fixture, gconstpointer data)
{
  g_autoptr (DynoResult) one = NULL;
  g_autoptr (DynoResult) other = NULL;

  add_case (fixture, "", 5);
  add_case (fixture, "repeats=2", 5);
  fixture->seconds_left = 0.001;
  fixture->prepare_seconds = 120;
  measure (fixture);
  one = take_result (fixture, 0);
  other = take_result (fixture, 1);
  g_assert_cmpuint (dyno_turn_block_get_n_rounds (fixture->block), ==, 1);
}

/* A side that is not ready after its share of the time leaves its turns to the others. */
static void
test_late_side (Fixture *fixture, gconstpointer data)
{
  g_autoptr (DynoResult) one = NULL;
  g_autoptr (DynoResult) none = NULL;
  g_autoptr (GError) error = NULL;

  choose_script ("mixed-cards.json");
  add_case (fixture, "", 5);
  g_object_set (fixture->cases->pdata[0], "device", "fast", NULL);
  add_case (fixture, "", 5);
  g_object_set (fixture->cases->pdata[1], "device", "crawls", NULL);
  fixture->seconds_left = 30;
  fixture->prepare_seconds = 12;
  measure (fixture);
  one = take_result (fixture, 0);
  none = dyno_turn_block_steal_result (fixture->block, 1, &error);
  g_assert_null (none);
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_TIMED_OUT);
}

/* When the time to get ready is over, those that have two others before them are left out, and never started. */
static void
test_no_time_to_prepare (Fixture *fixture, gconstpointer data)
{
  g_autoptr (DynoResult) one = NULL;
  g_autoptr (DynoResult) other = NULL;
  g_autoptr (DynoResult) none = NULL;
  g_autoptr (GError) error = NULL;

  add_case (fixture, "", 5);
  add_case (fixture, "repeats=2", 5);
  add_case (fixture, "repeats=3", 5);
  fixture->seconds_left = 200;
  fixture->prepare_seconds = 0.001;
  measure (fixture);
  one = take_result (fixture, 0);
  other = take_result (fixture, 1);
  none = dyno_turn_block_steal_result (fixture->block, 2, &error);
  g_assert_null (none);
  g_assert_no_error (error);
  g_assert_cmpuint (fixture->workers->len, ==, 2);
}

/* A case that cannot be opened leaves its turns to the others. */
static void
test_failed_side (Fixture *fixture, gconstpointer data)
{
  g_autoptr (DynoResult) one = NULL;
  g_autoptr (DynoResult) other = NULL;
  g_autoptr (DynoResult) none = NULL;
  g_autoptr (GError) error = NULL;

  add_case (fixture, "", 5);
  add_case (fixture, "", 5);
  g_object_set (fixture->cases->pdata[1], "device", "nowhere", NULL);
  add_case (fixture, "repeats=2", 5);
  measure (fixture);
  one = take_result (fixture, 0);
  other = take_result (fixture, 2);
  none = dyno_turn_block_steal_result (fixture->block, 1, &error);
  g_assert_null (none);
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND);
  g_assert_cmpuint (dyno_trace_get_length (dyno_result_get_trace (one, "turns")), ==,
                    dyno_trace_get_length (dyno_result_get_trace (other, "turns")));
}

static void
cancel (gpointer data)
{
  Fixture *fixture = data;

  if (fixture->workers->len == 2)
    g_cancellable_cancel (fixture->cancellable);
}

static void
test_cancel (Fixture *fixture, gconstpointer data)
{
  add_case (fixture, "", 5);
  add_case (fixture, "repeats=2", 5);
  fixture->interfere = cancel;
  measure (fixture);
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (dyno_turn_block_steal_result (fixture->block, i, &error));
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
      g_assert_cmpint (dyno_worker_client_read_resident (fixture->workers->pdata[i]), ==, -1);
    }
}

/* Counts the stopped processes that this one started. */
static guint
count_stopped (void)
{
  g_autoptr (GDir) dir = g_dir_open ("/proc", 0, NULL);
  const char *name;
  guint n = 0;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename ("/proc", name, "stat", NULL);
      g_autofree char *text = NULL;
      const char *rest;
      char state;
      int parent;

      if (!g_ascii_isdigit (*name) || !g_file_get_contents (path, &text, NULL, NULL))
        continue;
      rest = strrchr (text, ')');
      if (rest != NULL && sscanf (rest, ") %c %d", &state, &parent) == 2 && parent == getpid ())
        n += state == 'T';
    }
  return n;
}

static void
note_stopped (gpointer data)
{
  Fixture *fixture = data;

  fixture->n_stopped = MAX (fixture->n_stopped, count_stopped ());
}

/* Those who wait do not run, whatever their engines would do meanwhile; there is always one who works. */
static void
test_stopped (Fixture *fixture, gconstpointer data)
{
  add_case (fixture, "", 5);
  add_case (fixture, "repeats=2", 5);
  add_case (fixture, "repeats=3", 5);
  fixture->interfere = note_stopped;
  measure (fixture);
  g_assert_cmpuint (fixture->n_stopped, ==, 2);
}

static void
test_share (void)
{
  static const struct
  {
    double seconds, first_seconds, needed_seconds;
    guint n_waiting, n_ready;
    double took[3];
    double share;
  } rows[] = {
    /* Half, so that one that hangs leaves time for the next; all where there is none. */
    { 30, 54, 45, 5, 0, { 0 }, 27 },
    { -5, 20, 11, 1, 0, { 0 }, 20 },
    /* One number is no comparison yet. */
    { -5, 29, 20, 3, 1, { 25 }, 10 },
    { -5, 29, 20, 1, 1, { 25 }, 20 },
    /* Nothing is left at all. */
    { 0, 5, -1, 3, 1, { 50 }, 0 },
    /* An equal share of all, or as long as the slowest would need three times, within the rest. */
    { 26, 50, 41, 3, 2, { 2, 2 }, 6 },
    { 18, 42, 33, 3, 2, { 4, 8 }, 18 },
    { 20, 44, 35, 2, 3, { 1, 3, 2 }, 9 },
    /* The fastest would not be ready, and would just be. */
    { 1.5, 25, 16, 3, 2, { 4, 2 }, 0 },
    { 2.5, 26, 17, 2, 3, { 2.5, 3, 4 }, 2.5 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      DynoTimeShare share = { .all_seconds = 30,
                              .seconds = rows[i].seconds,
                              .first_seconds = rows[i].first_seconds,
                              .needed_seconds = rows[i].needed_seconds,
                              .n_all = 5,
                              .n_waiting = rows[i].n_waiting };

      for (guint k = 0; k < rows[i].n_ready; k++)
        dyno_time_share_add (&share, rows[i].took[k]);
      g_assert_cmpfloat (dyno_time_share_get (&share), ==, rows[i].share);
    }
}

static void
test_samples (void)
{
  g_assert_cmpuint (dyno_turn_block_choose_samples (0.1), ==, 500);
  g_assert_cmpuint (dyno_turn_block_choose_samples (20), ==, 3);
  g_assert_cmpuint (dyno_turn_block_choose_samples (60), ==, 3);
  g_assert_cmpuint (dyno_turn_block_choose_samples (100), ==, 2);
  g_assert_cmpuint (dyno_turn_block_choose_samples (251), ==, 1);
  g_assert_cmpuint (dyno_turn_block_choose_samples (60000), ==, 1);
  g_assert_cmpuint (dyno_turn_block_choose_samples (1e-9), ==, G_MAXINT);
}

static int
run_suite (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/turn-block/samples", test_samples);
  g_test_add_func ("/turn-block/share", test_share);
  g_test_add ("/turn-block/rounds", Fixture, NULL, set_up, test_rounds, tear_down);
  g_test_add ("/turn-block/limit", Fixture, NULL, set_up, test_limit, tear_down);
  g_test_add ("/turn-block/no-time-left", Fixture, NULL, set_up, test_no_time_left, tear_down);
  g_test_add ("/turn-block/late-side", Fixture, NULL, set_up, test_late_side, tear_down);
  g_test_add ("/turn-block/no-time-to-prepare", Fixture, NULL, set_up, test_no_time_to_prepare, tear_down);
  g_test_add ("/turn-block/failed-side", Fixture, NULL, set_up, test_failed_side, tear_down);
  g_test_add ("/turn-block/stopped", Fixture, NULL, set_up, test_stopped, tear_down);
  g_test_add ("/turn-block/cancel", Fixture, NULL, set_up, test_cancel, tear_down);
  return g_test_run ();
}

SUITE (run_suite)
