/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dyno-paths.h"
#include "dyno-scratch.h"
#include "dyno-system.h"

#define PREFIX "dyno-scratch-"

static char *place;

void
dyno_scratch_set_place (const char *folder)
{
  g_free (place);
  place = g_strdup (folder);
}

char *
dyno_scratch_new (GError **error)
{
  g_autofree char *template = dyno_system_dup_own_name (PREFIX);
  g_autofree char *path = place != NULL ? g_build_filename (place, template, NULL) : NULL;

  if (path == NULL)
    return g_dir_make_tmp (template, error);
  if (g_mkdtemp_full (path, 0700) != NULL)
    return g_steal_pointer (&path);
  g_set_error_literal (error, G_FILE_ERROR, g_file_error_from_errno (errno), g_strerror (errno));
  return NULL;
}

char *
dyno_scratch_new_beside (const char *file, GError **error)
{
  g_autofree char *cache = dyno_paths_build (DYNO_PATH_CACHE, "scratch", NULL);
  g_autofree char *name = dyno_system_dup_own_name (PREFIX);
  g_autofree char *template = g_build_filename (cache, name, NULL);
  GStatBuf own, usual;
  gboolean is_on_same_device =
      g_stat (file, &own) == 0 && g_stat (g_get_tmp_dir (), &usual) == 0 && own.st_dev == usual.st_dev;

  if (is_on_same_device || g_mkdir_with_parents (cache, 0700) != 0 || g_mkdtemp_full (template, 0700) == NULL)
    return dyno_scratch_new (error);
  return g_steal_pointer (&template);
}

void
dyno_scratch_remove (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      GStatBuf info;

      if (g_lstat (path, &info) == 0 && S_ISDIR (info.st_mode))
        dyno_scratch_remove (path);
      else
        g_unlink (path);
    }
  g_rmdir (folder);
}

static void
remove_orphans_of (const char *parent)
{
  g_autoptr (GDir) dir = g_dir_open (parent, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (parent, name, NULL);
      GStatBuf info;

      if (dyno_system_is_orphan (name, PREFIX) && g_lstat (path, &info) == 0 && S_ISDIR (info.st_mode) &&
          info.st_uid == getuid ())
        dyno_scratch_remove (path);
    }
}

void
dyno_scratch_remove_orphans (void)
{
  g_autofree char *cache = dyno_paths_build (DYNO_PATH_CACHE, "scratch", NULL);

  remove_orphans_of (g_get_tmp_dir ());
  remove_orphans_of (cache);
}
