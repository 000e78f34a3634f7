/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-sample.h"

G_BEGIN_DECLS

/**
 * DynoModes:
 * @low: mean of the lower mode
 * @high: mean of the upper mode
 * @n_low: how many values are in the lower mode
 * @n_high: how many values are in the upper mode
 * @threshold: values up to here are in the lower mode
 * @p: p-value of the hypothesis that all values are of one normal distribution
 *
 * Two levels that values fall into.
 */
typedef struct
{
  double low;
  double high;
  gsize n_low;
  gsize n_high;
  double threshold;
  double p;
} DynoModes;

gboolean dyno_stats_find_modes (const double *values, gsize n, DynoModes *modes);
double dyno_stats_between_share (const DynoSample *groups, gsize n_groups);

G_END_DECLS
