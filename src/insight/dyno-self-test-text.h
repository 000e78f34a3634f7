/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-self-test.h"

G_BEGIN_DECLS

/* Returns the noise floor and since when it is known, such as “1.8 %, self-test on 12 May 2026”, and
 * whether that was doubtful; NULL where it is not known. */
char *dyno_self_test_dup_floor (const DynoSelfTest *self, const char *metric);
/* Returns what is known of the noise of that machine, to stand beside verdicts. */
char *dyno_self_test_dup_sentence (const DynoSelfTest *self, const char *metric);

G_END_DECLS
