/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-cases.h"
#include "dyno-chart-base-private.h"
#include "dyno-chart-kinds-private.h"
#include "dyno-chart-layers-private.h"
#include "dyno-unit.h"

static double
get_number (const DynoChartCase *kase, const char *name)
{
  return dyno_result_get_number (kase->result, name);
}

/* The energy per item depends on the share of idle time, so the chart only shows cases with a load of their
 * own. */
static gboolean
has_energy (DynoResult *result)
{
  return dyno_load_points_has_any (result) && dyno_result_get_number (result, "energy_per_item_joules") > 0 &&
         dyno_result_get_number (result, "throughput_items_per_sec") > 0;
}

/* Returns whether the rate is overloaded: the throughput is then the same at every rate. */
static gboolean
is_overloaded (const DynoChartCase *kase)
{
  return dyno_result_find_message (kase->result, "overloaded") != NULL;
}

/* Closed loops and rates never share a series, nor do measured and estimated cases. */
static void
add_point (GPtrArray *energies, GPtrArray *powers, GPtrArray *cases, const DynoChartCase *kase)
{
  const DynoLoadMark mark = { .kase = kase };
  gboolean is_estimated = dyno_energy_quality_is_estimated (kase);
  const char *plain = is_overloaded (kase)                        ? _ ("overloaded")
                      : dyno_load_points_has_rates (kase->result) ? _ ("rates")
                                                                  : _ ("closed loops");
  g_autofree char *what = dyno_energy_quality_dup_name (is_estimated, plain);
  DynoSeries *energy = dyno_load_points_find_series (energies, cases, &mark, what, 0);
  DynoSeries *power = dyno_load_points_find_series (powers, cases, &mark, what, 0);
  double throughput = get_number (kase, "throughput_items_per_sec");
  g_autofree char *rate = dyno_unit_format (throughput, dyno_item_unit_get (kase->result, "1/s"));
  g_autofree char *amount =
      dyno_energy_quality_dup_amount (is_estimated, get_number (kase, "energy_per_item_joules"), "J");
  g_autofree char *text = g_strdup_printf (_ ("%s: %s per item"), rate, amount);

  if (!dyno_series_has_leader (power))
    dyno_series_set_leader (power, energy);
  if (!dyno_series_add_with_text (energy, throughput, get_number (kase, "energy_per_item_joules"), text))
    return;
  dyno_chart_cases_mark_point (energy, dyno_series_get_length (energy) - 1, kase, "energy_per_item_joules");
  dyno_series_set_hollow (energy, dyno_series_get_length (energy) - 1, is_overloaded (kase));
  if (dyno_series_add (power, throughput, get_number (kase, "power_avg_watts")))
    dyno_series_set_hollow (power, dyno_series_get_length (power) - 1, is_overloaded (kase));
}

static double
find_most (GPtrArray *cases, const char *name)
{
  double most = 0;

  for (guint i = 0; i < cases->len; i++)
    if (get_number (cases->pdata[i], name) > most)
      most = get_number (cases->pdata[i], name);
  return most;
}

/* Draws overloaded points without a line. */
static DynoLayer *
create_layer (DynoSeries *series)
{
  return dyno_series_get_hollow (series, 0) ? dyno_bubble_layer_new (series) : dyno_line_layer_new (series);
}

static char *
describe (GPtrArray *cases)
{
  const DynoChartCase *best = NULL;

  for (guint i = 0; i < cases->len; i++)
    if (!is_overloaded (cases->pdata[i]) &&
        (best == NULL || get_number (cases->pdata[i], "energy_per_item_joules") <
                             get_number (best, "energy_per_item_joules")))
      best = cases->pdata[i];

  if (best == NULL)
    return g_strdup (
        _ ("Every rate was overloaded. Choose lower rates to see at which an item needs least."));
  g_autofree char *amount = dyno_energy_quality_dup_amount (dyno_energy_quality_is_estimated (best),
                                                            get_number (best, "energy_per_item_joules"), "J");
  g_autofree char *rate = dyno_unit_format (get_number (best, "throughput_items_per_sec"),
                                            dyno_item_unit_get (best->result, "1/s"));
  return g_strdup_printf (_ ("Energy per item is lowest at %s: %s."), rate, amount);
}

static void
build (DynoChart *chart, GPtrArray *cases)
{
  g_autoptr (GPtrArray) energies = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) powers = g_ptr_array_new_with_free_func (g_object_unref);
  DynoChartTable *table = dyno_chart_build_table (chart);

  dyno_chart_cases_sort (cases, "throughput_items_per_sec", FALSE);
  for (guint i = 0; i < cases->len; i++)
    add_point (energies, powers, cases, cases->pdata[i]);
  dyno_chart_take_axes (
      chart,
      dyno_linear_axis_new_nice (_ ("Throughput"), dyno_chart_cases_get_unit (cases, "1/s"), 0,
                                 find_most (cases, "throughput_items_per_sec")),
      dyno_linear_axis_new_nice (_ ("Energy per item"), "J", 0, find_most (cases, "energy_per_item_joules")));
  dyno_chart_take_lower_axis (
      chart, dyno_linear_axis_new_nice (_ ("Power"), "W", 0, find_most (cases, "power_avg_watts")));
  for (guint i = 0; i < energies->len; i++)
    {
      dyno_chart_add_series (chart, energies->pdata[i]);
      dyno_chart_take_layer (chart, create_layer (energies->pdata[i]));
      dyno_chart_take_lower_layer (chart, create_layer (powers->pdata[i]));
    }
  dyno_chart_table_add_case_columns (table, cases, DYNO_DIMENSION_LOAD);
  dyno_chart_table_add_columns (table, _ ("Throughput (1/s)"), _ ("Energy per item (J)"), _ ("Power (W)"),
                                _ ("Quality"), NULL);
  for (guint i = 0; i < cases->len; i++)
    {
      const DynoChartCase *kase = cases->pdata[i];

      dyno_chart_table_begin_row (table, kase);
      dyno_chart_table_add_number (table, get_number (kase, "throughput_items_per_sec"));
      dyno_chart_table_add_number (table, get_number (kase, "energy_per_item_joules"));
      dyno_chart_table_add_number (table, get_number (kase, "power_avg_watts"));
      dyno_chart_table_add_text (table,
                                 dyno_energy_quality_is_estimated (kase) ? _ ("estimated") : _ ("measured"));
      if (is_overloaded (kase))
        dyno_chart_take_note (chart,
                              g_strdup (_ ("Hollow points are overloaded: the queue grew throughout.")));
    }
  dyno_chart_take_caption (chart, dyno_chart_cases_dup_caption (cases, DYNO_DIMENSION_LOAD));
  dyno_chart_take_finding (chart, describe (cases));
}

const DynoChartInfo dyno_energy_rate_chart = {
  .name = "energy-rate",
  .label = N_ ("Energy against rate"),
  .dup_empty = dyno_chart_cases_dup_no_energy,
  .group = DYNO_CHART_GROUP_ENERGY,
  .has_data = has_energy,
  .build = build,
};
