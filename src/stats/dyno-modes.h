/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-sample.h"

G_BEGIN_DECLS

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

G_END_DECLS
