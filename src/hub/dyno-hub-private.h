/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "dyno-http.h"
#include "dyno-progress.h"

G_BEGIN_DECLS

/* dyno-hub-http */

/**
 * DynoHubHttp:
 * @http: the client of the hub
 *
 * A client of a Hugging Face Hub, with the endpoint and the token that the hub's own programs take from the
 * environment. Belongs to one thread.
 */
typedef struct
{
  DynoHttp *http;
  /*< private >*/
  char *endpoint;
  char *id;
  gboolean has_token;
  DynoProgressReporter *reporter;
} DynoHubHttp;

/* Returns a client of the hub; NULL if there is none. @id: the model to ask for, for error messages.
 * @reporter: reports how long the hub asks to wait. */
DynoHubHttp *dyno_hub_http_new (const char *id, DynoProgressReporter *reporter, GError **error);
void dyno_hub_http_free (DynoHubHttp *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoHubHttp, dyno_hub_http_free)

/* dyno-hub-repo */

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

/**
 * DynoHubFile:
 * @name: its path in the repository
 * @size: its size, in bytes
 * @hash: SHA-256 of a large file (64 digits), or git's id of a small one (SHA-1, 40 digits)
 * @is_chosen: whether the last dyno_hub_repo_choose() returned it
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
 * @id: the id of the model
 * @commit: the newest commit
 * @files: (element-type DynoHubFile): all files of the commit
 *
 * The hub's description of a model.
 */
typedef struct
{
  char *id;
  char *commit;
  GPtrArray *files;
} DynoHubRepo;

/* Returns the parsed and checked answer. @answer: the hub's answer about the model, with sizes and hashes
 * of its files. */
DynoHubRepo *dyno_hub_repo_parse (const char *id, GBytes *answer, GError **error);
void dyno_hub_repo_free (DynoHubRepo *self);
/* Returns the files that are needed. Elements are DynoHubFile. The caller owns the list, not its elements.
 **/
GPtrArray *dyno_hub_repo_choose (DynoHubRepo *self, DynoHubWish wish, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoHubRepo, dyno_hub_repo_free)

G_END_DECLS
