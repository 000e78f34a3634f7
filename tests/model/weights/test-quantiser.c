/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "dyno-model-weights-private.h"
#include "suite.h"

/* The farthest element, −4, is the end of the scale, −8 steps of 0.5; 2.2 is 4.4 steps, and 5 is filled up. */
static void
test_pack (void)
{
  const DynoQuantisation how = { 4, 8 };
  static const float values[] = { -4, 0, 2.2f, 0.5f, -1.3f };
  guint8 quants[8];
  float scale;

  dyno_quantiser_pack (&how, values, G_N_ELEMENTS (values), quants, &scale);
  g_assert_cmpfloat (scale, ==, 0.5f);
  g_assert_cmphex (quants[0], ==, 0x80); /* 0, 8 */
  g_assert_cmphex (quants[1], ==, 0x9c); /* 12, 9 */
  g_assert_cmphex (quants[2], ==, 0x85); /* 5, and nothing */
  g_assert_cmphex (quants[3], ==, 0x88);
}

/* Levels of bitsandbytes by their numbers, 0 for −1, 7 for 0 and 15 for 1, times the largest magnitude; 0.04 is nearer to
 * 0.0796 than to 0, and 0.039 is not. The high nibble comes first. */
static void
test_normal (void)
{
  static const float values[] = { 2, -2, 0, -0.37f, 2 * 0.04f, 2 * 0.039f, 1.1f, -1.4f };
  static const float zeros[8];
  guint8 quants[4];
  float scale;

  dyno_quantiser_pack_normal (values, 8, quants, &scale);
  g_assert_cmpfloat (scale, ==, 2);
  g_assert_cmphex (quants[0], ==, 0xf0);
  g_assert_cmphex (quants[1], ==, 0x75);
  g_assert_cmphex (quants[2], ==, 0x87);
  g_assert_cmphex (quants[3], ==, 0xd1);
  dyno_quantiser_pack_normal (zeros, 8, quants, &scale);
  g_assert_cmpfloat (scale, ==, 0);
  g_assert_cmphex (quants[0], ==, 0x77);
}

/* Where the farthest element is positive, the scale is negative: it has a number of its own either way. */
static void
test_ends (void)
{
  const DynoQuantisation how = { 8, 4 };
  static const float values[] = { 128, -128, 64, -1 };
  static const float zeros[4];
  guint8 quants[4];
  float scale;

  dyno_quantiser_pack (&how, values, 4, quants, &scale);
  g_assert_cmpfloat (fabsf (scale), ==, 1);
  for (guint i = 0; i < 4; i++)
    g_assert_cmpfloat_with_epsilon ((float)(quants[i] - 128) * scale, values[i], 1.001);
  dyno_quantiser_pack (&how, zeros, 4, quants, &scale);
  for (guint i = 0; i < 4; i++)
    g_assert_cmpfloat ((float)(quants[i] - 128) * scale, ==, 0);
}

/* Columns are the same from any start, and in column-major or row-major order. */
static void
test_columns (void)
{
  const DynoWeight columns = { .name = "w", .shape = { DYNO_DATA_TYPE_FLOAT, 2, { 5, 7 } }, .deviation = 1 };
  const DynoWeight rows = {
    .name = "w", .shape = { DYNO_DATA_TYPE_FLOAT, 2, { 7, 5 } }, .deviation = 1, .is_by_rows = TRUE
  };
  float whole[36], part[3 * 6];

  dyno_weights_fill (&columns, 3, 0, whole, 35);
  dyno_weights_fill_columns (&columns, 3, 2, 3, part, 6);
  for (guint column = 0; column < 3; column++)
    for (guint row = 0; row < 5; row++)
      g_assert_cmpfloat (part[column * 6 + row], ==, whole[row * 7 + column + 2]);
  dyno_weights_fill_columns (&rows, 3, 3, 3, part, 6);
  for (guint column = 0; column < 3; column++)
    for (guint row = 0; row < 5; row++)
      g_assert_cmpfloat (part[column * 6 + row], ==, whole[(column + 3) * 5 + row]);
}

/* NaN is reported instead of being rounded to a number. */
static void
test_not_finite (void)
{
  const DynoQuantisation how = { 4, 32 };
  const DynoWeight source = { .name = "w", .shape = { DYNO_DATA_TYPE_FLOAT, 2, { 4, 2 } }, .mean = INFINITY };
  const DynoWeight quants = {
    .name = "q", .shape = { DYNO_DATA_TYPE_UINT8, 3, { 2, 1, 16 } }, .quantisation = &how, .source = &source
  };
  guint8 bytes[32];
  float scales[2];

  g_assert_false (dyno_quantiser_fill (&quants, 1, 0, 2, bytes, scales, NULL));
}

/* The farthest element is the end of the range. Without VNNI, two products of it with 255 must fit 16 bits. */
static void
test_range (void)
{
  static const guint ranges[] = { 127, 64 };
  const DynoWeight source = { .name = "w", .shape = { DYNO_DATA_TYPE_FLOAT, 2, { 40, 3 } }, .deviation = 1 };
  float values[3 * 40];

  dyno_weights_fill_columns (&source, 1, 0, 3, values, 40);
  for (guint i = 0; i < G_N_ELEMENTS (ranges); i++)
    {
      const DynoQuantisation how = { 8, 0, TRUE, ranges[i] };
      const DynoWeight quants = {
        .name = "q", .shape = { DYNO_DATA_TYPE_INT8, 2, { 40, 3 } }, .quantisation = &how, .source = &source
      };
      gint8 rows[40 * 3];
      float scales[3];
      int farthest = 0;

      g_assert_true (dyno_quantiser_fill_rows (&quants, 1, 0, 3, rows, scales));
      for (guint k = 0; k < G_N_ELEMENTS (rows); k++)
        {
          float scale = scales[k % 3];

          farthest = MAX (farthest, ABS (rows[k]));
          g_assert_cmpfloat_with_epsilon ((float)rows[k] * scale, values[k % 3 * 40 + k / 3], 0.501f * scale);
        }
      g_assert_cmpint (farthest, ==, (int)ranges[i]);
    }
  g_assert_cmpint (2 * G_MAXUINT8 * ranges[1], <=, G_MAXINT16);
  g_assert_cmpint (2 * G_MAXUINT8 * ranges[0], >, G_MAXINT16);
}

static const SuiteTest tests[] = {
  { "/quantiser/pack", test_pack },
  { "/quantiser/normal", test_normal },
  { "/quantiser/ends", test_ends },
  { "/quantiser/columns", test_columns },
  { "/quantiser/not-finite", test_not_finite },
  { "/quantiser/range", test_range },
};

SUITE_TESTS (tests)
