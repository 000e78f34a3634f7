/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-machine.h"
#include "dyno-result.h"

G_BEGIN_DECLS

gboolean dyno_case_check (DynoResult *result, DynoMachine *machine, GPtrArray *failed);
char *dyno_case_recommend (DynoCase *kase, DynoMachine *machine, GPtrArray *failed);

G_END_DECLS
