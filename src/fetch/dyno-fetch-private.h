/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>
#include <glib.h>

#include "dyno-engine.h"
#include "dyno-http.h"
#include "dyno-hub.h"
#include "dyno-progress.h"

G_BEGIN_DECLS

/* dyno-download */

/**
 * DynoDownload:
 * @address: its address, as in dyno_http_open()
 * @name: its name for people
 * @path: (type filename): its path; `.incomplete` is appended during the download
 * @size: its size, in bytes
 * @algorithm: the algorithm of @hash
 * @hash: the expected hash, in hexadecimal digits
 * @prefix: (nullable): bytes that are hashed before the file
 * @prefix_size: the size of @prefix, in bytes
 *
 * A file to download, with known size and hash.
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
 * @n_bytes: the number of new bytes of the file; below zero for bytes that are dropped because the file begins anew
 * @user_data: user data
 */
typedef void (*DynoDownloadBytesFunc) (gint64 n_bytes, gpointer user_data);

/* Downloads a file, unless it exists already, and checks its hash before it gets its name. Returns whether
 * the whole file is there. @count: called for every byte of the file, including those of an earlier
 * attempt. @cancellable (nullable): ends it; the part that arrived is kept, and the next download continues
 * from there. Fails with DYNO_ERROR_INVALID_DATA if the downloaded file has another size or hash. */
gboolean dyno_download_fetch (DynoHttp *http,
                              const DynoDownload *what,
                              DynoDownloadBytesFunc count,
                              gpointer user_data,
                              GCancellable *cancellable,
                              GError **error);
/* Returns whether the bytes fit, as far as the file system reports. @needed: the number of bytes to write.
 * @variable: the environment variable that names another folder. */
gboolean dyno_download_check_room (const char *folder, guint64 needed, const char *variable, GError **error);

/* dyno-engine-archive */

/* Unpacks the files that the engine needs. Runs nothing, writes nothing else, and no more bytes than the
 * list allows. Returns whether all of them are there. @folder: an empty folder. @reporter: counts the bytes
 * that are written. @cancellable may be NULL. Fails with DYNO_ERROR_INVALID_DATA if the package is not as
 * listed. */
gboolean dyno_engine_archive_unpack (const DynoEngine *engine,
                                     const char *path,
                                     const char *folder,
                                     DynoProgressReporter *reporter,
                                     GCancellable *cancellable,
                                     GError **error);

/* dyno-pace */

/**
 * DYNO_PACE_LEAST:
 *
 * The minimum rate of a download, in bytes per second.
 */
#define DYNO_PACE_LEAST 1000

/**
 * DynoPace:
 * @seconds: the time over which the rate is measured
 * @since: the start of that time, by the monotonic clock, in microseconds; 0 before the first byte
 * @bytes: the number of bytes since then
 *
 * Tells a slow download from one that will never end: a server that sends one byte a second keeps every connection
 * alive. The caller provides the time.
 */
typedef struct
{
  guint seconds;
  gint64 since;
  guint64 bytes;
} DynoPace;

/* Returns FALSE if too few bytes arrived in the last period; @bytes of @self is then their number.
 * @n_bytes: the number of new bytes. @now: by the monotonic clock, in microseconds. */
gboolean dyno_pace_take (DynoPace *self, guint64 n_bytes, gint64 now);

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
