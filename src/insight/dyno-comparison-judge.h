/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-comparison.h"

G_BEGIN_DECLS

/**
 * DYNO_COMPARISON_MIN_PROCESSES:
 *
 * With fewer processes on either side no claim is made: the rank test cannot tell them from chance.
 */
#define DYNO_COMPARISON_MIN_PROCESSES 5

/* Gives each case its ratio with the 95 % interval between processes, and its verdict. A difference is
 * claimed where the interval leaves out 1, the processes differ in rank (Mann–Whitney; in blocks also by a
 * paired t-test), the ratio is beyond the practical threshold, and the p-value, corrected for the number of
 * cases by Benjamini and Hochberg, is below 0.05; sameness by two one-sided tests, corrected in the same
 * way. Cases of one run are compared within its blocks. A difference that is shown, but smaller than the
 * machine's noise floor, is within the noise. @self: a comparison with its cases, of which those that are
 * confounded have that verdict already. */
void dyno_comparison_judge (DynoComparison *self);
/* Judges them as one family of tests: p-values are corrected for the number of cases of all comparisons,
 * because a reader who looks at all of them finds the few chance differences. @comparisons: comparisons as
 * dyno_comparison_judge() takes them. */
void dyno_comparison_judge_together (DynoComparison *const *comparisons, gsize n_comparisons);

G_END_DECLS
