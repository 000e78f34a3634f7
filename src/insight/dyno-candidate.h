/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-comparison.h"
#include "dyno-goal.h"

G_BEGIN_DECLS

/**
 * DynoCandidate:
 * @run: where it was measured
 * @result: the case
 * @label: what may be chosen, in words, such as “openvino · bf16”
 * @cost: what the goal makes of it; the less, the better
 * @doubt: (nullable): why its numbers deserve doubt
 * @reason: (nullable): why it may not be recommended
 * @margin: (nullable): the best one compared with this one; %NULL for the best one, and where this one may not be
 *   recommended
 *
 * One way to do what a cell asks for.
 */
typedef struct
{
  DynoRun *run;
  DynoResult *result;
  char *label;
  double cost;
  char *doubt;
  char *reason;
  DynoComparedCase *margin;
} DynoCandidate;

void dyno_candidate_free (DynoCandidate *self);
/* Returns whether it was shown to be as good as the best one, or differs by less than the noise of this
 * machine. */
gboolean dyno_candidate_is_tied (const DynoCandidate *self);
/* Returns how much better the best one is, with its interval, and whether that was shown. */
char *dyno_candidate_dup_margin (const DynoCandidate *self, const DynoGoal *goal);
/* Returns where it was measured: the case and its run, as the command line finds it. */
char *dyno_candidate_dup_evidence (const DynoCandidate *self);

G_END_DECLS
