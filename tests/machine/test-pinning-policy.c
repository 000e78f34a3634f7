/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glib.h>

#include "dyno-error.h"
#include "dyno-machine-private.h"
#include "dyno-pinning.h"
#include "suite.h"

/* Two packages with two caches of two cores of two threads; hwloc numbers the threads of a synthetic machine in
 * order. */
#define TWO_PACKAGES "pack:2 l3:2 core:2 pu:2"

static DynoTopology *
load (const char *synthetic)
{
  DynoTopology *topology = NULL;

  g_assert_cmpint (hwloc_topology_init (&topology), ==, 0);
  g_assert_cmpint (hwloc_topology_set_synthetic (topology, synthetic), ==, 0);
  g_assert_cmpint (hwloc_topology_load (topology), ==, 0);
  return topology;
}

/* Cores 0 and 1 are slow, 2 and 3 fast and of two threads each. */
static DynoTopology *
load_hybrid (void)
{
  DynoTopology *topology = load ("pack:1 core:4 pu:2");
  g_autoptr (DynoCpuSet) slow = hwloc_bitmap_alloc ();
  g_autoptr (DynoCpuSet) fast = hwloc_bitmap_alloc ();

  hwloc_bitmap_set_range (slow, 0, 3);
  hwloc_bitmap_set_range (fast, 4, 7);
  g_assert_cmpint (hwloc_cpukinds_register (topology, slow, 10, 0, NULL, 0), ==, 0);
  g_assert_cmpint (hwloc_cpukinds_register (topology, fast, 20, 0, NULL, 0), ==, 0);
  return topology;
}

static char *
format_order (const GArray *order)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < order->len; i++)
    g_string_append_printf (text, "%s%d", i > 0 ? " " : "", g_array_index (order, int, i));
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static void
check_order (DynoTopology *topology, const char *usable, const char *policy_name, const char *expected)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoPinningPolicy) policy = dyno_pinning_policy_parse (policy_name, &error);
  g_autoptr (DynoCpuSet) set = hwloc_bitmap_alloc ();
  g_autoptr (GArray) order = NULL;
  g_autofree char *text = NULL;

  g_assert_no_error (error);
  g_assert_cmpint (hwloc_bitmap_list_sscanf (set, usable), ==, 0);
  order = dyno_pinning_policy_order (policy, topology, set, &error);
  g_assert_no_error (error);
  text = format_order (order);
  g_assert_cmpstr (text, ==, expected);
}

static void
check_choice (
    DynoTopology *topology, const char *usable, const char *policy_name, guint threads, const char *expected)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoPinningPolicy) policy = dyno_pinning_policy_parse (policy_name, &error);
  g_autoptr (DynoCpuSet) set = hwloc_bitmap_alloc ();
  g_autoptr (DynoCpuSet) chosen = NULL;
  g_autofree char *text = NULL;

  g_assert_no_error (error);
  g_assert_cmpint (hwloc_bitmap_list_sscanf (set, usable), ==, 0);
  chosen = dyno_pinning_policy_choose (policy, topology, set, threads, &error);
  g_assert_no_error (error);
  text = dyno_topology_format_set (chosen);
  g_assert_cmpstr (text, ==, expected);
}

static void
check_refused (DynoTopology *topology, const char *usable, const char *policy_name)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoPinningPolicy) policy = dyno_pinning_policy_parse (policy_name, NULL);
  g_autoptr (DynoCpuSet) set = hwloc_bitmap_alloc ();

  g_assert_nonnull (policy);
  g_assert_cmpint (hwloc_bitmap_list_sscanf (set, usable), ==, 0);
  g_assert_null (dyno_pinning_policy_order (policy, topology, set, &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED);
}

static void
test_orders (void)
{
  g_autoptr (DynoTopology) topology = load (TWO_PACKAGES);

  check_order (topology, "0-15", NULL, "0 2 4 6 8 10 12 14 1 3 5 7 9 11 13 15");
  check_order (topology, "0-15", "compact", "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15");
  check_order (topology, "0-15", "scatter", "0 8 4 12 2 10 6 14 1 9 5 13 3 11 7 15");
  check_order (topology, "0-15", "one-per-core", "0 2 4 6 8 10 12 14");
  check_order (topology, "0-15", "cpus:3,8-9", "3 8 9");
}

/* Processors outside of the container's set are excluded, and a core that lost one thread still has the other. */
static void
test_container (void)
{
  g_autoptr (DynoTopology) topology = load (TWO_PACKAGES);

  check_order (topology, "1,4-7,9", "compact", "1 4 5 6 7 9");
  check_order (topology, "1,4-7,9", "scatter", "1 9 4 6 5 7");
  check_order (topology, "1,4-7,9", "one-per-core", "1 4 6 9");
  check_order (topology, "1,4-7,9", "cpus:5-6", "5 6");
  check_refused (topology, "1,4-7,9", "cpus:4-8");
  check_refused (topology, "1,4-7,9", "cpus:0");
}

static void
test_thread_counts (void)
{
  g_autoptr (DynoTopology) topology = load (TWO_PACKAGES);

  check_choice (topology, "0-15", NULL, 0, "0,2,4,6,8,10,12,14");
  check_choice (topology, "0-15", "compact", 3, "0-2");
  check_choice (topology, "0-15", "compact", 0, "0-7");
  check_choice (topology, "0-15", "scatter", 2, "0,8");
  check_choice (topology, "0-15", "one-per-core", 100, "0,2,4,6,8,10,12,14");
  check_choice (topology, "0-15", "cpus:1-4", 2, "1-4");
}

static void
test_performance_cores (void)
{
  g_autoptr (DynoTopology) hybrid = load_hybrid ();
  g_autoptr (DynoTopology) uniform = load (TWO_PACKAGES);

  check_order (hybrid, "0-7", "performance-cores", "4 6 5 7");
  check_order (hybrid, "0-7", NULL, "4 6 0 2 5 7 1 3");
  check_order (hybrid, "0-7", "one-per-core", "4 6 0 2");
  check_refused (hybrid, "0-3", "performance-cores");
  check_refused (uniform, "0-15", "performance-cores");
}

static void
test_memory_nodes (void)
{
  g_autoptr (DynoTopology) topology = load ("pack:2 numa:1 core:2 pu:2");

  check_order (topology, "0-7", "numa:0", "0 2 1 3");
  check_order (topology, "0-7", "numa:1", "4 6 5 7");
  check_choice (topology, "0-7", "numa:1", 0, "4,6");
  check_refused (topology, "0-3", "numa:1");
  check_refused (topology, "0-7", "numa:2");
}

static void
test_names (void)
{
  static const char *const wrong[] = { "Compact", "compact ", "compact:1", "numa",     "numa:",
                                       "numa:x",  "numa:1,2", "numa:-1",   "cpus:",    "cpus:,",
                                       "cpus:1,", "cpus:3-1", "cpus:1-",   "cpus:0x1", "cpus:0-99999",
                                       "cpus: 1", "scattered" };

  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (dyno_pinning_policy_parse (wrong[i], &error));
      g_assert_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT);
    }
}

/* Cores that hwloc does not know are hardware threads. */
static void
test_no_cores (void)
{
  g_autoptr (DynoTopology) topology = NULL;

  g_assert_cmpint (hwloc_topology_init (&topology), ==, 0);
  g_assert_cmpint (hwloc_topology_set_synthetic (topology, "pu:3"), ==, 0);
  g_assert_cmpint (hwloc_topology_set_type_filter (topology, HWLOC_OBJ_CORE, HWLOC_TYPE_FILTER_KEEP_NONE), ==,
                   0);
  g_assert_cmpint (hwloc_topology_load (topology), ==, 0);
  check_order (topology, "0-2", "scatter", "0 1 2");
  check_order (topology, "1-2", "one-per-core", "1 2");
}

static void
test_check_and_list (void)
{
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) policies = NULL;

  g_setenv ("HWLOC_SYNTHETIC", "pack:2 numa:1 core:2 pu:2", TRUE);
  policies = dyno_pinning_list_policies ();
  g_assert_cmpstrv (policies,
                    ((const char *[]){ "", "compact", "scatter", "one-per-core", "numa:0", "numa:1", NULL }));
  for (guint i = 0; policies[i] != NULL; i++)
    {
      g_autofree char *label = dyno_pinning_dup_label (policies[i]);

      g_assert_true (dyno_pinning_check (policies[i], &error));
      g_assert_no_error (error);
      g_assert_cmpstr (label, !=, policies[i]);
    }
  g_assert_true (dyno_pinning_check ("cpus:0-7", NULL));
  g_assert_false (dyno_pinning_check ("cpus:8", &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED);
  g_clear_error (&error);
  g_assert_false (dyno_pinning_check ("performance-cores", &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED);
  g_unsetenv ("HWLOC_SYNTHETIC");
}

static const SuiteTest tests[] = {
  { "/pinning-policy/orders", test_orders },
  { "/pinning-policy/container", test_container },
  { "/pinning-policy/thread-counts", test_thread_counts },
  { "/pinning-policy/performance-cores", test_performance_cores },
  { "/pinning-policy/memory-nodes", test_memory_nodes },
  { "/pinning-policy/names", test_names },
  { "/pinning-policy/no-cores", test_no_cores },
  { "/pinning-policy/check-and-list", test_check_and_list },
};

SUITE_TESTS (tests)
