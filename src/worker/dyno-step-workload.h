/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-workload.h"

G_BEGIN_DECLS

/**
 * DYNO_STEP_WORKLOAD_MAX_SLOTS:
 *
 * The most sets of inputs that are used in turn.
 */
#define DYNO_STEP_WORKLOAD_MAX_SLOTS 4

#define DYNO_TYPE_STEP_WORKLOAD (dyno_step_workload_get_type ())

/**
 * DynoStepWorkload:
 *
 * Forward passes over a few distinct sets of inputs in turn.
 */
G_DECLARE_FINAL_TYPE (DynoStepWorkload, dyno_step_workload, DYNO, STEP_WORKLOAD, DynoWorkload)

/* Returns the workload, with its inputs. @error: set if the sizes do not fit the model. */
DynoWorkload *dyno_step_workload_new (DynoCase *kase, DynoModel *model, GError **error);

G_END_DECLS
