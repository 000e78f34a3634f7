/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "dyno-float16.h"
#include "dyno-tensor.h"
#include "suite.h"

static void
test_known_numbers (void)
{
  static const struct
  {
    float value;
    guint16 half;
    guint16 bfloat;
  } numbers[] = {
    { 0, 0x0000, 0x0000 },        { 1, 0x3c00, 0x3f80 },         { -2, 0xc000, 0xc000 },
    { 65504, 0x7bff, 0x4780 },    { 0.5f, 0x3800, 0x3f00 },      { 0x1p-14f, 0x0400, 0x3880 },
    { 0x1p-24f, 0x0001, 0x3380 }, { -0.0f, 0x8000, 0x8000 },     { 0x3ffp-24f, 0x03ff, 0x3880 },
    { INFINITY, 0x7c00, 0x7f80 }, { -INFINITY, 0xfc00, 0xff80 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    {
      g_assert_cmphex (dyno_float16_from_float (numbers[i].value), ==, numbers[i].half);
      g_assert_cmphex (dyno_float16_bfloat_from_float (numbers[i].value), ==, numbers[i].bfloat);
    }
  g_assert_true (isnan (dyno_float16_to_float (dyno_float16_from_float (NAN))));
  g_assert_true (isnan (dyno_float16_bfloat_to_float (dyno_float16_bfloat_from_float (NAN))));
}

/* Every number of 16 bits is itself, and halfway to the next the even one wins. */
static void
test_all_halves (void)
{
  for (guint bits = 0; bits < 0x7c00; bits++)
    {
      float value = dyno_float16_to_float ((guint16)bits);
      float next = bits < 0x7bff ? dyno_float16_to_float ((guint16)(bits + 1)) : 65536.0f;
      float middle = (value + next) / 2;

      g_assert_cmphex (dyno_float16_from_float (value), ==, bits);
      g_assert_cmphex (dyno_float16_from_float (-value), ==, bits | 0x8000);
      g_assert_cmphex (dyno_float16_from_float (middle), ==, bits + (bits & 1));
      g_assert_cmphex (dyno_float16_from_float (nextafterf (middle, 0)), ==, bits);
      g_assert_cmphex (dyno_float16_from_float (nextafterf (middle, INFINITY)), ==, bits + 1);
    }
}

static void
test_all_bfloats (void)
{
  for (guint bits = 0; bits < 0x7f7f; bits++)
    {
      float value = dyno_float16_bfloat_to_float ((guint16)bits);
      float middle = (value / 2 + dyno_float16_bfloat_to_float ((guint16)(bits + 1)) / 2);

      g_assert_cmphex (dyno_float16_bfloat_from_float (value), ==, bits);
      if (bits >= 0x100) /* below, half of a number is itself rounded */
        g_assert_cmphex (dyno_float16_bfloat_from_float (middle), ==, bits + (bits & 1));
    }
}

static void
test_overflow (void)
{
  g_assert_cmphex (dyno_float16_from_float (65519.9f), ==, 0x7bff);
  g_assert_cmphex (dyno_float16_from_float (65520), ==, 0x7c00);
  g_assert_cmphex (dyno_float16_from_float (-1e9f), ==, 0xfc00);
  g_assert_true (isinf (dyno_float16_to_float (0x7c00)));
}

static void
test_tensor_numbers (void)
{
  static const guint16 halves[] = { 0x3c00, 0xc000 };
  static const guint16 bfloats[] = { 0x3f80, 0xc000 };
  static const float singles[] = { 1, -2 };
  static const double doubles[] = { 1, -2 };
  static const struct
  {
    DynoDataType type;
    gconstpointer numbers;
  } tensors[] = {
    { DYNO_DATA_TYPE_FLOAT16, halves },
    { DYNO_DATA_TYPE_BFLOAT16, bfloats },
    { DYNO_DATA_TYPE_FLOAT, singles },
    { DYNO_DATA_TYPE_DOUBLE, doubles },
  };
  const DynoShape whole = { DYNO_DATA_TYPE_INT64, 1, { 1 } };
  g_autoptr (DynoTensor) integers = dyno_tensor_new ("x", &whole);

  for (guint i = 0; i < G_N_ELEMENTS (tensors); i++)
    {
      const DynoShape shape = { tensors[i].type, 1, { 2 } };
      g_autoptr (DynoTensor) tensor = dyno_tensor_new ("x", &shape);

      memcpy (dyno_tensor_get_data (tensor), tensors[i].numbers, dyno_tensor_get_size (tensor));
      g_assert_true (dyno_tensor_is_real (tensor));
      g_assert_cmpfloat (dyno_tensor_get_number (tensor, 0), ==, 1);
      g_assert_cmpfloat (dyno_tensor_get_number (tensor, 1), ==, -2);
    }
  g_assert_false (dyno_tensor_is_real (integers));
}

static const SuiteTest tests[] = {
  { "/float16/known-numbers", test_known_numbers },   { "/float16/all-halves", test_all_halves },
  { "/float16/all-bfloats", test_all_bfloats },       { "/float16/overflow", test_overflow },
  { "/float16/tensor-numbers", test_tensor_numbers },
};

SUITE_TESTS (tests)
