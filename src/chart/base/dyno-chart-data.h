/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-chart-cases.h"

G_BEGIN_DECLS

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

G_END_DECLS
