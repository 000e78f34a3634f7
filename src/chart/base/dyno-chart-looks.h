/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-chart-cases.h"

G_BEGIN_DECLS

/**
 * DynoChartLooks:
 *
 * Which colour, marker and dash the series of a set of runs have. It is decided for all cases of the runs, in the order
 * of the plan, whatever single values they lack: so charts beside each other agree, and a backend keeps its colour
 * everywhere.
 */
typedef struct _DynoChartLooks DynoChartLooks;

/* Returns how the series look. @cases holds DynoChartCase. */
DynoChartLooks *dyno_chart_looks_new (GPtrArray *cases, guint dimensions);
void dyno_chart_looks_free (DynoChartLooks *self);
/* Returns the slot of its series, from which colour, marker and dash follow. */
guint dyno_chart_looks_get_slot (DynoChartLooks *self, const DynoChartCase *kase);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoChartLooks, dyno_chart_looks_free)

G_END_DECLS
