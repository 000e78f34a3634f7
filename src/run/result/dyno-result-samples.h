/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-result.h"
#include "dyno-sample.h"

G_BEGIN_DECLS

/* dyno-result-join */

/* A diagnostic of a case that is measured and not analysed yet. */
#define DYNO_RESULT_NOT_ANALYSED "not-analysed"
/* The duration of the analysis, if it had a process of its own. */
#define DYNO_RESULT_ANALYSIS_MS "analysis_ms"

/* Returns a copy that stays the same while @self goes on. Its parts do not change, so a thread may read it. */
DynoResult *dyno_result_dup (DynoResult *self);
/* Keeps the samples of all invocations and computes the values from them: latency statistics from all steady
 * samples together, rates as the work of all over the time of all, peaks as the highest, others as the median
 * of the invocations. A value that only one invocation has, because the analysis is not repeated, stays.
 * @self does not change, so a thread may do this while others read it. Returns the case with the invocation
 * added. The caller owns it. @number: the number of the new invocation, from 0. @part: the result of that
 * invocation; its traces become those of the case. */
DynoResult *dyno_result_join (DynoResult *self, guint number, DynoResult *part);
/* As dyno_result_join(), for all invocations at once. Returns the case. The caller owns it. @parts: the
 * results of its invocations, in their order. */
DynoResult *dyno_result_join_all (DynoResult *self, GPtrArray *parts);
/* Adds what a process found that analysed the case after it was measured: it becomes part of the first invocation, which
 * then no longer says that it is not analysed. Returns the case. The caller owns it. @analysis: values, operators and
 * diagnostics. */
DynoResult *dyno_result_join_analysis (DynoResult *self, DynoResult *analysis);
/* Returns the case with the values of its first invocation alone, from which an analysis starts. The caller owns it. */
DynoResult *dyno_result_dup_first (DynoResult *self);
/* Returns the case, with a diagnostic about that. The caller owns it. @number: which of its invocations
 * failed, from 0. */
DynoResult *dyno_result_join_failure (DynoResult *self, guint number, const char *reason);
/* Returns whether it lacks no invocation that its method requests, measured or failed. A result from before
 * invocations existed lacks none, and one whose last invocation failed was not to go on. */
gboolean dyno_result_is_complete (DynoResult *self);
/* Returns whether all its processes measured it, but none has analysed it yet. */
gboolean dyno_result_lacks_analysis (DynoResult *self);
/* Adds the diagnostics `invocation-failed` and, for a case that is over, `invocations-missing`, and replaces
 * earlier ones. */
void dyno_result_judge_invocations (DynoResult *self, gboolean is_over);
/* Returns whether it follows from the invocations, so that it is not stored but computed when the case is
 * shown. */
gboolean dyno_result_is_about_invocations (const char *code);

/* Returns the percentile of a latency value, such as 90; negative for any other value. */
double dyno_result_get_percentile (const char *name);

/* The measurement goes on until its end is steady; earlier steps, and those of the warm-up, are excluded.
 * Returns the latencies of the counted steps, in ms, in the order they ran. They belong to the result.
 * @invocation: which of its invocations, from 0. */
DynoSample dyno_result_get_steady (DynoResult *self, guint invocation);
/* Returns that percentile of the steady latencies of the process, in ms, however few they are; NaN if there
 * are none, or if @percent is out of range. @invocation: which of its invocations, from 0. @percent: between
 * 0 and 100. */
double dyno_result_get_process_percentile (DynoResult *self, guint invocation, double percent);
/* Returns whether the median of the case is of undisturbed steps only. */
gboolean dyno_result_is_undisturbed (DynoResult *self);
/* Returns the latencies of the counted steps of the process in undisturbed windows, in ms, in the order they ran; NULL
 * if they do not represent the process, or are unknown. Elements are double. The caller owns the list. @invocation:
 * which of its invocations, from 0. */
GArray *dyno_result_dup_undisturbed (DynoResult *self, guint invocation);
/* Returns the latencies that the median of the case is of, in ms: for each process that has any, an array of double.
 * The caller owns the list. */
GPtrArray *dyno_result_list_median_samples (DynoResult *self);
/* Returns the medians of the processes, in ms, in their order, of the same kind of steps as that of the case. The caller
 * owns them. @n (out): how many. */
double *dyno_result_dup_process_medians (DynoResult *self, guint *n);
/* Returns the latencies of all measured steps, in ms, in the order they ran, including those before it was
 * steady; all steps if the phases are not known. They belong to the result. @invocation: which of its
 * invocations, from 0. */
DynoSample dyno_result_get_measured (DynoResult *self, guint invocation);
/* Returns the end of the last phase of the process, in ns since its start; 0 if it is not known. @invocation: which
 * of its invocations, from 0. */
gint64 dyno_result_get_process_end (DynoResult *self, guint invocation);
/* Returns the dyno_result_get_steady() of each invocation that has any. Elements are DynoSample. The caller
 * owns the list, but not its contents. */
GArray *dyno_result_list_steady (DynoResult *self);

G_END_DECLS
