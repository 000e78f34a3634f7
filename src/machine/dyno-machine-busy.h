/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Watches the processors for a tenth of a second: what is busy now, not what was in the last minute, when
 * it may have been Dyno itself. Blocks that long, so it belongs on a thread. Returns how many processors
 * are at work; NaN where the kernel does not report it. */
double dyno_machine_busy_measure (void);
/* Returns how many processors were at work in between, those that a hypervisor took away among them; NaN
 * where the texts do not say. @before may be NULL. @after may be NULL. */
double dyno_machine_busy_between (const char *before, const char *after);

G_END_DECLS
