/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-store-statement.h"

G_BEGIN_DECLS

/**
 * DynoStoreMode:
 * @DYNO_STORE_READ_WRITE: the store: made when missing, write-ahead log, foreign keys
 * @DYNO_STORE_READ_ONLY: nothing is written, not even beside the file; the file must not change meanwhile
 * @DYNO_STORE_UNTRUSTED: the same, for a file from elsewhere
 * @DYNO_STORE_SALVAGE: a damaged file, read and left exactly as it is
 * @DYNO_STORE_COPY: a file that is filled once and then renamed into its place
 *
 * How a connection treats its file.
 */
typedef enum
{
  DYNO_STORE_READ_WRITE,
  DYNO_STORE_READ_ONLY,
  DYNO_STORE_UNTRUSTED,
  DYNO_STORE_SALVAGE,
  DYNO_STORE_COPY,
} DynoStoreMode;

/* Returns the connection; its file has not been read yet. @busy_timeout: how long to wait for another
 * process's lock, in ms. */
sqlite3 *
dyno_store_connection_open (const char *path, DynoStoreMode mode, guint busy_timeout, GError **error);

G_END_DECLS
