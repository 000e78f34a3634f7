/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dyno-error.h"
#include "dyno-model-private.h"
#include "dyno-paths.h"
#include "dyno-system.h"

#define DEFAULT_LIMIT (G_GINT64_CONSTANT (8) * 1000 * 1000 * 1000)
#define LOCK_FILE     "lock"
#define NEW_PREFIX    ".new-"

/* Every model has its own folder with a lock file, which users of the model lock: shared for reading, exclusively for
 * writing. The lock file stores how many bytes the other files take, so that a model that was truncated by a crash of
 * the machine is built again. An incomplete folder has a temporary name. The lock of the cache itself is held only
 * briefly: to look up, create, rename or remove a folder. */

static gint64 limit = DEFAULT_LIMIT;

typedef struct
{
  char *path;
  gint64 size;
  gint64 used_at;
} Entry;

static void
entry_free (gpointer data)
{
  Entry *self = data;

  g_free (self->path);
  g_free (self);
}

static int
lock_in (const char *folder, int operation)
{
  g_autofree char *path = g_build_filename (folder, LOCK_FILE, NULL);
  int fd = open (path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);

  if (fd >= 0 && flock (fd, operation) == 0)
    return fd;
  if (fd >= 0)
    close (fd);
  return -1;
}

static void
remove_folder (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);

  for (const char *name = dir != NULL ? g_dir_read_name (dir) : NULL; name != NULL;
       name = g_dir_read_name (dir))
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      g_unlink (path);
    }
  g_rmdir (folder);
}

static gboolean
remove_unused (const char *folder)
{
  int lock;

  if (!g_file_test (folder, G_FILE_TEST_IS_DIR))
    return FALSE;
  lock = lock_in (folder, LOCK_EX | LOCK_NB);
  if (lock < 0)
    return FALSE;
  remove_folder (folder);
  close (lock);
  return TRUE;
}

static gint64
folder_size (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  gint64 size = 0;

  for (const char *name = dir != NULL ? g_dir_read_name (dir) : NULL; name != NULL;
       name = g_dir_read_name (dir))
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      GStatBuf info;

      if (g_stat (path, &info) == 0)
        size += info.st_size;
    }
  return size;
}

static int
compare_entries (gconstpointer a, gconstpointer b)
{
  const Entry *first = *(Entry *const *)a;
  const Entry *second = *(Entry *const *)b;

  return first->used_at < second->used_at ? -1 : first->used_at > second->used_at;
}

/* Lists complete models, least recently used first, and removes those that a crash left incomplete. */
static GPtrArray *
list_entries (const char *root)
{
  GPtrArray *entries = g_ptr_array_new_with_free_func (entry_free);
  g_autoptr (GDir) dir = g_dir_open (root, 0, NULL);

  for (const char *name = dir != NULL ? g_dir_read_name (dir) : NULL; name != NULL;
       name = g_dir_read_name (dir))
    {
      g_autofree char *path = g_build_filename (root, name, NULL);

      if (g_str_has_prefix (name, NEW_PREFIX))
        remove_unused (path);
      else if (g_file_test (path, G_FILE_TEST_IS_DIR))
        {
          Entry *entry = g_new0 (Entry, 1);
          GStatBuf info = { 0 };

          entry->size = folder_size (path);
          if (g_stat (path, &info) == 0)
            entry->used_at = dyno_system_get_changed_ns (&info) / 1000;
          entry->path = g_steal_pointer (&path);
          g_ptr_array_add (entries, entry);
        }
    }
  g_ptr_array_sort (entries, compare_entries);
  return entries;
}

/* A folder's modification time is when it was last used. */
static gboolean
use_entry (const char *folder, int *lock)
{
  g_autofree char *path = g_build_filename (folder, LOCK_FILE, NULL);
  g_autofree char *text = NULL;
  gsize length = 0;
  gint64 size = 0;

  if (!g_file_get_contents (path, &text, &length, NULL) ||
      !g_ascii_string_to_signed (text, 10, 1, G_MAXINT64, &size, NULL) ||
      folder_size (folder) != size + (gint64)length)
    return FALSE;
  *lock = lock_in (folder, LOCK_SH);
  utimensat (AT_FDCWD, folder, NULL, 0);
  return *lock >= 0;
}

static gboolean
fail (const char *path, GError **error)
{
  int code = errno;

  g_set_error (error, DYNO_ERROR, DYNO_ERROR_FAILED,
               _ ("The model cache at “%s” cannot be used: %s. Check its permissions, or move the cache."),
               path, g_strerror (code));
  return FALSE;
}

static gboolean
open_root (const char *root, const char *folder, gint64 size, int *lock, GError **error)
{
  int guard = g_mkdir_with_parents (root, 0700) == 0 ? lock_in (root, LOCK_EX) : -1;

  if (guard < 0)
    return fail (root, error);
  if (!use_entry (folder, lock))
    {
      g_autoptr (GPtrArray) entries = NULL;
      gint64 total = size;

      remove_unused (folder);
      entries = list_entries (root);
      for (guint i = 0; i < entries->len; i++)
        total += ((Entry *)entries->pdata[i])->size;
      for (guint i = 0; i < entries->len && total > limit; i++)
        {
          const Entry *entry = entries->pdata[i];

          if (remove_unused (entry->path))
            total -= entry->size;
        }
    }
  close (guard);
  return TRUE;
}

char *
dyno_model_cache_get (
    const char *key, gint64 size, DynoModelCacheFill fill, gpointer data, int *lock, GError **error)
{
  g_autofree char *root = dyno_paths_build (DYNO_PATH_CACHE, "models", NULL);
  g_autofree char *folder = g_build_filename (root, key, NULL);

  *lock = -1;
  if (!open_root (root, folder, size, lock, error))
    return NULL;
  if (*lock < 0)
    {
      g_autofree char *made = g_build_filename (root, NEW_PREFIX "XXXXXX", NULL);
      int guard = lock_in (root, LOCK_EX);
      int new_lock = g_mkdtemp (made) != NULL ? lock_in (made, LOCK_EX) : -1;
      gboolean is_good = new_lock >= 0 || fail (made, error);

      close (guard);
      is_good = is_good && fill (made, data, error);
      if (is_good && dprintf (new_lock, "%" G_GINT64_FORMAT, folder_size (made)) < 0)
        is_good = fail (made, error);
      if (is_good && g_rename (made, folder) != 0 && errno != EEXIST && errno != ENOTEMPTY)
        is_good = fail (folder, error);
      remove_folder (made);
      if (new_lock >= 0)
        close (new_lock);
      if (!is_good)
        return NULL;
    }
  if (*lock < 0 && !use_entry (folder, lock))
    {
      fail (folder, error);
      return NULL;
    }
  return g_steal_pointer (&folder);
}

void
dyno_model_cache_set_limit (gint64 bytes)
{
  limit = bytes;
}
