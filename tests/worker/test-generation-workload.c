/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "dyno-clock.h"
#include "dyno-error.h"
#include "dyno-worker-private.h"
#include "stub-session.h"
#include "suite.h"
#include "timed-session.h"
#include "workload-fixture.h"

/* Two layers, two cached heads of 16 numbers each; two items of five tokens, four tokens to generate. */
#define BATCH_SIZE  2
#define N_PROMPT    5
#define N_TOKENS    4
#define CACHE_BYTES (2 * 2 * 2 * 16 * 4 * BATCH_SIZE * (N_PROMPT + N_TOKENS - 1))

#define PAST "past_key_values."
#define PREFILL                                                                                              \
  "set input_ids:2x5 attention_mask:2x5 position_ids:2x5"                                                    \
  " " PAST "0.key:2x2x0x16 " PAST "0.value:2x2x0x16 " PAST "1.key:2x2x0x16 " PAST "1.value:2x2x0x16"
#define CARRY                                                                                                \
  "carry present.0.key to " PAST "0.key", "carry present.0.value to " PAST "0.value",                        \
      "carry present.1.key to " PAST "1.key", "carry present.1.value to " PAST "1.value"
#define DECODE(length) "set input_ids:2x1 attention_mask:2x" length " position_ids:2x1"

typedef struct
{
  DynoWorkload *workload;
  DynoSession *session;
  DynoSamples *samples;
  DynoMeasurement *measurement;
} Fixture;

static DynoWorkload *
create_workload (const char *spec, guint n_tokens, GError **error)
{
  g_autoptr (DynoCase) kase = dyno_case_new (spec, "cpu");
  g_autoptr (DynoModel) model = dyno_model_load (spec, error);

  g_object_set (kase, "batch-size", BATCH_SIZE, "sequence-length", N_PROMPT, "generate-tokens", n_tokens,
                NULL);
  return model != NULL ? dyno_workload_new (kase, model, error) : NULL;
}

static DynoWorkload *
create_workload_or_fail (const char *spec, guint n_tokens)
{
  g_autoptr (GError) error = NULL;
  DynoWorkload *workload = create_workload (spec, n_tokens, &error);

  g_assert_no_error (error);
  return workload;
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "worker", "fixtures", "tiny-llama.json", NULL);

  fixture->workload = create_workload_or_fail (path, N_TOKENS);
  g_assert_true (DYNO_IS_GENERATION_WORKLOAD (fixture->workload));
  fixture->session = stub_session_new ();
  prepare_workload (fixture->workload, fixture->session);
  stub_session_forget_calls (STUB_SESSION (fixture->session));
  fixture->samples = dyno_samples_new (8);
  fixture->measurement = dyno_measurement_new ();
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_clear_object (&fixture->workload);
  g_assert_finalize_object (fixture->session);
  dyno_samples_free (fixture->samples);
  dyno_measurement_free (fixture->measurement);
}

static void
sample (Fixture *fixture, guint steps)
{
  take_sample (fixture->workload, fixture->samples, steps);
}

static DynoTensor *
get_input (Fixture *fixture, const char *name)
{
  GPtrArray *tensors = stub_session_get_inputs (STUB_SESSION (fixture->session), 0);

  for (guint i = 0; i < tensors->len; i++)
    if (g_str_equal (dyno_tensor_get_name (tensors->pdata[i]), name))
      return tensors->pdata[i];
  g_error ("There is no input “%s”.", name);
}

static void
test_order (Fixture *fixture, gconstpointer data)
{
  static const char *const expected[] = { PREFILL, "run",        CARRY, DECODE ("6"),
                                          "run",                        /* the first token of the answer */
                                          CARRY,   DECODE ("7"), "run", /* and one more each time */
                                          CARRY,   DECODE ("8"), "run", NULL };

  sample (fixture, 1);
  g_assert_cmpstrv (stub_session_get_calls (STUB_SESSION (fixture->session)), expected);
}

static void
test_last_token (Fixture *fixture, gconstpointer data)
{
  const gint64 *positions, *mask;

  sample (fixture, 1);
  positions = dyno_tensor_get_data (get_input (fixture, "position_ids"));
  mask = dyno_tensor_get_data (get_input (fixture, "attention_mask"));
  for (guint item = 0; item < BATCH_SIZE; item++)
    g_assert_cmpint (positions[item], ==, N_PROMPT + N_TOKENS - 2); /* counted from zero */
  for (guint i = 0; i < BATCH_SIZE * (N_PROMPT + N_TOKENS - 1); i++)
    g_assert_cmpint (mask[i], ==, 1);
}

static void
test_prompts_differ (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GPtrArray) first =
      g_ptr_array_ref (stub_session_get_inputs (STUB_SESSION (fixture->session), 0));
  DynoTensor *ids = first->pdata[0];

  stub_session_fail_at (STUB_SESSION (fixture->session), N_TOKENS + 1); /* stop at the second prompt */
  sample (fixture, 1);
  g_assert_false (dyno_workload_sample (fixture->workload, fixture->samples, 1, NULL));
  g_assert_cmpint (memcmp (dyno_tensor_get_data (ids),
                           dyno_tensor_get_data (get_input (fixture, "input_ids")),
                           dyno_tensor_get_size (ids)),
                   !=, 0);
}

static gint64
sum (DynoSamples *samples)
{
  return dyno_samples_sum (samples, 0, dyno_samples_get_length (samples));
}

static void
test_records (Fixture *fixture, gconstpointer data)
{
  sample (fixture, 1); /* a warm-up leaves no traces beside its sample */
  dyno_workload_reserve (fixture->workload, 2, fixture->measurement);
  g_assert_cmpint (fixture->measurement->cache_bytes, ==, CACHE_BYTES);
  g_clear_pointer (&fixture->samples, dyno_samples_free);
  fixture->samples = dyno_samples_new (2);
  sample (fixture, 1);
  sample (fixture, 1);
  g_assert_cmpuint (dyno_samples_get_length (fixture->samples), ==, 2);
  g_assert_cmpuint (dyno_samples_get_length (fixture->measurement->prefills), ==, 2);
  g_assert_cmpuint (dyno_samples_get_length (fixture->measurement->decodes), ==, 2 * (N_TOKENS - 1));
  g_assert_cmpint (sum (fixture->samples), ==,
                   sum (fixture->measurement->prefills) + sum (fixture->measurement->decodes));
}

static void
test_records_of_batched_steps (Fixture *fixture, gconstpointer data)
{
  fixture->measurement->steps_per_sample = 3;
  dyno_workload_reserve (fixture->workload, 2, fixture->measurement);
  sample (fixture, 3);
  sample (fixture, 3);
  g_assert_cmpuint (dyno_samples_get_length (fixture->samples), ==, 2);
  g_assert_cmpuint (dyno_samples_get_length (fixture->measurement->prefills), ==, 6);
  g_assert_cmpuint (dyno_samples_get_length (fixture->measurement->decodes), ==, 6 * (N_TOKENS - 1));
}

static void
test_failing_decode (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  stub_session_fail_at (STUB_SESSION (fixture->session), 3);
  g_assert_false (dyno_workload_sample (fixture->workload, fixture->samples, 1, &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_FAILED);
  g_assert_cmpuint (dyno_samples_get_length (fixture->samples), ==, 0);
}

static void
test_request (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  DynoRequest request = { .intended_ns = dyno_clock_now_ns () };

  g_assert_true (dyno_workload_ask (fixture->workload, &request, fixture->samples, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (request.n_tokens, ==, N_TOKENS);
  g_assert_cmpint (request.first_ns, >=, request.intended_ns);
  g_assert_cmpint (request.first_ns, <=, dyno_clock_now_ns ());
  stub_session_fail_at (STUB_SESSION (fixture->session), N_TOKENS + 2);
  g_assert_false (dyno_workload_ask (fixture->workload, &request, fixture->samples, &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_FAILED);
}

static void
test_own_clock (Fixture *fixture, gconstpointer data)
{
  g_autoptr (DynoSession) session = timed_session_new ();

  g_assert_true (dyno_workload_prepare (fixture->workload, session, NULL));
  dyno_workload_reserve (fixture->workload, 1, fixture->measurement);
  sample (fixture, 1);
  g_assert_cmpint (fixture->samples->durations[0], ==, N_TOKENS * TIMED_STEP_NS);
  g_assert_cmpint (fixture->measurement->decodes->durations[N_TOKENS - 2], ==, TIMED_STEP_NS);
}

static void
assert_calls (const char *model, guint n_tokens, const char *const *expected)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "worker", "fixtures", model, NULL);
  g_autoptr (DynoWorkload) workload = create_workload_or_fail (path, n_tokens);
  g_autoptr (DynoSession) session = stub_session_new ();
  g_autoptr (DynoSamples) samples = dyno_samples_new (1);

  prepare_workload (workload, session);
  stub_session_forget_calls (STUB_SESSION (session));
  take_sample (workload, samples, 1);
  g_assert_cmpstrv (stub_session_get_calls (STUB_SESSION (session)), expected);
}

static void
test_one_token (void)
{
  assert_calls ("tiny-llama.json", 1, (const char *const[]){ PREFILL, "run", NULL });
}

/* The prompt is read once, with one token of the answer; each further token is the decoder's alone. */
static void
test_encoder_decoder (void)
{
#define OF_T5        "past_key_values."
#define EMPTY(layer) " " OF_T5 layer ".decoder.key:2x4x0x16 " OF_T5 layer ".decoder.value:2x4x0x16"
#define ON(layer)                                                                                            \
  "carry present." layer ".decoder.key to " OF_T5 layer ".decoder.key",                                      \
      "carry present." layer ".decoder.value to " OF_T5 layer ".decoder.value"
  static const char *const expected[] = {
    "set input_ids:2x5 attention_mask:2x5 decoder_input_ids:2x1" EMPTY ("0") EMPTY ("1"),
    "run",
    ON ("0"),
    ON ("1"),
    "set decoder_input_ids:2x1",
    "run",
    ON ("0"),
    ON ("1"),
    "set decoder_input_ids:2x1",
    "run",
    NULL,
  };
  assert_calls ("tiny-t5.json", 3, expected);
}

/* Its cache input is called “past”: nobody can tell what continues it. */
static void
test_unknown_cache (void)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "backends", "fixtures", "cache.onnx", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_null (create_workload (path, N_TOKENS, &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED);
  g_assert_nonnull (strstr (error->message, "“past”"));
}

static void
test_too_long (void)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "worker", "fixtures", "tiny-llama.json", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_null (create_workload (path, 64, &error)); /* 5 + 63 tokens of 64 */
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT);
  g_assert_nonnull (strstr (error->message, "64"));
}

/* Each step continues the one before it, so there is no step of several requests. */
static void
test_requests (Fixture *fixture, gconstpointer data)
{
  g_autoptr (DynoSession) session = stub_session_new ();
  g_autoptr (GError) error = NULL;

  stub_session_set_requests (STUB_SESSION (session), 2);
  g_assert_false (dyno_workload_prepare (fixture->workload, session, &error));
  suite_assert_error (error, DYNO_ERROR_UNSUPPORTED, "has 2 requests");
}

#define ADD(path, func) g_test_add ("/generation-workload/" path, Fixture, NULL, set_up, func, tear_down)

static void
add_tests (void)
{
  ADD ("order", test_order);
  ADD ("last-token", test_last_token);
  ADD ("prompts-differ", test_prompts_differ);
  ADD ("records", test_records);
  ADD ("records-of-batched-steps", test_records_of_batched_steps);
  ADD ("failing-decode", test_failing_decode);
  ADD ("request", test_request);
  ADD ("own-clock", test_own_clock);
  ADD ("requests", test_requests);
  g_test_add_func ("/generation-workload/one-token", test_one_token);
  g_test_add_func ("/generation-workload/encoder-decoder", test_encoder_decoder);
  g_test_add_func ("/generation-workload/unknown-cache", test_unknown_cache);
  g_test_add_func ("/generation-workload/too-long", test_too_long);
}

SUITE_ADD (add_tests)
