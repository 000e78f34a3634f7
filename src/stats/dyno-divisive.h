/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

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

G_END_DECLS
