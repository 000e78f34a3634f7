/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-chart.h"

G_BEGIN_DECLS

/**
 * DynoChartGroup:
 * @DYNO_CHART_GROUP_SPEED: how fast it is
 * @DYNO_CHART_GROUP_LIMITS: how close it comes to what the machine can do
 * @DYNO_CHART_GROUP_ENERGY: what it costs
 *
 * What a kind of chart answers.
 */
typedef enum
{
  DYNO_CHART_GROUP_SPEED,
  DYNO_CHART_GROUP_LIMITS,
  DYNO_CHART_GROUP_ENERGY,
  DYNO_N_CHART_GROUPS,
} DynoChartGroup;

/**
 * DynoChartFlags:
 * @DYNO_CHART_OF_ONE_CASE: it shows one case best, see [func@Dyno.chart_new_for_result]
 * @DYNO_CHART_HAS_ROOFS: it shows what the machine can do at most, see [method@Dyno.Chart.set_ceilings]
 * @DYNO_CHART_IS_WIDE: it needs the whole width of a window
 * @DYNO_CHART_OF_NODES: it is for runs of one submission to a cluster, and not worth a word with others
 */
typedef enum
{
  DYNO_CHART_OF_ONE_CASE = 1 << 0,
  DYNO_CHART_HAS_ROOFS = 1 << 1,
  DYNO_CHART_IS_WIDE = 1 << 2,
  DYNO_CHART_OF_NODES = 1 << 3,
} DynoChartFlags;

/**
 * DynoChartInfo:
 * @name: a stable name, for command lines and file names
 * @label: what people call it, to be translated
 * @group: what it answers
 * @flags: what it is like
 * @build: fills an empty chart with what the cases ([struct@Dyno.ChartCase]) hold
 *
 * All there is to know of a kind of chart; it stands in the file of the kind and nowhere else.
 */
typedef struct
{
  const char *name;
  const char *label;
  DynoChartGroup group;
  DynoChartFlags flags;
  void (*build) (DynoChart *chart, GPtrArray *cases);
} DynoChartInfo;

const char *dyno_chart_group_get_name (DynoChartGroup group);
const char *dyno_chart_group_get_label (DynoChartGroup group);

G_END_DECLS
