/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * DynoCapacityPoint:
 * @clients: how many clients a closed loop had
 * @throughput: how many requests it answered in a second
 *
 * A step of the search for what can be had at most.
 */
typedef struct
{
  guint clients;
  double throughput;
} DynoCapacityPoint;

/**
 * DynoRatePoint:
 * @rate: a rate that was tried, in requests per second
 * @is_kept: whether it was delivered, and borne within the limit
 */
typedef struct
{
  double rate;
  gboolean is_kept;
} DynoRatePoint;

/* Returns how many clients an engine in this process is to have at most, while the capacity is looked for. */
guint dyno_capacity_count_clients (guint n_processors);
/* Returns how many clients it is to have at most. @n_slots: how many requests a server works on at once, 0
 * where it does not tell. */
guint dyno_capacity_count_served_clients (guint n_slots);
/* Returns how many clients to try next, 0 where the capacity is known. @most: how many clients there may
 * be. */
guint dyno_capacity_next_clients (const DynoCapacityPoint *points, guint n, guint most);
/* Returns whether the last two brought next to nothing. @points: closed loops so far, each with twice the
 * clients of the one before. */
gboolean dyno_capacity_is_reached (const DynoCapacityPoint *points, guint n);
/* Returns the capacity, in requests per second. @n: how many, at least one. @knee: the fewest clients that
 * reach it within 3 %. */
double dyno_capacity_find (const DynoCapacityPoint *points, guint n, guint *knee);
/* Returns the rates to try, from 30 to 110 % of the capacity, shuffled, and at the end 50 % once more.
 * Elements are double. @capacity: requests per second. */
GArray *dyno_capacity_list_rates (double capacity, guint64 seed);
/* Halves what lies between the largest rate that is kept and the smallest that is not. Returns the rate to
 * try next; 0 where the two are within 2 %, or one of them is missing. */
double dyno_capacity_next_rate (const DynoRatePoint *points, guint n);
/* Returns the largest rate that is kept and has none below it that is not; 0 where there is none. */
double dyno_capacity_find_rate (const DynoRatePoint *points, guint n);

G_END_DECLS
