/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-comparison.h"
#include "dyno-goal.h"

G_BEGIN_DECLS

/**
 * DynoCandidate:
 * @run: the run that measured it
 * @result: the case
 * @label: the choice in words, such as “openvino · bf16”
 * @cost: its cost by the goal; less is better
 * @doubt: (nullable): why its numbers are doubtful
 * @reason: (nullable): why it may not be recommended
 * @margin: (nullable): the best one compared with this one; NULL for the best one and for one that may not be
 *   recommended
 *
 * One way to do the work of a cell.
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
/* Returns whether it was shown to be as good as the best one, or differs by less than the machine's noise.
 **/
gboolean dyno_candidate_is_tied (const DynoCandidate *self);
/* Returns how much better the best one is, with its interval, and whether that was shown. */
char *dyno_candidate_dup_margin (const DynoCandidate *self, const DynoGoal *goal);
/* Returns the case and its run, in the form that the command line accepts. */
char *dyno_candidate_dup_evidence (const DynoCandidate *self);

G_END_DECLS
