/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "dyno-binding.h"
#include "dyno-error.h"
#include "dyno-input-values.h"
#include "dyno-inputs.h"
#include "dyno-onnx-file.h"
#include "model-test.h"
#include "suite.h"

typedef struct
{
  char *folder;
  GPtrArray *inputs;
} Fixture;

static DynoTensorInfo *
add_info (GPtrArray *infos, const char *name, DynoDataType type, const char *symbol, gint64 size)
{
  DynoTensorInfo *info = dyno_tensor_info_new (name, type);

  if (symbol != NULL)
    dyno_tensor_info_add_symbol (info, symbol);
  if (size > 0)
    dyno_tensor_info_add_size (info, size);
  g_ptr_array_add (infos, info);
  return info;
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->folder = model_test_make_folder ();
  fixture->inputs = g_ptr_array_new_with_free_func (g_object_unref);
  add_info (fixture->inputs, "sr", DYNO_DATA_TYPE_INT64, NULL, 0);
  add_info (fixture->inputs, "x", DYNO_DATA_TYPE_FLOAT, "batch", 3);
  add_info (fixture->inputs, "small", DYNO_DATA_TYPE_UINT8, NULL, 2);
  add_info (fixture->inputs, "text", DYNO_DATA_TYPE_STRING, "n", 0);
  add_info (fixture->inputs, "tiny", DYNO_DATA_TYPE_FLOAT8E4M3FN, NULL, 2);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_ptr_array_unref (fixture->inputs);
  model_test_remove_folder (fixture->folder);
}

static DynoInputValues *
parse (Fixture *fixture, const char *text)
{
  g_autoptr (GError) error = NULL;
  DynoInputValues *values = dyno_input_values_new (text, fixture->inputs, &error);

  g_assert_no_error (error);
  return values;
}

static void
test_numbers (Fixture *fixture, gconstpointer data)
{
  const DynoShape scalar = { DYNO_DATA_TYPE_INT64, 0, { 0 } }, pair = { DYNO_DATA_TYPE_FLOAT, 2, { 2, 3 } };
  g_autoptr (DynoInputValues) values = parse (fixture, "sr=8000; x=1,2,3,4,5,6.5;sr=16000");
  g_autoptr (DynoTensor) sr = dyno_input_values_create (values, "sr", &scalar, NULL);
  g_autoptr (DynoTensor) x = dyno_input_values_create (values, "x", &pair, NULL);
  g_autofree char *description = dyno_input_values_dup_description (values);

  g_assert_cmpint (dyno_tensor_get_integer (sr, 0), ==, 16000);
  g_assert_cmpfloat (dyno_tensor_get_number (x, 5), ==, 6.5);
  g_assert_true (dyno_input_values_has (values, "x"));
  g_assert_false (dyno_input_values_has (values, "small"));
  g_assert_cmpstr (description, ==, "x = 1,2,3,4,5,6.5, sr = 16000");
}

static void
assert_unfit (Fixture *fixture, const char *text, const char *name, const DynoShape *shape)
{
  g_autoptr (DynoInputValues) values = parse (fixture, text);
  g_autoptr (GError) error = NULL;

  g_assert_null (dyno_input_values_create (values, name, shape, &error));
  suite_assert_error (error, DYNO_ERROR_INVALID_ARGUMENT, name);
}

static void
test_unfit (Fixture *fixture, gconstpointer data)
{
  const DynoShape scalar = { DYNO_DATA_TYPE_INT64, 0, { 0 } }, bytes = { DYNO_DATA_TYPE_UINT8, 1, { 2 } };
  const DynoShape texts = { DYNO_DATA_TYPE_STRING, 1, { 2 } }, reals = { DYNO_DATA_TYPE_FLOAT, 2, { 1, 3 } };
  const DynoShape tiny = { DYNO_DATA_TYPE_FLOAT8E4M3FN, 1, { 2 } };

  assert_unfit (fixture, "sr=fast", "sr", &scalar);
  assert_unfit (fixture, "sr=0.5", "sr", &scalar);
  assert_unfit (fixture, "sr=1,2", "sr", &scalar);
  assert_unfit (fixture, "sr=", "sr", &scalar);
  assert_unfit (fixture, "small=300", "small", &bytes);
  assert_unfit (fixture, "small=1,-1", "small", &bytes);
  assert_unfit (fixture, "x=nan", "x", &reals);
  assert_unfit (fixture, "x=1e39", "x", &reals);
  assert_unfit (fixture, "tiny=1,1000", "tiny", &tiny);
  assert_unfit (fixture, "text=[\"a\"]", "text", &texts);
}

static void
test_no_such_input (Fixture *fixture, gconstpointer data)
{
  const char *const texts[] = { "rate=1", "sr", "=1" };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (dyno_input_values_new (texts[i], fixture->inputs, &error));
      g_assert_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT);
    }
}

/* A text is for all elements, and may have semicolons in quotation marks only. */
static void
test_texts (Fixture *fixture, gconstpointer data)
{
  const DynoShape shape = { DYNO_DATA_TYPE_STRING, 1, { 2 } };
  g_autoptr (DynoInputValues) same = parse (fixture, "text=hello, world");
  g_autoptr (DynoInputValues) list = parse (fixture, "text=[\"a;b\", \"c\"];sr=1");
  g_autoptr (DynoTensor) of_same = dyno_input_values_create (same, "text", &shape, NULL);
  g_autoptr (DynoTensor) of_list = dyno_input_values_create (list, "text", &shape, NULL);

  g_assert_cmpstr (dyno_tensor_get_texts (of_same)[1], ==, "hello, world");
  g_assert_cmpstr (dyno_tensor_get_texts (of_list)[0], ==, "a;b");
  g_assert_true (dyno_input_values_has (list, "sr"));
}

static void
assert_dimensions (Fixture *fixture, const char *text, const char *given, const char *expected)
{
  g_autoptr (DynoInputValues) values = parse (fixture, text);
  g_autofree char *dimensions = dyno_input_values_dup_dimensions (values, given);

  g_assert_cmpstr (dimensions, ==, expected);
}

/* A list says how long the free dimension is, a single number does not; a size that is given stays. */
static void
test_dimensions (Fixture *fixture, gconstpointer data)
{
  assert_dimensions (fixture, "x=1,2,3,4,5,6", NULL, "batch=2");
  assert_dimensions (fixture, "x=1,2,3,4,5,6", "n=7", "batch=2,n=7");
  assert_dimensions (fixture, "x=1,2,3,4,5,6", "batch=4", "batch=4");
  assert_dimensions (fixture, "x=1", NULL, "");
  assert_dimensions (fixture, "x=1,2,3,4", "", "");
  assert_dimensions (fixture, NULL, "batch=4", "batch=4");
}

static void
save_vector (Fixture *fixture, const char *file, const char *name, gint64 rows, const float *values)
{
  Onnx__TensorProto proto = ONNX__TENSOR_PROTO__INIT;
  gint64 dims[] = { rows, 3 };
  g_autofree char *path = g_build_filename (fixture->folder, file, NULL);
  g_autofree guint8 *bytes = NULL;
  gsize size;

  proto.name = (char *)name;
  proto.has_data_type = TRUE;
  proto.data_type = DYNO_DATA_TYPE_FLOAT;
  proto.dims = dims;
  proto.n_dims = 2;
  proto.float_data = (float *)values;
  proto.n_float_data = (gsize)rows * 3;
  size = onnx__tensor_proto__get_packed_size (&proto);
  bytes = g_malloc (size);
  onnx__tensor_proto__pack (&proto, bytes);
  g_assert_true (g_file_set_contents (path, (const char *)bytes, (gssize)size, NULL));
}

/* The file of a vector has the name of its input, or that of its place. */
static void
test_folder (Fixture *fixture, gconstpointer data)
{
  const float values[] = { 1, 2, 3, 4, 5, 6 };
  const DynoShape shape = { DYNO_DATA_TYPE_FLOAT16, 2, { 2, 3 } },
                  other = { DYNO_DATA_TYPE_FLOAT, 2, { 1, 3 } };
  g_autofree char *text = g_strconcat ("@", fixture->folder, NULL);
  g_autofree char *found = dyno_input_values_find_folder (text);
  g_autoptr (GPtrArray) outputs = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) expected = NULL;
  g_autoptr (DynoInputValues) values_of_folder = NULL;
  g_autoptr (DynoTensor) tensor = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *dimensions = NULL;

  add_info (outputs, "y", DYNO_DATA_TYPE_FLOAT, "batch", 3);
  save_vector (fixture, "input_0.pb", "x", 2, values);
  save_vector (fixture, "output_0.pb", "somewhat", 2, values);
  g_assert_cmpstr (found, ==, fixture->folder);
  values_of_folder = parse (fixture, text);
  dimensions = dyno_input_values_dup_dimensions (values_of_folder, NULL);
  g_assert_cmpstr (dimensions, ==, "batch=2");
  tensor = dyno_input_values_create (values_of_folder, "x", &shape, &error);
  g_assert_no_error (error);
  g_assert_cmpfloat (dyno_tensor_get_number (tensor, 5), ==, 6);
  g_assert_null (dyno_input_values_create (values_of_folder, "x", &other, &error));
  suite_assert_error (error, DYNO_ERROR_INVALID_ARGUMENT, "float [2, 3]");
  expected = dyno_input_values_load_outputs (fixture->folder, outputs, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (expected->len, ==, 1);
  g_assert_cmpstr (dyno_tensor_get_name (expected->pdata[0]), ==, "y");
}

/* A file for one precision may hold numbers that another does not have. */
static void
test_too_large (Fixture *fixture, gconstpointer data)
{
  const float values[] = { 1, 2, 70000 };
  const DynoShape single = { DYNO_DATA_TYPE_FLOAT, 2, { 1, 3 } },
                  half = { DYNO_DATA_TYPE_FLOAT16, 2, { 1, 3 } };
  g_autofree char *text = g_strdup_printf ("x=@%s/x.pb", fixture->folder);
  g_autoptr (DynoInputValues) given = NULL;
  g_autoptr (DynoTensor) tensor = NULL;
  g_autoptr (GError) error = NULL;

  save_vector (fixture, "x.pb", "x", 1, values);
  given = parse (fixture, text);
  tensor = dyno_input_values_create (given, "x", &single, &error);
  g_assert_no_error (error);
  g_assert_null (dyno_input_values_create (given, "x", &half, &error));
  suite_assert_error (error, DYNO_ERROR_INVALID_ARGUMENT, "“70000”");
}

static GPtrArray *
create (Onnx__ModelProto *model, Fixture *fixture, char **choices)
{
  g_autofree char *path = NULL;
  g_autoptr (DynoModelDescription) description = NULL;
  g_autoptr (GHashTable) binding = NULL;
  g_autoptr (GError) error = NULL;
  GPtrArray *tensors;

  path = model_test_onnx_save (model, fixture->folder, "m.onnx");
  description = dyno_onnx_file_describe (path, &error);
  g_assert_no_error (error);
  binding = dyno_binding_new (description->inputs, 2, 5, "frames=77", &error);
  g_assert_no_error (error);
  tensors = dyno_inputs_create (description, binding, DYNO_INPUTS_ALL, NULL, 1, &error);
  g_assert_no_error (error);
  *choices = dyno_inputs_dup_choices (description, binding, NULL, 1);
  return tensors;
}

/* An input that the graph compares with a constant chooses a branch; lengths are those of their neighbour. */
static void
test_guesses (Fixture *fixture, gconstpointer data)
{
  g_autoptr (Onnx__ModelProto) model = model_test_onnx_new ();
  g_autoptr (GPtrArray) tensors = NULL;
  g_autofree char *choices = NULL;
  Onnx__TensorProto *rate;

  model_test_onnx_add_input (model, "mode", DYNO_DATA_TYPE_INT64, "1");
  model_test_onnx_add_input (model, "waveforms", DYNO_DATA_TYPE_FLOAT, "batch, frames");
  model_test_onnx_add_input (model, "waveforms_lens", DYNO_DATA_TYPE_INT64, "batch");
  model_test_onnx_add_input (model, "sr", DYNO_DATA_TYPE_INT64, "1");
  model_test_onnx_add_input (model, "score_threshold", DYNO_DATA_TYPE_FLOAT, "1");
  model_test_onnx_add_input (model, "max_boxes", DYNO_DATA_TYPE_INT64, "1");
  model_test_onnx_add_input (model, "image", DYNO_DATA_TYPE_FLOAT, "1, 3, 48, 192");
  model_test_onnx_add_input (model, "im_shape", DYNO_DATA_TYPE_FLOAT, "1, 2");
  rate = model_test_onnx_add_weight (model, "eight", DYNO_DATA_TYPE_INT64, 1, 0);
  *(gint64 *)(gpointer)rate->raw_data.data = 8000;
  model_test_onnx_add_node (model, "Cast", "cast", "mode", NULL);
  model_test_onnx_add_node (model, "Equal", "is_eight", "cast", "eight", NULL);
  model_test_onnx_add_output (model, "is_eight", "1");
  tensors = create (model, fixture, &choices);
  g_assert_cmpint (dyno_tensor_get_integer (tensors->pdata[0], 0), ==, 8000);
  g_assert_cmpint (dyno_tensor_get_integer (tensors->pdata[2], 1), ==, 77);
  g_assert_cmpint (dyno_tensor_get_integer (tensors->pdata[3], 0), ==, 16000);
  g_assert_cmpfloat (dyno_tensor_get_number (tensors->pdata[4], 0), ==, 0.5);
  g_assert_cmpint (dyno_tensor_get_integer (tensors->pdata[5], 0), >, 0);
  g_assert_cmpfloat (dyno_tensor_get_number (tensors->pdata[7], 0), ==, 48);
  g_assert_cmpfloat (dyno_tensor_get_number (tensors->pdata[7], 1), ==, 192);
  g_assert_cmpstr (choices, ==,
                   "mode = 8000, waveforms_lens = 77,77, sr = 16000, score_threshold = 0.5, max_boxes = 10, "
                   "im_shape = 48,192");
}

static const SuiteFixtureTest (Fixture) tests[] = {
  { "/input-values/numbers", test_numbers },
  { "/input-values/unfit", test_unfit },
  { "/input-values/no-such-input", test_no_such_input },
  { "/input-values/texts", test_texts },
  { "/input-values/dimensions", test_dimensions },
  { "/input-values/folder", test_folder },
  { "/input-values/too-large", test_too_large },
  { "/input-values/guesses", test_guesses },
};

SUITE_FIXTURE_TESTS (tests, Fixture, set_up, tear_down)
