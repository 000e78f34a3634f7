/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-band-layer.h"
#include "dyno-chart-cases.h"
#include "dyno-chart-private.h"
#include "dyno-line-layer.h"
#include "dyno-linear-axis.h"
#include "dyno-log-axis.h"
#include "dyno-quantiles.h"
#include "dyno-rate-interval.h"
#include "dyno-scaling-chart.h"
#include "dyno-unit.h"

/* Beyond this ratio of the greatest to the least value, equal ratios get equal room. */
#define LOG_RATIO 40
/* Where a curve has come so near to its best, it has stopped growing. */
#define KNEE_SHARE 0.95
/* Smaller changes are not called growth. */
#define MIN_GROWTH 1.05
/* From so many steps on the 5th and 95th percentile describe the spread. */
#define MIN_SPREAD 20

typedef enum
{
  BAND_NONE,
  BAND_INTERVAL,
  BAND_SPREAD,
  BAND_RATE,
} Band;

/* What is to be drawn: one number of each case against one of its sizes. */
typedef struct
{
  GPtrArray *cases;
  DynoDimension sweep;
  const char *value;
  const char *unit;
  gboolean is_latency;
  Band band;
  guint name_dimensions;
  GPtrArray *series;
} Scaling;

static double
get_size (const DynoChartCase *kase, DynoDimension sweep)
{
  DynoCase *what = dyno_result_get_case (kase->result);

  return sweep == DYNO_DIMENSION_SEQUENCE ? dyno_case_get_sequence_length (what)
                                          : dyno_case_get_batch_size (what);
}

static guint
count_sizes (GPtrArray *cases, DynoDimension sweep)
{
  g_autoptr (GHashTable) sizes = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < cases->len; i++)
    {
      guint size = (guint)get_size (g_ptr_array_index (cases, i), sweep);

      if (size > 0)
        g_hash_table_add (sizes, GUINT_TO_POINTER (size));
    }
  return g_hash_table_size (sizes);
}

static gboolean
has_latency (DynoResult *result)
{
  return isfinite (dyno_result_get_number (result, "latency_p50_ms"));
}

static gboolean
has_items (DynoResult *result)
{
  return isfinite (dyno_result_get_number (result, "throughput_items_per_sec"));
}

static gboolean
has_tokens (DynoResult *result)
{
  return isfinite (dyno_result_get_number (result, "throughput_tokens_per_sec"));
}

/* A model of pictures has no place on an axis of sequence lengths. */
static gboolean
has_sequence (DynoResult *result)
{
  return dyno_case_get_sequence_length (dyno_result_get_case (result)) > 0;
}

static gboolean
has_interval (DynoResult *result)
{
  return has_latency (result) && isfinite (dyno_result_get_number (result, "latency_median_low_ms")) &&
         isfinite (dyno_result_get_number (result, "latency_median_high_ms"));
}

static gboolean
has_spread (DynoResult *result)
{
  return dyno_chart_cases_count_steady (result) >= MIN_SPREAD;
}

static gboolean
all_have (GPtrArray *cases, gboolean (*has_data) (DynoResult *result))
{
  for (guint i = 0; i < cases->len; i++)
    if (!has_data (((DynoChartCase *)g_ptr_array_index (cases, i))->result))
      return FALSE;
  return cases->len > 0;
}

static void
get_spread (DynoResult *result, double *low, double *high)
{
  static const double percents[] = { 5, 95 };
  guint n_steps;
  const double *steps = dyno_chart_cases_get_steady (result, &n_steps);
  double spread[G_N_ELEMENTS (percents)];

  dyno_quantiles_find (steps, n_steps, percents, G_N_ELEMENTS (percents), spread);
  *low = spread[0];
  *high = spread[1];
}

static void
get_band (const Scaling *self, DynoResult *result, double y, double *low, double *high)
{
  *low = *high = NAN;
  if (self->band == BAND_RATE)
    dyno_rate_interval_find (result, y, low, high);
  else if (self->band == BAND_SPREAD)
    get_spread (result, low, high);
  else if (self->band == BAND_INTERVAL)
    {
      *low = dyno_result_get_number (result, "latency_median_low_ms");
      *high = dyno_result_get_number (result, "latency_median_high_ms");
    }
}

static int
compare_sizes (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const Scaling *self = user_data;
  double left = get_size (*(DynoChartCase *const *)a, self->sweep);
  double right = get_size (*(DynoChartCase *const *)b, self->sweep);

  return left < right ? -1 : left > right;
}

static void
fill_series (Scaling *self)
{
  g_autoptr (GPtrArray) sorted = g_ptr_array_copy (self->cases, NULL, NULL);

  g_ptr_array_set_free_func (sorted, NULL);
  /* In the order of the plan first, so that each series keeps its colour. */
  for (guint i = 0; i < self->cases->len; i++)
    dyno_chart_cases_find_series (self->series, g_ptr_array_index (self->cases, i), self->name_dimensions);
  g_ptr_array_sort_with_data (sorted, compare_sizes, self);
  for (guint i = 0; i < sorted->len; i++)
    {
      const DynoChartCase *kase = g_ptr_array_index (sorted, i);
      DynoSeries *series = dyno_chart_cases_find_series (self->series, kase, self->name_dimensions);
      double y = dyno_result_get_number (kase->result, self->value);
      double low, high;

      get_band (self, kase->result, y, &low, &high);
      dyno_series_add_with_band (series, get_size (kase, self->sweep), y, low, high);
    }
}

static void
get_extent (Scaling *self, double *least, double *most)
{
  *least = INFINITY;
  *most = -INFINITY;
  for (guint i = 0; i < self->series->len; i++)
    {
      DynoSeries *series = g_ptr_array_index (self->series, i);

      for (guint j = 0; j < dyno_series_get_length (series); j++)
        {
          double low = dyno_series_get_y (series)[j];
          double high = low;

          dyno_series_get_band (series, j, &low, &high);
          *least = MIN (*least, low);
          *most = MAX (*most, high);
        }
    }
}

static gboolean
are_powers_of_two (GPtrArray *cases, DynoDimension sweep)
{
  for (guint i = 0; i < cases->len; i++)
    {
      guint size = (guint)get_size (g_ptr_array_index (cases, i), sweep);

      if (size == 0 || (size & (size - 1)) != 0)
        return FALSE;
    }
  return TRUE;
}

static DynoAxis *
create_x_axis (Scaling *self)
{
  const char *title = self->sweep == DYNO_DIMENSION_SEQUENCE ? _ ("Sequence length") : _ ("Batch size");
  gboolean is_log = are_powers_of_two (self->cases, self->sweep);
  DynoAxis *axis = is_log ? dyno_log_axis_new (title, "", 2) : dyno_linear_axis_new (title, "");
  double least = INFINITY;
  double most = 0;

  for (guint i = 0; i < self->cases->len; i++)
    {
      double size = get_size (g_ptr_array_index (self->cases, i), self->sweep);

      least = MIN (least, size);
      most = MAX (most, size);
    }
  dyno_axis_set_range (axis, least, most);
  dyno_axis_set_zoomable (axis, TRUE);
  return axis;
}

static DynoAxis *
create_y_axis (Scaling *self)
{
  const char *title = self->is_latency ? _ ("Latency") : _ ("Throughput");
  DynoAxis *axis;
  double least, most;

  get_extent (self, &least, &most);
  if (least > 0 && most / least > LOG_RATIO)
    {
      axis = dyno_log_axis_new (title, self->unit, 10);
      dyno_axis_set_range (axis, least / 1.3, most * 1.3);
    }
  else
    {
      axis = dyno_linear_axis_new (title, self->unit);
      dyno_linear_axis_set_nice_range (axis, 0, most);
    }
  dyno_axis_set_zoomable (axis, TRUE);
  return axis;
}

/* --- the finding --- */

typedef struct
{
  char *from;
  char *to;
  char *knee;
  char *growth;
  char *work;
} Words;

static void
clear_words (Words *words)
{
  g_free (words->from);
  g_free (words->to);
  g_free (words->knee);
  g_free (words->growth);
  g_free (words->work);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Words, clear_words)

static guint
find_greatest (DynoSeries *series)
{
  const double *y = dyno_series_get_y (series);
  guint greatest = 0;

  for (guint i = 1; i < dyno_series_get_length (series); i++)
    if (y[i] > y[greatest])
      greatest = i;
  return greatest;
}

static guint
find_knee (DynoSeries *series, guint greatest)
{
  const double *y = dyno_series_get_y (series);

  for (guint i = 0; i < greatest; i++)
    if (y[i] >= KNEE_SHARE * y[greatest])
      return i;
  return greatest;
}

static char *
describe_throughput_growth (DynoSeries *series, gboolean is_sequence)
{
  const double *x = dyno_series_get_x (series);
  const double *y = dyno_series_get_y (series);
  guint last = dyno_series_get_length (series) - 1;
  guint greatest = find_greatest (series);
  guint knee = find_knee (series, greatest);
  g_auto (Words)
      words = { dyno_unit_format_significant (x[0]), dyno_unit_format_significant (x[last]),
                dyno_unit_format_significant (x[knee]), dyno_unit_format_ratio (y[greatest] / y[0]), NULL };

  if (y[last] < y[0] / MIN_GROWTH)
    {
      words.work = dyno_unit_format_percent (100 * (1 - y[last] / y[0]));
      return g_strdup_printf (is_sequence ? _ ("Throughput falls by %s %% from sequence length %s to %s.")
                                          : _ ("Throughput falls by %s %% from batch size %s to %s."),
                              words.work, words.from, words.to);
    }
  if (y[greatest] < y[0] * MIN_GROWTH)
    return g_strdup_printf (is_sequence ? _ ("Throughput hardly changes from sequence length %s to %s.")
                                        : _ ("Throughput hardly changes from batch size %s to %s."),
                            words.from, words.to);
  if (knee < last)
    return g_strdup_printf (
        is_sequence ? _ ("Throughput grows %s× from sequence length %s to %s, and stops growing at %s.")
                    : _ ("Throughput grows %s× from batch size %s to %s, and stops growing at %s."),
        words.growth, words.from, words.to, words.knee);
  return g_strdup_printf (is_sequence ? _ ("Throughput grows %s× from sequence length %s to %s.")
                                      : _ ("Throughput grows %s× from batch size %s to %s."),
                          words.growth, words.from, words.to);
}

static char *
describe_latency_growth (DynoSeries *series, gboolean is_sequence)
{
  const double *x = dyno_series_get_x (series);
  const double *y = dyno_series_get_y (series);
  guint last = dyno_series_get_length (series) - 1;
  g_auto (Words)
      words = { dyno_unit_format_significant (x[0]), dyno_unit_format_significant (x[last]), NULL,
                dyno_unit_format_ratio (y[last] / y[0]), dyno_unit_format_number (x[last] / x[0], 0) };

  return g_strdup_printf (
      is_sequence ? _ ("Latency grows %s× from sequence length %s to %s, while the sequence grows %s×.")
                  : _ ("Latency grows %s× from batch size %s to %s, while the work grows %s×."),
      words.growth, words.from, words.to, words.work);
}

static char *
describe_single (Scaling *self, DynoSeries *series)
{
  gboolean is_sequence = self->sweep == DYNO_DIMENSION_SEQUENCE;
  const double *x = dyno_series_get_x (series);
  const double *y = dyno_series_get_y (series);
  g_autofree char *value = dyno_unit_format (y[0], self->unit);

  if (x[dyno_series_get_length (series) - 1] > x[0])
    return self->is_latency ? describe_latency_growth (series, is_sequence)
                            : describe_throughput_growth (series, is_sequence);
  return self->is_latency
             ? g_strdup_printf (_ ("A step takes %s; a sweep over sizes would show how that grows."), value)
             : g_strdup_printf (_ ("Throughput is %s; a sweep over sizes would show how it grows."), value);
}

/* The series that is best anywhere: the greatest rate, or the least latency. */
static DynoSeries *
find_best (Scaling *self, guint *point)
{
  DynoSeries *best = NULL;

  for (guint i = 0; i < self->series->len; i++)
    {
      DynoSeries *series = g_ptr_array_index (self->series, i);
      guint here = self->is_latency ? 0 : find_greatest (series);
      double difference;

      if (dyno_series_get_length (series) == 0)
        continue;
      difference = best == NULL ? 1 : dyno_series_get_y (series)[here] - dyno_series_get_y (best)[*point];
      if (best == NULL || (self->is_latency ? difference < 0 : difference > 0))
        {
          best = series;
          *point = here;
        }
    }
  return best;
}

static char *
describe_best (Scaling *self, DynoSeries *best, guint point)
{
  gboolean is_sequence = self->sweep == DYNO_DIMENSION_SEQUENCE;
  const char *name = dyno_series_get_name (best);
  g_autofree char *value = dyno_unit_format (dyno_series_get_y (best)[point], self->unit);
  g_autofree char *size = dyno_unit_format_significant (dyno_series_get_x (best)[point]);

  if (self->is_latency)
    return g_strdup_printf (is_sequence ? _ ("The lowest latency is that of %s: %s at sequence length %s.")
                                        : _ ("The lowest latency is that of %s: %s at batch size %s."),
                            name, value, size);
  return g_strdup_printf (is_sequence ? _ ("The highest throughput is that of %s: %s at sequence length %s.")
                                      : _ ("The highest throughput is that of %s: %s at batch size %s."),
                          name, value, size);
}

static char *
describe (Scaling *self)
{
  guint point = 0;
  DynoSeries *best = find_best (self, &point);

  if (best == NULL)
    return NULL;
  return self->series->len == 1 ? describe_single (self, best) : describe_best (self, best, point);
}

/* --- the table --- */

static void
add_rows (Scaling *self, DynoChart *chart)
{
  const char *size = self->sweep == DYNO_DIMENSION_SEQUENCE ? _ ("Sequence length") : _ ("Batch size");
  g_autofree char *value =
      g_strdup_printf ("%s (%s)", self->is_latency ? _ ("Latency") : _ ("Throughput"), self->unit);

  dyno_chart_add_row (chart, _ ("Case"), size, value, _ ("From"), _ ("To"), NULL);
  for (guint i = 0; i < self->series->len; i++)
    for (guint j = 0; j < dyno_series_get_length (g_ptr_array_index (self->series, i)); j++)
      {
        DynoSeries *series = g_ptr_array_index (self->series, i);
        g_autofree char *x = dyno_unit_format_significant (dyno_series_get_x (series)[j]);
        g_autofree char *y = dyno_unit_format_significant (dyno_series_get_y (series)[j]);
        double low, high;
        gboolean has_band = dyno_series_get_band (series, j, &low, &high);
        g_autofree char *from = has_band ? dyno_unit_format_significant (low) : g_strdup ("");
        g_autofree char *to = has_band ? dyno_unit_format_significant (high) : g_strdup ("");

        dyno_chart_add_row (chart, dyno_series_get_name (series), x, y, from, to, NULL);
      }
}

static void
add_caption (Scaling *self, DynoChart *chart)
{
  g_autofree char *common = dyno_chart_cases_dup_caption (self->cases, self->sweep);

  if (self->band == BAND_RATE)
    dyno_chart_take_caption (chart,
                             g_strdup_printf ("%s\n%s", common, dyno_rate_interval_describe (self->cases)));
  else if (self->band == BAND_SPREAD)
    dyno_chart_take_caption (
        chart, g_strdup_printf (_ ("%s\nThe bands hold the middle 90 %% of the steps."), common));
  else if (self->band == BAND_INTERVAL)
    dyno_chart_take_caption (
        chart, g_strdup_printf (_ ("%s\nThe bands are 95 %% intervals of the median."), common));
  else
    dyno_chart_take_caption (chart, g_steal_pointer (&common));
}

static char *
dup_title (Scaling *self)
{
  if (self->is_latency)
    return g_strdup (self->sweep == DYNO_DIMENSION_SEQUENCE ? _ ("Latency by sequence length")
                                                            : _ ("Latency by batch size"));
  return g_strdup (self->sweep == DYNO_DIMENSION_SEQUENCE ? _ ("Throughput by sequence length")
                                                          : _ ("Throughput by batch size"));
}

static void
fill_chart (Scaling *self, DynoChart *chart)
{
  DynoAxis *x_axis = create_x_axis (self);

  fill_series (self);
  dyno_chart_take_axes (chart, x_axis, create_y_axis (self));
  for (guint i = 0; i < self->series->len; i++)
    {
      DynoSeries *series = g_ptr_array_index (self->series, i);

      dyno_chart_add_series (chart, series);
      if (dyno_series_has_band (series))
        dyno_chart_take_layer (chart, dyno_band_layer_new (series));
    }
  for (guint i = 0; i < self->series->len; i++)
    dyno_chart_take_layer (chart, dyno_line_layer_new (g_ptr_array_index (self->series, i)));
  dyno_chart_set_labels_lines (chart, TRUE);
  dyno_chart_take_finding (chart, describe (self));
  add_caption (self, chart);
  add_rows (self, chart);
}

static Band
choose_band (Scaling *self)
{
  if (!self->is_latency)
    return BAND_RATE;
  if (all_have (self->cases, has_spread))
    return BAND_SPREAD;
  return all_have (self->cases, has_interval) ? BAND_INTERVAL : BAND_NONE;
}

static DynoDimension
choose_sweep (GPtrArray *cases)
{
  return count_sizes (cases, DYNO_DIMENSION_SEQUENCE) > count_sizes (cases, DYNO_DIMENSION_BATCH)
             ? DYNO_DIMENSION_SEQUENCE
             : DYNO_DIMENSION_BATCH;
}

static void
build (DynoChart *chart, GPtrArray *all, gboolean is_latency)
{
  g_autoptr (GPtrArray) measured =
      dyno_chart_cases_select (all, is_latency ? has_latency : has_items, G_MAXUINT);
  DynoDimension sweep = choose_sweep (measured);
  g_autoptr (GPtrArray) cases = sweep == DYNO_DIMENSION_SEQUENCE
                                    ? dyno_chart_cases_select (measured, has_sequence, G_MAXUINT)
                                    : g_ptr_array_ref (measured);
  g_autoptr (GPtrArray) series = g_ptr_array_new_with_free_func (g_object_unref);
  Scaling self = { .cases = cases, .sweep = sweep, .is_latency = is_latency, .series = series };

  self.value = is_latency ? "latency_p50_ms" : "throughput_items_per_sec";
  self.unit = is_latency ? "ms" : "items/s";
  if (!is_latency && self.sweep == DYNO_DIMENSION_SEQUENCE && all_have (cases, has_tokens))
    {
      self.value = "throughput_tokens_per_sec";
      self.unit = "tokens/s";
    }
  self.band = choose_band (&self);
  self.name_dimensions = dyno_chart_cases_get_varying (cases) & ~(guint)self.sweep;
  dyno_chart_take_title (chart, dup_title (&self));
  dyno_chart_set_empty_message (chart, _ ("No case was measured yet, so there is nothing to compare."));
  if (cases->len > 0)
    fill_chart (&self, chart);
}

void
dyno_scaling_chart_build_latency (DynoChart *chart, GPtrArray *cases)
{
  build (chart, cases, TRUE);
}

void
dyno_scaling_chart_build_throughput (DynoChart *chart, GPtrArray *cases)
{
  build (chart, cases, FALSE);
}
