/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

#include "dyno-sample.h"

G_BEGIN_DECLS

/* dyno-autocorrelation */

/* Returns the number of independent values that would determine the median as precisely as these, at most
 * @n: n / (1 + 2 Σρ), with the correlations ρ of whether a value is at most the median (Vehtari et al.,
 * “Rank-Normalization, Folding, and Localization: An Improved R̂”, 2021, for quantiles), summed by the
 * initial monotone sequence of Geyer (“Practical Markov Chain Monte Carlo”, 1992). Values that alternate
 * about the median do not count for more than independent ones. */
double dyno_stats_effective_size (const double *values, gsize n);
/* Returns the length for the blocks of a block bootstrap of the median, so that neighbours stay together as
 * far as they resemble each other: from 1, if there is no dependence, to a third of @n. By Politis and
 * White, “Automatic Block-Length Selection for the Dependent Bootstrap”, 2004, with the correction of
 * Patton, Politis and White, 2009, and for blocks that do not overlap the variance 2 g(0)² of Lahiri,
 * “Theoretical Comparisons of Block Bootstrap Methods”, 1999; applied to whether a value is at most the
 * median. */
gsize dyno_stats_block_length (const double *values, gsize n);

/* dyno-divisive */

/* Finds where the distribution changes: E-divisive (Matteson and James, “A Nonparametric Approach for
 * Multiple Change Point Analysis of Multivariate Data”, 2014), which assumes nothing about the noise. The
 * series is divided where the energy distance between both sides is the largest, if hardly any permutation
 * of it divides as well, and each side again (with the second side up to the end of the stretch, as Daly et
 * al., “The Use of Change Point Detection to Identify Software Performance Regressions”, 2020). A level has
 * at least three values, so the last point alone is never a change. For series of thousands of values in
 * which the mean changes there is dyno_stats_change_points(). Returns the index of the first value of each
 * level but the first, ascending; empty for a series of one level. Elements are gsize. The caller owns it.
 * @values: finite values in the order of time, such as one for each run. @significance: the probability of
 * a false change in a series without any, such as 0.05. */
GArray *dyno_stats_divide (const double *values, gsize n, double significance, guint64 seed);

/* dyno-modes */

/**
 * DynoModes:
 * @low: mean of the lower mode
 * @high: mean of the upper mode
 * @n_low: the number of values in the lower mode
 * @n_high: the number of values in the upper mode
 * @threshold: values up to here are in the lower mode
 * @p: p-value of the hypothesis that all values are of one normal distribution
 *
 * The two modes of the values.
 */
typedef struct
{
  double low;
  double high;
  gsize n_low;
  gsize n_high;
  double threshold;
  double p;
} DynoModes;

/* Returns whether processes have two modes; FALSE also for fewer than five values or with a NaN among them.
 * The values are cut where the squares about both means are the least (Fisher, “On Grouping for Maximum
 * Homogeneity”, 1958); there are two modes if hardly one in a hundred samples of a normal distribution can
 * be cut as well (Engelman and Hartigan, “Percentage Points of a Test for Clusters”, 1969) and the gap
 * between the two is wider than either of them. A mode has at least two values. @values: figures of
 * processes, such as their medians, in any order. */
gboolean dyno_stats_find_modes (const double *values, gsize n, DynoModes *modes);
/* Returns the share of the variance that is between the processes, not within them, 0 to 1; NaN for fewer
 * than two processes of two values, or if nothing varies. Uses the estimates of variance components by the
 * analysis of variance (Searle, Casella and McCulloch, “Variance Components”, 1992, 3.6). The effective
 * sample sizes give the variance of the means by the noise within alone. */
double dyno_stats_between_share (const DynoSample *groups, gsize n_groups);

/* dyno-trend */

/* Returns the one-sided p-value of the hypothesis that the values do not rise; 1 for fewer than four
 * values. The test of Mann and Kendall (Mann, “Nonparametric tests against trend”, 1945; ties after
 * Kendall), by the normal approximation with its correction for continuity, which is good for ten values or
 * more. */
double dyno_stats_trend_probability (const double *values, gsize n);

G_END_DECLS
