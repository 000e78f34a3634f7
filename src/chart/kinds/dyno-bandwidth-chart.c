/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-chart-base-private.h"
#include "dyno-chart-kinds-private.h"
#include "dyno-chart-layers-private.h"
#include "dyno-unit.h"

/* Room behind the longest bar or limit for the values, as a share of its length. */
#define LABEL_ROOM 0.55

/* The roof of a result and a ceiling are the same if they differ by less than this. */
#define SAME 1e-6

/* The memory traffic of a case and the bandwidth available to it, in GB/s; NaN for unknown values; and the
 * ceiling that is its roof. */
typedef struct
{
  const DynoChartCase *kase;
  char *name;
  double model;
  double counted;
  double peak;
  double roof;
  double theoretical;
  DynoCeiling *memory;
} Traffic;

typedef struct
{
  GArray *traffic;
  DynoSeries *model;
  DynoSeries *counted;
  DynoSeries *roof;
  DynoSeries *theoretical;
} Bandwidth;

static void
clear_traffic (gpointer data)
{
  g_free (((Traffic *)data)->name);
}

static gboolean
has_traffic (DynoResult *result)
{
  return dyno_result_get_number (result, "avg_bandwidth_gbps") > 0;
}

static Traffic
create_traffic (const DynoChartCase *kase, guint varying)
{
  Traffic traffic = { .kase = kase, .name = dyno_chart_cases_dup_name (kase, varying) };
  DynoRoofs roofs;
  double average = dyno_result_get_number (kase->result, "avg_bandwidth_gbps");
  double utilisation = dyno_result_get_number (kase->result, "bandwidth_utilization_percent");
  gboolean is_model = dyno_chart_cases_is_estimated (kase->result, "avg_bandwidth_gbps");

  dyno_roofs_find (&roofs, kase, NULL);
  /* The result has one average: that of the counters, or that of the operands if nothing was counted. If there
   * are counters, the model is the operands of a step over its mean latency. */
  traffic.counted = is_model ? NAN : average;
  traffic.model = is_model ? average
                           : dyno_result_get_number (kase->result, "bytes_per_step") /
                                 dyno_result_get_number (kase->result, "latency_mean_ms") / 1e6;
  traffic.peak = dyno_result_get_number (kase->result, "peak_bandwidth_gbps");
  if (utilisation > 0)
    traffic.roof = 100 * average / utilisation;
  else
    traffic.roof = roofs.lines.n_levels > 0 ? dyno_ceiling_get_value (roofs.lines.levels[0]) / 1e9 : NAN;
  if (roofs.lines.n_levels > 0 &&
      fabs (traffic.roof / dyno_ceiling_get_value (roofs.lines.levels[0]) * 1e9 - 1) < SAME)
    traffic.memory = roofs.lines.levels[0];
  /* The bandwidth that the share refers to, else that of the memory modules or of the current ceilings. */
  utilisation = dyno_result_get_number (kase->result, "bandwidth_utilization_theoretical_percent");
  traffic.theoretical = dyno_result_get_number (kase->result, "peak_theoretical_bandwidth_gbps");
  if (utilisation > 0)
    traffic.theoretical = 100 * average / utilisation;
  else if (!isfinite (traffic.theoretical))
    traffic.theoretical = roofs.lines.n_levels > 0 && dyno_ceiling_get_theoretical (roofs.lines.levels[0]) > 0
                              ? dyno_ceiling_get_theoretical (roofs.lines.levels[0]) / 1e9
                              : NAN;
  return traffic;
}

static double
get_achieved (const Traffic *traffic)
{
  return isfinite (traffic->counted) ? traffic->counted : traffic->model;
}

static int
compare_traffic (gconstpointer a, gconstpointer b)
{
  double left = get_achieved (a);
  double right = get_achieved (b);

  return left > right ? -1 : left < right;
}

static char *
describe_share (const Traffic *traffic, double rate)
{
  g_autofree char *amount = dyno_unit_format (rate, "GB/s");
  g_autofree char *percent = dyno_unit_format_percent (100 * rate / traffic->roof);

  if (!isfinite (traffic->roof))
    return g_steal_pointer (&amount);
  /* Translators: a rate in GB/s, and its share of what the memory gives in per cent */
  return g_strdup_printf (_ ("%s, %s %% of the memory roof"), amount, percent);
}

static void
add_point (DynoSeries *series, guint row, const Traffic *traffic, double value, const char *text)
{
  g_autofree char *full = g_strdup_printf ("%s: %s", traffic->name, text);
  guint index = dyno_series_get_length (series);

  if (!dyno_series_add_with_text (series, row, value, full))
    return;
  dyno_chart_cases_mark_point (series, index, traffic->kase, "avg_bandwidth_gbps");
}

static void
add_row (Bandwidth *self, DynoChartTable *table, guint row, const Traffic *traffic)
{
  double achieved = get_achieved (traffic);
  const double numbers[] = {
    traffic->model,
    traffic->counted,
    traffic->peak,
    traffic->roof,
    traffic->theoretical,
    100 * achieved / traffic->roof,
    100 * achieved / traffic->theoretical,
  };
  g_autofree char *average = describe_share (traffic, achieved);
  g_autofree char *peak = dyno_unit_format (traffic->peak, "GB/s");
  g_autofree char *model = describe_share (traffic, traffic->model);
  g_autofree char *first = NULL;

  /* A counted peak is that of a moment, a modelled peak that of an operator. */
  if (!isfinite (traffic->peak))
    first = g_steal_pointer (&average);
  else
    first = isfinite (traffic->counted)
                ? g_strdup_printf (_ ("%s on average, %s peak"), average, peak)
                : g_strdup_printf (_ ("%s on average, %s in the fastest operator"), average, peak);
  add_point (self->counted, row, traffic, traffic->counted, first);
  add_point (self->model, row, traffic, traffic->model, isfinite (traffic->counted) ? model : first);
  dyno_series_add (self->roof, row, traffic->roof);
  dyno_series_add (self->theoretical, row, traffic->theoretical);
  dyno_chart_table_begin_row (table, traffic->kase);
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    dyno_chart_table_add_number (table, numbers[i]);
}

static char *
describe (const Traffic *first, const char *note)
{
  g_autofree char *amount = dyno_unit_format (get_achieved (first), "GB/s");
  g_autofree char *roof = isfinite (first->roof) ? dyno_unit_format (first->roof, "GB/s") : NULL;
  g_autofree char *percent = dyno_unit_format_percent (100 * get_achieved (first) / first->roof);

  if (roof == NULL)
    {
      g_autofree char *sentence =
          g_strdup_printf (_ ("%s has the highest bandwidth, %s."), first->name, amount);

      return dyno_sentences_join (sentence, note);
    }
  if (get_achieved (first) > first->roof)
    return g_strdup_printf (_ ("%s reaches %s, above the memory roof of %s: the data comes from caches."),
                            first->name, amount, roof);
  if (first->memory == NULL || !dyno_ceiling_is_disturbed (first->memory))
    return g_strdup_printf (_ ("%s has the highest bandwidth: %s, %s %% of the memory roof of %s."),
                            first->name, amount, percent, roof);
  g_autofree char *spread = dyno_unit_format_percent (100 * dyno_ceiling_get_spread (first->memory));
  return g_strdup_printf (
      _ ("%s has the highest bandwidth: %s, %s %% of the memory roof of %s, which varies by %s %%."),
      first->name, amount, percent, roof, spread);
}

static double
find_most (const Bandwidth *self)
{
  DynoSeries *const all[] = { self->model, self->counted, self->roof, self->theoretical };
  double most = 0;

  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    {
      double low, high;

      if (dyno_series_get_extent (all[i], 0, dyno_series_get_length (all[i]), &low, &high))
        most = MAX (most, high);
    }
  return most;
}

static void
add_bar_series (DynoChart *chart, DynoSeries *series, guint lane, guint n_lanes)
{
  if (dyno_series_get_length (series) == 0)
    return;
  DynoLayer *layer = dyno_bar_layer_new (series, lane, n_lanes);
  dyno_bar_layer_set_values_aside (DYNO_BAR_LAYER (layer), TRUE);
  dyno_chart_add_series (chart, series);
  dyno_chart_take_layer (chart, layer);
}

static void
add_limit_series (DynoChart *chart, DynoSeries *series, gboolean dashed)
{
  if (dyno_series_get_length (series) == 0)
    return;
  dyno_chart_add_series (chart, series);
  dyno_chart_take_layer (chart, dyno_limit_layer_new (series, dashed));
}

static void
add_caption (Bandwidth *self, DynoChart *chart, GPtrArray *cases, const char *note)
{
  g_autofree char *common = dyno_chart_cases_dup_caption (cases, 0);
  g_autoptr (GPtrArray) ceilings = g_ptr_array_new ();
  GString *caption = g_string_new (common);

  for (guint i = 0; i < self->traffic->len; i++)
    {
      DynoCeiling *memory = g_array_index (self->traffic, Traffic, i).memory;

      if (memory != NULL && !g_ptr_array_find_with_equal_func (ceilings, memory, dyno_ceiling_equal, NULL))
        g_ptr_array_add (ceilings, memory);
    }
  g_autofree char *disturbance = dyno_roofs_dup_disturbance (ceilings);
  if (disturbance != NULL)
    g_string_append_printf (caption, "\n%s", disturbance);
  g_string_append_c (caption, '\n');
  dyno_sentences_append (caption, _ ("Hatched bars are estimates: all bytes that operators read and write, "
                                     "in memory or in caches, divided by the time."));
  dyno_sentences_append (caption, note);
  dyno_chart_take_caption (chart, g_string_free (caption, FALSE));
}

static void
build (DynoChart *chart, GPtrArray *cases)
{
  g_autoptr (GArray) traffic = g_array_new (FALSE, FALSE, sizeof (Traffic));
  guint varying = dyno_chart_cases_get_varying (cases);
  DynoChartTable *table = dyno_chart_build_table (chart);
  g_autoptr (DynoMissingRoofs) missing = dyno_missing_roofs_new ();
  g_autoptr (DynoSeries) model = dyno_series_new (_ ("Bytes of the operators (estimated)"), 0);
  g_autoptr (DynoSeries) counted = dyno_series_new (_ ("Memory traffic (measured)"), 1);
  g_autoptr (DynoSeries) roof = dyno_series_new (_ ("Memory roof (measured)"), 2);
  g_autoptr (DynoSeries) theoretical = dyno_series_new (_ ("Memory roof (theoretical)"), 3);
  Bandwidth self = { traffic, model, counted, roof, theoretical };
  DynoAxis *rows = dyno_category_axis_new (_ ("Case"));
  DynoAxis *values = dyno_linear_axis_new (_ ("Bandwidth"), "GB/s");

  g_array_set_clear_func (traffic, clear_traffic);
  for (guint i = 0; i < cases->len; i++)
    {
      Traffic one = create_traffic (g_ptr_array_index (cases, i), varying);

      g_array_append_val (traffic, one);
    }
  g_array_sort (traffic, compare_traffic);
  dyno_series_set_mark (model, DYNO_MARK_HATCH);
  dyno_chart_table_add_case_columns (table, cases, 0);
  dyno_chart_table_add_columns (table, _ ("Estimated (GB/s)"), _ ("Measured (GB/s)"), _ ("Peak (GB/s)"),
                                _ ("Memory roof (GB/s)"), _ ("Theoretical (GB/s)"),
                                /* xgettext:no-c-format */ _ ("% of roof"),
                                /* xgettext:no-c-format */ _ ("% of theoretical"), NULL);
  for (guint i = 0; i < traffic->len; i++)
    {
      dyno_category_axis_add (DYNO_CATEGORY_AXIS (rows), g_array_index (traffic, Traffic, i).name);
      add_row (&self, table, i, &g_array_index (traffic, Traffic, i));
      if (!isfinite (g_array_index (traffic, Traffic, i).roof))
        dyno_missing_roofs_add (missing, g_array_index (traffic, Traffic, i).kase);
    }
  g_autofree char *note = dyno_missing_roofs_dup_note (missing);
  dyno_category_axis_set_n_lanes (DYNO_CATEGORY_AXIS (rows), dyno_series_get_length (counted) > 0 ? 2 : 1);
  dyno_axis_set_range (values, 0, find_most (&self) * (1 + LABEL_ROOM));
  dyno_axis_set_limit (values, find_most (&self));
  dyno_chart_take_axes (chart, values, rows);
  guint n_lanes =
      dyno_series_get_length (self.counted) > 0 && dyno_series_get_length (self.model) > 0 ? 2 : 1;
  add_bar_series (chart, self.counted, 0, n_lanes);
  add_bar_series (chart, self.model, n_lanes - 1, n_lanes);
  add_limit_series (chart, self.roof, FALSE);
  add_limit_series (chart, self.theoretical, TRUE);
  add_caption (&self, chart, cases, note);
  dyno_chart_take_finding (chart, describe (&g_array_index (traffic, Traffic, 0), note));
}

static char *
dup_empty_message (GPtrArray *cases)
{
  g_autofree char *reasons = dyno_chart_cases_dup_reasons (cases, "avg_bandwidth_gbps");

  if (*reasons != '\0')
    return g_strdup_printf (_ ("The memory traffic of these cases is unknown. %s"), reasons);
  return g_strdup (_ ("The memory traffic of these cases is unknown. Measure with a backend that reports its "
                      "operators, such as the CPU."));
}

const DynoChartInfo dyno_bandwidth_chart = {
  .name = "bandwidth",
  .label = N_ ("Bandwidth"),
  .title = N_ ("Memory bandwidth"),
  .dup_empty = dup_empty_message,
  .group = DYNO_CHART_GROUP_LIMITS,
  .flags = DYNO_CHART_HAS_ROOFS | DYNO_CHART_IS_WIDE,
  .has_data = has_traffic,
  .build = build,
};
