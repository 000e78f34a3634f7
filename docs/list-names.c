/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <stdio.h>

#include "dyno-chart-kind-list.h"
#include "dyno-chart-kind.h"
#include "dyno-metric.h"

/* Prints the tables of the manual that list stable names: list-names values|imported|families|charts */

static const char *const groups[DYNO_N_CHART_GROUPS] = {
  [DYNO_CHART_GROUP_SPEED] = "speed",         [DYNO_CHART_GROUP_MEMORY] = "memory",
  [DYNO_CHART_GROUP_LIMITS] = "limits",       [DYNO_CHART_GROUP_ENERGY] = "energy",
  [DYNO_CHART_GROUP_OPERATORS] = "operators",
};

static void
print_value (const DynoMetricValue *value)
{
  printf ("| `%s` | %s%s%s%s | %s | %s |\n", value->name, value->title, value->note != NULL ? " (" : "",
          value->note != NULL ? value->note : "", value->note != NULL ? ")" : "",
          value->is_column ? "always" : "", value->more_is_better ? "more" : "");
}

static void
print_values (void)
{
  GPtrArray *values = dyno_metric_list_values ();
  guint n_others;
  const DynoMetricValue *others = dyno_metric_get_other_values (&n_others);

  printf ("| Name | Meaning | Column | Better |\n|---|---|---|---|\n");
  for (guint i = 0; i < values->len; i++)
    print_value (g_ptr_array_index (values, i));
  for (guint i = 0; i < n_others; i++)
    print_value (&others[i]);
}

static void
print_title (const char *name, const char *title, gpointer user_data)
{
  printf ("| `%s` | %s |\n", name, title);
}

static void
print_charts (void)
{
  printf ("| Name | Chart | Group |\n|---|---|---|\n");
  for (guint kind = 0; kind < DYNO_N_CHARTS; kind++)
    {
      const DynoChartInfo *info = dyno_chart_kind_get_info (kind);

      printf ("| `%s` | %s | %s |\n", info->name, info->label, groups[info->group]);
    }
}

int
main (int argc, char *argv[])
{
  const char *wanted = argc == 2 ? argv[1] : "";

  if (g_str_equal (wanted, "values"))
    print_values ();
  else if (g_str_equal (wanted, "charts"))
    print_charts ();
  else if (g_str_equal (wanted, "imported") || g_str_equal (wanted, "families"))
    {
      printf ("| Name | Meaning |\n|---|---|\n");
      (g_str_equal (wanted, "imported") ? dyno_metric_title_foreach_imported
                                        : dyno_metric_title_foreach_family) (print_title, NULL);
    }
  else
    return 2;
  return 0;
}
