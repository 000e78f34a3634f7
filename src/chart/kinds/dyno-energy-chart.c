/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-chart-base-private.h"
#include "dyno-chart-cases.h"
#include "dyno-chart-kinds-private.h"
#include "dyno-chart-layers-private.h"
#include "dyno-unit.h"

static const DynoParetoMetric latency_metric = { "latency_p50_ms", "ms", N_ ("Median latency") };
static const DynoParetoMetric energy_metric = { "energy_per_item_joules", "J", N_ ("Energy per item") };

static double
get_latency (const DynoChartCase *kase)
{
  return dyno_pareto_get_number (kase, &latency_metric);
}

static double
get_energy (const DynoChartCase *kase)
{
  return dyno_pareto_get_number (kase, &energy_metric);
}

static gboolean
has_both (DynoResult *result)
{
  return dyno_result_get_number (result, "latency_p50_ms") > 0 &&
         dyno_result_get_number (result, "energy_per_item_joules") > 0;
}

static DynoSeries *
find_series (DynoChart *chart, GPtrArray *all, const DynoChartCase *kase, guint dimensions)
{
  g_autofree char *plain = dyno_chart_cases_dup_name (kase, dimensions);
  g_autofree char *name = dyno_energy_quality_dup_name (dyno_energy_quality_is_estimated (kase), plain);

  return dyno_chart_find_series (chart, all, kase, name, DYNO_COLOR_DIMENSIONS);
}

static char *
describe (guint n_cases, GPtrArray *front, guint varying)
{
  const DynoChartCase *fastest = g_ptr_array_index (front, 0);
  const DynoChartCase *thriftiest = g_ptr_array_index (front, front->len - 1);
  g_autofree char *fast = dyno_chart_cases_dup_name (fastest, varying);
  g_autofree char *thrifty = dyno_chart_cases_dup_name (thriftiest, varying);
  g_autofree char *latency = dyno_unit_format (get_latency (fastest), "ms");
  g_autofree char *energy = dyno_energy_quality_dup_amount (dyno_energy_quality_is_estimated (thriftiest),
                                                            get_energy (thriftiest), "J");

  if (n_cases == 1)
    return g_strdup_printf (_ ("%s takes %s per step and %s per item."), fast, latency, energy);
  if (front->len == 1)
    return g_strdup_printf (_ ("%s is both the fastest, %s, and the most efficient, %s per item."), fast,
                            latency, energy);
  return g_strdup_printf (_ ("The fastest is %s, %s; the most efficient is %s, %s per item."), fast, latency,
                          thrifty, energy);
}

/* Colours follow the order of the plan; points follow the order of latency. */
static GPtrArray *
create_series (DynoChart *chart, GPtrArray *cases, GPtrArray *sorted, guint varying)
{
  guint common = varying & DYNO_COLOR_DIMENSIONS;
  guint dimensions = common != 0 ? common : DYNO_DIMENSION_BACKEND;
  GPtrArray *all = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < cases->len; i++)
    find_series (chart, all, g_ptr_array_index (cases, i), dimensions);
  for (guint i = 0; i < sorted->len; i++)
    {
      const DynoChartCase *kase = g_ptr_array_index (sorted, i);
      DynoSeries *series = find_series (chart, all, kase, dimensions);
      g_autofree char *name = dyno_chart_cases_dup_name (kase, varying);
      g_autofree char *label =
          varying & ~dimensions ? dyno_chart_cases_dup_label (kase, varying & ~dimensions) : NULL;
      g_autofree char *latency = dyno_unit_format (get_latency (kase), "ms");
      g_autofree char *energy =
          dyno_energy_quality_dup_amount (dyno_energy_quality_is_estimated (kase), get_energy (kase), "J");
      /* Translators: a case, its latency, and the energy it needs for an item */
      g_autofree char *text = g_strdup_printf (_ ("%s: %s, %s per item"), name, latency, energy);
      guint index = dyno_series_get_length (series);

      if (!dyno_series_add_with_text (series, get_latency (kase), get_energy (kase), text))
        continue;
      dyno_series_set_label (series, index, label);
      dyno_chart_cases_mark_point (series, index, kase, "energy_per_item_joules");
      dyno_series_set_doubt (series, index, dyno_chart_cases_get_doubt (kase->result, "latency_p50_ms"));
      dyno_series_set_hollow (series, index, dyno_energy_quality_is_estimated (kase));
    }
  return all;
}

/* Measured cases are not compared with estimated ones, which have no front where both are shown. */
static void
build (DynoChart *chart, GPtrArray *cases)
{
  g_autoptr (GPtrArray) sorted = dyno_pareto_sort (cases, &latency_metric, &energy_metric);
  DynoEnergyQuality quality = dyno_energy_quality_from_cases (cases);
  guint varying = dyno_chart_cases_get_varying (cases);
  g_autofree char *caption = dyno_chart_cases_dup_labelled_caption (cases);
  g_autofree char *energy =
      dyno_energy_quality_dup_name (quality == DYNO_ENERGY_ESTIMATED, _ (energy_metric.title));
  DynoChartTable *table = dyno_chart_build_table (chart);

  g_autoptr (GPtrArray) comparable = dyno_energy_quality_select_comparable (sorted);
  g_autoptr (GPtrArray) front = dyno_pareto_find_front (comparable, &latency_metric, &energy_metric);
  g_autoptr (GPtrArray) all = create_series (chart, cases, sorted, varying);
  g_autoptr (DynoSeries) line = dyno_series_new (_ ("Best trade-offs (Pareto front)"), all->len);
  dyno_chart_take_axes (chart, dyno_pareto_create_axis (cases, &latency_metric, _ (latency_metric.title)),
                        dyno_pareto_create_axis (cases, &energy_metric, energy));
  for (guint i = 0; i < front->len; i++)
    dyno_series_add (line, get_latency (g_ptr_array_index (front, i)),
                     get_energy (g_ptr_array_index (front, i)));
  for (guint i = 0; i < all->len; i++)
    dyno_chart_add_series (chart, g_ptr_array_index (all, i));
  if (front->len > 1)
    {
      dyno_chart_add_series (chart, line);
      dyno_chart_take_layer (chart, dyno_guide_layer_new (line, TRUE));
    }
  for (guint i = 0; i < all->len; i++)
    dyno_chart_take_layer (chart, dyno_bubble_layer_new (g_ptr_array_index (all, i)));
  dyno_chart_table_add_case_columns (table, sorted, 0);
  dyno_chart_table_add_columns (table, _ ("Median latency (ms)"), _ ("Energy per item (J)"), _ ("Power"),
                                _ ("On the Pareto front"), NULL);
  for (guint i = 0; i < sorted->len; i++)
    {
      const DynoChartCase *kase = g_ptr_array_index (sorted, i);

      dyno_chart_table_begin_row (table, kase);
      dyno_chart_table_add_number (table, get_latency (kase));
      dyno_chart_table_add_number (table, get_energy (kase));
      dyno_chart_table_add_text (table,
                                 dyno_energy_quality_is_estimated (kase) ? _ ("estimated") : _ ("measured"));
      dyno_chart_table_add_text (table, g_ptr_array_find (front, kase, NULL) ? _ ("yes") : _ ("no"));
    }
  g_autofree char *finding = describe (comparable->len, front, varying);
  dyno_chart_take_title (chart, dyno_energy_quality_dup_heading (quality, dyno_chart_get_title (chart)));
  dyno_chart_take_caption (chart, dyno_energy_quality_dup_caption (cases, caption));
  dyno_chart_take_finding (chart, dyno_energy_quality_dup_finding (quality, finding));
}

const DynoChartInfo dyno_energy_chart = {
  .name = "energy-latency",
  .label = N_ ("Energy against latency"),
  .dup_empty = dyno_chart_cases_dup_no_energy,
  .group = DYNO_CHART_GROUP_ENERGY,
  .has_data = has_both,
  .build = build,
};
