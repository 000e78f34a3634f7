/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * DynoCapacityPoint:
 * @clients: the number of clients of a closed loop
 * @throughput: requests answered per second
 *
 * A step of the search for the capacity.
 */
typedef struct
{
  guint clients;
  double throughput;
} DynoCapacityPoint;

/**
 * DynoRatePoint:
 * @rate: a rate that was tried, in requests per second
 * @is_kept: whether the load was delivered, and met the limit
 */
typedef struct
{
  double rate;
  gboolean is_kept;
} DynoRatePoint;

/* Returns the most clients for an engine in this process during the search for the capacity. */
guint dyno_capacity_count_clients (guint n_processors);
/* Returns the most clients for a server. @n_slots: the number of requests that the server works on at once,
 * 0 if unknown. */
guint dyno_capacity_count_served_clients (guint n_slots);
/* Returns the number of clients to try next, 0 if the capacity is known. @most: the most clients. */
guint dyno_capacity_next_clients (const DynoCapacityPoint *points, guint n, guint most);
/* Returns whether the last two steps gained next to nothing. @points: the closed loops so far, each with
 * twice the clients of the one before. */
gboolean dyno_capacity_is_reached (const DynoCapacityPoint *points, guint n);
/* Returns the capacity, in requests per second. @n: the number of points, at least one. @knee: the fewest
 * clients that reach it within 3 %. */
double dyno_capacity_find (const DynoCapacityPoint *points, guint n, guint *knee);
/* Returns the rates to try, from 30 to 110 % of the capacity, shuffled, with 50 % repeated at the end.
 * Elements are double. @capacity: requests per second. */
GArray *dyno_capacity_list_rates (double capacity, guint64 seed);
/* Returns the rate to try next, halfway between the largest that is kept and the smallest that is not; 0 if
 * the two are within 2 %, or one of them is missing. */
double dyno_capacity_next_rate (const DynoRatePoint *points, guint n);
/* Returns the largest kept rate without a smaller one that is not kept; 0 if there is none. */
double dyno_capacity_find_rate (const DynoRatePoint *points, guint n);

G_END_DECLS
