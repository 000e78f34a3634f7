/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <math.h>

/* A draw from the standard normal distribution (Box and Muller, 1958). */
static inline double
noise_normal (GRand *rand)
{
  double radius = sqrt (-2 * log1p (-g_rand_double (rand)));

  return radius * cos (2 * G_PI * g_rand_double (rand));
}

/* Autocorrelated normal noise about a level. */
static inline void
noise_fill (GRand *rand, double *values, gsize n, double level, double deviation, double carried)
{
  double noise = noise_normal (rand);

  for (gsize i = 0; i < n; i++)
    {
      values[i] = level + deviation * noise;
      noise = carried * noise + sqrt (1 - carried * carried) * noise_normal (rand);
    }
}
