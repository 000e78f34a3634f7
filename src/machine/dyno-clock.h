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

/* The smallest step the clock was seen to take between two different readings. Where a read takes longer
 * than the clock's tick this is the time of a read: nothing shorter can be measured either way. Returns
 * the resolution in ns, above zero. */
double dyno_clock_measure_resolution_ns (void);
/* The time of one read of the clock: the median over batches of back-to-back reads. A timed step holds one
 * such read. Returns the overhead in ns. */
double dyno_clock_measure_overhead_ns (void);

G_END_DECLS
