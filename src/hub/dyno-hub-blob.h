/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-hub-http.h"
#include "dyno-hub-repo.h"

G_BEGIN_DECLS

/**
 * DynoHubBytesFunc:
 * @n_bytes: how many more bytes of the file are there
 * @user_data: what was passed along
 */
typedef void (*DynoHubBytesFunc) (guint64 n_bytes, gpointer user_data);

gboolean dyno_hub_blob_fetch (DynoHubHttp *http,
                              const DynoHubRepo *repo,
                              const DynoHubFile *file,
                              const char *folder,
                              DynoHubBytesFunc count,
                              gpointer user_data,
                              GCancellable *cancellable,
                              GError **error);

G_END_DECLS
