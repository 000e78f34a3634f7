/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-chart-base-private.h"

struct _DynoChartData
{
  GPtrArray *runs;
  DynoResult *result;
  GHashTable *ceilings;
  GPtrArray *cases;
  DynoChartLink *link;
  guint varying;     /* the dimensions in which they differ */
  GHashTable *looks; /* by dimensions */
};

void
dyno_chart_data_copy_ceilings (GHashTable *from, GHashTable *to)
{
  GHashTableIter iter;
  gpointer run, of_run;

  g_hash_table_iter_init (&iter, from);
  while (g_hash_table_iter_next (&iter, &run, &of_run))
    g_hash_table_insert (to, g_object_ref (run), g_ptr_array_ref (of_run));
}

DynoChartData *
dyno_chart_data_new (GPtrArray *runs, DynoResult *result, GHashTable *ceilings)
{
  DynoChartData *self = g_rc_box_new0 (DynoChartData);

  self->runs = g_ptr_array_new_with_free_func (g_object_unref);
  for (guint i = 0; runs != NULL && i < runs->len; i++)
    g_ptr_array_add (self->runs, g_object_ref (g_ptr_array_index (runs, i)));
  self->ceilings = g_hash_table_new_full (NULL, NULL, g_object_unref, (GDestroyNotify)g_ptr_array_unref);
  if (ceilings != NULL)
    dyno_chart_data_copy_ceilings (ceilings, self->ceilings);
  g_set_object (&self->result, result);
  self->link = result != NULL ? dyno_chart_link_new () : NULL;
  self->cases = result != NULL ? dyno_chart_cases_new_single (g_ptr_array_index (runs, 0), result)
                               : dyno_chart_cases_collect (self->runs);
  dyno_chart_cases_set_ceilings (self->cases, self->ceilings);
  self->varying = dyno_chart_cases_get_varying (self->cases);
  self->looks = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify)dyno_chart_looks_free);
  return self;
}

static void
clear (gpointer data)
{
  DynoChartData *self = data;

  g_ptr_array_unref (self->runs);
  g_clear_object (&self->result);
  g_clear_object (&self->link);
  g_hash_table_unref (self->ceilings);
  g_hash_table_unref (self->looks);
  g_ptr_array_unref (self->cases);
}

void
dyno_chart_data_unref (DynoChartData *self)
{
  g_rc_box_release_full (self, clear);
}

GPtrArray *
dyno_chart_data_get_runs (DynoChartData *self)
{
  return self->runs;
}

DynoResult *
dyno_chart_data_get_result (DynoChartData *self)
{
  return self->result;
}

DynoChartLink *
dyno_chart_data_get_link (DynoChartData *self)
{
  return self->link;
}

GHashTable *
dyno_chart_data_get_ceilings (DynoChartData *self)
{
  return self->ceilings;
}

GPtrArray *
dyno_chart_data_get_cases (DynoChartData *self)
{
  return self->cases;
}

guint
dyno_chart_data_get_slot (DynoChartData *self, const DynoChartCase *kase, guint among)
{
  guint dimensions = self->varying & among;
  DynoChartLooks *looks = g_hash_table_lookup (self->looks, GUINT_TO_POINTER (dimensions));

  if (looks == NULL)
    {
      looks = dyno_chart_looks_new (self->cases, dimensions);
      g_hash_table_insert (self->looks, GUINT_TO_POINTER (dimensions), looks);
    }
  return dyno_chart_looks_get_slot (looks, kase);
}
