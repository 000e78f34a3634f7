/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-case-alignment.h"
#include "dyno-comparison.h"

G_BEGIN_DECLS

/* Adds what differs between the side and the baseline: what was asked for, the machine, the runtimes, the
 * clocks and the placement. */
void dyno_comparison_differences_find (DynoComparison *self, guint side, const DynoCaseAlignment *alignment);
/* Returns whether both ran on the same kind of machine, as far as that is known. */
gboolean dyno_comparison_differences_same_machine (DynoRun *a, DynoRun *b);
/* Machines that differ are what is compared, and with them their clocks. Returns what beside that could
 * have made the difference: a sentence; NULL if there is none. */
char *dyno_comparison_differences_dup_confounding (DynoComparison *self,
                                                   guint side,
                                                   const DynoCasePair *pair,
                                                   DynoCaseParts compared);

G_END_DECLS
