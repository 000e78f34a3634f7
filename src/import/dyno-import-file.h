/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * DYNO_IMPORT_MAX_FILE:
 *
 * The largest file that is taken in, in bytes. It is kept, compressed, in the store.
 */
#define DYNO_IMPORT_MAX_FILE G_GINT64_CONSTANT (1000000000)

/**
 * DYNO_IMPORT_MAX_PIECE:
 *
 * The longest line, and the largest JSON value that is read as a tree, in bytes. With [struct@Dyno.ImportFile] reading in
 * pieces, it is what bounds the memory that reading takes.
 */
#define DYNO_IMPORT_MAX_PIECE (16 * 1024 * 1024)

/**
 * DynoImportProgress:
 * @fraction: how much of the file has been read, from 0 to 1
 * @data: user data
 *
 * Called on the thread that reads.
 */
typedef void (*DynoImportProgress) (double fraction, gpointer data);

/**
 * DynoImportLineFunc:
 * @text: a line without its end
 * @line: its number, from 1
 * @data: user data
 * @error: return location
 *
 * Takes in a line.
 *
 * Returns: whether reading goes on
 */
typedef gboolean (*DynoImportLineFunc) (const char *text, guint line, gpointer data, GError **error);

/**
 * DynoImportFile:
 *
 * A file of another tool, read once from the beginning to the end, in pieces: its text is never in memory as a whole. On
 * the way it is hashed and compressed. A file packed by gzip is read as what is in it. Lines end with LF or CRLF; a byte-order mark is skipped, and says whether the text is
 * UTF-16, which becomes UTF-8; text that is neither is refused. What is wrong is told with the line.
 */
typedef struct _DynoImportFile DynoImportFile;

DynoImportFile *dyno_import_file_open (
    const char *path, GCancellable *cancellable, DynoImportProgress progress, gpointer data, GError **error);
DynoImportFile *dyno_import_file_new_for_bytes (const char *name, GBytes *bytes);
void dyno_import_file_free (DynoImportFile *self);

void dyno_import_file_set_zone (DynoImportFile *self, GTimeZone *zone);
GTimeZone *dyno_import_file_get_zone (DynoImportFile *self);
const char *dyno_import_file_get_name (DynoImportFile *self);
const char *dyno_import_file_get_folder (DynoImportFile *self);
char *dyno_import_file_dup_stem (DynoImportFile *self);
gint64 dyno_import_file_get_time (DynoImportFile *self);
const char *dyno_import_file_get_head (DynoImportFile *self);
guint dyno_import_file_get_line (DynoImportFile *self);

int dyno_import_file_peek (DynoImportFile *self);
int dyno_import_file_next (DynoImportFile *self);
const char *dyno_import_file_read_line (DynoImportFile *self, guint *line, GError **error);
gboolean dyno_import_file_read_lines (DynoImportFile *self,
                                      DynoImportLineFunc take_line,
                                      gpointer data,
                                      GError **error);
gboolean dyno_import_file_check_text (const char *text, gsize length, guint line, GError **error);
gboolean dyno_import_file_has_failed (DynoImportFile *self, GError **error);
gboolean
dyno_import_file_finish (DynoImportFile *self, char **hash, gint64 *size, GBytes **packed, GError **error);

void dyno_import_file_set_error (GError **error, guint line, const char *format, ...) G_GNUC_PRINTF (3, 4);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoImportFile, dyno_import_file_free)

G_END_DECLS
