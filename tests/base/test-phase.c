/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dyno-phase.h"
#include "suite.h"

/* The names and numbers are stored with every result and must not change. */
static void
test_names (void)
{
  static const char *const names[] = { "load", "first-run", "warm-up", "measure", "analyse" };

  g_assert_cmpuint (DYNO_N_PHASES, ==, G_N_ELEMENTS (names));
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    g_assert_cmpstr (dyno_phase_to_string (i), ==, names[i]);
  g_assert_cmpstr (dyno_phase_to_string (DYNO_N_PHASES), ==, "");
}

static const SuiteTest tests[] = {
  { "/phase/names", test_names },
};

SUITE_TESTS (tests)
