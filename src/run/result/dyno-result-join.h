/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-result.h"

G_BEGIN_DECLS

/* Returns one that stays as it is when @self goes on; what it is made of does not change, so a thread may
 * read it. */
DynoResult *dyno_result_dup (DynoResult *self);
/* The samples of all invocations are kept, and the values made from them: latency statistics from all
 * steady samples together, rates as the work of all over the time of all, peaks as the highest, others as
 * the median of the invocations. A value that only one invocation has, because the analysis is not
 * repeated, stays. Nothing of @self changes, so this may go on in a thread while others look at it.
 * Returns the case as it is known then. The caller owns it. @number: which of its invocations comes, from
 * 0. @part: what that invocation gave; its traces become those of the case. */
DynoResult *dyno_result_join (DynoResult *self, guint number, DynoResult *part);
/* As dyno_result_join(), once for all of them. Returns the case. The caller owns it. @parts: what each of
 * its invocations gave, in their order. */
DynoResult *dyno_result_join_all (DynoResult *self, GPtrArray *parts);
/* Returns the case, with a diagnostic about that. The caller owns it. @number: which of its invocations
 * failed, from 0. */
DynoResult *dyno_result_join_failure (DynoResult *self, guint number, const char *reason);
/* Returns whether it lacks no invocation that its method asks for, measured or failed; what was measured
 * when there were no invocations lacks none, and one whose last invocation failed was not to go on. */
gboolean dyno_result_is_complete (DynoResult *self);
/* Adds the diagnostics `invocation-failed` and, for a case that is over, `invocations-missing`. Those that
 * were there are replaced. */
void dyno_result_judge_invocations (DynoResult *self, gboolean is_over);
/* Returns whether it follows from the invocations, so that it is not kept but found whenever the case is
 * looked at. */
gboolean dyno_result_is_about_invocations (const char *code);

G_END_DECLS
