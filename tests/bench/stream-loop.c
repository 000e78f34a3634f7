/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stream-loop.h"

#define SCALAR 3.0

void
stream_loop_copy (double *restrict a, const double *restrict b, const double *restrict c, gsize n)
{
  for (gsize i = 0; i < n; i++)
    a[i] = b[i];
}

void
stream_loop_triad (double *restrict a, const double *restrict b, const double *restrict c, gsize n)
{
  for (gsize i = 0; i < n; i++)
    a[i] = b[i] + SCALAR * c[i];
}
