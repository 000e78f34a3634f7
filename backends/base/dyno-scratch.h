/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* It is named after the process, so that the parent process can remove it if the process is killed.
 * Returns a new folder for files of this process; NULL on error. */
char *dyno_scratch_new (GError **error);
/* Puts the folders that follow into another one, of a process that may write nowhere else. @folder: a folder of this
 * process. */
void dyno_scratch_set_place (const char *folder);
/* Like dyno_scratch_new(), but on the file system of the file, where a hard link to it takes no space, or
 * at least not in memory. Returns a new folder for files of this process; NULL on error. */
char *dyno_scratch_new_beside (const char *file, GError **error);
/* Removes the folder with its contents. Links are not followed. */
void dyno_scratch_remove (const char *folder);
/* Removes the folders of this user's ended processes: one that was killed, as a worker, could not remove its own. */
void dyno_scratch_remove_orphans (void);

G_END_DECLS
