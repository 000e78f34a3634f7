/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Returns how likely a standard normal variable is at most @z. */
double dyno_stats_normal_probability (double z);
double dyno_stats_normal_quantile (double probability);
double dyno_stats_beta_probability (double x, double a, double b);
/* Returns how likely a variable of Student's distribution is at most @t (Abramowitz and Stegun, 26.7.1).
 * @freedom: degrees of freedom, above zero; infinity for the normal distribution. */
double dyno_stats_student_probability (double t, double freedom);
/* Returns the point that a variable of Student's distribution is at most with the probability.
 * @probability: between 0 and 1. @freedom: degrees of freedom, above zero; infinity for the normal
 * distribution. */
double dyno_stats_student_quantile (double probability, double freedom);

G_END_DECLS
