/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-metrics-sources-private.h"
#include "suite.h"

#define MS         G_GINT64_CONSTANT (1000000)
#define IDLE_WATTS 100
#define WATTS      300

static const DynoSensorInfo gauge = {
  .kind = DYNO_SENSOR_POWER,
  .domain = DYNO_DOMAIN_DEVICE,
  .name = "board",
  .source = "a board",
  .period_seconds = 0.1,
  .rise_seconds = 0.25,
};

static const DynoSensorInfo counter = {
  .kind = DYNO_SENSOR_ENERGY,
  .domain = DYNO_DOMAIN_DEVICE,
  .name = "board",
  .source = "a board",
  .period_seconds = 0.1,
};

static gboolean
is_settled (GArray *stretches, gint64 time_ns)
{
  for (guint i = 0; i < stretches->len; i++)
    {
      const DynoStretch *stretch = &g_array_index (stretches, DynoStretch, i);

      if (time_ns >= stretch->start_ns + 200 * MS && time_ns <= stretch->end_ns)
        return TRUE;
    }
  return FALSE;
}

/* Readings of a sensor with a delay of 0.2 s. */
static DynoPowerPart *
create_slow_gauge (GArray *stretches)
{
  DynoPowerPart *part = dyno_power_part_new (&gauge);
  DynoTrace *trace = dyno_trace_new ("power_board", "W", 0);

  for (gint64 time = 0; time <= 8000 * MS; time += 10 * MS)
    dyno_trace_add (trace, time, is_settled (stretches, time) ? WATTS : IDLE_WATTS);
  dyno_power_part_take_trace (part, &gauge, trace);
  return part;
}

static GArray *
create_stretches (guint n, const gint64 *edges_ms)
{
  GArray *stretches = g_array_new (FALSE, FALSE, sizeof (DynoStretch));

  for (guint i = 0; i < n; i++)
    {
      DynoStretch stretch = { edges_ms[2 * i] * MS, edges_ms[2 * i + 1] * MS };

      g_array_append_val (stretches, stretch);
    }
  return stretches;
}

/* The rise of each stretch is left out, also behind a pause that the sensor sees; not behind one that it does not see. */
static void
test_rise (void)
{
  static const gint64 edges[] = { 1000, 3000, 3005, 4000, 4090, 6090 };
  g_autoptr (GArray) stretches = create_stretches (3, edges);
  g_autoptr (GArray) seen = create_stretches (2, (const gint64[]){ 1000, 4000, 4090, 6090 });
  g_autoptr (DynoPowerPart) part = create_slow_gauge (seen);
  DynoEnergy energy;

  g_assert_true (dyno_power_part_measure (part, stretches, &energy));
  g_assert_cmpfloat_with_epsilon (energy.seconds, 3 + 2 - 2 * 0.25, 1e-9);
  g_assert_cmpfloat_with_epsilon (energy.joules / energy.seconds, WATTS, 1e-9);
  g_assert_cmpuint (energy.n_stretches, ==, 1);
}

/* Of a stretch too short, nothing would be left: then it counts as it was read. */
static void
test_short (void)
{
  static const gint64 edges[] = { 1000, 1500 };
  g_autoptr (GArray) stretches = create_stretches (1, edges);
  g_autoptr (DynoPowerPart) part = create_slow_gauge (stretches);
  DynoEnergy energy;

  g_assert_true (dyno_power_part_measure (part, stretches, &energy));
  g_assert_cmpfloat_with_epsilon (energy.seconds, 0.5, 1e-9);
  g_assert_cmpfloat (energy.joules / energy.seconds, <, 0.8 * WATTS);
}

/* A counter misses nothing, so it counts from the beginning without waiting. */
static void
test_counter (void)
{
  static const gint64 edges[] = { 1000, 3000 };
  g_autoptr (GArray) stretches = create_stretches (1, edges);
  g_autoptr (DynoPowerPart) part = dyno_power_part_new (&counter);
  DynoTrace *trace = dyno_trace_new ("energy_board", "J", 0);
  DynoRandom random;
  DynoEnergy energy;

  dyno_trace_add (trace, 0, 0);
  dyno_trace_add (trace, 4000 * MS, 400);
  dyno_power_part_take_trace (part, &counter, trace);
  g_assert_true (dyno_power_part_measure (part, stretches, &energy));
  g_assert_cmpfloat_with_epsilon (energy.joules, 200, 1e-9);
  g_assert_cmpfloat_with_epsilon (energy.seconds, 2, 1e-9);
  dyno_random_init (&random, 1);
  g_assert_cmpfloat (dyno_power_part_draw_phase (part, 1, &random), ==, 0);
}

/* All over the shorter of step and period, and the same for the same seed. */
static void
test_phase (void)
{
  g_autoptr (GArray) none = create_stretches (0, NULL);
  g_autoptr (DynoPowerPart) part = create_slow_gauge (none);
  DynoRandom random, again;
  guint quarters[4] = { 0 };

  dyno_random_init (&random, 7);
  dyno_random_init (&again, 7);
  for (guint i = 0; i < 400; i++)
    {
      double phase = dyno_power_part_draw_phase (part, 2, &random);

      g_assert_cmpfloat (phase, ==, dyno_power_part_draw_phase (part, 2, &again));
      g_assert_cmpfloat (phase, <, 0.1);
      quarters[(guint)(phase / 0.025)]++;
    }
  for (guint i = 0; i < G_N_ELEMENTS (quarters); i++)
    g_assert_cmpuint (quarters[i], >, 60);
  for (guint i = 0; i < 100; i++)
    g_assert_cmpfloat (dyno_power_part_draw_phase (part, 0.001, &random), <, 0.001);
}

static const SuiteTest tests[] = {
  { "/power-part/rise", test_rise },
  { "/power-part/short", test_short },
  { "/power-part/counter", test_counter },
  { "/power-part/phase", test_phase },
};

SUITE_TESTS (tests)
