/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-run.h"
#include "dyno-store-statement.h"

G_BEGIN_DECLS

/* Returns a connection to the document, checked from end to end, that can only read. @path: a `.dyno`
 * file, perhaps from a stranger. Fails with DYNO_ERROR_INVALID_DATA when it is not a whole, well-formed
 * document. */
sqlite3 *dyno_store_document_open (const char *path, GError **error);
gboolean dyno_store_document_write_run (DynoRun *run, GPtrArray *ceilings, const char *path, GError **error);
gboolean dyno_store_document_write (
    sqlite3 *source, const char *const *ids, const char *path, GCancellable *cancellable, GError **error);

G_END_DECLS
