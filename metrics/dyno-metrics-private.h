/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdatomic.h>

#include "dyno-load-summary.h"

G_BEGIN_DECLS

/* dyno-load-outcome */

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

/* dyno-samples */

/**
 * DynoSamples:
 * @starts: monotonic time at which each step began, in ns
 * @durations: its duration, in ns
 * @capacity: largest number of steps
 * @length: number of steps; written by the measuring thread, readable from any
 *
 * The buffer for timed steps: allocated and touched beforehand, so that recording neither allocates nor faults.
 */
typedef struct
{
  gint64 *starts;
  gint64 *durations;
  gsize capacity;
  atomic_size_t length;
} DynoSamples;

/* Returns an empty buffer with all its pages mapped. @capacity: how many steps it must hold. */
DynoSamples *dyno_samples_new (gsize capacity);
void dyno_samples_free (DynoSamples *self);
/* Returns the sum of their durations, in ns. */
gint64 dyno_samples_sum (const DynoSamples *self, gsize first, gsize end);
/* Returns the duration of one step of each sample, in ms. The caller owns it. */
double *
dyno_samples_to_milliseconds (const DynoSamples *self, gsize first, gsize end, guint steps_per_sample);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoSamples, dyno_samples_free)

static inline gsize
dyno_samples_get_length (const DynoSamples *self)
{
  return atomic_load_explicit (&self->length, memory_order_acquire);
}

static inline gboolean
dyno_samples_is_full (const DynoSamples *self)
{
  return atomic_load_explicit (&self->length, memory_order_relaxed) >= self->capacity;
}

/**
 * dyno_samples_get_last_end:
 * @self: a buffer that is not empty
 *
 * Returns: when the last step ended, in ns: the current time for a caller that has just recorded it, without reading
 *   the clock again
 */
static inline gint64
dyno_samples_get_last_end (const DynoSamples *self)
{
  gsize last = atomic_load_explicit (&self->length, memory_order_relaxed) - 1;

  return self->starts[last] + self->durations[last];
}

/**
 * dyno_samples_record:
 * @self: a buffer that is not full
 * @start: when the step began, in ns
 * @end: when it ended, in ns
 *
 * Records one step; only the measuring thread may call it.
 */
static inline void
dyno_samples_record (DynoSamples *self, gint64 start, gint64 end)
{
  gsize index = atomic_load_explicit (&self->length, memory_order_relaxed);

  self->starts[index] = start;
  self->durations[index] = end - start;
  atomic_store_explicit (&self->length, index + 1, memory_order_release);
}

G_END_DECLS
