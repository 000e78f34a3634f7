/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-chart-cases.h"
#include "dyno-chart-private.h"

G_BEGIN_DECLS

/**
 * DynoBars:
 *
 * Turns cases into bars. The bars of one backend or, if runs are compared, of one run form a series. A few
 * series share the rows, so that bars to compare are adjacent; with more series, each bar has its own row.
 * Estimates have their own series, which are hatched.
 */
typedef struct _DynoBars DynoBars;

/* Creates the series in the order of the plan, which the legend keeps. Returns the state of a chart of bars,
 * without any yet. @cases holds DynoChartCase. @varying: the DynoDimension in which all cases of the chart
 * differ. @is_estimated may be NULL. */
DynoBars *dyno_bars_new (DynoChart *chart,
                         GPtrArray *cases,
                         guint varying,
                         const char *value,
                         gboolean (*is_estimated) (const DynoChartCase *kase));
void dyno_bars_free (DynoBars *self);

/* Makes the bars those of one model, in a panel with its name. @leaders: the series of the previous panels;
 * those of this one are added to it. */
void dyno_bars_set_in_panel (DynoBars *self, GPtrArray *leaders);
/* Adds a bar below the existing ones. Returns its row. @low: the lower end of its interval; not finite for
 * none. */
guint dyno_bars_add (
    DynoBars *self, const DynoChartCase *kase, double value, double low, double high, const char *text);
/* Gives the chart or its last panel its axes, series and bars. Takes @values. */
void dyno_bars_fill (DynoBars *self, DynoAxis *values);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoBars, dyno_bars_free)

G_END_DECLS
