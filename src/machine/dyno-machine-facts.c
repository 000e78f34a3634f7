/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>
#include <sys/utsname.h>

#include "dyno-json.h"
#include "dyno-machine-private.h"
#include "dyno-system-file.h"
#include "dyno-topology.h"

/* The instruction sets that matter to matrix work, with their names in cpuinfo. */
static const char *const x86_flags[] = { "sse4_2", "avx*", "fma", "f16c", "amx*", NULL };
static const char *const arm_flags[] = { "asimd*", "fphp", "bf16", "i8mm", "sve*", "sme*", NULL };

static gboolean
matches_any (const char *flag, const char *const *patterns)
{
  for (guint i = 0; patterns[i] != NULL; i++)
    if (g_pattern_match_simple (patterns[i], flag))
      return TRUE;
  return FALSE;
}

static JsonObject *
read_cpu (DynoTopology *topology, const DynoContainer *container)
{
  g_autofree char *cpuinfo = dyno_system_file_dup_text (DYNO_PATH_PROCFS, "cpuinfo");
  g_autofree char *name = dyno_system_file_dup_field (cpuinfo, "model name", "\t :");
  g_autofree char *microcode = dyno_system_file_dup_field (cpuinfo, "microcode", "\t :");
  g_autofree char *smt = dyno_system_file_dup_text (DYNO_PATH_SYSFS, "devices/system/cpu/smt/control");
  const DynoCpuSet *all = hwloc_topology_get_topology_cpuset (topology);
  hwloc_obj_t package = hwloc_get_obj_by_type (topology, HWLOC_OBJ_PACKAGE, 0);
  g_autoptr (DynoCpuSet) usable = dyno_topology_dup_usable (topology);
  guint n_usable = hwloc_bitmap_weight (usable);
  JsonObject *cpu = json_object_new ();
  struct utsname system;

  if (name == NULL && package != NULL)
    name = g_strdup (hwloc_obj_get_info_by_name (package, "CPUModel"));
  dyno_json_member_set_string (cpu, "name", name);
  dyno_json_member_set_string (cpu, "architecture", uname (&system) == 0 ? system.machine : NULL);
  dyno_json_member_set_string (cpu, "microcode", microcode);
  json_object_set_int_member (cpu, "packages", dyno_topology_count (topology, HWLOC_OBJ_PACKAGE, all));
  json_object_set_int_member (cpu, "cores", dyno_topology_count (topology, HWLOC_OBJ_CORE, all));
  json_object_set_int_member (cpu, "threads", dyno_topology_count (topology, HWLOC_OBJ_PU, all));
  /* These can run at once: the allowed threads, but no more than the granted processor time supports. */
  json_object_set_int_member (cpu, "usable_threads", MAX (1, MIN (n_usable, floor (container->cpu_limit))));
  dyno_json_member_set_string (cpu, "smt", smt);

  g_autofree char *x86 = dyno_system_file_dup_field (cpuinfo, "flags", "\t :");
  g_autofree char *arm = dyno_system_file_dup_field (cpuinfo, "Features", "\t :");
  const char *text = x86 != NULL ? x86 : arm;
  g_auto (GStrv) flags = g_strsplit (text != NULL ? text : "", " ", -1);
  JsonArray *array = json_array_new ();

  for (guint i = 0; flags[i] != NULL; i++)
    if (matches_any (flags[i], x86 != NULL ? x86_flags : arm_flags))
      json_array_add_string_element (array, flags[i]);
  json_object_set_array_member (cpu, "flags", array);
  return cpu;
}

/* From the largest, which is at the top in hwloc, to the smallest. */
static JsonArray *
list_caches (DynoTopology *topology)
{
  JsonArray *caches = json_array_new ();

  for (int depth = 0; depth < hwloc_topology_get_depth (topology); depth++)
    if (hwloc_obj_type_is_cache (hwloc_get_depth_type (topology, depth)))
      {
        hwloc_obj_t first = hwloc_get_obj_by_depth (topology, depth, 0);
        hwloc_obj_cache_type_t type = first->attr->cache.type;
        JsonObject *cache = json_object_new ();

        json_object_set_int_member (cache, "level", first->attr->cache.depth);
        json_object_set_string_member (cache, "type",
                                       type == HWLOC_OBJ_CACHE_DATA          ? "data"
                                       : type == HWLOC_OBJ_CACHE_INSTRUCTION ? "instruction"
                                                                             : "unified");
        json_object_set_int_member (cache, "size_bytes", first->attr->cache.size);
        json_object_set_int_member (cache, "line_bytes", first->attr->cache.linesize);
        json_object_set_int_member (cache, "count", hwloc_get_nbobjs_by_depth (topology, depth));
        json_array_add_object_element (caches, cache);
      }
  return caches;
}

static JsonArray *
list_numa_nodes (DynoTopology *topology)
{
  JsonArray *nodes = json_array_new ();
  hwloc_obj_t node = NULL;

  while ((node = hwloc_get_next_obj_by_type (topology, HWLOC_OBJ_NUMANODE, node)) != NULL)
    {
      g_autofree char *threads = dyno_topology_format_set (node->cpuset);
      JsonObject *object = json_object_new ();

      json_object_set_int_member (object, "memory_bytes", node->attr->numanode.local_memory);
      json_object_set_string_member (object, "threads", threads);
      json_array_add_object_element (nodes, object);
    }
  return nodes;
}

static JsonArray *
list_core_kinds (DynoTopology *topology)
{
  int n_kinds = hwloc_cpukinds_get_nr (topology, 0);
  JsonArray *kinds = json_array_new ();

  for (int i = 0; n_kinds > 1 && i < n_kinds; i++)
    {
      g_autoptr (DynoCpuSet) set = hwloc_bitmap_alloc ();
      g_autofree char *threads = NULL;
      JsonObject *object = json_object_new ();

      hwloc_cpukinds_get_info (topology, (unsigned int)i, set, NULL, NULL, NULL, 0);
      threads = dyno_topology_format_set (set);
      json_object_set_string_member (object, "threads", threads);
      json_array_add_object_element (kinds, object);
    }
  return kinds;
}

static JsonObject *
read_host (void)
{
  g_autofree char *vendor = dyno_system_file_dup_text (DYNO_PATH_SYSFS, "class/dmi/id/sys_vendor");
  g_autofree char *product = dyno_system_file_dup_text (DYNO_PATH_SYSFS, "class/dmi/id/product_name");
  g_autofree char *type = dyno_system_file_dup_text (DYNO_PATH_SYSFS, "hypervisor/type");
  g_autofree char *cpuinfo = dyno_system_file_dup_text (DYNO_PATH_PROCFS, "cpuinfo");
  g_autofree char *flags = dyno_system_file_dup_field (cpuinfo, "flags", "\t :");
  g_auto (GStrv) words = g_strsplit (flags != NULL ? flags : "", " ", -1);
  gboolean is_virtual = type != NULL || g_strv_contains ((const char *const *)words, "hypervisor");
  JsonObject *host = json_object_new ();

  dyno_json_member_set_string (host, "vendor", vendor);
  dyno_json_member_set_string (host, "product", product);
  json_object_set_boolean_member (host, "virtual", is_virtual);
  return host;
}

/**
 * dyno_machine_facts_read:
 * @topology: the topology
 * @container: the limits of the control groups
 *
 * Collects the facts that do not change while the machine runs: `cpu`, `caches`, `memory`, `numa_nodes`,
 * `core_kinds`, `devices`, `kernel`, `os`, `host` and `container`, as dyno_machine_to_json()
 * documents them.
 *
 * Returns: (transfer full): the facts
 */
JsonObject *
dyno_machine_facts_read (DynoTopology *topology, const DynoContainer *container)
{
  g_autofree char *meminfo = dyno_system_file_dup_text (DYNO_PATH_PROCFS, "meminfo");
  gint64 memory_total = dyno_system_file_parse_kib (meminfo, "MemTotal");
  g_autofree char *os_name = g_get_os_info (G_OS_INFO_KEY_PRETTY_NAME);
  JsonObject *facts = json_object_new ();
  JsonObject *memory = json_object_new ();
  JsonObject *kernel = json_object_new ();
  JsonObject *os = json_object_new ();
  JsonObject *group = json_object_new ();
  gboolean has_limit = container->memory_limit < (memory_total >= 0 ? memory_total : G_MAXINT64);
  struct utsname system = { 0 };

  dyno_json_member_set_size (memory, "total_bytes", memory_total);
  dyno_json_member_set_size (memory, "swap_bytes", dyno_system_file_parse_kib (meminfo, "SwapTotal"));
  uname (&system);
  json_object_set_string_member (kernel, "name", system.sysname);
  json_object_set_string_member (kernel, "release", system.release);
  json_object_set_string_member (kernel, "version", system.version);
  dyno_json_member_set_string (os, "name", os_name);
  json_object_set_int_member (group, "cgroup_version", container->version);
  dyno_json_member_set_size (group, "memory_limit_bytes", has_limit ? container->memory_limit : -1);
  dyno_json_member_set_double (group, "cpu_limit", container->cpu_limit);

  json_object_set_object_member (facts, "cpu", read_cpu (topology, container));
  json_object_set_array_member (facts, "caches", list_caches (topology));
  json_object_set_object_member (facts, "memory", memory);
  json_object_set_array_member (facts, "numa_nodes", list_numa_nodes (topology));
  json_object_set_array_member (facts, "core_kinds", list_core_kinds (topology));
  json_object_set_array_member (facts, "devices", dyno_topology_device_list_to_json (topology));
  json_object_set_object_member (facts, "kernel", kernel);
  json_object_set_object_member (facts, "os", os);
  json_object_set_object_member (facts, "host", read_host ());
  json_object_set_object_member (facts, "container", group);
  return facts;
}
