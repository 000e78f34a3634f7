/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-result.h"

G_BEGIN_DECLS

DynoResult *dyno_result_dup (DynoResult *self);
DynoResult *dyno_result_join (DynoResult *self, guint number, DynoResult *part);
DynoResult *dyno_result_join_all (DynoResult *self, GPtrArray *parts);
DynoResult *dyno_result_join_failure (DynoResult *self, guint number, const char *reason);
gboolean dyno_result_is_complete (DynoResult *self);
void dyno_result_judge_invocations (DynoResult *self, gboolean is_over);
gboolean dyno_result_is_about_invocations (const char *code);

G_END_DECLS
