/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dyno-spacing.h"
#include "suite.h"

#define N_LEVELS 1000
#define N_STEPS  3

/* The timesteps that set_timesteps(3) of Diffusers gives with 1000 of training, and those of the ends of steps, −1 for none:
 *   trailing  round(1000 − i · 1000 / 3) − 1
 *   leading   (2 − i) · (1000 // 3) + offset; with the end, (3 − i) · (1000 // 4) + offset
 *   linspace  round(999 · (2 − i) / 2), to even; with the end, round(999 · (3 − i) / 3)
 * and with a stride, ends are 1000 // 3 below. */
static const struct
{
  DynoSpacing spacing;
  gint64 starts[N_STEPS];
  gint64 ends[N_STEPS];
} spacings[] = {
  { { DYNO_SPACING_TRAILING, 0, FALSE, FALSE }, { 999, 666, 332 }, { 666, 332, -1 } },
  { { DYNO_SPACING_TRAILING, 1, TRUE, FALSE }, { 999, 666, 332 }, { 666, 332, -1 } },
  { { DYNO_SPACING_TRAILING, 0, FALSE, TRUE }, { 999, 666, 332 }, { 666, 333, -1 } },
  { { DYNO_SPACING_LEADING, 0, FALSE, TRUE }, { 666, 333, 0 }, { 333, 0, -1 } },
  { { DYNO_SPACING_LEADING, 1, FALSE, TRUE }, { 667, 334, 1 }, { 334, 1, -1 } },
  { { DYNO_SPACING_LEADING, 1, FALSE, FALSE }, { 667, 334, 1 }, { 334, 1, -1 } },
  { { DYNO_SPACING_LEADING, 1, TRUE, FALSE }, { 751, 501, 251 }, { 501, 251, -1 } },
  { { DYNO_SPACING_LINSPACE, 1, FALSE, TRUE }, { 999, 500, 0 }, { 666, 167, -1 } },
  { { DYNO_SPACING_LINSPACE, 0, TRUE, FALSE }, { 999, 666, 333 }, { 666, 333, -1 } },
};

static void
test_formulas (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (spacings); i++)
    for (gint64 step = 0; step < N_STEPS; step++)
      {
        const DynoSpacing *spacing = &spacings[i].spacing;

        g_test_message ("%u, %" G_GINT64_FORMAT, i, step);
        g_assert_cmpint (dyno_spacing_get_start (spacing, N_LEVELS, N_STEPS, step), ==,
                         spacings[i].starts[step] + 1);
        g_assert_cmpint (dyno_spacing_get_end (spacing, N_LEVELS, N_STEPS, step), ==,
                         spacings[i].ends[step] + 1);
      }
}

/* As many steps as levels, or more, or one alone: every level is one of training. */
static void
test_limits (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (spacings); i++)
    for (gint64 n_steps = 1; n_steps <= 25; n_steps++)
      for (gint64 step = 0; step < n_steps; step++)
        {
          gint64 start = dyno_spacing_get_start (&spacings[i].spacing, 20, n_steps, step);
          gint64 end = dyno_spacing_get_end (&spacings[i].spacing, 20, n_steps, step);

          g_assert_cmpint (start, >=, 1);
          g_assert_cmpint (start, <=, 20);
          g_assert_cmpint (end, >=, 0);
          g_assert_cmpint (end, <=, start);
        }
}

static const SuiteTest tests[] = {
  { "/spacing/formulas", test_formulas },
  { "/spacing/limits", test_limits },
};

SUITE_TESTS (tests)
