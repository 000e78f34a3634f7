/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "dyno-error.h"
#include "dyno-worker-private.h"
#include "stub-session.h"
#include "suite.h"
#include "timed-session.h"
#include "workload-fixture.h"

#define N_SLOTS    4
#define VOCABULARY 30522

static DynoWorkload *
create_workload (guint64 seed, GError **error)
{
  g_autoptr (DynoCase) kase = dyno_case_new ("bert-tiny", "cpu");
  g_autoptr (DynoModel) model = dyno_model_load ("bert-tiny", error);

  g_object_set (kase, "batch-size", 2, "sequence-length", 8, "seed", seed, NULL);
  return dyno_workload_new (kase, model, error);
}

static DynoSession *
prepare (guint64 seed, DynoWorkload **workload)
{
  g_autoptr (GError) error = NULL;
  DynoSession *session = stub_session_new ();

  *workload = create_workload (seed, &error);
  g_assert_no_error (error);
  g_assert_true (DYNO_IS_STEP_WORKLOAD (*workload));
  prepare_workload (*workload, session);
  return session;
}

static DynoTensor *
get_input (DynoSession *session, guint slot, const char *name)
{
  GPtrArray *tensors = stub_session_get_inputs (STUB_SESSION (session), slot);

  for (guint i = 0; i < tensors->len; i++)
    if (g_str_equal (dyno_tensor_get_name (tensors->pdata[i]), name))
      return tensors->pdata[i];
  g_error ("Slot %u has no input “%s”.", slot, name);
}

static gboolean
is_same (DynoTensor *one, DynoTensor *other)
{
  return dyno_tensor_get_size (one) == dyno_tensor_get_size (other) &&
         memcmp (dyno_tensor_get_data (one), dyno_tensor_get_data (other), dyno_tensor_get_size (one)) == 0;
}

static void
test_slots (void)
{
  g_autoptr (DynoWorkload) workload = NULL;
  g_autoptr (DynoSession) session = prepare (1, &workload);

  g_assert_cmpuint (stub_session_get_n_slots (STUB_SESSION (session)), ==, N_SLOTS);
  for (guint slot = 0; slot < N_SLOTS; slot++)
    {
      DynoTensor *ids = get_input (session, slot, "input_ids");
      const DynoShape *shape = dyno_tensor_get_shape (ids);

      g_assert_cmpuint (shape->rank, ==, 2);
      g_assert_cmpint (shape->dims[0], ==, 2);
      g_assert_cmpint (shape->dims[1], ==, 8);
      for (guint other = 0; other < slot; other++)
        g_assert_false (is_same (ids, get_input (session, other, "input_ids")));
    }
}

static void
test_valid_inputs (void)
{
  g_autoptr (DynoWorkload) workload = NULL;
  g_autoptr (DynoSession) session = prepare (1, &workload);

  for (guint slot = 0; slot < N_SLOTS; slot++)
    {
      const gint64 *ids = dyno_tensor_get_data (get_input (session, slot, "input_ids"));
      const gint64 *mask = dyno_tensor_get_data (get_input (session, slot, "attention_mask"));

      for (guint i = 0; i < 2 * 8; i++)
        {
          g_assert_cmpint (ids[i], >=, 0);
          g_assert_cmpint (ids[i], <, VOCABULARY);
          g_assert_cmpint (mask[i], ==, 1);
        }
    }
}

static void
test_seed (void)
{
  g_autoptr (DynoWorkload) one = NULL;
  g_autoptr (DynoWorkload) same = NULL;
  g_autoptr (DynoWorkload) other = NULL;
  g_autoptr (DynoSession) session = prepare (7, &one);
  g_autoptr (DynoSession) same_session = prepare (7, &same);
  g_autoptr (DynoSession) other_session = prepare (107, &other);
  DynoTensor *ids = get_input (session, 0, "input_ids");

  g_assert_true (is_same (ids, get_input (same_session, 0, "input_ids")));
  g_assert_false (is_same (ids, get_input (other_session, 0, "input_ids")));
}

/* Each request has a slot of its own, whatever the number of inputs, and no slot is left out. */
static void
test_requests (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoWorkload) workload = create_workload (1, &error);
  g_autoptr (DynoSession) few = stub_session_new ();
  g_autoptr (DynoSession) many = stub_session_new ();

  g_assert_no_error (error);
  stub_session_set_requests (STUB_SESSION (few), 3);
  stub_session_set_requests (STUB_SESSION (many), N_SLOTS + 2);
  prepare_workload (workload, few);
  g_assert_cmpuint (stub_session_get_n_slots (STUB_SESSION (few)), ==, N_SLOTS);
  prepare_workload (workload, many);
  g_assert_cmpuint (stub_session_get_n_slots (STUB_SESSION (many)), ==, N_SLOTS + 2);
  g_assert_false (
      is_same (get_input (many, N_SLOTS, "input_ids"), get_input (many, N_SLOTS + 1, "input_ids")));
  g_assert_true (dyno_workload_prepare_same (workload, many, &error));
  for (guint slot = 1; slot < N_SLOTS + 2; slot++)
    g_assert_true (is_same (get_input (many, 0, "input_ids"), get_input (many, slot, "input_ids")));
}

static void
test_sample (void)
{
  static const char *const runs[] = { "run", "run", "run", NULL };
  g_autoptr (DynoWorkload) workload = NULL;
  g_autoptr (DynoSession) session = prepare (1, &workload);
  g_autoptr (DynoSamples) samples = dyno_samples_new (4);

  stub_session_forget_calls (STUB_SESSION (session));
  take_sample (workload, samples, 3);
  g_assert_cmpstrv (stub_session_get_calls (STUB_SESSION (session)),
                    runs); /* nothing but the engine's work */
  g_assert_cmpuint (dyno_samples_get_length (samples), ==, 1);
  g_assert_cmpint (samples->durations[0], >, 0);

  take_sample (workload, samples, 1);
  g_assert_cmpuint (dyno_samples_get_length (samples), ==, 2);
  g_assert_cmpint (samples->starts[1], >=, samples->starts[0] + samples->durations[0]);
  g_assert_cmpint (dyno_samples_get_last_end (samples), ==, samples->starts[1] + samples->durations[1]);
}

static void
test_failing_run (void)
{
  g_autoptr (DynoWorkload) workload = NULL;
  g_autoptr (DynoSession) session = prepare (1, &workload);
  g_autoptr (DynoSamples) samples = dyno_samples_new (4);
  g_autoptr (GError) error = NULL;

  stub_session_fail_at (STUB_SESSION (session), 2);
  g_assert_false (dyno_workload_sample (workload, samples, 3, &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_FAILED);
  g_assert_cmpuint (dyno_samples_get_length (samples), ==, 0);
}

/* One round trip to the engine for all steps of a sample, timed by the engine. */
static void
test_own_clock (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoWorkload) workload = create_workload (1, &error);
  g_autoptr (DynoSession) session = timed_session_new ();
  g_autoptr (DynoSamples) samples = dyno_samples_new (2);

  g_assert_no_error (error);
  prepare_workload (workload, session);
  take_sample (workload, samples, 3);
  g_assert_cmpuint (timed_session_get_n_calls (TIMED_SESSION (session)), ==, 1);
  g_assert_cmpuint (timed_session_get_n_runs (TIMED_SESSION (session)), ==, 3);
  g_assert_cmpint (samples->durations[0], ==, 3 * TIMED_STEP_NS);

  timed_session_fail_at (TIMED_SESSION (session), 4);
  g_assert_false (dyno_workload_sample (workload, samples, 1, &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_FAILED);
  g_assert_cmpuint (dyno_samples_get_length (samples), ==, 1);
}

/* A session that a workload kept would hold a second model in memory while the next one is loaded. */
static void
test_keeps_no_session (void)
{
  g_autoptr (DynoWorkload) workload = NULL;
  DynoSession *session = prepare (1, &workload);

  g_assert_finalize_object (session);
}

static void
test_does_not_fit (void)
{
  g_autoptr (DynoCase) kase = dyno_case_new ("bert-tiny", "cpu");
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoModel) model = dyno_model_load ("bert-tiny", &error);

  g_object_set (kase, "sequence-length", 513, NULL);
  g_assert_null (dyno_workload_new (kase, model, &error));
  suite_assert_error (error, DYNO_ERROR_INVALID_ARGUMENT, "512");
}

static const SuiteTest tests[] = {
  { "/step-workload/slots", test_slots },
  { "/step-workload/valid-inputs", test_valid_inputs },
  { "/step-workload/seed", test_seed },
  { "/step-workload/requests", test_requests },
  { "/step-workload/sample", test_sample },
  { "/step-workload/failing-run", test_failing_run },
  { "/step-workload/own-clock", test_own_clock },
  { "/step-workload/keeps-no-session", test_keeps_no_session },
  { "/step-workload/does-not-fit", test_does_not_fit },
};

SUITE_TESTS (tests)
