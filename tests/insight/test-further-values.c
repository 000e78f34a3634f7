/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-further-values.h"
#include "suite.h"

static const char *const shown[] = { "latency_p50_ms", NULL };

static DynoResult *
create_result (guint ordinal)
{
  g_autoptr (DynoCase) kase = dyno_case_new ("net", "tool");

  return dyno_result_new (kase, ordinal);
}

static void
import (DynoResult *result, const char *name, double number, const char *unit)
{
  dyno_result_take_value (result, dyno_value_new (name, number, unit, DYNO_QUALITY_IMPORTED, "a tool"));
}

static char *
format (DynoValue *value)
{
  return g_strdup_printf ("%g %s", dyno_value_get_number (value), dyno_value_get_unit (value));
}

/* What most cases have comes first; what is Dyno's own, has a column, or is the spread of one has none here. */
static void
test_columns (void)
{
  g_autoptr (GListStore) results = g_list_store_new (DYNO_TYPE_RESULT);
  g_autoptr (DynoResult) first = create_result (0);
  g_autoptr (DynoResult) second = create_result (1);
  g_autoptr (GPtrArray) chosen = NULL;
  g_autofree char *rest = NULL;

  import (first, "rare_value", 1, "Points");
  import (first, "latency_p50_ms", 2, "ms");
  import (first, "latency_min_ms", 1, "ms");
  import (first, "energy_joules", 3, "J");
  dyno_result_add_measured (first, "memory_weights_mb", 4, "MB", "clock");
  dyno_result_take_value (first, dyno_value_new_unsupported ("power_avg_watts", "W", "No sensor."));
  import (second, "energy_joules", 5, "J");
  g_list_store_append (results, first);
  g_list_store_append (results, second);
  chosen = dyno_further_values_choose (G_LIST_MODEL (results), shown);
  g_assert_cmpuint (chosen->len, ==, 2);
  g_assert_cmpstr (chosen->pdata[0], ==, "energy_joules");
  g_assert_cmpstr (chosen->pdata[1], ==, "rare_value");
  rest = dyno_further_values_dup_rest (first, shown, chosen, format);
  g_assert_cmpstr (rest, ==, "Minimum latency: 1 ms");
  g_assert_null (dyno_further_values_dup_rest (second, shown, chosen, format));
}

/* However many values a tool tells: each is in a column or in the rest. */
static void
test_many (void)
{
  g_autoptr (GListStore) results = g_list_store_new (DYNO_TYPE_RESULT);
  g_autoptr (DynoResult) result = create_result (0);
  g_autoptr (GPtrArray) chosen = NULL;
  g_autofree char *rest = NULL;
  g_auto (GStrv) parts = NULL;

  for (guint i = 0; i < 20; i++)
    {
      g_autofree char *name = g_strdup_printf ("value_%u", i);

      import (result, name, i, "");
    }
  g_list_store_append (results, result);
  chosen = dyno_further_values_choose (G_LIST_MODEL (results), shown);
  rest = dyno_further_values_dup_rest (result, shown, chosen, format);
  parts = g_strsplit (rest, "; ", -1);
  g_assert_cmpuint (chosen->len, >, 0);
  g_assert_cmpuint (chosen->len, <, 10);
  g_assert_cmpuint (chosen->len + g_strv_length (parts), ==, 20);
}

/* The whole comes before its parts, however late the file tells it. */
static void
test_whole (void)
{
  g_autoptr (GListStore) results = g_list_store_new (DYNO_TYPE_RESULT);
  g_autoptr (DynoResult) result = create_result (0);
  g_autoptr (GPtrArray) chosen = NULL;

  import (result, "tracked_time_ms", 1, "ms");
  import (result, "energy_cpu_joules", 1, "J");
  import (result, "power_avg_watts", 1, "W");
  import (result, "energy_joules", 3, "J");
  g_list_store_append (results, result);
  chosen = dyno_further_values_choose (G_LIST_MODEL (results), shown);
  g_assert_cmpstr (chosen->pdata[0], ==, "energy_joules");
  g_assert_cmpstr (chosen->pdata[1], ==, "power_avg_watts");
  g_assert_cmpstr (chosen->pdata[2], ==, "tracked_time_ms");
}

/* A mean is told where it stands in for a median, or is another tool's. */
static void
test_mean (void)
{
  g_autoptr (DynoResult) own = create_result (0);
  g_autoptr (DynoResult) imported = create_result (1);
  g_autoptr (DynoResult) alone = create_result (2);

  dyno_result_add_measured (own, "latency_mean_ms", 1, "ms", "clock");
  dyno_result_add_measured (own, "latency_p50_ms", 1, "ms", "clock");
  import (imported, "latency_mean_ms", 1, "ms");
  import (imported, "latency_p50_ms", 1, "ms");
  dyno_result_add_measured (alone, "latency_mean_ms", 1, "ms", "clock");
  g_assert_false (dyno_further_values_tells_mean (own));
  g_assert_true (dyno_further_values_tells_mean (imported));
  g_assert_true (dyno_further_values_tells_mean (alone));
}

static const SuiteTest tests[] = {
  { "/insight/further-values/columns", test_columns },
  { "/insight/further-values/many", test_many },
  { "/insight/further-values/whole", test_whole },
  { "/insight/further-values/mean", test_mean },
};

SUITE_TESTS (tests)
