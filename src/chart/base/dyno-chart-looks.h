/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-chart-cases.h"

G_BEGIN_DECLS

/**
 * DynoChartLooks:
 *
 * The colours, markers and dashes of the series of a set of runs. They are assigned for all cases in the
 * order of the plan, even if some values are missing: so adjacent charts agree, and a backend has the same
 * colour everywhere.
 */
typedef struct _DynoChartLooks DynoChartLooks;

/* Returns the looks of the series. @cases holds DynoChartCase. */
DynoChartLooks *dyno_chart_looks_new (GPtrArray *cases, guint dimensions);
void dyno_chart_looks_free (DynoChartLooks *self);
/* Returns the slot of its series, which determines colour, marker and dash. */
guint dyno_chart_looks_get_slot (DynoChartLooks *self, const DynoChartCase *kase);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoChartLooks, dyno_chart_looks_free)

G_END_DECLS
