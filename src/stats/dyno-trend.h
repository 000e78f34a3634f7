/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Returns the one-sided p-value of the hypothesis that the values do not rise; 1 for fewer than four
 * values. The test of Mann and Kendall (Mann, “Nonparametric tests against trend”, 1945; ties after
 * Kendall), by the normal approximation with its correction for continuity, which is good for ten values or
 * more. */
double dyno_stats_trend_probability (const double *values, gsize n);

G_END_DECLS
