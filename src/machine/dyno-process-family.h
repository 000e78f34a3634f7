/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Returns the process, if it exists, and all its descendants, like dyno_process_family_list_all(). Elements
 * are GPid. */
GArray *dyno_process_family_list (GPid pid);
/* Returns those of the processes that exist, and all their descendants, each once. Elements are GPid. */
GArray *dyno_process_family_list_all (const GPid *pids, guint n_pids);
/* Returns the processor time of the process and all its descendants, like
 * dyno_process_family_read_all_ticks(). */
gint64 dyno_process_family_read_ticks (GPid pid);
/* Returns the processor time of the processes and all their descendants, in the kernel's ticks; -1 if it
 * cannot be read. Children that have ended count if a process of the family waited for them. */
gint64 dyno_process_family_read_all_ticks (const GPid *pids, guint n_pids);
/* Returns whether the process is stopped, by a signal or a debugger, and so does not go on by itself. */
gboolean dyno_process_family_is_suspended (GPid pid);

/* dyno-port-owner */

/* Reads the descriptors of all processes of this user, which takes milliseconds. Returns the processes that
 * listen on the port, without their children. NULL if none is visible, or if one only forwards connections.
 * Elements are GPid. The caller owns it. @reason may be NULL. */
GArray *dyno_port_owner_find (guint16 port, char **reason);

G_END_DECLS
