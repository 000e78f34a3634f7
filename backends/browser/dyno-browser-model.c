/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>

#include "dyno-browser-model.h"
#include "dyno-error.h"

/* A page holds no larger buffer, and WebAssembly addresses no more memory. */
#define MAX_FILE_BYTES (G_GINT64_CONSTANT (1) << 31)

/* Field numbers of the ONNX format. */
enum
{
  MODEL_GRAPH = 7,
  GRAPH_INITIALIZER = 5,
  GRAPH_INPUT = 11,
  GRAPH_OUTPUT = 12,
  TENSOR_NAME = 8,
  TENSOR_EXTERNAL_DATA = 13,
  ENTRY_KEY = 1,
  ENTRY_VALUE = 2,
  VALUE_NAME = 1,
  VALUE_TYPE = 2,
  TYPE_TENSOR = 1,
  TENSOR_TYPE_ELEMENT = 1,
  TENSOR_TYPE_SHAPE = 2,
  SHAPE_DIMENSION = 1,
  DIMENSION_VALUE = 1,
  DIMENSION_NAME = 2,
};

/* How a field is stored in Protocol Buffers. */
enum
{
  WIRE_VARINT = 0,
  WIRE_FIXED64 = 1,
  WIRE_BYTES = 2,
  WIRE_FIXED32 = 5,
};

/* A message that is read field by field in place. */
typedef struct
{
  const guint8 *at;
  const guint8 *end;
  gboolean damaged;
} Message;

typedef struct
{
  guint64 number;
  guint64 value;   /* of a varint */
  Message content; /* of bytes */
} Field;

typedef struct
{
  DynoBrowserModel *model;
  GHashTable *weights; /* names */
  const char *path;
  char *folder;
} Reading;

static guint64
read_varint (Message *message)
{
  guint64 value = 0;

  for (guint shift = 0; shift < 64; shift += 7)
    {
      guint8 byte;

      if (message->at == message->end)
        break;
      byte = *message->at++;
      value |= (guint64)(byte & 0x7f) << shift;
      if ((byte & 0x80) == 0)
        return value;
    }
  message->damaged = TRUE;
  return 0;
}

static void
skip (Message *message, Field *field, guint64 length)
{
  if (length > (guint64)(message->end - message->at))
    {
      message->damaged = TRUE;
      return;
    }
  field->content = (Message){ message->at, message->at + length, FALSE };
  message->at += length;
}

static gboolean
next_field (Message *message, Field *field)
{
  guint64 key;

  if (message->damaged || message->at == message->end)
    return FALSE;
  *field = (Field){ 0 };
  key = read_varint (message);
  field->number = key >> 3;
  switch (key & 7)
    {
    case WIRE_VARINT:
      field->value = read_varint (message);
      break;
    case WIRE_FIXED64:
      skip (message, field, 8);
      break;
    case WIRE_BYTES:
      skip (message, field, read_varint (message));
      break;
    case WIRE_FIXED32:
      skip (message, field, 4);
      break;
    default:
      message->damaged = TRUE;
    }
  return !message->damaged;
}

static char *
dup_text (const Message *content)
{
  return g_strndup ((const char *)content->at, (gsize)(content->end - content->at));
}

/* The last field of that number, as the format demands; empty where there is none. */
static Message
find_content (Message message, guint64 number)
{
  Message content = { 0 };
  Field field;

  while (next_field (&message, &field))
    if (field.number == number)
      content = field.content;
  return content;
}

static char *
find_text (Message message, guint64 number)
{
  Message content = find_content (message, number);

  return content.at != NULL ? dup_text (&content) : NULL;
}

static void
file_free (DynoBrowserFile *file)
{
  g_free (file->name);
  g_free (file->path);
  g_free (file);
}

/* A file outside the model's folder is none of it. */
static gboolean
is_inside (const char *name)
{
  g_auto (GStrv) parts = g_strsplit (name, G_DIR_SEPARATOR_S, -1);

  return *name != '\0' && !g_path_is_absolute (name) && !g_strv_contains ((const char *const *)parts, "..");
}

static gboolean
has_file (Reading *self, const char *name)
{
  for (guint i = 1; i < self->model->files->len; i++)
    if (g_str_equal (((DynoBrowserFile *)self->model->files->pdata[i])->name, name))
      return TRUE;
  return FALSE;
}

static gboolean
add_file (Reading *self, const char *name, const char *path, GError **error)
{
  DynoBrowserFile *file;
  GStatBuf info;

  if (g_stat (path, &info) != 0 || !S_ISREG (info.st_mode))
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND,
                   _ ("The file “%s” of the model “%s” does not exist."), path, self->path);
      return FALSE;
    }
  file = g_new0 (DynoBrowserFile, 1);
  file->name = g_strdup (name);
  file->path = g_strdup (path);
  file->size = info.st_size;
  g_ptr_array_add (self->model->files, file);
  return TRUE;
}

static gboolean
add_external_file (Reading *self, const char *name, GError **error)
{
  g_autofree char *path = NULL;

  if (has_file (self, name))
    return TRUE;
  if (!is_inside (name))
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA,
                   _ ("The model “%s” keeps weights outside its folder, in “%s”. Export it again."),
                   self->path, name);
      return FALSE;
    }
  path = g_build_filename (self->folder, name, NULL);
  return add_file (self, name, path, error);
}

static gboolean
read_weight (Reading *self, Message tensor, GError **error)
{
  Field field;

  while (next_field (&tensor, &field))
    {
      g_autofree char *key = NULL;

      if (field.number == TENSOR_NAME)
        g_hash_table_add (self->weights, dup_text (&field.content));
      if (field.number != TENSOR_EXTERNAL_DATA)
        continue;
      key = find_text (field.content, ENTRY_KEY);
      if (g_strcmp0 (key, "location") == 0)
        {
          g_autofree char *name = find_text (field.content, ENTRY_VALUE);

          if (!add_external_file (self, name != NULL ? name : "", error))
            return FALSE;
        }
    }
  return TRUE;
}

static void
read_dimension (DynoTensorInfo *info, Message dimension)
{
  g_autofree char *name = find_text (dimension, DIMENSION_NAME);
  gint64 size = -1;
  Field field;

  while (next_field (&dimension, &field))
    if (field.number == DIMENSION_VALUE)
      size = (gint64)field.value;
  if (size >= 0)
    dyno_tensor_info_add_size (info, size);
  else
    dyno_tensor_info_add_symbol (info, name != NULL ? name : "");
}

static DynoTensorInfo *
read_value (Message value)
{
  g_autofree char *name = find_text (value, VALUE_NAME);
  Message type = find_content (find_content (value, VALUE_TYPE), TYPE_TENSOR);
  Message dimensions = find_content (type, TENSOR_TYPE_SHAPE);
  DynoTensorInfo *info;
  guint64 element = DYNO_DATA_TYPE_UNDEFINED;
  Field field;

  while (next_field (&type, &field))
    if (field.number == TENSOR_TYPE_ELEMENT)
      element = field.value;
  info = dyno_tensor_info_new (name != NULL ? name : "", (DynoDataType)element);
  while (next_field (&dimensions, &field))
    if (field.number == SHAPE_DIMENSION && dyno_tensor_info_get_rank (info) < DYNO_SHAPE_MAX_RANK)
      read_dimension (info, field.content);
  return info;
}

static void
drop_weights (Reading *self)
{
  for (guint i = self->model->inputs->len; i > 0; i--)
    if (g_hash_table_contains (self->weights, dyno_tensor_info_get_name (self->model->inputs->pdata[i - 1])))
      g_ptr_array_remove_index (self->model->inputs, i - 1);
}

static gboolean
read_graph (Reading *self, Message graph, GError **error)
{
  Field field;

  while (next_field (&graph, &field))
    {
      if (field.number == GRAPH_INITIALIZER && !read_weight (self, field.content, error))
        return FALSE;
      if (field.number == GRAPH_INPUT)
        g_ptr_array_add (self->model->inputs, read_value (field.content));
      if (field.number == GRAPH_OUTPUT)
        g_ptr_array_add (self->model->outputs, read_value (field.content));
    }
  drop_weights (self);
  return TRUE;
}

static gboolean
fail_damaged (Reading *self, GError **error)
{
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA,
               _ ("The file “%s” is no ONNX model, or it is damaged."), self->path);
  return FALSE;
}

static gboolean
read_model (Reading *self, GMappedFile *mapped, GError **error)
{
  const guint8 *bytes = (const guint8 *)g_mapped_file_get_contents (mapped);
  Message model = { bytes, bytes + g_mapped_file_get_length (mapped), FALSE };
  Message graph = { 0 };
  Field field;

  while (next_field (&model, &field))
    if (field.number == MODEL_GRAPH)
      graph = field.content;
  if (model.damaged || graph.at == NULL)
    return fail_damaged (self, error);
  return read_graph (self, graph, error);
}

static gboolean
check_sizes (Reading *self, GError **error)
{
  gint64 total = 0;

  for (guint i = 0; i < self->model->files->len; i++)
    {
      const DynoBrowserFile *file = self->model->files->pdata[i];

      total += file->size;
      if (file->size >= MAX_FILE_BYTES)
        {
          g_set_error (error, DYNO_ERROR, DYNO_ERROR_OUT_OF_MEMORY,
                       _ ("The file “%s” has %.2f GB, and a page in a browser holds at most %.2f GB in one "
                          "piece. Choose a smaller model, or a backend outside the browser."),
                       file->path, (double)file->size / 1e9, (double)MAX_FILE_BYTES / 1e9);
          return FALSE;
        }
    }
  if (total < DYNO_BROWSER_MODEL_MAX_BYTES)
    return TRUE;
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_OUT_OF_MEMORY,
               _ ("The model “%s” has %.2f GB, and WebAssembly addresses at most %.2f GB. Choose a smaller "
                  "model, or a backend outside the browser."),
               self->path, (double)total / 1e9, (double)DYNO_BROWSER_MODEL_MAX_BYTES / 1e9);
  return FALSE;
}

/**
 * dyno_browser_model_new:
 * @path: an ONNX file
 * @error: return location, when it is damaged or larger than a browser can hold
 *
 * Returns: (transfer full) (nullable): what a browser must be told of it
 */
DynoBrowserModel *
dyno_browser_model_new (const char *path, GError **error)
{
  g_autoptr (DynoBrowserModel) model = g_new0 (DynoBrowserModel, 1);
  g_autoptr (GHashTable) weights = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *name = g_path_get_basename (path);
  g_autoptr (GMappedFile) mapped = NULL;
  Reading reading = { model, weights, path, folder };

  model->files = g_ptr_array_new_with_free_func ((GDestroyNotify)file_free);
  model->inputs = g_ptr_array_new_with_free_func (g_object_unref);
  model->outputs = g_ptr_array_new_with_free_func (g_object_unref);
  if (!add_file (&reading, name, path, error))
    return NULL;
  mapped = g_mapped_file_new (path, FALSE, error);
  if (mapped == NULL || !read_model (&reading, mapped, error) || !check_sizes (&reading, error))
    return NULL;
  return g_steal_pointer (&model);
}

/**
 * dyno_browser_model_free:
 * @self: (transfer full): a model
 */
void
dyno_browser_model_free (DynoBrowserModel *self)
{
  g_clear_pointer (&self->files, g_ptr_array_unref);
  g_clear_pointer (&self->inputs, g_ptr_array_unref);
  g_clear_pointer (&self->outputs, g_ptr_array_unref);
  g_free (self);
}

/**
 * dyno_browser_model_is_free:
 * @self: a model
 *
 * Returns: whether a dimension of an input is only known when the input is
 */
gboolean
dyno_browser_model_is_free (DynoBrowserModel *self)
{
  for (guint i = 0; i < self->inputs->len; i++)
    for (guint axis = 0; axis < dyno_tensor_info_get_rank (self->inputs->pdata[i]); axis++)
      if (dyno_tensor_info_get_symbol (self->inputs->pdata[i], axis) != NULL)
        return TRUE;
  return FALSE;
}
