/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * DynoProcessMemory:
 *
 * What other processes that work for this one hold in memory. One thread says which they are, another reads. Pages that
 * they share with each other are counted once, as far as the kernel reports it.
 */
typedef struct _DynoProcessMemory DynoProcessMemory;

/* Returns the memory of no process yet. */
DynoProcessMemory *dyno_process_memory_new (void);
DynoProcessMemory *dyno_process_memory_ref (DynoProcessMemory *self);
void dyno_process_memory_unref (DynoProcessMemory *self);

/* Says which processes count from now on, and reads again what they share. Takes milliseconds; nothing may
 * be timed meanwhile. @processes holds GPid. */
void dyno_process_memory_follow (DynoProcessMemory *self, GArray *processes);
/* Returns the resident sets of the processes together, in bytes, less what they share. */
gint64 dyno_process_memory_read (DynoProcessMemory *self);
/* Returns the processes that count now. Elements are GPid. */
GArray *dyno_process_memory_list (DynoProcessMemory *self);
/* Returns how many processes there were at most. */
guint dyno_process_memory_get_max_processes (DynoProcessMemory *self);
/* Returns whether the kernel reports for all processes what they share; if not, shared pages are counted
 * several times. */
gboolean dyno_process_memory_knows_sharing (DynoProcessMemory *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoProcessMemory, dyno_process_memory_unref)

G_END_DECLS
