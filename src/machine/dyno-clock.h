/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <time.h>

G_BEGIN_DECLS

/* Returns the time of any clock, such as `CLOCK_PROCESS_CPUTIME_ID`, in ns. */
static inline gint64
dyno_clock_read_ns (clockid_t id)
{
  struct timespec now;

  clock_gettime (id, &now);
  return (gint64)now.tv_sec * G_GINT64_CONSTANT (1000000000) + now.tv_nsec;
}

/**
 * dyno_clock_now_ns:
 *
 * Reads the clock of all measurements: `CLOCK_MONOTONIC_RAW`, which no time server speeds up or slows down.
 * Inline, because it is called in the timed region.
 *
 * Returns: ns since an arbitrary point that stays the same until the machine restarts
 */
static inline gint64
dyno_clock_now_ns (void)
{
  return dyno_clock_read_ns (CLOCK_MONOTONIC_RAW);
}

/* Returns the resolution in ns, above zero: the smallest step seen between two different readings of the
 * clock. If a read takes longer than the clock's tick, this is the time of a read: nothing shorter can be
 * measured either way. */
double dyno_clock_measure_resolution_ns (void);
/* Returns the overhead in ns: the time of one read of the clock, as the median over batches of back-to-back
 * reads. A timed step includes one such read. */
double dyno_clock_measure_overhead_ns (void);

G_END_DECLS
