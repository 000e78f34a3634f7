/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-verdict.h"
#include "suite.h"

/* As declared by the metrics, whatever their names end in. */
static void
test_direction (void)
{
  static const char *const more[] = { "throughput_items_per_sec", "throughput_per_watt",   "ops_per_watt",
                                      "avg_bandwidth_gbps",       "sustained_percent",     "clock_avg_mhz",
                                      "placement_percent",        "roof_distance_percent", NULL };
  static const char *const less[] = { "latency_p50_ms",  "memory_peak_mb",
                                      "energy_joules",   "output_max_error",
                                      "steal_percent",   "unknown_per_sec",
                                      "power_avg_watts", NULL };

  for (const char *const *name = more; *name != NULL; name++)
    g_assert_true (dyno_verdict_more_is_better (*name));
  for (const char *const *name = less; *name != NULL; name++)
    g_assert_false (dyno_verdict_more_is_better (*name));
}

static int
run_suite (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/verdict/direction", test_direction);
  return g_test_run ();
}

SUITE (run_suite)
