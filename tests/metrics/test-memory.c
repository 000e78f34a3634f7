/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>
#include <sys/mman.h>

#include "dyno-clock.h"
#include "dyno-metrics-sources-private.h"
#include "suite.h"

#define BALLAST (64 * 1000 * 1000)

static gpointer
take_ballast (void)
{
  gpointer ballast = mmap (NULL, BALLAST, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

  g_assert_true (ballast != MAP_FAILED);
  memset (ballast, 1, BALLAST);
  return ballast;
}

static void
test_peak (void)
{
  gpointer ballast = take_ballast ();
  gint64 with_ballast = dyno_memory_sensor_read_peak ();

  munmap (ballast, BALLAST);
  if (!dyno_memory_sensor_reset_peak ())
    {
      g_test_skip ("This kernel does not let a process reset its highest resident set.");
      return;
    }
  g_assert_cmpint (dyno_memory_sensor_read_peak (), <, with_ballast - BALLAST / 2);
  ballast = take_ballast ();
  munmap (ballast, BALLAST);
  g_assert_cmpint (dyno_memory_sensor_read_peak (), >, BALLAST);
}

static DynoTrace *
sample_memory (DynoSampler *sampler, guint period_ms)
{
  g_autoptr (DynoProcessMemory) nobody = dyno_process_memory_new ();
  g_autoptr (DynoSensor) sensor = dyno_memory_sensor_new (nobody);
  DynoTrace *trace = dyno_sampler_add (sampler, sensor, "memory_rss", period_ms);

  dyno_sampler_start (sampler);
  return trace;
}

/* A sampler that is stopped at once has read at least once. */
static double
read_resident_mb (gint64 origin)
{
  g_autoptr (DynoSampler) sampler = dyno_sampler_new (origin);
  g_autoptr (DynoTrace) trace = sample_memory (sampler, 1000);

  dyno_sampler_stop (sampler);
  g_assert_cmpuint (dyno_trace_get_length (trace), >=, 1);
  return dyno_trace_get_values (trace)[0];
}

static void
test_timeline (void)
{
  gint64 origin = dyno_clock_now_ns ();
  double before = read_resident_mb (origin);
  g_autoptr (DynoSampler) sampler = dyno_sampler_new (origin);
  g_autoptr (DynoTrace) trace = sample_memory (sampler, 1);
  gpointer ballast;
  double last;

  ballast = take_ballast ();
  /* Takes a last reading, so the ballast is seen however late the thread ran. */
  dyno_sampler_stop (sampler);
  munmap (ballast, BALLAST);

  g_assert_cmpstr (dyno_trace_get_name (trace), ==, "memory_rss");
  g_assert_cmpuint (dyno_trace_get_length (trace), >=, 1);
  last = dyno_trace_get_values (trace)[dyno_trace_get_length (trace) - 1];
  g_assert_cmpfloat (last - before, >, 0.9 * BALLAST / 1e6);
  for (gsize i = 1; i < dyno_trace_get_length (trace); i++)
    g_assert_cmpint (dyno_trace_get_times (trace)[i], >=, dyno_trace_get_times (trace)[i - 1]);
}

static const SuiteTest tests[] = {
  { "/memory/peak", test_peak },
  { "/memory/timeline", test_timeline },
};

SUITE_TESTS (tests)
