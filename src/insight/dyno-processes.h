/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-result.h"

G_BEGIN_DECLS

/* Returns the two modes of its processes, as a sentence; NULL if there are no two. */
char *dyno_processes_dup_modes (DynoResult *result);
/* Returns how its processes differ, a sentence each: the range of their medians, their modes, and the
 * source of the variance; empty for a single process. */
GStrv dyno_processes_dup_findings (DynoResult *result);

G_END_DECLS
