/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-run.h"
#include "dyno-store-statement.h"

G_BEGIN_DECLS

/* Returns a read-only connection to the document, checked from end to end. @path: a `.dyno` file, possibly
 * from a stranger. Fails with DYNO_ERROR_INVALID_DATA if it is not a complete, well-formed document. */
sqlite3 *dyno_store_document_open (const char *path, GError **error);
/* Saves a run that could not be stored. Returns whether the document is at @path. @ceilings (nullable): the
 * ceilings of its machine. @path: the path of the document; an existing file is replaced once the new one
 * is complete. */
gboolean dyno_store_document_write_run (DynoRun *run, GPtrArray *ceilings, const char *path, GError **error);
/* Replaces an existing file at @path only once the new one is complete. Returns whether the document is at
 * @path. @source: a connection to a store or document, inside a transaction. @ids: the runs to copy, as
 * dyno_store_reader_resolve() takes them. @cancellable may be NULL. */
gboolean dyno_store_document_write (
    sqlite3 *source, const char *const *ids, const char *path, GCancellable *cancellable, GError **error);

G_END_DECLS
