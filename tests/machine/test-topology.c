/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <unistd.h>

#include "dyno-topology.h"
#include "machine-tree.h"
#include "suite.h"

#define PCI "sys/bus/pci/devices/"

static void
write_attribute (MachineTree *tree, const char *address, const char *name, const char *text)
{
  g_autofree char *path = g_build_filename (PCI, address, name, NULL);

  machine_tree_write (tree, path, text);
}

static void
add_device (
    MachineTree *tree, const char *address, const char *class_id, const char *vendor, const char *device)
{
  write_attribute (tree, address, "class", class_id);
  write_attribute (tree, address, "vendor", vendor);
  write_attribute (tree, address, "device", device);
  write_attribute (tree, address, "subsystem_vendor", "0x0000\n");
  write_attribute (tree, address, "subsystem_device", "0x0000\n");
  write_attribute (tree, address, "revision", "0x01\n");
}

/* Two processors, so that there is a machine to which the bus belongs. */
static void
set_up (MachineTree *tree, gconstpointer data)
{
  machine_tree_set_up (tree, data);
  machine_tree_fill (tree, "", "sys/devices/system/cpu/online=0-1\n", "sys/devices/system/cpu/possible=0-1\n",
                     NULL);
  for (guint i = 0; i < 2; i++)
    {
      g_autofree char *folder = g_strdup_printf ("sys/devices/system/cpu/cpu%u/topology", i);
      g_autofree char *mask = g_strdup_printf ("%u\n", 1u << i);
      g_autofree char *number = g_strdup_printf ("%u\n", i);
      static const char *const masks[] = { "thread_siblings", "core_cpus" };
      g_autofree char *package = g_build_filename (folder, "package_cpus", NULL);
      g_autofree char *siblings = g_build_filename (folder, "core_siblings", NULL);
      g_autofree char *core = g_build_filename (folder, "core_id", NULL);
      g_autofree char *package_id = g_build_filename (folder, "physical_package_id", NULL);

      for (guint j = 0; j < G_N_ELEMENTS (masks); j++)
        {
          g_autofree char *path = g_build_filename (folder, masks[j], NULL);

          machine_tree_write (tree, path, mask);
        }
      machine_tree_write (tree, package, "3\n");
      machine_tree_write (tree, siblings, "3\n");
      machine_tree_write (tree, core, number);
      machine_tree_write (tree, package_id, "0\n");
    }
}

static DynoTopology *
load (gboolean with_devices)
{
  g_autoptr (GError) error = NULL;
  DynoTopology *topology =
      with_devices ? dyno_topology_load_with_devices (&error) : dyno_topology_load (&error);

  g_assert_no_error (error);
  return topology;
}

/* A graphics board and an accelerator; devices that only move data are left out. */
static void
test_devices (MachineTree *tree, gconstpointer data)
{
  g_autoptr (DynoTopology) topology = NULL;
  g_autoptr (GPtrArray) devices = NULL;
  g_autofree char *label = NULL;
  g_autofree char *link_folder = g_build_filename (tree->root, PCI, "0000:65:00.0", "driver", NULL);
  const DynoTopologyDevice *gpu, *npu;

  add_device (tree, "0000:00:1f.0", "0x060100\n", "0x8086\n", "0x0001\n");
  add_device (tree, "0000:65:00.0", "0x030200\n", "0x10de\n", "0x2204\n");
  write_attribute (tree, "0000:65:00.0", "numa_node", "0\n");
  machine_tree_write (tree, "sys/bus/pci/drivers/nvidia/bind", "");
  g_assert_cmpint (symlink ("../../drivers/nvidia", link_folder), ==, 0);
  add_device (tree, "0000:00:0b.0", "0x120000\n", "0x8086\n", "0x7d1d\n");
  topology = load (TRUE);
  devices = dyno_topology_device_list (topology);
  g_assert_cmpuint (devices->len, ==, 2);
  npu = devices->pdata[0];
  gpu = devices->pdata[1];
  g_assert_cmpint (gpu->kind, ==, DYNO_TOPOLOGY_GPU);
  g_assert_cmpstr (gpu->address, ==, "0000:65:00.0");
  g_assert_cmpstr (gpu->driver, ==, "nvidia");
  g_assert_cmphex (gpu->vendor, ==, 0x10de);
  g_assert_cmpint (gpu->node, ==, 0);
  g_assert_cmpint (npu->kind, ==, DYNO_TOPOLOGY_ACCELERATOR);
  g_assert_cmpint (npu->node, ==, -1);
  g_assert_null (npu->driver);
  label = dyno_topology_device_dup_label (npu);
  g_assert_true (npu->name != NULL || g_strrstr (label, "8086:7d1d") != NULL);
}

/* The real machine is read once, and each caller has a copy to change and to free. */
static void
test_copies (MachineTree *tree, gconstpointer data)
{
  g_autoptr (DynoTopology) first = NULL;
  g_autoptr (DynoTopology) second = NULL;
  g_autoptr (DynoCpuSet) usable = NULL;

  dyno_paths_set_root (DYNO_PATH_SYSFS, NULL);
  dyno_paths_set_root (DYNO_PATH_PROCFS, NULL);
  first = load (FALSE);
  second = load (FALSE);
  g_assert_true (first != second);
  usable = dyno_topology_dup_usable (first);
  g_clear_pointer (&first, hwloc_topology_destroy);
  g_assert_cmpint (hwloc_bitmap_weight (usable), >, 0);
  g_assert_cmpuint (dyno_topology_count (second, HWLOC_OBJ_PU, usable), ==,
                    (guint)hwloc_bitmap_weight (usable));
  g_assert_true (hwloc_topology_is_thissystem (second));
}

static void
test_without_devices (MachineTree *tree, gconstpointer data)
{
  g_autoptr (DynoTopology) topology = NULL;
  g_autoptr (GPtrArray) devices = NULL;

  add_device (tree, "0000:65:00.0", "0x030200\n", "0x10de\n", "0x2204\n");
  topology = load (FALSE);
  devices = dyno_topology_device_list (topology);
  g_assert_cmpuint (devices->len, ==, 0);
}

static void
test_json (MachineTree *tree, gconstpointer data)
{
  g_autoptr (DynoTopology) topology = NULL;
  g_autoptr (JsonArray) devices = NULL;
  JsonObject *device;

  add_device (tree, "0000:65:00.0", "0x030200\n", "0x10de\n", "0x2204\n");
  topology = load (TRUE);
  devices = dyno_topology_device_list_to_json (topology);
  g_assert_cmpuint (json_array_get_length (devices), ==, 1);
  device = json_array_get_object_element (devices, 0);
  g_assert_cmpstr (json_object_get_string_member (device, "kind"), ==, "gpu");
  g_assert_cmpint (json_object_get_int_member (device, "device"), ==, 0x2204);
  g_assert_true (json_object_get_null_member (device, "driver"));
}

static guint
find_kind (DynoTopology *topology, int processor, guint *n_kinds)
{
  g_autoptr (DynoCpuSet) set = hwloc_bitmap_alloc ();

  hwloc_bitmap_only (set, processor);
  return dyno_topology_find_core_kind (topology, set, n_kinds);
}

/* Cores of different capacity, as reported by the kernel on Arm. */
static void
test_core_kinds (MachineTree *tree, gconstpointer data)
{
  g_autoptr (DynoTopology) alike = load (FALSE);
  g_autoptr (DynoTopology) topology = NULL;
  guint n_kinds;

  g_assert_cmpuint (find_kind (alike, 0, &n_kinds), ==, 0);
  g_assert_cmpuint (n_kinds, ==, 1);
  machine_tree_fill (tree, "", "sys/devices/system/cpu/cpu0/cpu_capacity=1024\n",
                     "sys/devices/system/cpu/cpu1/cpu_capacity=400\n", NULL);
  topology = load (FALSE);
  g_assert_cmpuint (find_kind (topology, 0, &n_kinds), ==, 1);
  g_assert_cmpuint (n_kinds, ==, 2);
  g_assert_cmpuint (find_kind (topology, 1, &n_kinds), ==, 0);
}

static const SuiteFixtureTest (MachineTree) tests[] = {
  { "/topology/copies", test_copies },
  { "/topology/devices", test_devices },
  { "/topology/without-devices", test_without_devices },
  { "/topology/json", test_json },
  { "/topology/core-kinds", test_core_kinds },
};

SUITE_FIXTURE_TESTS (tests, MachineTree, set_up, machine_tree_tear_down)
