/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "dyno-error.h"
#include "dyno-model-onnx-private.h"
#include "model-test.h"
#include "suite.h"

typedef struct
{
  char *folder;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->folder = model_test_make_folder ();
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  model_test_remove_folder (fixture->folder);
}

static char *
save (Fixture *fixture, const char *name, gconstpointer bytes, gsize size)
{
  char *path = g_build_filename (fixture->folder, name, NULL);
  g_autoptr (GError) error = NULL;

  g_file_set_contents (path, bytes, (gssize)size, &error);
  g_assert_no_error (error);
  return path;
}

static char *
save_npy (Fixture *fixture, const char *header, gconstpointer values, gsize size)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  const guint8 length[] = { (guint8)strlen (header), 0 };

  g_byte_array_append (bytes, (const guint8 *)"\x93NUMPY\1\0", 8);
  g_byte_array_append (bytes, length, sizeof length);
  g_byte_array_append (bytes, (const guint8 *)header, (guint)strlen (header));
  g_byte_array_append (bytes, values, (guint)size);
  return save (fixture, "x.npy", bytes->data, bytes->len);
}

static void
test_npy (Fixture *fixture, gconstpointer data)
{
  const float values[] = { 1, 2, 3, 4, 5, 6.5f };
  g_autofree char *path = save_npy (fixture, "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }\n",
                                    values, sizeof values);
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoTensor) tensor = dyno_tensor_file_read (path, &error);
  g_autofree char *shape = NULL;

  g_assert_no_error (error);
  shape = dyno_shape_to_string (dyno_tensor_get_shape (tensor));
  g_assert_cmpstr (shape, ==, "float [2, 3]");
  g_assert_cmpfloat (dyno_tensor_get_number (tensor, 5), ==, 6.5);
}

static void
assert_refused (Fixture *fixture, const char *header, gsize size, const char *word)
{
  const guint8 values[64] = { 0 };
  g_autofree char *path = save_npy (fixture, header, values, size);
  g_autoptr (GError) error = NULL;

  g_assert_null (dyno_tensor_file_read (path, &error));
  suite_assert_error (error, DYNO_ERROR_INVALID_DATA, word);
}

/* A header may promise more than any memory, or nothing that makes sense. */
static void
test_hostile_npy (Fixture *fixture, gconstpointer data)
{
  assert_refused (fixture, "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }", 23, "not as many");
  assert_refused (fixture, "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }", 25, "not as many");
  assert_refused (fixture, "{'descr': '<f8', 'fortran_order': False, 'shape': (2147483647, 100), }", 8,
                  "not as many");
  assert_refused (fixture, "{'descr': '<f8', 'fortran_order': False, 'shape': (9999999999999, 2), }", 8,
                  "shape");
  assert_refused (fixture, "{'descr': '<f4', 'fortran_order': False, 'shape': (-1,), }", 4, "shape");
  assert_refused (fixture, "{'descr': '<f4', 'fortran_order': False, 'shape': (1,1,1,1,1,1,1,1,1), }", 4,
                  "shape");
  assert_refused (fixture, "{'descr': '<f4', 'fortran_order': False, 'shape': (1", 4, "shape");
  assert_refused (fixture, "{'descr': '<f4', 'fortran_order': True, 'shape': (1,), }", 4, "column");
  assert_refused (fixture, "{'descr': '>f4', 'fortran_order': False, 'shape': (1,), }", 4, "little-endian");
  assert_refused (fixture, "{'descr': '|O', 'fortran_order': False, 'shape': (1,), }", 4, "little-endian");
  assert_refused (fixture, "", 0, "cut off");
  assert_refused (fixture, "{}", 4, "little-endian");
}

/* Every beginning of a file is refused. */
static void
test_cut_npy (Fixture *fixture, gconstpointer data)
{
  const float value = 1;
  g_autofree char *path =
      save_npy (fixture, "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }", &value, sizeof value);
  g_autofree char *bytes = NULL;
  gsize size;

  g_assert_true (g_file_get_contents (path, &bytes, &size, NULL));
  for (gsize length = 1; length < size; length++)
    {
      g_autofree char *cut = save (fixture, "cut.npy", bytes, length);
      g_autoptr (GError) error = NULL;

      g_assert_null (dyno_tensor_file_read (cut, &error));
      g_assert_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA);
    }
}

static Onnx__TensorProto
describe_proto (gint64 *dims, gsize n_dims, DynoDataType type)
{
  Onnx__TensorProto proto = ONNX__TENSOR_PROTO__INIT;

  proto.name = (char *)"x";
  proto.has_data_type = TRUE;
  proto.data_type = type;
  proto.dims = dims;
  proto.n_dims = n_dims;
  return proto;
}

static DynoTensor *
read_proto (Fixture *fixture, const Onnx__TensorProto *proto, GError **error)
{
  gsize size = onnx__tensor_proto__get_packed_size (proto);
  g_autofree guint8 *bytes = g_malloc (size + 1);
  g_autofree char *path = NULL;

  onnx__tensor_proto__pack (proto, bytes);
  path = save (fixture, "x.pb", bytes, size);
  return dyno_tensor_file_read (path, error);
}

/* Values stand as raw bytes, or one by one in a field of their own. */
static void
test_proto (Fixture *fixture, gconstpointer data)
{
  gint64 dims[] = { 2 }, whole[] = { 7, -8 };
  gint32 halves[] = { 0x3c00, 0x4000 };
  ProtobufCBinaryData texts[] = { { 2, (guint8 *)"hi" }, { 0, NULL } };
  Onnx__TensorProto of_whole = describe_proto (dims, 1, DYNO_DATA_TYPE_INT64);
  Onnx__TensorProto of_halves = describe_proto (dims, 1, DYNO_DATA_TYPE_FLOAT16);
  Onnx__TensorProto of_texts = describe_proto (dims, 1, DYNO_DATA_TYPE_STRING);
  g_autoptr (DynoTensor) first = NULL;
  g_autoptr (DynoTensor) second = NULL;
  g_autoptr (DynoTensor) third = NULL;

  of_whole.int64_data = whole;
  of_whole.n_int64_data = 2;
  of_halves.int32_data = halves;
  of_halves.n_int32_data = 2;
  of_texts.string_data = texts;
  of_texts.n_string_data = 2;
  first = read_proto (fixture, &of_whole, NULL);
  second = read_proto (fixture, &of_halves, NULL);
  third = read_proto (fixture, &of_texts, NULL);
  g_assert_cmpstr (dyno_tensor_get_name (first), ==, "x");
  g_assert_cmpint (dyno_tensor_get_integer (first, 1), ==, -8);
  g_assert_cmpfloat (dyno_tensor_get_number (second, 1), ==, 2);
  g_assert_cmpstr (dyno_tensor_get_texts (third)[0], ==, "hi");
  g_assert_cmpstr (dyno_tensor_get_texts (third)[1], ==, "");
}

static void
assert_proto_refused (Fixture *fixture, const Onnx__TensorProto *proto)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (read_proto (fixture, proto, &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA);
}

/* Numbers of less than a byte stand as bytes of several, also in the field of integers. */
static void
test_small_proto (Fixture *fixture, gconstpointer data)
{
  gint64 dims[] = { 3 };
  gint32 numbers[] = { 0x21, 0x0f };
  guint8 bytes[] = { 0x38, 0x40, 0xb8 };
  Onnx__TensorProto of_halves = describe_proto (dims, 1, DYNO_DATA_TYPE_INT4);
  Onnx__TensorProto of_bytes = describe_proto (dims, 1, DYNO_DATA_TYPE_FLOAT8E4M3FN);
  g_autoptr (DynoTensor) first = NULL;
  g_autoptr (DynoTensor) second = NULL;

  of_halves.int32_data = numbers;
  of_halves.n_int32_data = 2;
  of_bytes.has_raw_data = TRUE;
  of_bytes.raw_data = (ProtobufCBinaryData){ sizeof bytes, bytes };
  first = read_proto (fixture, &of_halves, NULL);
  second = read_proto (fixture, &of_bytes, NULL);
  g_assert_cmpint (dyno_tensor_get_integer (first, 1), ==, 2);
  g_assert_cmpint (dyno_tensor_get_integer (first, 2), ==, -1);
  g_assert_cmpfloat (dyno_tensor_get_number (second, 2), ==, -1);
  of_halves.n_int32_data = 1;
  g_assert_null (read_proto (fixture, &of_halves, NULL));
}

/* A tensor of float 5, alone, in a sequence, and in a sequence of sequences. */
static const char lone[] = "\x1a\x08\x10\x01\x22\x04\0\0\xa0\x40";
static const char nested[] = "\x2a\x0a\x1a\x08\x10\x01\x22\x04\0\0\xa0\x40";

/* The model says whether it is a sequence or an optional value. */
static void
test_values (Fixture *fixture, gconstpointer data)
{
  g_autofree char *one = save (fixture, "one.pb", lone, sizeof lone - 1);
  g_autofree char *inner = save (fixture, "inner.pb", nested, sizeof nested - 1);
  g_autofree char *none = save (fixture, "none.pb", "\x10\x01", 2);
  g_autoptr (DynoTensor) sequence = dyno_tensor_file_read_value (one, DYNO_DATA_TYPE_SEQUENCE, NULL);
  g_autoptr (DynoTensor) tensor = dyno_tensor_file_read_value (one, DYNO_DATA_TYPE_OPTIONAL, NULL);
  g_autoptr (DynoTensor) optional = dyno_tensor_file_read_value (inner, DYNO_DATA_TYPE_OPTIONAL, NULL);
  g_autoptr (DynoTensor) empty = dyno_tensor_file_read_value (none, DYNO_DATA_TYPE_SEQUENCE, NULL);
  g_autoptr (DynoTensor) absent = dyno_tensor_file_read_value (none, DYNO_DATA_TYPE_OPTIONAL, NULL);
  g_autoptr (GError) error = NULL;

  g_assert_cmpuint (dyno_tensor_get_items (sequence)->len, ==, 1);
  g_assert_cmpfloat (dyno_tensor_get_number (dyno_tensor_get_items (sequence)->pdata[0], 0), ==, 5);
  g_assert_cmpfloat (dyno_tensor_get_number (tensor, 0), ==, 5);
  g_assert_cmpuint (dyno_tensor_get_items (optional)->len, ==, 1);
  g_assert_cmpuint (dyno_tensor_get_items (empty)->len, ==, 0);
  g_assert_cmpint (dyno_tensor_get_shape (absent)->type, ==, DYNO_DATA_TYPE_OPTIONAL);
  g_assert_null (dyno_tensor_file_read_value (inner, DYNO_DATA_TYPE_SEQUENCE, &error));
  suite_assert_error (error, DYNO_ERROR_INVALID_DATA, "sequences of sequences");
}

/* A file of NumPy is the optional value, or a sequence of one. */
static void
test_npy_value (Fixture *fixture, gconstpointer data)
{
  const float values[] = { 1, 5 };
  g_autofree char *path = save_npy (fixture, "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }\n",
                                    values, sizeof values);
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoTensor) sequence = dyno_tensor_file_read_value (path, DYNO_DATA_TYPE_SEQUENCE, &error);
  g_autoptr (DynoTensor) optional = dyno_tensor_file_read_value (path, DYNO_DATA_TYPE_OPTIONAL, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (dyno_tensor_get_items (sequence)->len, ==, 1);
  g_assert_cmpfloat (dyno_tensor_get_number (dyno_tensor_get_items (sequence)->pdata[0], 1), ==, 5);
  g_assert_cmpfloat (dyno_tensor_get_number (optional, 1), ==, 5);
}

static void
test_cut_values (Fixture *fixture, gconstpointer data)
{
  for (gsize length = 1; length < sizeof nested - 1; length++)
    {
      g_autofree char *path = save (fixture, "cut.pb", nested, length);
      g_autoptr (GError) error = NULL;

      g_assert_null (dyno_tensor_file_read_value (path, DYNO_DATA_TYPE_OPTIONAL, &error));
      g_assert_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA);
    }
}

/* Nothing, complex numbers, and a type of the future. */
static void
test_unknown_type (Fixture *fixture, gconstpointer data)
{
  static const int types[] = { DYNO_DATA_TYPE_UNDEFINED, 14, 99 };
  gint64 dims[] = { 1 };
  guint8 byte = 0;

  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    {
      Onnx__TensorProto proto = describe_proto (dims, 1, types[i]);
      g_autoptr (GError) error = NULL;

      proto.has_raw_data = TRUE;
      proto.raw_data = (ProtobufCBinaryData){ 1, &byte };
      g_assert_null (read_proto (fixture, &proto, &error));
      suite_assert_error (error, DYNO_ERROR_INVALID_DATA, "a type that Dyno does not know");
    }
}

static void
test_hostile_proto (Fixture *fixture, gconstpointer data)
{
  gint64 huge[] = { G_MAXINT64, 2 }, below[] = { -1 }, many[9] = { 1, 1, 1, 1, 1, 1, 1, 1, 1 },
         large[] = { 1 << 30 };
  guint8 bytes[4] = { 0 };
  Onnx__TensorProto of_huge = describe_proto (huge, 2, DYNO_DATA_TYPE_FLOAT);
  Onnx__TensorProto of_below = describe_proto (below, 1, DYNO_DATA_TYPE_FLOAT);
  Onnx__TensorProto of_many = describe_proto (many, 9, DYNO_DATA_TYPE_FLOAT);
  Onnx__TensorProto of_large = describe_proto (large, 1, DYNO_DATA_TYPE_STRING);
  Onnx__TensorProto elsewhere = describe_proto (large, 0, DYNO_DATA_TYPE_FLOAT);

  of_many.has_raw_data = of_huge.has_raw_data = elsewhere.has_raw_data = TRUE;
  of_many.raw_data.data = of_huge.raw_data.data = elsewhere.raw_data.data = bytes;
  of_many.raw_data.len = of_huge.raw_data.len = elsewhere.raw_data.len = sizeof bytes;
  elsewhere.has_data_location = TRUE;
  elsewhere.data_location = ONNX__TENSOR_PROTO__DATA_LOCATION__EXTERNAL;
  assert_proto_refused (fixture, &of_huge);
  assert_proto_refused (fixture, &of_below);
  assert_proto_refused (fixture, &of_many);
  assert_proto_refused (fixture, &of_large);
  assert_proto_refused (fixture, &elsewhere);
}

static void
test_raw (Fixture *fixture, gconstpointer data)
{
  const gint16 values[] = { 1, -2 };
  const DynoShape fitting = { DYNO_DATA_TYPE_INT16, 1, { 2 } }, larger = { DYNO_DATA_TYPE_INT16, 1, { 3 } };
  g_autofree char *path = save (fixture, "x.bin", values, sizeof values);
  g_autoptr (DynoTensor) tensor = dyno_tensor_file_read_raw (path, "x", &fitting, NULL);
  g_autoptr (GError) error = NULL;

  g_assert_true (dyno_tensor_file_is_raw (path));
  g_assert_cmpint (dyno_tensor_get_integer (tensor, 1), ==, -2);
  g_assert_null (dyno_tensor_file_read_raw (path, "x", &larger, &error));
  suite_assert_error (error, DYNO_ERROR_INVALID_DATA, "4 bytes");
}

/* A folder, a device or nothing at all would be read without end, or not at all. */
static void
test_no_file (Fixture *fixture, gconstpointer data)
{
  const char *const paths[] = { "/dev/zero", "/nowhere/x.npy", fixture->folder };

  for (guint i = 0; i < G_N_ELEMENTS (paths); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (dyno_tensor_file_read (paths[i], &error));
      suite_assert_error (error, DYNO_ERROR_INVALID_DATA, "no such file");
    }
}

static const SuiteFixtureTest (Fixture) tests[] = {
  { "/tensor-file/npy", test_npy },
  { "/tensor-file/hostile-npy", test_hostile_npy },
  { "/tensor-file/cut-npy", test_cut_npy },
  { "/tensor-file/proto", test_proto },
  { "/tensor-file/small-proto", test_small_proto },
  { "/tensor-file/values", test_values },
  { "/tensor-file/npy-value", test_npy_value },
  { "/tensor-file/cut-values", test_cut_values },
  { "/tensor-file/unknown-type", test_unknown_type },
  { "/tensor-file/hostile-proto", test_hostile_proto },
  { "/tensor-file/raw", test_raw },
  { "/tensor-file/no-file", test_no_file },
};

SUITE_FIXTURE_TESTS (tests, Fixture, set_up, tear_down)
