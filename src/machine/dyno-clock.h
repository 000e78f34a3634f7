/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <time.h>

G_BEGIN_DECLS

/**
 * dyno_clock_now_ns:
 *
 * Reads the clock of all measurements: `CLOCK_MONOTONIC_RAW`, which no time server speeds up or slows down.
 * Inline, because it stands in the timed region.
 *
 * Returns: ns since an arbitrary point that stays the same until the machine restarts
 */
static inline gint64
dyno_clock_now_ns (void)
{
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC_RAW, &now);
  return (gint64)now.tv_sec * G_GINT64_CONSTANT (1000000000) + now.tv_nsec;
}

double dyno_clock_measure_resolution_ns (void);
double dyno_clock_measure_overhead_ns (void);

G_END_DECLS
