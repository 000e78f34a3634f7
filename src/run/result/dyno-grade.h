/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-run.h"

G_BEGIN_DECLS

/**
 * DynoGrade:
 * @DYNO_GRADE_NONE: unknown: a narrow interval within one process says nothing about the next one
 * @DYNO_GRADE_GOOD: the interval of the median ends within 2 % of it
 * @DYNO_GRADE_FAIR: within 10 %; the best grade for a range of fewer than five processes
 * @DYNO_GRADE_ROUGH: beyond 10 %
 *
 * The precision of a case. It says nothing about whether the numbers are right: see dyno_result_get_state().
 */
typedef enum
{
  DYNO_GRADE_NONE,
  DYNO_GRADE_GOOD,
  DYNO_GRADE_FAIR,
  DYNO_GRADE_ROUGH,
} DynoGrade;

#define DYNO_N_GRADES (DYNO_GRADE_ROUGH + 1)

/* The farthest ends of an interval that is good, and of one that is fair, as a share of the median. */
#define DYNO_GRADE_MOST_GOOD 0.02
#define DYNO_GRADE_MOST_FAIR 0.10

/* Returns the stable name of a grade, for files; NULL for none. */
const char *dyno_grade_to_string (DynoGrade grade);
/* Returns the word for people; NULL for none. */
const char *dyno_grade_get_label (DynoGrade grade);

/* Returns how far the farther end of the interval is from the median, as a share of it; NaN if unknown. */
double dyno_result_get_reach (DynoResult *result);
DynoGrade dyno_result_get_grade (DynoResult *result);
/* Returns the grade of a case whose numbers are not in doubt, otherwise its state, for people. */
const char *dyno_result_get_status_label (DynoResult *result);
/* Returns the states that occur in a loaded run, for people, with grades in place of “measured”: “4 good · 1
 * failed”. */
char *dyno_run_dup_outcome (DynoRun *run);

G_END_DECLS
