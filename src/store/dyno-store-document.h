/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-run.h"
#include "dyno-store-statement.h"

G_BEGIN_DECLS

/* Returns a connection to the document, checked from end to end, that can only read. @path: a `.dyno`
 * file, perhaps from a stranger. Fails with DYNO_ERROR_INVALID_DATA when it is not a whole, well-formed
 * document. */
sqlite3 *dyno_store_document_open (const char *path, GError **error);
/* Keeps a run that no store could take. Returns whether the document lies at @path. @ceilings (nullable):
 * what its machine can do at most. @path: where to; a file there is replaced once the new one is complete. */
gboolean dyno_store_document_write_run (DynoRun *run, GPtrArray *ceilings, const char *path, GError **error);
/* A file that lies at @path is replaced only by a complete new one. Returns whether the document lies at
 * @path. @source: a connection to a store or document, inside a transaction. @ids: the runs to copy, as
 * dyno_store_reader_resolve() takes them. @cancellable may be NULL. */
gboolean dyno_store_document_write (
    sqlite3 *source, const char *const *ids, const char *path, GCancellable *cancellable, GError **error);

G_END_DECLS
