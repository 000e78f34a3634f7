/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-chart-base-private.h"

static const struct
{
  const char *name;
  const char *label;
} groups[DYNO_N_CHART_GROUPS] = {
  [DYNO_CHART_GROUP_SPEED] = { "speed", N_ ("Speed") },
  [DYNO_CHART_GROUP_MEMORY] = { "memory", N_ ("Memory") },
  [DYNO_CHART_GROUP_LIMITS] = { "limits", N_ ("Roofline") },
  [DYNO_CHART_GROUP_ENERGY] = { "energy", N_ ("Energy") },
  [DYNO_CHART_GROUP_OPERATORS] = { "operators", N_ ("Operators") },
};

/* A stable name, for widgets. */
const char *
dyno_chart_group_get_name (DynoChartGroup group)
{
  g_return_val_if_fail (group < DYNO_N_CHART_GROUPS, NULL);
  return groups[group].name;
}

const char *
dyno_chart_group_get_label (DynoChartGroup group)
{
  g_return_val_if_fail (group < DYNO_N_CHART_GROUPS, NULL);
  return _ (groups[group].label);
}
