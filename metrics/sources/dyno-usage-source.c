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

#define CPU_FOLDER   "devices/system/cpu"
#define ACCELERATORS "class/accel"

/* Per cent of a second in a microsecond. */
#define PERCENT_PER_US 1e-4

/* Intel's kernel driver lists the efficient cores of a processor that has both kinds. */
#define EFFICIENT_CORES "devices/cpu_atom/cpus"

/* The fields of procfs' stat that are work of this machine: user, nice, system, then interrupts, hard and soft. */
#define N_FIELDS     7
#define FIELD_IDLE   3
#define FIELD_IOWAIT 4

/* The longest line of a processor in procfs' stat. */
#define LINE_LENGTH 160

#define MAX_PROCESSORS 8192

/* Some of the processors. The kernel accounts their time in whole ticks, each at its end, so an excess over the time
 * that has passed is carried over to later readings. */
typedef struct
{
  int stat;
  char *text;
  gsize size;
  GArray *processors; /* int */
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
  g_array_unref (self->processors);
  g_free (self->text);
  g_free (self);
}

static gboolean
add_line (const char *line, gint64 *ticks)
{
  for (guint i = 0; i < N_FIELDS; i++)
    {
      char *end;
      gint64 field = g_ascii_strtoll (line, &end, 10);

      if (end == line)
        return FALSE;
      if (i != FIELD_IDLE && i != FIELD_IOWAIT)
        *ticks += field;
      line = end;
    }
  return TRUE;
}

/* Each processor that is on has a line `cpu3 …`; the lines are in order, as the processors are. */
static gboolean
read_ticks (UsageData *self, gint64 *ticks)
{
  gssize length = pread (self->stat, self->text, self->size - 1, 0);
  const char *line = self->text;
  guint n_found = 0;

  if (length <= 0)
    return FALSE;
  self->text[length] = '\0';
  *ticks = 0;
  for (; line != NULL && n_found < self->processors->len; line = strchr (line, '\n'))
    {
      char *end;
      gint64 number;

      line += *line == '\n';
      if (!g_str_has_prefix (line, "cpu") || !g_ascii_isdigit (line[3]))
        {
          if (!g_str_has_prefix (line, "cpu "))
            break;
          continue;
        }
      number = g_ascii_strtoll (line + 3, &end, 10);
      if (number != g_array_index (self->processors, int, n_found))
        continue;
      if (!add_line (end, ticks))
        return FALSE;
      n_found++;
    }
  return n_found == self->processors->len;
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

/* Takes @processors. */
static gboolean
add (GPtrArray *sensors, const char *name, const char *source, GArray *processors, guint n_all)
{
  g_autofree char *path = dyno_paths_build (DYNO_PATH_PROCFS, "stat", NULL);
  const DynoSensorInfo info = {
    .kind = DYNO_SENSOR_BUSY, .domain = DYNO_DOMAIN_PACKAGE, .name = name, .source = source
  };
  UsageData *data = g_new0 (UsageData, 1);

  data->stat = open (path, O_RDONLY | O_CLOEXEC);
  data->size = (gsize)(n_all + 2) * LINE_LENGTH;
  data->text = g_malloc (data->size);
  data->processors = processors;
  data->ticks_per_second = (double)sysconf (_SC_CLK_TCK) * processors->len;
  data->last_ns = dyno_clock_now_ns ();
  if (data->stat < 0 || !read_ticks (data, &data->ticks_before))
    {
      usage_data_free (data);
      return FALSE;
    }
  g_ptr_array_add (sensors, dyno_sensor_new (&info, read_usage, data, usage_data_free));
  return TRUE;
}

/* Adds the processors of a list such as `0-3,8`. */
static void
add_list (GArray *processors, const char *list)
{
  g_auto (GStrv) ranges = g_strsplit (list, ",", -1);

  for (char **range = ranges; *range != NULL; range++)
    {
      char *end;
      int first = (int)g_ascii_strtoll (*range, &end, 10);
      int last = *end == '-' ? (int)g_ascii_strtoll (end + 1, NULL, 10) : first;

      if (end == *range)
        continue;
      for (int i = first; i <= last && processors->len < MAX_PROCESSORS; i++)
        g_array_append_val (processors, i);
    }
}

static gint64
read_capacity (int processor)
{
  g_autofree char *name = g_strdup_printf (CPU_FOLDER "/cpu%d/cpu_capacity", processor);

  return dyno_system_file_read_int64 (DYNO_PATH_SYSFS, name, -1);
}

/* Returns whether a processor is one of the slower ones: Intel's kernel lists them, Arm's tells each one's capacity. */
static gboolean
is_efficient (int processor, GArray *listed, gint64 highest)
{
  for (guint i = 0; i < listed->len; i++)
    if (g_array_index (listed, int, i) == processor)
      return TRUE;
  return highest > 0 && read_capacity (processor) < highest;
}

static void
add_classes (GPtrArray *sensors, GArray *online)
{
  g_autofree char *list = dyno_system_file_dup_text (DYNO_PATH_SYSFS, EFFICIENT_CORES);
  g_autoptr (GArray) listed = g_array_new (FALSE, FALSE, sizeof (int));
  GArray *classes[2] = { g_array_new (FALSE, FALSE, sizeof (int)), g_array_new (FALSE, FALSE, sizeof (int)) };
  gint64 highest = -1;

  if (list != NULL)
    add_list (listed, list);
  for (guint i = 0; i < online->len; i++)
    highest = MAX (highest, read_capacity (g_array_index (online, int, i)));
  for (guint i = 0; i < online->len; i++)
    g_array_append_val (classes[is_efficient (g_array_index (online, int, i), listed, highest)],
                        g_array_index (online, int, i));
  if (classes[0]->len > 0 && classes[1]->len > 0)
    {
      add (sensors, "cpu_performance", _ ("busy time of the fast cores, counted by the kernel"),
           g_array_ref (classes[0]), online->len);
      add (sensors, "cpu_efficiency", _ ("busy time of the efficient cores, counted by the kernel"),
           g_array_ref (classes[1]), online->len);
    }
  g_array_unref (classes[0]);
  g_array_unref (classes[1]);
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
  g_autofree char *list = dyno_system_file_dup_text (DYNO_PATH_SYSFS, CPU_FOLDER "/online");
  g_autoptr (GArray) online = g_array_new (FALSE, FALSE, sizeof (int));
  const DynoSensorInfo process = {
    .kind = DYNO_SENSOR_BUSY,
    .domain = DYNO_DOMAIN_PACKAGE,
    .name = "process",
    .source = _ ("processor time of the processes that do the work, counted by the kernel, as a share of all "
                 "processors"),
  };

  add_npus (sensors);
  if (list != NULL)
    add_list (online, list);
  if (online->len == 0 || !add (sensors, "cpu", _ ("busy time of all processors, counted by the kernel"),
                                g_array_ref (online), online->len))
    return dyno_probe_new_unsupported (_ ("The kernel does not report how busy the processors are."), NULL);
  add_classes (sensors, online);
  g_ptr_array_add (sensors,
                   dyno_sensor_new_of_processes (&process, read_process,
                                                 g_memdup2 (&online->len, sizeof online->len), g_free));
  return dyno_probe_new_available ("stat");
}

const DynoSensorSource dyno_usage_source = { "usage", N_ ("Utilisation"), discover };
