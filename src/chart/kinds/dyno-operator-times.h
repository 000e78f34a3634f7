/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-chart-cases.h"

G_BEGIN_DECLS

gboolean dyno_operator_times_are_known (DynoResult *result);
char *dyno_operator_times_dup_reasons (GPtrArray *cases);
char *dyno_operator_times_dup_note (GPtrArray *cases);

G_END_DECLS
