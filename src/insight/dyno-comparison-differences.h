/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-comparison.h"
#include "dyno-insight-private.h"

G_BEGIN_DECLS

/* Adds the differences between the side and the baseline: options, machine, runtimes, clocks and placement.
 **/
void dyno_comparison_differences_find (DynoComparison *self, guint side, const DynoCaseAlignment *alignment);
/* Returns whether both ran on the same kind of machine, as far as that is known. */
gboolean dyno_comparison_differences_same_machine (DynoRun *a, DynoRun *b);
/* Returns a sentence about a difference that could explain the result, beside the compared parts; NULL if
 * there is none. Where machines are compared, their clocks may differ. */
char *dyno_comparison_differences_dup_confounding (DynoComparison *self,
                                                   guint side,
                                                   const DynoCasePair *pair,
                                                   DynoCaseParts compared);

G_END_DECLS
