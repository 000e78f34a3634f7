/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "dyno-cluster-driver.h"
#include "dyno-plan.h"
#include "suite.h"

#define NEVER NAN

/* The cases of @backends, five sizes each. */
static GPtrArray *
make_cases (const char *const *backends)
{
  static const char *const models[] = { "bert-tiny", NULL };
  static const char *const sizes[] = { "1", "2", "3", "4", "5", NULL };
  g_autoptr (DynoPlan) plan = dyno_plan_new ();
  g_autoptr (GError) error = NULL;
  GPtrArray *cases;

  g_object_set (plan, "models", models, "backends", backends, "batch-sizes", sizes, NULL);
  cases = dyno_plan_expand (plan, &error);
  g_assert_no_error (error);
  return cases;
}

/* @seconds (nullable): one for each case. */
static DynoClusterNode *
add_node (GPtrArray *nodes, const char *hardware, double free_in, const double *seconds, guint n_cases)
{
  DynoClusterNode *node = dyno_cluster_node_new ("n", hardware);

  node->free_in = free_in;
  if (seconds != NULL)
    {
      node->seconds = g_array_new (FALSE, FALSE, sizeof (double));
      g_array_append_vals (node->seconds, seconds, n_cases);
    }
  g_ptr_array_add (nodes, node);
  return node;
}

static GPtrArray *
make_nodes (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_cluster_node_free);
}

/* @expected: the numbers of the cases, from 1. */
static void
assert_cases (const DynoClusterNode *node, const char *expected)
{
  g_autoptr (GString) list = g_string_new (NULL);

  for (guint i = 0; i < node->cases->len; i++)
    g_string_append_printf (list, "%s%u", i > 0 ? " " : "", g_array_index (node->cases, guint, i) + 1);
  g_assert_cmpstr (list->str, ==, expected);
}

static const char *const one_device[] = { "cpu", NULL };
static const char *const two_devices[] = { "cpu", "cuda", NULL };

/* The longest case comes first, and each goes to the node that has the least to do. */
static void
test_balance (void)
{
  static const double seconds[] = { 3, 3, 5, 3, 4 };
  g_autoptr (GPtrArray) cases = make_cases (one_device);
  g_autoptr (GPtrArray) nodes = make_nodes ();
  const DynoClusterNode *first = add_node (nodes, "a", 0, seconds, 5);
  const DynoClusterNode *second = add_node (nodes, "a", 0, seconds, 5);

  dyno_case_division_make (cases, nodes);
  assert_cases (first, "2 3");
  assert_cases (second, "1 4 5");
  g_assert_cmpfloat (first->done_in, ==, 8);
  g_assert_cmpfloat (second->done_in, ==, 10);
}

/* A node that is busy gets only what the others would begin later. */
static void
test_free_first (void)
{
  static const double seconds[] = { 10, 10, 10, 10, 10 };
  g_autoptr (GPtrArray) cases = make_cases (one_device);
  g_autoptr (GPtrArray) nodes = make_nodes ();
  const DynoClusterNode *busy = add_node (nodes, "a", 35, seconds, 5);
  const DynoClusterNode *idle = add_node (nodes, "a", 0, seconds, 5);

  dyno_case_division_make (cases, nodes);
  assert_cases (busy, "5");
  assert_cases (idle, "1 2 3 4");
  g_assert_cmpfloat (busy->done_in, ==, 45);
}

/* CUDA chooses first, because one kind alone has it; the other cases would be faster there, but are done earlier on the
 * nodes that have nothing else to do. */
static void
test_kinds (void)
{
  static const double of_gpu[] = { 1, 1, 1, 1, 1, 2, 2, 2, 2, 2 };
  static const double of_cpu[] = { 4, 4, 4, 4, 4, NEVER, NEVER, NEVER, NEVER, NEVER };
  g_autoptr (GPtrArray) cases = make_cases (two_devices);
  g_autoptr (GPtrArray) nodes = make_nodes ();
  const DynoClusterNode *gpu = add_node (nodes, "gpu", 0, of_gpu, 10);
  const DynoClusterNode *first = add_node (nodes, "cpu", 0, of_cpu, 10);
  const DynoClusterNode *second = add_node (nodes, "cpu", 0, of_cpu, 10);

  dyno_case_division_make (cases, nodes);
  assert_cases (gpu, "6 7 8 9 10");
  assert_cases (first, "1 3 5");
  assert_cases (second, "2 4");
}

/* The cases of a device are never split between two kinds, however long one of them waits. */
static void
test_one_kind (void)
{
  static const double seconds[] = { 10, 10, 10, 10, 10 };
  g_autoptr (GPtrArray) cases = make_cases (one_device);
  g_autoptr (GPtrArray) nodes = make_nodes ();
  const DynoClusterNode *late = add_node (nodes, "a", 100, seconds, 5);
  const DynoClusterNode *early = add_node (nodes, "b", 0, seconds, 5);
  const DynoClusterNode *unlike = add_node (nodes, NULL, 60, seconds, 5);

  dyno_case_division_make (cases, nodes);
  assert_cases (late, "");
  assert_cases (early, "1 2 3 4 5");
  assert_cases (unlike, "");
}

/* A kind that lacks memory for some of them is no choice, even if it is free. */
static void
test_most (void)
{
  static const double of_small[] = { 1, 1, 1, 1, NEVER };
  static const double of_large[] = { 9, 9, 9, 9, 9 };
  g_autoptr (GPtrArray) cases = make_cases (one_device);
  g_autoptr (GPtrArray) nodes = make_nodes ();
  const DynoClusterNode *small = add_node (nodes, "small", 0, of_small, 5);
  const DynoClusterNode *large = add_node (nodes, "large", 50, of_large, 5);

  dyno_case_division_make (cases, nodes);
  assert_cases (small, "");
  assert_cases (large, "1 2 3 4 5");
}

/* Nodes that could not be asked count as able, with the times of the plan. */
static void
test_unasked (void)
{
  g_autoptr (GPtrArray) cases = make_cases (one_device);
  g_autoptr (GPtrArray) nodes = make_nodes ();
  const DynoClusterNode *first = add_node (nodes, "a", 0, NULL, 0);
  const DynoClusterNode *second = add_node (nodes, "a", 0, NULL, 0);

  for (guint i = 0; i < cases->len; i++)
    dyno_case_set_expected_seconds (cases->pdata[i], 7);
  dyno_case_division_make (cases, nodes);
  assert_cases (first, "1 3 5");
  assert_cases (second, "2 4");
  g_assert_cmpfloat (first->done_in, ==, 21);
}

static const SuiteTest tests[] = {
  { "/case-division/balance", test_balance }, { "/case-division/free-first", test_free_first },
  { "/case-division/kinds", test_kinds },     { "/case-division/one-kind", test_one_kind },
  { "/case-division/most", test_most },       { "/case-division/unasked", test_unasked },
};

SUITE_TESTS (tests)
