/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-plan.h"

G_BEGIN_DECLS

/**
 * DynoSelfTestPlan:
 * @plan: one case, in many processes
 * @n_processes: how many they are
 * @seconds: about how long it takes
 * @remark: (nullable): what is not as usual: a sentence
 *
 * How a machine is to be compared with itself.
 */
typedef struct
{
  DynoPlan *plan;
  guint n_processes;
  double seconds;
  char *remark;
} DynoSelfTestPlan;

/* Probes, so it takes a while. Returns a small model on the processor, or where nothing runs on it on the
 * first device that there is. @seconds: how long it may take; 0 for as long as it usually does. @error:
 * nothing can measure here, or the time is too short. */
DynoSelfTestPlan *dyno_self_test_plan_new (double seconds, GError **error);
void dyno_self_test_plan_free (DynoSelfTestPlan *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoSelfTestPlan, dyno_self_test_plan_free)

G_END_DECLS
