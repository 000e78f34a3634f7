/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define DYNO_PRIORITY_NORMAL "normal"
#define DYNO_PRIORITY_HIGH   "high"

/* Returns whether the priority is one of the two. Fails with DYNO_ERROR_INVALID_ARGUMENT if not. */
gboolean dyno_priority_check (const char *priority, GError **error);
/* Gives all threads that this process has now a high priority: the kernel grants it to those who may ask, and
 * RealtimeKit to the others. Threads that start later may have the usual one. Returns a sentence for people that says
 * how many got it from whom; NULL if none did. The caller owns it. Fails with DYNO_ERROR_UNSUPPORTED. */
char *dyno_priority_raise (GError **error);

G_END_DECLS
