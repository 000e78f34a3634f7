/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

gsize dyno_stats_early_stopping_size (double percent, gsize n_over);
double dyno_stats_percentile_bound (const double *sorted, gsize n, double percent);

G_END_DECLS
