/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "dyno-progress.h"

G_BEGIN_DECLS

/* dyno-hub-id */

/* Returns the id in the address of a model's page, such as `owner/name` in
 * `https://huggingface.co/owner/name/tree/main`; else @text without spaces around it, whether or not it is
 * an id. The caller owns it. */
char *dyno_hub_id_from_text (const char *text);

/* dyno-hub */

/**
 * DynoHubWish:
 * @DYNO_HUB_CONFIG: the description of the architecture: a few kilobytes
 * @DYNO_HUB_WEIGHTS: also its trained weights, as safetensors
 * @DYNO_HUB_ONNX: also an ONNX export, if there is one
 *
 * The files of a model to download.
 */
typedef enum
{
  DYNO_HUB_CONFIG,
  DYNO_HUB_WEIGHTS,
  DYNO_HUB_ONNX,
} DynoHubWish;

/* Downloads a model's newest files into the cache of the hub's own programs. dyno_model_load() finds it
 * there by its id. `HF_ENDPOINT`, `HF_TOKEN`, `HF_HOME`, `HF_HUB_CACHE` and `HF_HUB_OFFLINE` are respected.
 * @id: a model on the Hugging Face Hub, `owner/name`. @cancellable (nullable): ends it; the part that
 * arrived is kept, and the next download continues from there. */
void dyno_hub_fetch_async (const char *id,
                           DynoHubWish wish,
                           DynoProgressFunc progress,
                           gpointer progress_data,
                           GCancellable *cancellable,
                           GAsyncReadyCallback callback,
                           gpointer user_data);
/* Returns the folder with the requested files. */
char *dyno_hub_fetch_finish (GAsyncResult *result, GError **error);
/* Returns the argument of dyno_model_load() for it: the path of its ONNX export, or its id; the folder if a
 * bundled model has the same id. */
char *dyno_hub_dup_spec (const char *id, DynoHubWish wish, const char *folder);

G_END_DECLS
