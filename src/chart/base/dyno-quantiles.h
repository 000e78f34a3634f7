/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A few percentiles of many values without sorting: a million values take some milliseconds. */

/* Finds the same percentiles as dyno_stats_percentile() does in sorted values, in linear time. @n: the number
 * of values, at least one. @percents: the percentiles, from 0 to 100. */
void dyno_quantiles_find (
    const double *values, guint n, const double *percents, guint n_percents, double *quantiles);

G_END_DECLS
