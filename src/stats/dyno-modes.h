/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-sample.h"

G_BEGIN_DECLS

/**
 * DynoModes:
 * @low: mean of the lower mode
 * @high: mean of the upper mode
 * @n_low: how many values are in the lower mode
 * @n_high: how many values are in the upper mode
 * @threshold: values up to here are in the lower mode
 * @p: p-value of the hypothesis that all values are of one normal distribution
 *
 * Two levels that values fall into.
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

/* Finds out whether processes fall into two modes. The values are cut where the squares about both means
 * are the least (Fisher, “On Grouping for Maximum Homogeneity”, 1958); there are two modes if hardly one
 * in a hundred samples of a normal distribution can be cut as well (Engelman and Hartigan, “Percentage
 * Points of a Test for Clusters”, 1969) and the gap between the two is wider than either of them. A mode
 * has two values at least. Returns whether there are two modes; FALSE also for fewer than five values or
 * with a NaN among them. @values: figures of processes, such as their medians, in any order. */
gboolean dyno_stats_find_modes (const double *values, gsize n, DynoModes *modes);
/* Which share of the variance lies between the processes, the rest being within them: the estimates of
 * variance components by the analysis of variance (Searle, Casella and McCulloch, “Variance Components”,
 * 1992, 3.6). How much the means would differ by the noise within alone follows from the effective sample
 * sizes. Returns the share, 0 to 1; NaN for fewer than two processes of two values, or where nothing
 * varies. */
double dyno_stats_between_share (const DynoSample *groups, gsize n_groups);

G_END_DECLS
