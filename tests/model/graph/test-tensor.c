/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dyno-tensor-info.h"

static void
test_data_types (void)
{
  g_assert_cmpuint (dyno_data_type_get_size (DYNO_DATA_TYPE_INT64), ==, 8);
  g_assert_cmpuint (dyno_data_type_get_size (DYNO_DATA_TYPE_BFLOAT16), ==, 2);
  g_assert_cmpuint (dyno_data_type_get_size (DYNO_DATA_TYPE_STRING), ==, 0);
  g_assert_cmpstr (dyno_data_type_to_string (DYNO_DATA_TYPE_BFLOAT16), ==, "bfloat16");
  g_assert_cmpstr (dyno_data_type_to_string (DYNO_DATA_TYPE_FLOAT), ==, "float");
  g_assert_cmpstr (dyno_data_type_to_string ((DynoDataType)99), ==, "unknown");
}

static void
test_shapes (void)
{
  const DynoShape plain = { DYNO_DATA_TYPE_INT64, 2, { 3, 5 } };
  const DynoShape scalar = { DYNO_DATA_TYPE_FLOAT, 0, { 0 } };
  const DynoShape empty = { DYNO_DATA_TYPE_FLOAT, 3, { 2, 0, 4 } };
  const DynoShape huge = { DYNO_DATA_TYPE_FLOAT, 3, { 1 << 30, 1 << 30, 1 << 30 } };
  const DynoShape wide = { DYNO_DATA_TYPE_DOUBLE, 2, { G_GINT64_CONSTANT (1) << 40, 1 << 21 } };

  g_assert_cmpint (dyno_shape_count (&plain), ==, 15);
  g_assert_cmpint (dyno_shape_bytes (&plain), ==, 120);
  g_assert_cmpint (dyno_shape_count (&scalar), ==, 1);
  g_assert_cmpint (dyno_shape_bytes (&empty), ==, 0);
  g_assert_cmpint (dyno_shape_count (&huge), ==, -1);
  g_assert_cmpint (dyno_shape_count (&wide), ==, G_GINT64_CONSTANT (1) << 61);
  g_assert_cmpint (dyno_shape_bytes (&wide), ==, -1);
}

static void
test_shape_to_string (void)
{
  const DynoShape plain = { DYNO_DATA_TYPE_INT64, 2, { 3, -1 } };
  const DynoShape scalar = { DYNO_DATA_TYPE_FLOAT, 0, { 0 } };
  g_autofree char *of_plain = dyno_shape_to_string (&plain);
  g_autofree char *of_scalar = dyno_shape_to_string (&scalar);

  g_assert_cmpstr (of_plain, ==, "int64 [3, ?]");
  g_assert_cmpstr (of_scalar, ==, "float []");
}

static void
test_tensor (void)
{
  const DynoShape shape = { DYNO_DATA_TYPE_FLOAT, 2, { 3, 7 } };
  const DynoShape empty = { DYNO_DATA_TYPE_FLOAT, 1, { 0 } };
  g_autoptr (DynoTensor) tensor = dyno_tensor_new ("x", &shape);
  g_autoptr (DynoTensor) other = dyno_tensor_ref (tensor);
  g_autoptr (DynoTensor) nothing = dyno_tensor_new ("y", &empty);

  g_assert_true (other == tensor);
  g_assert_cmpstr (dyno_tensor_get_name (tensor), ==, "x");
  g_assert_cmpuint (dyno_tensor_get_size (tensor), ==, 84);
  g_assert_cmpuint ((guintptr)dyno_tensor_get_data (tensor) % 64, ==, 0);
  for (guint i = 0; i < 21; i++)
    g_assert_cmpfloat (((float *)dyno_tensor_get_data (tensor))[i], ==, 0);
  g_assert_cmpuint (dyno_tensor_get_size (nothing), ==, 0);
  g_assert_nonnull (dyno_tensor_get_data (nothing));
}

static void
test_info (void)
{
  g_autoptr (DynoTensorInfo) info = dyno_tensor_info_new ("pixel_values", DYNO_DATA_TYPE_FLOAT);
  g_autofree char *text = NULL;

  dyno_tensor_info_add_symbol (info, "batch");
  dyno_tensor_info_add_size (info, 3);
  text = dyno_tensor_info_to_string (info);
  g_assert_cmpstr (text, ==, "pixel_values: float [batch, 3]");
  g_assert_cmpuint (dyno_tensor_info_get_rank (info), ==, 2);
  g_assert_cmpstr (dyno_tensor_info_get_symbol (info, 0), ==, "batch");
  g_assert_cmpint (dyno_tensor_info_get_size (info, 0), ==, -1);
  g_assert_null (dyno_tensor_info_get_symbol (info, 1));
  g_assert_cmpint (dyno_tensor_info_get_size (info, 1), ==, 3);
}

/* “No shape” is not the shape of a scalar. */
static void
test_info_of_any_shape (void)
{
  g_autoptr (DynoTensorInfo) scalar = dyno_tensor_info_new ("y", DYNO_DATA_TYPE_FLOAT);
  g_autoptr (DynoTensorInfo) any = dyno_tensor_info_new_of_any_shape ("y", DYNO_DATA_TYPE_FLOAT);
  g_autofree char *scalar_text = dyno_tensor_info_to_string (scalar);
  g_autofree char *any_text = dyno_tensor_info_to_string (any);

  g_assert_true (dyno_tensor_info_has_shape (scalar));
  g_assert_false (dyno_tensor_info_has_shape (any));
  g_assert_cmpstr (scalar_text, ==, "y: float []");
  g_assert_cmpstr (any_text, ==, "y: float, any shape");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/tensor/data-types", test_data_types);
  g_test_add_func ("/tensor/shapes", test_shapes);
  g_test_add_func ("/tensor/shape-to-string", test_shape_to_string);
  g_test_add_func ("/tensor/tensor", test_tensor);
  g_test_add_func ("/tensor/info", test_info);
  g_test_add_func ("/tensor/info-of-any-shape", test_info_of_any_shape);
  return g_test_run ();
}
