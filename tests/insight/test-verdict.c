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

/* Six words for people; files tell more apart. */
static void
test_words (void)
{
  static const struct
  {
    DynoVerdict verdict;
    const char *name, *label, *of_memory;
  } words[] = {
    { DYNO_VERDICT_BETTER, "faster", "faster", "better" },
    { DYNO_VERDICT_WORSE, "slower", "slower", "worse" },
    { DYNO_VERDICT_PROBABLY_BETTER, "probably-faster", "probably faster", "probably better" },
    { DYNO_VERDICT_PROBABLY_WORSE, "probably-slower", "probably slower", "probably worse" },
    { DYNO_VERDICT_SAME, "same", "the same", "the same" },
    { DYNO_VERDICT_WITHIN_NOISE, "within-noise", "no difference shown", "no difference shown" },
    { DYNO_VERDICT_NOT_ENOUGH_DATA, "not-enough-data", "no difference shown", "no difference shown" },
    { DYNO_VERDICT_CONFOUNDED, "confounded", "confounded", "confounded" },
  };

  g_assert_cmpuint (G_N_ELEMENTS (words), ==, DYNO_N_VERDICTS);
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    {
      g_assert_cmpstr (dyno_verdict_to_string (words[i].verdict, "latency_p50_ms"), ==, words[i].name);
      g_assert_cmpstr (dyno_verdict_get_label (words[i].verdict, "latency_p50_ms"), ==, words[i].label);
      g_assert_cmpstr (dyno_verdict_get_label (words[i].verdict, "memory_peak_mb"), ==, words[i].of_memory);
    }
}

static const SuiteTest tests[] = {
  { "/verdict/direction", test_direction },
  { "/verdict/words", test_words },
};

SUITE_TESTS (tests)
