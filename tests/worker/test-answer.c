/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "dyno-backend.h"
#include "dyno-case.h"
#include "dyno-error.h"
#include "dyno-worker-private.h"
#include "engines.h"
#include "suite.h"

/* Turns one number in so many round, or back again. */
static void
turn (GPtrArray *outputs, guint one_in)
{
  for (guint i = 0; i < outputs->len; i++)
    {
      float *numbers = dyno_tensor_get_data (outputs->pdata[i]);

      for (gsize k = 0; k < dyno_tensor_get_size (outputs->pdata[i]) / sizeof *numbers; k += one_in)
        numbers[k] = -numbers[k];
    }
}

/* The cosine is about 1 - 2 / one_in. */
static void
assert_judged (
    const DynoAnalysis *analysis, GPtrArray *outputs, GHashTable *binding, guint one_in, gboolean is_wrong)
{
  g_autoptr (DynoMeasurement) measurement = dyno_measurement_new ();
  g_autoptr (GPtrArray) answers = g_ptr_array_new ();
  g_autoptr (GError) error = NULL;

  measurement->model = g_object_ref (analysis->exact);
  g_ptr_array_add (answers, outputs);
  turn (outputs, one_in);
  g_assert_cmpint (dyno_answer_check (analysis, measurement, answers, binding, &error), ==, !is_wrong);
  turn (outputs, one_in);
  if (!is_wrong)
    return;
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_WRONG_OUTPUT);
  g_test_message ("%s", error->message);
  g_assert_nonnull (strstr (error->message, "cosine"));
  g_assert_nonnull (strstr (error->message, analysis->precision));
}

/* With quantised weights a case fails where its answer points elsewhere than that of the model in single precision. */
static void
test_cosine (void)
{
  static const struct
  {
    const char *precision;
    guint one_in;
    gboolean is_wrong;
  } cases[] = { { "int8-dynamic", 200, FALSE }, { "int8-dynamic", 20, TRUE },
                { "int8-weights", 20, TRUE },   { "int4-32", 20, FALSE },
                { "int4-32", 2, TRUE },         { "int4-128", 2, TRUE },
                { "nf4", 20, FALSE },           { "nf4", 2, TRUE } };
  const DynoSessionOptions options = { .precision = "fp32", .threads = 1 };
  DynoBackend *backend = dyno_backend_lookup ("cpu", NULL);
  g_autoptr (DynoProbe) probe = dyno_backend_probe (backend, NULL);
  g_autoptr (DynoModel) model = dyno_model_load ("bert-tiny", NULL);
  g_autoptr (DynoCase) kase = dyno_case_new ("bert-tiny", "cpu");
  g_autoptr (DynoWorkload) workload = NULL;
  g_autoptr (GHashTable) binding = dyno_model_bind (model, 1, 8, NULL, NULL);
  g_autoptr (GPtrArray) operators = NULL;
  g_autoptr (GPtrArray) outputs = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *path = NULL;

  if (dyno_probe_get_state (probe) != DYNO_PROBE_AVAILABLE)
    {
      skip_without_engine ("cpu", dyno_probe_get_reason (probe));
      return;
    }
  g_object_set (kase, "sequence-length", 8, NULL);
  workload = dyno_workload_new (kase, model, &error);
  g_assert_no_error (error);
  path = dyno_model_prepare (model, "fp32", 1, NULL, &error);
  g_assert_no_error (error);
  operators = dyno_reference_run (path, &options, workload, &outputs, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const DynoAnalysis analysis = { backend, path,     &options, workload, cases[i].precision,
                                      model,   workload, 1 };

      assert_judged (&analysis, outputs, binding, cases[i].one_in, cases[i].is_wrong);
    }
}

static const SuiteTest tests[] = {
  { "/answer/cosine", test_cosine },
};

SUITE_TESTS (tests)
