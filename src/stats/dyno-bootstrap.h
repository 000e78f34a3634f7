/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-sample.h"

G_BEGIN_DECLS

/**
 * DynoBootstrap:
 *
 * The figure of many resamples, as an estimate of its distribution over repeated measurements.
 */
typedef struct _DynoBootstrap DynoBootstrap;

/* Resamples the median of all values together: the processes first, then blocks of values within each
 * (Davison and Hinkley, “Bootstrap Methods and their Application”, 1997, 3.8; Carlstein's blocks, 1986, of
 * the length that dyno_stats_block_length() finds, or longer if there would be too many). Values that are
 * not finite are left out. Returns the resamples; NULL without a number. */
DynoBootstrap *dyno_bootstrap_new_median (const DynoSample *groups, gsize n_groups, guint64 seed);
/* Resamples the median of @a over the median of @b, each as dyno_bootstrap_new_median() does. Returns the
 * resamples; NULL if one of the cases has no number, or a median that is not above zero. */
DynoBootstrap *
dyno_bootstrap_new_ratio (const DynoSample *a, gsize n_a, const DynoSample *b, gsize n_b, guint64 seed);
/* Resamples the ratio within blocks, median of @a over median of @b in each, so that changes from block to
 * block cancel. The blocks are summed up by the median of the geometric means of all pairs of them (Hodges
 * and Lehmann, “Estimates of Location Based on Rank Tests”, 1963). A block in which one of them has no
 * number is left out. Returns the resamples; NULL if no block is left, or a median is not above zero. */
DynoBootstrap *
dyno_bootstrap_new_paired_ratio (const DynoSample *a, const DynoSample *b, gsize n_blocks, guint64 seed);
/* Resamples the ratio of sides that took turns: the blocks first, then the rounds of each, whose median is the ratio of
 * the block. The blocks are summed up as in dyno_bootstrap_new_paired_ratio(). Ratios that are not finite are left out.
 * Returns the resamples; NULL without a block that has any, or if a median is not above zero. @blocks: the ratios of the
 * rounds of each block, in the order of time. */
DynoBootstrap *dyno_bootstrap_new_ratio_of_rounds (const DynoSample *blocks, gsize n_blocks, guint64 seed);
/* Takes @self. */
void dyno_bootstrap_free (DynoBootstrap *self);

/* Returns the figure of the original values. */
double dyno_bootstrap_get_estimate (const DynoBootstrap *self);
/* Returns the interval that holds the middle of the resamples. Over several processes it is wider by
 * Student's distribution (the expanded percentile interval of Hesterberg, “What Teachers Should Know About
 * the Bootstrap”, 2015), and scaled by the standard error of the figure over that of its resamples: these
 * have fewer different processes, and the noise within is added twice (Davison and Hinkley, 3.8). In the ratio of independent
 * cases the resamples' own standard error counts if it is smaller (Künsch, 1989). Beyond
 * the last resamples the tails are taken as normal; a ratio is resampled by its logarithm, so its interval stays above
 * zero. The interval of a median over processes reaches as far
 * as the standard error implies, if a process does, because resamples of few processes do not. Within one
 * process whose values show no dependence, the interval is bias-corrected and accelerated (Efron, “Better
 * Bootstrap Confidence Intervals”, 1987). @confidence: between 0 and 1, such as 0.95. */
void dyno_bootstrap_get_interval (const DynoBootstrap *self, double confidence, DynoInterval *interval);
/* Returns the p-value of the hypothesis that the true figure is at most @value, against that it is above:
 * small if hardly any resample is at most @value. It agrees with the intervals of a ratio: the interval of
 * confidence c has its low end at the value whose p-value is (1 − c) / 2. @value: the hypothetical figure.
 **/
double dyno_bootstrap_get_p_below (const DynoBootstrap *self, double value);
/* Returns the p-value of the hypothesis that the true figure is at least @value, against that it is below.
 * @value: the hypothetical figure. */
double dyno_bootstrap_get_p_above (const DynoBootstrap *self, double value);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoBootstrap, dyno_bootstrap_free)

G_END_DECLS
