/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-chart-base-private.h"
#include "dyno-chart-cases.h"
#include "dyno-chart-kinds-private.h"
#include "dyno-chart-layers-private.h"
#include "dyno-unit.h"

/* A curve that has reached this share of its best value has stopped growing. */
#define KNEE_SHARE 0.95
/* Smaller factors do not count as growth. */
#define MIN_GROWTH 1.05

typedef enum
{
  BAND_NONE,
  BAND_INTERVAL,
  BAND_RATE,
} Band;

/* A size that can be the x axis. */
typedef struct
{
  DynoDimension dimension;
  guint (*get_size) (DynoCase *kase);
  gboolean has_zero; /* whether 0 is a size like any other, rather than none */
} Sweep;

/* The first of the sweeps with the most sizes is used. */
static const Sweep sweeps[] = {
  { DYNO_DIMENSION_BATCH, dyno_case_get_batch_size },
  /* The usual length of a text follows from its images. */
  { DYNO_DIMENSION_IMAGES, dyno_case_get_images, TRUE },
  { DYNO_DIMENSION_SEQUENCE, dyno_case_get_sequence_length },
  { DYNO_DIMENSION_GENERATE, dyno_case_get_generate_tokens },
};

/* The content of the chart or of a panel for one model: one number of each case against one of its sizes. */
typedef struct
{
  DynoChart *chart;
  GPtrArray *cases;
  const Sweep *sweep;
  const char *value;
  const char *unit;
  const char *model;
  gboolean is_latency;
  Band band;
  guint axis; /* the dimensions that the x axis stands for */
  guint name_dimensions;
  guint within_models;
  GPtrArray *series;
} Scaling;

static const char *
say (const Sweep *sweep, const char *batch, const char *sequence, const char *generated, const char *images)
    G_GNUC_FORMAT (2) G_GNUC_FORMAT (3) G_GNUC_FORMAT (4) G_GNUC_FORMAT (5);

/* Picks the text for the size. */
static const char *
say (const Sweep *sweep, const char *batch, const char *sequence, const char *generated, const char *images)
{
  if (sweep->dimension == DYNO_DIMENSION_IMAGES)
    return images;
  if (sweep->dimension == DYNO_DIMENSION_GENERATE)
    return generated;
  return sweep->dimension == DYNO_DIMENSION_SEQUENCE ? sequence : batch;
}

static guint
get_size (const DynoChartCase *kase, const Sweep *sweep)
{
  return sweep->get_size (dyno_result_get_case (kase->result));
}

static gboolean
has_size (const DynoChartCase *kase, const Sweep *sweep)
{
  return sweep->has_zero || get_size (kase, sweep) > 0;
}

static guint
count_sizes (GPtrArray *cases, const Sweep *sweep)
{
  g_autoptr (GHashTable) sizes = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < cases->len; i++)
    if (has_size (cases->pdata[i], sweep))
      g_hash_table_add (sizes, GUINT_TO_POINTER (get_size (cases->pdata[i], sweep)));
  return g_hash_table_size (sizes);
}

/* Without a length of their own, texts grow with their images, and no line has a single length. */
static guint
find_axis (GPtrArray *cases, const Sweep *sweep)
{
  gboolean is_followed = sweep->dimension == DYNO_DIMENSION_IMAGES;

  for (guint i = 0; i < cases->len; i++)
    for (guint k = i + 1; is_followed && k < cases->len; k++)
      {
        DynoCase *one = dyno_result_get_case (((DynoChartCase *)cases->pdata[i])->result);
        DynoCase *other = dyno_result_get_case (((DynoChartCase *)cases->pdata[k])->result);

        is_followed = !g_str_equal (dyno_case_get_model (one), dyno_case_get_model (other)) ||
                      dyno_case_get_images (one) != dyno_case_get_images (other) ||
                      dyno_case_get_sequence_length (one) == dyno_case_get_sequence_length (other);
      }
  return is_followed ? sweep->dimension | DYNO_DIMENSION_SEQUENCE : sweep->dimension;
}

static gboolean
has_median (DynoResult *result)
{
  return isfinite (dyno_result_get_number (result, "latency_p50_ms"));
}

static gboolean
has_mean (DynoResult *result)
{
  return isfinite (dyno_result_get_number (result, "latency_mean_ms"));
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

/* An unsteady case has none, and the others keep theirs. */
static gboolean
any_has_interval (GPtrArray *cases)
{
  return dyno_chart_cases_any_has (cases, "latency_p50_ms") &&
         dyno_chart_cases_any_has (cases, "latency_median_low_ms") &&
         dyno_chart_cases_any_has (cases, "latency_median_high_ms");
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
get_band (const Scaling *self, DynoResult *result, double y, double *low, double *high)
{
  *low = *high = NAN;
  if (self->band == BAND_RATE)
    dyno_rate_interval_find (result, y, low, high);
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
  guint left = get_size (*(DynoChartCase *const *)a, self->sweep);
  guint right = get_size (*(DynoChartCase *const *)b, self->sweep);

  return left < right ? -1 : left > right;
}

static DynoSeries *
find_series (Scaling *self, const DynoChartCase *kase)
{
  guint among = self->within_models & ~self->axis;
  g_autofree char *name = self->model != NULL ? dyno_chart_cases_dup_part_name (kase, among)
                                              : dyno_chart_cases_dup_name (kase, self->name_dimensions);

  return dyno_chart_find_series (self->chart, self->series, kase, name, among);
}

static void
fill_series (Scaling *self)
{
  g_autoptr (GPtrArray) sorted = g_ptr_array_copy (self->cases, NULL, NULL);

  g_ptr_array_set_free_func (sorted, NULL);
  /* Start in the order of the plan, which the legend keeps. */
  for (guint i = 0; i < self->cases->len; i++)
    find_series (self, g_ptr_array_index (self->cases, i));
  g_ptr_array_sort_with_data (sorted, compare_sizes, self);
  for (guint i = 0; i < sorted->len; i++)
    {
      const DynoChartCase *kase = g_ptr_array_index (sorted, i);
      DynoSeries *series = find_series (self, kase);
      double y = dyno_result_get_number (kase->result, self->value);
      double low, high;

      get_band (self, kase->result, y, &low, &high);
      dyno_series_add_with_band (series, get_size (kase, self->sweep), y, low, high);
      dyno_chart_cases_mark_point (series, dyno_series_get_length (series) - 1, kase, self->value);
    }
}

static DynoAxis *
create_x_axis (Scaling *self)
{
  const char *title =
      say (self->sweep, _ ("Batch size"), _ ("Sequence length"), _ ("Generated tokens"), _ ("Images"));
  gboolean are_powers_of_two = TRUE;
  guint least = G_MAXUINT;
  guint most = 0;

  for (guint i = 0; i < self->cases->len; i++)
    {
      guint size = get_size (g_ptr_array_index (self->cases, i), self->sweep);

      are_powers_of_two &= size > 0 && (size & (size - 1)) == 0;
      least = MIN (least, size);
      most = MAX (most, size);
    }
  DynoAxis *axis = are_powers_of_two ? dyno_log_axis_new (title, "", 2) : dyno_linear_axis_new (title, "");
  dyno_axis_set_range (axis, least, most);
  dyno_axis_set_lone (axis, least == most);
  dyno_axis_set_zoomable (axis, least < most);
  return axis;
}

/* Names a mean as such: elsewhere a latency is a median. */
static const char *
get_quantity (const Scaling *self)
{
  if (!self->is_latency)
    return _ ("Throughput");
  return g_str_equal (self->value, "latency_mean_ms") ? _ ("Mean latency") : _ ("Latency");
}

static DynoAxis *
create_y_axis (Scaling *self)
{
  const char *title = get_quantity (self);
  DynoAxis *axis;
  double least = INFINITY, most = -INFINITY;
  double least_size = INFINITY, most_size = 0;

  for (guint i = 0; i < self->cases->len; i++)
    {
      double size = get_size (g_ptr_array_index (self->cases, i), self->sweep);

      least_size = MIN (least_size, size);
      most_size = MAX (most_size, size);
    }
  for (guint i = 0; i < self->series->len; i++)
    {
      DynoSeries *series = g_ptr_array_index (self->series, i);

      for (guint j = 0; j < dyno_series_get_length (series); j++)
        {
          double low = dyno_series_get_y (series)[j];
          double high = low;

          dyno_series_get_band (series, j, &low, &high);
          least = MIN (least, low);
          most = MAX (most, high);
        }
    }
  /* Latency grows as the sizes do; throughput hardly. */
  if (self->is_latency && least > 0 && dyno_log_axis_suits_sizes (least_size, most_size))
    {
      axis = dyno_log_axis_new (title, self->unit, 10);
      dyno_axis_set_range (axis, least / 1.3, most * 1.3);
    }
  else
    axis = dyno_linear_axis_new_nice (title, self->unit, 0, most);
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

static char *
describe_throughput_growth (DynoSeries *series, const Sweep *sweep)
{
  const double *x = dyno_series_get_x (series);
  const double *y = dyno_series_get_y (series);
  guint last = dyno_series_get_length (series) - 1;
  guint greatest = dyno_series_find_greatest (series);
  guint knee = 0;

  while (knee < greatest && !(y[knee] >= KNEE_SHARE * y[greatest]))
    knee++;
  g_auto (Words)
      words = { dyno_unit_format_significant (x[0]), dyno_unit_format_significant (x[last]),
                dyno_unit_format_significant (x[knee]), dyno_unit_format_ratio (y[greatest] / y[0]), NULL };

  if (y[last] < y[0] / MIN_GROWTH)
    {
      words.work = dyno_unit_format_percent (100 * (1 - y[last] / y[0]));
      return g_strdup_printf (say (sweep, _ ("Throughput falls by %s %% from batch size %s to %s."),
                                   _ ("Throughput falls by %s %% from sequence length %s to %s."),
                                   _ ("Throughput falls by %s %% from %s to %s generated tokens."),
                                   _ ("Throughput falls by %s %% from %s to %s images.")),
                              words.work, words.from, words.to);
    }
  if (y[greatest] < y[0] * MIN_GROWTH)
    return g_strdup_printf (say (sweep, _ ("Throughput hardly changes from batch size %s to %s."),
                                 _ ("Throughput hardly changes from sequence length %s to %s."),
                                 _ ("Throughput hardly changes from %s to %s generated tokens."),
                                 _ ("Throughput hardly changes from %s to %s images.")),
                            words.from, words.to);
  if (knee < last)
    return g_strdup_printf (
        say (sweep, _ ("Throughput grows %s× from batch size %s to %s, and stops growing at %s."),
             _ ("Throughput grows %s× from sequence length %s to %s, and stops growing at %s."),
             _ ("Throughput grows %s× from %s to %s generated tokens, and stops growing at %s."),
             _ ("Throughput grows %s× from %s to %s images, and stops growing at %s.")),
        words.growth, words.from, words.to, words.knee);
  return g_strdup_printf (say (sweep, _ ("Throughput grows %s× from batch size %s to %s."),
                               _ ("Throughput grows %s× from sequence length %s to %s."),
                               _ ("Throughput grows %s× from %s to %s generated tokens."),
                               _ ("Throughput grows %s× from %s to %s images.")),
                          words.growth, words.from, words.to);
}

static char *
describe_single (Scaling *self, DynoSeries *series)
{
  const double *x = dyno_series_get_x (series);
  const double *y = dyno_series_get_y (series);
  guint last = dyno_series_get_length (series) - 1;
  double least = y[0];

  if (x[last] > x[0] && !self->is_latency)
    return describe_throughput_growth (series, self->sweep);
  if (x[last] > x[0])
    {
      g_auto (Words)
          words = { dyno_unit_format_significant (x[0]), dyno_unit_format_significant (x[last]), NULL,
                    dyno_unit_format_ratio (y[last] / y[0]), dyno_unit_format_number (x[last] / x[0], 0) };

      /* From no image, their number has no factor. */
      if (self->sweep->dimension == DYNO_DIMENSION_IMAGES)
        return g_strdup_printf (_ ("Latency grows %s× from %s to %s images."), words.growth, words.from,
                                words.to);
      return g_strdup_printf (
          say (self->sweep, _ ("Latency grows %s× from batch size %s to %s, while the work grows %s×."),
               _ ("Latency grows %s× from sequence length %s to %s, while the sequence grows %s×."),
               _ ("Latency grows %s× from %s to %s generated tokens, %s times as many."), NULL),
          words.growth, words.from, words.to, words.work);
    }
  /* Several cases may have this one size. */
  for (guint i = 1; i <= last; i++)
    least = MIN (least, y[i]);
  g_autofree char *from = dyno_unit_format (least, self->unit);
  g_autofree char *to = dyno_unit_format (y[dyno_series_find_greatest (series)], self->unit);
  g_autofree char *value = g_str_equal (from, to) ? g_steal_pointer (&to)
                                                  : g_strdup_printf (
                                                        /* Translators: the ends of a range */
                                                        _ ("%s to %s"), from, to);
  const DynoChartCase *first = g_ptr_array_index (self->cases, 0);
  /* Another tool would have to measure more. */
  if (dyno_result_find_message (first->result, DYNO_ORIGIN_CODE) != NULL)
    return g_strdup_printf (self->is_latency ? _ ("Latency is %s.") : _ ("Throughput is %s."), value);
  return g_strdup_printf (self->is_latency
                              ? _ ("Latency is %s. Measure several sizes to see how it grows.")
                              : _ ("Throughput is %s. Measure several sizes to see how it grows."),
                          value);
}

/* Returns the series with the best point: the highest rate, or the lowest latency. */
static DynoSeries *
find_best (const Scaling *self, guint *point)
{
  DynoSeries *best = NULL;

  for (guint i = 0; i < self->series->len; i++)
    {
      DynoSeries *series = g_ptr_array_index (self->series, i);
      guint here = self->is_latency ? 0 : dyno_series_find_greatest (series);

      if (dyno_series_get_length (series) == 0)
        continue;
      double difference =
          best == NULL ? 1 : dyno_series_get_y (series)[here] - dyno_series_get_y (best)[*point];
      if (best == NULL || (self->is_latency ? difference < 0 : difference > 0))
        {
          best = series;
          *point = here;
        }
    }
  return best;
}

/* --- panels --- */

static char *
describe_change (const Scaling *self, DynoSeries *series)
{
  const double *x = dyno_series_get_x (series);
  const double *y = dyno_series_get_y (series);
  guint last = dyno_series_get_length (series) - 1;
  double times = y[last] / y[0];
  g_autofree char *ratio = dyno_unit_format_ratio (times);
  g_autofree char *percent = dyno_unit_format_percent (100 * fabs (times - 1));
  g_auto (Words) words = { dyno_unit_format_significant (x[0]), dyno_unit_format_significant (x[last]), NULL,
                           NULL, dyno_unit_format_significant (x[last] / x[0]) };

  /* The change from the first to the last point, as “+55 %” or, if it is more than double, “3.2×”. */
  words.growth = times >= 2 || times <= 0.5
                     ? g_strdup_printf ("%s×", ratio)
                     : g_strdup_printf ("%s%s\u00a0%%", y[last] < y[0] ? "−" : "+", percent);

  if (!self->is_latency && MAX (y[last], y[0]) < MIN (y[last], y[0]) * MIN_GROWTH)
    return g_strdup_printf (say (self->sweep, _ ("flat from batch %s to %s"), _ ("flat from length %s to %s"),
                                 _ ("flat from %s to %s generated"), _ ("flat from %s to %s images")),
                            words.from, words.to);
  if (self->is_latency && self->sweep->dimension == DYNO_DIMENSION_BATCH)
    return g_strdup_printf (_ ("%s for %s× the batch"), words.growth, words.work);
  /* Translators: a change such as “+55 %” or “3.2×”, and over which sizes */
  return g_strdup_printf (say (self->sweep, _ ("%s from batch %s to %s"), _ ("%s from length %s to %s"),
                               _ ("%s from %s to %s generated"), _ ("%s from %s to %s images")),
                          words.growth, words.from, words.to);
}

static char *
describe_panel (const Scaling *self)
{
  guint point = 0;
  DynoSeries *best = find_best (self, &point);

  if (best == NULL)
    return NULL;
  if (self->series->len == 1 &&
      dyno_series_get_x (best)[dyno_series_get_length (best) - 1] > dyno_series_get_x (best)[0])
    return describe_change (self, best);
  g_autofree char *value = dyno_unit_format (dyno_series_get_y (best)[point], self->unit);
  g_autofree char *size = dyno_unit_format_significant (dyno_series_get_x (best)[point]);
  if (self->series->len == 1)
    return g_strdup_printf (say (self->sweep, _ ("%s at batch %s"), _ ("%s at length %s"),
                                 _ ("%s with %s generated"), _ ("%s with %s images")),
                            value, size);
  /* Translators: the best of several lines, its value, and where it has that */
  return g_strdup_printf (say (self->sweep, _ ("best: %s, %s at batch %s"), _ ("best: %s, %s at length %s"),
                               _ ("best: %s, %s with %s generated"), _ ("best: %s, %s with %s images")),
                          dyno_series_get_name (best), value, size);
}

/* Several models have no best one, because their work differs; but one gains most from larger sizes. */
typedef struct
{
  double ratio;
  char *line;
  char *change;
} Growth;

static void
clear_growth (Growth *growth)
{
  g_free (growth->line);
  g_free (growth->change);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Growth, clear_growth)

/* --- the table --- */

static void
add_rows (Scaling *self)
{
  DynoChartTable *table = dyno_chart_build_table (self->chart);
  double least = INFINITY;
  double most = 0;

  for (guint i = 0; i < self->cases->len; i++)
    {
      double y = dyno_result_get_number (((DynoChartCase *)self->cases->pdata[i])->result, self->value);

      least = MIN (least, y);
      most = MAX (most, y);
    }
  dyno_chart_table_add_case_columns (table, self->cases, self->axis);
  dyno_chart_table_add_quantity (table, get_quantity (self), self->unit, least, most);
  dyno_chart_table_add_quantity (table, dyno_chart_cases_get_interval_heading (self->cases, FALSE),
                                 self->unit, least, most);
  dyno_chart_table_add_quantity (table, dyno_chart_cases_get_interval_heading (self->cases, TRUE), self->unit,
                                 least, most);
  for (guint i = 0; i < self->cases->len; i++)
    {
      const DynoChartCase *kase = g_ptr_array_index (self->cases, i);
      double y = dyno_result_get_number (kase->result, self->value);
      double low, high;

      get_band (self, kase->result, y, &low, &high);
      dyno_chart_table_begin_row (table, kase);
      dyno_chart_table_add_number (table, y);
      dyno_chart_table_add_number (table, low);
      dyno_chart_table_add_number (table, high);
    }
}

static char *
dup_band_note (const Scaling *self)
{
  g_autofree char *words = NULL;
  guint n_known = 0;

  switch (self->band)
    {
    case BAND_RATE:
      return dyno_rate_interval_dup_description (self->cases);
    case BAND_INTERVAL:
      words = dyno_chart_cases_dup_interval_words (self->cases);
      for (guint i = 0; i < self->cases->len; i++)
        n_known += isfinite (dyno_result_get_number (((DynoChartCase *)self->cases->pdata[i])->result,
                                                     "latency_median_low_ms"));
      if (n_known < self->cases->len)
        /* Translators: %s is what the bands are, such as “95 % interval of the median over 5 processes” */
        return g_strdup_printf (_ ("Bands: %s; none where it is not known."), words);
      /* Translators: %s is what the bands are, such as “95 % interval of the median over 5 processes” */
      return g_strdup_printf (_ ("Bands: %s."), words);
    case BAND_NONE:
    default:
      return NULL;
    }
}

/* Series of the same name in other panels are shown and hidden together. */
static void
add_series (Scaling *self, GPtrArray *leaders)
{
  for (guint i = 0; i < self->series->len; i++)
    {
      DynoSeries *series = g_ptr_array_index (self->series, i);

      dyno_series_follow (series, leaders);
      dyno_chart_add_series (self->chart, series);
      if (dyno_series_has_band (series))
        dyno_chart_take_layer (self->chart, dyno_band_layer_new (series));
    }
  for (guint i = 0; i < self->series->len; i++)
    dyno_chart_take_layer (self->chart, dyno_line_layer_new (g_ptr_array_index (self->series, i)));
}

static void
fill_panel (const Scaling *whole, GPtrArray *cases, DynoAxis *x_axis, GPtrArray *leaders, Growth *growth)
{
  g_autoptr (GPtrArray) series = g_ptr_array_new_with_free_func (g_object_unref);
  g_autofree char *model = dyno_chart_cases_dup_name (g_ptr_array_index (cases, 0), DYNO_DIMENSION_MODEL);
  Scaling self = *whole;

  self.cases = cases;
  self.model = model;
  self.series = series;
  fill_series (&self);
  dyno_chart_begin_panel (self.chart, model);
  dyno_chart_name_panel_axis (self.chart);
  dyno_chart_take_axes (self.chart, g_object_ref (x_axis), create_y_axis (&self));
  dyno_chart_take_panel_finding (self.chart, describe_panel (&self));
  for (guint i = 0; i < series->len; i++)
    {
      DynoSeries *line = g_ptr_array_index (series, i);
      guint length = dyno_series_get_length (line);
      double ratio = length > 1 ? dyno_series_get_y (line)[length - 1] / dyno_series_get_y (line)[0] : 0;

      if (ratio <= growth->ratio)
        continue;
      clear_growth (growth);
      growth->ratio = ratio;
      growth->line = series->len > 1 ? g_strdup_printf ("%s · %s", model, dyno_series_get_name (line))
                                     : g_strdup (model);
      growth->change = describe_change (&self, line);
    }
  add_series (&self, leaders);
}

static void
fill_panels (Scaling *self, GPtrArray *models)
{
  g_autoptr (GPtrArray) leaders = g_ptr_array_new ();
  g_autoptr (DynoAxis) x_axis = create_x_axis (self);
  g_auto (Growth) growth = { 0 };

  for (guint i = 0; i < models->len; i++)
    fill_panel (self, g_ptr_array_index (models, i), x_axis, leaders, &growth);
  if (growth.ratio < MIN_GROWTH)
    dyno_chart_take_finding (self->chart,
                             g_strdup_printf (ngettext ("%u model, on its own scale.",
                                                        "%u models, each on its own scale.", models->len),
                                              models->len));
  else
    dyno_chart_take_finding (
        self->chart,
        g_strdup_printf (
            self->is_latency
                ?
                /* Translators: a model, such as “BERT” or “BERT (cpu)”, and how much a number of it changes, such as “3.2× from batch 1 to 16” */
                _ ("Latency grows most for %s: %s.")
                : _ ("Throughput grows most for %s: %s."),
            growth.line, growth.change));
}

static void
fill_chart (Scaling *self)
{
  g_autoptr (GPtrArray) models = dyno_chart_cases_part_by_model (self->cases);
  g_autoptr (GPtrArray) leaders = g_ptr_array_new ();
  DynoSeries *best;
  guint point = 0;

  if (models->len > 1)
    fill_panels (self, models);
  else
    {
      fill_series (self);
      dyno_chart_take_axes (self->chart, create_x_axis (self), create_y_axis (self));
      add_series (self, leaders);
      dyno_chart_set_labels_lines (self->chart, TRUE);
      best = find_best (self, &point);
      if (best != NULL && self->series->len == 1)
        dyno_chart_take_finding (self->chart, describe_single (self, best));
      else if (best != NULL)
        {
          g_autofree char *value = dyno_unit_format (dyno_series_get_y (best)[point], self->unit);
          g_autofree char *size = dyno_unit_format_significant (dyno_series_get_x (best)[point]);

          dyno_chart_take_finding (
              self->chart,
              g_strdup_printf (self->is_latency
                                   ? say (self->sweep, _ ("Latency is lowest with %s: %s at batch size %s."),
                                          _ ("Latency is lowest with %s: %s at sequence length %s."),
                                          _ ("Latency is lowest with %s: %s for %s generated tokens."),
                                          _ ("Latency is lowest with %s: %s for %s images."))
                                   : say (self->sweep,
                                          _ ("Throughput is highest with %s: %s at batch size %s."),
                                          _ ("Throughput is highest with %s: %s at sequence length %s."),
                                          _ ("Throughput is highest with %s: %s for %s generated tokens."),
                                          _ ("Throughput is highest with %s: %s for %s images.")),
                               dyno_series_get_name (best), value, size));
        }
    }
  dyno_chart_take_caption (self->chart, dyno_chart_cases_dup_caption (self->cases, self->axis));
  dyno_chart_take_note (self->chart, dup_band_note (self));
  dyno_chart_tell_doubtful (self->chart, self->cases);
  add_rows (self);
}

static void
choose_value (Scaling *self)
{
  gboolean has_usual = dyno_chart_cases_any_has (self->cases, self->is_latency ? "latency_p50_ms"
                                                                               : "throughput_items_per_sec");

  self->band = BAND_RATE;
  if (self->is_latency)
    {
      self->value = has_usual ? "latency_p50_ms" : "latency_mean_ms";
      self->unit = "ms";
      self->band = any_has_interval (self->cases) ? BAND_INTERVAL : BAND_NONE;
    }
  else if (!has_usual ||
           (self->sweep->dimension != DYNO_DIMENSION_BATCH && all_have (self->cases, has_tokens)))
    {
      self->value = "throughput_tokens_per_sec";
      self->unit = "tokens/s";
    }
  else
    {
      self->value = "throughput_items_per_sec";
      self->unit = dyno_chart_cases_get_unit (self->cases, "items/s");
    }
}

void
dyno_scaling_build (DynoChart *chart, GPtrArray *all, gboolean is_latency)
{
  g_autoptr (GPtrArray) measured =
      dyno_chart_cases_select (all, is_latency ? has_median : has_items, G_MAXUINT);
  g_autofree char *nothing =
      is_latency ? dyno_chart_cases_dup_no_latency (all) : dyno_chart_cases_dup_no_throughput (all);
  g_autoptr (GPtrArray) cases = g_ptr_array_new ();
  g_autoptr (GPtrArray) series = g_ptr_array_new_with_free_func (g_object_unref);
  Scaling self = {
    .chart = chart, .cases = cases, .sweep = &sweeps[0], .is_latency = is_latency, .series = series
  };

  /* Values measured by other tools may have only the mean latency, or only tokens. */
  if (measured->len == 0)
    {
      g_ptr_array_unref (measured);
      measured = dyno_chart_cases_select (all, is_latency ? has_mean : has_tokens, G_MAXUINT);
    }
  for (guint i = 1; i < G_N_ELEMENTS (sweeps); i++)
    /* Most models take no images: one number of them is no size. */
    if (count_sizes (all, &sweeps[i]) > MAX (count_sizes (all, self.sweep), sweeps[i].has_zero ? 1 : 0))
      self.sweep = &sweeps[i];
  /* An image model has no sequence length, and a model that does not generate has no generated tokens. */
  for (guint i = 0; i < measured->len; i++)
    if (has_size (measured->pdata[i], self.sweep))
      g_ptr_array_add (cases, measured->pdata[i]);
  choose_value (&self);
  self.within_models = all->len > 0 ? dyno_chart_cases_get_varying_within_models (all) : 0;
  self.axis = find_axis (cases, self.sweep);
  self.name_dimensions = dyno_chart_cases_get_varying (cases) & ~self.axis;
  dyno_chart_take_title (
      chart,
      g_strdup (is_latency ? say (self.sweep, _ ("Latency by batch size"), _ ("Latency by sequence length"),
                                  _ ("Latency by generated tokens"), _ ("Latency by images"))
                           : say (self.sweep, _ ("Sustained throughput by batch size"),
                                  _ ("Sustained throughput by sequence length"),
                                  _ ("Sustained throughput by generated tokens"),
                                  _ ("Sustained throughput by images"))));
  dyno_chart_set_empty_message (chart, nothing);
  if (cases->len == 0 && measured->len > 0)
    dyno_chart_set_empty_message (
        chart, _ ("The sizes of the cases are not known. “Latency of all cases” compares them."));
  if (cases->len == 0)
    return;
  /* Several points would have the same x, and other charts have another axis. */
  if (cases->len == 1 || count_sizes (all, self.sweep) > 1)
    fill_chart (&self);
  else if (dyno_chart_cases_get_varying (cases) == DYNO_DIMENSION_LOAD &&
           all_have (cases, dyno_load_points_has_any))
    dyno_chart_set_empty_message (
        chart,
        _ ("The cases have one size and differ in their load. “Latency against throughput” shows it."));
  else
    dyno_chart_set_empty_message (chart,
                                  _ ("The cases have one size. “Latency of all cases” compares them."));
}
