/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-result.h"

G_BEGIN_DECLS

char *dyno_processes_dup_modes (DynoResult *result);
GStrv dyno_processes_dup_findings (DynoResult *result);

G_END_DECLS
