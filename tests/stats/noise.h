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
