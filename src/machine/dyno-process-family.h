/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Returns the process, if it is there, and all that descend from it, as of dyno_process_family_list_all().
 * Elements are GPid. */
GArray *dyno_process_family_list (GPid pid);
GArray *dyno_process_family_list_all (const GPid *pids, guint n_pids);
/* Returns the processor time of the process and all that descend from it, as of
 * dyno_process_family_read_all_ticks(). */
gint64 dyno_process_family_read_ticks (GPid pid);
gint64 dyno_process_family_read_all_ticks (const GPid *pids, guint n_pids);

G_END_DECLS
