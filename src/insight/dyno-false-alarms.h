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

void dyno_false_alarms_count (DynoResult *result, DynoFalseAlarms *alarms);

G_END_DECLS
