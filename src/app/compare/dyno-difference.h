/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-run.h"

G_BEGIN_DECLS

#define DYNO_TYPE_DIFFERENCE (dyno_difference_get_type ())

/**
 * DynoDifference:
 *
 * The median latency of one case in a run, beside that of the same case in the baseline.
 */
G_DECLARE_FINAL_TYPE (DynoDifference, dyno_difference, DYNO, DIFFERENCE, GObject)

GListModel *dyno_difference_list (GPtrArray *runs, guint baseline);

DynoRun *dyno_difference_get_run (DynoDifference *self);
char *dyno_difference_dup_label (DynoDifference *self);
double dyno_difference_get_baseline (DynoDifference *self);
double dyno_difference_get_median (DynoDifference *self);
gboolean dyno_difference_is_unsteady (DynoDifference *self);
double dyno_difference_get_ratio (DynoDifference *self);
char *dyno_difference_dup_baseline_text (DynoDifference *self);
char *dyno_difference_dup_median_text (DynoDifference *self);

G_END_DECLS
