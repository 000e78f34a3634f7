/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-ceiling-run.h"

G_BEGIN_DECLS

/* Returns how many ceilings there are to measure for a team of threads. */
guint dyno_compute_ceilings_count (void);
/* Measures every instruction set of the processor in every precision it has, on the run's team. Returns
 * whether it was not cancelled. */
gboolean dyno_compute_ceilings_measure (DynoCeilingRun *run);

G_END_DECLS
