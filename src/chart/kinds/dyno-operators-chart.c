/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-chart-base-private.h"
#include "dyno-chart-cases.h"
#include "dyno-chart-kinds-private.h"
#include "dyno-chart-layers-private.h"
#include "dyno-unit.h"

#define MAX_TYPES 15
/* The maximum number of bars in a row. */
#define MAX_LANES 3
/* Room behind the longest bar for its value, as a share of its length. */
#define LABEL_ROOM 0.4

/* All operators of one type on one provider, over all cases and for each case. */
typedef struct
{
  char *name;
  double total_ns;
  double time_ns[MAX_LANES];
  gint64 calls[MAX_LANES];
} Group;

static void
free_group (gpointer data)
{
  g_free (((Group *)data)->name);
  g_free (data);
}

static GHashTable *
list_providers (GPtrArray *cases)
{
  GHashTable *providers = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < cases->len; i++)
    {
      GPtrArray *operators =
          dyno_result_get_operators (((DynoChartCase *)g_ptr_array_index (cases, i))->result);

      for (guint j = 0; j < operators->len; j++)
        {
          DynoOperator *op = g_ptr_array_index (operators, j);

          if (dyno_operator_get_provider (op) != NULL)
            g_hash_table_add (providers, g_strdup (dyno_operator_get_provider (op)));
        }
    }
  return providers;
}

static void
add_operator (GHashTable *groups, DynoOperator *op, guint lane, gboolean with_provider)
{
  const char *provider = dyno_operator_get_provider (op);
  g_autofree char *name = g_strdup (dyno_operator_get_op_type (op));

  if (with_provider && provider != NULL)
    {
      g_autofree char *label = dyno_operator_dup_provider_label (op);

      g_free (name);
      name = g_strdup_printf ("%s · %s", dyno_operator_get_op_type (op), label);
    }
  Group *group = g_hash_table_lookup (groups, name);
  if (group == NULL)
    {
      group = g_new0 (Group, 1);
      group->name = g_strdup (name);
      g_hash_table_insert (groups, group->name, group);
    }
  group->total_ns += dyno_operator_get_time_ns (op);
  group->time_ns[lane] += dyno_operator_get_time_ns (op);
  group->calls[lane] += dyno_operator_get_calls (op);
}

static int
compare_groups (gconstpointer a, gconstpointer b)
{
  const Group *left = *(Group *const *)a;
  const Group *right = *(Group *const *)b;

  if (left->total_ns != right->total_ns)
    return left->total_ns > right->total_ns ? -1 : 1;
  return g_strcmp0 (left->name, right->name);
}

static GPtrArray *
collect_groups (GPtrArray *cases, gboolean with_provider)
{
  g_autoptr (GHashTable) by_name = g_hash_table_new (g_str_hash, g_str_equal);
  GPtrArray *groups = g_ptr_array_new_with_free_func (free_group);
  GHashTableIter iter;
  gpointer group;

  for (guint lane = 0; lane < cases->len; lane++)
    {
      GPtrArray *operators =
          dyno_result_get_operators (((DynoChartCase *)g_ptr_array_index (cases, lane))->result);

      for (guint i = 0; i < operators->len; i++)
        {
          DynoOperator *op = g_ptr_array_index (operators, i);

          if (dyno_operator_get_time_ns (op) > 0)
            add_operator (by_name, op, lane, with_provider);
        }
    }
  g_hash_table_iter_init (&iter, by_name);
  while (g_hash_table_iter_next (&iter, NULL, &group))
    g_ptr_array_add (groups, group);
  g_ptr_array_sort (groups, compare_groups);
  if (groups->len <= MAX_TYPES + 1)
    return groups;

  /* Folds all but the first types into one group. */
  Group *others = g_new0 (Group, 1);
  others->name = g_strdup_printf (ngettext ("%u other type", "%u other types", groups->len - MAX_TYPES),
                                  groups->len - MAX_TYPES);
  for (guint i = MAX_TYPES; i < groups->len; i++)
    {
      const Group *folded = g_ptr_array_index (groups, i);

      others->total_ns += folded->total_ns;
      for (guint lane = 0; lane < MAX_LANES; lane++)
        {
          others->time_ns[lane] += folded->time_ns[lane];
          others->calls[lane] += folded->calls[lane];
        }
    }
  g_ptr_array_set_size (groups, MAX_TYPES);
  g_ptr_array_add (groups, others);
  return groups;
}

static double
sum_lane (GPtrArray *groups, guint lane)
{
  double sum = 0;

  for (guint i = 0; i < groups->len; i++)
    sum += ((Group *)g_ptr_array_index (groups, i))->time_ns[lane];
  return sum;
}

static DynoSeries *
create_series (DynoChart *chart, GPtrArray *groups, const DynoChartCase *kase, const char *name, guint lane)
{
  DynoChartTable *table = dyno_chart_build_table (chart);
  DynoSeries *series = dyno_series_new (name, dyno_chart_get_slot (chart, kase, DYNO_ALL_DIMENSIONS));
  double total = sum_lane (groups, lane);

  for (guint i = 0; i < groups->len; i++)
    {
      const Group *group = g_ptr_array_index (groups, i);
      double share = 100 * group->time_ns[lane] / total;
      g_autofree char *percent = dyno_unit_format_percent (share);
      g_autofree char *time = dyno_unit_format (group->time_ns[lane] / 1e6, "ms");
      g_autofree char *calls = g_strdup_printf ("%" G_GINT64_FORMAT, group->calls[lane]);
      g_autofree char *text = g_strdup_printf (
          /* Translators: operator type, share of the time in per cent, time of all calls, number of calls */
          _ ("%s: %s %%, %s in %s calls"), group->name, percent, time, calls);

      if (group->time_ns[lane] > 0)
        dyno_series_add_with_text (series, i, share, text);
      dyno_chart_table_begin_row (table, kase);
      dyno_chart_table_add_text (table, group->name);
      dyno_chart_table_add_number (table, share);
      dyno_chart_table_add_number (table, group->time_ns[lane] / 1e6);
      dyno_chart_table_add_number (table, group->calls[lane]);
    }
  return series;
}

/* With several cases, the finding describes the first one; the picture shows the others next to it. */
static char *
describe (GPtrArray *groups, const char *name)
{
  double total = sum_lane (groups, 0);
  double greatest[3] = { 0 };
  const Group *first = NULL;

  for (guint i = 0; i < groups->len; i++)
    {
      const Group *group = g_ptr_array_index (groups, i);
      double time_ns = group->time_ns[0];

      first = first == NULL || time_ns > first->time_ns[0] ? group : first;
      for (guint j = 0; j < G_N_ELEMENTS (greatest); j++)
        if (time_ns > greatest[j])
          {
            double smaller = greatest[j];

            greatest[j] = time_ns;
            time_ns = smaller;
          }
    }
  g_autofree char *first_share = dyno_unit_format_percent (100 * greatest[0] / total);
  g_autofree char *three_share =
      dyno_unit_format_percent (100 * (greatest[0] + greatest[1] + greatest[2]) / total);
  if (name != NULL)
    return g_strdup_printf (_ ("%s: %s takes %s %% of the time, the first three types together %s %%."), name,
                            first->name, first_share, three_share);
  return g_strdup_printf (_ ("%s takes %s %% of the time, the first three types together %s %%."),
                          first->name, first_share, three_share);
}

static void
add_caption (DynoChart *chart, GHashTable *providers)
{
  g_autofree char *left_out = dyno_operator_times_dup_note (dyno_chart_get_cases (chart));
  g_autofree char *common = g_strconcat (dyno_chart_get_caption (chart), left_out, NULL);
  GHashTableIter iter;
  gpointer provider;

  if (g_hash_table_size (providers) != 1)
    {
      dyno_chart_take_caption (chart, g_steal_pointer (&common));
      return;
    }
  g_hash_table_iter_init (&iter, providers);
  g_hash_table_iter_next (&iter, &provider, NULL);
  dyno_chart_take_caption (
      chart, g_strdup_printf (
                 /* Translators: the second part says on which provider of the engine the operators ran */
                 _ ("%s\nAll operators ran on %s."), common, (const char *)provider));
}

static void
build (DynoChart *chart, GPtrArray *cases)
{
  g_autoptr (GHashTable) providers = list_providers (cases);
  g_autoptr (GPtrArray) groups = collect_groups (cases, g_hash_table_size (providers) > 1);
  guint varying = dyno_chart_cases_get_varying (cases);
  DynoChartTable *table = dyno_chart_build_table (chart);
  double longest = 0;
  DynoAxis *rows = dyno_category_axis_new (_ ("Operator type"));
  DynoAxis *shares = dyno_linear_axis_new (_ ("Share of the time"), "%");

  if (cases->len > 1)
    dyno_chart_table_add_case_columns (table, cases, 0);
  dyno_chart_table_add_columns (table, _ ("Operator type"), _ ("Share of the time (%)"),
                                _ ("Time of all calls (ms)"), _ ("Calls"), NULL);
  for (guint lane = 0; lane < cases->len; lane++)
    {
      const DynoChartCase *kase = g_ptr_array_index (cases, lane);
      g_autofree char *name = dyno_chart_cases_dup_marked_name (kase, varying, "latency_p50_ms");
      g_autoptr (DynoSeries) series = create_series (chart, groups, kase, name, lane);
      double least, most;

      if (dyno_series_get_extent (series, 0, groups->len, &least, &most))
        longest = MAX (longest, most);
      dyno_chart_add_series (chart, series);
      dyno_chart_take_layer (chart, dyno_bar_layer_new (series, lane, cases->len));
    }
  for (guint i = 0; i < groups->len; i++)
    dyno_category_axis_add (DYNO_CATEGORY_AXIS (rows), ((Group *)g_ptr_array_index (groups, i))->name);
  dyno_category_axis_set_n_lanes (DYNO_CATEGORY_AXIS (rows), cases->len);
  dyno_axis_set_range (shares, 0, longest * (1 + LABEL_ROOM));
  dyno_axis_set_limit (shares, longest);
  dyno_chart_take_axes (chart, shares, rows);
  add_caption (chart, providers);
  dyno_operator_times_tell_selection (chart);
  g_autofree char *first =
      cases->len > 1 ? dyno_chart_cases_dup_name (g_ptr_array_index (cases, 0), varying) : NULL;
  dyno_chart_take_finding (chart, describe (groups, first));
}

const DynoChartInfo dyno_operators_chart = {
  .name = "operators",
  .label = N_ ("Time per operator type"),
  .title = N_ ("Where the time goes"),
  .empty = N_ ("There are no times per operator."),
  .dup_empty = dyno_operator_times_dup_reasons,
  .group = DYNO_CHART_GROUP_OPERATORS,
  .flags = DYNO_CHART_OF_ONE_CASE,
  .has_data = dyno_operator_times_have_any,
  .limit = MAX_LANES,
  .build = build,
};
