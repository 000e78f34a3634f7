/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-run.h"

G_BEGIN_DECLS

/**
 * DynoIntervalKind:
 * @DYNO_INTERVAL_WITHIN_PROCESS: 95 % interval from the samples of one process, which says nothing of the next one
 * @DYNO_INTERVAL_RANGE: from the lowest to the highest median of a few processes; no interval, and called so
 * @DYNO_INTERVAL_BETWEEN_PROCESSES: 95 % interval over the processes and the samples within them
 *
 * What the two ends beside a median latency are, by the number of invocations of the case.
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
 * Fewer invocations give no interval over them.
 */
#define DYNO_INTERVAL_MIN_PROCESSES 5

/* Returns what `latency_median_low_ms` and `latency_median_high_ms` of it are. */
DynoIntervalKind dyno_latency_interval_get_kind (DynoResult *result);
/* Returns its stable name. */
const char *dyno_latency_interval_kind_to_string (DynoIntervalKind kind);
/* Returns what the two ends are, in a table that has the number of processes as well. */
const char *dyno_latency_interval_kind_get_label (DynoIntervalKind kind);
/* Returns what its interval is, to stand before the two ends. */
char *dyno_latency_interval_dup_words (DynoResult *result);
/* Returns the heading of a column of the ends of their intervals. @results holds DynoResult. */
const char *dyno_latency_interval_get_heading (GPtrArray *results, gboolean is_high);
/* Returns as dyno_latency_interval_dup_words(), of all of them together. @results holds DynoResult. */
char *dyno_latency_interval_dup_common_words (GPtrArray *results);
/* Works out `latency_median_low_ms` and `latency_median_high_ms` of a case with several invocations; those
 * that were there are replaced. The interval within a single process stays. */
void dyno_latency_interval_complete (DynoResult *result);
/* As dyno_latency_interval_complete(), for all cases of the run that were measured, whenever that was. */
void dyno_latency_interval_complete_run (DynoRun *run);

G_END_DECLS
