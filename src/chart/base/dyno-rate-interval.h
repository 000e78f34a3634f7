/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-result.h"

G_BEGIN_DECLS

/* Fewer steps than this have no interval of their rate. */
#define DYNO_RATE_INTERVAL_MIN_STEPS 20

gboolean dyno_rate_interval_find (DynoResult *result, double rate, double *low, double *high);
/* Returns what the bands are, or why there are none, for a note. @cases holds DynoChartCase. */
char *dyno_rate_interval_dup_description (GPtrArray *cases);

G_END_DECLS
