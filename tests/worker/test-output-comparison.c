/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>
#include <string.h>

#include "dyno-error.h"
#include "dyno-worker-private.h"
#include "suite.h"

#define TOLERANCE 1e-3

static GPtrArray *
take (DynoTensor *tensor)
{
  GPtrArray *tensors = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_tensor_unref);

  g_ptr_array_add (tensors, tensor);
  return tensors;
}

static GPtrArray *
create_floats (float first, float second, float third)
{
  const DynoShape shape = { DYNO_DATA_TYPE_FLOAT, 2, { 1, 3 } };
  DynoTensor *tensor = dyno_tensor_new ("logits", &shape);
  float *data = dyno_tensor_get_data (tensor);

  data[0] = first;
  data[1] = second;
  data[2] = third;
  return take (tensor);
}

static double
assert_same (GPtrArray *outputs, GPtrArray *expected, double tolerance)
{
  g_autoptr (GError) error = NULL;
  double max_error = -1;

  g_assert_true (dyno_output_compare (outputs, expected, "the reference", tolerance, &max_error, &error));
  g_assert_no_error (error);
  return max_error;
}

static void
assert_wrong (GPtrArray *outputs, GPtrArray *expected, const char *words)
{
  g_autoptr (GError) error = NULL;
  double max_error;

  g_assert_false (dyno_output_compare (outputs, expected, "the reference", TOLERANCE, &max_error, &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_WRONG_OUTPUT);
  g_test_message ("%s", error->message);
  g_assert_nonnull (strstr (error->message, "“logits”"));
  g_assert_nonnull (strstr (error->message, words));
}

/* The deviation is relative to the output's largest number, so that a zero may differ slightly from zero. */
static void
test_within (void)
{
  g_autoptr (GPtrArray) expected = create_floats (0, 4, -10);
  g_autoptr (GPtrArray) exact = create_floats (0, 4, -10);
  g_autoptr (GPtrArray) near = create_floats (0.005f, 4, -10);

  g_assert_cmpfloat (assert_same (exact, expected, TOLERANCE), ==, 0);
  g_assert_cmpfloat_with_epsilon (assert_same (near, expected, TOLERANCE), 5e-4, 1e-9);
}

static void
test_beyond (void)
{
  g_autoptr (GPtrArray) expected = create_floats (0, 4, -10);
  g_autoptr (GPtrArray) wrong = create_floats (0, 4.02f, -10);
  g_autoptr (GPtrArray) undefined = create_floats (NAN, 4, -10);

  assert_wrong (wrong, expected, "element 1 (4.02 instead of 4)");
  assert_wrong (undefined, expected, "element 0");
}

/* What is not finite is right only where it is expected, and does not hide how far other numbers are off. */
static void
test_not_finite (void)
{
  g_autoptr (GPtrArray) expected = create_floats (-INFINITY, NAN, 4);
  g_autoptr (GPtrArray) exact = create_floats (-INFINITY, NAN, 4);
  g_autoptr (GPtrArray) other_sign = create_floats (INFINITY, NAN, 4);
  g_autoptr (GPtrArray) finite = create_floats (-INFINITY, 0, 4);
  g_autoptr (GPtrArray) off = create_floats (-INFINITY, NAN, 5);

  g_assert_cmpfloat (assert_same (exact, expected, TOLERANCE), ==, 0);
  assert_wrong (other_sign, expected, "element 0 (inf instead of -inf)");
  assert_wrong (finite, expected, "element 1");
  assert_wrong (off, expected, "element 2 (5 instead of 4)");
}

/* An output of zeros has no scale, so only zeros are right. */
static void
test_zeros (void)
{
  g_autoptr (GPtrArray) zeros = create_floats (0, 0, 0);
  g_autoptr (GPtrArray) wrong = create_floats (0, 0, 1e-30f);

  g_assert_cmpfloat (assert_same (zeros, zeros, TOLERANCE), ==, 0);
  assert_wrong (wrong, zeros, "element 2");
}

static void
test_shapes (void)
{
  const DynoShape longer = { DYNO_DATA_TYPE_FLOAT, 2, { 1, 4 } };
  g_autoptr (GPtrArray) expected = create_floats (1, 2, 3);
  g_autoptr (GPtrArray) wrong = take (dyno_tensor_new ("logits", &longer));
  g_autoptr (GPtrArray) other = take (dyno_tensor_new ("hidden", &longer));

  assert_wrong (wrong, expected, "float [1, 4]");
  assert_wrong (other, expected, "nothing");
}

/* 1, 2 and 3 in half precision and in bfloat16, compared with single precision. */
static void
test_types (void)
{
  const DynoShape half = { DYNO_DATA_TYPE_FLOAT16, 2, { 1, 3 } };
  const DynoShape bfloat = { DYNO_DATA_TYPE_BFLOAT16, 2, { 1, 3 } };
  const guint16 halves[] = { 0x3c00, 0x4000, 0x4200 };
  const guint16 bfloats[] = { 0x3f80, 0x4000, 0x4040 };
  g_autoptr (GPtrArray) expected = create_floats (1, 2, 3);
  g_autoptr (GPtrArray) in_half = take (dyno_tensor_new ("logits", &half));
  g_autoptr (GPtrArray) in_bfloat = take (dyno_tensor_new ("logits", &bfloat));

  memcpy (dyno_tensor_get_data (in_half->pdata[0]), halves, sizeof halves);
  memcpy (dyno_tensor_get_data (in_bfloat->pdata[0]), bfloats, sizeof bfloats);
  g_assert_cmpfloat (assert_same (in_half, expected, TOLERANCE), ==, 0);
  g_assert_cmpfloat (assert_same (in_bfloat, expected, TOLERANCE), ==, 0);
}

static void
test_whole_numbers (void)
{
  const DynoShape shape = { DYNO_DATA_TYPE_INT64, 1, { 2 } };
  g_autoptr (GPtrArray) expected = take (dyno_tensor_new ("label", &shape));
  g_autoptr (GPtrArray) other = take (dyno_tensor_new ("label", &shape));

  ((gint64 *)dyno_tensor_get_data (other->pdata[0]))[0] = 7;
  g_assert_true (isnan (assert_same (other, expected, TOLERANCE)));
}

/* Values may differ, but not how many there are. */
static void
test_number_of_whole_numbers (void)
{
  const DynoShape shape = { DYNO_DATA_TYPE_INT64, 1, { 2 } };
  const DynoShape longer = { DYNO_DATA_TYPE_INT64, 1, { 3 } };
  g_autoptr (GPtrArray) expected = take (dyno_tensor_new ("logits", &shape));
  g_autoptr (GPtrArray) other = take (dyno_tensor_new ("logits", &longer));

  assert_wrong (other, expected, "int64 [3]");
}

static void
test_cosine (void)
{
  g_autoptr (GPtrArray) expected = create_floats (3, 0, 4);
  g_autoptr (GPtrArray) longer = create_floats (6, 0, 8);
  g_autoptr (GPtrArray) beside = create_floats (4, 0, 3);
  g_autoptr (GPtrArray) opposite = create_floats (-3, 0, -4);
  g_autoptr (GPtrArray) zeros = create_floats (0, 0, 0);

  g_assert_cmpfloat_with_epsilon (dyno_output_get_cosine (longer, expected), 1, 1e-12);
  g_assert_cmpfloat_with_epsilon (dyno_output_get_cosine (beside, expected), 24.0 / 25, 1e-12);
  g_assert_cmpfloat_with_epsilon (dyno_output_get_cosine (opposite, expected), -1, 1e-12);
  g_assert_true (isnan (dyno_output_get_cosine (zeros, expected)));
}

/* p = (1/2, 1/4, 1/4) from even shares: 1/2 ln (3/2) + 1/2 ln (3/4). What is added to all scores changes nothing. */
static void
test_divergence (void)
{
  g_autoptr (GPtrArray) expected = create_floats (logf (2), 0, 0);
  g_autoptr (GPtrArray) shifted = create_floats (1000 + logf (2), 1000, 1000);
  g_autoptr (GPtrArray) even = create_floats (5, 5, 5);
  double divergence = 0.5 * log (1.5) + 0.5 * log (0.75);

  g_assert_cmpfloat_with_epsilon (dyno_output_get_divergence (even->pdata[0], expected->pdata[0]), divergence,
                                  1e-6);
  g_assert_cmpfloat_with_epsilon (dyno_output_get_divergence (shifted->pdata[0], expected->pdata[0]), 0,
                                  1e-6);
  g_assert_cmpfloat (dyno_output_get_divergence (expected->pdata[0], expected->pdata[0]), ==, 0);
  g_assert_true (isnan (dyno_output_get_divergence (NULL, expected->pdata[0])));
}

static void
test_tolerances (void)
{
  g_assert_cmpfloat (dyno_output_comparison_get_tolerance ("fp32"), ==, 1e-3);
  g_assert_cmpfloat (dyno_output_comparison_get_tolerance ("fp16"), >,
                     dyno_output_comparison_get_tolerance ("fp32"));
  g_assert_cmpfloat (dyno_output_comparison_get_tolerance ("bf16"), >,
                     dyno_output_comparison_get_tolerance ("fp16"));
  g_assert_cmpfloat (dyno_output_comparison_get_tolerance ("int8"), >=,
                     dyno_output_comparison_get_tolerance ("bf16"));
}

/* An engine need not give what its sessions have no type for; what any engine can give must be there. */
static void
test_leave_out (void)
{
  const DynoShape small = { DYNO_DATA_TYPE_FLOAT8E5M2, 1, { 2 } }, usual = { DYNO_DATA_TYPE_FLOAT, 1, { 2 } };
  g_autoptr (DynoMeasurement) measurement = dyno_measurement_new ();
  g_autoptr (GPtrArray) outputs = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_tensor_unref);
  g_autoptr (GPtrArray) expected = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_tensor_unref);

  g_ptr_array_add (expected, dyno_tensor_new ("small", &small));
  g_ptr_array_add (expected, dyno_tensor_new ("usual", &usual));
  dyno_output_leave_out (measurement, outputs, expected);
  g_assert_cmpuint (expected->len, ==, 1);
  g_assert_cmpstr (dyno_tensor_get_name (expected->pdata[0]), ==, "usual");
  g_assert_cmpuint (measurement->diagnostics->len, ==, 1);
  g_assert_nonnull (strstr (dyno_diagnostic_get_message (measurement->diagnostics->pdata[0]), "small"));
  dyno_output_leave_out (measurement, outputs, expected);
  g_assert_cmpuint (measurement->diagnostics->len, ==, 1);
}

static const SuiteTest tests[] = {
  { "/output-comparison/within", test_within },
  { "/output-comparison/beyond", test_beyond },
  { "/output-comparison/not-finite", test_not_finite },
  { "/output-comparison/zeros", test_zeros },
  { "/output-comparison/shapes", test_shapes },
  { "/output-comparison/types", test_types },
  { "/output-comparison/whole-numbers", test_whole_numbers },
  { "/output-comparison/number-of-whole-numbers", test_number_of_whole_numbers },
  { "/output-comparison/cosine", test_cosine },
  { "/output-comparison/divergence", test_divergence },
  { "/output-comparison/leave-out", test_leave_out },
  { "/output-comparison/tolerances", test_tolerances },
};

SUITE_TESTS (tests)
