/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

#include "dyno-bootstrap.h"
#include "dyno-sample.h"

G_BEGIN_DECLS

/* dyno-equivalence */

/* Returns the p-value of the hypothesis that the difference is at least as large as the threshold. Two
 * one-sided tests (Schuirmann, “A Comparison of the Two One-Sided Tests Procedure and the Power Approach”,
 * 1987): is the true ratio neither above 1 + t nor below 1 / (1 + t)? Below 0.05 exactly if the 90 %
 * interval is within these limits. @threshold_percent: the smallest difference that matters, above zero. */
double dyno_stats_equivalence_p (const DynoBootstrap *ratio, double threshold_percent);
/* Returns the number of processes of each case for a verdict in four of five experiments, if the true ratio
 * is the one that was found and processes vary as before: for a ratio beyond the threshold by the two-sided
 * test of a difference, for one within it by two one-sided tests (Julious, “Sample Sizes for Clinical
 * Trials with Normal Data”, 2004, with the approximation of the power by Student's distribution). The
 * number is more than @n; 0 if a thousand would be too few, or if it cannot be computed. @ratio: the 95 %
 * interval of a ratio over @n processes of each case. @n: the number of processes so far, at least two.
 * @threshold_percent: the smallest difference that matters, above zero. */
gsize dyno_stats_processes_needed (const DynoInterval *ratio, gsize n, double threshold_percent);

/* dyno-false-discovery */

/* Adjusts p-values by the step-up procedure of Benjamini and Hochberg (“Controlling the False Discovery
 * Rate”, 1995): of all that are at most 0.05 no more than 5 % are false on average, however many tests were
 * made. @adjusted: gets the adjusted values, in the same order; NaN stays and is not counted. */
void dyno_stats_control_false_discovery (const double *p, gsize n, double *adjusted);

/* dyno-interval-test */

/* Student's t-test of the mean of the logarithms (“The Probable Error of a Mean”, 1908). The median of five
 * ratios is on one side in each resample as soon as all five are, by chance once in sixteen times: this
 * test is stricter. Returns the two-sided p-value of the hypothesis that the ratio is one; NaN if it cannot
 * be tested. @ratios: the ratio of two figures in each of several pairs. */
double dyno_stats_paired_difference_p (const double *ratios, gsize n);
/* Student's t-test of the means of the logarithms of two groups of equal variance. Returns the two-sided p-value of
 * the hypothesis that the ratio of the groups is one; NaN if it cannot be tested. */
double dyno_stats_group_difference_p (const double *a, gsize n_a, const double *b, gsize n_b);
/* Student's t, of the logarithm of the ratio over the standard error that its interval implies. Returns the
 * two-sided p-value of the hypothesis that the ratio is one: below 0.05 if the interval leaves out one.
 * @ratio: a ratio with its 95 % interval. */
double dyno_stats_interval_difference_p (const DynoInterval *ratio, double freedom);
/* Two one-sided tests, see dyno_stats_equivalence_p(), with Student's t. Returns the p-value of the
 * hypothesis that the difference is at least as large as the threshold. @ratio: a ratio with its 95 %
 * interval. @threshold_percent: the smallest difference that matters, above zero. */
double
dyno_stats_interval_equivalence_p (const DynoInterval *ratio, double freedom, double threshold_percent);

/* dyno-noise-floor */

/* Returns the noise floor: the smallest difference worth claiming, as a share; NaN for fewer than 2 × @size
 * values, or if one of them is not above zero. Pairs of groups of @size processes are drawn with
 * replacement (the bootstrap of Efron, “Bootstrap Methods: Another Look at the Jackknife”, 1979), and the
 * greater median of each pair is divided by the smaller one. At most one in twenty pairs of groups that are
 * measured later differs by more than the floor. */
double dyno_stats_noise_floor (const double *values, gsize n, gsize size);

/* dyno-rank-test */

/**
 * DynoRankTest:
 * @u: Mann and Whitney's U of the first sample: the number of pairs in which its value is the larger, ties by half
 * @p: two-sided p-value of the hypothesis that neither sample tends to larger values
 * @delta: Cliff's delta, −1 to 1: the share of pairs in which the first is larger, less the share in which it is
 *   smaller
 * @is_exact: whether @p counts all ways to divide the values, instead of approximating
 *
 * A comparison of two samples by ranks.
 */
typedef struct
{
  double u;
  double p;
  double delta;
  gboolean is_exact;
} DynoRankTest;

/* The test of Mann and Whitney (“On a Test of Whether One of Two Random Variables is Stochastically Larger
 * than the Other”, 1947) and the effect size of Cliff (“Dominance Statistics”, 1993). With up to 40 values
 * together the p-value is exact, ties included (Streitberg and Röhmel, “Exact Distributions for Permutation
 * and Rank Tests”, 1986); with more it is normal, with the variance corrected for ties and half a step for
 * continuity, as in R and SciPy. The values have to be independent. Those of one process are not: pass the
 * medians of processes. Returns FALSE, with all numbers NaN, if a sample is empty or has a NaN. */
gboolean dyno_stats_rank_test (const double *a, gsize n_a, const double *b, gsize n_b, DynoRankTest *test);

G_END_DECLS
