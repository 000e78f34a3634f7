/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* How far the case seems to be from itself: pairs of groups of @size processes are drawn with replacement
 * (the bootstrap of Efron, “Bootstrap Methods: Another Look at the Jackknife”, 1979), and the greater
 * median of each pair is divided by the smaller one. Of pairs of groups that are measured later, at most
 * one in twenty differs by more than the floor. Returns the smallest difference worth claiming, as a
 * share; NaN for fewer than 2 × @size values, or where one of them is not above zero. */
double dyno_stats_noise_floor (const double *values, gsize n, gsize size);

G_END_DECLS
