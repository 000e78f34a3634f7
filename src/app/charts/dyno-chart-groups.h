/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-chart-kind.h"
#include "dyno-chart-view.h"

G_BEGIN_DECLS

#define DYNO_TYPE_CHART_GROUPS (dyno_chart_groups_get_type ())

/**
 * DynoChartGroups:
 *
 * All charts of a run, of runs to compare, or of one case, sorted by what they answer: how fast it is, how close to what the
 * machine can do, and what it costs. Charts are made when their group is looked at; what cannot be drawn says why.
 *
 * Signal `activated (GObject *subject)`: the user clicked the point of a case or of an operator.
 */
G_DECLARE_FINAL_TYPE (DynoChartGroups, dyno_chart_groups, DYNO, CHART_GROUPS, AdwBin)

/* @result: one of them, to show its own charts; NULL for those of all together. Stays NULL or not for
 * good. */
void dyno_chart_groups_set_run (DynoChartGroups *self, DynoRun *run, DynoResult *result);
/* @runs: runs with results, to be drawn on top of each other. */
void dyno_chart_groups_set_runs (DynoChartGroups *self, GPtrArray *runs);
/* @ceilings (nullable): what the machines of runs, shown or not, can do at most: arrays of DynoCeiling. */
void dyno_chart_groups_set_ceilings (DynoChartGroups *self, GHashTable *ceilings);
/* Brings a chart to view. Returns its view; NULL if there is none. */
DynoChartView *dyno_chart_groups_show (DynoChartGroups *self, DynoChartKind kind);

G_END_DECLS
