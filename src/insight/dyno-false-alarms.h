/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-result.h"

G_BEGIN_DECLS

/**
 * DynoFalseAlarms:
 * @n_comparisons: how often a case was compared with itself
 * @n_alarms: how often the verdict was that it is faster or slower than itself
 *
 * How far the verdicts can be trusted on a machine.
 */
typedef struct
{
  guint n_comparisons;
  guint n_alarms;
} DynoFalseAlarms;

/* Parts the processes at random into groups of five, and has pairs of groups judged as two runs would be.
 * The noise floor, which follows from the same processes, is left out. Takes a second, so it belongs on a
 * thread. @result: a case that was measured in ten processes or more. @alarms: how often it was compared
 * with itself, and said to differ; no comparison in fewer processes. */
void dyno_false_alarms_count (DynoResult *result, DynoFalseAlarms *alarms);

G_END_DECLS
