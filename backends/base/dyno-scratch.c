/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dyno-scratch.h"

#define PREFIX "dyno-scratch-"

/**
 * dyno_scratch_new:
 * @error: return location for an error
 *
 * It is named after the process, so that the parent process can remove it if the process is killed.
 *
 * Returns: (transfer full) (nullable): a new folder for files of this process
 */
char *
dyno_scratch_new (GError **error)
{
  g_autofree char *template = g_strdup_printf (PREFIX "%d-XXXXXX", (int)getpid ());

  return g_dir_make_tmp (template, error);
}

/**
 * dyno_scratch_remove:
 * @folder: what [func@Dyno.scratch_new] made
 *
 * Removes the folder and the files in it.
 */
void
dyno_scratch_remove (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      g_unlink (path);
    }
  g_rmdir (folder);
}

static pid_t
read_owner (const char *name)
{
  char *end;
  gint64 pid;

  if (!g_str_has_prefix (name, PREFIX))
    return 0;
  pid = g_ascii_strtoll (name + strlen (PREFIX), &end, 10);
  return *end == '-' && pid > 0 && pid <= G_MAXINT ? (pid_t)pid : 0;
}

static gboolean
is_orphan (const char *path, pid_t owner)
{
  GStatBuf info;

  return owner > 0 && kill (owner, 0) != 0 && errno == ESRCH && g_lstat (path, &info) == 0 &&
         S_ISDIR (info.st_mode) && info.st_uid == getuid ();
}

/**
 * dyno_scratch_remove_orphans:
 *
 * Removes the folders of this user's processes that are no more.
 */
void
dyno_scratch_remove_orphans (void)
{
  g_autoptr (GDir) dir = g_dir_open (g_get_tmp_dir (), 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (g_get_tmp_dir (), name, NULL);

      if (is_orphan (path, read_owner (name)))
        dyno_scratch_remove (path);
    }
}
