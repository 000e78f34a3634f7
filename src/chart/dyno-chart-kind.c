/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-chart-kind.h"
#include "dyno-chart-private.h"

#define DYNO_CHART_KIND(kind, info) extern const DynoChartInfo info;
DYNO_CHART_KINDS (DYNO_CHART_KIND)
#undef DYNO_CHART_KIND

static const DynoChartInfo *const kinds[DYNO_N_CHARTS] = {
#define DYNO_CHART_KIND(kind, info) &info,
  DYNO_CHART_KINDS (DYNO_CHART_KIND)
#undef DYNO_CHART_KIND
};

const DynoChartInfo *
dyno_chart_kind_get_info (DynoChartKind kind)
{
  g_return_val_if_fail (kind < DYNO_N_CHARTS, NULL);
  return kinds[kind];
}

/**
 * dyno_chart_kind_to_string:
 * @kind: a kind
 *
 * Returns: (transfer none): its stable name, for command lines and file names
 */
const char *
dyno_chart_kind_to_string (DynoChartKind kind)
{
  g_return_val_if_fail (kind < DYNO_N_CHARTS, NULL);
  return kinds[kind]->name;
}

/**
 * dyno_chart_kind_get_label:
 * @kind: a kind
 *
 * Returns: (transfer none): what people call it
 */
const char *
dyno_chart_kind_get_label (DynoChartKind kind)
{
  g_return_val_if_fail (kind < DYNO_N_CHARTS, NULL);
  return _ (kinds[kind]->label);
}

/**
 * dyno_chart_kind_from_string:
 * @string: a name
 * @kind: (out): the kind of that name
 *
 * Returns: whether there is one
 */
gboolean
dyno_chart_kind_from_string (const char *string, DynoChartKind *kind)
{
  for (guint i = 0; i < DYNO_N_CHARTS; i++)
    if (g_strcmp0 (kinds[i]->name, string) == 0)
      {
        *kind = i;
        return TRUE;
      }
  return FALSE;
}

gboolean
dyno_chart_kind_is_of_one_case (DynoChartKind kind)
{
  g_return_val_if_fail (kind < DYNO_N_CHARTS, FALSE);
  return (kinds[kind]->flags & DYNO_CHART_OF_ONE_CASE) != 0;
}

gboolean
dyno_chart_kind_has_roofs (DynoChartKind kind)
{
  g_return_val_if_fail (kind < DYNO_N_CHARTS, FALSE);
  return (kinds[kind]->flags & DYNO_CHART_HAS_ROOFS) != 0;
}

/**
 * dyno_chart_new:
 * @kind: what to show
 * @runs: (element-type DynoRun): runs with their results loaded, one or more
 *
 * Makes a chart of all cases that were measured in @runs; with several runs the series are named by run. A chart for
 * which the runs hold no data is made all the same, and renders its empty message.
 *
 * Returns: (transfer full): a chart, possibly empty
 */
DynoChart *
dyno_chart_new (DynoChartKind kind, GPtrArray *runs)
{
  g_return_val_if_fail (kind < DYNO_N_CHARTS, NULL);
  g_return_val_if_fail (runs != NULL, NULL);
  return dyno_chart_create (kinds[kind], runs, NULL, NULL);
}

/**
 * dyno_chart_new_for_result:
 * @kind: what to show
 * @run: the run
 * @result: one of its results
 *
 * Returns: (transfer full): a chart of this case alone, possibly empty
 */
DynoChart *
dyno_chart_new_for_result (DynoChartKind kind, DynoRun *run, DynoResult *result)
{
  g_autoptr (GPtrArray) runs = g_ptr_array_new ();

  g_return_val_if_fail (kind < DYNO_N_CHARTS, NULL);
  g_return_val_if_fail (DYNO_IS_RUN (run), NULL);
  g_return_val_if_fail (DYNO_IS_RESULT (result), NULL);

  g_ptr_array_add (runs, run);
  return dyno_chart_create (kinds[kind], runs, result, NULL);
}
