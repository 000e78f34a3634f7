/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <float.h>
#include <math.h>

#include "dyno-distributions.h"

#define MAX_TERMS     10000
#define MAX_HALVINGS  200
#define MAX_NEWTON    3
#define QUANTILE_SPAN 1e8

static const double sqrt_two_pi = 2.50662827463100050242;

double
dyno_stats_normal_probability (double z)
{
  return erfc (-z / G_SQRT2) / 2;
}

double
dyno_stats_normal_quantile (double probability)
{
  double tail = MIN (probability, 1 - probability);
  double z;

  g_return_val_if_fail (probability >= 0 && probability <= 1, NAN);

  if (tail <= 0)
    return probability <= 0 ? -INFINITY : INFINITY;

  /* Accurate to a thousandth: Abramowitz and Stegun, 26.2.23. */
  double t = sqrt (-2 * log (tail));
  z = -(t -
        (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308))));
  for (guint i = 0; i < MAX_NEWTON; i++)
    z -= (dyno_stats_normal_probability (z) - tail) * sqrt_two_pi * exp (z * z / 2);
  return probability < 0.5 ? z : -z;
}

/* A zero divisor would end a continued fraction. */
static double
keep_from_zero (double value)
{
  return fabs (value) < DBL_MIN ? DBL_MIN : value;
}

/* The continued fraction of the incomplete beta function (NIST Digital Library of Mathematical Functions, 8.17.22), by
 * the method of Lentz. */
static double
continue_beta_fraction (double x, double a, double b)
{
  double c = 1;
  double d = 1 / keep_from_zero (1 - (a + b) * x / (a + 1));
  double fraction = d;

  for (int m = 1; m < MAX_TERMS; m++)
    {
      double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
      double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
      double factor;

      d = 1 / keep_from_zero (1 + even * d);
      c = keep_from_zero (1 + even / c);
      fraction *= d * c;
      d = 1 / keep_from_zero (1 + odd * d);
      c = keep_from_zero (1 + odd / c);
      factor = d * c;
      fraction *= factor;
      if (fabs (factor - 1) < DBL_EPSILON)
        break;
    }
  return fraction;
}

double
dyno_stats_beta_probability (double x, double a, double b)
{
  double front;

  g_return_val_if_fail (a > 0 && b > 0, NAN);

  if (!(x > 0))
    return 0;
  if (x >= 1)
    return 1;
  front = exp (lgamma (a + b) - lgamma (a) - lgamma (b) + a * log (x) + b * log1p (-x));
  if (x < (a + 1) / (a + b + 2))
    return front * continue_beta_fraction (x, a, b) / a;
  return 1 - front * continue_beta_fraction (1 - x, b, a) / b;
}

double
dyno_stats_student_probability (double t, double freedom)
{
  double tail;

  if (isinf (freedom))
    return dyno_stats_normal_probability (t);
  tail = dyno_stats_beta_probability (freedom / (freedom + t * t), freedom / 2, 0.5) / 2;
  return t < 0 ? tail : 1 - tail;
}

double
dyno_stats_student_quantile (double probability, double freedom)
{
  double tail = MIN (probability, 1 - probability);
  double low = -QUANTILE_SPAN;
  double high = 0;

  if (isinf (freedom))
    return dyno_stats_normal_quantile (probability);
  for (guint i = 0; i < MAX_HALVINGS && high - low > DBL_EPSILON * fabs (low); i++)
    {
      double middle = (low + high) / 2;

      if (dyno_stats_student_probability (middle, freedom) < tail)
        low = middle;
      else
        high = middle;
    }
  return probability < 0.5 ? high : -high;
}
