/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-capacity.h"
#include "dyno-load.h"
#include "dyno-random.h"

/* A closed loop has reached capacity when doubling its clients gains less than this, twice in a row. */
#define LEAST_GAIN 1.03
#define N_FLAT     2

/* The most clients per processor. The work of a server does not load this machine, so its clients are
 * limited by its slots: enough that two doublings beyond them show no gain; by a fixed number if the slots
 * are unknown. */
#define CLIENTS_PER_PROCESSOR 4
#define CLIENTS_PER_SLOT      4
#define MOST_SERVED_CLIENTS   256

/* Queues grow with 1/(1 − load), so rates are spaced by their share of the capacity, in per cent. The last
 * one repeats the second, and the difference between the two shows the drift. */
static const guint shares[] = { 30, 50, 70, 80, 90, 95, 100, 110 };
#define DRIFT_SHARE 50

/* The search ends when the rates on both sides of the limit are this close. */
#define RATE_TOLERANCE 1.02

guint
dyno_capacity_count_clients (guint n_processors)
{
  return CLIENTS_PER_PROCESSOR * n_processors;
}

guint
dyno_capacity_count_served_clients (guint n_slots)
{
  return n_slots > 0 ? MIN (CLIENTS_PER_SLOT * n_slots, DYNO_LOAD_MAX_CLIENTS) : MOST_SERVED_CLIENTS;
}

gboolean
dyno_capacity_is_reached (const DynoCapacityPoint *points, guint n)
{
  guint n_flat = 0;

  for (guint i = n; i > 1 && points[i - 1].throughput < LEAST_GAIN * points[i - 2].throughput; i--)
    n_flat++;
  return n_flat >= N_FLAT;
}

guint
dyno_capacity_next_clients (const DynoCapacityPoint *points, guint n, guint most)
{
  if (n == 0)
    return 1;
  return dyno_capacity_is_reached (points, n) || points[n - 1].clients * 2 > most ? 0
                                                                                  : points[n - 1].clients * 2;
}

double
dyno_capacity_find (const DynoCapacityPoint *points, guint n, guint *knee)
{
  double capacity = 0;

  for (guint i = 0; i < n; i++)
    capacity = MAX (capacity, points[i].throughput);
  *knee = points[0].clients;
  for (guint i = n; i > 0; i--)
    if (points[i - 1].throughput * LEAST_GAIN >= capacity)
      *knee = points[i - 1].clients;
  return capacity;
}

GArray *
dyno_capacity_list_rates (double capacity, guint64 seed)
{
  GArray *rates = g_array_new (FALSE, FALSE, sizeof (double));
  double last = capacity * DRIFT_SHARE / 100;
  DynoRandom random;

  for (guint i = 0; i < G_N_ELEMENTS (shares); i++)
    {
      double rate = capacity * shares[i] / 100;

      g_array_append_val (rates, rate);
    }
  dyno_random_init (&random, seed);
  for (guint i = rates->len; i > 1; i--)
    {
      guint j = dyno_random_below (&random, i);
      double kept = g_array_index (rates, double, i - 1);

      g_array_index (rates, double, i - 1) = g_array_index (rates, double, j);
      g_array_index (rates, double, j) = kept;
    }
  g_array_append_val (rates, last);
  return rates;
}

/* Returns the largest kept rate below the smallest that was not kept: kept rates beyond that are luck. */
static double
find_kept (const DynoRatePoint *points, guint n, double failed)
{
  double kept = 0;

  for (guint i = 0; i < n; i++)
    if (points[i].is_kept && points[i].rate < failed)
      kept = MAX (kept, points[i].rate);
  return kept;
}

static double
find_failed (const DynoRatePoint *points, guint n)
{
  double failed = G_MAXDOUBLE;

  for (guint i = 0; i < n; i++)
    if (!points[i].is_kept)
      failed = MIN (failed, points[i].rate);
  return failed;
}

double
dyno_capacity_next_rate (const DynoRatePoint *points, guint n)
{
  double failed = find_failed (points, n);
  double kept = find_kept (points, n, failed);

  if (kept <= 0 || failed >= G_MAXDOUBLE || failed <= kept * RATE_TOLERANCE)
    return 0;
  return (kept + failed) / 2;
}

double
dyno_capacity_find_rate (const DynoRatePoint *points, guint n)
{
  return find_kept (points, n, find_failed (points, n));
}
