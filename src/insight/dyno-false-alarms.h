/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-result.h"

G_BEGIN_DECLS

/**
 * DynoFalseAlarms:
 * @n_comparisons: the number of times that a case was compared with itself
 * @n_alarms: the number of verdicts that it is faster or slower than itself
 *
 * How far the verdicts can be trusted on a machine.
 */
typedef struct
{
  guint n_comparisons;
  guint n_alarms;
} DynoFalseAlarms;

/* Divides the processes at random into groups of five, and judges pairs of groups as if they were two runs.
 * The noise floor is derived from the same processes, so it is not used. Takes a second, so it belongs on a
 * thread. @result: a case that was measured in ten processes or more. @alarms: the number of comparisons
 * and of false differences; no comparison with fewer processes. */
void dyno_false_alarms_count (DynoResult *result, DynoFalseAlarms *alarms);

G_END_DECLS
