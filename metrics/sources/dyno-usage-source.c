/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "dyno-clock.h"
#include "dyno-metrics-sources-private.h"
#include "dyno-paths.h"
#include "dyno-sensor-source.h"
#include "dyno-system-file.h"
#include "dyno-topology.h"

#define CPU_FOLDER   "devices/system/cpu"
#define ACCELERATORS "class/accel"

/* Per cent of a second in a microsecond. */
#define PERCENT_PER_US 1e-4

/* Intel's kernel driver lists the efficient cores of a processor that has both kinds. */
#define EFFICIENT_CORES "devices/cpu_atom/cpus"

/* The longest line of a processor in procfs' stat. */
#define LINE_LENGTH 160

/* Some of the processors. The kernel accounts their time in whole ticks, each at its end, so an excess over the time
 * that has passed is carried over to later readings. */
typedef struct
{
  int stat;
  char *text;
  gsize size;
  DynoCpuSet *processors;
  double ticks_per_second;
  gint64 ticks_before;
  double busy;
  gint64 last_ns;
} UsageData;

static void
usage_data_free (gpointer data)
{
  UsageData *self = data;

  close (self->stat);
  hwloc_bitmap_free (self->processors);
  g_free (self->text);
  g_free (self);
}

/* Each processor that is on has a line `cpu3 …`, below that of all together. */
static gboolean
read_ticks (UsageData *self, gint64 *ticks)
{
  gssize length = pread (self->stat, self->text, self->size - 1, 0);
  int n_missing = hwloc_bitmap_weight (self->processors);
  DynoProcessorTicks sum = { 0 };

  self->text[MAX (length, 0)] = '\0';
  for (const char *line = self->text; n_missing > 0 && (line = strstr (line, "\ncpu")) != NULL;)
    {
      char *end;
      guint processor = (guint)g_ascii_strtoull (line + strlen ("\ncpu"), &end, 10);

      line = end;
      if (!hwloc_bitmap_isset (self->processors, processor))
        continue;
      if (!dyno_system_file_add_ticks (line, &sum))
        return FALSE;
      n_missing--;
    }
  *ticks = sum.busy;
  return n_missing == 0;
}

static gboolean
read_usage (gpointer data, gint64 now_ns, double *value)
{
  UsageData *self = data;
  double most = self->busy + 100 * (double)(now_ns - self->last_ns) / 1e9;
  gint64 ticks;

  if (!read_ticks (self, &ticks))
    return FALSE;
  self->busy = MIN (100 * (double)(ticks - self->ticks_before) / self->ticks_per_second, most);
  *value = self->busy;
  self->last_ns = dyno_clock_now_ns ();
  return TRUE;
}

static gboolean
add (GPtrArray *sensors, const char *facet, const char *source, const DynoCpuSet *processors, guint n_all)
{
  g_autofree char *name = g_strconcat ("cpu", facet != NULL ? "_" : "", facet, NULL);
  g_autofree char *path = dyno_paths_build (DYNO_PATH_PROCFS, "stat", NULL);
  const DynoSensorInfo info = {
    .kind = DYNO_SENSOR_BUSY, .domain = DYNO_DOMAIN_PACKAGE, .name = name, .source = source, .facet = facet
  };
  UsageData *data = g_new0 (UsageData, 1);

  data->stat = open (path, O_RDONLY | O_CLOEXEC);
  data->size = (gsize)(n_all + 2) * LINE_LENGTH;
  data->text = g_malloc (data->size);
  data->processors = hwloc_bitmap_dup (processors);
  data->ticks_per_second = (double)sysconf (_SC_CLK_TCK) * hwloc_bitmap_weight (processors);
  data->last_ns = dyno_clock_now_ns ();
  if (data->stat < 0 || !read_ticks (data, &data->ticks_before))
    {
      usage_data_free (data);
      return FALSE;
    }
  g_ptr_array_add (sensors, dyno_sensor_new (&info, read_usage, data, usage_data_free));
  return TRUE;
}

static gint64
read_capacity (int processor)
{
  g_autofree char *name = g_strdup_printf (CPU_FOLDER "/cpu%d/cpu_capacity", processor);

  return dyno_system_file_read_int64 (DYNO_PATH_SYSFS, name, -1);
}

static gboolean
read_process (gpointer data, GPid pid, double *value)
{
  const guint *n_processors = data;
  struct timespec time;
  clockid_t clock = CLOCK_PROCESS_CPUTIME_ID;

#ifdef __linux__
  if (pid != getpid () && clock_getcpuclockid (pid, &clock) != 0)
    return FALSE;
#endif
  if (clock_gettime (clock, &time) != 0)
    return FALSE;
  *value = 100 * ((double)time.tv_sec + (double)time.tv_nsec / 1e9) / *n_processors;
  return TRUE;
}

/* Intel's driver of its NPUs counts the microseconds in which one works. They are parts of the processor, and no board that a
 * case could be charged with. */
static void
add_npus (GPtrArray *sensors)
{
  g_autofree char *folder = dyno_paths_build (DYNO_PATH_SYSFS, ACCELERATORS, NULL);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (ACCELERATORS, name, "device", "npu_busy_time_us", NULL);
      const DynoSensorInfo info = {
        .kind = DYNO_SENSOR_BUSY,
        .domain = DYNO_DOMAIN_UNCORE,
        .name = "npu",
        .source = _ ("busy time of the NPU, counted by its driver"),
      };
      DynoSensor *sensor = dyno_file_sensor_new_counter (&info, path, PERCENT_PER_US, 0, NULL);

      if (sensor != NULL)
        g_ptr_array_add (sensors, sensor);
    }
}

static DynoProbe *
discover (GPtrArray *sensors, double tdp_watts)
{
  g_autoptr (DynoCpuSet) online = dyno_topology_read_set (CPU_FOLDER "/online");
  g_autoptr (DynoCpuSet) efficient = NULL;
  g_autoptr (DynoCpuSet) fast = hwloc_bitmap_alloc ();
  guint n_online = (guint)hwloc_bitmap_weight (online);
  const DynoSensorInfo process = {
    .kind = DYNO_SENSOR_BUSY,
    .domain = DYNO_DOMAIN_PACKAGE,
    .name = "process",
    .source = _ ("processor time of the processes that do the work, counted by the kernel, as a share of all "
                 "processors"),
  };

  add_npus (sensors);
  if (n_online == 0 ||
      !add (sensors, NULL, _ ("busy time of all processors, counted by the kernel"), online, n_online))
    return dyno_probe_new_unsupported (_ ("The kernel does not report how busy the processors are."), NULL);
  efficient = dyno_topology_read_set (EFFICIENT_CORES);
  gint64 highest = -1;

  for (int i = hwloc_bitmap_first (online); i >= 0; i = hwloc_bitmap_next (online, i))
    {
      gint64 capacity = read_capacity (i);
      highest = MAX (highest, capacity);
    }
  for (int i = hwloc_bitmap_first (online); highest > 0 && i >= 0; i = hwloc_bitmap_next (online, i))
    if (read_capacity (i) < highest)
      hwloc_bitmap_set (efficient, (guint)i);
  hwloc_bitmap_and (efficient, efficient, online);
  hwloc_bitmap_andnot (fast, online, efficient);
  if (!hwloc_bitmap_iszero (efficient) && !hwloc_bitmap_iszero (fast))
    {
      add (sensors, "performance", _ ("busy time of the fast cores, counted by the kernel"), fast, n_online);
      add (sensors, "efficiency", _ ("busy time of the efficient cores, counted by the kernel"), efficient,
           n_online);
    }
  g_ptr_array_add (sensors, dyno_sensor_new_of_processes (&process, read_process,
                                                          g_memdup2 (&n_online, sizeof n_online), g_free));
  return dyno_probe_new_available ("stat");
}

const DynoSensorSource dyno_usage_source = { "usage", N_ ("Utilisation"), discover };
