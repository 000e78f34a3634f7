/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-result.h"

G_BEGIN_DECLS

/* Returns which of the model's stages takes most of the time, and how long each takes, as a sentence; NULL
 * where the model is one graph. */
char *dyno_stage_summary_dup (DynoResult *result);

G_END_DECLS
