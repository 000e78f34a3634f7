/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-hub-repo.h"

G_BEGIN_DECLS

/**
 * DynoHubProgress:
 * @file: the file that is being fetched, or %NULL while the list of files is asked for
 * @bytes: what is there of all files
 * @total: what there will be
 * @wait_seconds: how long the hub asked to wait, 0 where it did not
 *
 * How far a download is.
 */
typedef struct
{
  const char *file;
  guint64 bytes;
  guint64 total;
  guint wait_seconds;
} DynoHubProgress;

/**
 * DynoHubProgressFunc:
 * @progress: how far it is
 * @user_data: what was passed along
 *
 * Called in the main context in which the download was started.
 */
typedef void (*DynoHubProgressFunc) (const DynoHubProgress *progress, gpointer user_data);

void dyno_hub_fetch_async (const char *id,
                           DynoHubWish wish,
                           DynoHubProgressFunc progress,
                           gpointer progress_data,
                           GCancellable *cancellable,
                           GAsyncReadyCallback callback,
                           gpointer user_data);
char *dyno_hub_fetch_finish (GAsyncResult *result, GError **error);
char *dyno_hub_dup_spec (const char *id, DynoHubWish wish, const char *folder);

G_END_DECLS
