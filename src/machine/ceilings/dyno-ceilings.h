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
 * @queued: the largest share of its time for which a member waited for its processor; negative if the kernel
 * does not count it
 *
 * The time, the frequency and the disturbance of a piece of work.
 */
typedef struct
{
  double seconds;
  double clock;
  double queued;
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

/* Each ceiling is measured so often in every round over all of them, so that its repeats are spread over time. */
#define DYNO_CEILING_REPEATS_PER_ROUND 5
/* Rounds go on until the time is up, but there are no fewer and no more than these. */
#define DYNO_CEILING_LEAST_ROUNDS 3
#define DYNO_CEILING_MOST_ROUNDS  40
/* Ceilings that contradict each other get so many more, twice at most. */
#define DYNO_CEILING_ROUNDS_AGAIN 6

/* A repeat is disturbed if one of its threads waited for a processor for a larger share of it. */
#define DYNO_CEILING_MOST_QUEUED 0.05

/**
 * DynoCeilingRepeat:
 * @rate: units of work per second of all threads together
 * @clock: the frequency beside it, in Hz
 * @queued: as in DynoTeamWindow
 *
 * One of the short measurements of a ceiling.
 */
typedef struct
{
  double rate;
  double clock;
  double queued;
} DynoCeilingRepeat;

/**
 * DynoCeilingRates:
 * @sustained: the median of the best fifth of the undisturbed repeats; of all repeats if none was undisturbed
 * @best: the fastest of them
 * @spread: from the 10th to the 90th percentile of the better half of them, as a share of @sustained: a neighbour that
 * slows some down does not make the others less certain; of all repeats if fewer than five are undisturbed
 * @clock: the frequency beside that median, in Hz
 * @n_repeats: how many repeats there are
 * @n_undisturbed: how many of them the kernel's counters call undisturbed
 * @disturbed: whether the counters call every repeat disturbed
 */
typedef struct
{
  double sustained;
  double best;
  double spread;
  double clock;
  guint n_repeats;
  guint n_undisturbed;
  gboolean disturbed;
} DynoCeilingRates;

/* Sums up the repeats. Counters decide which of them were disturbed, never their rates. @n_repeats: at least 1. */
void dyno_ceiling_rates_sum_up (DynoCeilingRates *self, const DynoCeilingRepeat *repeats, guint n_repeats);

/**
 * DynoCeilingRun:
 * @topology: the machine
 * @team: the threads that measure now
 * @pinning: (nullable): how they are placed, if not by default
 * @cancellable: (nullable): stops it early
 * @jobs: (element-type DynoCeilingJob): what to measure
 * @ceilings: (element-type DynoCeiling): the results so far
 * @window_ns: the length of a window
 * @begin_us: when it began, in monotonic time
 * @seconds: about how long it may take
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
  GPtrArray *jobs;
  GPtrArray *ceilings;
  gint64 window_ns;
  gint64 begin_us;
  double seconds;
  void (*report) (double fraction, const char *what, gpointer report_data);
  gpointer report_data;
} DynoCeilingRun;

/* Returns the count that each member finishes in that time, at least 1. */
guint64 dyno_ceiling_run_calibrate (DynoCeilingRun *self, DynoTeamWork work, gpointer data, gint64 window_ns);
/* Returns the best rate of a few windows, for choosing between variants and sizes. */
double dyno_ceiling_run_try (DynoCeilingRun *self, DynoTeamWork work, gpointer data, gint64 window_ns);

/* dyno-ceilings */

/* How long a measurement takes, in seconds: one that was asked for, and the quick one of a machine's first run. */
#define DYNO_CEILINGS_SECONDS       15.0
#define DYNO_CEILINGS_QUICK_SECONDS 5.0

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
/* Returns the best measurement of each ceiling, device, number of threads and placement, in the order of the first ones.
 * Elements are DynoCeiling. The caller owns it. @ceilings holds DynoCeiling. */
GPtrArray *dyno_ceilings_keep_best (GPtrArray *ceilings);
/* Returns the processor's ceiling, with its threads placed by default; NULL if there is none.
 * @ceilings holds DynoCeiling. */
DynoCeiling *dyno_ceilings_find (GPtrArray *ceilings, const char *id, guint n_threads);
/**
 * DynoCeilingsBreak:
 * @low: the ceiling that is too low, or the other too high
 * @high: a ceiling that it should reach
 *
 * Two ceilings that contradict each other: more threads are slower than fewer, or an outer level of memory (@high)
 * is read faster than one inside it.
 */
typedef struct
{
  DynoCeiling *low;
  DynoCeiling *high;
} DynoCeilingsBreak;

/* Returns the pairs of the processor's ceilings that contradict each other by more than 5 %. Elements are
 * DynoCeilingsBreak, and live as long as @ceilings. The caller owns the array. @ceilings holds DynoCeiling. */
GArray *dyno_ceilings_list_breaks (GPtrArray *ceilings);
/* Returns a sentence about the pairs that contradict each other; NULL if there are none. The caller owns it.
 * @ceilings holds DynoCeiling. */
char *dyno_ceilings_describe_breaks (GPtrArray *ceilings);
/* Returns whether any were measured with this number of threads. @ceilings: ceilings of one device and
 * placement, see dyno_ceilings_select(). */
gboolean dyno_ceilings_have_threads (GPtrArray *ceilings, guint n_threads);
/* Returns the numbers of threads that would be measured, rising; NULL if they cannot be placed that way.
 * Elements are guint. The caller owns it. @pinning (nullable): how to place them, as for
 * dyno_ceilings_measure_pinned_async(). @n_threads: how many are requested, as for
 * dyno_ceilings_measure_pinned_async(). */
GArray *dyno_ceilings_choose_threads (const char *pinning, guint n_threads, GError **error);

G_END_DECLS
