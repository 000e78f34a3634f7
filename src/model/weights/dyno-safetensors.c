/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <json-glib/json-glib.h>
#include <string.h>

#include "dyno-error.h"
#include "dyno-float16.h"
#include "dyno-json.h"
#include "dyno-model-weights-private.h"
#include "dyno-safetensors.h"
#include "dyno-text.h"

/* The limit of the format. */
#define MAX_HEADER (100 * 1000 * 1000)

#define LENGTH_SIZE sizeof (guint64)
#define METADATA    "__metadata__"

struct _DynoSafetensors
{
  char *path;
  GMappedFile *mapping;
  JsonParser *parser; /* owns the names */
  GHashTable *tensors;
  GPtrArray *sorted; /* by offset */
};

static const struct
{
  const char *name;
  DynoDataType type;
} types[] = {
  { "F32", DYNO_DATA_TYPE_FLOAT },  { "F16", DYNO_DATA_TYPE_FLOAT16 }, { "BF16", DYNO_DATA_TYPE_BFLOAT16 },
  { "F64", DYNO_DATA_TYPE_DOUBLE }, { "I64", DYNO_DATA_TYPE_INT64 },   { "I32", DYNO_DATA_TYPE_INT32 },
  { "I16", DYNO_DATA_TYPE_INT16 },  { "I8", DYNO_DATA_TYPE_INT8 },     { "U64", DYNO_DATA_TYPE_UINT64 },
  { "U32", DYNO_DATA_TYPE_UINT32 }, { "U16", DYNO_DATA_TYPE_UINT16 },  { "U8", DYNO_DATA_TYPE_UINT8 },
  { "BOOL", DYNO_DATA_TYPE_BOOL },
};

static gboolean
fail_header (DynoSafetensors *self, const char *reason, GError **error)
{
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA,
               _ ("The weights “%s” cannot be read: %s. Download the file again."), self->path, reason);
  return FALSE;
}

static gboolean
fail_tensor (DynoSafetensors *self, const char *name, const char *reason, GError **error)
{
  g_autofree char *shown = dyno_plain_text_quote (name, DYNO_PLAIN_TEXT_NAME);

  g_set_error (
      error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA,
      _ ("The weights “%s” cannot be read: %s of the tensor “%s” is wrong. Download the file again."),
      self->path, reason, shown);
  return FALSE;
}

/* A non-negative integer; -1 for anything else. */
static gint64
get_number (JsonArray *array, guint index)
{
  JsonNode *node = json_array_get_element (array, index);

  return json_node_get_value_type (node) == G_TYPE_INT64 ? MAX (json_node_get_int (node), -1) : -1;
}

static gboolean
add_tensor (DynoSafetensors *self, const char *name, JsonNode *node, gsize start, GError **error)
{
  JsonObject *object = dyno_json_node_get_object (node);
  const char *type = dyno_json_member_get_string (object, "dtype");
  JsonArray *dims = dyno_json_member_get_array (object, "shape");
  JsonArray *offsets = dyno_json_member_get_array (object, "data_offsets");
  gint64 begin = -1, end = -1;
  gboolean has_shape = dims != NULL && json_array_get_length (dims) <= DYNO_SHAPE_MAX_RANK;
  DynoSafetensor *tensor;

  if (type == NULL)
    return fail_tensor (self, name, _ ("the type"), error);
  tensor = g_new0 (DynoSafetensor, 1);
  tensor->file = self;
  tensor->name = name;
  tensor->type_name = type;
  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    if (strcmp (types[i].name, tensor->type_name) == 0)
      tensor->shape.type = types[i].type;
  g_ptr_array_add (self->sorted, tensor);
  for (; has_shape && tensor->shape.rank < json_array_get_length (dims); tensor->shape.rank++)
    {
      tensor->shape.dims[tensor->shape.rank] = get_number (dims, tensor->shape.rank);
      has_shape = tensor->shape.dims[tensor->shape.rank] >= 0;
    }
  if (!has_shape || dyno_shape_count (&tensor->shape) < 0 || dyno_shape_bytes (&tensor->shape) < 0)
    return fail_tensor (self, name, _ ("the shape"), error);
  /* Its range must be within the file and match its shape. */
  if (offsets != NULL && json_array_get_length (offsets) == 2)
    {
      begin = get_number (offsets, 0);
      end = get_number (offsets, 1);
    }
  if (begin < 0 || end < begin || end > (gint64)(g_mapped_file_get_length (self->mapping) - start) ||
      (tensor->shape.type != DYNO_DATA_TYPE_UNDEFINED && end - begin != dyno_shape_bytes (&tensor->shape)))
    return fail_tensor (self, name, _ ("the place"), error);
  tensor->data = (const guint8 *)g_mapped_file_get_contents (self->mapping) + start + begin;
  tensor->size = (gsize)(end - begin);
  g_hash_table_insert (self->tensors, (gpointer)name, tensor);
  return TRUE;
}

static int
compare_places (gconstpointer a, gconstpointer b)
{
  const DynoSafetensor *first = *(DynoSafetensor *const *)a;
  const DynoSafetensor *second = *(DynoSafetensor *const *)b;

  if (first->data != second->data)
    return first->data < second->data ? -1 : 1;
  if (first->size != second->size)
    return first->size < second->size ? -1 : 1;
  return strcmp (first->name, second->name);
}

/* The parser keeps the last of several members of the same name, but signals each of them. */
static void
member_cb (JsonParser *parser, JsonObject *object, const char *name, gpointer data)
{
  GHashTable *counts = data;
  guint count = GPOINTER_TO_UINT (g_hash_table_lookup (counts, object)) + 1;

  g_hash_table_replace (counts, json_object_ref (object), GUINT_TO_POINTER (count));
}

static JsonObject *
parse_header (DynoSafetensors *self, const char *text, gsize size, GError **error)
{
  g_autoptr (GHashTable) counts = g_hash_table_new_full (NULL, NULL, (GDestroyNotify)json_object_unref, NULL);
  JsonObject *header = NULL;
  gboolean has_duplicates = FALSE;
  GHashTableIter iter;
  gpointer object, count;

  self->parser = json_parser_new ();
  g_signal_connect (self->parser, "object-member", G_CALLBACK (member_cb), counts);
  if (g_utf8_validate (text, (gssize)size, NULL) && dyno_json_text_is_shallow (text, size) &&
      dyno_json_text_load (self->parser, text, size, NULL))
    header = dyno_json_node_get_object (json_parser_get_root (self->parser));
  g_signal_handlers_disconnect_by_data (self->parser, counts);
  g_hash_table_iter_init (&iter, counts);
  while (g_hash_table_iter_next (&iter, &object, &count))
    has_duplicates |= json_object_get_size (object) != GPOINTER_TO_UINT (count);
  if (header == NULL)
    fail_header (self, _ ("its header is not a JSON object"), error);
  else if (has_duplicates)
    fail_header (self, _ ("its header has the same name twice"), error);
  else
    return header;
  return NULL;
}

static gboolean
read_header (DynoSafetensors *self, GError **error)
{
  const char *bytes = g_mapped_file_get_contents (self->mapping);
  gsize size = g_mapped_file_get_length (self->mapping);
  JsonObjectIter iter;
  JsonObject *header;
  const char *name;
  JsonNode *node;
  guint64 length;

  if (size < LENGTH_SIZE)
    return fail_header (self, _ ("it has no header"), error);
  memcpy (&length, bytes, sizeof length);
  length = GUINT64_FROM_LE (length);
  if (length > MAX_HEADER || length > size - LENGTH_SIZE)
    return fail_header (self, _ ("its header is longer than the file"), error);
  header = parse_header (self, bytes + LENGTH_SIZE, (gsize)length, error);
  if (header == NULL)
    return FALSE;
  json_object_iter_init (&iter, header);
  while (json_object_iter_next (&iter, &name, &node))
    if (strcmp (name, METADATA) != 0 && !add_tensor (self, name, node, LENGTH_SIZE + (gsize)length, error))
      return FALSE;

  /* The tensors must cover the file without overlaps and gaps. */
  const guint8 *place = (const guint8 *)bytes + LENGTH_SIZE + length;
  g_ptr_array_sort (self->sorted, compare_places);
  for (guint i = 0; i < self->sorted->len; i++)
    {
      const DynoSafetensor *tensor = self->sorted->pdata[i];

      if (tensor->data != place)
        return fail_tensor (self, tensor->name, _ ("the place"), error);
      place += tensor->size;
    }
  return place == (const guint8 *)bytes + size ||
         fail_header (self, _ ("it does not end where its tensors do"), error);
}

DynoSafetensors *
dyno_safetensors_open (const char *path, GError **error)
{
  g_autoptr (DynoSafetensors) self = g_new0 (DynoSafetensors, 1);
  g_autoptr (GError) local_error = NULL;
  GStatBuf info;

  g_return_val_if_fail (path != NULL, NULL);

  self->path = g_strdup (path);
  self->tensors = g_hash_table_new (g_str_hash, g_str_equal);
  self->sorted = g_ptr_array_new_with_free_func (g_free);
  /* A pipe may never end, and a device is not a file. */
  if (g_stat (self->path, &info) == 0 && !S_ISREG (info.st_mode))
    {
      fail_header (self, _ ("it is not a file"), error);
      return NULL;
    }
  self->mapping = g_mapped_file_new (self->path, FALSE, &local_error);
  if (self->mapping == NULL)
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND,
                   _ ("The weights “%s” could not be opened: %s. Put the file beside the model’s config."),
                   self->path, local_error->message);
      return NULL;
    }
  if (!read_header (self, error))
    return NULL;
  return g_steal_pointer (&self);
}

void
dyno_safetensors_free (DynoSafetensors *self)
{
  g_clear_pointer (&self->mapping, g_mapped_file_unref);
  g_clear_object (&self->parser);
  g_hash_table_unref (self->tensors);
  g_ptr_array_unref (self->sorted);
  g_free (self->path);
  g_free (self);
}

const char *
dyno_safetensors_get_path (DynoSafetensors *self)
{
  return self->path;
}

const DynoSafetensor *
dyno_safetensors_find (DynoSafetensors *self, const char *name)
{
  return g_hash_table_lookup (self->tensors, name);
}

GPtrArray *
dyno_safetensors_get_all (DynoSafetensors *self)
{
  return self->sorted;
}

/* Returns whether its elements can be read. */
gboolean
dyno_safetensor_is_real (const DynoSafetensor *self)
{
  DynoDataType type = self->shape.type;

  return type == DYNO_DATA_TYPE_FLOAT || type == DYNO_DATA_TYPE_FLOAT16 || type == DYNO_DATA_TYPE_BFLOAT16;
}

/* Includes everything that its elements follow from. */
void
dyno_safetensor_add_to_checksum (const DynoSafetensor *self, GChecksum *checksum)
{
  if (self->packed != NULL)
    dyno_packed_add_to_checksum (self->packed, checksum);
  else
    g_checksum_update (checksum, self->data, (gssize)self->size);
}

void
dyno_safetensor_read (const DynoSafetensor *self, gsize first, gsize n_values, float *values, gsize step)
{
  gsize start = first * dyno_data_type_get_size (self->shape.type);
  const guint8 *data = self->packed == NULL ? self->data + start : NULL;
  guint16 bits;

  if (self->packed != NULL)
    dyno_packed_read (self->packed, self->first + first, n_values, values, step);
  else if (self->shape.type == DYNO_DATA_TYPE_FLOAT)
    for (gsize i = 0; i < n_values; i++)
      memcpy (&values[i * step], data + i * sizeof (float), sizeof (float));
  else if (self->shape.type == DYNO_DATA_TYPE_FLOAT16)
    for (gsize i = 0; i < n_values; i++)
      {
        memcpy (&bits, data + i * sizeof bits, sizeof bits);
        values[i * step] = dyno_float16_to_float (bits);
      }
  else
    for (gsize i = 0; i < n_values; i++)
      {
        memcpy (&bits, data + i * sizeof bits, sizeof bits);
        values[i * step] = dyno_float16_bfloat_to_float (bits);
      }
}
