/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-chart-cases.h"

G_BEGIN_DECLS

/* Returns whether no operator lacks its time, so that the time of one is a share of the time of all. */
gboolean dyno_operator_times_are_known (DynoResult *result);
/* Returns why shares of the time are not known, each reason once; NULL if they are. @cases holds
 * DynoChartCase. */
char *dyno_operator_times_dup_reasons (GPtrArray *cases);
/* Returns which cases a chart of times leaves out, and why, as a line for a caption; empty for none.
 * @cases holds DynoChartCase. */
char *dyno_operator_times_dup_note (GPtrArray *cases);

G_END_DECLS
