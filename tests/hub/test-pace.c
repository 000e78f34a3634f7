/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dyno-fetch-private.h"
#include "suite.h"

#define SECOND G_USEC_PER_SEC
#define START  (1000 * SECOND)

static void
test_one_byte_a_second (void)
{
  DynoPace pace = { .seconds = 60 };

  for (gint64 second = 0; second < 60; second++)
    g_assert_true (dyno_pace_take (&pace, 1, START + second * SECOND));
  g_assert_false (dyno_pace_take (&pace, 1, START + 60 * SECOND));
  g_assert_cmpuint (pace.bytes, ==, 61);
}

/* What came before a minute does not count for the next one. */
static void
test_fast_at_first (void)
{
  DynoPace pace = { .seconds = 60 };

  g_assert_true (dyno_pace_take (&pace, G_GUINT64_CONSTANT (1) << 40, START));
  g_assert_true (dyno_pace_take (&pace, 1, START + 60 * SECOND));
  g_assert_true (dyno_pace_take (&pace, 1, START + 119 * SECOND));
  g_assert_false (dyno_pace_take (&pace, 1, START + 120 * SECOND));
}

static void
test_slow_but_steady (void)
{
  DynoPace pace = { .seconds = 60 };

  for (gint64 second = 0; second < 100000; second++)
    g_assert_true (dyno_pace_take (&pace, DYNO_PACE_LEAST, START + second * SECOND));
}

static const SuiteTest tests[] = {
  { "/pace/one-byte-a-second", test_one_byte_a_second },
  { "/pace/fast-at-first", test_fast_at_first },
  { "/pace/slow-but-steady", test_slow_but_steady },
};

SUITE_TESTS (tests)
