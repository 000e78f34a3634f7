/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>
#include <sys/types.h>

G_BEGIN_DECLS

/**
 * DynoOutputFile:
 * @path: where the content goes, links followed
 * @mode: the permissions of the file that is replaced
 * @is_stream: whether the content is written into what is there: a pipe, a terminal, the standard output
 *
 * What a person named as the place for a file.
 */
typedef struct
{
  char *path;
  mode_t mode;
  gboolean is_stream;
} DynoOutputFile;

/* Links are followed, so that they stay. Nothing is written yet. Returns whether it may be written.
 * @error: what is wrong with it, as a part of a sentence. */
gboolean dyno_output_file_find (DynoOutputFile *self, const char *path, GError **error);
/* Returns the folder in which it is to be made, from which dyno_output_file_put() can move it. */
char *dyno_output_file_dup_folder (const DynoOutputFile *self);
/* Returns a new, empty file for dyno_output_file_put(). @error: what is wrong, as a part of a sentence. */
char *dyno_output_file_make_temporary (const DynoOutputFile *self, GError **error);
/* Puts a file into its place as a whole, or its content into a pipe or device; @made is gone then. Returns
 * whether it is there; otherwise nothing changed, except that a stream may have got a part. @made: a
 * complete file in the folder of dyno_output_file_dup_folder(). @error: what is wrong, as a part of a
 * sentence. */
gboolean dyno_output_file_put (const DynoOutputFile *self, const char *made, GError **error);
void dyno_output_file_clear (DynoOutputFile *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (DynoOutputFile, dyno_output_file_clear)

/* Replaces a file as a whole or not at all, follows links, and writes into pipes and devices. Returns
 * whether it is written. @error: what is wrong, as a part of a sentence. */
gboolean dyno_output_file_write (const char *path, GBytes *bytes, GError **error);
/* As dyno_output_file_write(). May wait for a network, so it belongs on a thread. Returns whether it is
 * written. @cancellable may be NULL. @error: with a whole sentence. */
gboolean dyno_output_file_save (GFile *file, GBytes *bytes, GCancellable *cancellable, GError **error);
/* Does dyno_output_file_save() on a thread. @cancellable may be NULL. */
void dyno_output_file_save_async (
    GFile *file, GBytes *bytes, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);
/* Returns whether it is written. @error: with a whole sentence. */
gboolean dyno_output_file_save_finish (GFile *file, GAsyncResult *result, GError **error);

G_END_DECLS
