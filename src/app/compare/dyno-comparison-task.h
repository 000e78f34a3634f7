/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "dyno-comparison.h"
#include "dyno-plan.h"

G_BEGIN_DECLS

/* Comparing takes seconds, and reading models may wait for a disk: both happen in a thread. */

/* @runs holds DynoRun. @metric may be NULL. @baseline may be NULL. @cancellable may be NULL. */
void dyno_comparison_task_compare (GPtrArray *runs,
                                   const char *metric,
                                   const char *baseline,
                                   GCancellable *cancellable,
                                   GAsyncReadyCallback callback,
                                   gpointer user_data);
/* Returns the comparison. */
DynoComparison *dyno_comparison_task_compare_finish (GAsyncResult *result, GError **error);

/* @callback: called with the plan that measures the disputed cases again. */
void dyno_comparison_task_plan (DynoComparison *comparison, GAsyncReadyCallback callback, gpointer user_data);
/* Returns the plan. */
DynoPlan *dyno_comparison_task_plan_finish (GAsyncResult *result, GError **error);

G_END_DECLS
