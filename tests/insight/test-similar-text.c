/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-similar-text.h"
#include "suite.h"

static void
assert_merged (const char *one, const char *other, const char *expected)
{
  g_autofree char *key = dyno_similar_text_dup_key (one);
  g_autofree char *other_key = dyno_similar_text_dup_key (other);
  g_autofree char *merged = NULL;
  g_autofree char *merged_key = NULL;

  g_assert_cmpstr (key, ==, other_key);
  merged = dyno_similar_text_merge (one, other);
  g_assert_cmpstr (merged, ==, expected);
  merged_key = dyno_similar_text_dup_key (merged);
  g_assert_cmpstr (merged_key, ==, key);
}

static void
test_merge (void)
{
  assert_merged ("Nothing.", "Nothing.", "Nothing.");
  assert_merged ("3 of 5 processes.", "5 of 5 processes.", "3 – 5 of 5 processes.");
  assert_merged ("3 – 5 of 5 processes.", "1 of 5 processes.", "1 – 5 of 5 processes.");
  assert_merged ("at 9", "at 10", "at 9 – 10");
  assert_merged ("±2.5 %; 100 ms.", "±15 %; 100 ms.", "±2.5 – 15 %; 100 ms.");
  assert_merged ("8.26e+10 FLOP/s", "1.2e+11 FLOP/s", "8.26e+10 – 1.2e+11 FLOP/s");
  assert_merged ("unter 1,5 s", "unter 0,25 s", "unter 0,25 – 1,5 s");
  assert_merged ("1 – 2 and 5", "7 and 3 – 4", "1 – 7 and 3 – 5");
}

/* What belongs to a name is no number, so two names stay two sentences. */
static void
test_names (void)
{
  static const struct
  {
    const char *one;
    const char *other;
  } pairs[] = {
    { "p90 is missing", "p99 is missing" },
    { "the roof fp32-avx2", "the roof fp32-avx512" },
    { "ONNX Runtime 1.22.0", "ONNX Runtime 1.30.0" },
    { "/sys/class/hwmon/3/name", "/sys/class/hwmon/4/name" },
    { "intel-rapl:0", "intel-rapl:1" },
    { "on 2026-11-25", "on 2026-11-26" },
    { "at 10:30", "at 10:31" },
    { "by -5 %", "by -6 %" },
    { "by −5 %", "by −6 %" },
    { "CPUs 0-1", "CPUs 0-3" },
    { "3 cases", "3 runs" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (pairs); i++)
    {
      g_autofree char *one = dyno_similar_text_dup_key (pairs[i].one);
      g_autofree char *other = dyno_similar_text_dup_key (pairs[i].other);

      g_assert_cmpstr (one, !=, other);
    }
}

static const SuiteTest tests[] = {
  { "/similar-text/merge", test_merge },
  { "/similar-text/names", test_names },
};

SUITE_TESTS (tests)
