/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-chart-cases.h"
#include "dyno-chart.h"

G_BEGIN_DECLS

/* dyno-chart-data */

/**
 * DynoChartData:
 *
 * The input of charts: the measured cases of runs with their roofs. Successive charts of the same runs share
 * it, so that values derived from all cases are computed once. It is a snapshot of the runs. Reference
 * counted, for one thread.
 */
typedef struct _DynoChartData DynoChartData;

/* Returns the measured cases of @runs, in the order of the plan. @runs may be NULL. @runs holds DynoRun.
 * @result (nullable): a result of the only run, to leave out the others. @ceilings (nullable): the measured
 * ceilings of the runs' machines, see dyno_chart_set_ceilings(). */
DynoChartData *dyno_chart_data_new (GPtrArray *runs, DynoResult *result, GHashTable *ceilings);
void dyno_chart_data_unref (DynoChartData *self);
GPtrArray *dyno_chart_data_get_runs (DynoChartData *self);
DynoResult *dyno_chart_data_get_result (DynoChartData *self);
GHashTable *dyno_chart_data_get_ceilings (DynoChartData *self);
/* Returns the cases. Elements are DynoChartCase. */
GPtrArray *dyno_chart_data_get_cases (DynoChartData *self);
/* Returns the slot of the case's series, see DynoChartLooks. */
guint dyno_chart_data_get_slot (DynoChartData *self, const DynoChartCase *kase, guint among);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoChartData, dyno_chart_data_unref)

/* dyno-chart-info */

/**
 * DynoChartGroup:
 * @DYNO_CHART_GROUP_SPEED: speed
 * @DYNO_CHART_GROUP_MEMORY: memory use
 * @DYNO_CHART_GROUP_LIMITS: speed relative to the roofs of the machine
 * @DYNO_CHART_GROUP_ENERGY: energy use
 * @DYNO_CHART_GROUP_OPERATORS: the operators of a model
 *
 * The question that a kind of chart answers.
 */
typedef enum
{
  DYNO_CHART_GROUP_SPEED,
  DYNO_CHART_GROUP_MEMORY,
  DYNO_CHART_GROUP_LIMITS,
  DYNO_CHART_GROUP_ENERGY,
  DYNO_CHART_GROUP_OPERATORS,
  DYNO_N_CHART_GROUPS,
} DynoChartGroup;

/**
 * DynoChartFlags:
 * @DYNO_CHART_OF_ONE_CASE: it is best for a single case, see dyno_chart_new_for_result()
 * @DYNO_CHART_HAS_ROOFS: it shows the roofs of the machine, see dyno_chart_set_ceilings()
 * @DYNO_CHART_IS_WIDE: it needs the whole width of a window
 * @DYNO_CHART_OF_STAGES: it is for models of several graphs, all cases or one
 */
typedef enum
{
  DYNO_CHART_OF_ONE_CASE = 1 << 0,
  DYNO_CHART_HAS_ROOFS = 1 << 1,
  DYNO_CHART_IS_WIDE = 1 << 2,
  DYNO_CHART_OF_STAGES = 1 << 3,
} DynoChartFlags;

/**
 * DynoChartInfo:
 * @name: a stable name, for command lines and file names
 * @label: its name for people, to be translated
 * @title: (nullable): its title, to be translated; NULL for @label
 * @empty: (nullable): why a chart shows nothing, and the remedy, to be translated
 * @dup_empty: (nullable): makes this message from all cases (DynoChartCase); @empty if it returns NULL
 * @group: the question it answers
 * @flags: its properties
 * @has_data: (nullable): whether it can show a result
 * @limit: the number of cases that it shows at most, which the caption then mentions; 0 for all
 * @build: fills a chart with the data of the cases (DynoChartCase) that have data, at least one; without
 *   @has_data, fills an empty chart with the data of all cases
 *
 * The full description of a kind of chart, defined only in the file of that kind.
 */
typedef struct
{
  const char *name;
  const char *label;
  const char *title;
  const char *empty;
  char *(*dup_empty) (GPtrArray *cases);
  DynoChartGroup group;
  DynoChartFlags flags;
  gboolean (*has_data) (DynoResult *result);
  guint limit;
  void (*build) (DynoChart *chart, GPtrArray *cases);
} DynoChartInfo;

const char *dyno_chart_group_get_name (DynoChartGroup group);
const char *dyno_chart_group_get_label (DynoChartGroup group);

G_END_DECLS
