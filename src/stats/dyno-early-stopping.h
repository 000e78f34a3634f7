/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Returns the number of samples, these included, with which the percentile is below the limit with 99 %
 * certainty: the smallest n with P[Bin(n, 1 − p) ≤ @n_over] ≤ 0.01 (the early stopping of MLPerf's load
 * generator); such as 44 for the 90th percentile and none over the limit, 64 for one. The samples have to
 * be independent, which they are not under load. @percent: between 0 and 100. */
gsize dyno_stats_early_stopping_size (double percent, gsize n_over);
/* Returns an upper bound of the percentile with 99 % certainty, by the same counting as
 * dyno_stats_early_stopping_size(): with t, the most slower ones that so many values allow, the largest
 * after t − 1 are left out; NaN if there are too few values. @sorted: independent values in ascending
 * order. @percent: between 0 and 100. */
double dyno_stats_percentile_bound (const double *sorted, gsize n, double percent);

G_END_DECLS
