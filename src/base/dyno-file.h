/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

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
/* Like dyno_file_read(), but may wait for a network: call it in a thread. Returns the content of the file.
 * @max_size: the maximum number of bytes, less than 4 GB. @cancellable may be NULL. @error: the problem, as a
 * part of a sentence. */
GBytes *dyno_file_load (GFile *file, gsize max_size, GCancellable *cancellable, GError **error);

G_END_DECLS
