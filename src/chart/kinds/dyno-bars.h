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

DynoBars *dyno_bars_new (DynoChart *chart,
                         GPtrArray *cases,
                         guint varying,
                         const char *value,
                         gboolean (*is_estimated) (const DynoChartCase *kase));
void dyno_bars_free (DynoBars *self);

void dyno_bars_set_in_panel (DynoBars *self, GPtrArray *leaders);
guint dyno_bars_add (
    DynoBars *self, const DynoChartCase *kase, double value, double low, double high, const char *text);
void dyno_bars_fill (DynoBars *self, DynoAxis *values);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoBars, dyno_bars_free)

G_END_DECLS
