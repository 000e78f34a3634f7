/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-chart-kinds-private.h"

static gboolean
has_work (DynoOperator *op)
{
  return dyno_operator_get_time_ns (op) > 0 && dyno_operator_get_calls (op) > 0 &&
         dyno_operator_get_flops (op) > 0 && dyno_operator_get_bytes (op) > 0;
}

/* Shares refer to the time of all operators, so there are none if one operator has no time. */
static gboolean
has_operators (DynoResult *result)
{
  return dyno_operator_times_have (result, has_work);
}

static void
add_operators (DynoRooflineGroups *groups, DynoResult *result)
{
  GPtrArray *operators = dyno_result_get_operators (result);

  for (guint i = 0; i < operators->len; i++)
    {
      /* Operators of one type and one size are one point. */
      DynoOperator *op = g_ptr_array_index (operators, i);
      const char *type = dyno_operator_get_op_type (op);
      DynoOperatorKind kind = dyno_operator_kind_from_type (type);
      const DynoRooflineFamily family = { type, dyno_operator_kind_get_name (kind), kind };
      g_autofree char *key = g_strdup_printf ("%s/%" G_GINT64_FORMAT "/%" G_GINT64_FORMAT, type,
                                              dyno_operator_get_flops (op), dyno_operator_get_bytes (op));

      if (has_work (op))
        dyno_roofline_groups_add (groups, op, key, type, &family);
      else
        dyno_roofline_groups_hide (groups, op);
    }
}

static void
build (DynoChart *chart, GPtrArray *cases)
{
  const DynoRooflineWords words = { _ ("Operators"), _ ("Kind"), TRUE, FALSE };

  dyno_roofline_groups_build (chart, cases, &words, add_operators);
}

const DynoChartInfo dyno_roofline_operators_chart = {
  .name = "roofline-operators",
  .label = N_ ("Roofline of operators"),
  .title = N_ ("Roofline of the operators"),
  .dup_empty = dyno_roofline_groups_dup_empty_message,
  .group = DYNO_CHART_GROUP_LIMITS,
  .flags = DYNO_CHART_OF_ONE_CASE | DYNO_CHART_HAS_ROOFS | DYNO_CHART_IS_WIDE,
  .has_data = has_operators,
  .limit = 1,
  .build = build,
};
