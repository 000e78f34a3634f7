/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-chart-base-private.h"
#include "dyno-chart-kinds-private.h"
#include "dyno-chart-layers-private.h"
#include "dyno-subject-charts.h"
#include "dyno-unit.h"

/* The precision that the finding is about, if the device computes in it. */
#define USUAL_PRECISION "fp32"

static char *
describe_ridge (DynoCeiling *compute, DynoCeiling *memory)
{
  g_autofree char *name = dyno_ceiling_dup_name (compute);
  g_autofree char *below = dyno_ceiling_dup_name (memory);
  g_autofree char *rate =
      dyno_unit_format (dyno_ceiling_get_value (compute), dyno_ceiling_get_unit (compute));
  g_autofree char *ridge =
      dyno_unit_format_significant (dyno_ceiling_get_value (compute) / dyno_ceiling_get_value (memory));

  /* Translators: a compute roof, its value, an intensity, and a memory roof: “fp32 AVX2 reaches 153 GFLOP/s; below
   * 6.4 FLOP/byte, DRAM read is the limit.” */
  return g_strdup_printf (_ ("%s reaches %s; below %s FLOP/byte, %s is the limit."), name, rate, ridge,
                          below);
}

static void
add_rows (DynoChart *chart, GPtrArray *ceilings, DynoCeiling *memory)
{
  DynoChartTable *table = dyno_chart_build_table (chart);
  double extent[DYNO_CEILING_LATENCY][2] = { { INFINITY, 0 }, { INFINITY, 0 } };

  for (guint i = 0; i < ceilings->len; i++)
    {
      DynoCeilingKind kind = dyno_ceiling_get_kind (ceilings->pdata[i]);
      double value = dyno_ceiling_get_value (ceilings->pdata[i]);

      if (kind == DYNO_CEILING_LATENCY)
        continue;
      extent[kind][0] = MIN (extent[kind][0], value);
      extent[kind][1] = MAX (extent[kind][1], value);
    }
  dyno_chart_table_add_column (table, _ ("Roof"));
  dyno_chart_table_add_quantity (table, _ ("Performance"), "FLOP/s", extent[DYNO_CEILING_COMPUTE][0],
                                 extent[DYNO_CEILING_COMPUTE][1]);
  dyno_chart_table_add_column (table, _ ("Ridge (FLOP/byte)"));
  dyno_chart_table_add_quantity (table, _ ("Bandwidth"), "B/s", extent[DYNO_CEILING_BANDWIDTH][0],
                                 extent[DYNO_CEILING_BANDWIDTH][1]);
  dyno_chart_table_add_column (table, _ ("Varies by (%)"));
  for (guint i = 0; i < ceilings->len; i++)
    {
      DynoCeiling *ceiling = ceilings->pdata[i];
      gboolean is_compute = dyno_ceiling_get_kind (ceiling) == DYNO_CEILING_COMPUTE;
      double value = dyno_ceiling_get_value (ceiling);
      g_autofree char *name = dyno_ceiling_dup_name (ceiling);

      if (dyno_ceiling_get_kind (ceiling) == DYNO_CEILING_LATENCY || dyno_ceiling_is_upper_bound (ceiling))
        continue;
      dyno_chart_table_begin_row (table, NULL);
      dyno_chart_table_add_text (table, name);
      dyno_chart_table_add_number (table, is_compute ? value : NAN);
      dyno_chart_table_add_number (table, is_compute ? value / dyno_ceiling_get_value (memory) : NAN);
      dyno_chart_table_add_number (table, is_compute ? NAN : value);
      dyno_chart_table_add_number (table, 100 * dyno_ceiling_get_spread (ceiling));
    }
}

/* Where a compute roof and a memory roof meet. */
typedef struct
{
  DynoCeiling *compute;
  DynoCeiling *memory;
  double intensity;
} Ridge;

static int
compare_ridges (gconstpointer a, gconstpointer b)
{
  double left = ((const Ridge *)a)->intensity;
  double right = ((const Ridge *)b)->intensity;

  return left < right ? -1 : left > right;
}

static GArray *
list_ridges (GPtrArray *compute, const DynoRoofs *roofs)
{
  GArray *ridges = g_array_new (FALSE, FALSE, sizeof (Ridge));

  for (guint i = 0; i < compute->len; i++)
    for (guint k = 0; k < roofs->lines.n_levels; k++)
      {
        Ridge ridge = { compute->pdata[i], roofs->lines.levels[k], 0 };

        ridge.intensity = dyno_ceiling_get_value (ridge.compute) / dyno_ceiling_get_value (ridge.memory);
        g_array_append_val (ridges, ridge);
      }
  g_array_sort (ridges, compare_ridges);
  return ridges;
}

static void
build (DynoChart *chart, GPtrArray *cases)
{
  GPtrArray *ceilings = dyno_chart_get_subject (chart);
  g_autoptr (DynoRooflineScene) roofline = dyno_roofline_scene_new (dyno_chart_get_aspect (chart) > 0);
  g_autoptr (DynoSeries) series = dyno_series_new (_ ("Ridge"), 0);
  DynoRoofs roofs = { 0 };
  g_autoptr (GPtrArray) compute = dyno_roofline_scene_add_place (roofline, ceilings, &roofs);
  g_autoptr (GArray) ridges = list_ridges (compute, &roofs);

  dyno_chart_take_title (chart, g_strdup (_ ("Roofline")));
  dyno_chart_set_empty_message (
      chart, _ ("A roofline needs a compute roof and a memory roof. Measure the roofs of this device."));
  if (ridges->len == 0)
    return;
  double factor = dyno_roofline_scene_get_factor (roofline);
  DynoCeiling *usual = g_array_index (ridges, Ridge, 0).compute;
  for (guint i = 0; i < ridges->len; i++)
    {
      const Ridge *ridge = &g_array_index (ridges, Ridge, i);
      g_autofree char *text = describe_ridge (ridge->compute, ridge->memory);

      dyno_series_add_with_text (series, ridge->intensity, dyno_ceiling_get_value (ridge->compute) * factor,
                                 text);
      if (g_strcmp0 (dyno_ceiling_get_precision (ridge->compute), USUAL_PRECISION) == 0)
        usual = ridge->compute;
    }
  dyno_roofline_scene_fill (roofline, chart);
  dyno_chart_add_series (chart, series);
  dyno_chart_take_layer (chart, dyno_bubble_layer_new (series));
  add_rows (chart, ceilings, roofs.lines.levels[0]);
  g_autofree char *lines = dyno_roofline_scene_describe_lines (roofline);
  g_autofree char *disturbance = dyno_roofline_scene_describe_disturbance (roofline);
  dyno_chart_take_caption (chart, g_strconcat (lines, disturbance, NULL));
  dyno_chart_take_finding (chart, describe_ridge (usual, roofs.lines.levels[0]));
}

DynoChart *
dyno_roofs_chart_new (GPtrArray *ceilings, guint n_threads)
{
  static const DynoChartInfo info = { .name = "roofs", .build = build };
  GPtrArray *shown;

  g_return_val_if_fail (ceilings != NULL, NULL);

  shown = g_ptr_array_new_with_free_func (g_object_unref);
  for (guint i = 0; i < ceilings->len; i++)
    if (dyno_ceiling_get_threads (ceilings->pdata[i]) == n_threads)
      g_ptr_array_add (shown, g_object_ref (ceilings->pdata[i]));
  return dyno_chart_create_for (&info, shown, (GDestroyNotify)g_ptr_array_unref);
}
