/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gstdio.h>

#include "dyno-scratch.h"

/**
 * dyno_scratch_new:
 * @error: return location for an error
 *
 * Returns: (transfer full) (nullable): a new folder for what an engine writes
 */
char *
dyno_scratch_new (GError **error)
{
  return g_dir_make_tmp ("dyno-engine-XXXXXX", error);
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
