/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-self-test.h"

G_BEGIN_DECLS

/* Returns the noise floor and the date of its measurement, such as “1.8 %, self-test on 12 May 2026”, and
 * whether that was doubtful; NULL if it is not known. */
char *dyno_self_test_dup_floor (const DynoSelfTest *self, const char *metric);
/* Returns a sentence about the noise of that machine, to show beside verdicts. */
char *dyno_self_test_dup_sentence (const DynoSelfTest *self, const char *metric);

G_END_DECLS
