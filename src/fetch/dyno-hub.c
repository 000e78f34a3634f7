/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "dyno-error.h"
#include "dyno-hub.h"
#include "dyno-hub-cache.h"
#include "dyno-fetch-private.h"
#include "dyno-model.h"

/* One download. */
typedef struct
{
  char *id;
  DynoHubWish wish;
  DynoProgressReporter *reporter;
} Fetch;

static void
fetch_free (gpointer data)
{
  Fetch *self = data;

  g_free (self->id);
  dyno_progress_reporter_free (self->reporter);
  g_free (self);
}

static gboolean
make_folder (const char *path, GError **error)
{
  if (g_mkdir_with_parents (path, 0755) == 0)
    return TRUE;
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_FAILED,
               _ ("The folder “%s” cannot be created: %s. Name another one in HF_HOME."), path,
               g_strerror (errno));
  return FALSE;
}

/* Git hashes a small file together with a header. */
static gboolean
fetch_blob (const Fetch *self,
            DynoHubHttp *http,
            const DynoHubRepo *repo,
            const DynoHubFile *file,
            const char *folder,
            GCancellable *cancellable,
            GError **error)
{
  gboolean is_git = strlen (file->hash) == 40;
  g_autofree char *header = g_strdup_printf ("blob %" G_GUINT64_FORMAT, file->size);
  g_autofree char *name = g_uri_escape_string (file->name, "/", TRUE);
  g_autofree char *address = g_strdup_printf ("%s/resolve/%s/%s", repo->id, repo->commit, name);
  g_autofree char *path = g_build_filename (folder, file->hash, NULL);
  const DynoDownload what = {
    .address = address,
    .name = file->name,
    .path = path,
    .size = file->size,
    .algorithm = is_git ? G_CHECKSUM_SHA1 : G_CHECKSUM_SHA256,
    .hash = file->hash,
    .prefix = is_git ? header : NULL,
    .prefix_size = strlen (header) + 1,
  };

  dyno_progress_reporter_set_file (self->reporter, file->name);
  return dyno_download_fetch (http->http, &what, dyno_progress_reporter_count, self->reporter, cancellable,
                              error);
}

/* Links like the hub's own programs: “../../blobs/HASH”, with one “../” more for each folder in the file's
 * name. */
static gboolean
link_file (const char *snapshot, const DynoHubFile *file, GError **error)
{
  g_autofree char *path = g_build_filename (snapshot, file->name, NULL);
  g_autofree char *folder = g_path_get_dirname (path);
  g_autoptr (GString) target = g_string_new ("../../blobs/");

  for (const char *c = strchr (file->name, '/'); c != NULL; c = strchr (c + 1, '/'))
    g_string_prepend (target, "../");
  g_string_append (target, file->hash);
  if (!make_folder (folder, error))
    return FALSE;
  g_unlink (path);
  if (symlink (target->str, path) == 0)
    return TRUE;
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_FAILED, _ ("“%s” cannot be written: %s."), path,
               g_strerror (errno));
  return FALSE;
}

/* A hostile hub may report sizes that overflow. */
static guint64
sum_sizes (GPtrArray *files)
{
  guint64 total = 0;

  for (guint i = 0; i < files->len; i++)
    if (__builtin_add_overflow (total, ((const DynoHubFile *)files->pdata[i])->size, &total))
      return G_MAXUINT64;
  return total;
}

static char *
fetch (Fetch *self, GCancellable *cancellable, GError **error)
{
  g_autoptr (DynoHubHttp) http = dyno_hub_http_new (self->id, self->reporter, error);
  g_autofree char *path = g_strdup_printf ("api/models/%s/revision/main?blobs=true", self->id);
  g_autoptr (GBytes) answer =
      http != NULL ? dyno_http_load (http->http, path, NULL, cancellable, error) : NULL;
  g_autoptr (DynoHubRepo) repo = answer != NULL ? dyno_hub_repo_parse (self->id, answer, error) : NULL;
  g_autoptr (GPtrArray) files = repo != NULL ? dyno_hub_repo_choose (repo, self->wish, error) : NULL;
  g_autofree char *folder = dyno_hub_cache_build_path (self->id);
  g_autofree char *blobs = g_build_filename (folder, "blobs", NULL);
  guint64 total = files != NULL ? sum_sizes (files) : 0;

  if (files == NULL || !make_folder (blobs, error) ||
      !dyno_download_check_room (blobs, total, "HF_HOME", error))
    return NULL;
  dyno_progress_reporter_begin (self->reporter, total, FALSE);
  for (guint i = 0; i < files->len; i++)
    if (!fetch_blob (self, http, repo, files->pdata[i], blobs, cancellable, error))
      return NULL;

  /* The snapshot gets its name only when it has all requested files. */
  g_autofree char *snapshot = g_build_filename (folder, "snapshots", repo->commit, NULL);
  g_autofree char *references = g_build_filename (folder, "refs", NULL);
  g_autofree char *reference = g_build_filename (references, "main", NULL);

  for (guint i = 0; i < files->len; i++)
    if (!link_file (snapshot, files->pdata[i], error))
      return NULL;
  if (!make_folder (references, error) || !g_file_set_contents (reference, repo->commit, -1, error))
    return NULL;
  return g_steal_pointer (&snapshot);
}

static void
fetch_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  GError *error = NULL;
  char *folder = fetch (data, cancellable, &error);

  if (folder != NULL)
    g_task_return_pointer (task, folder, g_free);
  else
    g_task_return_error (task, error);
}

void
dyno_hub_fetch_async (const char *id,
                      DynoHubWish wish,
                      DynoProgressFunc progress,
                      gpointer progress_data,
                      GCancellable *cancellable,
                      GAsyncReadyCallback callback,
                      gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Fetch *self = g_new0 (Fetch, 1);

  g_return_if_fail (id != NULL && progress != NULL);

  g_task_set_source_tag (task, dyno_hub_fetch_async);
  *self = (Fetch){
    .id = g_strdup (id),
    .wish = wish,
    .reporter = dyno_progress_reporter_new (progress, progress_data),
  };
  g_task_set_task_data (task, self, fetch_free);
  if (dyno_hub_cache_is_id (id))
    g_task_run_in_thread (task, fetch_thread);
  else
    g_task_return_new_error (task, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
                             _ ("“%s” cannot be a model on the hub. Its id is written “owner/name”."), id);
}

char *
dyno_hub_fetch_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

char *
dyno_hub_dup_spec (const char *id, DynoHubWish wish, const char *folder)
{
  if (wish == DYNO_HUB_ONNX)
    {
      g_autofree char *below = g_build_filename (folder, "onnx", "model.onnx", NULL);

      return g_file_test (below, G_FILE_TEST_EXISTS) ? g_steal_pointer (&below)
                                                     : g_build_filename (folder, "model.onnx", NULL);
    }
  return g_strdup (dyno_model_is_bundled (id) ? folder : id);
}
