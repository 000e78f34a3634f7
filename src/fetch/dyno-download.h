/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-http.h"

G_BEGIN_DECLS

/**
 * DynoDownload:
 * @address: its address, as in dyno_http_open()
 * @name: its name for people
 * @path: (type filename): its path; `.incomplete` is appended during the download
 * @size: its size, in bytes
 * @algorithm: the algorithm of @hash
 * @hash: the expected hash, in hexadecimal digits
 * @prefix: (nullable): bytes that are hashed before the file
 * @prefix_size: the size of @prefix, in bytes
 *
 * A file to download, with known size and hash.
 */
typedef struct
{
  const char *address;
  const char *name;
  const char *path;
  guint64 size;
  GChecksumType algorithm;
  const char *hash;
  const char *prefix;
  gsize prefix_size;
} DynoDownload;

/**
 * DynoDownloadBytesFunc:
 * @n_bytes: the number of new bytes of the file
 * @user_data: user data
 */
typedef void (*DynoDownloadBytesFunc) (guint64 n_bytes, gpointer user_data);

/* Downloads a file, unless it exists already, and checks its hash before it gets its name. Returns whether
 * the whole file is there. @count: called for every byte of the file, including those of an earlier
 * attempt. @cancellable (nullable): ends it; the part that arrived is kept, and the next download continues
 * from there. Fails with DYNO_ERROR_INVALID_DATA if the downloaded file has another size or hash. */
gboolean dyno_download_fetch (DynoHttp *http,
                              const DynoDownload *what,
                              DynoDownloadBytesFunc count,
                              gpointer user_data,
                              GCancellable *cancellable,
                              GError **error);
/* Returns whether the bytes fit, as far as the file system reports. @needed: the number of bytes to write.
 * @variable: the environment variable that names another folder. */
gboolean dyno_download_check_room (const char *folder, guint64 needed, const char *variable, GError **error);

G_END_DECLS
