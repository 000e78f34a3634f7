/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "dyno-json.h"
#include "dyno-machine-private.h"
#include "dyno-system-file.h"

#define CPU_FOLDER   "devices/system/cpu"
#define POWER_FOLDER "class/power_supply"

static char *
dup_sysfs_text (const char *folder, const char *name, const char *file)
{
  g_autofree char *path = g_build_filename (folder, name, file, NULL);

  return dyno_system_file_dup_text (DYNO_PATH_SYSFS, path);
}

gint64
dyno_machine_state_read_available_memory (const DynoContainer *container)
{
  g_autofree char *meminfo = dyno_system_file_dup_text (DYNO_PATH_PROCFS, "meminfo");
  gint64 available = dyno_system_file_parse_kib (meminfo, "MemAvailable");

  if (container->memory_available < G_MAXINT64)
    return available >= 0 ? MIN (available, container->memory_available) : container->memory_available;
  return available;
}

/* The governor of all processors, or `mixed`. */
static char *
dup_governor (void)
{
  g_auto (GStrv) names = dyno_system_file_list (DYNO_PATH_SYSFS, CPU_FOLDER);
  g_autofree char *common = NULL;

  for (guint i = 0; names[i] != NULL; i++)
    {
      g_autofree char *governor = dup_sysfs_text (CPU_FOLDER, names[i], "cpufreq/scaling_governor");

      if (governor == NULL)
        continue;
      if (common != NULL && !g_str_equal (common, governor))
        return g_strdup ("mixed");
      g_free (common);
      common = g_steal_pointer (&governor);
    }
  return g_steal_pointer (&common);
}

static int
read_on_battery (void)
{
  g_auto (GStrv) names = dyno_system_file_list (DYNO_PATH_SYSFS, POWER_FOLDER);

  for (guint i = 0; names[i] != NULL; i++)
    {
      /* A mouse also has a battery, with the scope `Device`. */
      g_autofree char *type = dup_sysfs_text (POWER_FOLDER, names[i], "type");
      g_autofree char *scope = dup_sysfs_text (POWER_FOLDER, names[i], "scope");
      g_autofree char *status = dup_sysfs_text (POWER_FOLDER, names[i], "status");

      if (g_strcmp0 (type, "Battery") == 0 && g_strcmp0 (scope, "Device") != 0 &&
          g_strcmp0 (status, "Discharging") == 0)
        return TRUE;
    }
  return names[0] != NULL ? FALSE : -1;
}

JsonObject *
dyno_machine_state_read (const DynoContainer *container)
{
  g_autofree char *load = dyno_system_file_dup_text (DYNO_PATH_PROCFS, "loadavg");
  g_autofree char *meminfo = dyno_system_file_dup_text (DYNO_PATH_PROCFS, "meminfo");
  gint64 swap = dyno_system_file_parse_kib (meminfo, "SwapTotal");
  gint64 free_swap = dyno_system_file_parse_kib (meminfo, "SwapFree");
  gint64 boost = dyno_system_file_read_int64 (DYNO_PATH_SYSFS, CPU_FOLDER "/cpufreq/boost", -1);
  gint64 no_turbo = dyno_system_file_read_int64 (DYNO_PATH_SYSFS, CPU_FOLDER "/intel_pstate/no_turbo", -1);
  g_autofree char *governor = dup_governor ();
  /* The kernel lists all choices and puts the current one in brackets. */
  g_autofree char *text =
      dyno_system_file_dup_text (DYNO_PATH_SYSFS, "kernel/mm/transparent_hugepage/enabled");
  g_auto (GStrv) parts = g_strsplit_set (text != NULL ? text : "", "[]", 3);
  g_autofree char *hugepages = g_strv_length (parts) == 3 ? g_strdup (parts[1]) : NULL;
  JsonObject *state = json_object_new ();

  dyno_json_member_set_double (state, "load_1m", load != NULL ? g_ascii_strtod (load, NULL) : NAN);
  dyno_json_member_set_size (state, "available_memory_bytes",
                             dyno_machine_state_read_available_memory (container));
  dyno_json_member_set_size (state, "swap_used_bytes", swap >= 0 && free_swap >= 0 ? swap - free_swap : -1);
  dyno_json_member_set_string (state, "governor", governor);
  dyno_json_member_set_flag (state, "boost", boost >= 0 ? boost != 0 : no_turbo >= 0 ? no_turbo == 0 : -1);
  dyno_json_member_set_flag (state, "on_battery", read_on_battery ());
  dyno_json_member_set_string (state, "transparent_hugepages", hugepages);
  dyno_json_member_set_size (state, "throttled_periods", container->n_throttled);

  g_auto (GStrv) names = dyno_system_file_list (DYNO_PATH_SYSFS, CPU_FOLDER);
  gint64 most = -1;

  /* The hottest core counts, since the machine started. */
  for (guint i = 0; names[i] != NULL; i++)
    {
      g_autofree char *path =
          g_build_filename (CPU_FOLDER, names[i], "thermal_throttle/core_throttle_count", NULL);

      most = MAX (most, dyno_system_file_read_int64 (DYNO_PATH_SYSFS, path, -1));
    }
  dyno_json_member_set_size (state, "thermal_throttles", most);

  JsonObject *cloud = dyno_cloud_read ();

  if (cloud != NULL)
    json_object_set_object_member (state, "cloud", cloud);
  return state;
}
