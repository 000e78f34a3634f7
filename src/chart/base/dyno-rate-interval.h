/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-result.h"

G_BEGIN_DECLS

/* With fewer steps than this there is no interval of the rate. */
#define DYNO_RATE_INTERVAL_MIN_STEPS 20

/* Work over time follows the mean of the steps, not their median: a few slow steps change the mean but not
 * the median. The 95 % interval of the mean comes from the means of the processes; for a single process, from
 * the means of ten batches, which also holds for correlated steps; the rate interval is its reciprocal.
 * Schmeiser: Batch Size Effects in the Analysis of Simulation Output, 1982. A few processes have a range
 * instead, as their medians have. Returns whether there is an interval; else both ends are NaN. */
gboolean dyno_rate_interval_find (DynoResult *result, double rate, double *low, double *high);
/* Returns the meaning of the bands, or why there are none, for a note. @cases holds DynoChartCase. */
char *dyno_rate_interval_dup_description (GPtrArray *cases);

G_END_DECLS
