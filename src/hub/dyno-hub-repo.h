/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * DynoHubWish:
 * @DYNO_HUB_CONFIG: what describes the architecture: a few kilobytes
 * @DYNO_HUB_WEIGHTS: also its trained weights, as safetensors
 * @DYNO_HUB_ONNX: also an ONNX export, where there is one
 *
 * What to fetch of a model.
 */
typedef enum
{
  DYNO_HUB_CONFIG,
  DYNO_HUB_WEIGHTS,
  DYNO_HUB_ONNX,
} DynoHubWish;

/**
 * DynoHubFile:
 * @name: its path in the repository
 * @size: in bytes
 * @hash: SHA-256 of a large file (64 digits), or the id that git gives a small one (SHA-1, 40 digits)
 * @is_chosen: whether it is among those that [method@Dyno.HubRepo.choose] gave last
 *
 * A file of a model on the hub.
 */
typedef struct
{
  char *name;
  guint64 size;
  char *hash;
  gboolean is_chosen;
} DynoHubFile;

/**
 * DynoHubRepo:
 * @id: the model's
 * @commit: the newest
 * @files: (element-type DynoHubFile): all there are in it
 *
 * What the hub says of a model.
 */
typedef struct
{
  char *id;
  char *commit;
  GPtrArray *files;
} DynoHubRepo;

/* Returns the same, checked. @answer: what the hub says of it, with sizes and hashes of its files. */
DynoHubRepo *dyno_hub_repo_parse (const char *id, GBytes *answer, GError **error);
void dyno_hub_repo_free (DynoHubRepo *self);
/* Returns the files that are needed for that. Elements are DynoHubFile. The caller owns the list, not what
 * is in it. */
GPtrArray *dyno_hub_repo_choose (DynoHubRepo *self, DynoHubWish wish, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoHubRepo, dyno_hub_repo_free)

G_END_DECLS
