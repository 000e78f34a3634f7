/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-hub-repo.h"
#include "dyno-progress.h"

G_BEGIN_DECLS

void dyno_hub_fetch_async (const char *id,
                           DynoHubWish wish,
                           DynoProgressFunc progress,
                           gpointer progress_data,
                           GCancellable *cancellable,
                           GAsyncReadyCallback callback,
                           gpointer user_data);
/* Returns the folder with the files that were asked for. */
char *dyno_hub_fetch_finish (GAsyncResult *result, GError **error);
/* Returns what dyno_model_load() takes for it: the path of its ONNX export, or its id; where a bundled
 * model has that id, the folder. */
char *dyno_hub_dup_spec (const char *id, DynoHubWish wish, const char *folder);

G_END_DECLS
