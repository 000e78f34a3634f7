/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "dyno-ceiling.h"
#include "dyno-thread-team.h"

G_BEGIN_DECLS

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

G_END_DECLS
