/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-result.h"
#include "dyno-sample.h"

G_BEGIN_DECLS

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
/* Returns the latencies of all measured steps, in ms, in the order they ran, including those before it was
 * steady; all steps if the phases are not known. They belong to the result. @invocation: which of its
 * invocations, from 0. */
DynoSample dyno_result_get_measured (DynoResult *self, guint invocation);
/* Returns the dyno_result_get_steady() of each invocation that has any. Elements are DynoSample. The caller
 * owns the list, but not its contents. */
GArray *dyno_result_list_steady (DynoResult *self);

G_END_DECLS
