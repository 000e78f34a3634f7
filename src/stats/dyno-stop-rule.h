/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* dyno-early-stopping */

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

/**
 * DYNO_STOP_RULE_GROWTH:
 *
 * The factor by which the number of values must grow from one look to the next.
 */
#define DYNO_STOP_RULE_GROWTH 1.5

/**
 * DynoStopRule:
 * @percent: the longest reach of the 95 % interval of the median, in per cent of the median
 * @n_met: the number of looks in a row that met it
 *
 * The state of the stop rule.
 */
typedef struct
{
  double percent;
  guint n_met;
} DynoStopRule;

/* Returns whether to stop: checks whether the median is precise enough, by the effective sample size.
 * Stopping as soon as an interval is short favours intervals that are short by chance, so that they do not
 * keep their coverage: sequential intervals keep it only as they grow (Chow and Robbins, “On the Asymptotic
 * Theory of Fixed-Width Sequential Confidence Intervals”, 1965). So there are few looks, each with
 * DYNO_STOP_RULE_GROWTH times as many values, and two in a row have to meet the limit. */
gboolean dyno_stop_rule_look (DynoStopRule *self, const double *values, gsize n);

G_END_DECLS
