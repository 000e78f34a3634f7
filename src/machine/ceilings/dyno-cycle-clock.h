/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Runs a chain of dependent instructions of known latency for some ten microseconds: too short for the
 * processor to change the frequency of the work before it. Returns the frequency of the core that runs this
 * thread, in Hz; 0 on architectures without such a chain. */
double dyno_cycle_clock_measure (void);

G_END_DECLS
