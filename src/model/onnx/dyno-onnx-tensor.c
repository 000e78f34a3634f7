/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>

#include "dyno-error.h"
#include "dyno-model-onnx-private.h"
#include "dyno-tensor.h"
#include "dyno-text.h"

/* More elements than any tensor has, and few enough that the number of bytes fits 63 bits. */
#define MAX_ELEMENTS (G_GINT64_CONSTANT (1) << 44)

/* -1 if no tensor can be that large. */
static gint64
multiply_dims (const gint64 *dims, gsize n_dims)
{
  gint64 count = 1;

  for (gsize i = 0; i < n_dims; i++)
    if (dims[i] < 0 || __builtin_mul_overflow (count, dims[i], &count))
      return -1;
  return count <= MAX_ELEMENTS ? count : -1;
}

gint64
dyno_onnx_tensor_count_elements (const Onnx__TensorProto *tensor)
{
  return multiply_dims (tensor->dims, tensor->n_dims);
}

gint64
dyno_onnx_tensor_get_bytes (const Onnx__TensorProto *tensor)
{
  gint64 bits = dyno_data_type_get_bits ((DynoDataType)tensor->data_type);

  return bits > 0 ? (dyno_onnx_tensor_count_elements (tensor) * bits + 7) / 8 : (gint64)tensor->raw_data.len;
}

gint64
dyno_onnx_tensor_get_dense_bytes (const Onnx__SparseTensorProto *tensor)
{
  gsize size = tensor->values != NULL ? dyno_data_type_get_size ((DynoDataType)tensor->values->data_type) : 0;

  return multiply_dims (tensor->dims, tensor->n_dims) * (gint64)MAX (size, 1);
}

static const char *
find_entry (const Onnx__TensorProto *tensor, const char *key)
{
  for (gsize i = 0; i < tensor->n_external_data; i++)
    if (g_strcmp0 (tensor->external_data[i]->key, key) == 0)
      return tensor->external_data[i]->value;
  return NULL;
}

static char *
dup_name (const Onnx__TensorProto *tensor)
{
  return dyno_plain_text_quote (tensor->name, DYNO_PLAIN_TEXT_NAME);
}

/* Returns 0 if it is absent or empty, like engines. */
static gboolean
parse_entry (
    const Onnx__TensorProto *tensor, const char *path, const char *key, guint64 *number, GError **error)
{
  const char *text = find_entry (tensor, key);
  g_autofree char *shown = dyno_plain_text_quote (text, DYNO_PLAIN_TEXT_NAME);
  g_autofree char *name = dup_name (tensor);

  *number = 0;
  if (text == NULL || *text == '\0' || g_ascii_string_to_unsigned (text, 10, 0, G_MAXINT64, number, NULL))
    return TRUE;
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA,
               _ ("The weight “%s” of “%s” has “%s” as its %s, which is not a number of bytes: the file is "
                  "damaged. Download or export it again."),
               name, path, shown, key);
  return FALSE;
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
  g_autofree char *shown = dyno_plain_text_quote (location, DYNO_PLAIN_TEXT_NAME);

  g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA,
               _ ("The model “%s” keeps weights in “%s”, which is outside of its own folder. Dyno does not "
                  "follow such a path; save the model again with its data beside it."),
               path, shown);
  return FALSE;
}

/* Returns its path, if it may be read. */
static gboolean
check_location (
    const Onnx__TensorProto *tensor, const char *path, char **file, GStatBuf *info, GError **error)
{
  const char *location = find_entry (tensor, "location");
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *name = dup_name (tensor);
  g_autofree char *shown = NULL;
  g_auto (GStrv) parts = NULL;

  if (location == NULL || *location == '\0')
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA,
                   _ ("The model “%s” does not say in which file its weight “%s” lies. Export it again."),
                   path, name);
      return FALSE;
    }
  /* ONNX Runtime takes the offset of a location in its memory as an address. */
  parts = g_strsplit (location, G_DIR_SEPARATOR_S, -1);
  if (g_str_has_prefix (location, "*/_ORT_MEM_ADDR_") || g_path_is_absolute (location) ||
      g_strv_contains ((const char *const *)parts, ".."))
    return fail_outside (path, location, error);
  *file = g_build_filename (folder, location, NULL);
  if (g_stat (*file, info) != 0 || !S_ISREG (info->st_mode))
    {
      shown = dyno_plain_text_quote (*file, DYNO_PLAIN_TEXT_NAME);
      g_set_error (
          error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND,
          _ ("The model “%s” keeps weights in “%s”, which is not there. Put that file beside the model."),
          path, shown);
      return FALSE;
    }
  return is_beside (*file, path) || fail_outside (path, location, error);
}

/* The least number of bytes; for types that are unknown here, four elements may share a byte. */
static gint64
count_needed_bytes (const Onnx__TensorProto *tensor)
{
  gint64 bits = dyno_data_type_get_bits ((DynoDataType)tensor->data_type);

  return (dyno_onnx_tensor_count_elements (tensor) * (bits > 0 ? bits : 2) + 7) / 8;
}

static gboolean
check_external (const Onnx__TensorProto *tensor, const char *path, GHashTable *external_files, GError **error)
{
  g_autoptr (GHashTable) known = g_hash_table_new (g_str_hash, g_str_equal);
  g_autofree char *name = dup_name (tensor);
  g_autofree char *file = NULL;
  guint64 offset, length;
  GStatBuf info;

  /* A program that uses the first entry and one that uses the last would read different files. */
  for (gsize i = 0; i < tensor->n_external_data; i++)
    {
      const char *key = tensor->external_data[i]->key;
      g_autofree char *shown = dyno_plain_text_quote (key, DYNO_PLAIN_TEXT_NAME);

      if (key == NULL || g_hash_table_add (known, (gpointer)key))
        continue;
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA,
                   _ ("The weight “%s” of “%s” says twice where its values are (“%s”), so the file is "
                      "damaged. Download or export it again."),
                   name, path, shown);
      return FALSE;
    }
  if (!parse_entry (tensor, path, "offset", &offset, error) ||
      !parse_entry (tensor, path, "length", &length, error) ||
      !check_location (tensor, path, &file, &info, error))
    return FALSE;
  length = MAX (length, (guint64)count_needed_bytes (tensor));
  if (offset > (guint64)info.st_size || length > (guint64)info.st_size - offset)
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA,
                   _ ("The file “%s” is too short for the weights that “%s” keeps in it: it was cut off, or "
                      "is of another model."),
                   file, path);
      return FALSE;
    }
  g_hash_table_add (external_files, g_strdup (find_entry (tensor, "location")));
  return TRUE;
}

gboolean
dyno_onnx_tensor_check (const Onnx__TensorProto *tensor,
                        const char *path,
                        GHashTable *external_files,
                        GError **error)
{
  g_autofree char *name = dup_name (tensor);
  g_autofree char *needed_text = NULL;
  g_autofree char *present_text = NULL;

  if (dyno_onnx_tensor_count_elements (tensor) < 0)
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA,
                   _ ("The weight “%s” of “%s” has an impossible shape: the file is damaged."), name, path);
      return FALSE;
    }
  if (tensor->data_location == ONNX__TENSOR_PROTO__DATA_LOCATION__EXTERNAL)
    return check_external (tensor, path, external_files, error);

  /* An engine allocates the memory for the shape before it looks for the values. Fields that hold numbers one by one
   * hold at least as many bytes as the type has. */
  gint64 needed = count_needed_bytes (tensor);
  gint64 present = (gint64)(tensor->raw_data.len + tensor->n_string_data +
                            4 * (tensor->n_float_data + tensor->n_int32_data) +
                            8 * (tensor->n_int64_data + tensor->n_double_data + tensor->n_uint64_data));
  if (needed <= present)
    return TRUE;
  needed_text = g_format_size ((guint64)needed);
  present_text = g_format_size ((guint64)present);
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA,
               _ ("The weight “%s” of “%s” needs %s of values, but the file holds %s of them, so it is "
                  "damaged. Download or export it again."),
               name, path, needed_text, present_text);
  return FALSE;
}

gboolean
dyno_onnx_tensor_check_sparse (const Onnx__SparseTensorProto *tensor, const char *path, GError **error)
{
  g_autofree char *name = NULL;

  if (tensor->values != NULL && dyno_onnx_tensor_get_dense_bytes (tensor) >= 0)
    return TRUE;
  name = tensor->values != NULL ? dup_name (tensor->values) : g_strdup ("");
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA,
               _ ("The weight “%s” of “%s” has an impossible shape: the file is damaged."), name, path);
  return FALSE;
}

/* The fields that hold numbers one by one; each is as wide as its kind or wider, and read as that kind. Numbers of less
 * than a byte come by the byte. */
static void
copy_numbers (const Onnx__TensorProto *tensor, DynoTensor *to, gint64 count)
{
  for (gint64 i = 0; i < count; i++)
    if (tensor->data_type == DYNO_DATA_TYPE_FLOAT)
      ((float *)dyno_tensor_get_data (to))[i] = tensor->float_data[i];
    else if (tensor->data_type == DYNO_DATA_TYPE_DOUBLE)
      ((double *)dyno_tensor_get_data (to))[i] = tensor->double_data[i];
    else if (tensor->data_type == DYNO_DATA_TYPE_FLOAT16 || tensor->data_type == DYNO_DATA_TYPE_BFLOAT16)
      ((guint16 *)dyno_tensor_get_data (to))[i] = (guint16)tensor->int32_data[i];
    else if (dyno_data_type_get_bits ((DynoDataType)tensor->data_type) <= 8)
      ((guint8 *)dyno_tensor_get_data (to))[i] = (guint8)tensor->int32_data[i];
    else if (tensor->data_type == DYNO_DATA_TYPE_INT64)
      dyno_tensor_set_integer (to, i, tensor->int64_data[i]);
    else if (tensor->data_type == DYNO_DATA_TYPE_UINT64 || tensor->data_type == DYNO_DATA_TYPE_UINT32)
      dyno_tensor_set_integer (to, i, (gint64)tensor->uint64_data[i]);
    else
      dyno_tensor_set_integer (to, i, tensor->int32_data[i]);
}

static gint64
count_numbers (const Onnx__TensorProto *tensor)
{
  switch (tensor->data_type)
    {
    case DYNO_DATA_TYPE_FLOAT:
      return (gint64)tensor->n_float_data;
    case DYNO_DATA_TYPE_DOUBLE:
      return (gint64)tensor->n_double_data;
    case DYNO_DATA_TYPE_INT64:
      return (gint64)tensor->n_int64_data;
    case DYNO_DATA_TYPE_UINT64:
    case DYNO_DATA_TYPE_UINT32:
      return (gint64)tensor->n_uint64_data;
    case DYNO_DATA_TYPE_STRING:
      return (gint64)tensor->n_string_data;
    default:
      return (gint64)tensor->n_int32_data;
    }
}

DynoTensor *
dyno_onnx_tensor_read (const Onnx__TensorProto *tensor, const char *name)
{
  DynoShape shape = { (DynoDataType)tensor->data_type, 0, { 0 } };
  gint64 count = dyno_onnx_tensor_count_elements (tensor);
  guint bits = dyno_data_type_get_bits (shape.type);
  gint64 bytes = (count * bits + 7) / 8;
  DynoTensor *read = NULL;

  if (tensor->n_dims > DYNO_SHAPE_MAX_RANK || count < 0 ||
      tensor->data_location == ONNX__TENSOR_PROTO__DATA_LOCATION__EXTERNAL)
    return NULL;
  for (; shape.rank < tensor->n_dims; shape.rank++)
    shape.dims[shape.rank] = tensor->dims[shape.rank];
  if (shape.type == DYNO_DATA_TYPE_STRING && count_numbers (tensor) == count)
    {
      g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

      for (gsize i = 0; i < tensor->n_string_data; i++)
        {
          const ProtobufCBinaryData *text = &tensor->string_data[i];
          g_autofree char *valid =
              text->len > 0 ? g_utf8_make_valid ((const char *)text->data, (gssize)text->len) : g_strdup ("");

          g_strv_builder_add (builder, valid);
        }
      return dyno_tensor_new_texts (name, &shape, g_strv_builder_end (builder));
    }
  if (!dyno_data_type_is_number (shape.type))
    return NULL;
  if (count > 0 && tensor->raw_data.len == (gsize)bytes)
    {
      read = dyno_tensor_new (name, &shape);
      memcpy (dyno_tensor_get_data (read), tensor->raw_data.data, tensor->raw_data.len);
    }
  else if (tensor->raw_data.len == 0 && count_numbers (tensor) == (bits < 8 ? bytes : count))
    {
      read = dyno_tensor_new (name, &shape);
      copy_numbers (tensor, read, count_numbers (tensor));
    }
  return read;
}
