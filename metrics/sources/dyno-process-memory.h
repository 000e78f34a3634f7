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

DynoProcessMemory *dyno_process_memory_new (void);
DynoProcessMemory *dyno_process_memory_ref (DynoProcessMemory *self);
void dyno_process_memory_unref (DynoProcessMemory *self);

void dyno_process_memory_follow (DynoProcessMemory *self, GArray *processes);
gint64 dyno_process_memory_read (DynoProcessMemory *self);
GArray *dyno_process_memory_list (DynoProcessMemory *self);
guint dyno_process_memory_get_max_processes (DynoProcessMemory *self);
gboolean dyno_process_memory_knows_sharing (DynoProcessMemory *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoProcessMemory, dyno_process_memory_unref)

G_END_DECLS
