/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>

#include "dyno-error.h"
#include "dyno-file.h"
#include "dyno-model-onnx-private.h"
#include "dyno-onnx-writer.h"

static gboolean
fail (const char *path, const char *reason, GError **error)
{
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_FAILED,
               _ ("The model could not be written to “%s”: %s. Choose another place."), path, reason);
  return FALSE;
}

/* Weights first, so that a model never lacks them. Weights that an earlier model left beside it would be wrong. */
static gboolean
move (const char *folder, const char *name, const DynoOutputFile *file, GError **error)
{
  g_autofree char *made = g_build_filename (folder, name, NULL);
  g_autofree char *made_data = g_strconcat (made, DYNO_ONNX_WRITER_DATA_SUFFIX, NULL);
  g_autofree char *path = g_strconcat (file->path, DYNO_ONNX_WRITER_DATA_SUFFIX, NULL);
  gboolean has_data = g_file_test (made_data, G_FILE_TEST_EXISTS);
  g_auto (DynoOutputFile) data = { NULL };
  g_autoptr (GError) local_error = NULL;

  if (has_data && (!dyno_output_file_find (&data, path, &local_error) ||
                   !dyno_output_file_put (&data, made_data, &local_error)))
    return fail (path, local_error->message, error);
  if (!dyno_output_file_put (file, made, &local_error))
    return fail (file->path, local_error->message, error);
  if (!has_data && !file->is_stream)
    g_unlink (path);
  return TRUE;
}

static void
remove_file (const char *folder, const char *name, const char *suffix)
{
  g_autofree char *file = g_strconcat (name, suffix, NULL);
  g_autofree char *path = g_build_filename (folder, file, NULL);

  g_unlink (path);
}

gboolean
dyno_onnx_export (DynoGraph *graph, const char *path, guint64 seed, GError **error)
{
  g_autofree char *absolute = g_canonicalize_filename (path, NULL);
  g_autofree char *place = NULL;
  g_autofree char *name = NULL;
  g_autofree char *folder = NULL;
  g_auto (DynoOutputFile) file = { NULL };
  g_autoptr (GError) local_error = NULL;
  gboolean is_done;

  if (!dyno_output_file_find (&file, absolute, &local_error))
    return fail (path, local_error->message, error);
  place = dyno_output_file_dup_folder (&file);
  name = g_path_get_basename (file.path);
  folder = g_build_filename (place, ".dyno-export-XXXXXX", NULL);
  if (g_mkdtemp (folder) == NULL)
    return fail (path, g_strerror (errno), error);
  is_done =
      dyno_onnx_writer_write_as (graph, folder, name, seed, NULL, error) && move (folder, name, &file, error);
  remove_file (folder, name, "");
  remove_file (folder, name, DYNO_ONNX_WRITER_DATA_SUFFIX);
  remove_file (folder, DYNO_ONNX_WRITER_HASH, "");
  g_rmdir (folder);
  return is_done;
}
