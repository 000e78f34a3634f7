/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * DYNO_STOP_RULE_GROWTH:
 *
 * How many times as many values there have to be from one look to the next.
 */
#define DYNO_STOP_RULE_GROWTH 1.5

/**
 * DynoStopRule:
 * @percent: how far the 95 % interval of the median may reach, in per cent of it
 * @n_met: how many looks in a row have found it so
 *
 * Whether enough was measured.
 */
typedef struct
{
  double percent;
  guint n_met;
} DynoStopRule;

/* Checks whether the median is precise enough, by the effective sample size. Whoever stops as soon as an
 * interval is short stops too often where it is short by chance, so that it does not hold what it says:
 * sequential intervals keep their coverage only as they grow (Chow and Robbins, “On the Asymptotic Theory
 * of Fixed-Width Sequential Confidence Intervals”, 1965). So there are few looks, each with
 * DYNO_STOP_RULE_GROWTH times as many values, and two in a row have to find it. Returns whether to stop. */
gboolean dyno_stop_rule_look (DynoStopRule *self, const double *values, gsize n);

G_END_DECLS
