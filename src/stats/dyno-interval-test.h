/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-sample.h"

G_BEGIN_DECLS

/* Student's t-test of the mean of the logarithms (“The Probable Error of a Mean”, 1908). The median of five
 * ratios is on one side in each resample as soon as all five are, by chance once in sixteen times: this
 * test is stricter. Returns the two-sided p-value of the hypothesis that the ratio is one; NaN if it cannot
 * be tested. @ratios: the ratio of two figures in each of several pairs. */
double dyno_stats_paired_difference_p (const double *ratios, gsize n);
/* Student's t, of the logarithm of the ratio over the standard error that its interval implies. Returns the
 * two-sided p-value of the hypothesis that the ratio is one: below 0.05 if the interval leaves out one.
 * @ratio: a ratio with its 95 % interval. */
double dyno_stats_interval_difference_p (const DynoInterval *ratio, double freedom);
/* Two one-sided tests, see dyno_stats_equivalence_p(), with Student's t. Returns the p-value of the
 * hypothesis that the difference is at least as large as the threshold. @ratio: a ratio with its 95 %
 * interval. @threshold_percent: the smallest difference that matters, above zero. */
double
dyno_stats_interval_equivalence_p (const DynoInterval *ratio, double freedom, double threshold_percent);

G_END_DECLS
