/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-chart-cases.h"
#include "dyno-chart-private.h"

G_BEGIN_DECLS

/**
 * DynoBars:
 *
 * How cases become bars. Those of one backend or, where runs are compared, of one run form a series. Few series share
 * the rows, so that what is to be compared lies together; of more, each bar has its own row. What was not measured
 * has series of its own, which are hatched.
 */
typedef struct _DynoBars DynoBars;

/* Series are made in the order of the plan, which the legend keeps. Returns a chart's worth of bars,
 * without any yet. @cases holds DynoChartCase. @varying: the DynoDimension in which all cases of the chart
 * differ. @is_estimated may be NULL. */
DynoBars *dyno_bars_new (DynoChart *chart,
                         GPtrArray *cases,
                         guint varying,
                         const char *value,
                         gboolean (*is_estimated) (const DynoChartCase *kase));
void dyno_bars_free (DynoBars *self);

/* The bars are those of one model, in a panel with its name. @leaders: the series of the panels before, to
 * which those of this one are added. */
void dyno_bars_set_in_panel (DynoBars *self, GPtrArray *leaders);
/* Adds a bar below those there are. Returns its row. @low: the lower end of its interval; not finite for
 * none. */
guint dyno_bars_add (
    DynoBars *self, const DynoChartCase *kase, double value, double low, double high, const char *text);
/* Gives the chart, or its last panel, its axes, series and bars. Takes @values. */
void dyno_bars_fill (DynoBars *self, DynoAxis *values);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoBars, dyno_bars_free)

G_END_DECLS
