/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-chart-kinds-private.h"

static void
build (DynoChart *chart, GPtrArray *cases)
{
  dyno_scaling_build (chart, cases, FALSE);
}

const DynoChartInfo dyno_scaling_throughput_chart = {
  .name = "scaling-throughput",
  .label = N_ ("Sustained throughput by size"),
  .group = DYNO_CHART_GROUP_SPEED,
  .build = build,
};
