/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-cases.h"
#include "dyno-chart-base-private.h"
#include "dyno-chart-kinds-private.h"
#include "dyno-chart-layers-private.h"
#include "dyno-unit.h"

/* Energy against latency has a chart of its own. */
static const DynoParetoMetric metrics[] = {
  { "latency_p50_ms", "ms", N_ ("Median latency"), N_ ("median latency") },
  { "throughput_items_per_sec", "1/s", N_ ("Sustained throughput"), N_ ("sustained throughput") },
  { "memory_peak_mb", "MB", N_ ("Peak memory"), N_ ("peak memory") },
  { "output_max_error", "", N_ ("Output error"), N_ ("output error") },
  { "throughput_per_watt", "1/s/W", N_ ("Items per joule"), N_ ("items per joule") },
};

/* The dimensions that define the work of a case; the others are settings that people can choose. */
#define WORK                                                                                                 \
  ((guint)(DYNO_DIMENSION_MODEL | DYNO_DIMENSION_SEQUENCE | DYNO_DIMENSION_GENERATE |                        \
           DYNO_DIMENSION_IMAGES | DYNO_DIMENSION_FREE))

/* The displayed values and cases. */
typedef struct
{
  DynoChart *chart;
  const DynoParetoMetric *x;
  const DynoParetoMetric *y;
  GPtrArray *cases;
  guint all_varying;
  guint varying;
  guint dimensions;
} Pareto;

static GPtrArray *
select_cases (GPtrArray *cases, const DynoParetoMetric *x, const DynoParetoMetric *y)
{
  GPtrArray *selected = g_ptr_array_new ();

  for (guint i = 0; i < cases->len; i++)
    {
      DynoChartCase *kase = g_ptr_array_index (cases, i);

      if (!dyno_chart_cases_is_unsteady (kase->result) && dyno_pareto_get_number (kase, x) > 0 &&
          dyno_pareto_get_number (kase, y) > 0)
        g_ptr_array_add (selected, kase);
    }
  return selected;
}

static char *
dup_amount (const DynoChartCase *kase, const DynoParetoMetric *metric)
{
  return dyno_unit_format (dyno_pareto_get_number (kase, metric),
                           dyno_item_unit_get (kase->result, metric->unit));
}

static void
add_point (const Pareto *self, DynoSeries *series, const DynoChartCase *kase)
{
  g_autofree char *name = dyno_chart_cases_dup_name (kase, self->varying);
  g_autofree char *label = self->varying & ~self->dimensions
                               ? dyno_chart_cases_dup_label (kase, self->varying & ~self->dimensions)
                               : NULL;
  g_autofree char *x = dup_amount (kase, self->x);
  g_autofree char *y = dup_amount (kase, self->y);
  /* Translators: a case and its two values */
  g_autofree char *text = g_strdup_printf (_ ("%s: %s, %s"), name, x, y);
  guint index = dyno_series_get_length (series);

  if (!dyno_series_add_with_text (series, dyno_pareto_get_number (kase, self->x),
                                  dyno_pareto_get_number (kase, self->y), text))
    return;
  dyno_series_set_label (series, index, label);
  dyno_series_set_subject (series, index, kase->subject);
  dyno_chart_cases_mark_point (series, index, kase, self->x->value);
}

static void
add_layers (const Pareto *self, GPtrArray *all, GPtrArray *leaders, gboolean pale)
{
  for (guint i = 0; i < all->len; i++)
    {
      DynoSeries *series = g_ptr_array_index (all, i);

      dyno_series_follow (series, leaders);
      dyno_chart_add_series (self->chart, series);
      dyno_chart_take_layer (self->chart,
                             (pale ? dyno_bubble_layer_new_pale : dyno_bubble_layer_new) (series));
    }
}

static void
fill_panel (const Pareto *self, GPtrArray *leaders)
{
  g_autoptr (GPtrArray) sorted = dyno_pareto_sort (self->cases, self->x, self->y);
  g_autoptr (GPtrArray) front = dyno_pareto_find_front (sorted, self->x, self->y);
  g_autoptr (DynoSeries) line =
      dyno_series_new (_ ("Best trade-offs (Pareto front)"), DYNO_CHART_N_COLORS - 1);
  g_autoptr (GPtrArray) bright = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) pale = g_ptr_array_new_with_free_func (g_object_unref);

  dyno_chart_take_axes (self->chart, dyno_pareto_create_axis (sorted, self->x, _ (self->x->title)),
                        dyno_pareto_create_axis (sorted, self->y, _ (self->y->title)));
  /* Points that others beat in both values have pale colours beside the front. */
  for (guint i = 0; i < sorted->len; i++)
    {
      const DynoChartCase *kase = g_ptr_array_index (sorted, i);
      g_autofree char *name = dyno_chart_cases_dup_name (kase, self->dimensions);
      gboolean on_front = g_ptr_array_find (front, kase, NULL);

      add_point (
          self,
          dyno_chart_find_series (self->chart, on_front ? bright : pale, kase, name, DYNO_COLOR_DIMENSIONS),
          kase);
    }
  if (front->len > 1)
    {
      for (guint i = 0; i < front->len; i++)
        dyno_series_add (line, dyno_pareto_get_number (g_ptr_array_index (front, i), self->x),
                         dyno_pareto_get_number (g_ptr_array_index (front, i), self->y));
      dyno_series_follow (line, leaders);
      dyno_chart_add_series (self->chart, line);
      dyno_chart_take_layer (self->chart, dyno_guide_layer_new (line, FALSE));
    }
  add_layers (self, bright, leaders, FALSE);
  add_layers (self, pale, leaders, TRUE);
}

/* Groups the cases by model and size of work: only cases of the same group are alternatives. */
static GPtrArray *
part_by_work (GPtrArray *cases)
{
  g_autoptr (GHashTable) by_work = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  GPtrArray *parts = g_ptr_array_new_with_free_func ((GDestroyNotify)g_ptr_array_unref);

  for (guint i = 0; i < cases->len; i++)
    {
      char *work = dyno_chart_cases_dup_name (g_ptr_array_index (cases, i), WORK);
      GPtrArray *part = g_hash_table_lookup (by_work, work);

      if (part == NULL)
        {
          part = g_ptr_array_new ();
          g_ptr_array_add (parts, part);
          g_hash_table_insert (by_work, g_strdup (work), part);
        }
      g_ptr_array_add (part, g_ptr_array_index (cases, i));
      g_free (work);
    }
  return parts;
}

/* Does not rank models against each other. */
static void
fill_panels (const Pareto *whole, GPtrArray *models)
{
  g_autoptr (GPtrArray) leaders = g_ptr_array_new ();

  for (guint i = 0; i < models->len; i++)
    {
      Pareto self = *whole;

      self.cases = g_ptr_array_index (models, i);
      g_autofree char *model =
          dyno_chart_cases_dup_name (g_ptr_array_index (self.cases, 0), WORK & whole->all_varying);
      if (models->len > 1)
        dyno_chart_begin_panel (self.chart, model);
      fill_panel (&self, leaders);
    }
}

static void
add_rows (const Pareto *self, GPtrArray *models)
{
  DynoChartTable *table = dyno_chart_build_table (self->chart);

  dyno_chart_table_add_case_columns (table, self->cases, 0);
  dyno_chart_table_add_columns (table, _ (self->x->title), _ (self->y->title), _ ("On the Pareto front"),
                                NULL);
  for (guint i = 0; i < models->len; i++)
    {
      g_autoptr (GPtrArray) sorted = dyno_pareto_sort (g_ptr_array_index (models, i), self->x, self->y);
      g_autoptr (GPtrArray) front = dyno_pareto_find_front (sorted, self->x, self->y);

      for (guint k = 0; k < sorted->len; k++)
        {
          const DynoChartCase *kase = g_ptr_array_index (sorted, k);

          dyno_chart_table_begin_row (table, kase);
          dyno_chart_table_add_number (table, dyno_pareto_get_number (kase, self->x));
          dyno_chart_table_add_number (table, dyno_pareto_get_number (kase, self->y));
          dyno_chart_table_add_text (table, g_ptr_array_find (front, kase, NULL) ? _ ("yes") : _ ("no"));
        }
    }
}

static void
build (DynoChart *chart, GPtrArray *cases)
{
  Pareto self = { .chart = chart };
  g_autoptr (GPtrArray) selected = NULL;
  guint n_offered = 0;

  dyno_chart_take_title (chart, g_strdup (_ ("Trade-offs")));
  dyno_chart_set_empty_message (chart, _ ("No case has two values that could be traded off."));
  /* Any pair of values that at least two cases have can be traded off. */
  for (guint i = 0; i < G_N_ELEMENTS (metrics); i++)
    for (guint k = i + 1; k < G_N_ELEMENTS (metrics); k++)
      {
        g_autoptr (GPtrArray) both = select_cases (cases, &metrics[i], &metrics[k]);

        if (both->len <= 1)
          continue;
        g_autofree char *name =
            g_strdup_printf (_ ("%s against %s"), _ (metrics[k].title), _ (metrics[i].words));
        if (self.x == NULL || n_offered == dyno_chart_get_aspect (chart))
          {
            self.x = &metrics[i];
            self.y = &metrics[k];
          }
        n_offered++;
        dyno_chart_add_aspect (chart, name);
      }
  if (self.x == NULL)
    return;
  self.cases = selected = select_cases (cases, self.x, self.y);
  g_autoptr (GPtrArray) models = part_by_work (selected);
  self.all_varying = dyno_chart_cases_get_varying (selected);
  self.varying = self.all_varying & ~WORK;
  guint common = self.varying & DYNO_COLOR_DIMENSIONS;
  self.dimensions = common != 0 ? common : DYNO_DIMENSION_BACKEND;
  fill_panels (&self, models);
  add_rows (&self, models);
  dyno_chart_take_title (chart, g_strdup_printf (_ ("%s against %s"), _ (self.y->title), _ (self.x->words)));
  dyno_chart_take_caption (chart, dyno_chart_cases_dup_labelled_caption (selected));
  dyno_chart_take_note (chart, g_strdup (_ ("Pale: another case of the model is at least as good in one and "
                                            "better in the other. Points, not intervals, are compared.")));
  dyno_chart_tell_doubtful (chart, selected);
}

const DynoChartInfo dyno_pareto_chart = {
  .name = "pareto",
  .label = N_ ("Trade-offs"),
  .group = DYNO_CHART_GROUP_LIMITS,
  .build = build,
};
