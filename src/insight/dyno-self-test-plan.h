/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-comparison.h"
#include "dyno-plan.h"
#include "dyno-self-test.h"

G_BEGIN_DECLS

/**
 * DynoSelfTestPlan:
 * @plan: one case, in many processes
 * @n_processes: the number of processes
 * @seconds: the estimated time
 * @remark: (nullable): a sentence about an unusual choice
 *
 * The plan of a self-test of a machine.
 */
typedef struct
{
  DynoPlan *plan;
  guint n_processes;
  double seconds;
  char *remark;
} DynoSelfTestPlan;

/* Returns a plan with a small model on the processor, or if nothing runs on it on the first available
 * device. Probes, so it takes a while. @seconds: the time limit; 0 for the usual time. @error: nothing can
 * measure here, or the time is too short. */
DynoSelfTestPlan *dyno_self_test_plan_new (double seconds, GError **error);
/* Returns the plan that compares the case with itself in turns, in as many blocks as a verdict needs. The caller owns it. */
DynoPlan *dyno_self_test_plan_new_turns (const DynoSelfTestPlan *self);
/* Judges a run of that plan whose cases were measured. Takes a while. Returns its only comparison; the caller owns it. */
DynoComparison *dyno_self_test_compare_in_turns (DynoRun *run);
void dyno_self_test_plan_free (DynoSelfTestPlan *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoSelfTestPlan, dyno_self_test_plan_free)

/* dyno-self-test-text */

/* Returns the noise floor and the date of its measurement, such as “1.8 %, self-test on 12 May 2026”, and
 * whether that was doubtful; NULL if it is not known. */
char *dyno_self_test_dup_floor (const DynoSelfTest *self, const char *metric);
/* Returns a sentence about the noise of that machine, to show beside verdicts. */
char *dyno_self_test_dup_sentence (const DynoSelfTest *self, const char *metric);

G_END_DECLS
