/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-load-summary.h"

G_BEGIN_DECLS

/**
 * DynoLoadPoint:
 * @shape: a closed loop or a rate
 * @n_clients: how many clients there were
 * @rate: the rate asked for, 0 of a closed loop
 * @requests: (nullable): its requests
 * @summary: what came of them
 * @served: (element-type DynoServed) (nullable): what a server let its clients see of them, in no order
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
 * @chosen: which of them the latency, the throughput and the energy of the case are of
 * @capacity: requests per second that a closed loop reached at most, 0 where it was not searched
 * @knee: the fewest clients that reached it
 * @best_rate: the highest rate that was delivered and stayed within the limit, 0 where there was none
 * @is_broken_off: whether the search ended before its end, so that neither is known that was not found by then
 *
 * What came of a case under load.
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

/* Returns no points yet. */
DynoLoadOutcome *dyno_load_outcome_new (const DynoLoad *load);
void dyno_load_outcome_free (DynoLoadOutcome *self);
/* Returns the one that the numbers of the case are of. */
const DynoLoadPoint *dyno_load_outcome_get_chosen (const DynoLoadOutcome *self);

G_END_DECLS
