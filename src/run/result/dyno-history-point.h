/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-result.h"

G_BEGIN_DECLS

/**
 * DynoHistoryPoint:
 * @head: the case and its model; it has no values, and points of the same setting share it
 * @run_id: the run
 * @run_title: (nullable): its title
 * @run_notes: (nullable): its notes
 * @ordinal: the number of the case there
 * @started_at: when the run began, in µs since 1970
 * @unit: of the value
 * @value: the measured number
 * @low: the lowest value of a process; NaN where there is no spread. For the median latency of a single
 *   process, the lower end of the 95 % interval within it
 * @high: the highest, or the upper end
 * @n_processes: how many processes measured it
 * @is_steady: whether the case became steady; an unsteady value cannot show a trend
 *
 * One value of a case in one of the runs that are kept. Its texts are #GRefString.
 */
typedef struct
{
  DynoResult *head;
  char *run_id;
  char *run_title;
  char *run_notes;
  guint ordinal;
  gint64 started_at;
  char *unit;
  double value;
  double low;
  double high;
  guint n_processes;
  gboolean is_steady;
} DynoHistoryPoint;

/**
 * DynoHistoryFilter:
 * @head: a case without values
 * @data: the caller's data
 *
 * Returns: whether it is wanted
 */
typedef gboolean (*DynoHistoryFilter) (DynoResult *head, gpointer data);

/* Returns a point of one process, steady and without ends. @started_at: when the run began, in µs since 1970. */
DynoHistoryPoint *
dyno_history_point_new (DynoResult *head, const char *run_id, gint64 started_at, double value);
void dyno_history_point_free (DynoHistoryPoint *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoHistoryPoint, dyno_history_point_free)

G_END_DECLS
