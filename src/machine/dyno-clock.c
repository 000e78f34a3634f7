/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-clock.h"
#include "dyno-stats.h"

#define N_RESOLUTION_STEPS 1000
#define N_OVERHEAD_BATCHES 200
#define READS_PER_BATCH    256

double
dyno_clock_measure_resolution_ns (void)
{
  gint64 smallest = G_MAXINT64;

  for (guint i = 0; i < N_RESOLUTION_STEPS; i++)
    {
      gint64 start = dyno_clock_now_ns ();
      gint64 now = start;

      while (now == start)
        now = dyno_clock_now_ns ();
      smallest = MIN (smallest, now - start);
    }
  return smallest;
}

double
dyno_clock_measure_overhead_ns (void)
{
  double batches[N_OVERHEAD_BATCHES];

  for (guint i = 0; i < N_OVERHEAD_BATCHES; i++)
    {
      gint64 start = dyno_clock_now_ns ();
      gint64 end = start;

      for (guint k = 0; k < READS_PER_BATCH; k++)
        end = dyno_clock_now_ns ();
      batches[i] = (double)(end - start) / READS_PER_BATCH;
    }
  dyno_stats_sort (batches, N_OVERHEAD_BATCHES);
  return dyno_stats_percentile (batches, N_OVERHEAD_BATCHES, 50);
}
