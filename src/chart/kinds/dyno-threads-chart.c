/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-chart-base-private.h"
#include "dyno-chart-cases.h"
#include "dyno-chart-layers-private.h"
#include "dyno-unit.h"

/* Efficiency below this percentage is worth a warning. */
#define GOOD_EFFICIENCY 70.0

static gboolean
has_throughput (DynoResult *result)
{
  return dyno_result_get_number (result, "throughput_items_per_sec") > 0;
}

static guint
get_threads (const DynoChartCase *kase)
{
  return kase->n_threads;
}

static int
compare_threads (gconstpointer a, gconstpointer b)
{
  guint left = get_threads (*(DynoChartCase *const *)a);
  guint right = get_threads (*(DynoChartCase *const *)b);

  return left < right ? -1 : left > right;
}

/* A finding needs the same work with several thread counts. */
static gboolean
scales (DynoSeries *series)
{
  guint length = dyno_series_get_length (series);
  const double *n_threads = dyno_series_get_x (series);

  return length > 0 && n_threads[length - 1] > n_threads[0];
}

/* Returns the throughput of that many threads if each had the throughput per thread of the lowest thread
 * count. */
static double
get_ideal (DynoSeries *series, double n_threads)
{
  return dyno_series_get_y (series)[0] / dyno_series_get_x (series)[0] * n_threads;
}

static double
get_efficiency (DynoSeries *series, guint point)
{
  return 100 * dyno_series_get_y (series)[point] / get_ideal (series, dyno_series_get_x (series)[point]);
}

/* Adds a line, whose cases differ only in the number of threads. With a single thread count it has no reference,
 * and so neither ideal nor efficiency. */
static void
add_line (DynoChart *chart, DynoSeries *throughput, const char *unit)
{
  const char *name = dyno_series_get_name (throughput);
  guint slot = dyno_series_get_slot (throughput);
  g_autoptr (DynoSeries) ideal = dyno_series_new (name, slot);
  g_autoptr (DynoSeries) efficiency = dyno_series_new (name, slot);

  for (guint i = 0; i < dyno_series_get_length (throughput); i++)
    {
      guint n_threads = (guint)dyno_series_get_x (throughput)[i];
      g_autofree char *rate = dyno_unit_format (dyno_series_get_y (throughput)[i], unit);
      g_autofree char *percent = dyno_unit_format_percent (get_efficiency (throughput, i));
      g_autofree char *text = NULL;

      if (scales (throughput))
        {
          text = g_strdup_printf (
              ngettext ("%u thread: %s, %s %% of the ideal", "%u threads: %s, %s %% of the ideal", n_threads),
              n_threads, rate, percent);
          dyno_series_add (ideal, n_threads, get_ideal (throughput, n_threads));
          if (dyno_series_add (efficiency, n_threads, get_efficiency (throughput, i)))
            dyno_series_set_doubt (efficiency, dyno_series_get_length (efficiency) - 1,
                                   dyno_series_get_doubt (throughput, i));
        }
      else
        text = g_strdup_printf (ngettext ("%u thread: %s", "%u threads: %s", n_threads), n_threads, rate);
      dyno_series_set_text (throughput, i, text);
    }
  dyno_series_set_leader (ideal, throughput);
  dyno_series_set_leader (efficiency, throughput);
  dyno_chart_add_series (chart, throughput);
  dyno_chart_take_layer (chart, dyno_guide_layer_new (ideal, FALSE));
  if (dyno_series_has_band (throughput))
    dyno_chart_take_layer (chart, dyno_band_layer_new (throughput));
  dyno_chart_take_layer (chart, dyno_line_layer_new (throughput));
  dyno_chart_take_lower_layer (chart, dyno_line_layer_new (efficiency));
}

static void
add_rows (DynoChartTable *table, GPtrArray *cases, DynoSeries *series)
{
  for (guint i = 0; i < dyno_series_get_length (series); i++)
    {
      double throughput = dyno_series_get_y (series)[i];
      double low = NAN;
      double high = NAN;
      const DynoChartCase *kase = NULL;

      for (guint k = 0; k < cases->len && kase == NULL; k++)
        if (G_OBJECT (((DynoChartCase *)cases->pdata[k])->subject) == dyno_series_get_subject (series, i))
          kase = cases->pdata[k];
      dyno_series_get_band (series, i, &low, &high);
      dyno_chart_table_begin_row (table, kase);
      dyno_chart_table_add_number (table, throughput);
      dyno_chart_table_add_number (table, low);
      dyno_chart_table_add_number (table, high);
      dyno_chart_table_add_number (table, scales (series) ? throughput / dyno_series_get_y (series)[0] : NAN);
      dyno_chart_table_add_number (table, scales (series) ? get_efficiency (series, i) : NAN);
    }
}

static void
set_axes (DynoChart *chart, GPtrArray *sorted, GPtrArray *all)
{
  gboolean is_log = TRUE;
  const char *unit = dyno_chart_cases_get_unit (sorted, "1/s");
  DynoAxis *lower = dyno_linear_axis_new (_ ("Parallel efficiency"), "%");
  double least = INFINITY;
  double most = 0;
  double most_efficiency = 100;

  for (guint i = 0; i < sorted->len; i++)
    {
      guint n_threads = get_threads (g_ptr_array_index (sorted, i));

      is_log &= (n_threads & (n_threads - 1)) == 0;
    }
  for (guint i = 0; i < all->len; i++)
    {
      DynoSeries *series = g_ptr_array_index (all, i);
      guint length = dyno_series_get_length (series);

      most = MAX (most, get_ideal (series, dyno_series_get_x (series)[length - 1]));
      for (guint j = 0; j < length; j++)
        {
          least = MIN (least, dyno_series_get_y (series)[j]);
          most = MAX (most, dyno_series_get_y (series)[j]);
          most_efficiency = MAX (most_efficiency, get_efficiency (series, j));
        }
    }
  DynoAxis *x_axis =
      is_log ? dyno_log_axis_new (_ ("Threads"), "", 2) : dyno_linear_axis_new (_ ("Threads"), "");
  dyno_axis_set_range (x_axis, get_threads (sorted->pdata[0]), get_threads (sorted->pdata[sorted->len - 1]));
  /* On logarithmic axes, perfect scaling is a straight line. */
  DynoAxis *y_axis = is_log ? dyno_log_axis_new (_ ("Throughput"), unit, 10)
                            : dyno_linear_axis_new_nice (_ ("Throughput"), unit, 0, most);
  if (is_log)
    dyno_axis_set_range (y_axis, least / 1.2, most * 1.2);
  dyno_axis_set_range (lower, 0, most_efficiency);
  dyno_axis_set_zoomable (x_axis, TRUE);
  dyno_axis_set_zoomable (y_axis, TRUE);
  dyno_chart_take_axes (chart, x_axis, y_axis);
  dyno_chart_take_lower_axis (chart, lower);
}

static DynoSeries *
find_best (GPtrArray *all, gboolean worst)
{
  DynoSeries *best = NULL;
  double value = 0;

  for (guint i = 0; i < all->len; i++)
    {
      DynoSeries *series = g_ptr_array_index (all, i);
      double here = get_efficiency (series, dyno_series_get_length (series) - 1);

      if (!scales (series) || (best != NULL && (worst ? here >= value : here <= value)))
        continue;
      best = series;
      value = here;
    }
  return best;
}

static const char *
get_name (GPtrArray *all, GPtrArray *names, DynoSeries *series)
{
  guint index = 0;

  g_ptr_array_find (all, series, &index);
  return g_ptr_array_index (names, index);
}

static char *
describe (GPtrArray *all, GPtrArray *names)
{
  DynoSeries *best = find_best (all, FALSE);
  DynoSeries *worst = find_best (all, TRUE);

  if (best == worst)
    {
      guint last = dyno_series_get_length (best) - 1;
      double efficiency = get_efficiency (best, last);
      g_autofree char *from = dyno_unit_format_significant (dyno_series_get_x (best)[0]);
      g_autofree char *to = dyno_unit_format_significant (dyno_series_get_x (best)[last]);
      g_autofree char *growth =
          dyno_unit_format_ratio (dyno_series_get_y (best)[last] / dyno_series_get_y (best)[0]);
      g_autofree char *percent = dyno_unit_format_percent (efficiency);

      if (efficiency < GOOD_EFFICIENCY)
        return g_strdup_printf (_ ("From %s to %s threads, throughput grows only %s×: %s %% of the ideal."),
                                from, to, growth, percent);
      return g_strdup_printf (_ ("From %s to %s threads, throughput grows %s×: %s %% of the ideal."), from,
                              to, growth, percent);
    }
  g_autofree char *best_percent =
      dyno_unit_format_percent (get_efficiency (best, dyno_series_get_length (best) - 1));
  g_autofree char *worst_percent =
      dyno_unit_format_percent (get_efficiency (worst, dyno_series_get_length (worst) - 1));
  return g_strdup_printf (_ ("%s scales best, to %s %% of the ideal; %s worst, to %s %%."),
                          get_name (all, names, best), best_percent, get_name (all, names, worst),
                          worst_percent);
}

/* The target: a chart of one model, or one with a panel for each. */
typedef struct
{
  DynoChart *chart;
  guint varying;
  guint within_models;
  gboolean has_panels;
  GPtrArray *leaders;
  GPtrArray *all;
  GPtrArray *names;
} Threads;

static DynoSeries *
find_series (const Threads *self, GPtrArray *all, const DynoChartCase *kase)
{
  guint dimensions = self->varying & ~(guint)DYNO_DIMENSION_THREADS;
  guint among = self->within_models & ~(guint)DYNO_DIMENSION_THREADS;
  g_autofree char *name = self->has_panels ? dyno_chart_cases_dup_part_name (kase, among)
                                           : dyno_chart_cases_dup_name (kase, dimensions);

  return dyno_chart_find_series (self->chart, all, kase, name, among);
}

static GPtrArray *
sort_cases (GPtrArray *cases)
{
  GPtrArray *sorted = dyno_chart_cases_copy (cases);

  g_ptr_array_sort (sorted, compare_threads);
  return sorted;
}

static GPtrArray *
create_series (const Threads *self, GPtrArray *cases)
{
  g_autoptr (GPtrArray) sorted = sort_cases (cases);
  GPtrArray *all = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < cases->len; i++)
    find_series (self, all, g_ptr_array_index (cases, i));
  for (guint i = 0; i < sorted->len; i++)
    {
      const DynoChartCase *kase = g_ptr_array_index (sorted, i);
      DynoSeries *series = find_series (self, all, kase);
      double rate = dyno_result_get_number (kase->result, "throughput_items_per_sec");
      double low, high;

      dyno_rate_interval_find (kase->result, rate, &low, &high);
      dyno_series_add_with_band (series, kase->n_threads, rate, low, high);
      dyno_chart_cases_mark_point (series, dyno_series_get_length (series) - 1, kase,
                                   "throughput_items_per_sec");
    }
  return all;
}

static void
fill_panel (const Threads *self, GPtrArray *cases)
{
  g_autoptr (GPtrArray) all = create_series (self, cases);
  g_autoptr (GPtrArray) sorted = sort_cases (cases);
  g_autofree char *model = dyno_chart_cases_dup_name (g_ptr_array_index (cases, 0), DYNO_DIMENSION_MODEL);
  const char *unit = dyno_chart_cases_get_unit (cases, "1/s");

  if (self->has_panels)
    {
      dyno_chart_begin_panel (self->chart, model);
      dyno_chart_name_panel_axis (self->chart);
      DynoSeries *best = find_best (all, FALSE);
      if (best != NULL)
        {
          guint last = dyno_series_get_length (best) - 1;
          g_autofree char *growth =
              dyno_unit_format_ratio (dyno_series_get_y (best)[last] / dyno_series_get_y (best)[0]);
          g_autofree char *percent = dyno_unit_format_percent (get_efficiency (best, last));
          g_autofree char *threads = dyno_unit_format_significant (dyno_series_get_x (best)[last]);

          dyno_chart_take_panel_finding (
              self->chart,
              g_strdup_printf (_ ("%s× with %s threads, %s %% of the ideal"), growth, threads, percent));
        }
      for (guint i = 0; i < all->len; i++)
        dyno_series_follow (g_ptr_array_index (all, i), self->leaders);
    }
  set_axes (self->chart, sorted, all);
  for (guint i = 0; i < all->len; i++)
    {
      DynoSeries *line = g_ptr_array_index (all, i);
      const char *name = dyno_series_get_name (line);

      add_line (self->chart, line, unit);
      add_rows (dyno_chart_build_table (self->chart), cases, line);
      g_ptr_array_add (self->names, !self->has_panels ? g_strdup (name)
                                    : all->len == 1   ? g_strdup (model)
                                                      : g_strdup_printf ("%s · %s", model, name));
    }
  g_ptr_array_extend_and_steal (self->all, g_steal_pointer (&all));
}

static void
fill_chart (DynoChart *chart, GPtrArray *cases)
{
  g_autoptr (GPtrArray) models = dyno_chart_cases_part_by_model (cases);
  g_autoptr (GPtrArray) leaders = g_ptr_array_new ();
  g_autoptr (GPtrArray) all = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  Threads self = { .chart = chart,
                   .varying = dyno_chart_cases_get_varying (cases),
                   .within_models = dyno_chart_cases_get_varying_within_models (cases),
                   .has_panels = models->len > 1,
                   .leaders = leaders,
                   .all = all,
                   .names = names };
  DynoChartTable *table = dyno_chart_build_table (chart);
  g_autofree char *common = dyno_chart_cases_dup_caption (cases, DYNO_DIMENSION_THREADS);

  dyno_chart_table_add_case_columns (table, cases, DYNO_DIMENSION_THREADS);
  dyno_chart_table_add_columns (table, _ ("Throughput (items/s)"),
                                dyno_chart_cases_get_interval_heading (cases, FALSE),
                                dyno_chart_cases_get_interval_heading (cases, TRUE), _ ("Speed-up"),
                                _ ("Parallel efficiency (%)"), NULL);
  for (guint i = 0; i < models->len; i++)
    fill_panel (&self, g_ptr_array_index (models, i));
  dyno_chart_set_labels_lines (chart, TRUE);
  dyno_chart_take_caption (
      chart, g_strdup_printf (_ ("%s\nDashed lines: ideal scaling from the lowest thread count."), common));
  dyno_chart_take_note (chart, dyno_rate_interval_dup_description (cases));
  dyno_chart_tell_doubtful (chart, cases);
  dyno_chart_take_finding (chart, describe (all, names));
}

/* Shows the models that ran with several thread counts. */
static void
build (DynoChart *chart, GPtrArray *cases)
{
  g_autoptr (GPtrArray) measured = dyno_chart_cases_select (cases, has_throughput, G_MAXUINT);
  g_autoptr (GPtrArray) scaling = g_ptr_array_new ();
  Threads self = { .chart = chart };

  dyno_chart_take_title (chart, g_strdup (_ ("Throughput by threads")));
  dyno_chart_set_empty_message (chart, _ ("No model was measured with more than one thread count. Measure "
                                          "with several, such as 1, 2 and 4, to see how throughput scales."));
  for (guint i = measured->len; i > 0; i--)
    if (get_threads (g_ptr_array_index (measured, i - 1)) == 0)
      g_ptr_array_remove_index (measured, i - 1);
  g_autoptr (GPtrArray) models = dyno_chart_cases_part_by_model (measured);
  self.varying = dyno_chart_cases_get_varying (measured);
  for (guint i = 0; i < models->len; i++)
    {
      GPtrArray *model = g_ptr_array_index (models, i);
      g_autoptr (GPtrArray) all = create_series (&self, model);
      gboolean does_scale = FALSE;

      for (guint j = 0; j < all->len; j++)
        does_scale |= scales (g_ptr_array_index (all, j));
      if (does_scale)
        g_ptr_array_extend (scaling, model, NULL, NULL);
    }
  if (scaling->len > 0)
    fill_chart (chart, scaling);
}

const DynoChartInfo dyno_threads_chart = {
  .name = "thread-scaling",
  .label = N_ ("Throughput by threads"),
  .group = DYNO_CHART_GROUP_SPEED,
  .flags = DYNO_CHART_IS_WIDE,
  .build = build,
};
