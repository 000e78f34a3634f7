/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-chart-kind.h"
#include "dyno-chart-view.h"

G_BEGIN_DECLS

#define DYNO_TYPE_CHART_GROUPS (dyno_chart_groups_get_type ())

/**
 * DynoChartGroups:
 *
 * All charts of a run, of runs to compare, or of one case, grouped by the question they answer: how fast it
 * is, how close to the ceilings of the machine, and at which cost. Charts are made when their group is first
 * shown; a chart that cannot be drawn says why.
 *
 * Signal `activated (GObject *subject)`: the user clicked the point of a case or of an operator.
 */
G_DECLARE_FINAL_TYPE (DynoChartGroups, dyno_chart_groups, DYNO, CHART_GROUPS, AdwBin)

/* @result: one of the run's results, to show its charts; NULL for the charts of all. It must always be NULL,
 * or never. */
void dyno_chart_groups_set_run (DynoChartGroups *self, DynoRun *run, DynoResult *result);
/* @runs: runs with results, to draw in the same charts. */
void dyno_chart_groups_set_runs (DynoChartGroups *self, GPtrArray *runs);
/* @ceilings (nullable): the ceilings of the machines of runs, shown or not: arrays of DynoCeiling. */
void dyno_chart_groups_set_ceilings (DynoChartGroups *self, GHashTable *ceilings);
/* Scrolls to a chart. Returns its view; NULL if there is none. */
DynoChartView *dyno_chart_groups_show (DynoChartGroups *self, DynoChartKind kind);

G_END_DECLS
