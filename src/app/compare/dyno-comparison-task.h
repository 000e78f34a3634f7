/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "dyno-comparison.h"
#include "dyno-plan.h"

G_BEGIN_DECLS

/* Comparing takes seconds, and reading models may wait for a disk: both happen in a thread. */

void dyno_comparison_task_compare (GPtrArray *runs,
                                   const char *metric,
                                   const char *baseline,
                                   GCancellable *cancellable,
                                   GAsyncReadyCallback callback,
                                   gpointer user_data);
DynoComparison *dyno_comparison_task_compare_finish (GAsyncResult *result, GError **error);

void dyno_comparison_task_plan (DynoComparison *comparison, GAsyncReadyCallback callback, gpointer user_data);
DynoPlan *dyno_comparison_task_plan_finish (GAsyncResult *result, GError **error);

G_END_DECLS
