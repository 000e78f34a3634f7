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
/* Takes the file in whole or not at all. Taking in the same content again changes nothing, whatever its
 * name. May be called from any thread, and takes as long as the file is large. Returns what came of it.
 * The caller owns it. @settings may be NULL. @cancellable may be NULL. @progress may be NULL. @error: with
 * the name of the file: DYNO_ERROR_UNSUPPORTED where it is of no known dialect, else as of
 * dyno_importer_read() or dyno_power_alignment_run(). */
DynoImported *dyno_importer_import (DynoStore *store,
                                    const char *path,
                                    const DynoImportSettings *settings,
                                    GCancellable *cancellable,
                                    DynoImportProgress progress,
                                    gpointer data,
                                    GError **error);
/* As dyno_importer_import(), for text that is in no file. Returns what came of it. The caller owns it.
 * @name: what a case is called whose model the text does not name. @settings may be NULL. Fails as
 * dyno_importer_import() does. */
DynoImported *dyno_importer_import_text (
    DynoStore *store, const char *name, GBytes *text, const DynoImportSettings *settings, GError **error);
/* May be called from any thread. Returns whether @path is a file of a known dialect, or a folder, in which
 * such files may lie. */
gboolean dyno_importer_recognises (const char *path);
/* Links to folders are not followed, and what begins with a point is left out. Returns @path, or the files
 * in the folder and below it, in order. @failures: gets a sentence for each folder that cannot be read. */
GPtrArray *dyno_importer_list_files (const char *path, GPtrArray *failures);
/* Returns whether the file is none of another tool’s results, so that in a folder it may be passed over.
 * @error: an error of dyno_importer_import(). */
gboolean dyno_importer_is_foreign (const GError *error);

G_END_DECLS
