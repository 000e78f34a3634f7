/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-chart-base-private.h"
#include "dyno-chart-kinds-private.h"
#include "dyno-chart-layers-private.h"

/* The maximum number of bars in a row. */
#define MAX_LANES 3

struct _DynoBars
{
  DynoChart *chart;
  const char *value;
  gboolean (*is_estimated) (const DynoChartCase *kase);
  guint varying;
  guint series_dimensions;
  guint row_dimensions;
  guint n_lanes;
  gboolean in_panel;
  GPtrArray *series;
  GHashTable *rows;
  DynoAxis *axis;
};

static DynoSeries *
find_series (DynoBars *self, const DynoChartCase *kase)
{
  gboolean estimated = self->is_estimated != NULL && self->is_estimated (kase);
  g_autofree char *plain = dyno_chart_cases_dup_name (kase, self->series_dimensions);
  g_autofree char *name = dyno_energy_quality_dup_name (estimated, plain);

  DynoSeries *series = dyno_chart_find_series (self->chart, self->series, kase, name, DYNO_COLOR_DIMENSIONS);

  if (estimated)
    dyno_series_set_mark (series, DYNO_MARK_HATCH);
  return series;
}

DynoBars *
dyno_bars_new (DynoChart *chart,
               GPtrArray *cases,
               guint varying,
               const char *value,
               gboolean (*is_estimated) (const DynoChartCase *kase))
{
  DynoBars *self = g_new0 (DynoBars, 1);

  self->chart = chart;
  self->value = value;
  self->is_estimated = is_estimated;
  self->axis = dyno_category_axis_new (_ ("Case"));
  self->series = g_ptr_array_new_with_free_func (g_object_unref);
  self->rows = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->varying = varying;
  self->series_dimensions = self->varying & DYNO_DIMENSION_RUN
                                ? DYNO_DIMENSION_RUN
                                : DYNO_DIMENSION_BACKEND | DYNO_DIMENSION_DEVICE;
  if (!(self->varying & DYNO_DIMENSION_DEVICE))
    self->series_dimensions &= ~(guint)DYNO_DIMENSION_DEVICE;
  for (guint i = 0; i < cases->len; i++)
    find_series (self, g_ptr_array_index (cases, i));
  self->n_lanes = self->series->len <= MAX_LANES ? self->series->len : 1;
  self->row_dimensions = self->n_lanes > 1 ? self->varying & ~self->series_dimensions : self->varying;
  return self;
}

void
dyno_bars_free (DynoBars *self)
{
  g_ptr_array_unref (self->series);
  g_hash_table_unref (self->rows);
  g_clear_object (&self->axis);
  g_free (self);
}

void
dyno_bars_set_in_panel (DynoBars *self, GPtrArray *leaders)
{
  self->in_panel = TRUE;
  self->row_dimensions &= ~(guint)DYNO_DIMENSION_MODEL;
  for (guint i = 0; i < self->series->len; i++)
    dyno_series_follow (g_ptr_array_index (self->series, i), leaders);
}

guint
dyno_bars_add (
    DynoBars *self, const DynoChartCase *kase, double value, double low, double high, const char *text)
{
  DynoSeries *series = find_series (self, kase);
  guint index = dyno_series_get_length (series);
  g_autofree char *name = dyno_chart_cases_dup_parts (kase, self->row_dimensions);
  gpointer known;

  if (*name == '\0')
    {
      g_free (name);
      name = dyno_chart_cases_dup_name (kase, self->in_panel ? DYNO_DIMENSION_BATCH : DYNO_DIMENSION_MODEL);
    }
  if (self->n_lanes <= 1 || !g_hash_table_lookup_extended (self->rows, name, NULL, &known))
    {
      known = GUINT_TO_POINTER (dyno_category_axis_add (DYNO_CATEGORY_AXIS (self->axis), name));
      g_hash_table_insert (self->rows, g_steal_pointer (&name), known);
    }
  guint row = GPOINTER_TO_UINT (known);
  if (!dyno_series_add_with_band (series, row, value, low, high))
    return row;
  dyno_series_set_text (series, index, text);
  dyno_chart_cases_mark_point (series, index, kase, self->value);
  return row;
}

void
dyno_bars_fill (DynoBars *self, DynoAxis *values)
{
  dyno_category_axis_set_n_lanes (DYNO_CATEGORY_AXIS (self->axis), self->n_lanes);
  dyno_chart_take_axes (self->chart, values, g_steal_pointer (&self->axis));
  for (guint i = 0; i < self->series->len; i++)
    {
      DynoSeries *series = g_ptr_array_index (self->series, i);

      dyno_chart_add_series (self->chart, series);
      dyno_chart_take_layer (self->chart,
                             dyno_bar_layer_new (series, self->n_lanes > 1 ? i : 0, self->n_lanes));
    }
}
