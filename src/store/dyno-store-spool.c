/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>

#include "dyno-error.h"
#include "dyno-store-private.h"

static char *
dup_folder (const char *store_path)
{
  return g_strconcat (store_path, ".spool", NULL);
}

gboolean
dyno_store_spool_put (const char *store_path, DynoRun *run, DynoResult *result, GError **error)
{
  g_autofree char *folder = dup_folder (store_path);
  g_autofree char *display_folder = g_filename_display_name (folder);
  g_autofree char *id = g_uri_escape_string (dyno_run_get_id (run), NULL, FALSE);
  g_autofree char *name = result != NULL
                              ? g_strdup_printf ("%s-%u.dyno", id, dyno_result_get_ordinal (result))
                              : g_strconcat (id, "-end.dyno", NULL);
  g_autofree char *path = g_build_filename (folder, name, NULL);

  /* Copies the run as it is now, with this one case or none. */
  g_autoptr (DynoRun) copy = dyno_run_new (dyno_run_get_id (run));

  g_object_set (copy, "title", dyno_run_get_title (run), "notes", dyno_run_get_notes (run), "plan",
                dyno_run_get_plan (run), "machine", dyno_run_get_machine (run), "source",
                dyno_run_get_source (run), "app-version", dyno_run_get_app_version (run), "started-at",
                dyno_run_get_started_at (run), "finished-at", dyno_run_get_finished_at (run), "n-cases",
                dyno_run_get_n_cases (run), NULL);
  if (result != NULL)
    dyno_run_add_result (copy, result);

  if (g_mkdir_with_parents (folder, 0700) == 0)
    return dyno_store_document_write_run (copy, NULL, path, error);
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_FAILED, _ ("The folder “%s” cannot be created: %s."),
               display_folder, g_strerror (errno));
  return FALSE;
}

GStrv
dyno_store_spool_list (const char *store_path)
{
  g_autofree char *folder = dup_folder (store_path);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  g_autoptr (GStrvBuilder) paths = g_strv_builder_new ();
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (*name != '.' && g_str_has_suffix (name, ".dyno"))
      {
        g_autofree char *path = g_build_filename (folder, name, NULL);
        g_strv_builder_add (paths, path);
      }
  return g_strv_builder_end (paths);
}

/* Removes the folder with its last document. */
void
dyno_store_spool_remove (const char *store_path, const char *path)
{
  g_autofree char *folder = dup_folder (store_path);

  g_unlink (path);
  g_rmdir (folder);
}
