/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-chart-base-private.h"
#include "dyno-chart-kinds-private.h"
#include "dyno-chart-layers-private.h"
#include "dyno-unit.h"

#define UNIT "tokens/s"

static const DynoLoadColumn columns[] = {
  { N_ ("Clients"), G_STRUCT_OFFSET (DynoLoadMark, clients) },
  { N_ ("For each user (tokens/s)"), G_STRUCT_OFFSET (DynoLoadMark, user_tokens) },
  { N_ ("Of the system (tokens/s)"), G_STRUCT_OFFSET (DynoLoadMark, system_tokens) },
};

static gboolean
has_data (DynoResult *result)
{
  return dyno_load_points_has_loops (result) &&
         dyno_result_get_number (result, "output_tokens_per_sec") > 0 &&
         dyno_result_get_number (result, "user_tokens_per_sec") > 0;
}

/* The curve of MLPerf Endpoints: more clients get more of the system, and less each. */
static void
build (DynoChart *chart, GPtrArray *cases)
{
  g_autoptr (GArray) marks =
      dyno_load_points_list (cases, FALSE, G_STRUCT_OFFSET (DynoLoadMark, user_tokens));
  g_autoptr (GPtrArray) all = g_ptr_array_new_with_free_func (g_object_unref);
  const DynoLoadMark *best = &g_array_index (marks, DynoLoadMark, 0);

  for (guint i = 0; i < marks->len; i++)
    {
      const DynoLoadMark *mark = &g_array_index (marks, DynoLoadMark, i);
      DynoSeries *series = dyno_load_points_find_series (all, cases, mark, _ ("closed loops"), 0);
      g_autofree char *system = dyno_unit_format (mark->system_tokens, UNIT);
      g_autofree char *user = dyno_unit_format (mark->user_tokens, UNIT);
      g_autofree char *text =
          g_strdup_printf (ngettext ("%g client: %s, %s for each user", "%g clients: %s, %s for each user",
                                     (guint)mark->clients),
                           mark->clients, system, user);

      if (dyno_series_add_with_text (series, mark->user_tokens, mark->system_tokens, text))
        dyno_series_set_subject (series, dyno_series_get_length (series) - 1, mark->kase->subject);
      if (mark->system_tokens > best->system_tokens)
        best = mark;
    }
  dyno_chart_take_axes (
      chart,
      dyno_linear_axis_new_nice (_ ("Rate for each user"), UNIT, 0,
                                 g_array_index (marks, DynoLoadMark, marks->len - 1).user_tokens),
      dyno_linear_axis_new_nice (_ ("Rate of the system"), UNIT, 0, best->system_tokens));
  for (guint i = 0; i < all->len; i++)
    {
      dyno_chart_add_series (chart, all->pdata[i]);
      dyno_chart_take_layer (chart, dyno_line_layer_new (all->pdata[i]));
    }
  dyno_load_points_add_rows (chart, cases, columns, G_N_ELEMENTS (columns), marks, NULL);
  dyno_chart_take_caption (chart, dyno_chart_cases_dup_caption (cases, DYNO_DIMENSION_LOAD));
  g_autofree char *most = dyno_unit_format (best->system_tokens, UNIT);
  g_autofree char *each = dyno_unit_format (best->user_tokens, UNIT);
  dyno_chart_take_finding (
      chart, g_strdup_printf (ngettext ("The system writes most with %g client: %s, %s for each user.",
                                        "The system writes most with %g clients: %s, %s for each user.",
                                        (guint)best->clients),
                              best->clients, most, each));
}

const DynoChartInfo dyno_endpoints_chart = {
  .name = "system-and-user-rate",
  .label = N_ ("System and user rate"),
  .empty =
      N_ ("No server was measured with clients at the same time. Choose a load such as “concurrent=1,2,4”."),
  .group = DYNO_CHART_GROUP_SPEED,
  .has_data = has_data,
  .build = build,
};
