/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-chart-cases.h"

G_BEGIN_DECLS

/* Returns whether all operators have a time, so that shares of the total time are meaningful. */
gboolean dyno_operator_times_are_known (DynoResult *result);
/* Returns why shares of the time are unknown, each reason once; NULL if they are known. @cases holds
 * DynoChartCase. */
char *dyno_operator_times_dup_reasons (GPtrArray *cases);
/* Returns which cases a chart of times leaves out, and why, as a line for a caption; empty for none. @cases
 * holds DynoChartCase. */
char *dyno_operator_times_dup_note (GPtrArray *cases);

G_END_DECLS
