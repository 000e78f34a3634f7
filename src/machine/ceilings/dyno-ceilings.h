/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "dyno-ceiling.h"
#include "dyno-topology.h"

G_BEGIN_DECLS

/* dyno-thread-team */

/**
 * DynoThreadTeam:
 *
 * Threads that each run on a hardware thread of their own and work at the same time.
 */
typedef struct _DynoThreadTeam DynoThreadTeam;

/**
 * DynoTeamWork:
 * @member: the number of this thread, from 0
 * @count: how much to do
 * @data: the caller's data
 *
 * The work of every member, each on its own data.
 */
typedef void (*DynoTeamWork) (guint member, guint64 count, gpointer data);

/**
 * DynoTeamWindow:
 * @seconds: from the first member's start to the last one's end
 * @clock: the mean of the members' frequencies right after, in Hz
 *
 * The time and the frequency of a piece of work.
 */
typedef struct
{
  double seconds;
  double clock;
} DynoTeamWindow;

/* Returns threads that wait for work, one per core first, the fastest cores first. @topology: the machine;
 * must outlive the team. @n_threads: the number of threads, 0 for one per core; at most the usable hardware
 * threads. */
DynoThreadTeam *dyno_thread_team_new (DynoTopology *topology, guint n_threads);
/* Returns threads that wait for work, each on the next hardware thread of @order. @topology: the machine;
 * must outlive the team. @order: hardware threads, as from dyno_pinning_policy_order(); at least one.
 * @n_threads: the number of threads; at most the length of @order. */
DynoThreadTeam *dyno_thread_team_new_on (DynoTopology *topology, const GArray *order, guint n_threads);
/* Ends its threads. */
void dyno_thread_team_free (DynoThreadTeam *self);

guint dyno_thread_team_get_size (DynoThreadTeam *self);
/* Returns whether every thread is pinned; the kernel may forbid it. */
gboolean dyno_thread_team_is_pinned (DynoThreadTeam *self);
/* Returns the hardware threads of its members. */
const DynoCpuSet *dyno_thread_team_get_set (DynoThreadTeam *self);
/* Makes all members work, and waits for them. */
void dyno_thread_team_run (DynoThreadTeam *self, DynoTeamWork work, guint64 count, gpointer data);
/* Like dyno_thread_team_run(), but the members start together. Returns the time of all members together,
 * and their frequency. */
DynoTeamWindow dyno_thread_team_time (DynoThreadTeam *self, DynoTeamWork work, guint64 count, gpointer data);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoThreadTeam, dyno_thread_team_free)

/* dyno-ceiling-run */

/**
 * DynoCeilingsProgress:
 * @fraction: the share that is done, from 0 to 1
 * @what: the current measurement, in words
 * @user_data: the caller's data
 *
 * Called in the main context in which the measurement was started.
 */
typedef void (*DynoCeilingsProgress) (double fraction, const char *what, gpointer user_data);

/**
 * DynoCeilingRun:
 * @topology: the machine
 * @team: the threads that measure now
 * @pinning: (nullable): how they are placed, if not by default
 * @cancellable: (nullable): stops it early
 * @ceilings: (element-type DynoCeiling): the results so far
 * @window_ns: the wanted length of a window
 * @n_steps: the number of measurements in all
 * @n_done: how many of them have begun
 * @report: called with the progress
 * @report_data: for @report
 *
 * The state that the parts of a measurement share.
 */
typedef struct
{
  DynoTopology *topology;
  DynoThreadTeam *team;
  const char *pinning;
  GCancellable *cancellable;
  GPtrArray *ceilings;
  gint64 window_ns;
  guint n_steps;
  guint n_done;
  void (*report) (double fraction, const char *what, gpointer report_data);
  gpointer report_data;
} DynoCeilingRun;

/**
 * DynoCeilingRates:
 * @median: the median of all windows, in units of @count per second of all threads together
 * @best: the fastest window
 * @spread: from the 10th to the 90th percentile, as a share of the median
 * @clock: the median frequency beside the windows, in Hz
 */
typedef struct
{
  double median;
  double best;
  double spread;
  double clock;
} DynoCeilingRates;

/* Many short windows: a disturbance affects some of them and leaves the others alone. */
#define DYNO_CEILING_N_WINDOWS 31

/* Reports the progress. */
void dyno_ceiling_run_begin (DynoCeilingRun *self, const char *what);
/* Returns the count that each member finishes in that time, at least 1. */
guint64 dyno_ceiling_run_calibrate (DynoCeilingRun *self, DynoTeamWork work, gpointer data, gint64 window_ns);
/* Returns the best rate of a few windows, for choosing between variants and sizes. */
double dyno_ceiling_run_try (DynoCeilingRun *self, DynoTeamWork work, gpointer data, gint64 window_ns);
/* Warms up, then measures DYNO_CEILING_N_WINDOWS windows. Returns whether it was not cancelled. */
gboolean
dyno_ceiling_run_measure (DynoCeilingRun *self, DynoTeamWork work, gpointer data, DynoCeilingRates *rates);
/* Returns the method in words. The caller owns it. */
char *dyno_ceiling_run_describe (DynoCeilingRun *self, const char *what);

/* dyno-ceilings */

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
