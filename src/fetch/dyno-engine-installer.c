/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <json-glib/json-glib.h>
#include <sys/file.h>
#include <unistd.h>

#include "dyno-engine.h"
#include "dyno-fetch-private.h"
#include "dyno-error.h"
#include "dyno-json.h"

enum
{
  NOT_FOUND = 404,
  SERVER_ERROR = 500,
};

/* An engine during its installation. Everything happens in `ID-VERSION.part`, beside its final folder and
 * on the same disk; the search for libraries does not look that deep, so it finds nothing unfinished there.
 **/
typedef struct
{
  DynoEngine *engine;
  DynoProgressReporter *reporter;
  char *folder;   /* the final folder */
  char *part;     /* the temporary folder */
  char *archive;  /* the package, below @part */
  char *unpacked; /* the files from it, below @part */
  char *address;  /* of the registry */
  int lock;
} Installation;

static void
installation_free (gpointer data)
{
  Installation *self = data;

  dyno_engine_unref (self->engine);
  dyno_progress_reporter_free (self->reporter);
  g_free (self->folder);
  g_free (self->part);
  g_free (self->archive);
  g_free (self->unpacked);
  g_free (self->address);
  g_free (self);
}

/* Symbolic links are removed, never followed. */
static gboolean
remove_tree (GFile *file, GError **error)
{
  g_autoptr (GFileEnumerator) children = NULL;
  GFile *child = NULL;

  if (g_file_query_file_type (file, G_FILE_QUERY_INFO_NOFOLLOW_SYMLINKS, NULL) == G_FILE_TYPE_DIRECTORY)
    children = g_file_enumerate_children (file, G_FILE_ATTRIBUTE_STANDARD_NAME,
                                          G_FILE_QUERY_INFO_NOFOLLOW_SYMLINKS, NULL, NULL);
  while (children != NULL && g_file_enumerator_iterate (children, NULL, &child, NULL, NULL) && child != NULL)
    if (!remove_tree (child, error))
      return FALSE;
  return g_file_delete (file, NULL, error);
}

static gboolean
remove_folder (const char *path, GError **error)
{
  g_autoptr (GFile) folder = g_file_new_for_path (path);

  return remove_tree (folder, error);
}

/* --- words --- */

/* Returns the variable that sets another registry. */
static const char *
get_variable (const DynoEngine *engine)
{
  return engine->registry == DYNO_ENGINE_PYTHON ? "PIP_INDEX_URL" : "npm_config_registry";
}

static void
wait_cb (guint seconds, gpointer data)
{
  Installation *self = data;

  dyno_progress_reporter_wait (seconds, self->reporter);
}

static void
set_unreachable_error (const GError *cause, gpointer data, GError **error)
{
  Installation *self = data;

  g_set_error (error, cause->domain, cause->code,
               _ ("“%s” cannot be reached: %s. Check the network, or name another registry (%s). What has "
                  "arrived is kept."),
               self->address, cause->message, get_variable (self->engine));
}

static void
set_status_error (guint status, const char *reason, gpointer data, GError **error)
{
  Installation *self = data;
  const DynoEngine *engine = self->engine;

  if (status == NOT_FOUND)
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND,
                 _ ("“%s” does not have the package “%s” %s (HTTP 404). Another registry may (%s)."),
                 self->address, engine->package, engine->package_version, get_variable (engine));
  else if (status >= SERVER_ERROR)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, _ ("“%s” failed (HTTP %u). Try again later."),
                 self->address, status);
  else
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_FAILED, _ ("“%s” refused to send “%s” (HTTP %u: %s)."),
                 self->address, engine->file, status, reason);
}

static void
set_folder_error (const char *path, GError **error)
{
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_FAILED,
               _ ("“%s” cannot be written: %s. Check the folder, or name another one in DYNO_RUNTIMES_DIR."),
               path, g_strerror (errno));
}

/* --- steps --- */

static gboolean
lock (Installation *self, GError **error)
{
  g_autofree char *path = g_build_filename (self->part, "lock", NULL);

  if (g_mkdir_with_parents (self->part, 0755) == 0)
    self->lock = g_open (path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (self->lock < 0)
    {
      set_folder_error (self->part, error);
      return FALSE;
    }
  if (flock (self->lock, LOCK_EX | LOCK_NB) == 0)
    return TRUE;
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_FAILED,
               _ ("%s is being installed by another program now. Wait until it is done."),
               self->engine->name);
  close (self->lock);
  self->lock = -1;
  return FALSE;
}

static guint64
get_size (const char *path)
{
  GStatBuf info;

  return g_stat (path, &info) == 0 ? (guint64)info.st_size : 0;
}

static DynoHttp *
open_registry (Installation *self, GCancellable *cancellable, GError **error)
{
  const DynoHttpHandlers handlers = {
    .wait = wait_cb,
    .set_status_error = set_status_error,
    .set_unreachable_error = set_unreachable_error,
  };
  g_autoptr (GError) local_error = NULL;
  DynoHttp *http;

  self->address = dyno_engine_registry_dup_address (self->engine->registry, cancellable, error);
  if (self->address == NULL)
    return NULL;
  http = dyno_http_new (self->address, NULL, &handlers, self, &local_error);
  if (g_error_matches (local_error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT))
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_FAILED,
                 _ ("The registry is set to “%s”, which is no address. Correct it (%s)."), self->address,
                 get_variable (self->engine));
  else if (local_error != NULL)
    g_propagate_error (error, g_steal_pointer (&local_error));
  return http;
}

static gboolean
fetch (Installation *self, GCancellable *cancellable, GError **error)
{
  g_autoptr (DynoHttp) http = open_registry (self, cancellable, error);
  g_autofree char *address = NULL;
  DynoDownload what = {
    .name = self->engine->file,
    .path = self->archive,
    .size = self->engine->size,
    .algorithm = G_CHECKSUM_SHA256,
    .hash = self->engine->sha256,
  };

  address = http != NULL ? dyno_engine_registry_find_file (http, self->engine, cancellable, error) : NULL;
  if (address == NULL)
    return FALSE;
  what.address = address;
  dyno_progress_reporter_begin (self->reporter, what.size, FALSE);
  dyno_progress_reporter_set_file (self->reporter, what.name);
  return dyno_download_fetch (http, &what, dyno_progress_reporter_count, self->reporter, cancellable, error);
}

/* Unpacks the files, and puts them in their place once all are there. */
static gboolean
unpack (Installation *self, GCancellable *cancellable, GError **error)
{
  if (g_file_test (self->unpacked, G_FILE_TEST_EXISTS) && !remove_folder (self->unpacked, error))
    return FALSE;
  if (g_mkdir (self->unpacked, 0755) != 0)
    {
      set_folder_error (self->unpacked, error);
      return FALSE;
    }
  if (!dyno_engine_archive_unpack (self->engine, self->archive, self->unpacked, self->reporter, cancellable,
                                   error))
    return FALSE;
  g_autofree char *path = g_build_filename (self->unpacked, DYNO_ENGINE_STAMP, NULL);
  g_autoptr (JsonObject) object = json_object_new ();
  g_autoptr (JsonNode) root = json_node_init_object (json_node_alloc (), object);
  g_autofree char *text = NULL;

  json_object_set_string_member (object, "id", self->engine->id);
  json_object_set_string_member (object, "version", self->engine->version);
  json_object_set_string_member (object, "file", self->engine->file);
  json_object_set_string_member (object, "sha256", self->engine->sha256);
  text = dyno_json_text_write (root, TRUE);
  if (!g_file_set_contents (path, text, -1, error))
    return FALSE;
  if (g_rename (self->unpacked, self->folder) == 0)
    return TRUE;
  set_folder_error (self->folder, error);
  return FALSE;
}

static gboolean
install (Installation *self, GCancellable *cancellable, GError **error)
{
  g_autofree char *lock_path = g_build_filename (self->part, "lock", NULL);
  g_autofree char *incomplete = g_strconcat (self->archive, ".incomplete", NULL);
  guint64 there, rest;
  gboolean is_installed;

  if (self->engine->problem != NULL)
    {
      g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED, self->engine->problem);
      return FALSE;
    }
  if (dyno_engine_is_installed (self->engine))
    return TRUE;
  if (!lock (self, error))
    return FALSE;

  /* The files of an earlier attempt need no more room. */
  there = MAX (get_size (self->archive), get_size (incomplete));
  rest = self->engine->size > there ? self->engine->size - there : 0;
  is_installed =
      dyno_download_check_room (self->part, rest + self->engine->unpacked, "DYNO_RUNTIMES_DIR", error) &&
      fetch (self, cancellable, error) && unpack (self, cancellable, error);

  /* After a failure only a package, or a part of one, is kept for the next attempt. */
  if (is_installed)
    remove_folder (self->part, NULL);
  else
    {
      remove_folder (self->unpacked, NULL);
      g_unlink (lock_path);
      g_rmdir (self->part);
    }
  close (self->lock);
  return is_installed;
}

static void
install_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  GError *error = NULL;

  if (install (data, cancellable, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static char *
dup_part (const DynoEngine *engine)
{
  g_autofree char *folder = dyno_engine_dup_folder (engine);

  return g_strconcat (folder, ".part", NULL);
}

void
dyno_engine_installer_install_async (DynoEngine *engine,
                                     DynoProgressFunc progress,
                                     gpointer progress_data,
                                     GCancellable *cancellable,
                                     GAsyncReadyCallback callback,
                                     gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Installation *self = g_new0 (Installation, 1);

  self->engine = dyno_engine_ref (engine);
  self->reporter = dyno_progress_reporter_new (progress, progress_data);
  self->folder = dyno_engine_dup_folder (engine);
  self->part = dup_part (engine);
  self->archive = g_build_filename (self->part, engine->file != NULL ? engine->file : "none", NULL);
  self->unpacked = g_build_filename (self->part, "unpacked", NULL);
  self->lock = -1;
  g_task_set_source_tag (task, dyno_engine_installer_install_async);
  g_task_set_task_data (task, self, installation_free);
  g_task_run_in_thread (task, install_thread);
}

gboolean
dyno_engine_installer_install_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

gboolean
dyno_engine_installer_remove (DynoEngine *engine, GError **error)
{
  g_autofree char *folder = dyno_engine_dup_folder (engine);
  g_autofree char *part = dup_part (engine);

  if (dyno_engine_is_ours (engine))
    {
      /* The folder is renamed before it is removed, so that no search finds half of it. */
      g_autofree char *doomed = g_build_filename (part, "removed", NULL);

      if (g_mkdir_with_parents (part, 0755) != 0 || g_rename (folder, doomed) != 0)
        {
          set_folder_error (folder, error);
          return FALSE;
        }
      return remove_folder (part, error);
    }
  if (dyno_engine_is_installed (engine))
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_FAILED,
                   _ ("“%s” was not installed by Dyno, so Dyno does not remove it. Remove it yourself if "
                      "nothing else needs it."),
                   folder);
      return FALSE;
    }
  if (g_file_test (part, G_FILE_TEST_IS_DIR))
    return remove_folder (part, error);
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND, _ ("%s %s is not installed."), engine->name,
               engine->version);
  return FALSE;
}
