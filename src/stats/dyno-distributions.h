/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Returns the probability that a standard normal variable is at most @z. */
double dyno_stats_normal_probability (double z);
/* Returns the quantile of the standard normal distribution; infinite at 0 and 1: Abramowitz and Stegun,
 * “Handbook of Mathematical Functions”, 26.2.23, refined by Newton's method. @probability: 0 to 1. */
double dyno_stats_normal_quantile (double probability);
/* The regularised incomplete beta function I(x; a, b), which is also the tail of the binomial distribution:
 * of n tries with chance x each, at least a succeed with probability I(x; a, n − a + 1). NIST Digital
 * Library of Mathematical Functions, 8.17. Returns the probability that a beta variable is at most @x. @x:
 * 0 to 1. @a: above zero. @b: above zero. */
double dyno_stats_beta_probability (double x, double a, double b);
/* Returns the probability that a variable of Student's distribution is at most @t (Abramowitz and Stegun,
 * 26.7.1). @freedom: degrees of freedom, above zero; infinity for the normal distribution. */
double dyno_stats_student_probability (double t, double freedom);
/* Returns the quantile of Student's distribution. @probability: between 0 and 1. @freedom: degrees of
 * freedom, above zero; infinity for the normal distribution. */
double dyno_stats_student_quantile (double probability, double freedom);

G_END_DECLS
