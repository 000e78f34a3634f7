/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-result.h"

G_BEGIN_DECLS

/* Returns a sentence with the stage of the model that takes most of the time, and the time of each stage;
 * NULL if the model is one graph. */
char *dyno_stage_summary_dup (DynoResult *result);

G_END_DECLS
