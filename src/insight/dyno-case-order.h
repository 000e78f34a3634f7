/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-run.h"

G_BEGIN_DECLS

/* Returns the results in the order in which cases are numbered everywhere: the order of the plan, not the
 * shuffled one. Elements are DynoResult. The caller owns it. */
GPtrArray *dyno_case_order_sort (DynoRun *run);

G_END_DECLS
