/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <unistd.h>

#include "dyno-store-private.h"

/* The recovery of a large store may take this many times as long as the usual wait. */
#define N_WAITS 12

static void
become_read_only (DynoStoreFile *self, DynoError reason, char *message)
{
  self->read_only = TRUE;
  self->read_only_reason = reason;
  g_free (self->message);
  self->message = message;
}

/* If the log cannot be used now, the next start tries again. */
static void
prepare_to_write (DynoStoreFile *self, sqlite3 *db)
{
  g_autofree char *path = NULL;

  if (sqlite3_db_readonly (db, "main") == 1)
    {
      path = g_filename_display_name (self->path);
      become_read_only (
          self, DYNO_ERROR_STORE_READ_ONLY,
          g_strdup_printf (_ ("“%s” cannot be written: its runs can be looked at, but new ones "
                              "are not kept. Check the permissions of the file and its folder."),
                           path));
      return;
    }
  sqlite3_exec (db, "PRAGMA journal_mode = WAL", NULL, NULL, NULL);

  /* If any of this fails, the next start tries again; everything else works without it. */
  g_autoptr (GError) error = NULL;

  sqlite3_busy_timeout (db, 0);
  if (!dyno_store_views_update (db, &error) || !dyno_store_bin_purge (db, &error))
    g_debug ("The store is not tidied: %s", error->message);
  sqlite3_busy_timeout (db, (int)MIN (self->busy_timeout, (guint)G_MAXINT));

  dyno_store_reserve_make (self->path);
}

static gboolean
prepare_store (DynoStoreFile *self, sqlite3 *db, GError **error)
{
  g_autofree char *path = g_filename_display_name (self->path);
  DynoStoreIdentity identity;

  if (!dyno_store_schema_identify (db, &identity, error))
    return FALSE;
  switch (identity)
    {
    case DYNO_STORE_OLDER:
      /* A damaged store is recovered, not rewritten. */
      if (!dyno_store_schema_check_pages (db, error) || !dyno_store_schema_migrate (db, error))
        return FALSE;
      break;
    case DYNO_STORE_FRESH:
      if (!dyno_store_schema_migrate (db, error))
        return FALSE;
      break;
    case DYNO_STORE_CURRENT:
      if (!dyno_store_recovery_check (self->path, db, error))
        return FALSE;
      break;
    case DYNO_STORE_NEWER:
      become_read_only (
          self, DYNO_ERROR_STORE_NEWER,
          g_strdup_printf (
              _ ("“%s” was written by a newer Dyno. Its runs can be looked at; update Dyno to add to it."),
              path));
      return TRUE;
    case DYNO_STORE_FOREIGN:
    default:
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA,
                   _ ("“%s” is a database of another program. It was left as it is; choose another file."),
                   path);
      return FALSE;
    }
  prepare_to_write (self, db);
  return TRUE;
}

static gboolean
open_with (DynoStoreFile *self, DynoStoreMode mode, GError **error)
{
  g_autoptr (sqlite3) db = dyno_store_connection_open (self->path, mode, self->busy_timeout, error);

  if (db == NULL || !prepare_store (self, db, error))
    return FALSE;
  self->pool = dyno_store_pool_new (g_steal_pointer (&db), self->path, mode, self->busy_timeout);
  return TRUE;
}

/* SQLite writes beside the file even to read it. If it may not, and no log holds newer pages, read the file
 * as it is. */
static gboolean
open_store (DynoStoreFile *self, GError **error)
{
  g_autofree char *log_path = g_strconcat (self->path, "-wal", NULL);
  g_autoptr (GError) local_error = NULL;
  GStatBuf info;

  if (open_with (self, DYNO_STORE_READ_WRITE, &local_error))
    return TRUE;
  /* Even reading a store needs disk space, for the index of its log. */
  if (g_error_matches (local_error, DYNO_ERROR, DYNO_ERROR_STORE_FULL) &&
      dyno_store_reserve_release (self->path))
    {
      g_clear_error (&local_error);
      if (open_with (self, DYNO_STORE_READ_WRITE, &local_error))
        return TRUE;
    }
  if (!g_error_matches (local_error, DYNO_ERROR, DYNO_ERROR_STORE_READ_ONLY) ||
      (g_stat (log_path, &info) == 0 && info.st_size > 0) ||
      !g_file_test (self->path, G_FILE_TEST_IS_REGULAR))
    {
      g_propagate_error (error, g_steal_pointer (&local_error));
      return FALSE;
    }
  return open_with (self, DYNO_STORE_READ_ONLY, error);
}

static gboolean
try_to_open (DynoStoreFile *self, gboolean *damaged, GError **error)
{
  g_autoptr (GError) local_error = NULL;

  *damaged = dyno_store_recovery_is_pending (self->path);
  if (*damaged)
    return FALSE;
  if (open_store (self, &local_error))
    return TRUE;
  *damaged = g_error_matches (local_error, DYNO_ERROR, DYNO_ERROR_STORE_DAMAGED);
  if (!*damaged)
    g_propagate_error (error, g_steal_pointer (&local_error));
  return FALSE;
}

static char *
describe_folder (const char *folder)
{
  g_autofree char *display_folder = g_filename_display_name (folder);
  g_autofree char *quoted = g_shell_quote (display_folder);
  GStatBuf info;

  if (g_stat (folder, &info) != 0)
    return NULL;
  if (info.st_uid != geteuid ())
    return g_strdup_printf (_ ("The folder “%s” belongs to another user, who can change the runs in it. Use "
                               "a folder of your own: set DYNO_DATA_DIR to its path."),
                            display_folder);
  if (info.st_mode & (S_IWGRP | S_IWOTH))
    return g_strdup_printf (
        _ ("Other users can write to the folder “%s” and change the runs in it. “chmod go-w %s” stops that."),
        display_folder, quoted);
  return NULL;
}

static gboolean
open_or_recover (DynoStoreFile *self, GError **error)
{
  g_autoptr (DynoStoreLock) lock = dyno_store_lock_new (self->path);
  g_autofree char *message = NULL;
  gboolean damaged = FALSE;

  if (!dyno_store_lock_share (lock, self->busy_timeout, N_WAITS, error))
    return FALSE;
  if (try_to_open (self, &damaged, error))
    return TRUE;
  if (!damaged || !dyno_store_lock_exclude (lock, self->busy_timeout, N_WAITS, error))
    return FALSE;
  if (try_to_open (self, &damaged, error))
    return TRUE;
  message = damaged ? dyno_store_recovery_run (self->path, &self->lost, error) : NULL;
  if (message == NULL || !open_store (self, error))
    return FALSE;
  g_free (self->message);
  self->message = g_steal_pointer (&message);
  return TRUE;
}

gboolean
dyno_store_file_open (DynoStoreFile *self, GError **error)
{
  g_autofree char *folder = g_path_get_dirname (self->path);
  g_autofree char *warning = NULL;
  g_autofree char *before = NULL;

  if (self->existing)
    {
      g_autofree char *name = g_filename_display_name (self->path);
      gboolean damaged = FALSE;

      if (g_file_test (self->path, G_FILE_TEST_EXISTS) && try_to_open (self, &damaged, error))
        return TRUE;
      if (error == NULL || *error == NULL)
        g_set_error (error, DYNO_ERROR, damaged ? DYNO_ERROR_STORE_DAMAGED : DYNO_ERROR_NOT_FOUND,
                     damaged ? _ ("“%s” is damaged. Dyno recovers what can be read when it starts again.")
                             : _ ("There is no file “%s”. Check the path."),
                     name);
      return FALSE;
    }

  g_autofree char *display_folder = g_filename_display_name (folder);

  if (g_mkdir_with_parents (folder, 0700) != 0)
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_STORE_READ_ONLY,
                   _ ("The folder “%s” for the store cannot be created: %s. Check its parent folders."),
                   display_folder, g_strerror (errno));
      return FALSE;
    }
  if (!open_or_recover (self, error))
    return FALSE;

  /* Another user may have forged a store that others can write. */
  warning = describe_folder (folder);
  if (warning != NULL)
    {
      before = g_steal_pointer (&self->message);
      self->message =
          before != NULL ? g_strdup_printf ("%s %s", before, warning) : g_steal_pointer (&warning);
    }
  return TRUE;
}

gboolean
dyno_store_file_open_document (DynoStoreFile *self, GError **error)
{
  g_autoptr (sqlite3) db = dyno_store_document_open (self->path, error);
  g_autofree char *path = g_filename_display_name (self->path);

  if (db == NULL)
    return FALSE;
  become_read_only (
      self, DYNO_ERROR_STORE_READ_ONLY,
      g_strdup_printf (_ ("“%s” is a document: import its runs into the store to change them."), path));
  self->pool =
      dyno_store_pool_new (g_steal_pointer (&db), self->path, DYNO_STORE_UNTRUSTED, self->busy_timeout);
  return TRUE;
}

void
dyno_store_file_clear (DynoStoreFile *self)
{
  g_clear_pointer (&self->pool, dyno_store_pool_free);
  g_clear_pointer (&self->path, g_free);
  g_clear_pointer (&self->message, g_free);
}
