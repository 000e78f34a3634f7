/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-bootstrap.h"

G_BEGIN_DECLS

/* Returns the p-value of the hypothesis that the difference is at least as large as the threshold. Two
 * one-sided tests (Schuirmann, “A Comparison of the Two One-Sided Tests Procedure and the Power Approach”,
 * 1987): is the true ratio neither above 1 + t nor below 1 / (1 + t)? Below 0.05 exactly if the 90 %
 * interval is within these limits. @threshold_percent: the smallest difference that matters, above zero. */
double dyno_stats_equivalence_p (const DynoBootstrap *ratio, double threshold_percent);
/* Returns the number of processes of each case for a verdict in four of five experiments, if the true ratio
 * is the one that was found and processes vary as before: for a ratio beyond the threshold by the two-sided
 * test of a difference, for one within it by two one-sided tests (Julious, “Sample Sizes for Clinical
 * Trials with Normal Data”, 2004, with the approximation of the power by Student's distribution). The
 * number is more than @n; 0 if a thousand would be too few, or if it cannot be computed. @ratio: the 95 %
 * interval of a ratio over @n processes of each case. @n: the number of processes so far, at least two.
 * @threshold_percent: the smallest difference that matters, above zero. */
gsize dyno_stats_processes_needed (const DynoInterval *ratio, gsize n, double threshold_percent);

G_END_DECLS
