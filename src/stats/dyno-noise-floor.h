/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Returns the noise floor: the smallest difference worth claiming, as a share; NaN for fewer than 2 × @size
 * values, or if one of them is not above zero. Pairs of groups of @size processes are drawn with
 * replacement (the bootstrap of Efron, “Bootstrap Methods: Another Look at the Jackknife”, 1979), and the
 * greater median of each pair is divided by the smaller one. At most one in twenty pairs of groups that are
 * measured later differs by more than the floor. */
double dyno_stats_noise_floor (const double *values, gsize n, gsize size);

G_END_DECLS
