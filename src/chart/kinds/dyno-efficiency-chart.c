/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-cases.h"
#include "dyno-chart-base-private.h"
#include "dyno-chart-kinds-private.h"
#include "dyno-unit.h"

/* Room behind the longest bar for its value, as a share of its length. */
#define LABEL_ROOM 0.22

/* The quantities that can be shown if there are numbers. */
typedef struct
{
  const char *value;
  const char *unit;
  const char *title;
  gboolean less_is_better;
} Quantity;

static const Quantity quantities[] = {
  { "throughput_per_watt", "1/s/W", N_ ("Items per joule"), FALSE },
  { "gflops_per_watt", "GFLOP/s/W", N_ ("GFLOP/s per watt"), FALSE },
  { "energy_per_item_joules", "J", N_ ("Energy per item"), TRUE },
  { "energy_per_token_joules", "J", N_ ("Energy per token"), TRUE },
};

static double
get_number (const DynoChartCase *kase, const Quantity *quantity)
{
  return dyno_result_get_number (kase->result, quantity->value);
}

static gboolean
has_energy (DynoResult *result)
{
  return dyno_result_get_number (result, "energy_per_item_joules") > 0;
}

/* Offers the quantities that some case has, and returns the chosen one. */
static const Quantity *
choose_quantity (DynoChart *chart, GPtrArray *cases)
{
  const Quantity *chosen = NULL;
  guint n_offered = 0;

  for (guint i = 0; i < G_N_ELEMENTS (quantities); i++)
    {
      gboolean is_known = FALSE;

      for (guint k = 0; k < cases->len; k++)
        is_known |= get_number (g_ptr_array_index (cases, k), &quantities[i]) > 0;
      if (!is_known)
        continue;
      if (chosen == NULL || n_offered == dyno_chart_get_aspect (chart))
        chosen = &quantities[i];
      dyno_chart_add_aspect (chart, _ (quantities[i].title));
      n_offered++;
    }
  return chosen;
}

/* Lists the cases that have the quantity, the most efficient first. */
static GPtrArray *
list_sorted (GPtrArray *cases, const Quantity *quantity)
{
  GPtrArray *sorted = g_ptr_array_new ();

  for (guint i = 0; i < cases->len; i++)
    if (get_number (g_ptr_array_index (cases, i), quantity) > 0)
      g_ptr_array_add (sorted, g_ptr_array_index (cases, i));
  dyno_chart_cases_sort (sorted, quantity->value, !quantity->less_is_better);
  return sorted;
}

static void
add_row (DynoChartTable *table, const DynoChartCase *kase)
{
  DynoValue *energy = dyno_result_get_value (kase->result, "energy_joules");

  dyno_chart_table_begin_row (table, kase);
  for (guint i = 0; i < G_N_ELEMENTS (quantities); i++)
    dyno_chart_table_add_number (table, get_number (kase, &quantities[i]));
  dyno_chart_table_add_text (table, !has_energy (kase->result)                ? _ ("not measured")
                                    : dyno_energy_quality_is_estimated (kase) ? _ ("estimated")
                                                                              : _ ("measured"));
  dyno_chart_table_add_text (
      table, energy != NULL && dyno_value_get_source (energy) != NULL ? dyno_value_get_source (energy) : "");
}

/* Describes the cases, the most efficient first. */
static char *
describe (GPtrArray *sorted, const Quantity *quantity, guint varying)
{
  const DynoChartCase *first = g_ptr_array_index (sorted, 0);
  const DynoChartCase *last = g_ptr_array_index (sorted, sorted->len - 1);
  g_autofree char *best = dyno_chart_cases_dup_name (first, varying);
  g_autofree char *value =
      dyno_energy_quality_dup_amount (dyno_energy_quality_is_estimated (first), get_number (first, quantity),
                                      dyno_item_unit_get (first->result, quantity->unit));

  if (sorted->len == 1)
    return quantity->less_is_better ? g_strdup_printf (_ ("%s needs %s."), best, value)
                                    : g_strdup_printf (_ ("%s reaches %s."), best, value);
  g_autofree char *worst = dyno_chart_cases_dup_name (last, varying);
  double share = get_number (first, quantity) / get_number (last, quantity);
  g_autofree char *ratio = dyno_unit_format_ratio (quantity->less_is_better ? 1 / share : share);
  return g_strdup_printf (_ ("%s is the most efficient: %s, %s× as efficient as %s."), best, value, ratio,
                          worst);
}

static gboolean
lacks_energy (DynoResult *result)
{
  return !has_energy (result);
}

static void
add_caption (DynoChart *chart, GPtrArray *cases, const Quantity *quantity)
{
  g_autofree char *plain = dyno_chart_cases_dup_caption (cases, 0);
  g_autofree char *common = dyno_energy_quality_dup_caption (cases, plain);
  g_autoptr (GPtrArray) without =
      dyno_chart_cases_select (dyno_chart_get_cases (chart), lacks_energy, G_MAXUINT);
  g_autofree char *reasons = dyno_chart_cases_dup_reasons (without, "energy_joules");
  GString *caption = g_string_new (common);

  if (g_str_equal (quantity->value, "gflops_per_watt"))
    g_string_append_printf (caption, "\n%s",
                            _ ("FLOPs are calculated from the operators’ shapes, not measured."));
  if (without->len > 0)
    {
      g_string_append_c (caption, '\n');
      g_string_append_printf (
          caption,
          ngettext ("%u case has no energy values. %s", "%u cases have no energy values. %s", without->len),
          without->len, reasons);
    }
  dyno_chart_take_caption (chart, g_string_free (caption, FALSE));
}

static void
build (DynoChart *chart, GPtrArray *cases)
{
  const Quantity *quantity = choose_quantity (chart, cases);
  g_autoptr (GPtrArray) sorted = list_sorted (cases, quantity);
  g_autoptr (GPtrArray) comparable = dyno_energy_quality_select_comparable (sorted);
  DynoEnergyQuality quality = dyno_energy_quality_from_cases (sorted);
  guint varying = dyno_chart_cases_get_varying (cases);
  g_autoptr (DynoBars) bars =
      dyno_bars_new (chart, cases, varying, quantity->value, dyno_energy_quality_is_estimated);
  g_autofree char *along =
      dyno_energy_quality_dup_name (quality == DYNO_ENERGY_ESTIMATED, _ (quantity->title));
  g_autofree char *finding = describe (comparable, quantity, varying);
  DynoAxis *values = dyno_linear_axis_new (along, dyno_chart_cases_get_unit (cases, quantity->unit));
  GPtrArray *all = dyno_chart_get_cases (chart);
  DynoChartTable *table = dyno_chart_build_table (chart);
  double most = 0;

  for (guint i = 0; i < sorted->len; i++)
    {
      const DynoChartCase *kase = g_ptr_array_index (sorted, i);
      g_autofree char *name = dyno_chart_cases_dup_name (kase, varying);
      g_autofree char *value = dyno_energy_quality_dup_amount (
          dyno_energy_quality_is_estimated (kase), get_number (kase, quantity),
          dyno_item_unit_get (kase->result, quantity->unit));
      g_autofree char *text = g_strdup_printf ("%s: %s", name, value);

      dyno_bars_add (bars, kase, get_number (kase, quantity), NAN, NAN, text);
      most = MAX (most, get_number (kase, quantity));
    }
  dyno_axis_set_range (values, 0, most * (1 + LABEL_ROOM));
  dyno_axis_set_limit (values, most);
  dyno_bars_fill (bars, values);
  /* Cases that lack the chosen quantity are not shown. */
  dyno_chart_tell_doubtful (chart, sorted);
  dyno_chart_take_title (chart, dyno_energy_quality_dup_heading (quality, dyno_chart_get_title (chart)));
  dyno_chart_take_finding (chart, dyno_energy_quality_dup_finding (quality, finding));
  add_caption (chart, cases, quantity);
  dyno_chart_table_add_case_columns (table, all, 0);
  dyno_chart_table_add_columns (table, _ ("Items per joule"), _ ("GFLOP/s per watt"),
                                _ ("Energy per item (J)"), _ ("Energy per token (J)"), _ ("Power"),
                                _ ("Source"), NULL);
  for (guint i = 0; i < all->len; i++)
    add_row (table, g_ptr_array_index (all, i));
}

const DynoChartInfo dyno_efficiency_chart = {
  .name = "power-efficiency",
  .label = N_ ("Energy efficiency"),
  .dup_empty = dyno_chart_cases_dup_no_energy,
  .group = DYNO_CHART_GROUP_ENERGY,
  .has_data = has_energy,
  .build = build,
};
