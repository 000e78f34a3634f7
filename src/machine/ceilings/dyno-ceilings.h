/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-machine-ceilings-private.h"

G_BEGIN_DECLS

/* The default duration of a measurement, in seconds. */
#define DYNO_CEILINGS_SECONDS 15.0

/* Measures with threads placed by default: one per core first, the fastest cores first. @progress may be
 * NULL. @progress_data: for @progress; must live until @callback is called. @cancellable (nullable): stops
 * it within a fraction of a second. */
void dyno_ceilings_measure_async (guint n_threads,
                                  double seconds,
                                  DynoCeilingsProgress progress,
                                  gpointer progress_data,
                                  GCancellable *cancellable,
                                  GAsyncReadyCallback callback,
                                  gpointer user_data);
/* Measures the ceilings of this machine's processors and memory, on threads of its own, which it pins. They
 * keep every processor they use busy: nothing else should run meanwhile. End it with
 * dyno_ceilings_measure_finish(). @pinning: how to place the threads, as dyno_pinning_bind() takes it;
 * empty or NULL for the default. @n_threads: how many threads work at once, within the limits of this
 * process; 0 for one, then one per core, then all hardware threads. @seconds: about how long to take, such
 * as DYNO_CEILINGS_SECONDS; main memory may need more. @progress may be NULL. @progress_data: for
 * @progress; must live until @callback is called. @cancellable (nullable): stops it within a fraction of a
 * second. */
void dyno_ceilings_measure_pinned_async (const char *pinning,
                                         guint n_threads,
                                         double seconds,
                                         DynoCeilingsProgress progress,
                                         gpointer progress_data,
                                         GCancellable *cancellable,
                                         GAsyncReadyCallback callback,
                                         gpointer user_data);
/* Returns the ceilings, by number of threads, compute first. Elements are DynoCeiling. */
GPtrArray *dyno_ceilings_measure_finish (GAsyncResult *result, GError **error);
/* Returns the selected ceilings, in the same order. Elements are DynoCeiling. The caller owns it. @ceilings
 * holds DynoCeiling. @device: the device, `cpu` for the processor. @pinning: how their threads were placed,
 * empty or NULL for the default. */
GPtrArray *dyno_ceilings_select (GPtrArray *ceilings, const char *device, const char *pinning);
/* Returns the processor's ceiling, with its threads placed by default; NULL if there is none.
 * @ceilings holds DynoCeiling. */
DynoCeiling *dyno_ceilings_find (GPtrArray *ceilings, const char *id, guint n_threads);
/* Returns whether any were measured with this number of threads. @ceilings: ceilings of one device and
 * placement, see dyno_ceilings_select(). */
gboolean dyno_ceilings_have_threads (GPtrArray *ceilings, guint n_threads);
/* Returns the numbers of threads that would be measured, rising; NULL if they cannot be placed that way.
 * Elements are guint. The caller owns it. @pinning (nullable): how to place them, as for
 * dyno_ceilings_measure_pinned_async(). @n_threads: how many are requested, as for
 * dyno_ceilings_measure_pinned_async(). */
GArray *dyno_ceilings_choose_threads (const char *pinning, guint n_threads, GError **error);

G_END_DECLS
