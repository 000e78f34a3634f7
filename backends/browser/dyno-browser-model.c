/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>

#include "dyno-browser-private.h"
#include "dyno-error.h"
#include "dyno-onnx-file.h"

/* The largest buffer of a page; WebAssembly addresses no more memory either. */
#define MAX_FILE_BYTES (G_GINT64_CONSTANT (1) << 31)

static void
file_free (DynoBrowserFile *file)
{
  g_free (file->name);
  g_free (file->path);
  g_free (file);
}

static gboolean
add_file (DynoBrowserModel *self, const char *name, const char *path, GError **error)
{
  DynoBrowserFile *file;
  GStatBuf info;

  if (g_stat (path, &info) != 0)
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND, _ ("The file “%s” cannot be read: %s."), path,
                   g_strerror (errno));
      return FALSE;
    }
  file = g_new0 (DynoBrowserFile, 1);
  file->name = g_strdup (name);
  file->path = g_strdup (path);
  file->size = info.st_size;
  g_ptr_array_add (self->files, file);
  return TRUE;
}

static gboolean
check_sizes (DynoBrowserModel *self, const char *path, GError **error)
{
  gint64 total = 0;

  for (guint i = 0; i < self->files->len; i++)
    {
      const DynoBrowserFile *file = self->files->pdata[i];

      total += file->size;
      if (file->size >= MAX_FILE_BYTES)
        {
          g_set_error (error, DYNO_ERROR, DYNO_ERROR_OUT_OF_MEMORY,
                       _ ("The file “%s” takes %.2f GB, and a page in a browser holds at most %.2f GB in one "
                          "piece. Choose a smaller model, or a backend outside the browser."),
                       file->path, (double)file->size / 1e9, (double)MAX_FILE_BYTES / 1e9);
          return FALSE;
        }
    }
  if (total < DYNO_BROWSER_MODEL_MAX_BYTES)
    return TRUE;
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_OUT_OF_MEMORY,
               _ ("The model “%s” takes %.2f GB, and WebAssembly addresses at most %.2f GB. Choose a smaller "
                  "model, or a backend outside the browser."),
               path, (double)total / 1e9, (double)DYNO_BROWSER_MODEL_MAX_BYTES / 1e9);
  return FALSE;
}

DynoBrowserModel *
dyno_browser_model_new (const char *path, GError **error)
{
  g_autoptr (DynoBrowserModel) self = NULL;
  g_autoptr (DynoModelDescription) description = dyno_onnx_file_describe (path, error);
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *own_name = g_path_get_basename (path);
  GHashTableIter iter;
  gpointer name;
  gboolean is_good;

  if (description == NULL)
    return NULL;
  self = g_new0 (DynoBrowserModel, 1);
  self->files = g_ptr_array_new_with_free_func ((GDestroyNotify)file_free);
  self->inputs = g_ptr_array_ref (description->inputs);
  self->outputs = g_ptr_array_ref (description->outputs);
  /* The model's own file comes first. */
  is_good = add_file (self, own_name, path, error);
  g_hash_table_iter_init (&iter, description->external_files);
  while (is_good && g_hash_table_iter_next (&iter, &name, NULL))
    {
      g_autofree char *file = g_build_filename (folder, name, NULL);

      is_good = add_file (self, name, file, error);
    }
  return is_good && check_sizes (self, path, error) ? g_steal_pointer (&self) : NULL;
}

void
dyno_browser_model_free (DynoBrowserModel *self)
{
  g_clear_pointer (&self->files, g_ptr_array_unref);
  g_clear_pointer (&self->inputs, g_ptr_array_unref);
  g_clear_pointer (&self->outputs, g_ptr_array_unref);
  g_free (self);
}

gboolean
dyno_browser_model_is_free (DynoBrowserModel *self)
{
  for (guint i = 0; i < self->inputs->len; i++)
    for (guint axis = 0; axis < dyno_tensor_info_get_rank (self->inputs->pdata[i]); axis++)
      if (dyno_tensor_info_get_symbol (self->inputs->pdata[i], axis) != NULL)
        return TRUE;
  return FALSE;
}
