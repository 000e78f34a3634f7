/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dyno-clock.h"
#include "suite.h"

static void
test_never_goes_back (void)
{
  gint64 last = dyno_clock_now_ns ();

  g_assert_cmpint (last, >, 0);
  for (guint i = 0; i < 100000; i++)
    {
      gint64 now = dyno_clock_now_ns ();

      g_assert_cmpint (now, >=, last);
      last = now;
    }
}

static void
test_resolution (void)
{
  double resolution = dyno_clock_measure_resolution_ns ();

  g_assert_cmpfloat (resolution, >=, 1);
  g_assert_cmpfloat (resolution, <, 1e9);
}

static void
test_overhead (void)
{
  double overhead = dyno_clock_measure_overhead_ns ();

  g_assert_cmpfloat (overhead, >, 0);
  g_assert_cmpfloat (overhead, <, 1e6);
}

static const SuiteTest tests[] = {
  { "/clock/never-goes-back", test_never_goes_back },
  { "/clock/resolution", test_resolution },
  { "/clock/overhead", test_overhead },
};

SUITE_TESTS (tests)
