/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "metric-fixture.h"
#include "suite.h"

/* The last step ends a second after the case begins. */
static DynoMeasurement *
measure (DynoTensor *counts)
{
  g_autoptr (DynoMetric) metric = metric_fixture_create ("experts");
  DynoMeasurement *measurement = dyno_measurement_new ();

  measurement->expert_tokens = counts;
  measurement->origin_ns = 5;
  measurement->samples = dyno_samples_new (1);
  dyno_samples_record (measurement->samples, 6, 1000000005);
  dyno_metric_collect (metric, measurement);
  return measurement;
}

static DynoTensor *
create_counts (const gint64 *counts)
{
  const DynoShape shape = { DYNO_DATA_TYPE_INT64, 2, { 2, 4 } };
  DynoTensor *tensor = dyno_tensor_new ("expert_tokens", &shape);

  memcpy (dyno_tensor_get_data (tensor), counts, 8 * sizeof *counts);
  return tensor;
}

static void
assert_shares (DynoTrace *trace, const char *name, const double *expected)
{
  g_assert_cmpstr (dyno_trace_get_name (trace), ==, name);
  g_assert_cmpstr (dyno_trace_get_unit (trace), ==, "%");
  g_assert_cmpuint (dyno_trace_get_length (trace), ==, 4);
  for (guint i = 0; i < 4; i++)
    {
      g_assert_cmpint (dyno_trace_get_times (trace)[i], ==, 1000000000);
      g_assert_cmpfloat (dyno_trace_get_values (trace)[i], ==, expected[i]);
    }
}

/* Every expert of every layer has its share, and the extremes of all are values. */
static void
test_shares (void)
{
  const gint64 counts[] = { 2, 4, 1, 1, 0, 0, 6, 2 };
  const double first[] = { 25, 50, 12.5, 12.5 }, second[] = { 0, 0, 75, 25 };
  g_autoptr (DynoMeasurement) measurement = measure (create_counts (counts));

  g_assert_cmpuint (measurement->traces->len, ==, 2);
  assert_shares (measurement->traces->pdata[0], "expert_share_0", first);
  assert_shares (measurement->traces->pdata[1], "expert_share_1", second);
  g_assert_cmpfloat (dyno_measurement_get_number (measurement, "expert_share_max_percent"), ==, 75);
  g_assert_cmpfloat (dyno_measurement_get_number (measurement, "expert_share_min_percent"), ==, 0);
}

/* A model without experts says nothing of any. */
static void
test_none (void)
{
  g_autoptr (DynoMeasurement) measurement = measure (NULL);

  g_assert_cmpuint (measurement->traces->len, ==, 0);
  g_assert_cmpuint (measurement->values->len, ==, 0);
}

static const SuiteTest tests[] = {
  { "/experts/shares", test_shares },
  { "/experts/none", test_none },
};

SUITE_TESTS (tests)
