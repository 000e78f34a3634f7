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

guint dyno_capacity_count_clients (guint n_processors);
guint dyno_capacity_count_served_clients (guint n_slots);
guint dyno_capacity_next_clients (const DynoCapacityPoint *points, guint n, guint most);
gboolean dyno_capacity_is_reached (const DynoCapacityPoint *points, guint n);
double dyno_capacity_find (const DynoCapacityPoint *points, guint n, guint *knee);
GArray *dyno_capacity_list_rates (double capacity, guint64 seed);
double dyno_capacity_next_rate (const DynoRatePoint *points, guint n);
double dyno_capacity_find_rate (const DynoRatePoint *points, guint n);

G_END_DECLS
