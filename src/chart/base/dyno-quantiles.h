/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Few percentiles of many values, without sorting them: a million take some milliseconds. */

/* Finds what dyno_stats_percentile() does of sorted values, in linear time. @n: how many there are, at
 * least one. @percents: which percentiles, from 0 to 100. */
void dyno_quantiles_find (
    const double *values, guint n, const double *percents, guint n_percents, double *quantiles);

G_END_DECLS
