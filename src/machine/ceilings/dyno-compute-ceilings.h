/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-ceiling-run.h"

G_BEGIN_DECLS

/* Returns the number of ceilings to measure for a team of threads. */
guint dyno_compute_ceilings_count (void);
/* Measures every instruction set of the processor in each of its precisions, on the run's team. Returns
 * whether it was not cancelled. */
gboolean dyno_compute_ceilings_measure (DynoCeilingRun *run);

G_END_DECLS
