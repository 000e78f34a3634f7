/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "dyno-model-graph-private.h"
#include "dyno-tensor-info.h"
#include "suite.h"

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

/* Of each type some codes with their values: one, the smallest and the largest number. */
static void
test_small_floats (void)
{
  static const struct
  {
    DynoDataType type;
    guint8 bits;
    double number;
  } codes[] = {
    { DYNO_DATA_TYPE_FLOAT8E4M3FN, 0x38, 1 },     { DYNO_DATA_TYPE_FLOAT8E4M3FN, 0x81, -0x1p-9 },
    { DYNO_DATA_TYPE_FLOAT8E4M3FN, 0x7e, 448 },   { DYNO_DATA_TYPE_FLOAT8E4M3FNUZ, 0x40, 1 },
    { DYNO_DATA_TYPE_FLOAT8E4M3FNUZ, 0x7f, 240 }, { DYNO_DATA_TYPE_FLOAT8E5M2, 0x3c, 1 },
    { DYNO_DATA_TYPE_FLOAT8E5M2, 0x01, 0x1p-16 }, { DYNO_DATA_TYPE_FLOAT8E5M2, 0xfb, -57344 },
    { DYNO_DATA_TYPE_FLOAT8E5M2FNUZ, 0x40, 1 },   { DYNO_DATA_TYPE_FLOAT8E5M2FNUZ, 0x7f, 57344 },
    { DYNO_DATA_TYPE_FLOAT4E2M1, 0x1, 0.5 },      { DYNO_DATA_TYPE_FLOAT4E2M1, 0xf, -6 },
    { DYNO_DATA_TYPE_FLOAT8E8M0, 0x7f, 1 },       { DYNO_DATA_TYPE_FLOAT8E8M0, 0x00, 0x1p-127 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (codes); i++)
    {
      g_assert_cmpfloat (dyno_small_float_decode (codes[i].type, codes[i].bits), ==, codes[i].number);
      g_assert_cmphex (dyno_small_float_encode (codes[i].type, codes[i].number), ==, codes[i].bits);
    }
  g_assert_cmphex (dyno_small_float_encode (DYNO_DATA_TYPE_FLOAT8E4M3FN, 1.0625), ==, 0x38); /* to even */
  g_assert_cmphex (dyno_small_float_encode (DYNO_DATA_TYPE_FLOAT8E4M3FN, 1.1), ==, 0x39);
  g_assert_cmphex (dyno_small_float_encode (DYNO_DATA_TYPE_FLOAT8E4M3FN, -1e9), ==, 0xfe);
  g_assert_cmphex (dyno_small_float_encode (DYNO_DATA_TYPE_FLOAT8E4M3FNUZ, -0.0), ==, 0);
}

/* What is no finite number, and that every code comes back from its number. */
/* A number beyond the largest of a type is not rounded to it without a word. */
static void
test_ranges (void)
{
  static const struct
  {
    DynoDataType type;
    double number;
    gboolean is_held;
  } numbers[] = {
    { DYNO_DATA_TYPE_FLOAT8E4M3FN, 448, TRUE },    { DYNO_DATA_TYPE_FLOAT8E4M3FN, 449, FALSE },
    { DYNO_DATA_TYPE_FLOAT8E4M3FN, -449, FALSE },  { DYNO_DATA_TYPE_FLOAT8E4M3FN, INFINITY, FALSE },
    { DYNO_DATA_TYPE_FLOAT8E4M3FN, NAN, TRUE },    { DYNO_DATA_TYPE_FLOAT8E4M3FNUZ, 240, TRUE },
    { DYNO_DATA_TYPE_FLOAT8E4M3FNUZ, 241, FALSE }, { DYNO_DATA_TYPE_FLOAT8E5M2, 57344, TRUE },
    { DYNO_DATA_TYPE_FLOAT8E5M2, 57345, FALSE },   { DYNO_DATA_TYPE_FLOAT8E5M2FNUZ, -57345, FALSE },
    { DYNO_DATA_TYPE_FLOAT4E2M1, 6, TRUE },        { DYNO_DATA_TYPE_FLOAT4E2M1, 7, FALSE },
    { DYNO_DATA_TYPE_FLOAT4E2M1, NAN, FALSE },     { DYNO_DATA_TYPE_FLOAT8E8M0, 3, TRUE },
    { DYNO_DATA_TYPE_FLOAT8E8M0, 0, FALSE },       { DYNO_DATA_TYPE_FLOAT8E8M0, -1, FALSE },
    { DYNO_DATA_TYPE_FLOAT16, 65504, TRUE },       { DYNO_DATA_TYPE_FLOAT16, 70000, FALSE },
    { DYNO_DATA_TYPE_FLOAT16, INFINITY, TRUE },    { DYNO_DATA_TYPE_BFLOAT16, 1e38, TRUE },
    { DYNO_DATA_TYPE_BFLOAT16, 1e39, FALSE },      { DYNO_DATA_TYPE_FLOAT, 3.4028235e38, TRUE },
    { DYNO_DATA_TYPE_FLOAT, 1e39, FALSE },         { DYNO_DATA_TYPE_DOUBLE, 1e39, TRUE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    {
      const DynoShape shape = { numbers[i].type, 1, { 1 } };
      g_autoptr (DynoTensor) tensor = dyno_tensor_new ("x", &shape);

      g_test_message ("%s %g", dyno_data_type_to_string (numbers[i].type), numbers[i].number);
      g_assert_cmpint (dyno_tensor_set_number (tensor, 0, numbers[i].number), ==, numbers[i].is_held);
    }
}

static void
test_small_float_codes (void)
{
  static const DynoDataType types[] = { DYNO_DATA_TYPE_FLOAT8E4M3FN, DYNO_DATA_TYPE_FLOAT8E4M3FNUZ,
                                        DYNO_DATA_TYPE_FLOAT8E5M2, DYNO_DATA_TYPE_FLOAT8E5M2FNUZ,
                                        DYNO_DATA_TYPE_FLOAT8E8M0 };
  static const guint n_not_finite[] = { 2, 1, 8, 1, 1 };

  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    {
      guint n = 0;

      for (guint bits = 0; bits < 256; bits++)
        {
          double number = dyno_small_float_decode (types[i], (guint8)bits);

          n += !isfinite (number);
          if (isfinite (number))
            g_assert_cmphex (dyno_small_float_encode (types[i], number), ==, bits);
        }
      g_assert_cmpuint (n, ==, n_not_finite[i]);
      g_assert_true (
          isnan (dyno_small_float_decode (types[i], dyno_small_float_encode (types[i], (double)NAN))));
    }
  g_assert_cmpfloat (dyno_small_float_decode (DYNO_DATA_TYPE_FLOAT8E5M2, 0xfc), ==, -INFINITY);
}

/* Several elements share a byte, and setting one leaves its neighbours alone. */
static void
test_packed (void)
{
  const DynoShape of_four = { DYNO_DATA_TYPE_INT4, 1, { 3 } }, of_two = { DYNO_DATA_TYPE_UINT2, 1, { 5 } };
  g_autoptr (DynoTensor) four = dyno_tensor_new ("x", &of_four);
  g_autoptr (DynoTensor) two = dyno_tensor_new ("x", &of_two);

  g_assert_cmpuint (dyno_tensor_get_size (four), ==, 2);
  g_assert_cmpuint (dyno_tensor_get_size (two), ==, 2);
  g_assert_true (dyno_tensor_set_integer (four, 0, -8));
  g_assert_true (dyno_tensor_set_integer (four, 1, 7));
  g_assert_false (dyno_tensor_set_integer (four, 2, 8));
  g_assert_cmpint (dyno_tensor_get_integer (four, 0), ==, -8);
  g_assert_cmphex (((guint8 *)dyno_tensor_get_data (four))[0], ==, 0x78);
  for (guint i = 0; i < 5; i++)
    g_assert_true (dyno_tensor_set_integer (two, i, i % 4));
  g_assert_false (dyno_tensor_set_integer (two, 4, 4));
  g_assert_cmphex (((guint8 *)dyno_tensor_get_data (two))[0], ==, 0xe4);
  g_assert_cmpint (dyno_tensor_get_integer (two, 3), ==, 3);
}

static const SuiteTest tests[] = {
  { "/tensor/data-types", test_data_types },
  { "/tensor/shapes", test_shapes },
  { "/tensor/shape-to-string", test_shape_to_string },
  { "/tensor/tensor", test_tensor },
  { "/tensor/small-floats", test_small_floats },
  { "/tensor/small-float-codes", test_small_float_codes },
  { "/tensor/ranges", test_ranges },
  { "/tensor/packed", test_packed },
  { "/tensor/info", test_info },
  { "/tensor/info-of-any-shape", test_info_of_any_shape },
};

SUITE_TESTS (tests)
