/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>

#include "dyno-error.h"
#include "dyno-onnx-tensor.h"
#include "dyno-tensor.h"

/* More elements than any tensor has, and few enough that the number of bytes fits 63 bits. */
#define MAX_ELEMENTS (G_GINT64_CONSTANT (1) << 44)

/**
 * dyno_onnx_tensor_count_elements:
 * @tensor: a tensor
 *
 * Returns: the product of its dimensions; -1 if no tensor can be that large
 */
gint64
dyno_onnx_tensor_count_elements (const Onnx__TensorProto *tensor)
{
  gint64 count = 1;

  for (gsize i = 0; i < tensor->n_dims; i++)
    if (tensor->dims[i] < 0 || __builtin_mul_overflow (count, tensor->dims[i], &count))
      return -1;
  return count <= MAX_ELEMENTS ? count : -1;
}

/**
 * dyno_onnx_tensor_get_bytes:
 * @tensor: a tensor with a valid shape
 *
 * Returns: the size of its values in bytes
 */
gint64
dyno_onnx_tensor_get_bytes (const Onnx__TensorProto *tensor)
{
  gsize size = dyno_data_type_get_size ((DynoDataType)tensor->data_type);

  return size > 0 ? dyno_onnx_tensor_count_elements (tensor) * (gint64)size : (gint64)tensor->raw_data.len;
}

static const char *
find_entry (const Onnx__TensorProto *tensor, const char *key)
{
  for (gsize i = 0; i < tensor->n_external_data; i++)
    if (g_strcmp0 (tensor->external_data[i]->key, key) == 0)
      return tensor->external_data[i]->value;
  return NULL;
}

static guint64
entry_number (const Onnx__TensorProto *tensor, const char *key)
{
  const char *text = find_entry (tensor, key);

  return text != NULL ? g_ascii_strtoull (text, NULL, 10) : 0;
}

static gboolean
is_downwards (const char *location)
{
  g_auto (GStrv) parts = g_strsplit (location, G_DIR_SEPARATOR_S, -1);

  return !g_path_is_absolute (location) && !g_strv_contains ((const char *const *)parts, "..");
}

static gboolean
is_below (const char *path, const char *folder)
{
  gsize length = strlen (folder);

  return strncmp (path, folder, length) == 0 && (folder[length - 1] == '/' || path[length] == '/');
}

/* A symbolic link must not lead out of the folder either. A download cache may consist of links to files in one other
 * folder, so the folder of the model's real path is also allowed. */
static gboolean
is_beside (const char *path, const char *model)
{
  g_autofree char *folder = g_path_get_dirname (model);
  char *real_path = realpath (path, NULL);
  char *real_folder = realpath (folder, NULL);
  char *real_model = realpath (model, NULL);
  g_autofree char *model_folder = real_model != NULL ? g_path_get_dirname (real_model) : NULL;
  gboolean is_inside = real_path != NULL && ((real_folder != NULL && is_below (real_path, real_folder)) ||
                                             (model_folder != NULL && is_below (real_path, model_folder)));

  free (real_path);
  free (real_folder);
  free (real_model);
  return is_inside;
}

static gboolean
fail_outside (const char *path, const char *location, GError **error)
{
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA,
               _ ("The model “%s” keeps weights in “%s”, which is outside of its own folder. Dyno does not "
                  "follow such a path; save the model again with its data beside it."),
               path, location);
  return FALSE;
}

/* Its path, if it may be read. */
static gboolean
check_location (
    const Onnx__TensorProto *tensor, const char *path, char **file, GStatBuf *info, GError **error)
{
  const char *location = find_entry (tensor, "location");
  g_autofree char *folder = g_path_get_dirname (path);

  if (location == NULL || *location == '\0')
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA,
                   _ ("The model “%s” does not say in which file its weight “%s” lies. Export it again."),
                   path, tensor->name != NULL ? tensor->name : "");
      return FALSE;
    }
  if (!is_downwards (location))
    return fail_outside (path, location, error);
  *file = g_build_filename (folder, location, NULL);
  if (g_stat (*file, info) != 0 || !S_ISREG (info->st_mode))
    {
      g_set_error (
          error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND,
          _ ("The model “%s” keeps weights in “%s”, which is not there. Put that file beside the model."),
          path, *file);
      return FALSE;
    }
  return is_beside (*file, path) || fail_outside (path, location, error);
}

static gboolean
check_external (const Onnx__TensorProto *tensor, const char *path, GHashTable *external_files, GError **error)
{
  guint64 offset = entry_number (tensor, "offset");
  guint64 length = MAX (entry_number (tensor, "length"), (guint64)dyno_onnx_tensor_get_bytes (tensor));
  g_autofree char *file = NULL;
  GStatBuf info;

  if (!check_location (tensor, path, &file, &info, error))
    return FALSE;
  if (offset > (guint64)info.st_size || length > (guint64)info.st_size - offset)
    {
      g_set_error (
          error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA,
          _ ("The file “%s” is too short for the weights that “%s” keeps in it: it was cut off, or is of "
             "another model."),
          file, path);
      return FALSE;
    }
  g_hash_table_add (external_files, g_strdup (find_entry (tensor, "location")));
  return TRUE;
}

/**
 * dyno_onnx_tensor_check:
 * @tensor: a tensor whose strings are valid UTF-8
 * @path: its file
 * @external_files: (element-type utf8): gets the file with its values, relative to the model's folder, if they are
 *   external
 * @error: return location
 *
 * Returns: whether its shape is valid, and its values are in the model's own file or in one beside it that is large
 *   enough
 */
gboolean
dyno_onnx_tensor_check (const Onnx__TensorProto *tensor,
                        const char *path,
                        GHashTable *external_files,
                        GError **error)
{
  if (dyno_onnx_tensor_count_elements (tensor) < 0)
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA,
                   _ ("The weight “%s” of “%s” has an impossible shape: the file is damaged."),
                   tensor->name != NULL ? tensor->name : "", path);
      return FALSE;
    }
  return tensor->data_location != ONNX__TENSOR_PROTO__DATA_LOCATION__EXTERNAL ||
         check_external (tensor, path, external_files, error);
}
