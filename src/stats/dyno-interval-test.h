/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-sample.h"

G_BEGIN_DECLS

double dyno_stats_paired_difference_p (const double *ratios, gsize n);
double dyno_stats_interval_difference_p (const DynoInterval *ratio, double freedom);
double
dyno_stats_interval_equivalence_p (const DynoInterval *ratio, double freedom, double threshold_percent);

G_END_DECLS
