/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* It is named after the process, so that the parent process can remove it if the process is killed.
 * Returns a new folder for files of this process; NULL if there is none. @error: return location for an
 * error. */
char *dyno_scratch_new (GError **error);
/* Like dyno_scratch_new(), but on the file system of the file, where a second name of it takes no space,
 * or at least not in memory. Returns a new folder for files of this process; NULL if there is none.
 * @error: return location for an error. */
char *dyno_scratch_new_beside (const char *file, GError **error);
/* Removes the folder and all that is in it. Links are not followed. */
void dyno_scratch_remove (const char *folder);
/* Removes the folders of this user's processes that are no more. */
void dyno_scratch_remove_orphans (void);

G_END_DECLS
