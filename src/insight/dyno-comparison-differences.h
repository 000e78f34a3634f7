/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-cases.h"
#include "dyno-comparison.h"

G_BEGIN_DECLS

/* dyno-case-alignment */

/**
 * DYNO_CASE_ALTERNATIVES:
 *
 * The parts of a case that a user may choose for the same work, and so compare: where and how it runs, not
 * its sizes.
 */
#define DYNO_CASE_ALTERNATIVES                                                                               \
  (DYNO_CASE_PLACE | DYNO_CASE_THREADS | DYNO_CASE_PINNING | DYNO_CASE_OPTIONS | DYNO_CASE_LIBRARY)

/**
 * DynoCasePair:
 *
 * The same case on two sides.
 */
typedef struct
{
  DynoResult *baseline;
  DynoResult *result;
} DynoCasePair;

/**
 * DynoCaseAlignment:
 * @pairs: (element-type DynoCasePair): the cases that both have, in the order of the second
 * @only_baseline: (element-type DynoResult): the cases that the second does not have
 * @only_results: (element-type DynoResult): the cases that the first does not have
 * @compared: the parts that need not match, because each list has one value for all its cases and the two values
 *   differ: these parts are compared
 *
 * The matching cases of two lists. Models and the sizes of the work must match.
 */
typedef struct
{
  GArray *pairs;
  GPtrArray *only_baseline;
  GPtrArray *only_results;
  DynoCaseParts compared;
} DynoCaseAlignment;

/* Returns the matching cases of the two lists. Cases that match in all parts are paired first; then cases
 * that differ in the device alone, as users compare devices, if each has a single partner. @baseline holds
 * DynoResult. @results holds DynoResult. */
DynoCaseAlignment *dyno_case_alignment_new (GPtrArray *baseline, GPtrArray *results);
void dyno_case_alignment_free (DynoCaseAlignment *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoCaseAlignment, dyno_case_alignment_free)

/* dyno-comparison-differences */

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
