/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-load-summary.h"

G_BEGIN_DECLS

/**
 * DynoLoadPoint:
 * @shape: a closed loop or a rate
 * @n_clients: number of clients
 * @rate: the requested rate, 0 for a closed loop
 * @requests: (nullable): its requests
 * @summary: their outcome
 * @served: (element-type DynoServed) (nullable): the requests as the clients saw them, in no order
 *
 * One stretch of a measurement under load.
 */
typedef struct
{
  DynoLoadShape shape;
  guint n_clients;
  double rate;
  DynoRequests *requests;
  DynoLoadSummary summary;
  GPtrArray *served;
} DynoLoadPoint;

/**
 * DynoLoadOutcome:
 * @load: the load of the case
 * @points: (element-type DynoLoadPoint): every stretch, in the order of time; one, unless the capacity was searched
 * @chosen: the point that gives the latency, the throughput and the energy of the case
 * @capacity: the highest number of requests per second in a closed loop, 0 if it was not searched
 * @knee: the fewest clients that reached it
 * @best_rate: the highest rate that was delivered within the limit, 0 if there was none
 * @is_broken_off: whether the search was interrupted, so that values not found by then are unknown
 *
 * The outcome of a case under load.
 */
typedef struct
{
  DynoLoad load;
  GArray *points;
  guint chosen;
  double capacity;
  guint knee;
  double best_rate;
  gboolean is_broken_off;
} DynoLoadOutcome;

/* Returns an outcome without points. */
DynoLoadOutcome *dyno_load_outcome_new (const DynoLoad *load);
void dyno_load_outcome_free (DynoLoadOutcome *self);
/* Returns the point that gives the numbers of the case. */
const DynoLoadPoint *dyno_load_outcome_get_chosen (const DynoLoadOutcome *self);

G_END_DECLS
