/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Far more than any text that people or programs write for Dyno has, in bytes. */
#define DYNO_FILE_MAX_TEXT (16 * 1024 * 1024)

GBytes *
dyno_file_read_stream (GInputStream *stream, gsize max_size, GCancellable *cancellable, GError **error);
GBytes *dyno_file_read (const char *path, gsize max_size, GError **error);
GBytes *dyno_file_load (GFile *file, gsize max_size, GCancellable *cancellable, GError **error);

G_END_DECLS
