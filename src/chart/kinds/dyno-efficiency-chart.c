/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-chart-base-private.h"
#include "dyno-chart-kinds-private.h"
#include "dyno-item-unit.h"
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

static gboolean
has_quantity (GPtrArray *cases, const Quantity *quantity)
{
  for (guint i = 0; i < cases->len; i++)
    if (get_number (g_ptr_array_index (cases, i), quantity) > 0)
      return TRUE;
  return FALSE;
}

/* Offers the quantities that some case has, and returns the chosen one. */
static const Quantity *
choose_quantity (DynoChart *chart, GPtrArray *cases)
{
  const Quantity *chosen = NULL;
  guint n_offered = 0;

  for (guint i = 0; i < G_N_ELEMENTS (quantities); i++)
    {
      if (!has_quantity (cases, &quantities[i]))
        continue;
      if (chosen == NULL || n_offered == dyno_chart_get_aspect (chart))
        chosen = &quantities[i];
      dyno_chart_add_aspect (chart, _ (quantities[i].title));
      n_offered++;
    }
  return chosen;
}

static int
compare_numbers (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const Quantity *quantity = user_data;
  double left = get_number (*(DynoChartCase *const *)a, quantity);
  double right = get_number (*(DynoChartCase *const *)b, quantity);
  int order = left < right ? -1 : left > right;

  return quantity->less_is_better ? order : -order;
}

static GPtrArray *
sort_cases (GPtrArray *cases, const Quantity *quantity)
{
  GPtrArray *sorted = g_ptr_array_new ();

  for (guint i = 0; i < cases->len; i++)
    if (get_number (g_ptr_array_index (cases, i), quantity) > 0)
      g_ptr_array_add (sorted, g_ptr_array_index (cases, i));
  g_ptr_array_sort_with_data (sorted, compare_numbers, (gpointer)quantity);
  return sorted;
}

static char *
describe_case (const DynoChartCase *kase, const Quantity *quantity, const char *name)
{
  g_autofree char *value =
      dyno_energy_quality_dup_amount (dyno_energy_quality_is_estimated (kase), get_number (kase, quantity),
                                      dyno_item_unit_get (kase->result, quantity->unit));

  return g_strdup_printf ("%s: %s", name, value);
}

static double
add_bars (DynoBars *bars, GPtrArray *sorted, guint varying, const Quantity *quantity)
{
  double most = 0;

  for (guint i = 0; i < sorted->len; i++)
    {
      const DynoChartCase *kase = g_ptr_array_index (sorted, i);
      g_autofree char *name = dyno_chart_cases_dup_name (kase, varying);
      g_autofree char *text = describe_case (kase, quantity, name);

      dyno_bars_add (bars, kase, get_number (kase, quantity), NAN, NAN, text);
      most = MAX (most, get_number (kase, quantity));
    }
  return most;
}

static const char *
get_quality (const DynoChartCase *kase)
{
  if (!has_energy (kase->result))
    return _ ("not measured");
  return dyno_energy_quality_is_estimated (kase) ? _ ("estimated") : _ ("measured");
}

/* Returns the source of the energy, or why there is none. */
static const char *
get_source (const DynoChartCase *kase)
{
  DynoValue *energy = dyno_result_get_value (kase->result, "energy_joules");

  return energy != NULL && dyno_value_get_source (energy) != NULL ? dyno_value_get_source (energy) : "";
}

static void
add_row (DynoChartTable *table, const DynoChartCase *kase)
{
  dyno_chart_table_begin_row (table, kase);
  for (guint i = 0; i < G_N_ELEMENTS (quantities); i++)
    dyno_chart_table_add_number (table, get_number (kase, &quantities[i]));
  dyno_chart_table_add_text (table, get_quality (kase));
  dyno_chart_table_add_text (table, get_source (kase));
}

static void
add_rows (DynoChart *chart, GPtrArray *all)
{
  DynoChartTable *table = dyno_chart_build_table (chart);

  dyno_chart_table_add_case_columns (table, all, 0);
  dyno_chart_table_add_columns (table, _ ("Items per joule"), _ ("GFLOP/s per watt"),
                                _ ("Energy per item (J)"), _ ("Energy per token (J)"), _ ("Power"),
                                _ ("Source"), NULL);
  for (guint i = 0; i < all->len; i++)
    add_row (table, g_ptr_array_index (all, i));
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
  g_autofree char *worst = NULL;
  g_autofree char *ratio = NULL;
  double share;

  if (sorted->len == 1)
    return quantity->less_is_better ? g_strdup_printf (_ ("%s needs %s."), best, value)
                                    : g_strdup_printf (_ ("%s reaches %s."), best, value);
  worst = dyno_chart_cases_dup_name (last, varying);
  share = get_number (first, quantity) / get_number (last, quantity);
  ratio = dyno_unit_format_ratio (quantity->less_is_better ? 1 / share : share);
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

/* Never compares a measured case with an estimated one. */
static void
add_words (DynoChart *chart, GPtrArray *cases, GPtrArray *sorted, const Quantity *quantity)
{
  DynoEnergyQuality quality = dyno_energy_quality_from_cases (sorted);
  g_autoptr (GPtrArray) comparable = dyno_energy_quality_select_comparable (sorted);
  g_autofree char *finding = describe (comparable, quantity, dyno_chart_cases_get_varying (cases));

  dyno_chart_take_title (chart, dyno_energy_quality_dup_heading (quality, dyno_chart_get_title (chart)));
  dyno_chart_take_finding (chart, dyno_energy_quality_dup_finding (quality, finding));
}

static void
build (DynoChart *chart, GPtrArray *cases)
{
  const Quantity *quantity = choose_quantity (chart, cases);
  g_autoptr (GPtrArray) sorted = sort_cases (cases, quantity);
  guint varying = dyno_chart_cases_get_varying (cases);
  g_autoptr (DynoBars) bars =
      dyno_bars_new (chart, cases, varying, quantity->value, dyno_energy_quality_is_estimated);
  gboolean estimated = dyno_energy_quality_from_cases (sorted) == DYNO_ENERGY_ESTIMATED;
  g_autofree char *along = dyno_energy_quality_dup_name (estimated, _ (quantity->title));
  DynoAxis *values = dyno_linear_axis_new (along, dyno_chart_cases_get_unit (cases, quantity->unit));
  double most;

  most = add_bars (bars, sorted, varying, quantity);
  dyno_axis_set_range (values, 0, most * (1 + LABEL_ROOM));
  dyno_axis_set_limit (values, most);
  dyno_bars_fill (bars, values);
  add_words (chart, cases, sorted, quantity);
  add_caption (chart, cases, quantity);
  add_rows (chart, dyno_chart_get_cases (chart));
}

const DynoChartInfo dyno_efficiency_chart = {
  .name = "power-efficiency",
  .label = N_ ("Energy efficiency"),
  .dup_empty = dyno_chart_cases_dup_no_energy,
  .group = DYNO_CHART_GROUP_ENERGY,
  .has_data = has_energy,
  .build = build,
};
