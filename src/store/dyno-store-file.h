/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-error.h"
#include "dyno-store-pool.h"

G_BEGIN_DECLS

/**
 * DynoStoreFile:
 * @path: where it lies
 * @busy_timeout: how long to wait for another process's lock, in ms
 * @existing: whether nothing is made or recovered, so that whoever opens it next hears of it
 * @pool: the connections, once it is open
 * @read_only: whether it can only be read
 * @read_only_reason: the code of the error that a write gives then
 * @lost: whether it was damaged, and none of its runs could be read
 * @message: (nullable): why it is read-only, what was recovered, or who else can write it, for the user
 *
 * The file below a store, and what opening it brought to light.
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

/* Makes the store where there is none, migrates an older one, and recovers a damaged one. While one
 * process recovers, others wait, and find the store whole: nobody opens a file that is being replaced.
 * Returns whether it is open, if only for reading. */
gboolean dyno_store_file_open (DynoStoreFile *self, GError **error);
/* Returns whether it is a whole document. */
gboolean dyno_store_file_open_document (DynoStoreFile *self, GError **error);
void dyno_store_file_clear (DynoStoreFile *self);

G_END_DECLS
