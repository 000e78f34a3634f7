/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-chart-base-private.h"
#include "dyno-chart-kind.h"
#include "dyno-chart-registry.h"
#include "dyno-plugins.h"
#include "dyno-run.h"

static GPtrArray *
get_kinds (void)
{
  static GPtrArray *kinds;

  if (g_once_init_enter (&kinds))
    {
      GPtrArray *all = g_ptr_array_new ();

      for (guint i = 0; i < G_N_ELEMENTS (built_in); i++)
        g_ptr_array_add (all, (gpointer)built_in[i]);
      g_ptr_array_extend_and_steal (all, dyno_plugins_list ("dyno_plugin_get_chart"));
      g_once_init_leave (&kinds, all);
    }
  return kinds;
}

guint
dyno_chart_kind_count (void)
{
  return get_kinds ()->len;
}

const DynoChartInfo *
dyno_chart_kind_get_info (DynoChartKind kind)
{
  g_return_val_if_fail (kind < dyno_chart_kind_count (), NULL);
  return g_ptr_array_index (get_kinds (), kind);
}

const char *
dyno_chart_kind_to_string (DynoChartKind kind)
{
  g_return_val_if_fail (kind < dyno_chart_kind_count (), NULL);
  return dyno_chart_kind_get_info (kind)->name;
}

gboolean
dyno_chart_kind_from_string (const char *string, DynoChartKind *kind)
{
  for (guint i = 0; i < dyno_chart_kind_count (); i++)
    if (g_strcmp0 (dyno_chart_kind_get_info (i)->name, string) == 0)
      {
        *kind = i;
        return TRUE;
      }
  return FALSE;
}

gboolean
dyno_chart_kind_is_of_one_case (DynoChartKind kind)
{
  g_return_val_if_fail (kind < dyno_chart_kind_count (), FALSE);
  return (dyno_chart_kind_get_info (kind)->flags & DYNO_CHART_OF_ONE_CASE) != 0;
}

DynoChart *
dyno_chart_new (DynoChartKind kind, GPtrArray *runs)
{
  g_return_val_if_fail (kind < dyno_chart_kind_count (), NULL);
  g_return_val_if_fail (runs != NULL, NULL);

  g_autoptr (DynoChartData) data = dyno_chart_data_new (runs, NULL, NULL);
  return dyno_chart_new_for_data (kind, data);
}

DynoChart *
dyno_chart_new_for_data (DynoChartKind kind, DynoChartData *data)
{
  g_return_val_if_fail (kind < dyno_chart_kind_count (), NULL);
  g_return_val_if_fail (data != NULL, NULL);
  return dyno_chart_create (dyno_chart_kind_get_info (kind), data);
}

DynoChart *
dyno_chart_new_for_result (DynoChartKind kind, DynoRun *run, DynoResult *result)
{
  g_autoptr (GPtrArray) runs = g_ptr_array_new ();

  g_return_val_if_fail (kind < dyno_chart_kind_count (), NULL);
  g_return_val_if_fail (DYNO_IS_RUN (run), NULL);
  g_return_val_if_fail (DYNO_IS_RESULT (result), NULL);

  g_ptr_array_add (runs, run);
  g_autoptr (DynoChartData) data = dyno_chart_data_new (runs, result, NULL);
  return dyno_chart_new_for_data (kind, data);
}
