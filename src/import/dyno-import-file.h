/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * DYNO_IMPORT_MAX_FILE:
 *
 * The largest file that can be imported, in bytes. It is kept, compressed, in the store.
 */
#define DYNO_IMPORT_MAX_FILE G_GINT64_CONSTANT (1000000000)

/**
 * DYNO_IMPORT_MAX_PIECE:
 *
 * The longest line, and the largest JSON value that is read as a tree, in bytes. As
 * DynoImportFile reads in pieces, this bounds the memory of reading.
 */
#define DYNO_IMPORT_MAX_PIECE (16 * 1024 * 1024)

/**
 * DynoImportProgress:
 * @fraction: the share of the file that has been read, from 0 to 1
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
 * Reads a line.
 *
 * Returns: whether to continue
 */
typedef gboolean (*DynoImportLineFunc) (const char *text, guint line, gpointer data, GError **error);

/**
 * DynoImportFile:
 *
 * A file of another tool, read once from the beginning to the end, in pieces: its text is never in memory
 * as a whole. On the way it is hashed and compressed. A file packed by gzip is read as its content. Lines
 * end with LF or CRLF; a byte-order mark is skipped, and says whether the text is UTF-16, which becomes
 * UTF-8; any other encoding is refused. Errors have the number of the line.
 */
typedef struct _DynoImportFile DynoImportFile;

/* Returns the file, at its beginning. Refuses devices and pipes, which may never end or never begin.
 * @cancellable may be NULL. @progress may be NULL. */
DynoImportFile *dyno_import_file_open (
    const char *path, GCancellable *cancellable, DynoImportProgress progress, gpointer data, GError **error);
/* Returns a file of data in memory, like dyno_import_file_open(). */
DynoImportFile *dyno_import_file_new_for_bytes (const char *name, GBytes *bytes);
void dyno_import_file_free (DynoImportFile *self);

/* @zone: the zone of times in it that do not name theirs; NULL for this computer's. */
void dyno_import_file_set_zone (DynoImportFile *self, GTimeZone *zone);
/* Returns the zone from dyno_import_file_set_zone(); NULL if there is none. */
GTimeZone *dyno_import_file_get_zone (DynoImportFile *self);
/* Returns its name without the folder. */
const char *dyno_import_file_get_name (DynoImportFile *self);
/* Returns its folder, which may name the measured model; NULL for data in memory. */
const char *dyno_import_file_get_folder (DynoImportFile *self);
/* Returns its name without the suffix: the name of a case whose model the file does not name. */
char *dyno_import_file_dup_stem (DynoImportFile *self);
/* Returns when it was last written, in µs since 1970 UTC; 0 if unknown. */
gint64 dyno_import_file_get_time (DynoImportFile *self);
/* Returns its first 64 kB, up to a zero byte if there is one, by which a dialect recognises it. */
const char *dyno_import_file_get_head (DynoImportFile *self);
/* Returns the number of the last line that was read, or the line of the next character; from 1. */
guint dyno_import_file_get_line (DynoImportFile *self);

/* Returns the next byte without reading past it; -1 at the end, and after a failure. */
int dyno_import_file_peek (DynoImportFile *self);
/* Returns the next byte and reads past it; -1 at the end, and after a failure. */
int dyno_import_file_next (DynoImportFile *self);
/* Returns the next line without its end, valid until the one after it is read; NULL at the end, and on an
 * error. @line: its number, from 1. */
const char *dyno_import_file_read_line (DynoImportFile *self, guint *line, GError **error);
/* Returns whether all lines were read and accepted. */
gboolean dyno_import_file_read_lines (DynoImportFile *self,
                                      DynoImportLineFunc take_line,
                                      gpointer data,
                                      GError **error);
/* Returns whether it is text. @length: its length, in bytes. */
gboolean dyno_import_file_check_text (const char *text, gsize length, guint line, GError **error);
/* Returns whether reading stopped for another reason than the end. */
gboolean dyno_import_file_has_failed (DynoImportFile *self, GError **error);
/* Reads the rest of the file. Returns whether all of it was read. @hash: the SHA-256 of the whole file, in
 * hexadecimal. @size: its size, in bytes. */
gboolean
dyno_import_file_finish (DynoImportFile *self, char **hash, gint64 *size, GBytes **packed, GError **error);

/* Sets DYNO_ERROR_INVALID_DATA. */
void dyno_import_file_set_error (GError **error, guint line, const char *format, ...) G_GNUC_PRINTF (3, 4);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoImportFile, dyno_import_file_free)

G_END_DECLS
