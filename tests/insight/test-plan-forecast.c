/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "dyno-case.h"
#include "dyno-plan-forecast.h"
#include "suite.h"

static char *
forecast (const char *model, gint64 available)
{
  g_autoptr (GPtrArray) cases = g_ptr_array_new_with_free_func (g_object_unref);
  DynoCase *kase = dyno_case_new (model, "cpu");

  g_object_set (kase, "sequence-length", 32, NULL);
  g_ptr_array_add (cases, kase);
  return dyno_plan_forecast_dup (cases, NULL, NULL, available, NULL);
}

/* Weights twice, plus computed values; without roofs there is no time. */
static void
test_memory (void)
{
  g_autofree char *fits = forecast ("bert-tiny", G_GINT64_CONSTANT (1) << 34);
  g_autofree char *does_not = forecast ("bert-tiny", 1000);
  g_autofree char *none = forecast ("/no/such/model.onnx", 1000);
  g_autofree char *served = forecast ("server:small", 1000);

  g_assert_true (g_str_has_prefix (fits, "Memory: about 3"));
  g_assert_nonnull (strstr (fits, "17.2\u00a0GB available."));
  g_assert_null (strstr (fits, "Predicted"));
  g_assert_nonnull (strstr (does_not, "some cases cannot run"));
  g_assert_null (none);
  g_assert_null (served);
}

static const SuiteTest tests[] = {
  { "/plan-forecast/memory", test_memory },
};

SUITE_TESTS (tests)
