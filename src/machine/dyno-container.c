/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>
#include <string.h>

#include "dyno-machine-private.h"
#include "dyno-system-file.h"

/* One hierarchy of control groups: its mount point below sysfs, and the path of this process in it. */
typedef struct
{
  guint version;
  char *mount;
  char *path;
} Hierarchy;

static void
hierarchy_clear (Hierarchy *hierarchy)
{
  g_free (hierarchy->mount);
  g_free (hierarchy->path);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Hierarchy, hierarchy_clear)

typedef void (*GroupFunc) (DynoContainer *container, guint version, const char *folder);

static void
find_hierarchy (Hierarchy *hierarchy, const char *controller)
{
  g_autofree char *text = dyno_system_file_dup_text (DYNO_PATH_PROCFS, "self/cgroup");
  g_auto (GStrv) lines = g_strsplit (text != NULL ? text : "", "\n", -1);

  for (guint i = 0; lines[i] != NULL; i++)
    {
      /* A line is `id:controllers:path`. Version 2 names no controller, and version 1 takes precedence. */
      g_auto (GStrv) parts = g_strsplit (lines[i], ":", 3);
      g_auto (GStrv) controllers = NULL;
      g_autofree char *hybrid = dyno_paths_build (DYNO_PATH_SYSFS, "fs/cgroup/unified", NULL);
      gboolean is_first_version;

      if (g_strv_length (parts) < 3)
        continue;
      controllers = g_strsplit (parts[1], ",", -1);
      is_first_version = g_strv_contains ((const char *const *)controllers, controller);
      if (!is_first_version && (*parts[1] != '\0' || hierarchy->version == 1))
        continue;

      hierarchy_clear (hierarchy);
      hierarchy->version = is_first_version ? 1 : 2;
      /* A machine with both versions has the second one in a folder of its own. */
      if (is_first_version)
        hierarchy->mount = g_build_filename ("fs/cgroup", controller, NULL);
      else
        hierarchy->mount =
            g_strdup (g_file_test (hybrid, G_FILE_TEST_IS_DIR) ? "fs/cgroup/unified" : "fs/cgroup");
      hierarchy->path = g_strdup (parts[2]);
    }
}

/* A limit at any level up to the root counts. Inside a container some levels may not be visible. */
static void
walk_up (DynoContainer *container, const Hierarchy *hierarchy, GroupFunc func)
{
  g_autofree char *path = g_strdup (hierarchy->path);

  while (path != NULL)
    {
      g_autofree char *folder = g_build_filename (hierarchy->mount, path, NULL);
      gboolean is_top = g_str_equal (path, "/") || g_str_equal (path, ".");
      char *parent = is_top ? NULL : g_path_get_dirname (path);

      func (container, hierarchy->version, folder);
      g_free (path);
      path = parent;
    }
}

/* No limit, time or count is below zero, except for a quota of -1, which is none. */
static gint64
read_number (const char *folder, const char *name, gint64 fallback)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  gint64 number = dyno_system_file_read_int64 (DYNO_PATH_SYSFS, path, fallback);

  return number >= 0 ? number : fallback;
}

static gint64
read_field (const char *folder, const char *name, const char *key, gint64 fallback)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autofree char *text = dyno_system_file_dup_text (DYNO_PATH_SYSFS, path);
  g_autofree char *value = dyno_system_file_dup_field (text, key, " ");
  gint64 number = value != NULL ? g_ascii_strtoll (value, NULL, 10) : -1;

  return number >= 0 ? number : fallback;
}

static void
read_memory (DynoContainer *container, guint version, const char *folder)
{
  gboolean is_first = version == 1;
  gint64 limit = read_number (folder, is_first ? "memory.limit_in_bytes" : "memory.max", G_MAXINT64);
  gint64 used = read_number (folder, is_first ? "memory.usage_in_bytes" : "memory.current", 0);
  gint64 reclaimable =
      read_field (folder, "memory.stat", is_first ? "total_inactive_file" : "inactive_file", 0);

  /* The group itself counts, or its parent where it has no such file. */
  if (container->n_oom_kills < 0)
    container->n_oom_kills =
        read_field (folder, is_first ? "memory.oom_control" : "memory.events", "oom_kill", -1);
  if (limit == G_MAXINT64)
    return;
  container->memory_limit = MIN (container->memory_limit, limit);
  container->memory_available =
      MIN (container->memory_available, MAX (0, limit - MAX (0, used - reclaimable)));
}

static gint64
read_quota (guint version, const char *folder, gint64 *period)
{
  g_autofree char *path = g_build_filename (folder, "cpu.max", NULL);
  g_autofree char *text = dyno_system_file_dup_text (DYNO_PATH_SYSFS, path);
  g_auto (GStrv) parts = g_strsplit (text != NULL ? text : "", " ", 2);

  if (version == 1)
    {
      *period = read_number (folder, "cpu.cfs_period_us", 0);
      return read_number (folder, "cpu.cfs_quota_us", -1);
    }
  if (g_strv_length (parts) < 2 || g_str_equal (parts[0], "max"))
    return -1;
  *period = g_ascii_strtoll (parts[1], NULL, 10);
  return g_ascii_strtoll (parts[0], NULL, 10);
}

/* Each group up to the root has its own limit and counts the stops by that limit. */
static void
add_count (gint64 *sum, gint64 count)
{
  if (count >= 0)
    *sum = MIN (MAX (*sum, 0), G_MAXINT64 - count) + count;
}

static void
read_cpu (DynoContainer *container, guint version, const char *folder)
{
  gint64 period = 0;
  gint64 quota = read_quota (version, folder, &period);

  if (quota > 0 && period > 0)
    container->cpu_limit = MIN (container->cpu_limit, (double)quota / period);
  add_count (&container->n_throttled, read_field (folder, "cpu.stat", "nr_throttled", -1));

  /* Version 1 uses nanoseconds. */
  gint64 nanoseconds = version == 1 ? read_field (folder, "cpu.stat", "throttled_time", -1) : -1;

  add_count (&container->throttled_us, version == 1 ? (nanoseconds < 0 ? -1 : nanoseconds / 1000)
                                                    : read_field (folder, "cpu.stat", "throttled_usec", -1));
}

/* The line is `some avg10=… avg60=… avg300=… total=MICROSECONDS`. */
static gint64
read_pressure (DynoPathKind kind, const char *path)
{
  g_autofree char *text = dyno_system_file_dup_text (kind, path);
  const char *total = text != NULL && g_str_has_prefix (text, "some ") ? strstr (text, "total=") : NULL;

  return total != NULL ? g_ascii_strtoll (total + strlen ("total="), NULL, 10) : -1;
}

static const char *const pressures[DYNO_N_PRESSURES] = {
  [DYNO_PRESSURE_CPU] = "cpu",
  [DYNO_PRESSURE_MEMORY] = "memory",
  [DYNO_PRESSURE_IO] = "io",
};

gint64
dyno_container_read_machine_pressure (DynoPressure kind)
{
  g_autofree char *path = g_build_filename ("pressure", pressures[kind], NULL);

  return read_pressure (DYNO_PATH_PROCFS, path);
}

void
dyno_container_read (DynoContainer *container)
{
  g_auto (Hierarchy) memory = { 0 };
  g_auto (Hierarchy) cpu = { 0 };
  g_auto (Hierarchy) unified = { 0 };

  *container = (DynoContainer){
    .memory_limit = G_MAXINT64,
    .memory_available = G_MAXINT64,
    .cpu_limit = INFINITY,
    .n_oom_kills = -1,
    .n_throttled = -1,
    .throttled_us = -1,
    .pressure_us = { -1, -1, -1 },
  };
  find_hierarchy (&memory, "memory");
  find_hierarchy (&cpu, "cpu");
  container->version = memory.version;
  walk_up (container, &memory, read_memory);
  walk_up (container, &cpu, read_cpu);
  find_hierarchy (&unified, "unified");

  /* Only version 2 has it. The root counts the whole machine, and is the only group without events. */
  g_autofree char *folder = NULL;
  g_autofree char *events = NULL;

  if (unified.version != 2)
    return;
  folder = dyno_paths_build (DYNO_PATH_SYSFS, unified.mount, unified.path, NULL);
  events = g_build_filename (folder, "cgroup.events", NULL);
  if (!g_file_test (events, G_FILE_TEST_EXISTS))
    return;
  for (guint kind = 0; kind < DYNO_N_PRESSURES; kind++)
    {
      g_autofree char *name = g_strconcat (pressures[kind], ".pressure", NULL);
      g_autofree char *path = g_build_filename (unified.mount, unified.path, name, NULL);

      container->pressure_us[kind] = read_pressure (DYNO_PATH_SYSFS, path);
    }
}
