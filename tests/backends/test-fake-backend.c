/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "dyno-backend.h"
#include "dyno-error.h"
#include "suite.h"

static char *
build_fixture (const char *name)
{
  return g_test_build_filename (G_TEST_DIST, "backends", "fixtures", name, NULL);
}

/* The script is read again whenever something is opened. */
static DynoBackend *
play (const char *script_name)
{
  g_autofree char *script = build_fixture (script_name);

  g_setenv ("DYNO_FAKE_BACKEND", script, TRUE);
  return dyno_backend_lookup ("fake", NULL);
}

static DynoSession *
open_script (const char *script_name, const char *device, gboolean profile, GError **error)
{
  DynoSessionOptions options = { .device = device, .precision = "fp32", .threads = 1, .profile = profile };

  return dyno_backend_open (play (script_name), "any.onnx", &options, error);
}

static DynoSession *
open_script_or_fail (const char *script_name, const char *device, gboolean profile)
{
  g_autoptr (GError) error = NULL;
  DynoSession *session = open_script (script_name, device, profile, &error);

  g_assert_no_error (error);
  return session;
}

static void
set_batch (DynoSession *session, guint slot, gint64 batch_size, gint64 sequence_length)
{
  DynoShape shape = { DYNO_DATA_TYPE_INT64, 2, { batch_size, sequence_length } };
  g_autoptr (GPtrArray) tensors = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_tensor_unref);
  g_autoptr (GError) error = NULL;

  g_ptr_array_add (tensors, dyno_tensor_new ("input_ids", &shape));
  dyno_session_set_inputs (session, slot, tensors, &error);
  g_assert_no_error (error);
}

/* Runs until an error, at most @n_runs times; returns the number of successful runs. */
static guint
run (DynoSession *session, guint n_runs, GError **error)
{
  guint n_done = 0;

  while (n_done < n_runs && dyno_session_run (session, error))
    n_done++;
  return n_done;
}

static void
test_probe (void)
{
  g_autoptr (DynoProbe) probe = dyno_backend_probe (play ("demo.json"), NULL);
  g_autoptr (DynoDevice) device = g_list_model_get_item (dyno_probe_get_devices (probe), 1);

  g_assert_cmpint (dyno_probe_get_state (probe), ==, DYNO_PROBE_AVAILABLE);
  g_assert_cmpstr (dyno_probe_get_runtime (probe), ==, "Fake 1.0");
  g_assert_cmpstr (dyno_device_get_id (device), ==, "fake1");
  g_assert_cmpstr (dyno_device_get_driver (device), ==, "fake 1.0");
  g_assert_cmpint (dyno_device_get_memory (device), ==, G_GINT64_CONSTANT (4000000000));
}

static void
test_broken_script (void)
{
  g_autoptr (DynoProbe) probe = dyno_backend_probe (play ("make-models.py"), NULL);
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (dyno_probe_get_state (probe), ==, DYNO_PROBE_UNSUPPORTED);
  g_assert_nonnull (strstr (dyno_probe_get_reason (probe), "make-models.py"));
  g_assert_null (open_script ("make-models.py", NULL, FALSE, &error));
  g_assert_nonnull (error);
}

/* It takes real time: never less than in the script, apart from noise. */
static void
test_takes_time (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoSession) session = open_script_or_fail ("demo.json", "fake1", FALSE);
  gint64 start_us, end_us;

  set_batch (session, 0, 2, 16);
  start_us = g_get_monotonic_time ();
  g_assert_cmpuint (run (session, 5, &error), ==, 5);
  end_us = g_get_monotonic_time ();
  g_assert_cmpint (end_us - start_us, >=, (gint64)(5 * 2 * (300 + 2 * 250 + 32 * 2) * 0.9));
}

static void
test_unknown_device (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (open_script ("demo.json", "fake9", FALSE, &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND);
}

static void
test_outputs (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoSession) session = open_script_or_fail ("demo.json", NULL, FALSE);
  g_autoptr (GPtrArray) outputs = NULL;
  const float *numbers;

  set_batch (session, 0, 3, 16);
  g_assert_cmpuint (run (session, 1, &error), ==, 1);
  outputs = dyno_session_get_outputs (session, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (outputs->len, ==, 1);
  g_assert_cmpstr (dyno_tensor_get_name (outputs->pdata[0]), ==, "logits");
  g_assert_cmpint (dyno_tensor_get_shape (outputs->pdata[0])->dims[0], ==, 3);
  g_assert_cmpint (dyno_tensor_get_shape (outputs->pdata[0])->dims[1], ==, 1000);
  numbers = dyno_tensor_get_data (outputs->pdata[0]);
  for (guint i = 0; i < 3000; i++)
    g_assert_true (isfinite (numbers[i]));
}

static void
test_not_a_number (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoSession) session = open_script_or_fail ("nan.json", NULL, FALSE);
  g_autoptr (GPtrArray) outputs = NULL;

  set_batch (session, 0, 1, 1);
  g_assert_cmpuint (run (session, 1, &error), ==, 1);
  outputs = dyno_session_get_outputs (session, &error);
  g_assert_true (isnan (*(const float *)dyno_tensor_get_data (outputs->pdata[0])));
}

static void
test_profile (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoSession) session = open_script_or_fail ("demo.json", NULL, TRUE);
  g_autoptr (GPtrArray) nodes = NULL;
  const DynoNodeProfile *node;
  const DynoShape *shape;

  set_batch (session, 0, 2, 16);
  g_assert_cmpuint (run (session, 3, &error), ==, 3);
  nodes = dyno_session_end_profile (session, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (nodes->len, ==, 4);
  node = nodes->pdata[1];
  g_assert_cmpstr (node->op_type, ==, "MatMul");
  g_assert_cmpstr (node->provider, ==, dyno_session_get_provider (session));
  g_assert_cmpint (node->calls, ==, 2); /* the first of three runs is left out */
  g_assert_cmpint (node->time_ns, >, 0);
  shape = &g_array_index (node->inputs, DynoShape, 0);
  g_assert_cmpint (shape->dims[0], ==, 2);
  g_assert_cmpint (shape->dims[1], ==, 16);
  g_assert_cmpint (shape->dims[2], ==, 768);
}

static void
test_allocator_stats (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoSession) session = open_script_or_fail ("demo.json", NULL, FALSE);
  DynoAllocatorStats stats;

  g_assert_true (dyno_session_get_allocator_stats (session, &stats));
  g_assert_cmpint (stats.in_use, ==, 40000000);
  set_batch (session, 0, 2, 1);
  g_assert_cmpuint (run (session, 1, &error), ==, 1);
  g_assert_true (dyno_session_get_allocator_stats (session, &stats));
  g_assert_cmpint (stats.in_use, ==, 54000000);
  g_assert_cmpint (stats.held, ==, 67500000);
}

static void
test_fail_to_open (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (open_script ("fail-open.json", NULL, FALSE, &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_FAILED);
}

/* Runs that end with an error after @n_runs. */
static const struct
{
  const char *path;
  const char *script;
  gint64 batches[2]; /* in turn */
  guint n_runs;
  DynoError code;
  const char *message; /* if the script has one */
} failures[] = {
  { "/fake-backend/fail", "fail.json", { 1 }, 4, DYNO_ERROR_FAILED, "The fake device was unplugged." },
  { "/fake-backend/fail-one-case", "fail-one-case.json", { 1, 4 }, 1, DYNO_ERROR_FAILED, NULL },
  { "/fake-backend/out-of-memory", "oom.json", { 1 }, 0, DYNO_ERROR_OUT_OF_MEMORY, NULL },
};

static void
test_fail (gconstpointer data)
{
  guint row = GPOINTER_TO_UINT (data);
  g_autoptr (DynoSession) session = open_script_or_fail (failures[row].script, NULL, FALSE);
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < 2 && failures[row].batches[i] > 0; i++)
    set_batch (session, i, failures[row].batches[i], 1);
  g_assert_cmpuint (run (session, 10, &error), ==, failures[row].n_runs);
  g_assert_error (error, DYNO_ERROR, (int)failures[row].code);
  if (failures[row].message != NULL)
    g_assert_cmpstr (error->message, ==, failures[row].message);
}

/* A child that does not end by its script is ended by an alarm after @ms. */
static pid_t
fork_and_run (const char *script_name, guint ms)
{
  const struct itimerval limit = { .it_value = { .tv_sec = ms / 1000, .tv_usec = ms % 1000 * 1000 } };
  g_autoptr (DynoSession) session = open_script (script_name, NULL, FALSE, NULL);
  pid_t child;

  g_assert_nonnull (session);
  set_batch (session, 0, 1, 1);
  child = fork ();
  if (child == 0)
    {
      setitimer (ITIMER_REAL, &limit, NULL);
      run (session, 10, NULL);
      _exit (0);
    }
  g_assert_cmpint (child, >, 0);
  return child;
}

static int
wait_for (pid_t child)
{
  int status;

  while (waitpid (child, &status, 0) < 0)
    g_assert_cmpint (errno, ==, EINTR);
  return status;
}

static const struct
{
  const char *path;
  const char *script;
  guint ms;
  int signal;
} deaths[] = {
  { "/fake-backend/crash", "crash.json", 60000, SIGSEGV },
  { "/fake-backend/kill", "kill.json", 60000, SIGKILL },
  { "/fake-backend/hang", "hang.json", 300, SIGALRM },
};

static void
test_death (gconstpointer data)
{
  guint row = GPOINTER_TO_UINT (data);
  int status = wait_for (fork_and_run (deaths[row].script, deaths[row].ms));

  g_assert_true (WIFSIGNALED (status));
  g_assert_cmpint (WTERMSIG (status), ==, deaths[row].signal);
}

static void
add_tests (void)
{
  g_autofree char *script = build_fixture ("demo.json");

  g_setenv ("DYNO_FAKE_BACKEND", script, TRUE);

  g_test_add_func ("/fake-backend/probe", test_probe);
  g_test_add_func ("/fake-backend/broken-script", test_broken_script);
  g_test_add_func ("/fake-backend/takes-time", test_takes_time);
  g_test_add_func ("/fake-backend/unknown-device", test_unknown_device);
  g_test_add_func ("/fake-backend/outputs", test_outputs);
  g_test_add_func ("/fake-backend/not-a-number", test_not_a_number);
  g_test_add_func ("/fake-backend/profile", test_profile);
  g_test_add_func ("/fake-backend/allocator-stats", test_allocator_stats);
  g_test_add_func ("/fake-backend/fail-to-open", test_fail_to_open);
  for (guint i = 0; i < G_N_ELEMENTS (failures); i++)
    g_test_add_data_func (failures[i].path, GUINT_TO_POINTER (i), test_fail);
  for (guint i = 0; i < G_N_ELEMENTS (deaths); i++)
    g_test_add_data_func (deaths[i].path, GUINT_TO_POINTER (i), test_death);
}

SUITE_ADD (add_tests)
