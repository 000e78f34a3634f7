/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <sys/file.h>

#include "dyno-store-private.h"

#define N_TRIES 5

struct _DynoStoreRunning
{
  int fd;
  char *path;
};

static char *
dup_folder (const char *store_path)
{
  return g_strconcat (store_path, ".running", NULL);
}

/* Removes the file, and its folder with the last file. */
static void
remove_file (const char *path)
{
  g_autofree char *folder = g_path_get_dirname (path);

  g_unlink (path);
  g_rmdir (folder);
}

DynoStoreRunning *
dyno_store_running_begin (const char *store_path, const char *id)
{
  g_autofree char *folder = dup_folder (store_path);
  g_autofree char *name = g_uri_escape_string (id, NULL, FALSE);
  g_autofree char *path = g_build_filename (folder, name, NULL);
  DynoStoreRunning *self;
  int fd = -1;

  /* A run that ends elsewhere may remove the folder before it contains a file. */
  for (guint i = 0; i < N_TRIES && fd < 0; i++)
    {
      g_autofree char *temporary = g_build_filename (folder, ".XXXXXX", NULL);

      g_mkdir (folder, 0700);
      fd = g_mkstemp_full (temporary, O_RDWR | O_CLOEXEC, 0600);
      /* The file gets its name once it is locked, so that nobody takes it for one that was left behind. */
      if (fd < 0 || (flock (fd, LOCK_EX | LOCK_NB) == 0 && g_rename (temporary, path) == 0))
        continue;
      g_unlink (temporary);
      g_close (fd, NULL);
      fd = -1;
    }
  if (fd < 0)
    return NULL;
  self = g_new (DynoStoreRunning, 1);
  *self = (DynoStoreRunning){ fd, g_steal_pointer (&path) };
  return self;
}

void
dyno_store_running_end (DynoStoreRunning *self)
{
  remove_file (self->path);
  g_close (self->fd, NULL);
  g_free (self->path);
  g_free (self);
}

GHashTable *
dyno_store_running_list (const char *store_path)
{
  GHashTable *ids = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autofree char *folder = dup_folder (store_path);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      int fd = *name != '.' ? g_open (path, O_RDONLY | O_CLOEXEC) : -1;
      gboolean is_left_behind;

      if (fd < 0)
        continue;
      is_left_behind = flock (fd, LOCK_SH | LOCK_NB) == 0;
      if (is_left_behind)
        remove_file (path);
      g_close (fd, NULL);
      if (!is_left_behind)
        g_hash_table_add (ids, g_uri_unescape_string (name, NULL));
    }
  return ids;
}
