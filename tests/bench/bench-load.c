/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <stdlib.h>

#include "bench.h"
#include "dyno-clock.h"
#include "dyno-load.h"
#include "dyno-load-summary.h"
#include "dyno-pinning.h"
#include "dyno-worker-private.h"
#include "suite.h"

/* What putting something under load costs by itself: clients that are answered at once. In a closed loop, the time of a
 * request that takes no time, beside that of reading the clock twice, which it takes at the least; and of a rate, how late
 * requests are sent, which on an idle core is at most 100 µs for 99 in 100, beside how late a thread is that sends none. */

#define N_ROUNDS   30
#define N_REQUESTS 20000
#define N_SENT     1000
#define RATE       2000

static gboolean
answer (gpointer client, DynoRequest *request, GError **error)
{
  return TRUE;
}

static DynoRequests *
drive (DynoLoadShape shape, gsize n, const gint64 *arrivals)
{
  gpointer client = NULL;
  DynoRequests *requests = dyno_requests_new (n);
  const DynoLoadDrive what = { .shape = shape,
                               .clients = &client,
                               .n_clients = 1,
                               .serve = answer,
                               .requests = requests,
                               .arrivals = arrivals };

  if (!dyno_load_drive (&what, NULL))
    g_error ("The load could not be driven.");
  return requests;
}

/* ns for each request. */
static double
loop (gpointer data)
{
  g_autoptr (DynoRequests) requests = drive (DYNO_LOAD_CONCURRENT, N_REQUESTS, NULL);
  gint64 first = requests->data[0].intended_ns;

  return (double)(requests->data[requests->length - 1].finished_ns - first) / (double)requests->length;
}

/* ns for each two readings. */
static double
read_clock (gpointer data)
{
  gint64 begin = dyno_clock_now_ns ();
  volatile gint64 sum = 0;

  for (guint i = 0; i < 2 * N_REQUESTS; i++)
    sum += dyno_clock_now_ns ();
  return (double)(dyno_clock_now_ns () - begin) / N_REQUESTS;
}

static gint
compare_times (gconstpointer a, gconstpointer b)
{
  gint64 x = *(const gint64 *)a, y = *(const gint64 *)b;

  return (x > y) - (x < y);
}

/* How late a thread is that does nothing but watch the clock, in µs: what the machine itself takes away from a core. */
static double
watch_clock (const gint64 *arrivals)
{
  g_autofree gint64 *lateness = g_new (gint64, N_SENT);
  gint64 begin = dyno_clock_now_ns ();

  for (guint i = 0; i < N_SENT; i++)
    {
      gint64 now;

      while ((now = dyno_clock_now_ns ()) < begin + arrivals[i])
        ;
      lateness[i] = now - begin - arrivals[i];
    }
  qsort (lateness, N_SENT, sizeof *lateness, compare_times);
  return (double)lateness[N_SENT * 99 / 100] / 1e3;
}

static void
report_lateness (void)
{
  const DynoLoad load = { .shape = DYNO_LOAD_RATE, .clients = 1, .rate = RATE };
  g_autoptr (BenchPairs) pairs = bench_pairs_new ();

  for (guint round = 0; round < N_ROUNDS; round++)
    {
      g_autofree gint64 *arrivals = dyno_arrivals_draw (N_SENT, RATE, round);
      g_autoptr (DynoRequests) requests = drive (DYNO_LOAD_RATE, N_SENT, arrivals);
      DynoLoadSummary summary;

      dyno_load_summary_make (&summary, &load, requests);
      bench_pairs_add (pairs, summary.lateness_p99_us, watch_clock (arrivals));
    }
  bench_report_value ("lateness-p99", "µs", "a thread that only watches the clock", pairs, BENCH_AT_MOST,
                      100);
  bench_row_of_pairs ("how late requests at a rate are sent, 99th percentile", "at most 100 µs", "µs",
                      "a thread that only watches the clock", pairs);
}

static int
run_suite (int argc, char *argv[])
{
  g_autoptr (BenchPairs) pairs = bench_pairs_new ();

  bench_init ();
  dyno_pinning_bind (NULL, 1, NULL); /* leaves a core to the thread that sends, where there are two */
  bench_pairs_run (pairs, N_ROUNDS, loop, read_clock, NULL);
  bench_report_value ("cost-of-a-request", "ns", "reading the clock twice", pairs, BENCH_AT_MOST, 2000);
  report_lateness ();
  return 0;
}

SUITE (run_suite)
