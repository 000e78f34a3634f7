/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <gio/gio.h>
#include <glib/gi18n-lib.h>
#include <stdlib.h>
#include <unistd.h>

#include "dyno-error.h"
#include "dyno-linked-model.h"
#include "dyno-scratch.h"

static char *
dup_real_path (const char *path)
{
  char *real = realpath (path, NULL);
  char *copy = g_strdup (real);

  free (real);
  return copy;
}

static gboolean
any_leads_outside (const char *path, GPtrArray *files)
{
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *real_folder = dup_real_path (folder);
  g_autofree char *below = g_strconcat (real_folder != NULL ? real_folder : "", G_DIR_SEPARATOR_S, NULL);

  for (guint i = 0; real_folder != NULL && files != NULL && i < files->len; i++)
    {
      g_autofree char *joined = g_build_filename (folder, files->pdata[i], NULL);
      g_autofree char *real = dup_real_path (joined);

      if (real != NULL && !g_str_has_prefix (real, below))
        return TRUE;
    }
  return FALSE;
}

/* A hard link takes no space; where the file system has none, or another user owns the file, it is copied. */
static gboolean
put (const char *file, const char *target, GError **error)
{
  g_autofree char *real = dup_real_path (file);
  g_autofree char *parent = g_path_get_dirname (target);
  g_autoptr (GFile) source = g_file_new_for_path (real != NULL ? real : file);
  g_autoptr (GFile) destination = g_file_new_for_path (target);

  if (g_mkdir_with_parents (parent, 0700) == 0 && real != NULL && link (real, target) == 0)
    return TRUE;
  return g_file_copy (source, destination, G_FILE_COPY_NONE, NULL, NULL, NULL, error);
}

char *
dyno_linked_model_gather (const char *path, GPtrArray *external_files, char **folder, GError **error)
{
  g_autoptr (GError) local_error = NULL;
  g_autofree char *name = g_path_get_basename (path);
  g_autofree char *old_folder = g_path_get_dirname (path);
  g_autofree char *model = NULL;
  gboolean ok;

  *folder = NULL;
  if (!any_leads_outside (path, external_files))
    return g_strdup (path);
  *folder = dyno_scratch_new_beside (path, &local_error);
  model = *folder != NULL ? g_build_filename (*folder, name, NULL) : NULL;
  ok = model != NULL && put (path, model, &local_error);
  for (guint i = 0; ok && i < external_files->len; i++)
    {
      g_autofree char *file = g_build_filename (old_folder, external_files->pdata[i], NULL);
      g_autofree char *target = g_build_filename (*folder, external_files->pdata[i], NULL);

      ok = put (file, target, &local_error);
    }
  if (ok)
    return g_steal_pointer (&model);
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_FAILED,
               _ ("“%s” keeps its weights behind links, which this engine does not follow, and they could "
                  "not be copied: %s. Copy the model and its weights into a folder."),
               path, local_error->message);
  if (*folder != NULL)
    dyno_scratch_remove (*folder);
  g_clear_pointer (folder, g_free);
  return NULL;
}
