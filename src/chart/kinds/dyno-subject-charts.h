/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-chart.h"
#include "dyno-comparison.h"
#include "dyno-history.h"
#include "dyno-recommendation.h"

G_BEGIN_DECLS

/* Charts of one subject, which is no list of runs. */

/* dyno-forest-chart */

/* Returns a forest plot of its cases, from the best to the worst. */
DynoChart *dyno_forest_chart_new (DynoComparison *comparison);

/* dyno-history-chart */

/* Returns a chart of its points in order of time with a panel for each case, the levels, and the changes. */
DynoChart *dyno_history_chart_new (DynoHistory *history);

/* dyno-matrix-chart */

/* Returns a matrix whose cells name the best choice, shaded by its margin. */
DynoChart *dyno_matrix_chart_new (DynoRecommendation *recommendation);

/* dyno-roofs-chart */

/* Returns the roofline of a device without cases: its memory roofs, and a compute roof of each precision. @ceilings
 * holds DynoCeiling, all of one device and placement. @n_threads: the number of threads whose roofs it shows. */
DynoChart *dyno_roofs_chart_new (GPtrArray *ceilings, guint n_threads);

G_END_DECLS
