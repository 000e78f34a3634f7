/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-result.h"

G_BEGIN_DECLS

/* Fewer steps than this have no interval of their rate. */
#define DYNO_RATE_INTERVAL_MIN_STEPS 20

/* Work over time follows the mean of the steps, not their median: a few slow steps move the one and not
 * the other. The 95 % interval of the mean is that of the means of the processes; of a single one, of the
 * means of ten batches, which holds also where steps resemble those before them; both are turned over.
 * Schmeiser: Batch Size Effects in the Analysis of Simulation Output, 1982. A few processes have a range
 * instead, as their medians have. Returns whether there is one; else both ends are NaN. */
gboolean dyno_rate_interval_find (DynoResult *result, double rate, double *low, double *high);
/* Returns what the bands are, or why there are none, for a note. @cases holds DynoChartCase. */
char *dyno_rate_interval_dup_description (GPtrArray *cases);

G_END_DECLS
