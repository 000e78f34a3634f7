/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * DynoProcessMemory:
 *
 * The memory of other processes that work for this one. One thread sets the processes, another reads. Pages that they
 * share with each other are counted once, as far as the kernel reports it.
 */
typedef struct _DynoProcessMemory DynoProcessMemory;

/* Returns an object without processes. */
DynoProcessMemory *dyno_process_memory_new (void);
DynoProcessMemory *dyno_process_memory_ref (DynoProcessMemory *self);
void dyno_process_memory_unref (DynoProcessMemory *self);

/* Sets the processes that count from now on, and reads their shared memory again. Takes milliseconds; nothing may be
 * timed meanwhile. @processes holds GPid. */
void dyno_process_memory_follow (DynoProcessMemory *self, GArray *processes);
/* Returns the sum of the processes' resident sets, in bytes, with shared pages counted once. */
gint64 dyno_process_memory_read (DynoProcessMemory *self);
/* Returns the processes that count now. Elements are GPid. */
GArray *dyno_process_memory_list (DynoProcessMemory *self);
/* Returns the largest number of processes so far. */
guint dyno_process_memory_get_max_processes (DynoProcessMemory *self);
/* Returns whether the kernel reports the shared memory of all processes; if not, shared pages are counted several
 * times. */
gboolean dyno_process_memory_knows_sharing (DynoProcessMemory *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoProcessMemory, dyno_process_memory_unref)

G_END_DECLS
