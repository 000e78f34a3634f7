/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-result.h"

G_BEGIN_DECLS

char *dyno_stage_summary_dup (DynoResult *result);

G_END_DECLS
