/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-http.h"

G_BEGIN_DECLS

/**
 * DynoDownload:
 * @address: where it is, as of [func@Dyno.http_open]
 * @name: what people call it
 * @path: (type filename): where it goes; while it is fetched, `.incomplete` follows
 * @size: in bytes
 * @algorithm: of @hash
 * @hash: what the file must have, in hexadecimal digits
 * @prefix: (nullable): what is hashed ahead of the file
 * @prefix_size: of @prefix, in bytes
 *
 * A file to fetch, of which size and hash are known.
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
 * @n_bytes: how many more bytes of the file are there
 * @user_data: what was passed along
 */
typedef void (*DynoDownloadBytesFunc) (guint64 n_bytes, gpointer user_data);

/* Fetches a file, unless it is there already, and checks its hash before it gets its name. Returns whether
 * it is there, whole. @count: called for every byte that is there, those of an earlier attempt included.
 * @cancellable (nullable): ends it; the part that arrived is kept, and the next download continues from
 * there. Fails with DYNO_ERROR_INVALID_DATA where what came has another size or hash. */
gboolean dyno_download_fetch (DynoHttp *http,
                              const DynoDownload *what,
                              DynoDownloadBytesFunc count,
                              gpointer user_data,
                              GCancellable *cancellable,
                              GError **error);
/* Returns whether they fit, as far as the file system says. @needed: how many bytes will be written there.
 * @variable: the environment variable that names another folder. */
gboolean dyno_download_check_room (const char *folder, guint64 needed, const char *variable, GError **error);

G_END_DECLS
