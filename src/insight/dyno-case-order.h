/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-run.h"

G_BEGIN_DECLS

/* The order in which cases are numbered everywhere: as the plan lists them, not as they were shuffled.
 * Returns the results. Elements are DynoResult. The caller owns it. */
GPtrArray *dyno_case_order_sort (DynoRun *run);

G_END_DECLS
