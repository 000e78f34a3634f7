/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-store.h"
#include "dyno-verdict.h"

G_BEGIN_DECLS

/**
 * DYNO_HISTORY_MIN_RUNS:
 *
 * With fewer runs no change is significant, however large: too few orders of them are possible.
 */
#define DYNO_HISTORY_MIN_RUNS 8

/**
 * DynoHistorySegment:
 * @first: the index of its first point
 * @n: how many of its points are steady
 * @level: their median
 * @ratio: of the level over that of the segment before; NaN for the first
 * @changes: (nullable) (element-type DynoSideDifference): what differs between the run before and the first one; %NULL for
 *   the first segment
 *
 * A stretch of runs in which a value did not change.
 */
typedef struct
{
  guint first;
  guint n;
  double level;
  double ratio;
  GPtrArray *changes;
} DynoHistorySegment;

/**
 * DynoHistoryTrend:
 * @label: the case in words
 * @unit: of its values
 * @points: (element-type DynoHistoryPoint): the value in each run, in the order of time
 * @segments: (element-type DynoHistorySegment): the stretches between changes; none where no point is steady
 * @n_steady: how many points are steady: only those are judged
 *
 * How a value of one case went over the runs.
 */
typedef struct
{
  char *label;
  char *unit;
  GPtrArray *points;
  GPtrArray *segments;
  guint n_steady;
} DynoHistoryTrend;

/**
 * DynoHistory:
 * @metric: the stable name of the value
 * @machine: the snapshot of the machine, JSON
 * @threshold: changes of the level that are smaller, as a share, are none: the practical threshold, or the noise floor of
 *   the machine where that is greater
 * @self_test: (nullable): the self-test of the machine
 * @trends: (element-type DynoHistoryTrend): one for each case, those measured first in front
 * @baselines: (element-type DynoBaseline): all there are, by name; also of runs that have none of these cases
 *
 * How a value of some cases went over all runs of a machine.
 */
typedef struct
{
  char *metric;
  char *machine;
  double threshold;
  DynoSelfTest *self_test;
  GPtrArray *trends;
  GPtrArray *baselines;

  /*< private >*/
  gatomicrefcount ref_count;
} DynoHistory;

/**
 * DynoHistoryQuery:
 * @metric: (nullable): the stable name of a value; %NULL for the median latency
 * @machine: (nullable): the snapshot of a machine, JSON; %NULL for that of the newest run
 * @words: (nullable): words that the case in words must contain
 * @backend: (nullable): its backend, with a device behind a colon or without
 * @only: (nullable): this case alone
 *
 * Which history is wanted.
 */
typedef struct
{
  const char *metric;
  const char *machine;
  const char *words;
  const char *backend;
  DynoResult *only;
} DynoHistoryQuery;

/* Sorts the points by case, and finds where the level of each changed (dyno_stats_divide()). What changed
 * beside it is not known yet, and no baselines are. Returns the history. Takes @points. @points holds
 * DynoHistoryPoint. @threshold: changes of the level that are smaller, as a share, are none. */
DynoHistory *dyno_history_new (GPtrArray *points, const char *metric, double threshold);
/* Reads the points, finds the changes, and says of each what differs between the run before and the first
 * one after. May take some seconds: not for the main thread. Returns the history, possibly without a
 * trend. */
DynoHistory *dyno_history_load (DynoStore *store, const DynoHistoryQuery *query, GError **error);
DynoHistory *dyno_history_ref (DynoHistory *self);
void dyno_history_unref (DynoHistory *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoHistory, dyno_history_unref)

/* Returns whether both are of the same value in the same runs, with the same baselines. */
gboolean dyno_history_equal (const DynoHistory *self, const DynoHistory *other);
/* Returns what it is to the segment before it; of the first one, the same. */
DynoVerdict dyno_history_get_verdict (const DynoHistory *self, const DynoHistorySegment *segment);
/* Returns a sentence: whether and when the value changed, or how many runs it takes to find out. */
char *dyno_history_dup_answer (const DynoHistory *self, const DynoHistoryTrend *trend);
/* Returns what differs between the run before it and its first, on one line; empty for the first segment. */
char *dyno_history_dup_changes (const DynoHistorySegment *segment);
/* Returns how far its level is from the one before, such as “5.3 % slower”; empty for the first. */
char *dyno_history_dup_change (const DynoHistory *self, const DynoHistorySegment *segment);
/* Returns the last steady point before it, with which it is compared; NULL if there is none. @index: the
 * index of one of its points. */
const DynoHistoryPoint *dyno_history_find_steady_before (const DynoHistoryTrend *trend, guint index);
/* Returns what was measured in the run; NULL if there is none. */
const DynoHistoryPoint *dyno_history_find_point (const DynoHistoryTrend *trend, const char *run_id);
/* Returns the names of the baselines that the run of the point is, in quotes; empty where it is none.
 * @point: one of its points. */
char *dyno_history_dup_baselines (const DynoHistory *self, const DynoHistoryPoint *point);
/* Returns what its ends are, such as “range of 5 processes”; empty where it has none. */
char *dyno_history_point_dup_ends (const DynoHistoryPoint *point);

G_END_DECLS
