/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-store-statement.h"

G_BEGIN_DECLS

void dyno_store_recovery_suspect (const char *path);
gboolean dyno_store_recovery_check (const char *path, sqlite3 *db, GError **error);
/* Returns whether a process died after it had recovered the store and before the new file was in its
 * place. */
gboolean dyno_store_recovery_is_pending (const char *path);
char *dyno_store_recovery_run (const char *path, gboolean *lost, GError **error);

G_END_DECLS
