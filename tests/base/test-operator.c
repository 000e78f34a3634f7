/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dyno-operator.h"
#include "suite.h"

static void
test_new (void)
{
  g_autoptr (DynoOperator) op = dyno_operator_new ("/layer/mm", "MatMul", "CPUExecutionProvider");

  g_assert_cmpstr (dyno_operator_get_name (op), ==, "/layer/mm");
  g_assert_cmpstr (dyno_operator_get_op_type (op), ==, "MatMul");
  g_assert_cmpstr (dyno_operator_get_provider (op), ==, "CPUExecutionProvider");
  g_assert_cmpint (dyno_operator_get_calls (op), ==, 0);
  g_assert_cmpint (dyno_operator_get_time_ns (op), ==, 0);
}

/* Uncounted work is not the same as no work. */
static void
test_unknown (void)
{
  g_autoptr (DynoOperator) op = dyno_operator_new ("a", "Custom", NULL);

  g_assert_null (dyno_operator_get_provider (op));
  g_assert_cmpint (dyno_operator_get_flops (op), ==, -1);
  g_assert_cmpint (dyno_operator_get_bytes (op), ==, -1);
}

static void
test_numbers (void)
{
  g_autoptr (DynoOperator) op = dyno_operator_new ("a", "Add", NULL);

  dyno_operator_set_calls (op, 3);
  dyno_operator_set_time_ns (op, G_GINT64_CONSTANT (5000000000));
  dyno_operator_set_flops (op, 7);
  dyno_operator_set_bytes (op, 11);
  g_assert_cmpint (dyno_operator_get_calls (op), ==, 3);
  g_assert_cmpint (dyno_operator_get_time_ns (op), ==, G_GINT64_CONSTANT (5000000000));
  g_assert_cmpint (dyno_operator_get_flops (op), ==, 7);
  g_assert_cmpint (dyno_operator_get_bytes (op), ==, 11);
  g_assert_null (dyno_operator_get_kernel (op));
  dyno_operator_set_kernel (op, "gemm_a");
  dyno_operator_set_kernel (op, "gemm_b");
  g_assert_cmpstr (dyno_operator_get_kernel (op), ==, "gemm_b");
  dyno_operator_set_time_ns (op, -1);
  g_assert_cmpint (dyno_operator_get_time_ns (op), ==, -1);
}

static const SuiteTest tests[] = {
  { "/operator/new", test_new },
  { "/operator/unknown", test_unknown },
  { "/operator/numbers", test_numbers },
};

SUITE_TESTS (tests)
