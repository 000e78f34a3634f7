/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is calculated rather than measured: cache boundaries, theoretical peaks, stored ceilings. */
#include <glib.h>
#include <math.h>

#include "dyno-ceiling.h"
#include "dyno-machine-ceilings-private.h"
#include "suite.h"

#define KIB ((gsize)1 << 10)
#define MIB ((gsize)1 << 20)

#define N_POINTS 64

typedef struct
{
  gsize sizes[N_POINTS];
  double rates[N_POINTS];
} Curve;

typedef struct
{
  gsize up_to;
  double rate;
} Step;

/* Four sizes per octave from 8 KiB, each at the rate of its level. */
static void
draw_curve (Curve *curve, const Step *steps)
{
  for (guint i = 0; i < N_POINTS; i++)
    {
      const Step *step = steps;

      curve->sizes[i] = (gsize)((double)(8 * KIB) * exp2 (i / 4.0));
      while (step->up_to != 0 && step->up_to < curve->sizes[i])
        step++;
      curve->rates[i] = step->rate;
    }
}

static void
assert_between (gsize value, gsize low, gsize high)
{
  g_assert_cmpuint (value, >=, low);
  g_assert_cmpuint (value, <=, high);
}

/* As on a virtual machine: 480 MiB of last-level cache are reported, 64 are real. */
static const Step guest[] = { { 41 * KIB, 405 }, { 52 * KIB, 322 }, { 1100 * KIB, 174 }, { 2100 * KIB, 78 },
                              { 64 * MIB, 29 },  { 97 * MIB, 22 },  { 130 * MIB, 17.5 }, { 0, 16 } };

static void
test_overstated_cache (void)
{
  DynoMemoryLevels levels = { 3, { 48 * KIB, 2 * MIB, 480 * MIB }, { 0 } };
  Curve curve;

  draw_curve (&curve, guest);
  dyno_memory_levels_find_ends (&levels, curve.sizes, curve.rates, N_POINTS);
  assert_between (levels.ends[0], 32 * KIB, 48 * KIB);
  assert_between (levels.ends[1], 900 * KIB, 1100 * KIB);
  assert_between (levels.ends[2], 54 * MIB, 64 * MIB);
}

/* One disturbed point does not end a level. */
static void
test_noise (void)
{
  DynoMemoryLevels levels = { 3, { 48 * KIB, 2 * MIB, 480 * MIB }, { 0 } };
  Curve curve;

  draw_curve (&curve, guest);
  for (guint i = 2; i < N_POINTS; i += 9)
    curve.rates[i] *= 0.5;
  dyno_memory_levels_find_ends (&levels, curve.sizes, curve.rates, N_POINTS);
  assert_between (levels.ends[0], 26 * KIB, 48 * KIB);
  assert_between (levels.ends[1], 760 * KIB, 1100 * KIB);
  assert_between (levels.ends[2], 45 * MIB, 64 * MIB);
}

/* If nothing slows down, the reported sizes are used. */
static void
test_flat (void)
{
  static const Step flat[] = { { 0, 100 } };
  DynoMemoryLevels levels = { 2, { 32 * KIB, 512 * KIB }, { 0 } };
  Curve curve;

  draw_curve (&curve, flat);
  dyno_memory_levels_find_ends (&levels, curve.sizes, curve.rates, N_POINTS);
  assert_between (levels.ends[0], 27 * KIB, 32 * KIB);
  assert_between (levels.ends[1], 430 * KIB, 512 * KIB);
}

static void
test_no_points (void)
{
  DynoMemoryLevels levels = { 2, { 32 * KIB, 512 * KIB }, { 0 } };

  dyno_memory_levels_find_ends (&levels, NULL, NULL, 0);
  g_assert_cmpuint (levels.ends[0], ==, 32 * KIB);
  g_assert_cmpuint (levels.ends[1], ==, 512 * KIB);
}

static void
test_shared (void)
{
  g_autoptr (DynoTopology) topology = NULL;
  g_autoptr (DynoCpuSet) all = NULL;
  DynoMemoryLevels levels;

  g_setenv ("HWLOC_SYNTHETIC", "pack:2 l3:1(size=32MB) core:4 l2:1(size=1MB) l1d:1(size=32KB) pu:2", TRUE);
  topology = dyno_topology_load (NULL);
  g_unsetenv ("HWLOC_SYNTHETIC");
  g_assert_nonnull (topology);
  all = hwloc_bitmap_dup (hwloc_topology_get_topology_cpuset (topology));
  dyno_memory_levels_read_hints (&levels, topology, 3);
  g_assert_cmpuint (levels.n_caches, ==, 3);
  g_assert_cmpuint (dyno_memory_levels_count_sharers (topology, all, 0), ==, 2);
  g_assert_cmpuint (dyno_memory_levels_count_sharers (topology, all, 2), ==, 8);
  g_assert_cmpuint (dyno_memory_levels_count_caches (topology, all, 1), ==, 8);
  g_assert_cmpuint (dyno_memory_levels_count_caches (topology, all, 2), ==, 2);
}

static const DynoComputeKernel wide = {
  .precision = DYNO_COMPUTE_FP32,
  .shape = DYNO_COMPUTE_FMA,
  .width = 64,
  .operations = 32,
};
static const DynoComputeKernel narrow = {
  .precision = DYNO_COMPUTE_FP64,
  .shape = DYNO_COMPUTE_FMA,
  .width = 16,
  .operations = 4,
};
static const DynoComputeKernel tiles = {
  .precision = DYNO_COMPUTE_BF16,
  .shape = DYNO_COMPUTE_TILES,
  .width = 1024,
  .operations = 16384,
};

static void
expect_theory (const DynoProcessorModel *model, const DynoComputeKernel *kernel, double expected)
{
  g_autofree char *derivation = NULL;

  g_assert_cmpfloat_with_epsilon (dyno_ceiling_theory_derive (model, kernel, 2, &derivation), expected, 1);
  g_assert_cmpstr (derivation, !=, "");
}

static void
test_theory (void)
{
  DynoProcessorModel zen4 = { "AuthenticAMD", 0x19, 0x61, FALSE, 5e9 };
  DynoProcessorModel sapphire_rapids = { "GenuineIntel", 0x6, 0x8f, FALSE, 3e9 };

  /* Two units of 32 bytes take two turns for 64: 32 lanes' worth of floats and two operations each per cycle. */
  expect_theory (&zen4, &wide, 2 * 5e9 * 32);
  expect_theory (&zen4, &narrow, 2 * 5e9 * 8);
  expect_theory (&sapphire_rapids, &wide, 2 * 3e9 * 64);
  expect_theory (&sapphire_rapids, &tiles, 0);
}

static void
test_no_theory (void)
{
  DynoProcessorModel guest_of_unknown = { "AuthenticAMD", 0x19, 0x61, TRUE, 5e9 };
  DynoProcessorModel no_clock = { "AuthenticAMD", 0x19, 0x61, FALSE, 0 };
  DynoProcessorModel unlisted = { "CentaurHauls", 0x7, 0x1b, FALSE, 3e9 };

  expect_theory (&guest_of_unknown, &wide, 0);
  expect_theory (&no_clock, &wide, 0);
  expect_theory (&unlisted, &wide, 0);
}

static DynoCeiling *
make_ceiling (void)
{
  return g_object_new (DYNO_TYPE_CEILING, "kind", DYNO_CEILING_BANDWIDTH, "id", "dram-read", "threads", 2u,
                       "level", "DRAM", "mix", "read", "value", 1.5e10, "best", 1.6e10, "spread", 0.03,
                       "clock", 3.5e9, "unit", "B/s", "bytes", (gint64)1 << 33, "method", "Reading.",
                       "constrained", TRUE, "measured-at", G_GINT64_CONSTANT (1700000000000000), NULL);
}

static void
test_json (void)
{
  g_autoptr (DynoCeiling) ceiling = make_ceiling ();
  g_autoptr (JsonObject) members = dyno_ceiling_to_json (ceiling);
  g_autoptr (DynoCeiling) again = dyno_ceiling_from_json (members);
  guint n_properties = 0;
  g_autofree GParamSpec **properties =
      g_object_class_list_properties (G_OBJECT_GET_CLASS (ceiling), &n_properties);

  g_assert_nonnull (again);
  for (guint i = 0; i < n_properties; i++)
    {
      g_auto (GValue) one = G_VALUE_INIT, other = G_VALUE_INIT;

      g_object_get_property (G_OBJECT (ceiling), properties[i]->name, &one);
      g_object_get_property (G_OBJECT (again), properties[i]->name, &other);
      g_assert_cmpint (g_param_values_cmp (properties[i], &one, &other), ==, 0);
    }
}

static void
test_equal (void)
{
  g_autoptr (DynoCeiling) ceiling = make_ceiling ();
  g_autoptr (DynoCeiling) same = make_ceiling ();
  g_autoptr (JsonObject) members = dyno_ceiling_to_json (ceiling);
  g_autoptr (DynoCeiling) other = NULL;

  json_object_set_string_member (members, "pinning", "compact");
  other = dyno_ceiling_from_json (members);
  g_assert_true (dyno_ceiling_equal (ceiling, same));
  g_assert_false (dyno_ceiling_equal (ceiling, other));
}

/* All views of ceilings use the same order and names. */
static void
test_disturbed (void)
{
  g_autoptr (DynoCeiling) calm = make_ceiling ();
  g_autoptr (DynoCeiling) disturbed = g_object_new (DYNO_TYPE_CEILING, "spread", 0.06, NULL);

  g_assert_false (dyno_ceiling_is_disturbed (calm));
  g_assert_true (dyno_ceiling_is_disturbed (disturbed));
}

static void
expect_refused (const char *text)
{
  g_autoptr (JsonNode) node = json_from_string (text, NULL);

  g_assert_nonnull (node);
  g_assert_null (dyno_ceiling_from_json (json_node_get_object (node)));
}

static void
test_bad_json (void)
{
  expect_refused ("{}");
  expect_refused ("{\"id\":\"x\"}");
  expect_refused ("{\"id\":7,\"unit\":\"B/s\"}");
  expect_refused ("{\"id\":\"x\",\"unit\":\"B/s\",\"value\":-1}");
  expect_refused ("{\"id\":\"x\",\"unit\":\"B/s\",\"value\":\"much\"}");
  expect_refused ("{\"id\":\"x\",\"unit\":\"B/s\",\"value\":[1]}");
  expect_refused ("{\"id\":\"x\",\"unit\":\"B/s\",\"kind\":\"height\"}");
  expect_refused ("{\"id\":\"x\",\"unit\":\"B/s\",\"threads\":0}");
  expect_refused ("{\"id\":\"x\",\"unit\":\"B/s\",\"constrained\":1}");
}

static const SuiteTest tests[] = {
  { "/ceilings-levels/overstated-cache", test_overstated_cache },
  { "/ceilings-levels/noise", test_noise },
  { "/ceilings-levels/flat", test_flat },
  { "/ceilings-levels/no-points", test_no_points },
  { "/ceilings-levels/shared", test_shared },
  { "/ceilings-levels/theory", test_theory },
  { "/ceilings-levels/no-theory", test_no_theory },
  { "/ceilings-levels/json", test_json },
  { "/ceilings-levels/disturbed", test_disturbed },
  { "/ceilings-levels/equal", test_equal },
  { "/ceilings-levels/bad-json", test_bad_json },
};

SUITE_TESTS (tests)
