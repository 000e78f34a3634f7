/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * DynoRankTest:
 * @u: Mann and Whitney's U of the first sample: in how many pairs its value is the larger, ties by half
 * @p: two-sided p-value of the hypothesis that neither sample tends to larger values
 * @delta: Cliff's delta, −1 to 1: the share of pairs in which the first is larger, less that in which it is smaller
 * @is_exact: whether @p counts all ways to divide the values, instead of approximating
 *
 * How two samples compare by ranks.
 */
typedef struct
{
  double u;
  double p;
  double delta;
  gboolean is_exact;
} DynoRankTest;

gboolean dyno_stats_rank_test (const double *a, gsize n_a, const double *b, gsize n_b, DynoRankTest *test);

G_END_DECLS
