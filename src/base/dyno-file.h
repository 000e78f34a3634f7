/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Far more than any text that people or programs write for Dyno has, in bytes. */
#define DYNO_FILE_MAX_TEXT (16 * 1024 * 1024)

/* Memory grows with what really comes: what a file or a server says of a size need not be true. Returns
 * all of it. The caller owns it. @max_size: the most bytes to take from it, less than 4 GB. @cancellable
 * may be NULL. @error: what is wrong with it, as a part of a sentence. */
GBytes *
dyno_file_read_stream (GInputStream *stream, gsize max_size, GCancellable *cancellable, GError **error);
/* Reads no device and no pipe, which might never end or never begin. Returns what is in the file. The
 * caller owns it. @max_size: the most bytes to take from it, less than 4 GB. @error: what is wrong with
 * it, as a part of a sentence. */
GBytes *dyno_file_read (const char *path, gsize max_size, GError **error);
/* As dyno_file_read(). May wait for a network, so it belongs on a thread. Returns what is in the file.
 * @max_size: the most bytes to take from it, less than 4 GB. @cancellable may be NULL. @error: what is
 * wrong with it, as a part of a sentence. */
GBytes *dyno_file_load (GFile *file, gsize max_size, GCancellable *cancellable, GError **error);

G_END_DECLS
