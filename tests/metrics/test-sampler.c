/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-clock.h"
#include "dyno-energy-trace.h"
#include "dyno-metrics-sources-private.h"
#include "suite.h"

#define MS     G_GINT64_CONSTANT (1000000)
#define SECOND (1000 * MS)

#define RANGE G_GUINT64_CONSTANT (262143328850)

static DynoEnergyCounter
create_counter (guint64 range, guint64 raw)
{
  DynoEnergyCounter counter = { .joules_per_unit = 1e-6, .range = range };
  double joules;

  g_assert_true (dyno_energy_counter_advance (&counter, raw, 0, &joules));
  g_assert_cmpfloat (joules, ==, 0);
  return counter;
}

static void
test_counter (void)
{
  DynoEnergyCounter counter = create_counter (RANGE, 1000000);
  double joules;

  g_assert_true (dyno_energy_counter_advance (&counter, 51000000, SECOND, &joules));
  g_assert_cmpfloat_with_epsilon (joules, 50, 1e-9);
  g_assert_true (dyno_energy_counter_advance (&counter, 51000000, 2 * SECOND, &joules));
  g_assert_cmpfloat_with_epsilon (joules, 50, 1e-9);
}

static void
test_counter_wraps (void)
{
  DynoEnergyCounter counter = create_counter (RANGE, G_GUINT64_CONSTANT (262143000000));
  double joules;

  g_assert_true (dyno_energy_counter_advance (&counter, 500000, SECOND, &joules));
  g_assert_cmpfloat_with_epsilon (joules, 0.828850, 1e-9);
  g_assert_true (dyno_energy_counter_advance (&counter, 1500000, 2 * SECOND, &joules));
  g_assert_cmpfloat_with_epsilon (joules, 1.828850, 1e-9);
}

/* A reloaded driver starts at zero: as a wrap-around, that would be a hundred kilojoules. */
static void
test_counter_begins_anew (void)
{
  DynoEnergyCounter counter = create_counter (RANGE, G_GUINT64_CONSTANT (100000000000));
  DynoEnergyCounter endless = create_counter (0, 1000);
  double joules;

  g_assert_false (dyno_energy_counter_advance (&counter, 0, SECOND, &joules));
  g_assert_false (dyno_energy_counter_advance (&counter, 1000, 2 * SECOND, &joules));
  g_assert_false (dyno_energy_counter_advance (&endless, 999, SECOND, &joules));
}

static DynoTrace *
create_trace (gsize n, const gint64 *times, const double *values)
{
  DynoTrace *trace = dyno_trace_new ("power_test", "", 0);

  for (gsize i = 0; i < n; i++)
    dyno_trace_add (trace, times[i], values[i]);
  return trace;
}

static void
test_integral (void)
{
  const gint64 times[] = { 0, 1 * SECOND, 3 * SECOND };
  const double watts[] = { 10, 20, 40 };
  g_autoptr (DynoTrace) power = create_trace (3, times, watts);
  g_autoptr (DynoTrace) energy = dyno_energy_trace_integrate (power);
  double joules;

  g_assert_true (dyno_energy_trace_at (energy, 3 * SECOND, &joules));
  g_assert_cmpfloat_with_epsilon (joules, 15 + 60, 1e-9);
  g_assert_true (dyno_energy_trace_at (energy, 2 * SECOND, &joules));
  g_assert_cmpfloat_with_epsilon (joules, 15 + 30, 1e-9);
  g_assert_false (dyno_energy_trace_at (energy, 4 * SECOND, &joules));
}

static void
test_sum (void)
{
  const gint64 times[] = { 0, 2 * SECOND };
  const gint64 later[] = { -SECOND, 3 * SECOND };
  const double ten_watts[] = { 0, 20 };
  const double five_watts[] = { 0, 20 };
  g_autoptr (GPtrArray) parts = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (DynoTrace) sum = NULL;
  g_autoptr (DynoTrace) power = NULL;

  g_ptr_array_add (parts, create_trace (2, times, ten_watts));
  g_ptr_array_add (parts, create_trace (2, later, five_watts));
  sum = dyno_energy_trace_add_up (parts);
  power = dyno_energy_trace_to_power (sum, "power_test", MS);
  g_assert_cmpuint (dyno_trace_get_length (power), ==, 1);
  g_assert_cmpfloat_with_epsilon (dyno_trace_get_values (power)[0], 15, 1e-9);
}

/* 10 W while measuring, 100 W in the pauses, of which the second is too short for the counter to tell apart. */
static void
test_pauses (void)
{
  const gint64 times[] = { 0, SECOND, 2 * SECOND, 3 * SECOND, 3 * SECOND + 5 * MS, 4 * SECOND };
  const double joules[] = { 0, 10, 110, 120, 120.5, 130.45 };
  const DynoStretch stretches[] = { { 0, SECOND },
                                    { 2 * SECOND, 3 * SECOND },
                                    { 3 * SECOND + 5 * MS, 4 * SECOND } };
  g_autoptr (DynoTrace) trace = create_trace (G_N_ELEMENTS (times), times, joules);
  DynoEnergy energy;

  g_assert_true (dyno_energy_trace_measure (trace, stretches, 3, 0.001, &energy));
  g_assert_cmpuint (energy.n_stretches, ==, 3);
  g_assert_cmpfloat_with_epsilon (energy.joules, 29.95, 1e-9);
  g_assert_cmpfloat_with_epsilon (energy.seconds, 2.995, 1e-9);
  g_assert_true (dyno_energy_trace_measure (trace, stretches, 3, 0.1, &energy));
  g_assert_cmpuint (energy.n_stretches, ==, 2);
  g_assert_cmpfloat_with_epsilon (energy.joules, 30.45, 1e-9);
  g_assert_cmpfloat_with_epsilon (energy.seconds, 3, 1e-9);
  g_assert_false (dyno_energy_trace_measure (trace, stretches, 0, 0.1, &energy));
}

static void
test_slow_sensor (void)
{
  g_assert_cmpint (dyno_sampler_choose_period (50000, 300, 0), ==, 50000);
  g_assert_cmpint (dyno_sampler_choose_period (50000, 5 * MS, 0), ==, 500000);
}

static void
test_still_sensor (void)
{
  g_assert_cmpint (dyno_sampler_choose_period (10000, 300, 1), ==, 20000);
  g_assert_cmpint (dyno_sampler_choose_period (10000, 300, 3), ==, 80000);
  g_assert_cmpint (dyno_sampler_choose_period (10000, 300, 1000), ==, 80000);
  g_assert_cmpint (dyno_sampler_choose_period (10000, 5 * MS, 3), ==, 500000);
}

static gboolean
stay (gpointer data, gint64 now_ns, double *value)
{
  *value = 7;
  return TRUE;
}

/* What may rest between readings is read at the edges. */
static void
test_edges (void)
{
  const DynoSensorInfo info = { .kind = DYNO_SENSOR_MEMORY, .name = "test", .source = "test" };
  g_autoptr (DynoSensor) sensor = dyno_sensor_new (&info, stay, NULL, NULL);
  g_autoptr (DynoSampler) sampler = dyno_sampler_new (dyno_clock_now_ns ());
  g_autoptr (DynoTrace) trace = dyno_sampler_add (sampler, sensor, "memory_test", 1);

  dyno_sampler_mark_edge (sampler);
  g_assert_cmpuint (dyno_trace_get_length (trace), ==, 0);
  dyno_sampler_set_may_rest (sampler, trace, TRUE);
  dyno_sampler_mark_edge (sampler);
  g_assert_cmpuint (dyno_trace_get_length (trace), ==, 1);
}

static gboolean
count (gpointer data, gint64 now_ns, double *value)
{
  guint *n = data;

  *value = ++*n;
  return *n % 2 == 1; /* every other reading fails */
}

static void
test_sampler (void)
{
  const DynoSensorInfo energy_info = { .kind = DYNO_SENSOR_ENERGY, .name = "test", .source = "test" };
  const DynoSensorInfo fan_info = { .kind = DYNO_SENSOR_FAN, .name = "test", .source = "test" };
  guint n_energy = 0, n_fan = 0;
  g_autoptr (DynoSensor) energy = dyno_sensor_new (&energy_info, count, &n_energy, NULL);
  g_autoptr (DynoSensor) fan = dyno_sensor_new (&fan_info, count, &n_fan, NULL);
  gint64 origin = dyno_clock_now_ns ();
  g_autoptr (DynoSampler) sampler = dyno_sampler_new (origin);
  g_autoptr (DynoTrace) energy_trace = dyno_sampler_add (sampler, energy, "energy_test", 1);
  g_autoptr (DynoTrace) fan_trace = dyno_sampler_add (sampler, fan, "fan_test", 1);

  dyno_sampler_mark_edge (sampler);
  dyno_sampler_mark_edge (sampler);
  dyno_sampler_mark_edge (sampler);
  g_assert_cmpuint (dyno_trace_get_length (energy_trace), ==, 2); /* what failed is left out */
  g_assert_cmpfloat (dyno_trace_get_values (energy_trace)[1], ==, 3);
  g_assert_cmpuint (n_fan, ==, 0); /* a fan is not read at edges */

  dyno_sampler_start (sampler);
  dyno_sampler_stop (sampler);
  g_assert_cmpuint (n_fan, >=, 1);
  g_assert_cmpstr (dyno_trace_get_unit (fan_trace), ==, "1/min");
  for (gsize i = 0; i < dyno_trace_get_length (energy_trace); i++)
    g_assert_cmpint (dyno_trace_get_times (energy_trace)[i], >=, 0);
  g_assert_cmpfloat (dyno_sampler_get_load_percent (sampler), >=, 0);
}

static const SuiteTest tests[] = {
  { "/sampler/counter", test_counter },
  { "/sampler/counter-wraps", test_counter_wraps },
  { "/sampler/counter-begins-anew", test_counter_begins_anew },
  { "/sampler/integral", test_integral },
  { "/sampler/sum", test_sum },
  { "/sampler/pauses", test_pauses },
  { "/sampler/slow-sensor", test_slow_sensor },
  { "/sampler/still-sensor", test_still_sensor },
  { "/sampler/edges", test_edges },
  { "/sampler/sampler", test_sampler },
};

SUITE_TESTS (tests)
