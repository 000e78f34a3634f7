/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-run.h"

G_BEGIN_DECLS

/**
 * DynoIntervalKind:
 * @DYNO_INTERVAL_WITHIN_PROCESS: 95 % interval from the samples of one process; it does not predict the next
 *   process
 * @DYNO_INTERVAL_RANGE: from the lowest to the highest median of a few processes; it is called a range, not
 *   an interval
 * @DYNO_INTERVAL_BETWEEN_PROCESSES: 95 % interval over the processes and the samples within them
 *
 * The meaning of the two ends beside a median latency, by the number of invocations of the case.
 */
typedef enum
{
  DYNO_INTERVAL_WITHIN_PROCESS,
  DYNO_INTERVAL_RANGE,
  DYNO_INTERVAL_BETWEEN_PROCESSES,
} DynoIntervalKind;

/**
 * DYNO_INTERVAL_MIN_PROCESSES:
 *
 * The fewest invocations that give an interval over processes.
 */
#define DYNO_INTERVAL_MIN_PROCESSES 5

/* Returns the meaning of its `latency_median_low_ms` and `latency_median_high_ms`. */
DynoIntervalKind dyno_latency_interval_get_kind (DynoResult *result);
/* Returns its stable name. */
const char *dyno_latency_interval_kind_to_string (DynoIntervalKind kind);
/* Returns the kind of its interval, to print before the two ends. */
char *dyno_latency_interval_dup_words (DynoResult *result);
/* Returns the heading of a column with the ends of their intervals. @results holds DynoResult. */
const char *dyno_latency_interval_get_heading (GPtrArray *results, gboolean is_high);
/* Returns the kind of the interval, as dyno_latency_interval_dup_words() does, for all of them together. @results
 * holds DynoResult. */
char *dyno_latency_interval_dup_common_words (GPtrArray *results);
/* Computes `latency_median_low_ms` and `latency_median_high_ms` of a case with several invocations, and
 * replaces earlier ones. The interval within a single process stays. */
void dyno_latency_interval_complete (DynoResult *result);
/* As dyno_latency_interval_complete(), for all measured cases of the run, whenever they were measured. */
void dyno_latency_interval_complete_run (DynoRun *run);

G_END_DECLS
