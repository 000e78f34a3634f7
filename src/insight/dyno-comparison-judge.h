/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-comparison.h"

G_BEGIN_DECLS

/**
 * DYNO_COMPARISON_MIN_PROCESSES:
 *
 * On fewer processes of each side no claim is made: the rank test cannot tell them from chance.
 */
#define DYNO_COMPARISON_MIN_PROCESSES 5

void dyno_comparison_judge (DynoComparison *self);
void dyno_comparison_judge_together (DynoComparison *const *comparisons, gsize n_comparisons);

G_END_DECLS
