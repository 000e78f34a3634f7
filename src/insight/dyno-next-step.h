/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-result.h"

G_BEGIN_DECLS

/* Returns a sentence with the next measurement to make and the number that suggests it; NULL if there is
 * none. @results: cases of one model that differ in sizes and threads only. */
char *dyno_next_step_dup (GPtrArray *results);
/* Returns the type of operator that takes most of the time; NULL if there is none. @share: its share of the
 * time of all operators, 0…1. */
char *dyno_next_step_dup_operator (DynoResult *result, double *share);

G_END_DECLS
