/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>
#include <unistd.h>

#include "dyno-json.h"
#include "dyno-machine.h"
#include "machine-tree.h"
#include "suite.h"

#define CPUINFO                                                                                              \
  "processor\t: 0\nmodel name\t: Test Processor 9000\nmicrocode\t: 0x42\n"                                   \
  "flags\t\t: fpu sse4_2 smep avx avx2 avx512f amx_bf16 hypervisor\n"

#define MEMINFO                                                                                              \
  "MemTotal:       16777216 kB\nMemFree:         1000000 kB\nMemAvailable:    8388608 kB\n"                  \
  "SwapTotal:       2097152 kB\nSwapFree:        1048576 kB\n"

/* One package with two cores of two hardware threads each, 0 and 2 on the first. */
static void
write_processor (MachineTree *tree, guint number)
{
  const char *siblings = number % 2 == 0 ? "00000005\n" : "0000000a\n";
  g_autofree char *core = g_strdup_printf ("%u\n", number % 2);
  g_autofree char *folder = g_strdup_printf ("sys/devices/system/cpu/cpu%u", number);
  const struct
  {
    const char *path;
    const char *text;
  } files[] = {
    { "topology/core_id", core },
    { "topology/physical_package_id", "0\n" },
    { "topology/thread_siblings", siblings },
    { "topology/core_siblings", "0000000f\n" },
    { "topology/core_cpus", siblings },
    { "topology/package_cpus", "0000000f\n" },
    { "cpufreq/scaling_governor", "powersave\n" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autofree char *path = g_build_filename (folder, files[i].path, NULL);

      machine_tree_write (tree, path, files[i].text);
    }
}

static void
set_up (MachineTree *tree, gconstpointer data)
{
  machine_tree_set_up (tree, data);
  for (guint i = 0; i < 4; i++)
    write_processor (tree, i);
  machine_tree_fill (tree, "", "sys/devices/system/cpu/online=0-3\n", "sys/devices/system/cpu/possible=0-3\n",
                     "sys/devices/system/cpu/smt/control=on\n", NULL);
  machine_tree_write (tree, "proc/cpuinfo", CPUINFO);
  machine_tree_write (tree, "proc/meminfo", MEMINFO);
  machine_tree_write (tree, "proc/loadavg", "0.75 0.5 0.25 1/100 1234\n");
}

static DynoMachine *
take_snapshot (void)
{
  g_autoptr (GError) error = NULL;
  DynoMachine *machine = dyno_machine_snapshot (&error);

  g_assert_no_error (error);
  return machine;
}

static JsonObject *
get_section (JsonNode *node, const char *name)
{
  return json_object_get_object_member (json_node_get_object (node), name);
}

/* The firmware names the provider, and at one of them the type; the region is only known after somebody asked. */
static void
test_cloud (MachineTree *tree, gconstpointer data)
{
  static const struct
  {
    const char *file;
    const char *text;
    const char *expected;
  } rows[] = {
    { "sys_vendor", "Amazon EC2\n", "AWS · m7i.xlarge" },
    { "sys_vendor", "Maker\n", NULL },
    { "product_name", "Google Compute Engine\n", "Google Cloud" },
    { "chassis_asset_tag", "7783-7084-3265-9085-8269-3286-77\n", "Azure" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *path = g_strconcat ("sys/class/dmi/id/", rows[i].file, NULL);
      g_autoptr (DynoMachine) machine = NULL;
      g_autoptr (JsonNode) node = NULL;
      g_autofree char *snapshot = NULL;
      g_autofree char *cloud = NULL;

      machine_tree_write (tree, "sys/class/dmi/id/sys_vendor", "\n");
      machine_tree_write (tree, "sys/class/dmi/id/product_name", "m7i.xlarge\n");
      machine_tree_write (tree, path, rows[i].text);
      machine = take_snapshot ();
      node = dyno_machine_to_json (machine);
      snapshot = dyno_json_text_write (node, FALSE);
      cloud = dyno_machine_dup_cloud (snapshot);
      g_test_message ("%s: %s", rows[i].file, rows[i].text);
      g_assert_cmpstr (cloud, ==, rows[i].expected);
    }
  dyno_cloud_tell ("Standard_D4", "westeurope");

  g_autoptr (DynoMachine) told = take_snapshot ();
  g_autoptr (JsonNode) node = dyno_machine_to_json (told);
  g_autofree char *snapshot = dyno_json_text_write (node, FALSE);
  g_autofree char *cloud = dyno_machine_dup_cloud (snapshot);

  g_assert_cmpstr (cloud, ==, "Azure · Standard_D4 · westeurope");
  dyno_cloud_tell (NULL, NULL);
}

static void
test_topology (MachineTree *tree, gconstpointer data)
{
  g_autoptr (DynoMachine) machine = take_snapshot ();

  g_assert_cmpstr (dyno_machine_get_cpu_name (machine), ==, "Test Processor 9000");
  g_assert_cmpuint (dyno_machine_get_n_cores (machine), ==, 2);
  g_assert_cmpuint (dyno_machine_get_n_threads (machine), ==, 4);
  g_assert_cmpuint (dyno_machine_get_n_usable_threads (machine), ==, 4);
}

static void
test_cpu_limit (MachineTree *tree, gconstpointer data)
{
  g_autoptr (DynoMachine) machine = NULL;

  machine_tree_fill (tree, "", "proc/self/cgroup=0::/\n", "sys/fs/cgroup/cpu.max=250000 100000\n", NULL);
  machine = take_snapshot ();
  g_assert_cmpuint (dyno_machine_get_n_threads (machine), ==, 4);
  g_assert_cmpuint (dyno_machine_get_n_usable_threads (machine), ==, 2);
}

static void
test_memory (MachineTree *tree, gconstpointer data)
{
  g_autoptr (DynoMachine) machine = take_snapshot ();

  g_assert_cmpint (dyno_machine_get_memory (machine), ==, G_GINT64_CONSTANT (16) << 30);
  g_assert_cmpint (dyno_machine_get_available_memory (machine), ==, G_GINT64_CONSTANT (8) << 30);
  g_assert_cmpint (dyno_machine_read_available_memory (), ==, G_GINT64_CONSTANT (8) << 30);

  machine_tree_fill (tree, "", "proc/self/cgroup=0::/\n", "sys/fs/cgroup/memory.max=3221225472\n",
                     "sys/fs/cgroup/memory.current=1073741824\n", NULL);
  g_clear_object (&machine);
  machine = take_snapshot ();
  g_assert_cmpint (dyno_machine_get_memory (machine), ==, G_GINT64_CONSTANT (16) << 30);
  g_assert_cmpint (dyno_machine_get_available_memory (machine), ==, G_GINT64_CONSTANT (2) << 30);
  g_assert_cmpint (dyno_machine_read_available_memory (), ==, G_GINT64_CONSTANT (2) << 30);
}

static void
test_facts (MachineTree *tree, gconstpointer data)
{
  g_autoptr (DynoMachine) machine = NULL;
  g_autoptr (JsonNode) node = NULL;
  JsonObject *cpu, *host;
  JsonArray *flags;

  machine_tree_write (tree, "sys/class/dmi/id/product_name", "Toaster\n");
  machine = take_snapshot ();
  node = dyno_machine_to_json (machine);
  cpu = get_section (node, "cpu");
  host = get_section (node, "host");
  flags = json_object_get_array_member (cpu, "flags");

  g_assert_cmpstr (json_object_get_string_member (cpu, "microcode"), ==, "0x42");
  g_assert_cmpstr (json_object_get_string_member (cpu, "smt"), ==, "on");
  g_assert_cmpint (json_object_get_int_member (cpu, "packages"), ==, 1);
  g_assert_cmpuint (json_array_get_length (flags), ==, 5);
  g_assert_cmpstr (json_array_get_string_element (flags, 4), ==, "amx_bf16");
  g_assert_cmpstr (json_object_get_string_member (host, "product"), ==, "Toaster");
  g_assert_true (json_object_get_null_member (host, "vendor"));
  g_assert_true (json_object_get_boolean_member (host, "virtual"));
  g_assert_true (json_object_get_null_member (get_section (node, "container"), "memory_limit_bytes"));
}

static void
test_state (MachineTree *tree, gconstpointer data)
{
  g_autoptr (DynoMachine) machine = NULL;
  g_autoptr (JsonNode) node = NULL;
  JsonObject *state;

  machine_tree_fill (tree, "", "sys/devices/system/cpu/cpufreq/boost=0\n",
                     "sys/class/power_supply/BAT0/type=Battery\n",
                     "sys/class/power_supply/BAT0/status=Discharging\n",
                     "sys/kernel/mm/transparent_hugepage/enabled=always [madvise] never\n",
                     "sys/devices/system/cpu/cpu2/thermal_throttle/core_throttle_count=17\n", NULL);
  machine = take_snapshot ();
  node = dyno_machine_to_json (machine);
  state = get_section (node, "state");

  g_assert_cmpfloat (json_object_get_double_member (state, "load_1m"), ==, 0.75);
  g_assert_cmpint (json_object_get_int_member (state, "swap_used_bytes"), ==, G_GINT64_CONSTANT (1) << 30);
  g_assert_cmpstr (json_object_get_string_member (state, "governor"), ==, "powersave");
  g_assert_false (json_object_get_boolean_member (state, "boost"));
  g_assert_true (json_object_get_boolean_member (state, "on_battery"));
  g_assert_cmpstr (json_object_get_string_member (state, "transparent_hugepages"), ==, "madvise");
  g_assert_cmpint (json_object_get_int_member (state, "thermal_throttles"), ==, 17);
  g_assert_true (json_object_get_null_member (state, "throttled_periods"));
}

static void
test_other_state (MachineTree *tree, gconstpointer data)
{
  g_autoptr (DynoMachine) machine = NULL;
  g_autoptr (JsonNode) node = NULL;
  JsonObject *state;

  machine_tree_fill (tree, "", "sys/devices/system/cpu/intel_pstate/no_turbo=0\n",
                     "sys/devices/system/cpu/cpu3/cpufreq/scaling_governor=performance\n",
                     "sys/class/power_supply/mouse/type=Battery\n",
                     "sys/class/power_supply/mouse/scope=Device\n",
                     "sys/class/power_supply/mouse/status=Discharging\n", NULL);
  machine = take_snapshot ();
  node = dyno_machine_to_json (machine);
  state = get_section (node, "state");

  g_assert_true (json_object_get_boolean_member (state, "boost"));
  g_assert_cmpstr (json_object_get_string_member (state, "governor"), ==, "mixed");
  g_assert_false (json_object_get_boolean_member (state, "on_battery"));
}

static void
test_id (MachineTree *tree, gconstpointer data)
{
  g_autoptr (DynoMachine) first = take_snapshot ();
  g_autoptr (DynoMachine) busy = NULL;
  g_autoptr (DynoMachine) updated = NULL;

  machine_tree_write (tree, "proc/loadavg", "9.5 0.5 0.25 1/100 1234\n");
  busy = take_snapshot ();
  g_assert_cmpuint (strlen (dyno_machine_get_id (first)), ==, 32);
  g_assert_cmpstr (dyno_machine_get_id (busy), ==, dyno_machine_get_id (first));

  machine_tree_write (tree, "proc/cpuinfo", "model name\t: Test Processor 9001\n");
  updated = take_snapshot ();
  g_assert_cmpstr (dyno_machine_get_id (updated), !=, dyno_machine_get_id (first));
}

static void
test_summary (MachineTree *tree, gconstpointer data)
{
  g_autoptr (DynoMachine) machine = take_snapshot ();
  g_autoptr (JsonNode) node = dyno_machine_to_json (machine);
  g_autofree char *text = dyno_json_text_write (node, FALSE);
  g_autofree char *summary = dyno_machine_dup_summary (text);
  g_autofree char *of_empty = dyno_machine_dup_summary ("{}");
  g_autofree char *of_null = dyno_machine_dup_summary (NULL);

  g_assert_cmpstr (summary, ==, "Test Processor 9000 · 2 cores · 17.2\u00a0GB");
  g_assert_cmpstr (of_empty, ==, "Unknown machine");
  g_assert_cmpstr (of_null, ==, "Unknown machine");
}

/* Some things hold for every machine. */
static void
test_this_machine (void)
{
  g_autoptr (DynoMachine) machine = take_snapshot ();
  g_autoptr (JsonNode) node = dyno_machine_to_json (machine);
  JsonObject *clock = get_section (node, "clock");

  g_assert_cmpuint (dyno_machine_get_n_cores (machine), >=, 1);
  g_assert_cmpuint (dyno_machine_get_n_threads (machine), >=, dyno_machine_get_n_cores (machine));
  g_assert_cmpuint (dyno_machine_get_n_usable_threads (machine), >=, 1);
  g_assert_cmpuint (dyno_machine_get_n_usable_threads (machine), <=, sysconf (_SC_NPROCESSORS_ONLN));
  g_assert_cmpint (dyno_machine_get_memory (machine), >, 0);
  g_assert_cmpint (dyno_machine_get_available_memory (machine), <=, dyno_machine_get_memory (machine));
  g_assert_cmpfloat (json_object_get_double_member (clock, "resolution_ns"), >=, 1);
  g_assert_cmpfloat (json_object_get_double_member (clock, "read_overhead_ns"), >, 0);
}

static void
add (const char *path, void (*test) (MachineTree *tree, gconstpointer data))
{
  g_test_add (path, MachineTree, NULL, set_up, test, machine_tree_tear_down);
}

static void
add_tests (void)
{
  g_test_add_func ("/machine/this", test_this_machine);
  add ("/machine/topology", test_topology);
  add ("/machine/cloud", test_cloud);
  add ("/machine/cpu-limit", test_cpu_limit);
  add ("/machine/memory", test_memory);
  add ("/machine/facts", test_facts);
  add ("/machine/state", test_state);
  add ("/machine/state/other", test_other_state);
  add ("/machine/id", test_id);
  add ("/machine/summary", test_summary);
}

SUITE_ADD (add_tests)
