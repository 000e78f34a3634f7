/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-dialect.h"
#include "dyno-store.h"

G_BEGIN_DECLS

/**
 * DynoImportSettings:
 * @zone: (nullable): the zone of times that do not name theirs; NULL for this computer's
 * @run_id: (nullable): the whole id of the run to which the readings of a power meter belong; NULL for all runs that
 *   were measured here at that time
 *
 * Facts that a file lacks.
 */
typedef struct
{
  GTimeZone *zone;
  const char *run_id;
} DynoImportSettings;

/**
 * DynoImported:
 * @dialect: the dialect of the file
 * @added: (element-type DynoRun): the runs that the store did not have, or not completely
 * @present: (element-type DynoRun): the runs of the file that the store already had
 * @n_cases: (element-type DynoRun guint): the number of cases that the file has of each of these runs
 *
 * The result of an import.
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

/* Returns the runs in the file, at least one; with their origin, if another tool measured them. Elements
 * are DynoRun. The caller owns it. @dialect: a format that holds runs: its power is not read here. Fails
 * with DYNO_ERROR_INVALID_DATA, with the line, if the file violates its dialect. */
GPtrArray *dyno_importer_read (DynoImportFile *file, const DynoDialect *dialect, GError **error);
/* Imports the whole file or nothing. Importing the same content again changes nothing, whatever its name.
 * May be called from any thread; the time grows with the size of the file. Returns the result of the
 * import. The caller owns it. @settings may be NULL. @cancellable may be NULL. @progress may be NULL.
 * @error: with the name of the file: DYNO_ERROR_UNSUPPORTED if its dialect is unknown, else as of
 * dyno_importer_read() or dyno_power_alignment_run(). */
DynoImported *dyno_importer_import (DynoStore *store,
                                    const char *path,
                                    const DynoImportSettings *settings,
                                    GCancellable *cancellable,
                                    DynoImportProgress progress,
                                    gpointer data,
                                    GError **error);
/* Does the same as dyno_importer_import() for text that is in no file. Returns the result of the import.
 * The caller owns it. @name: the name of a case if the text does not name its model. @settings may be NULL.
 * Fails as dyno_importer_import() does. */
DynoImported *dyno_importer_import_text (
    DynoStore *store, const char *name, GBytes *text, const DynoImportSettings *settings, GError **error);
/* May be called from any thread. Returns whether @path is a file of a known dialect, or a folder, which may
 * contain such files. */
gboolean dyno_importer_recognises (const char *path);
/* Returns @path, or the files in the folder and below it, in order. Does not follow links to folders, and
 * skips names that begin with a point. @failures: gets a sentence for each folder that cannot be read. */
GPtrArray *dyno_importer_list_files (const char *path, GPtrArray *failures);
/* Returns whether the file does not hold another tool’s results, so that an import of its folder may skip
 * it. @error: an error of dyno_importer_import(). */
gboolean dyno_importer_is_foreign (const GError *error);

G_END_DECLS
