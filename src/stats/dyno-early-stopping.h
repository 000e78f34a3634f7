/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* How many samples there have to be, these included, so that the percentile lies below the limit with 99 %
 * certainty: the smallest n with P[Bin(n, 1 − p) ≤ @n_over] ≤ 0.01 (the early stopping of MLPerf's load
 * generator). The samples have to be independent, as under load they are not. Returns the number, such as
 * 44 for the 90th percentile and none over the limit, 64 for one. @percent: between 0 and 100. */
gsize dyno_stats_early_stopping_size (double percent, gsize n_over);
/* What the percentile does not exceed with 99 % certainty, by the same counting as
 * dyno_stats_early_stopping_size(): with the most slower ones that so many values allow, t, the largest
 * after t − 1 are left out. Returns the bound; NaN where there are too few values. @sorted: independent
 * values in ascending order. @percent: between 0 and 100. */
double dyno_stats_percentile_bound (const double *sorted, gsize n, double percent);

G_END_DECLS
