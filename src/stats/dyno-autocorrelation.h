/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

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

G_END_DECLS
