/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <unistd.h>

#include "dyno-metrics-sources-private.h"
#include "dyno-sensor-source.h"
#include "dyno-system.h"

#define CPU_FOLDER "devices/system/cpu"

/* Enough to show how the clock changes; reading a file interrupts its processor. */
#define MAX_FILES 16

#define MHZ_PER_KHZ 1e-3

typedef struct
{
  int files[2 * MAX_FILES];
  guint n_files;
  gint64 last_sum;
} CpuData;

static void
cpu_data_free (gpointer data)
{
  CpuData *self = data;

  for (guint i = 0; i < self->n_files; i++)
    close (self->files[i]);
  g_free (self);
}

static gboolean
add_up (CpuData *self, gint64 *sum)
{
  gint64 number;

  *sum = 0;
  for (guint i = 0; i < self->n_files; i++)
    {
      if (!dyno_file_sensor_read_number (self->files[i], &number))
        return FALSE;
      *sum += number;
    }
  return TRUE;
}

static gboolean
read_clock (gpointer data, gint64 now_ns, double *value)
{
  CpuData *self = data;
  gint64 sum;

  if (!add_up (self, &sum))
    return FALSE;
  *value = (double)sum / self->n_files * MHZ_PER_KHZ;
  return TRUE;
}

/* The kernel counts how often it slowed down; a higher count than at the last reading means that it did. */
static gboolean
read_throttle (gpointer data, gint64 now_ns, double *value)
{
  CpuData *self = data;
  gint64 sum;

  if (!add_up (self, &sum))
    return FALSE;
  *value = sum > self->last_sum;
  self->last_sum = sum;
  return TRUE;
}

/* Reads files of the processors that this thread may use, evenly chosen if there are many. */
static gboolean
add (GPtrArray *sensors, const DynoSensorInfo *info, const char *const *files, DynoSensorRead read)
{
  CpuData *data = g_new0 (CpuData, 1);
  g_autoptr (GArray) processors = dyno_system_list_processors ();
  guint stride = MAX ((processors->len + MAX_FILES - 1) / MAX_FILES, 1);
  double value;

  for (guint nth = 0; nth < processors->len; nth += stride)
    for (guint i = 0; files[i] != NULL; i++)
      {
        g_autofree char *path =
            g_strdup_printf (CPU_FOLDER "/cpu%d/%s", g_array_index (processors, int, nth), files[i]);
        int opened = dyno_file_sensor_open (path, NULL);

        if (opened >= 0)
          data->files[data->n_files++] = opened;
      }
  if (data->n_files == 0 || !read (data, 0, &value))
    {
      cpu_data_free (data);
      return FALSE;
    }
  g_ptr_array_add (sensors, dyno_sensor_new (info, read, data, cpu_data_free));
  return TRUE;
}

static DynoProbe *
discover (GPtrArray *sensors, double tdp_watts)
{
  static const char *const clock_files[] = { "cpufreq/scaling_cur_freq", NULL };
  static const char *const throttle_files[] = { "thermal_throttle/core_throttle_count",
                                                "thermal_throttle/package_throttle_count", NULL };
  const DynoSensorInfo clock = {
    .kind = DYNO_SENSOR_CLOCK,
    .domain = DYNO_DOMAIN_PACKAGE,
    .name = "cpu",
    .source = _ ("mean of the current frequencies of the CPUs in use, from the kernel"),
  };
  const DynoSensorInfo throttle = {
    .kind = DYNO_SENSOR_THROTTLE,
    .domain = DYNO_DOMAIN_PACKAGE,
    .name = "cpu",
    .source = _ ("thermal throttling of the CPUs in use, counted by the kernel"),
    .by_heat = TRUE,
  };

  add (sensors, &throttle, throttle_files, read_throttle);
  if (add (sensors, &clock, clock_files, read_clock))
    return dyno_probe_new_available ("cpufreq");
  return dyno_probe_new_unsupported (_ ("The kernel does not report the current CPU frequencies."),
                                     _ ("Virtual machines cannot read it: measure on the host."));
}

const DynoSensorSource dyno_cpu_source = { "cpu", N_ ("CPU clocks"), discover };
