/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-store-statement.h"

G_BEGIN_DECLS

/* Leaves a mark beside the store, so that the next opening checks it from end to end. */
void dyno_store_recovery_suspect (const char *path);
/* Checks the store from end to end if it is small or was found damaged before. Returns FALSE if it is
 * damaged. Fails with DYNO_ERROR_STORE_DAMAGED. */
gboolean dyno_store_recovery_check (const char *path, sqlite3 *db, GError **error);
/* Returns whether a process died after it had recovered the store but before it put the new file in its
 * place. */
gboolean dyno_store_recovery_is_pending (const char *path);
/* Copies all readable rows into a new file, row by row. Then the damaged file gets a second name, whole,
 * and the new one takes its place. Finishes the work of a process that died. Returns for the user: where
 * the damaged file is now, how much was recovered, and how else to proceed. The caller owns it. @path: a
 * damaged store that this process has not open, and on which it has the exclusive lock. @lost: whether
 * nothing could be read of a store that is not known to have been empty. */
char *dyno_store_recovery_run (const char *path, gboolean *lost, GError **error);

G_END_DECLS
