/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-self-test.h"

G_BEGIN_DECLS

char *dyno_self_test_dup_floor (const DynoSelfTest *self, const char *metric);
char *dyno_self_test_dup_sentence (const DynoSelfTest *self, const char *metric);

G_END_DECLS
