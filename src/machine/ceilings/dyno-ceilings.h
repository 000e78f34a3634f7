/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-ceiling-run.h"

G_BEGIN_DECLS

/* About how long measuring takes when nobody asks for more or less. */
#define DYNO_CEILINGS_SECONDS 15.0

/* Measures with threads placed in the usual way: one per core first, the fastest cores first. @progress
 * may be NULL. @progress_data: for @progress; must live until @callback is called. @cancellable
 * (nullable): ends it within a fraction of a second. */
void dyno_ceilings_measure_async (guint n_threads,
                                  double seconds,
                                  DynoCeilingsProgress progress,
                                  gpointer progress_data,
                                  GCancellable *cancellable,
                                  GAsyncReadyCallback callback,
                                  gpointer user_data);
/* Measures what this machine's processors and memory can do at most, on threads of its own, which it pins.
 * They keep every processor they use busy: nothing else should run meanwhile. End it with
 * dyno_ceilings_measure_finish(). @pinning: how to place the threads, as dyno_pinning_bind() takes it;
 * empty or NULL for the usual way. @n_threads: how many threads work at once, within what this process may
 * use; 0 for one, then one per core, then all there are. @seconds: about how long to take, such as
 * DYNO_CEILINGS_SECONDS; main memory may need more. @progress may be NULL. @progress_data: for @progress;
 * must live until @callback is called. @cancellable (nullable): ends it within a fraction of a second. */
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
/* Returns those of them, in the same order. Elements are DynoCeiling. The caller owns it. @ceilings holds
 * DynoCeiling. @device: whose, `cpu` for the processor's. @pinning: how their threads were placed, empty
 * or NULL for the usual way. */
GPtrArray *dyno_ceilings_select (GPtrArray *ceilings, const char *device, const char *pinning);
/* Returns the processor's ceiling, with its threads placed in the usual way; NULL if there is none.
 * @ceilings holds DynoCeiling. */
DynoCeiling *dyno_ceilings_find (GPtrArray *ceilings, const char *id, guint n_threads);
/* Returns whether there are some for so many threads. @ceilings: ceilings of one device and placement, see
 * dyno_ceilings_select(). */
gboolean dyno_ceilings_have_threads (GPtrArray *ceilings, guint n_threads);
/* Returns the numbers of threads that would be measured, rising; NULL where they cannot be placed so.
 * Elements are guint. The caller owns it. @pinning (nullable): how to place them, as for
 * dyno_ceilings_measure_pinned_async(). @n_threads: how many are asked for, as for
 * dyno_ceilings_measure_pinned_async(). */
GArray *dyno_ceilings_choose_threads (const char *pinning, guint n_threads, GError **error);

G_END_DECLS
