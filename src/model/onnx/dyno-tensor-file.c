/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

#include "dyno-error.h"
#include "dyno-model-onnx-private.h"
#include "dyno-model-weights-private.h"
#include "dyno-text.h"
#include "dyno-values.pb-c.h"

#define NPY_MAGIC  "\x93NUMPY"
#define NPY_ENDING ".npy"
#define PB_ENDING  ".pb"

/* Magic, version and the length of the header, which has two bytes in version 1 and four from then on. */
#define NPY_START 8

/* Element types by their names in NumPy, without the order of bytes. */
static const struct
{
  const char *name;
  DynoDataType type;
} npy_types[] = {
  { "f2", DYNO_DATA_TYPE_FLOAT16 }, { "f4", DYNO_DATA_TYPE_FLOAT },  { "f8", DYNO_DATA_TYPE_DOUBLE },
  { "i1", DYNO_DATA_TYPE_INT8 },    { "i2", DYNO_DATA_TYPE_INT16 },  { "i4", DYNO_DATA_TYPE_INT32 },
  { "i8", DYNO_DATA_TYPE_INT64 },   { "u1", DYNO_DATA_TYPE_UINT8 },  { "u2", DYNO_DATA_TYPE_UINT16 },
  { "u4", DYNO_DATA_TYPE_UINT32 },  { "u8", DYNO_DATA_TYPE_UINT64 }, { "b1", DYNO_DATA_TYPE_BOOL },
};

static DynoTensor *
fail (GError **error, const char *path, const char *reason)
{
  g_autofree char *shown = dyno_plain_text_quote (path, DYNO_PLAIN_TEXT_NAME);

  g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA,
               /* Translators: a file with values of an input, and why it cannot be used */
               _ ("The values in “%s” cannot be used. %s"), shown, reason);
  return NULL;
}

static GBytes *
map (const char *path, GError **error)
{
  g_autoptr (GMappedFile) file = NULL;
  g_autoptr (GError) local_error = NULL;

  /* A pipe or a device would not end. */
  if (!g_file_test (path, G_FILE_TEST_IS_REGULAR))
    {
      fail (error, path, _ ("There is no such file. Check the path."));
      return NULL;
    }
  file = g_mapped_file_new (path, FALSE, &local_error);
  if (file != NULL)
    return g_mapped_file_get_bytes (file);
  fail (error, path, local_error->message);
  return NULL;
}

/* The text behind “'key':” in the header, which is a literal of Python. */
static const char *
find_member (const char *header, const char *key)
{
  g_autofree char *quoted = g_strdup_printf ("'%s':", key);
  const char *found = strstr (header, quoted);

  return found != NULL ? found + strlen (quoted) + strspn (found + strlen (quoted), " ") : "";
}

/* As “(2, 3)”, “(2,)” or “()”. */
static gboolean
parse_npy_shape (const char *text, DynoShape *shape)
{
  if (*text++ != '(')
    return FALSE;
  for (text += strspn (text, " "); *text != ')'; text += strspn (text, ", "))
    {
      char *end;
      gint64 size = g_ascii_strtoll (text, &end, 10);

      if (end == text || size < 0 || size > G_MAXINT32 || shape->rank == DYNO_SHAPE_MAX_RANK)
        return FALSE;
      shape->dims[shape->rank++] = size;
      text = end;
    }
  return TRUE;
}

static DynoTensor *
read_npy (const char *path, const guint8 *data, gsize size, GError **error)
{
  gboolean is_first = size > NPY_START && data[6] == 1;
  gsize start = NPY_START + (is_first ? 2 : 4), length = 0;
  g_autofree char *header = NULL;
  DynoShape shape = { DYNO_DATA_TYPE_UNDEFINED, 0, { 0 } };
  const char *type;
  DynoTensor *tensor;

  for (gsize i = start; size > start && i > NPY_START; i--)
    length = length << 8 | data[i - 1];
  if (size <= start || length > size - start)
    return fail (error, path, _ ("The file was cut off. Save or download it again."));
  header = g_strndup ((const char *)data + start, length);
  type = find_member (header, "descr");
  for (guint i = 0; i < G_N_ELEMENTS (npy_types); i++)
    if ((g_str_has_prefix (type, "'<") || g_str_has_prefix (type, "'|")) &&
        strncmp (type + 2, npy_types[i].name, 2) == 0 && type[4] == '\'')
      shape.type = npy_types[i].type;
  if (shape.type == DYNO_DATA_TYPE_UNDEFINED)
    return fail (error, path, _ ("They are not little-endian numbers or truth values. Save them as such."));
  if (g_str_has_prefix (find_member (header, "fortran_order"), "True"))
    return fail (error, path, _ ("They are stored column by column. Save numpy.ascontiguousarray (values)."));
  if (!parse_npy_shape (find_member (header, "shape"), &shape) || dyno_shape_bytes (&shape) < 0)
    return fail (error, path,
                 _ ("The file does not say which shape they have. Save them again with numpy.save."));
  if ((gsize)dyno_shape_bytes (&shape) != size - start - length)
    return fail (error, path,
                 _ ("There are not as many as its shape says, so it is damaged. Save or download it again."));
  tensor = dyno_tensor_new ("", &shape);
  memcpy (dyno_tensor_get_data (tensor), data + start + length, dyno_tensor_get_size (tensor));
  return tensor;
}

static DynoTensor *
read_tensor (const char *path, const Onnx__TensorProto *proto, GError **error)
{
  DynoTensor *tensor;

  if (proto->data_type != DYNO_DATA_TYPE_STRING && !dyno_data_type_is_number ((DynoDataType)proto->data_type))
    return fail (error, path,
                 _ ("They are complex numbers, or of a type that Dyno does not know. Choose a model with "
                    "other types."));
  tensor = dyno_onnx_tensor_read (proto, proto->name != NULL ? proto->name : "");
  return tensor != NULL ? tensor
                        : fail (error, path,
                                _ ("There are not as many as its shape says, or they lie in another file. "
                                   "Save the tensor as a whole."));
}

static DynoTensor *
fail_to_parse (const char *path, GError **error)
{
  return fail (error, path, _ ("It is not a tensor of ONNX, or it was cut off. Save or download it again."));
}

static DynoTensor *
read_sequence (const char *path, const Dyno__Value *value, const char *name, GError **error)
{
  g_autoptr (GPtrArray) items = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_tensor_unref);

  for (gsize i = 0; i < value->n_tensors; i++)
    {
      DynoTensor *item = read_tensor (path, value->tensors[i], error);

      if (item == NULL)
        return NULL;
      g_ptr_array_add (items, item);
    }
  return dyno_tensor_new_sequence (name, g_steal_pointer (&items));
}

gboolean
dyno_tensor_file_is_raw (const char *path)
{
  return !g_str_has_suffix (path, NPY_ENDING) && !g_str_has_suffix (path, PB_ENDING);
}

static gboolean
is_npy (const guint8 *data, gsize size)
{
  return size >= strlen (NPY_MAGIC) && memcmp (data, NPY_MAGIC, strlen (NPY_MAGIC)) == 0;
}

DynoTensor *
dyno_tensor_file_read (const char *path, GError **error)
{
  g_autoptr (GBytes) bytes = map (path, error);
  g_autoptr (DynoArena) arena = dyno_arena_new ();
  gsize size;
  const guint8 *data;
  Onnx__TensorProto *proto;

  if (bytes == NULL)
    return NULL;
  data = g_bytes_get_data (bytes, &size);
  if (is_npy (data, size))
    return read_npy (path, data, size, error);
  proto = onnx__tensor_proto__unpack (dyno_arena_get_allocator (arena), size, data);
  return proto != NULL ? read_tensor (path, proto, error) : fail_to_parse (path, error);
}

DynoTensor *
dyno_tensor_file_read_value (const char *path, DynoDataType type, GError **error)
{
  g_autoptr (GBytes) bytes = map (path, error);
  g_autoptr (DynoArena) arena = dyno_arena_new ();
  gsize size;
  const guint8 *data = bytes != NULL ? g_bytes_get_data (bytes, &size) : NULL;
  Dyno__Value *value;

  if (bytes == NULL)
    return NULL;
  if (is_npy (data, size))
    {
      /* The tensor is the optional value, or the only element of a sequence. */
      DynoTensor *tensor = read_npy (path, data, size, error);
      GPtrArray *items;

      if (tensor == NULL || type == DYNO_DATA_TYPE_OPTIONAL)
        return tensor;
      items = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_tensor_unref);
      g_ptr_array_add (items, tensor);
      return dyno_tensor_new_sequence ("", items);
    }
  value = dyno__value__unpack (dyno_arena_get_allocator (arena), size, data);
  if (value == NULL)
    return fail_to_parse (path, error);
  const DynoShape absent = { DYNO_DATA_TYPE_OPTIONAL, 0, { 0 } };
  const char *name = value->name != NULL ? value->name : "";
  if (value->n_sequences > (type == DYNO_DATA_TYPE_OPTIONAL ? 1 : 0))
    return fail (error, path, _ ("They are sequences of sequences. Choose a model with plain tensors."));
  if (value->n_sequences == 1)
    return read_sequence (path, value->sequences[0], name, error);
  if (type == DYNO_DATA_TYPE_SEQUENCE)
    return read_sequence (path, value, name, error);
  if (value->n_tensors == 0)
    return dyno_tensor_new (name, &absent);
  g_autoptr (DynoTensor) first = read_tensor (path, value->tensors[0], error);
  return first != NULL ? dyno_tensor_rename (first, name) : NULL;
}

DynoTensor *
dyno_tensor_file_read_raw (const char *path, const char *name, const DynoShape *shape, GError **error)
{
  g_autoptr (GBytes) bytes = map (path, error);
  g_autofree char *expected = NULL;
  g_autofree char *reason = NULL;
  DynoTensor *tensor;

  if (bytes == NULL)
    return NULL;
  if (dyno_shape_bytes (shape) > 0 && (gsize)dyno_shape_bytes (shape) == g_bytes_get_size (bytes))
    {
      tensor = dyno_tensor_new (name, shape);
      memcpy (dyno_tensor_get_data (tensor), g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
      return tensor;
    }
  expected = dyno_shape_to_string (shape);
  reason = g_strdup_printf (_ ("The file has %" PRId64 " bytes, and the input is %s, which needs %" PRId64
                               ". Choose other sizes, or save the values as .npy."),
                            (gint64)g_bytes_get_size (bytes), expected, dyno_shape_bytes (shape));
  return fail (error, path, reason);
}
