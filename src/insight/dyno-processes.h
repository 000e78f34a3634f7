/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-result.h"

G_BEGIN_DECLS

/* Returns which two modes its processes fall into, as a sentence; NULL where they do not. */
char *dyno_processes_dup_modes (DynoResult *result);
/* Returns how its processes differ, a sentence each: the range of their medians, the modes they fall into,
 * and where the variance lies; empty for a single process. */
GStrv dyno_processes_dup_findings (DynoResult *result);

G_END_DECLS
