/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-chart-base-private.h"
#include "dyno-chart-cases.h"
#include "dyno-chart-layers-private.h"
#include "dyno-phase.h"
#include "dyno-stats.h"
#include "dyno-unit.h"

#define MAX_BINS 120
/* Fewer steps have no shape: each is a line of its own. */
#define FEW 10
/* Steps this many interquartile ranges beyond the quartiles are counted, but not drawn to scale. */
#define FENCE 8.0

/* The steps of one case, in order, and the values derived from them. */
typedef struct
{
  const DynoChartCase *kase;
  char *name;
  GArray *pool;
  gboolean is_part; /* of the selected time */
  const double *steps;
  guint n_steps;
  guint *counts;
  guint n_beyond;
} Sample;

/* The bins, the same for all samples. */
typedef struct
{
  double low;
  double high;
  double width;
  guint n_bins;
} Bins;

static void
clear_sample (gpointer data)
{
  Sample *sample = data;

  g_free (sample->name);
  g_free (sample->counts);
  g_array_unref (sample->pool);
}

static double
percentile (const Sample *sample, double percent)
{
  return dyno_stats_percentile (sample->steps, sample->n_steps, percent);
}

static double
get_least (const Sample *sample)
{
  return percentile (sample, 0);
}

static double
get_most (const Sample *sample)
{
  return percentile (sample, 100);
}

/* Returns how many steps are not above the value. */
static guint
count_up_to (const Sample *sample, double value)
{
  guint low = 0;
  guint high = sample->n_steps;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (sample->steps[middle] <= value)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

static gboolean
has_steady (DynoResult *result)
{
  return dyno_chart_cases_count_steady (result) > 0;
}

/* Returns the measured steps of a part of the time. */
static GArray *
pool_between (DynoResult *result, double from, double to)
{
  GArray *pool = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (DynoTrace) steps = dyno_chart_cases_join_trace (result, "latency");
  g_autoptr (DynoTrace) phases = dyno_chart_cases_join_trace (result, "phases");
  gsize next = 0;
  DynoPhase phase = DYNO_PHASE_MEASURE;

  for (gsize i = 0; steps != NULL && i < dyno_trace_get_length (steps); i++)
    {
      gint64 time = dyno_trace_get_times (steps)[i];

      for (; phases != NULL && next < dyno_trace_get_length (phases) &&
             dyno_trace_get_times (phases)[next] <= time;
           next++)
        phase = (DynoPhase)dyno_trace_get_values (phases)[next];
      if (phase == DYNO_PHASE_MEASURE && time / 1e9 >= from && time / 1e9 <= to)
        g_array_append_vals (pool, &dyno_trace_get_values (steps)[i], 1);
    }
  return pool;
}

static GArray *
collect_samples (DynoChart *chart, GPtrArray *cases)
{
  double from, to;
  GArray *samples = g_array_new (FALSE, FALSE, sizeof (Sample));
  guint varying = dyno_chart_cases_get_varying (cases);

  g_array_set_clear_func (samples, clear_sample);
  for (guint i = 0; i < cases->len; i++)
    {
      const DynoChartCase *kase = g_ptr_array_index (cases, i);
      Sample sample = { .kase = kase,
                        .name = dyno_chart_cases_dup_marked_name (kase, varying, "latency_p50_ms") };

      if (dyno_chart_get_selection (chart, &from, &to))
        sample.pool = pool_between (kase->result, from, to);
      sample.is_part = sample.pool != NULL && sample.pool->len > 0;
      if (sample.is_part)
        dyno_stats_sort ((double *)(void *)sample.pool->data, sample.pool->len);
      /* A part without a step has no distribution: that of the whole stays. */
      if (!sample.is_part)
        {
          g_clear_pointer (&sample.pool, g_array_unref);
          sample.pool = dyno_chart_cases_sort_steady (kase->result);
        }
      sample.steps = (const double *)(void *)sample.pool->data;
      sample.n_steps = sample.pool->len;
      g_array_append_val (samples, sample);
    }
  return samples;
}

/* Correlated steps count as fewer samples. */
static gboolean
supports_percentile (const Sample *sample, double percent)
{
  double n_effective = dyno_result_get_number (sample->kase->result, "latency_effective_samples");
  gsize n = isfinite (n_effective) ? MIN (sample->n_steps, (gsize)n_effective) : sample->n_steps;

  return dyno_stats_percentile_is_supported (n, percent);
}

static Bins
choose_bins (GArray *samples)
{
  Bins bins = { INFINITY, -INFINITY, INFINITY, 1 };
  guint n_most = 0;

  for (guint i = 0; i < samples->len; i++)
    {
      const Sample *sample = &g_array_index (samples, Sample, i);
      double range = percentile (sample, 75) - percentile (sample, 25);
      /* Freedman and Diaconis: twice the interquartile range over the cube root of the count. */
      double width = 2 * range / cbrt (sample->n_steps);
      double fence = percentile (sample, 75) + FENCE * range;
      double most = get_most (sample);

      if (supports_percentile (sample, 99))
        fence = MAX (fence, percentile (sample, 99));
      /* The slowest step that is no outlier. */
      if (range > 0 && !(most <= fence))
        {
          guint n_within = count_up_to (sample, fence);

          most = n_within > 0 ? sample->steps[n_within - 1] : get_least (sample);
        }
      bins.low = MIN (bins.low, get_least (sample));
      bins.high = MAX (bins.high, most);
      bins.width = width > 0 ? MIN (bins.width, width) : bins.width;
      n_most = MAX (n_most, sample->n_steps);
    }
  if (n_most < FEW && bins.high > bins.low)
    {
      double room = (bins.high - bins.low) / 20;

      bins.low = MAX (bins.low - room, 0);
      bins.high += room;
      bins.width = (bins.high - bins.low) / MAX_BINS;
    }
  if (bins.high <= bins.low)
    bins.high = bins.low > 0 ? bins.low * 1.01 : 1;
  bins.n_bins = (guint)CLAMP (ceil ((bins.high - bins.low) / bins.width), 1, MAX_BINS);
  bins.width = (bins.high - bins.low) / bins.n_bins;
  return bins;
}

/* Counts the steps in each bin. A single sample is drawn in steps; several samples, which can differ in length, in
 * shares. */
static DynoSeries *
create_series (Sample *sample, guint slot, const Bins *bins, gboolean in_shares)
{
  DynoSeries *series = dyno_series_new (sample->name, slot);
  guint *counts = sample->counts = g_new0 (guint, bins->n_bins);
  DynoUnit unit;

  guint n_within = count_up_to (sample, bins->high);
  guint n_counted = 0;
  sample->n_beyond = sample->n_steps - n_within;
  for (guint i = 0; i < bins->n_bins; i++)
    {
      double edge = bins->low + (i + 1) * bins->width;
      /* A step at an edge belongs to the bin above it. */
      guint n_below = i + 1 == bins->n_bins
                          ? n_within
                          : MIN (count_up_to (sample, nextafter (edge, -INFINITY)), n_within);

      counts[i] = n_below - n_counted;
      n_counted = n_below;
    }
  dyno_unit_choose ("ms", bins->high, &unit);
  for (guint i = 0; i < bins->n_bins; i++)
    {
      double low = bins->low + i * bins->width;
      g_autofree char *from = g_strdup_printf ("%.4g", low * unit.factor);
      g_autofree char *to =
          g_strdup_printf ("%.4g %s", (bins->low + (i + 1) * bins->width) * unit.factor, unit.name);
      g_autofree char *share = dyno_unit_format_number (100.0 * counts[i] / sample->n_steps, 1);
      g_autofree char *text =
          g_strdup_printf (ngettext ("%s to %s: %u step, %s %%", "%s to %s: %u steps, %s %%", counts[i]),
                           from, to, counts[i], share);

      dyno_series_add_with_text (series, low, in_shares ? 100.0 * counts[i] / sample->n_steps : counts[i],
                                 text);
    }
  return series;
}

static char *
describe_single (const Sample *sample)
{
  g_autofree char *slowest = dyno_unit_format (get_most (sample), "ms");
  g_autofree char *from = dyno_unit_format (percentile (sample, 25), "ms");
  g_autofree char *to = dyno_unit_format (percentile (sample, 75), "ms");

  if (sample->n_steps == 1)
    return g_strdup_printf (_ ("One step was measured: %s."), slowest);
  if (sample->n_steps < FEW)
    {
      g_autofree char *fastest = dyno_unit_format (get_least (sample), "ms");

      return g_strdup_printf (_ ("The fastest step takes %s, the slowest %s."), fastest, slowest);
    }
  return g_strdup_printf (_ ("Half of the steps take between %s and %s; the slowest takes %s."), from, to,
                          slowest);
}

static char *
describe_several (GArray *samples)
{
  const Sample *best = &g_array_index (samples, Sample, 0);
  const Sample *widest = best;

  for (guint i = 1; i < samples->len; i++)
    {
      const Sample *sample = &g_array_index (samples, Sample, i);

      best = percentile (sample, 50) < percentile (best, 50) ? sample : best;
      widest = get_most (sample) > get_most (widest) ? sample : widest;
    }
  g_autofree char *median = dyno_unit_format (percentile (best, 50), "ms");
  g_autofree char *slowest = dyno_unit_format (get_most (widest), "ms");
  return g_strdup_printf (_ ("%s has the lowest median, %s; the slowest step is one of %s, %s."), best->name,
                          median, widest->name, slowest);
}

static void
add_rule (DynoRuleLayer *rules, const Sample *sample, double percent)
{
  g_autofree char *label = NULL;

  if (!supports_percentile (sample, percent))
    return;
  g_autofree char *value = dyno_unit_format (percentile (sample, percent), "ms");
  label =
      percent == 50 ? g_strdup_printf (_ ("median %s"), value) : g_strdup_printf ("p%.0f %s", percent, value);
  dyno_rule_layer_add (rules, percentile (sample, percent), label);
}

static DynoLayer *
create_rules (const Sample *sample)
{
  DynoLayer *rules = dyno_rule_layer_new ();

  add_rule (DYNO_RULE_LAYER (rules), sample, 50);
  add_rule (DYNO_RULE_LAYER (rules), sample, 90);
  add_rule (DYNO_RULE_LAYER (rules), sample, 99);
  if (sample->n_beyond > 0)
    {
      g_autofree char *slowest = dyno_unit_format (get_most (sample), "ms");
      g_autofree char *note = g_strdup_printf (
          ngettext ("%u slower, %s →", "%u slower, up to %s →", sample->n_beyond), sample->n_beyond, slowest);

      dyno_rule_layer_set_note (DYNO_RULE_LAYER (rules), note);
    }
  return rules;
}

static void
add_row (DynoChartTable *table, const Sample *sample, double from, double to, guint count)
{
  dyno_chart_table_begin_row (table, sample->kase);
  dyno_chart_table_add_number (table, from);
  dyno_chart_table_add_number (table, to);
  dyno_chart_table_add_number (table, count);
}

static void
set_axes (DynoChart *chart, const Bins *bins, double most, gboolean in_shares)
{
  DynoAxis *x_axis = dyno_linear_axis_new (_ ("Latency of a step"), "ms");
  DynoAxis *y_axis =
      dyno_linear_axis_new (in_shares ? _ ("Share of the steps") : _ ("Steps"), in_shares ? "%" : "");

  dyno_axis_set_range (x_axis, bins->low, bins->high);
  dyno_axis_set_range (y_axis, 0, most * 1.12);
  dyno_axis_set_counts (y_axis, !in_shares);
  dyno_axis_set_limit (y_axis, in_shares ? 100 : INFINITY);
  dyno_axis_set_zoomable (x_axis, TRUE);
  dyno_chart_take_axes (chart, x_axis, y_axis);
}

static void
add_caption (DynoChart *chart, guint n_steps, guint n_beyond)
{
  const char *common = dyno_chart_get_caption (chart);
  g_autofree char *steps =
      g_strdup_printf (ngettext ("%u step was measured.", "%u steps were measured.", n_steps), n_steps);
  g_autofree char *beyond = NULL;

  if (n_beyond > 0)
    beyond = g_strdup_printf (
        ngettext ("%u step lies beyond the right edge.", "%u steps lie beyond the right edge.", n_beyond),
        n_beyond);
  dyno_chart_take_caption (chart, beyond != NULL ? g_strdup_printf ("%s\n%s %s", common, steps, beyond)
                                                 : g_strdup_printf ("%s\n%s", common, steps));
}

static void
build (DynoChart *chart, GPtrArray *cases)
{
  g_autoptr (GArray) samples = collect_samples (chart, cases);
  gboolean in_shares = samples->len > 1;
  Bins bins = choose_bins (samples);
  double most = 0;
  DynoChartTable *table = dyno_chart_build_table (chart);
  guint n_beyond = 0;
  guint n_steps = 0;

  if (samples->len > 1)
    dyno_chart_table_add_case_columns (table, cases, 0);
  dyno_chart_table_add_quantity (table, _ ("From"), "ms", bins.low, bins.high);
  dyno_chart_table_add_quantity (table, _ ("To"), "ms", bins.low, bins.high);
  dyno_chart_table_add_column (table, _ ("Steps"));
  for (guint i = 0; i < samples->len; i++)
    {
      Sample *sample = &g_array_index (samples, Sample, i);
      double least, highest;

      g_autoptr (DynoSeries) series = create_series (
          sample, dyno_chart_get_slot (chart, sample->kase, DYNO_ALL_DIMENSIONS), &bins, in_shares);
      dyno_series_get_extent (series, 0, bins.n_bins, &least, &highest);
      most = MAX (most, highest);
      n_beyond += sample->n_beyond;
      n_steps += sample->n_steps;
      dyno_chart_add_series (chart, series);
      dyno_chart_take_layer (chart, dyno_column_layer_new (series, bins.width, !in_shares));
      for (guint k = 0; k < bins.n_bins; k++)
        if (sample->n_steps >= FEW || sample->counts[k] > 0)
          add_row (table, sample, bins.low + k * bins.width, bins.low + (k + 1) * bins.width,
                   sample->counts[k]);
      if (sample->n_beyond > 0)
        add_row (table, sample, bins.high, get_most (sample), sample->n_beyond);
    }
  if (!in_shares)
    dyno_chart_take_layer (chart, create_rules (&g_array_index (samples, Sample, 0)));
  set_axes (chart, &bins, most, in_shares);
  add_caption (chart, n_steps, n_beyond);
  double begin, end;
  if (dyno_chart_get_selection (chart, &begin, &end) && g_array_index (samples, Sample, 0).is_part)
    {
      g_autofree char *from = dyno_unit_format (begin, "s");
      g_autofree char *to = dyno_unit_format (end, "s");

      dyno_chart_take_note (chart, g_strdup_printf (_ ("Only the steps from %s to %s."), from, to));
    }
  dyno_chart_take_finding (chart, in_shares ? describe_several (samples)
                                            : describe_single (&g_array_index (samples, Sample, 0)));
}

const DynoChartInfo dyno_distribution_chart = {
  .name = "distribution",
  .label = N_ ("Distribution of latency"),
  .empty = N_ ("There are no latencies per step."),
  .group = DYNO_CHART_GROUP_SPEED,
  .flags = DYNO_CHART_OF_ONE_CASE,
  .has_data = has_steady,
  .limit = DYNO_CHART_MAX_CASES,
  .build = build,
};
