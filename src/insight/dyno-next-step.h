/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-result.h"

G_BEGIN_DECLS

char *dyno_next_step_dup (GPtrArray *results);
char *dyno_next_step_dup_operator (DynoResult *result, double *share);

G_END_DECLS
