/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "dyno-flops-metric.h"
#include "dyno-session.h"

#define CUDA "CUDAExecutionProvider"
#define CPU  "CPUExecutionProvider"

static void
add_node (DynoMeasurement *measurement, const char *provider, gint64 time_ns)
{
  DynoNodeProfile *node = g_new0 (DynoNodeProfile, 1);

  node->name = g_strdup_printf ("node%u", measurement->profile->len);
  node->op_type = g_strdup ("MatMul");
  node->provider = g_strdup (provider);
  node->calls = 1;
  node->time_ns = time_ns;
  node->inputs = g_array_new (FALSE, FALSE, sizeof (DynoShape));
  node->outputs = g_array_new (FALSE, FALSE, sizeof (DynoShape));
  g_ptr_array_add (measurement->profile, node);
}

static DynoMeasurement *
measure (gint64 time_on_device)
{
  g_autoptr (DynoMetric) metric = g_object_new (DYNO_TYPE_FLOPS_METRIC, NULL);
  g_autoptr (GError) error = NULL;
  DynoMeasurement *measurement = dyno_measurement_new ();

  measurement->model = dyno_model_load ("resnet-18", &error);
  g_assert_no_error (error);
  measurement->profile = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_node_profile_free);
  add_node (measurement, CUDA, time_on_device);
  add_node (measurement, CPU, 5000);
  dyno_metric_collect (metric, measurement);
  return measurement;
}

/* Who reads the operators is told why some have no time. */
static void
test_untimed_operators (void)
{
  g_autoptr (DynoMeasurement) measurement = measure (-1);
  DynoDiagnostic *diagnostic;

  g_assert_cmpuint (measurement->diagnostics->len, ==, 1);
  diagnostic = measurement->diagnostics->pdata[0];
  g_assert_cmpstr (dyno_diagnostic_get_code (diagnostic), ==, "untimed-operators");
  g_assert_nonnull (strstr (dyno_diagnostic_get_message (diagnostic), "1 of 2 operators"));
  g_assert_nonnull (strstr (dyno_diagnostic_get_message (diagnostic), CUDA));
  g_assert_cmpint (dyno_operator_get_time_ns (measurement->operators->pdata[0]), ==, -1);
  g_assert_cmpint (dyno_operator_get_time_ns (measurement->operators->pdata[1]), ==, 5000);
}

static void
test_timed_operators (void)
{
  g_autoptr (DynoMeasurement) measurement = measure (7000);

  g_assert_cmpuint (measurement->diagnostics->len, ==, 0);
  g_assert_cmpint (dyno_operator_get_time_ns (measurement->operators->pdata[0]), ==, 7000);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/flops/untimed-operators", test_untimed_operators);
  g_test_add_func ("/flops/timed-operators", test_timed_operators);

  return g_test_run ();
}
