/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

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
