/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-result.h"
#include "dyno-sample.h"

G_BEGIN_DECLS

/* Returns which percentile of the latency it is, such as 90; negative for any other value. */
double dyno_result_get_percentile (const char *name);

/* The measurement goes on until its end is steady; what came before, and counted as warm-up, is no part of
 * that. Returns the latencies of the steps that count, in ms, in the order they ran. They belong to the
 * result. @invocation: which of its invocations, from 0. */
DynoSample dyno_result_get_steady (DynoResult *self, guint invocation);
/* Returns that percentile of the steady latencies of the process, in ms, however few they are; NaN where
 * there are none, or where @percent is out of range. @invocation: which of its invocations, from 0.
 * @percent: between 0 and 100. */
double dyno_result_get_process_percentile (DynoResult *self, guint invocation, double percent);
/* Returns the latencies of all steps that were measured, in ms, in the order they ran, also of those
 * before it was steady; all steps where the phases are not known. They belong to the result. @invocation:
 * which of its invocations, from 0. */
DynoSample dyno_result_get_measured (DynoResult *self, guint invocation);
/* Returns what dyno_result_get_steady() gives for each invocation that has any. Elements are DynoSample.
 * The caller owns the list, not what is in it. */
GArray *dyno_result_list_steady (DynoResult *self);

G_END_DECLS
