/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-error.h"
#include "dyno-store-pool.h"

G_BEGIN_DECLS

/**
 * DynoStoreFile:
 * @path: its path
 * @busy_timeout: how long to wait for another process's lock, in ms
 * @existing: whether to create and recover nothing, so that the next to open it gets the message
 * @pool: the connections, once the file is open
 * @read_only: whether the file can only be read
 * @read_only_reason: the error code of a write in that case
 * @lost: whether the file was damaged and none of its runs could be read
 * @message: (nullable): for the user: why it is read-only, the result of a recovery, or who else can write
 * it
 *
 * The file of a store, and the findings of opening it.
 */
typedef struct
{
  char *path;
  guint busy_timeout;
  gboolean existing;
  DynoStorePool *pool;
  gboolean read_only;
  DynoError read_only_reason;
  gboolean lost;
  char *message;
} DynoStoreFile;

/* Creates a missing store, migrates an older one, and recovers a damaged one. While one process recovers,
 * others wait and then find a sound store: nobody opens a file that is being replaced. Returns whether it
 * is open, if only for reading. */
gboolean dyno_store_file_open (DynoStoreFile *self, GError **error);
/* Returns whether the file is a complete document. */
gboolean dyno_store_file_open_document (DynoStoreFile *self, GError **error);
void dyno_store_file_clear (DynoStoreFile *self);

G_END_DECLS
