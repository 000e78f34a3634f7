/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-result.h"

G_BEGIN_DECLS

/* The code of the diagnostic with the probable cause. */
#define DYNO_ROOF_CAUSE_DIAGNOSTIC "far-below-roofs"

/* Returns the probable cause why a case is far below its roofs, as a sentence; NULL if nothing that was measured
 * explains it. The caller owns it. */
char *dyno_roof_cause_dup (DynoResult *result);

G_END_DECLS
