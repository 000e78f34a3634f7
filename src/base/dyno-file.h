/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>
#include <glib.h>
#include <sys/types.h>

G_BEGIN_DECLS

/* The maximum size of a text, in bytes: far more than people or programs write for Dyno. */
#define DYNO_FILE_MAX_TEXT (16 * 1024 * 1024)

/* Memory grows with the data that arrive: a file or a server may claim a wrong size. Returns the whole
 * content. The caller owns it. @max_size: the maximum number of bytes, less than 4 GB. @cancellable may be
 * NULL. @error: the problem, as a part of a sentence. */
GBytes *
dyno_file_read_stream (GInputStream *stream, gsize max_size, GCancellable *cancellable, GError **error);
/* Refuses devices and pipes, which might never end or never begin. Returns the content of the file. The
 * caller owns it. @max_size: the maximum number of bytes, less than 4 GB. @error: the problem, as a part of a
 * sentence. */
GBytes *dyno_file_read (const char *path, gsize max_size, GError **error);
/* Returns whether the file can be read and has these bytes at that place. */
gboolean dyno_file_has_magic (const char *path, gsize offset, const char *magic);
/* Like dyno_file_read(), but may wait for a network: call it in a thread. Returns the content of the file.
 * @max_size: the maximum number of bytes, less than 4 GB. @cancellable may be NULL. @error: the problem, as a
 * part of a sentence. */
GBytes *dyno_file_load (GFile *file, gsize max_size, GCancellable *cancellable, GError **error);

/* dyno-output-file */

/**
 * DynoOutputFile:
 * @path: the destination, with links followed
 * @mode: the permissions of the file that is replaced
 * @is_stream: whether the content is written into the existing file: a pipe, a terminal, the standard output
 *
 * The destination that a person named for a file.
 */
typedef struct
{
  char *path;
  mode_t mode;
  gboolean is_stream;
} DynoOutputFile;

/* Follows links, so that they are kept. Writes nothing yet. Returns whether the file may be written. @error:
 * the problem, as a part of a sentence. */
gboolean dyno_output_file_find (DynoOutputFile *self, const char *path, GError **error);
/* Returns the folder for the temporary file, from which dyno_output_file_put() can move it. */
char *dyno_output_file_dup_folder (const DynoOutputFile *self);
/* Returns a new, empty file for dyno_output_file_put(). @error: the problem, as a part of a sentence. */
char *dyno_output_file_make_temporary (const DynoOutputFile *self, GError **error);
/* Moves a whole file to its destination, or writes its content into a pipe or device; @made is gone then.
 * Returns whether it succeeded; otherwise nothing changed, except that a stream may have received a part.
 * @made: a complete file in the folder of dyno_output_file_dup_folder(). @error: the problem, as a part of a
 * sentence. */
gboolean dyno_output_file_put (const DynoOutputFile *self, const char *made, GError **error);
void dyno_output_file_clear (DynoOutputFile *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (DynoOutputFile, dyno_output_file_clear)

/* Replaces a file as a whole or not at all, follows links, and writes into pipes and devices. Returns whether
 * it was written. @error: the problem, as a part of a sentence. */
gboolean dyno_output_file_write (const char *path, GBytes *bytes, GError **error);
/* Like dyno_output_file_write(), but may wait for a network: call it in a thread. Returns whether it was
 * written. @cancellable may be NULL. @error: the problem, as a whole sentence. */
gboolean dyno_output_file_save (GFile *file, GBytes *bytes, GCancellable *cancellable, GError **error);
/* Does dyno_output_file_save() in a thread. @cancellable may be NULL. */
void dyno_output_file_save_async (
    GFile *file, GBytes *bytes, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);
/* Returns whether it was written. @error: the problem, as a whole sentence. */
gboolean dyno_output_file_save_finish (GFile *file, GAsyncResult *result, GError **error);

/* dyno-resource */

/* Registers a resource for `g_resources_lookup_data()` and its like, and waits for another thread that is
 * registering it. The compiler's `…_get_resource()` does not wait, and may return NULL. The resource is never
 * unregistered, as a destructor would do: a thread may still read it while the process ends. @is_registered:
 * a static variable, 0 at first. */
void dyno_resource_ensure (gsize *is_registered, void (*register_resource) (void));

G_END_DECLS
