/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "chart-fixture.h"
#include "dyno-chart-base-private.h"
#include "dyno-chart-pair.h"
#include "suite.h"

static DynoChart *
create_chart (const char *title, guint n_sizes)
{
  g_autoptr (GPtrArray) runs = fixture_list (fixture_create_sweep (title, 2, n_sizes), NULL);

  return dyno_chart_new (DYNO_CHART_SCALING_LATENCY, runs);
}

static void
assert_same_range (DynoAxis *a, DynoAxis *b)
{
  double low, high, other_low, other_high;

  g_assert_cmpstr (G_OBJECT_TYPE_NAME (a), ==, G_OBJECT_TYPE_NAME (b));
  dyno_axis_get_range (a, &low, &high);
  dyno_axis_get_range (b, &other_low, &other_high);
  g_assert_cmpfloat (low, ==, other_low);
  g_assert_cmpfloat (high, ==, other_high);
}

/* Both sides have one scale, each its own colour and name, and neither claims to have won. */
static void
test_axes (void)
{
  g_autoptr (DynoChart) before = create_chart ("Laptop", 5);
  g_autoptr (DynoChart) after = create_chart ("Server", 3);
  g_autofree char *title = g_strdup_printf ("%s · Before", dyno_chart_get_title (before));
  g_autoptr (DynoChartLink) link = dyno_chart_link_new ();
  g_autoptr (GArray) parts = NULL;
  g_autoptr (GArray) others = NULL;

  dyno_chart_pair (before, "Before", after, "After");
  dyno_chart_set_link (before, link);
  dyno_chart_set_link (after, link);
  parts = dyno_chart_list_parts (before);
  others = dyno_chart_list_parts (after);
  g_assert_cmpuint (parts->len, >, 0);
  g_assert_cmpuint (parts->len, ==, others->len);
  for (guint i = 0; i < parts->len; i++)
    {
      const DynoChartPart *part = &g_array_index (parts, DynoChartPart, i);
      const DynoChartPart *other = &g_array_index (others, DynoChartPart, i);

      assert_same_range (part->x_axis, other->x_axis);
      assert_same_range (part->y_axis, other->y_axis);
      g_assert_cmpuint (dyno_series_get_slot (part->series) % DYNO_CHART_N_COLORS, ==, 0);
      g_assert_cmpuint (dyno_series_get_slot (other->series) % DYNO_CHART_N_COLORS, ==, 1);
    }
  g_assert_cmpstr (dyno_chart_get_title (before), ==, title);
  g_assert_cmpstr (dyno_chart_get_finding (before), ==, "");
  g_assert_cmpstr (dyno_chart_get_finding (after), ==, "");
}

static const SuiteTest tests[] = {
  { "/pair/axes", test_axes },
};

SUITE_TESTS (tests)
