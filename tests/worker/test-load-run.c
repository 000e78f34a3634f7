/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gstdio.h>

#include "dyno-backend.h"
#include "dyno-error.h"
#include "dyno-pinning.h"
#include "dyno-scratch.h"
#include "dyno-stats.h"
#include "dyno-worker-private.h"
#include "engines.h"
#include "suite.h"

/* Numbers are those of a busy machine: what is asserted of them is what the script of the server makes of them, widely. */
static char *folder;
static guint n_processors; /* before a test pins this process */

static void
write_script (const char *text)
{
  g_autofree char *path = g_build_filename (folder, "script.json", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_true (g_file_set_contents (path, text, -1, &error));
  g_assert_no_error (error);
}

static DynoResult *
measure_on (const char *backend, const char *model, const char *load, double seconds, GError **error)
{
  g_autoptr (DynoMethod) method = dyno_method_new ();
  g_autoptr (DynoCase) kase = NULL;
  g_autoptr (DynoMeasurer) measurer = NULL;

  g_object_set (method, "invocations", 1, "warmup-steps", 2, "warmup-seconds", 0.02, "min-samples", 10,
                "min-seconds", seconds, "max-seconds", seconds, "idle-seconds", 0.0, NULL);
  kase = g_object_new (DYNO_TYPE_CASE, "model", model, "backend", backend, "sequence-length", 8, "threads", 1,
                       "load", load, "method", method, NULL);
  measurer = dyno_measurer_new (kase, 0, TRUE);
  return dyno_measurer_run (measurer, error);
}

static DynoResult *
measure (const char *load, double seconds)
{
  g_autoptr (GError) error = NULL;
  DynoResult *result = measure_on ("fake", "gpt2", load, seconds, &error);

  g_assert_no_error (error);
  return result;
}

static double
get (DynoResult *result, const char *name)
{
  double number = dyno_result_get_number (result, name);

  g_test_message ("%s %s: %g", dyno_case_get_load (dyno_result_get_case (result)), name, number);
  return number;
}

/* A machine that stands still shows in the longest latency: then it is measured again, and the test left out where it never
 * runs through. */
static DynoResult *
measure_undisturbed (const char *load, double longest_ms)
{
  for (guint i = 0; i < 20; i++)
    {
      g_autoptr (DynoResult) result = measure (load, 0.5);

      if (get (result, "latency_max_ms") <= longest_ms)
        return g_steal_pointer (&result);
    }
  g_test_skip ("This machine stood still in each of 20 measurements.");
  return NULL;
}

/* A window may begin right before an answer, and then has one more than its length allows. */
static void
assert_throughput_at_most (DynoResult *result, double most)
{
  g_assert_cmpfloat (get (result, "throughput_items_per_sec"), <=,
                     1.01 * most * (1 + 1 / get (result, "latency_samples")));
}

/* One server for all clients: each waits for the others, and Little's law holds. */
static void
test_one_slot (void)
{
  write_script ("{\"latency\": {\"base_us\": 2000}}");
  for (guint n = 1; n <= 4; n *= 2)
    {
      g_autofree char *load = g_strdup_printf ("concurrent=%u", n);
      g_autoptr (DynoResult) result = measure_undisturbed (load, 50);
      double throughput;

      if (result == NULL)
        return;
      throughput = get (result, "throughput_items_per_sec");
      assert_throughput_at_most (result, 500);
      g_assert_cmpfloat (get (result, "latency_mean_ms"), >=, 1.9 * n);
      g_assert_cmpfloat_with_epsilon (throughput * get (result, "latency_mean_ms") / 1000 / n, 1, 0.15);
      g_assert_cmpfloat (get (result, "load_clients"), ==, n);
    }
}

/* What waits for each other answers 200 requests in a second at most, on any machine; what does not answers more on one that
 * lets it, sooner or later. */
static void
assert_overlap (const char *load)
{
  for (guint i = 0; i < 20; i++)
    {
      g_autoptr (DynoResult) result = measure (load, 0.5);

      if (get (result, "latency_samples") >= 100 && get (result, "throughput_items_per_sec") > 250)
        return;
    }
  g_test_fail_printf ("%s: clients wait for each other", load);
}

/* With a slot for each, clients do not wait for each other; nor do they with a session for each. */
static void
test_several_slots (void)
{
  g_autoptr (DynoResult) alone = NULL;

  write_script ("{\"latency\": {\"base_us\": 5000}}");
  alone = measure_undisturbed ("concurrent=4", 100);
  if (alone != NULL)
    assert_throughput_at_most (alone, 200);
  assert_overlap ("concurrent=4 sessions=own");
  write_script ("{\"latency\": {\"base_us\": 5000}, \"slots\": 4}");
  assert_overlap ("concurrent=4");
}

/* How many processors the work had. */
static guint
count_processors (DynoResult *result)
{
  g_autofree char *placement = dyno_pinning_describe ();
  const char *work = g_str_has_prefix (placement, "work ") ? placement + strlen ("work ") : placement;
  char *end = NULL;
  guint64 first = g_ascii_strtoull (work, &end, 10), last = first;

  g_test_message ("%s: %s", dyno_case_get_load (dyno_result_get_case (result)), placement);
  if (*end == '-')
    last = g_ascii_strtoull (end + 1, NULL, 10);
  return (guint)(last - first) + 1 + (*end == ',' && g_ascii_isdigit (end[1]));
}

static void
check_processors (const char *load, guint expected)
{
  g_autoptr (DynoResult) result = NULL;

  write_script ("{\"latency\": {\"base_us\": 1000}, \"slots\": 2}");
  result = measure (load, 0.1);
  g_assert_cmpuint (count_processors (result), ==, expected);
}

static void
test_processors_alone (void)
{
  check_processors ("concurrent=1", 1);
}

static void
test_processors_together (void)
{
  check_processors ("concurrent=2", 2);
}

/* Clients that do not wait for each other have processors of their own, as far as there are any. A process that was pinned
 * once sees no others, so each measurement has a process, as in a run, and comes before the others here. */
static void
test_processors (void)
{
  if (n_processors < 2)
    {
      g_test_skip ("There is one processor.");
      return;
    }
  g_test_trap_subprocess ("/load-run/processors/subprocess/alone", 0, G_TEST_SUBPROCESS_DEFAULT);
  g_test_trap_assert_passed ();
  g_test_trap_subprocess ("/load-run/processors/subprocess/together", 0, G_TEST_SUBPROCESS_DEFAULT);
  g_test_trap_assert_passed ();
}

/* A query is over when the last of its requests is. */
static void
test_rounds (void)
{
  g_autoptr (DynoResult) result = NULL;

  write_script ("{\"latency\": {\"base_us\": 2000}}");
  result = measure_undisturbed ("multi=3", 50);
  if (result == NULL)
    return;
  g_assert_cmpfloat (get (result, "latency_min_ms"), >=, 5.9);
  /* Between two rounds nothing is under way. */
  g_assert_cmpfloat (get (result, "throughput_items_per_sec") * get (result, "latency_mean_ms") / 1000, <=,
                     3.2);
  g_assert_cmpfloat (get (result, "throughput_items_per_sec") * get (result, "latency_mean_ms") / 1000, >, 1);
}

static void
test_offline (void)
{
  g_autoptr (DynoResult) result = NULL;
  double busy_ms;

  write_script ("{\"latency\": {\"base_us\": 2000}}");
  result = measure ("offline", 0.2);
  g_assert_cmpfloat (get (result, "latency_samples"), >=, 24);
  busy_ms = 1.9 * get (result, "latency_samples");
  g_assert_cmpfloat (get (result, "latency_max_ms"), >=, busy_ms);
  g_assert_cmpfloat_with_epsilon (get (result, "last_answer_ms"), get (result, "latency_max_ms"), 1e-6);
  g_assert_cmpfloat (get (result, "client_idle_percent"), >=, 0);
  g_assert_cmpfloat (get (result, "client_idle_percent"), <=,
                     100 * (1 - busy_ms / get (result, "last_answer_ms")));
}

static double
get_percentile (DynoTrace *trace, double percent)
{
  gsize n = dyno_trace_get_length (trace);
  g_autofree double *values = g_memdup2 (dyno_trace_get_values (trace), n * sizeof (double));

  dyno_stats_sort (values, n);
  return dyno_stats_percentile (values, n, percent);
}

/* Whoever comes while the server stands still waits, though each request is served as fast as ever: of a server that stops
 * for a twentieth of the time, one request in a hundred waits for 92 ms or longer, and one in two hundred for 96, by theory:
 * the wait falls from 100 ms by 0.4 ms in each ms of a stop. By the traces, which are there even where a busy machine cannot
 * keep the rate. */
static void
test_stall (void)
{
  g_autoptr (DynoResult) result = NULL;
  DynoTrace *latency, *queue;

  write_script ("{\"latency\": {\"base_us\": 1000, \"stall_every_ms\": 2000, \"stall_ms\": 100}}");
  result = measure ("rate=600/s clients=1", 4);
  latency = dyno_result_get_trace (result, "latency");
  queue = dyno_result_get_trace (result, "queue");
  g_assert_nonnull (latency);
  g_assert_nonnull (queue);
  g_assert_cmpfloat (get_percentile (latency, 99.5), >=, 90);
  g_assert_cmpfloat (get_percentile (latency, 99), >=, 80);
  g_assert_cmpfloat (get_percentile (queue, 99.5), >=, 85);
  g_assert_cmpfloat (get_percentile (queue, 99), >=, 75);
  g_assert_cmpfloat (get_percentile (latency, 50) - get_percentile (queue, 50), <, 20);
  g_assert_nonnull (dyno_result_get_trace (result, "lateness"));
}

/* A rate that nobody can bear gives a throughput, and no latency. */
static void
test_overload (void)
{
  g_autoptr (DynoResult) result = NULL;

  write_script ("{\"latency\": {\"base_us\": 10000}}");
  result = measure ("rate=400/s p90=20ms", 0.5);
  g_assert_nonnull (dyno_result_find_message (result, "overloaded"));
  g_assert_cmpfloat (get (result, "throughput_items_per_sec"), <=, 110);
  g_assert_false (dyno_value_is_number (dyno_result_get_value (result, "latency_p50_ms")));
  g_assert_cmpfloat (get (result, "goodput_percent"), <, 50);
}

/* The capacity first, then rates up to it, then what is between the largest that is kept and the next. */
static void
test_search (void)
{
  g_autoptr (DynoResult) result = NULL;
  DynoTrace *rates;
  double capacity;
  guint n_tries = 0;

  write_script ("{\"latency\": {\"base_us\": 2000}, \"slots\": 2}");
  /* A machine that stands still leaves next to no requests to tell it from. */
  do
    {
      g_clear_object (&result);
      result = measure ("rate=auto p90=1s", 0.2);
      capacity = get (result, "capacity_items_per_sec");
      n_tries++;
    }
  while ((capacity <= 100 || capacity > 1050) && n_tries < 10);
  g_assert_cmpfloat (capacity, >, 100);
  g_assert_cmpfloat (capacity, <=, 1050);
  rates = dyno_result_get_trace (result, "load_rate");
  g_assert_nonnull (rates);
  g_assert_cmpuint (dyno_trace_get_length (rates), >=, 12);
  g_assert_cmpfloat (dyno_trace_get_values (rates)[0], ==, 0);
  g_assert_nonnull (dyno_result_get_value (result, "load_rate_best"));
}

/* What sits behind a wire cannot be under load, and says so. */
static void
test_wire (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoResult) result = NULL;

  write_script ("{\"remote\": {\"wire_us\": 10}}");
  result = measure_on ("fake", "gpt2", "concurrent=2", 0.1, &error);
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED);
  g_assert_null (result);
}

static void
test_failure (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoResult) result = NULL;

  write_script ("{\"faults\": [{\"kind\": \"fail\", \"run\": 50, \"message\": \"It broke.\"}]}");
  result = measure_on ("fake", "gpt2", "concurrent=2", 0.3, &error);
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_FAILED);
  g_assert_nonnull (strstr (error->message, "It broke."));
}

/* A real engine runs lanes of one session at the same time, and answers as it does alone. */
static void
test_engine (gconstpointer id)
{
  DynoBackend *backend = dyno_backend_lookup (id, NULL);
  g_autoptr (DynoProbe) probe = dyno_backend_probe (backend, NULL);
  g_autofree char *model = g_test_build_filename (G_TEST_DIST, "backends", "fixtures", "affine.onnx", NULL);
  static const char *const loads[] = { "concurrent=2", "concurrent=2 sessions=own", "multi=2",
                                       "rate=200/s clients=2" };

  if (dyno_probe_get_state (probe) != DYNO_PROBE_AVAILABLE)
    {
      skip_without_engine (id, dyno_probe_get_reason (probe));
      return;
    }
  for (guint i = 0; i < G_N_ELEMENTS (loads); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (DynoResult) result = measure_on (id, model, loads[i], 0.2, &error);

      g_assert_no_error (error);
      g_assert_cmpfloat (get (result, "latency_samples"), >, 0);
      g_assert_cmpfloat (get (result, "throughput_items_per_sec"), >=, 0);
    }
}

static int
run_suite (int argc, char *argv[])
{
  g_autofree char *script = NULL;
  int status;

  g_test_init (&argc, &argv, NULL);
  folder = dyno_scratch_new (NULL);
  script = g_build_filename (folder, "script.json", NULL);
  g_setenv ("DYNO_FAKE_BACKEND", script, TRUE);
  write_script ("{}");
  n_processors = g_get_num_processors ();

  g_test_add_func ("/load-run/processors", test_processors);
  g_test_add_func ("/load-run/processors/subprocess/alone", test_processors_alone);
  g_test_add_func ("/load-run/processors/subprocess/together", test_processors_together);
  g_test_add_func ("/load-run/one-slot", test_one_slot);
  g_test_add_func ("/load-run/several-slots", test_several_slots);
  g_test_add_func ("/load-run/rounds", test_rounds);
  g_test_add_func ("/load-run/offline", test_offline);
  g_test_add_func ("/load-run/stall", test_stall);
  g_test_add_func ("/load-run/overload", test_overload);
  g_test_add_func ("/load-run/search", test_search);
  g_test_add_func ("/load-run/wire", test_wire);
  g_test_add_func ("/load-run/failure", test_failure);
  g_test_add_data_func ("/load-run/engine/cpu", "cpu", test_engine);
  g_test_add_data_func ("/load-run/engine/openvino", "openvino", test_engine);

  status = g_test_run ();
  dyno_scratch_remove (folder);
  g_free (folder);
  return status;
}

SUITE (run_suite)
