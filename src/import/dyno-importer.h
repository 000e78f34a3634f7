/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-dialect.h"
#include "dyno-store.h"

G_BEGIN_DECLS

/**
 * DynoImportSettings:
 * @zone: (nullable): the zone of times that do not name theirs; %NULL for this computer's
 * @run_id: (nullable): the whole id of the run that the readings of a power meter belong to; %NULL for all that were
 *   measured here at that time
 *
 * What a file does not say.
 */
typedef struct
{
  GTimeZone *zone;
  const char *run_id;
} DynoImportSettings;

/**
 * DynoImported:
 * @dialect: what the file was read as
 * @added: (element-type DynoRun): the runs that the store had not, or not all of it
 * @present: (element-type DynoRun): the runs of the file that it had already
 * @n_cases: (element-type DynoRun guint): how many cases of each of these the file told of
 *
 * What came of a file.
 */
typedef struct
{
  const DynoDialect *dialect;
  GPtrArray *added;
  GPtrArray *present;
  GHashTable *n_cases;
} DynoImported;

void dyno_imported_free (DynoImported *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoImported, dyno_imported_free)

/* Returns the runs that it holds, one at least; with their origin, if another tool measured them. Elements
 * are DynoRun. The caller owns it. @dialect: a format that holds runs: its power is not read here. Fails
 * with DYNO_ERROR_INVALID_DATA with the line where the file is not as its dialect has it. */
GPtrArray *dyno_importer_read (DynoImportFile *file, const DynoDialect *dialect, GError **error);
DynoImported *dyno_importer_import (DynoStore *store,
                                    const char *path,
                                    const DynoImportSettings *settings,
                                    GCancellable *cancellable,
                                    DynoImportProgress progress,
                                    gpointer data,
                                    GError **error);
DynoImported *dyno_importer_import_text (
    DynoStore *store, const char *name, GBytes *text, const DynoImportSettings *settings, GError **error);
gboolean dyno_importer_recognises (const char *path);
GPtrArray *dyno_importer_list_files (const char *path, GPtrArray *failures);
/* Returns whether the file is none of another tool’s results, so that in a folder it may be passed over.
 * @error: an error of dyno_importer_import(). */
gboolean dyno_importer_is_foreign (const GError *error);

G_END_DECLS
