/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>
#include <string.h>

#include "dyno-ceiling.h"
#include "dyno-error.h"
#include "dyno-json.h"
#include "dyno-paths.h"
#include "dyno-phase.h"
#include "dyno-runner.h"
#include "dyno-scratch.h"
#include "suite.h"

/* Cases as short as possible: these tests are about events, not about numbers. */
#define METHOD                                                                                               \
  "\"method\": { \"invocations\": 1, \"warmup-steps\": 2, \"warmup-seconds\": 0, \"min-samples\": 10, "      \
  "\"min-seconds\": 0.01,"                                                                                   \
  " \"max-seconds\": 0.2, \"interval-percent\": 50 }"

typedef struct
{
  GMainLoop *loop;
  DynoPlan *plan;
  DynoRunner *runner;
  DynoRun *run;
  GError *error;
  GCancellable *cancellable;
  guint n_live;
  guint n_ceilings;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer script)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "backends", "fixtures", script, NULL);

  g_setenv ("DYNO_FAKE_BACKEND", path, TRUE);
  fixture->loop = g_main_loop_new (NULL, FALSE);
  fixture->cancellable = g_cancellable_new ();
}

/* A thread of a task may hold the last reference a moment longer; a leak would hang here until the time-out. */
static void
wait_until_finalized (Fixture *fixture)
{
  DynoRunner *runner = fixture->runner;

  g_object_add_weak_pointer (G_OBJECT (runner), (gpointer *)&runner);
  g_clear_object (&fixture->runner);
  while (g_atomic_pointer_get (&runner) != NULL)
    {
      g_main_context_iteration (NULL, FALSE);
      g_thread_yield ();
    }
}

static void
tear_down (Fixture *fixture, gconstpointer script)
{
  g_clear_object (&fixture->run);
  wait_until_finalized (fixture);
  g_clear_object (&fixture->plan);
  g_clear_object (&fixture->cancellable);
  g_clear_error (&fixture->error);
  g_main_loop_unref (fixture->loop);
}

static void
finished_cb (GObject *object, GAsyncResult *result, gpointer data)
{
  Fixture *fixture = data;

  fixture->run = dyno_runner_run_finish (DYNO_RUNNER (object), result, &fixture->error);
  g_main_loop_quit (fixture->loop);
}

static void
create_runner_for (Fixture *fixture, const char *method, const char *rest, DynoResultSink *sink)
{
  g_autofree char *json = g_strdup_printf ("{ \"models\": [\"bert-tiny\"], \"backends\": [\"fake\"],"
                                           " \"sequence-lengths\": [8], \"shuffle\": false, %s%s }",
                                           method, rest);

  fixture->plan = dyno_plan_new_from_json (json, &fixture->error);
  g_assert_no_error (fixture->error);
  fixture->runner = dyno_runner_new (fixture->plan, sink);
}

static void
create_runner (Fixture *fixture, const char *rest, DynoResultSink *sink)
{
  create_runner_for (fixture, METHOD, rest, sink);
}

/* A worker tells ten times a second how it gets on, so it does while it measures, even if the machine stands still for two
 * of the three seconds. */
static void
create_long_runner (Fixture *fixture, const char *rest, DynoResultSink *sink)
{
  create_runner_for (fixture,
                     "\"method\": { \"invocations\": 1, \"min-seconds\": 3, \"max-seconds\": 3,"
                     " \"warmup-seconds\": 0 }",
                     rest, sink);
}

/* A sink that remembers ceilings, and how long cases took. */
#define TEST_TYPE_SINK (test_sink_get_type ())
G_DECLARE_FINAL_TYPE (TestSink, test_sink, TEST, SINK, GObject)

struct _TestSink
{
  GObject parent_instance;
  GPtrArray *ceilings;
  double seconds; /* that every case took before */
  gboolean refuses;
};

static gboolean
accept_run (DynoResultSink *sink, DynoRun *run, GError **error)
{
  return TRUE;
}

static gboolean
begin_run (DynoResultSink *sink, DynoRun *run, GError **error)
{
  if (TEST_SINK (sink)->refuses)
    g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA, "It cannot be kept.");
  return !TEST_SINK (sink)->refuses;
}

static gboolean
accept_result (DynoResultSink *sink, DynoRun *run, DynoResult *result, GError **error)
{
  return TRUE;
}

static GPtrArray *
load_ceilings (DynoResultSink *sink, DynoRun *run)
{
  return g_ptr_array_ref (TEST_SINK (sink)->ceilings);
}

static gboolean
save_ceilings (DynoResultSink *sink, DynoRun *run, GPtrArray *ceilings, GError **error)
{
  g_ptr_array_unref (TEST_SINK (sink)->ceilings);
  TEST_SINK (sink)->ceilings = g_ptr_array_ref (ceilings);
  return TRUE;
}

static GHashTable *
load_durations (DynoResultSink *sink, DynoRun *run)
{
  GHashTable *durations = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  GListModel *results = dyno_run_get_results (run);

  for (guint i = 0; i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (results, i);
      g_autoptr (JsonNode) node = dyno_case_to_json (dyno_result_get_case (result));

      DynoCaseDuration *duration = g_new0 (DynoCaseDuration, 1);

      duration->seconds = TEST_SINK (sink)->seconds;
      g_hash_table_insert (durations, dyno_json_text_write (node, FALSE), duration);
    }
  return durations;
}

static void
test_sink_iface_init (DynoResultSinkInterface *iface)
{
  iface->begin_run = begin_run;
  iface->add_result = accept_result;
  iface->end_run = accept_run;
  iface->load_ceilings = load_ceilings;
  iface->save_ceilings = save_ceilings;
  iface->load_durations = load_durations;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (TestSink,
                               test_sink,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (DYNO_TYPE_RESULT_SINK, test_sink_iface_init))

static void
test_sink_finalize (GObject *object)
{
  g_ptr_array_unref (TEST_SINK (object)->ceilings);
  G_OBJECT_CLASS (test_sink_parent_class)->finalize (object);
}

static void
test_sink_class_init (TestSinkClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = test_sink_finalize;
}

static void
test_sink_init (TestSink *self)
{
  self->ceilings = g_ptr_array_new_with_free_func (g_object_unref);
}

static void
run (Fixture *fixture)
{
  dyno_runner_run_async (fixture->runner, fixture->cancellable, finished_cb, fixture);
  g_main_loop_run (fixture->loop);
}

static DynoResult *
get_result (Fixture *fixture, guint index)
{
  g_autoptr (DynoResult) result = g_list_model_get_item (dyno_run_get_results (fixture->run), index);

  g_assert_nonnull (result);
  return result;
}

static void
count_live_cb (Fixture *fixture)
{
  fixture->n_live++;
}

static void
test_measures (Fixture *fixture, gconstpointer script)
{
  DynoResult *result;

  create_runner (fixture, ", \"batch-sizes\": [1, 2]", NULL);
  g_signal_connect_swapped (fixture->runner, "live", G_CALLBACK (count_live_cb), fixture);
  run (fixture);
  g_assert_no_error (fixture->error);
  g_assert_cmpuint (dyno_run_get_n_cases (fixture->run), ==, 2);
  g_assert_cmpuint (dyno_run_get_n_ok (fixture->run), ==, 2);
  g_assert_cmpuint (fixture->n_live, >, 0);
  g_assert_cmpfloat (dyno_runner_get_progress (fixture->runner), ==, 1);
  g_assert_cmpint (dyno_run_get_finished_at (fixture->run), >, dyno_run_get_started_at (fixture->run));

  result = get_result (fixture, 1);
  g_assert_cmpuint (dyno_case_get_batch_size (dyno_result_get_case (result)), ==, 2);
  /* The script makes a step of two items take 300 + 2 × 250 + 16 × 2 µs, and the clock cannot see it faster. */
  g_assert_cmpfloat (dyno_result_get_number (result, "latency_p50_ms"), >=, 0.7);
  g_assert_cmpfloat (dyno_result_get_number (result, "load_time_ms"), >=, 40);
  g_assert_cmpfloat (dyno_result_get_number (result, "memory_peak_mb"), >=, 40);
  g_assert_cmpfloat (dyno_trace_get_length (dyno_result_get_trace (result, "latency")), >,
                     dyno_result_get_number (result, "warm_up_steps"));
  g_assert_cmpuint (dyno_trace_get_length (dyno_result_get_trace (result, "phases")), ==, DYNO_N_PHASES + 1);
  g_assert_cmpuint (dyno_result_get_operators (result)->len, >, 0);
  g_assert_true (isfinite (dyno_result_get_number (result, "flops")));
}

typedef struct
{
  char *phase;
  gint64 time;
} Reading;

static void
clear_reading (gpointer data)
{
  g_free (((Reading *)data)->phase);
}

static void
read_memory_cb (DynoRunner *runner, GArray *readings)
{
  DynoTrace *memory = dyno_runner_get_live_memory (runner);
  gsize length = dyno_trace_get_length (memory);
  Reading reading = { g_strdup (dyno_runner_get_phase (runner)),
                      length > 0 ? dyno_trace_get_times (memory)[length - 1] : -1 };

  /* The process that analyses has a time of its own. */
  if (dyno_runner_is_analysing (runner))
    clear_reading (&reading);
  else
    g_array_append_val (readings, reading);
}

/* The last phase ends before the worker has told what it found. */
static gint64
get_end (DynoResult *result, const char *phase)
{
  DynoTrace *phases = dyno_result_get_trace (result, "phases");

  for (gsize i = 0; i + 2 < dyno_trace_get_length (phases); i++)
    if (g_strcmp0 (dyno_phase_to_string ((DynoPhase)dyno_trace_get_values (phases)[i]), phase) == 0)
      return dyno_trace_get_times (phases)[i + 1];
  return G_MAXINT64;
}

static void
note_usage_cb (DynoRunner *runner, double *highest)
{
  GPtrArray *usage = dyno_runner_get_live_usage (runner);

  for (guint i = 0; i < usage->len; i++)
    {
      DynoTrace *trace = usage->pdata[i];

      g_assert_cmpstr (dyno_trace_get_unit (trace), ==, "%");
      if (g_str_equal (dyno_trace_get_name (trace), "cpu"))
        *highest = MAX (*highest, dyno_trace_get_values (trace)[dyno_trace_get_length (trace) - 1]);
    }
}

/* Readings of a phase are within it, on the clock of the phases; how busy the processors are is among them. */
static void
test_live_clock (Fixture *fixture, gconstpointer script)
{
  g_autoptr (GArray) readings = g_array_new (FALSE, FALSE, sizeof (Reading));
  guint n_measuring = 0;
  double busiest = 0;

  g_array_set_clear_func (readings, clear_reading);
  create_long_runner (fixture, "", NULL);
  g_signal_connect (fixture->runner, "live", G_CALLBACK (read_memory_cb), readings);
  g_signal_connect (fixture->runner, "live", G_CALLBACK (note_usage_cb), &busiest);
  run (fixture);
  for (guint i = 0; i < readings->len; i++)
    {
      const Reading *reading = &g_array_index (readings, Reading, i);

      g_assert_cmpint (reading->time, <=, get_end (get_result (fixture, 0), reading->phase));
      n_measuring += g_str_equal (reading->phase, dyno_phase_to_string (DYNO_PHASE_MEASURE));
    }
  g_assert_cmpuint (n_measuring, >, 0);
  g_assert_cmpfloat (busiest, >, 0);
  g_assert_cmpfloat (busiest, <, 110);
}

static void
note_memory_cb (DynoRunner *runner, double *highest)
{
  DynoTrace *memory = dyno_runner_get_live_memory (runner);

  for (gsize i = 0; i < dyno_trace_get_length (memory); i++)
    *highest = MAX (*highest, dyno_trace_get_values (memory)[i]);
}

/* The memory of a process that works for the worker is seen while it measures, not only in the result. */
static void
test_live_memory (Fixture *fixture, gconstpointer script)
{
  double highest = 0;

  create_long_runner (fixture, "", NULL);
  g_signal_connect (fixture->runner, "live", G_CALLBACK (note_memory_cb), &highest);
  run (fixture);
  g_assert_cmpfloat (dyno_result_get_number (get_result (fixture, 0), "memory_peak_mb"), >, 400);
  g_assert_cmpfloat (highest, >, 400);
}

/* A run of cases, one of which does not succeed. */
typedef struct
{
  const char *path;
  const char *script;
  const char *rest;  /* of the plan */
  double seconds[2]; /* without progress, and for the case; 0 for the usual ones */
  guint n_ok;
  guint index; /* of the case */
  DynoStatus status;
  const char *words[2]; /* of the reason */
} Failure;

static const Failure failures[] = {
  { "crash", "crash.json", .status = DYNO_STATUS_FAILED, .words = { "crashed" } },
  { "kill", "kill.json", .status = DYNO_STATUS_FAILED, .words = { "memory" } },
  { "hang", "hang.json", .seconds = { 1, 3600 }, .status = DYNO_STATUS_FAILED, .words = { "no progress" } },
  { "deadline", "hang.json", .seconds = { 3600, 0.5 }, .status = DYNO_STATUS_FAILED,
    .words = { "deadline" } },
  { "wrong_output", "nan.json", .status = DYNO_STATUS_FAILED, .words = { "finite" } },
  { "fail_on_open", "fail-open.json", .status = DYNO_STATUS_FAILED },
  { "fell_back", "fell-back.json", .status = DYNO_STATUS_FAILED,
    .words = { "The work fell back", "1 × MatMul" } },
  { "others_go_on", "fail-one-case.json", ", \"batch-sizes\": [1, 4, 2]", .n_ok = 2, .index = 1,
    .status = DYNO_STATUS_FAILED, .words = { "4 at once" } },
  { "too_large", "demo.json", ", \"batch-sizes\": [16000000]", .status = DYNO_STATUS_SKIPPED,
    .words = { "GB" } },
};

static void
test_failure (Fixture *fixture, gconstpointer data)
{
  const Failure *row = data;
  const char *reason;

  create_runner (fixture, row->rest != NULL ? row->rest : "", NULL);
  if (row->seconds[0] > 0)
    dyno_runner_set_limits (fixture->runner, row->seconds[0], row->seconds[1]);
  run (fixture);
  g_assert_no_error (fixture->error);
  g_assert_cmpuint (dyno_run_get_n_ok (fixture->run), ==, row->n_ok);
  g_assert_cmpint (dyno_result_get_status (get_result (fixture, row->index)), ==, row->status);
  reason = dyno_result_get_reason (get_result (fixture, row->index));
  g_assert_nonnull (reason);
  g_test_message ("%s", reason);
  for (guint i = 0; i < G_N_ELEMENTS (row->words) && row->words[i] != NULL; i++)
    g_assert_nonnull (strstr (reason, row->words[i]));
}

static void
set_up_failure (Fixture *fixture, gconstpointer data)
{
  set_up (fixture, ((const Failure *)data)->script);
}

/* A feature that the engine lacks is not a failure, and no engine is advised that the same run tries. */
static void
test_unsupported (Fixture *fixture, gconstpointer script)
{
  DynoResult *first, *second;

  create_runner (fixture, ", \"backends\": [\"fake:a\", \"fake:b\"]", NULL);
  run (fixture);
  g_assert_no_error (fixture->error);
  first = get_result (fixture, 0);
  second = get_result (fixture, 1);
  g_test_message ("%s", dyno_result_get_reason (second));
  g_assert_cmpint (dyno_result_get_status (first), ==, DYNO_STATUS_SKIPPED);
  g_assert_cmpint (dyno_result_get_status (second), ==, DYNO_STATUS_SKIPPED);
  g_assert_nonnull (strstr (dyno_result_get_reason (first), "“Frobnicate”"));
  g_assert_null (strstr (dyno_result_get_reason (first), "“fake:b”"));
  g_assert_null (strstr (dyno_result_get_reason (second), "“fake:a”"));
  g_assert_null (strstr (dyno_result_get_reason (second), "“fake:b”"));
}

/* An engine that cannot read the model is not advised with another of its devices. */
static void
test_unreadable (Fixture *fixture, gconstpointer script)
{
  DynoResult *result;

  create_runner (fixture, ", \"backends\": [\"fake:a\"]", NULL);
  run (fixture);
  g_assert_no_error (fixture->error);
  result = get_result (fixture, 0);
  g_test_message ("%s", dyno_result_get_reason (result));
  g_assert_cmpint (dyno_result_get_status (result), ==, DYNO_STATUS_SKIPPED);
  g_assert_nonnull (strstr (dyno_result_get_reason (result), "“Frobnicate”"));
  g_assert_null (strstr (dyno_result_get_reason (result), "“fake:b”"));
}

static void
test_no_worker (Fixture *fixture, gconstpointer script)
{
  g_autofree char *before = g_strdup (g_getenv ("DYNO_LIBEXEC_DIR"));

  g_setenv ("DYNO_LIBEXEC_DIR", "missing", TRUE);
  create_runner (fixture, "", NULL);
  run (fixture);
  g_assert_no_error (fixture->error);
  g_assert_cmpint (dyno_result_get_status (get_result (fixture, 0)), ==, DYNO_STATUS_FAILED);
  g_assert_nonnull (strstr (dyno_result_get_reason (get_result (fixture, 0)), "missing"));
  g_setenv ("DYNO_LIBEXEC_DIR", before, TRUE);
}

/* One card is too small and is not tried; the other one, whose id has colons in it, is what is advised unless it is tried. */
static void
test_device (Fixture *fixture, gconstpointer script)
{
  create_runner (fixture, ", \"backends\": [\"fake:small\"]", NULL);
  run (fixture);
  g_assert_no_error (fixture->error);
  g_assert_cmpint (dyno_result_get_status (get_result (fixture, 0)), ==, DYNO_STATUS_SKIPPED);
  g_test_message ("%s", dyno_result_get_reason (get_result (fixture, 0)));
  g_assert_nonnull (strstr (dyno_result_get_reason (get_result (fixture, 0)), "of weights"));
  g_assert_nonnull (strstr (dyno_result_get_reason (get_result (fixture, 0)), "“fake:0000:65:00.0”"));
}

static void
test_tried_device (Fixture *fixture, gconstpointer script)
{
  create_runner (fixture, ", \"backends\": [\"fake:small\", \"fake:0000:65:00.0\"]", NULL);
  run (fixture);
  g_assert_no_error (fixture->error);
  g_assert_nonnull (strstr (dyno_result_get_reason (get_result (fixture, 0)), "of weights"));
  g_assert_null (strstr (dyno_result_get_reason (get_result (fixture, 0)), "“fake:0000:65:00.0”"));
  g_assert_cmpint (dyno_result_get_status (get_result (fixture, 1)), ==, DYNO_STATUS_OK);
  g_assert_cmpstr (dyno_result_get_device (get_result (fixture, 1)), ==, "Large card");
}

/* What was probed belongs to the record of the machine, each backend once. */
static void
test_record (Fixture *fixture, gconstpointer script)
{
  g_autoptr (JsonNode) machine = NULL;
  JsonArray *backends;
  JsonObject *backend;

  create_runner (fixture, ", \"backends\": [\"fake:small\", \"fake\"]", NULL);
  run (fixture);
  machine = json_from_string (dyno_run_get_machine (fixture->run), NULL);
  backends = json_object_get_array_member (json_node_get_object (machine), "backends");
  g_assert_cmpuint (json_array_get_length (backends), ==, 1);
  backend = json_array_get_object_element (backends, 0);
  g_assert_cmpstr (json_object_get_string_member (backend, "id"), ==, "fake");
  g_assert_cmpstr (json_object_get_string_member (backend, "runtime"), ==, "Fake 1.0");
  g_assert_cmpuint (json_array_get_length (json_object_get_array_member (backend, "devices")), ==, 2);
}

/* The file tells the worker something else than the engine would. */
static void
change_kind_on_file_cb (DynoRunner *runner)
{
  g_autofree char *path = dyno_paths_build (DYNO_PATH_CACHE, "probes", "fake.json", NULL);
  g_autofree char *text = NULL;
  g_autoptr (GString) changed = NULL;

  if (dyno_runner_get_current (runner) == NULL || dyno_runner_is_analysing (runner))
    return;
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  changed = g_string_new (text);
  g_assert_cmpuint (g_string_replace (changed, "discrete-gpu", "integrated-gpu", 0), ==, 1);
  g_assert_true (g_file_set_contents (path, changed->str, -1, NULL));
}

/* Probing takes long, and the processes it starts would disturb the measurement. */
static void
test_worker_asks_no_more (Fixture *fixture, gconstpointer script)
{
  g_autofree char *folder = dyno_scratch_new (&fixture->error);

  g_assert_no_error (fixture->error);
  g_setenv ("DYNO_CACHE_DIR", folder, TRUE);
  create_runner (fixture, "", NULL);
  g_signal_connect (fixture->runner, "notify::current", G_CALLBACK (change_kind_on_file_cb), NULL);
  run (fixture);
  g_unsetenv ("DYNO_CACHE_DIR");
  dyno_scratch_remove (folder);
  g_assert_cmpint (dyno_result_get_status (get_result (fixture, 0)), ==, DYNO_STATUS_OK);
  g_assert_cmpstr (dyno_result_get_device_kind (get_result (fixture, 0)), ==, "integrated-gpu");
}

static void
cancel_second_cb (Fixture *fixture)
{
  DynoResult *current = dyno_runner_get_current (fixture->runner);

  if (current != NULL && dyno_result_get_ordinal (current) == 1)
    g_cancellable_cancel (fixture->cancellable);
}

static void
test_stop (Fixture *fixture, gconstpointer script)
{
  create_runner (fixture, ", \"batch-sizes\": [1, 2, 4]", NULL);
  g_signal_connect_swapped (fixture->runner, "live", G_CALLBACK (cancel_second_cb), fixture);
  run (fixture);
  g_assert_no_error (fixture->error);
  g_assert_cmpint (dyno_result_get_status (get_result (fixture, 0)), ==, DYNO_STATUS_OK);
  g_assert_cmpint (dyno_result_get_status (get_result (fixture, 1)), ==, DYNO_STATUS_CANCELLED);
  g_assert_cmpint (dyno_result_get_status (get_result (fixture, 2)), ==, DYNO_STATUS_CANCELLED);
}

static void
count_ceilings_cb (Fixture *fixture)
{
  fixture->n_ceilings += g_str_equal (dyno_runner_get_phase (fixture->runner), "ceilings");
}

static void
skip_ceilings_cb (Fixture *fixture)
{
  if (g_str_equal (dyno_runner_get_phase (fixture->runner), "ceilings"))
    dyno_runner_skip (fixture->runner);
}

static void
run_with_ceilings (Fixture *fixture, TestSink *sink, GCallback phase_cb)
{
  create_runner (fixture, "", DYNO_RESULT_SINK (sink));
  dyno_runner_set_ceilings (fixture->runner, 0.2);
  g_signal_connect_swapped (fixture->runner, "notify::phase", phase_cb, fixture);
  run (fixture);
  g_assert_cmpint (dyno_result_get_status (get_result (fixture, 0)), ==, DYNO_STATUS_OK);
  g_assert_cmpfloat (dyno_runner_get_progress (fixture->runner), ==, 1);
}

/* Once per machine: the second run finds them. */
static void
test_ceilings (Fixture *fixture, gconstpointer script)
{
  g_autoptr (TestSink) sink = g_object_new (TEST_TYPE_SINK, NULL);

  run_with_ceilings (fixture, sink, G_CALLBACK (count_ceilings_cb));
  g_assert_cmpuint (fixture->n_ceilings, ==, 1);
  if (sink->ceilings->len == 0)
    {
      g_test_skip ("Ceilings cannot be measured on this processor.");
      return;
    }
  g_clear_object (&fixture->run);
  wait_until_finalized (fixture);
  g_clear_object (&fixture->plan);
  run_with_ceilings (fixture, sink, G_CALLBACK (count_ceilings_cb));
  g_assert_cmpuint (fixture->n_ceilings, ==, 1);
}

static void
test_ceilings_skipped (Fixture *fixture, gconstpointer script)
{
  g_autoptr (TestSink) sink = g_object_new (TEST_TYPE_SINK, NULL);

  run_with_ceilings (fixture, sink, G_CALLBACK (skip_ceilings_cb));
  g_assert_cmpuint (sink->ceilings->len, ==, 0);
}

static void
add_roof (TestSink *sink, const char *device, const char *id, DynoCeilingKind kind, const char *word)
{
  gboolean computes = kind == DYNO_CEILING_COMPUTE;

  g_ptr_array_add (sink->ceilings, g_object_new (DYNO_TYPE_CEILING, "id", id, "device", device, "kind", kind,
                                                 computes ? "precision" : "mix", word, "value", 1.0, "best",
                                                 1.0, "unit", computes ? "FLOP/s" : "B/s", NULL));
}

static void
count_again_cb (Fixture *fixture)
{
  fixture->n_ceilings += g_str_equal (dyno_runner_get_phase (fixture->runner), "roofs-again");
}

static double
find_roof (TestSink *sink, const char *id)
{
  for (guint i = 0; i < sink->ceilings->len; i++)
    if (g_str_equal (dyno_ceiling_get_id (sink->ceilings->pdata[i]), id))
      return dyno_ceiling_get_value (sink->ceilings->pdata[i]);
  return NAN;
}

/* Any case exceeds one operation per second: once all cases are over, the roof of their device is measured again, once,
 * and judges them. */
static void
test_roofs_again (Fixture *fixture, gconstpointer script)
{
  g_autoptr (TestSink) sink = g_object_new (TEST_TYPE_SINK, NULL);

  add_roof (sink, "cpu", "fp32-sse", DYNO_CEILING_COMPUTE, "fp32");
  add_roof (sink, "fake:fake0", "fp32-gemm", DYNO_CEILING_COMPUTE, "fp32");
  add_roof (sink, "fake:fake0", "device-copy", DYNO_CEILING_BANDWIDTH, "copy");
  create_runner (fixture, ", \"batch-sizes\": [1, 2]", DYNO_RESULT_SINK (sink));
  dyno_runner_set_ceilings (fixture->runner, 0.2);
  g_signal_connect_swapped (fixture->runner, "notify::phase", G_CALLBACK (count_again_cb), fixture);
  run (fixture);
  g_assert_cmpuint (fixture->n_ceilings, ==, 1);
  g_assert_cmpfloat (find_roof (sink, "fp32-gemm"), >, 1);
  g_assert_nonnull (dyno_runner_get_note (fixture->runner));
  g_assert_cmpfloat (dyno_runner_get_progress (fixture->runner), ==, 1);
  for (guint i = 0; i < 2; i++)
    g_assert_cmpfloat (dyno_result_get_number (get_result (fixture, i), "roof_distance_percent"), <, 1e9);
}

/* Roofs are left alone where a run measures none. */
static void
test_roofs_left (Fixture *fixture, gconstpointer script)
{
  g_autoptr (TestSink) sink = g_object_new (TEST_TYPE_SINK, NULL);

  add_roof (sink, "fake:fake0", "fp32-gemm", DYNO_CEILING_COMPUTE, "fp32");
  add_roof (sink, "fake:fake0", "device-copy", DYNO_CEILING_BANDWIDTH, "copy");
  create_runner (fixture, "", DYNO_RESULT_SINK (sink));
  run (fixture);
  g_assert_nonnull (dyno_result_find_message (get_result (fixture, 0), "above-roof"));
  g_assert_cmpfloat (find_roof (sink, "fp32-gemm"), ==, 1);
  g_assert_null (dyno_runner_get_note (fixture->runner));
}

static void
skip_first_cb (Fixture *fixture)
{
  DynoResult *current = dyno_runner_get_current (fixture->runner);

  if (current != NULL && dyno_result_get_ordinal (current) == 0)
    dyno_runner_skip (fixture->runner);
}

static void
test_skip (Fixture *fixture, gconstpointer script)
{
  create_runner (fixture, ", \"batch-sizes\": [1, 2]", NULL);
  g_signal_connect_swapped (fixture->runner, "live", G_CALLBACK (skip_first_cb), fixture);
  run (fixture);
  g_assert_cmpint (dyno_result_get_status (get_result (fixture, 0)), ==, DYNO_STATUS_SKIPPED);
  g_assert_cmpint (dyno_result_get_status (get_result (fixture, 1)), ==, DYNO_STATUS_OK);
}

static void
skip_prepared_cb (Fixture *fixture)
{
  if (g_str_equal (dyno_runner_get_phase (fixture->runner), "prepare"))
    skip_first_cb (fixture);
}

/* Nothing is started for a case that is skipped while it is looked at. */
static void
test_skip_in_preparation (Fixture *fixture, gconstpointer script)
{
  DynoResult *skipped;

  create_runner (fixture, ", \"batch-sizes\": [1, 2]", NULL);
  g_signal_connect_swapped (fixture->runner, "notify::phase", G_CALLBACK (skip_prepared_cb), fixture);
  run (fixture);
  skipped = get_result (fixture, 0);
  g_assert_cmpint (dyno_result_get_status (skipped), ==, DYNO_STATUS_SKIPPED);
  g_assert_nonnull (strstr (dyno_result_get_reason (skipped), "before it ran"));
  g_assert_cmpuint (dyno_result_get_values (skipped)->len, ==, 0);
  g_assert_cmpint (dyno_result_get_status (get_result (fixture, 1)), ==, DYNO_STATUS_OK);
}

static void
note_waiting_cb (Fixture *fixture)
{
  fixture->n_live += g_str_equal (dyno_runner_get_phase (fixture->runner), "wait");
}

/* The machine may be idle or not: the case is measured either way, and says so if it waited. */
static void
test_wait_quiet (Fixture *fixture, gconstpointer script)
{
  const char *waited;

  create_runner_for (fixture,
                     "\"method\": { \"invocations\": 1, \"min-seconds\": 0.01, \"max-seconds\": 0.5,"
                     " \"warmup-seconds\": 0, \"wait-quiet\": 0.3 }",
                     "", NULL);
  g_signal_connect_swapped (fixture->runner, "notify::phase", G_CALLBACK (note_waiting_cb), fixture);
  run (fixture);
  g_assert_cmpint (dyno_result_get_status (get_result (fixture, 0)), ==, DYNO_STATUS_OK);
  g_assert_cmpuint (fixture->n_live, >, 0);
  waited = dyno_result_find_message (get_result (fixture, 0), "waited");
  if (dyno_result_find_message (get_result (fixture, 0), "machine-load") != NULL)
    g_assert_nonnull (waited);
  if (waited != NULL)
    g_test_message ("%s", waited);
}

/* Whether it was granted or not, a note says so; an unknown one fails the case. */
static void
test_priority (Fixture *fixture, gconstpointer script)
{
  create_runner_for (fixture,
                     "\"method\": { \"invocations\": 1, \"min-seconds\": 0.01, \"max-seconds\": 0.5,"
                     " \"warmup-seconds\": 0, \"priority\": \"high\" }",
                     "", NULL);
  run (fixture);
  g_assert_cmpint (dyno_result_get_status (get_result (fixture, 0)), ==, DYNO_STATUS_OK);
  g_assert_nonnull (dyno_result_find_message (get_result (fixture, 0), "priority"));
}

static void
test_unknown_priority (Fixture *fixture, gconstpointer script)
{
  create_runner_for (fixture, "\"method\": { \"priority\": \"highest\" }", "", NULL);
  run (fixture);
  g_assert_cmpint (dyno_result_get_status (get_result (fixture, 0)), ==, DYNO_STATUS_FAILED);
  g_assert_nonnull (strstr (dyno_result_get_reason (get_result (fixture, 0)), "“normal” or “high”"));
}

static void
assert_advice (Fixture *fixture, guint index, const char *device, gboolean is_named)
{
  DynoResult *result = get_result (fixture, index);

  g_test_message ("%s", dyno_result_get_reason (result));
  g_assert_cmpint (dyno_result_get_status (result), ==, DYNO_STATUS_SKIPPED);
  g_assert_cmpint (strstr (dyno_result_get_reason (result), device) != NULL, ==, is_named);
}

/* A device that the run tries is not advised, however its own case ended. */
static void
test_size_and_advice (Fixture *fixture, gconstpointer script)
{
  create_runner (fixture,
                 ", \"backends\": [\"fake:large\", \"fake:small\"], \"batch-sizes\": [16000000, 4, 2]", NULL);
  run (fixture);
  g_assert_cmpint (dyno_result_get_status (get_result (fixture, 0)), ==, DYNO_STATUS_SKIPPED);
  g_assert_cmpint (dyno_result_get_status (get_result (fixture, 1)), ==, DYNO_STATUS_FAILED);
  g_assert_cmpint (dyno_result_get_status (get_result (fixture, 2)), ==, DYNO_STATUS_OK);
  for (guint i = 3; i < 6; i++)
    assert_advice (fixture, i, "“fake:large”", FALSE);
}

typedef struct
{
  Fixture *fixture;
  double first;
  gboolean has_grown;
} Estimate;

static void
watch_estimate_cb (Estimate *estimate)
{
  DynoRunner *runner = estimate->fixture->runner;
  DynoResult *current = dyno_runner_get_current (runner);
  double left = dyno_runner_get_seconds_left (runner);

  if (estimate->first < 0)
    estimate->first = left;
  estimate->has_grown = dyno_result_get_ordinal (current) == 0 && left > estimate->first;
  if (estimate->has_grown || dyno_result_get_ordinal (current) > 0)
    g_cancellable_cancel (estimate->fixture->cancellable);
}

/* If the first case takes longer than expected, so will the later ones. */
static void
test_estimate (Fixture *fixture, gconstpointer script)
{
  Estimate estimate = { fixture, -1, FALSE };

  create_runner (fixture, ", \"batch-sizes\": [1, 2, 3, 4, 5, 6, 7, 8]", NULL);
  dyno_runner_set_limits (fixture->runner, 20, 3600);
  g_signal_connect_swapped (fixture->runner, "live", G_CALLBACK (watch_estimate_cb), &estimate);
  run (fixture);
  g_assert_true (estimate.has_grown);
}

typedef struct
{
  DynoRunner *runner;
  double last;
  double measured; /* progress while the first case was measured */
} Progress;

static void
watch_progress_cb (Progress *progress)
{
  double now = dyno_runner_get_progress (progress->runner);

  g_assert_cmpfloat (now, >=, progress->last);
  g_assert_cmpfloat (now, <=, 1);
  progress->last = now;
}

static void
watch_phases_cb (Progress *progress)
{
  DynoResult *current = dyno_runner_get_current (progress->runner);
  const char *phase = dyno_runner_get_phase (progress->runner);

  if (current == NULL || dyno_result_get_ordinal (current) > 0)
    return;
  if (g_str_equal (phase, "measure"))
    progress->measured = dyno_runner_get_progress (progress->runner);
}

/* It moves inside a case, and never back, whatever the clock says: this one was thought to take an hour. */
static void
test_progress (Fixture *fixture, gconstpointer script)
{
  TestSink *sink = g_object_new (TEST_TYPE_SINK, NULL);
  Progress progress = { NULL, 0, 0 };

  sink->seconds = 3599;
  create_long_runner (fixture, ", \"batch-sizes\": [1, 2]", DYNO_RESULT_SINK (sink));
  progress.runner = fixture->runner;
  g_signal_connect_swapped (fixture->runner, "notify::progress", G_CALLBACK (watch_progress_cb), &progress);
  g_signal_connect_swapped (fixture->runner, "live", G_CALLBACK (watch_phases_cb), &progress);
  run (fixture);
  g_assert_cmpfloat (progress.measured, >, 0.2);
  g_assert_cmpfloat (progress.last, ==, 1);
  /* Starting a process is not part of what the sink remembers. */
  for (guint i = 0; i < 2; i++)
    g_assert_cmpfloat_with_epsilon (
        dyno_case_get_expected_seconds (dyno_result_get_case (get_result (fixture, i))), 3599.5, 0.5);
  g_object_unref (sink);
}

static gboolean
resume_cb (gpointer data)
{
  Fixture *fixture = data;

  g_assert_null (fixture->run);
  dyno_runner_set_paused (fixture->runner, FALSE);
  return G_SOURCE_REMOVE;
}

/* Between two cases, paused: nothing is current, and the next one is still pending. */
static void
pause_cb (Fixture *fixture)
{
  DynoResult *current = dyno_runner_get_current (fixture->runner);

  if (current != NULL && dyno_result_get_ordinal (current) == 0)
    dyno_runner_set_paused (fixture->runner, TRUE);
  else if (dyno_runner_get_paused (fixture->runner))
    g_idle_add (resume_cb, fixture);
}

static void
test_pause (Fixture *fixture, gconstpointer script)
{
  create_runner (fixture, ", \"batch-sizes\": [1, 2]", NULL);
  g_signal_connect_swapped (fixture->runner, "notify::current", G_CALLBACK (pause_cb), fixture);
  run (fixture);
  g_assert_cmpuint (dyno_run_get_n_ok (fixture->run), ==, 2);
}

static void
stop_when_waiting_cb (Fixture *fixture)
{
  if (dyno_runner_get_current (fixture->runner) != NULL)
    dyno_runner_set_paused (fixture->runner, TRUE);
  else
    g_cancellable_cancel (fixture->cancellable);
}

static void
test_stop_while_paused (Fixture *fixture, gconstpointer script)
{
  create_runner (fixture, ", \"batch-sizes\": [1, 2]", NULL);
  g_signal_connect_swapped (fixture->runner, "notify::current", G_CALLBACK (stop_when_waiting_cb), fixture);
  run (fixture);
  g_assert_cmpint (dyno_result_get_status (get_result (fixture, 0)), ==, DYNO_STATUS_OK);
  g_assert_cmpint (dyno_result_get_status (get_result (fixture, 1)), ==, DYNO_STATUS_CANCELLED);
}

static void
test_order (Fixture *fixture, gconstpointer script)
{
  guint n_moved = 0;

  create_runner (fixture, ", \"batch-sizes\": [1, 2, 3, 4, 5, 6, 7, 8]", NULL);
  g_object_set (fixture->plan, "shuffle", TRUE, "seed", (guint64)3, NULL);
  g_signal_connect_swapped (fixture->runner, "notify::run", G_CALLBACK (g_cancellable_cancel),
                            fixture->cancellable);
  run (fixture);
  for (guint i = 0; i < 8; i++)
    if (dyno_result_get_ordinal (get_result (fixture, i)) != i)
      n_moved++;
  g_assert_cmpuint (n_moved, >, 0);
}

static void
test_bad_plan (Fixture *fixture, gconstpointer script)
{
  create_runner (fixture, ", \"batch-sizes\": [0]", NULL);
  run (fixture);
  g_assert_null (fixture->run);
  g_assert_error (fixture->error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT);
}

/* A run that can never be kept is not measured. */
static void
test_refused (Fixture *fixture, gconstpointer script)
{
  g_autoptr (TestSink) sink = g_object_new (TEST_TYPE_SINK, NULL);

  sink->refuses = TRUE;
  create_runner (fixture, "", DYNO_RESULT_SINK (sink));
  run (fixture);
  g_assert_null (fixture->run);
  g_assert_null (dyno_runner_get_run (fixture->runner));
  g_assert_error (fixture->error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA);
}

#define ADD(name, script) g_test_add ("/runner/" #name, Fixture, script, set_up, test_##name, tear_down)

static int
run_suite (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  ADD (measures, "demo.json");
  ADD (live_clock, "demo-small.json");
  ADD (wait_quiet, "demo-small.json");
  ADD (priority, "demo-small.json");
  ADD (unsupported, "unsupported.json");
  ADD (unreadable, "unreadable.json");
  ADD (no_worker, "demo-small.json");
  ADD (device, "two-cards.json");
  ADD (record, "two-cards.json");
  ADD (stop, "demo-small.json");
  ADD (skip, "demo-small.json");
  ADD (progress, "demo-small.json");
  ADD (ceilings, "demo-small.json");
  ADD (roofs_again, "demo-small.json");
  ADD (size_and_advice, "two-cards-fail-large.json");
  ADD (pause, "demo-small.json");
  ADD (order, "demo-small.json");
  ADD (bad_plan, "demo-small.json");
  ADD (refused, "demo-small.json");
  if (suite_is_thorough ())
    {
      ADD (live_memory, "remote.json");
      ADD (unknown_priority, "demo-small.json");
      ADD (tried_device, "two-cards.json");
      ADD (worker_asks_no_more, "hesitating.json");
      ADD (skip_in_preparation, "demo-small.json");
      ADD (ceilings_skipped, "demo-small.json");
      ADD (roofs_left, "demo-small.json");
      ADD (estimate, "hang.json");
      ADD (stop_while_paused, "demo-small.json");
    }
  for (guint i = 0; i < G_N_ELEMENTS (failures); i++)
    {
      g_autofree char *path = g_strconcat ("/runner/", failures[i].path, NULL);

      g_test_add (path, Fixture, &failures[i], set_up_failure, test_failure, tear_down);
    }
  return g_test_run ();
}

SUITE (run_suite)
