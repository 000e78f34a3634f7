/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Watches the processors for a tenth of a second. The load of the last minute could be Dyno's own; this is
 * the current one. Blocks that long, so call it on a thread. Returns how many processors are at work; NaN
 * if the kernel does not report it. */
double dyno_machine_busy_measure (void);
/* Returns how many processors were at work in between, including those that a hypervisor took; NaN if the
 * texts lack the numbers. @before may be NULL. @after may be NULL. */
double dyno_machine_busy_between (const char *before, const char *after);

G_END_DECLS
