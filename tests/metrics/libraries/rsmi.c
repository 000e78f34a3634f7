/* SPDX-License-Identifier: GPL-3.0-or-later */
/* AMD's ROCm SMI library as far as Dyno calls it, without a device. */
#include "fake-script.h"

#define SUCCESS   0
#define NOT_FOUND 14

#define MICROJOULES_PER_TICK 15.259f

int rsmi_init (guint64 flags);
int rsmi_num_monitor_devices (guint32 *n);
int rsmi_dev_pci_id_get (guint32 index, guint64 *address);
int rsmi_dev_energy_count_get (guint32 index, guint64 *ticks, float *resolution, guint64 *timestamp);
int rsmi_dev_power_ave_get (guint32 index, guint32 sensor, guint64 *microwatts);
int rsmi_dev_temp_metric_get (guint32 index, guint32 sensor, int metric, gint64 *millicelsius);
int rsmi_dev_memory_usage_get (guint32 index, int type, guint64 *bytes);
int rsmi_dev_busy_percent_get (guint32 index, guint32 *percent);
int rsmi_dev_memory_busy_percent_get (guint32 index, guint32 *percent);
int rsmi_compute_process_info_by_device_get (guint32 pid, guint32 index, guint64 *process);

int
rsmi_init (guint64 flags)
{
  return SUCCESS;
}

int
rsmi_num_monitor_devices (guint32 *n)
{
  *n = (guint32)fake_script_read ().n_devices;
  return SUCCESS;
}

int
rsmi_dev_pci_id_get (guint32 index, guint64 *address)
{
  *address = (guint64)(index + 3) << 8;
  return SUCCESS;
}

int
rsmi_dev_energy_count_get (guint32 index, guint64 *ticks, float *resolution, guint64 *timestamp)
{
  FakeScript script = fake_script_read ();

  *resolution = MICROJOULES_PER_TICK;
  *timestamp = 0;
  *ticks = (guint64)(fake_script_joules (&script) * 1e6 / (double)MICROJOULES_PER_TICK);
  return SUCCESS;
}

int
rsmi_dev_power_ave_get (guint32 index, guint32 sensor, guint64 *microwatts)
{
  FakeScript script = fake_script_read ();

  *microwatts = (guint64)(1e6 * fake_script_watts (&script));
  return SUCCESS;
}

int
rsmi_dev_temp_metric_get (guint32 index, guint32 sensor, int metric, gint64 *millicelsius)
{
  *millicelsius = (gint64)(1e3 * fake_script_read ().temperature);
  return SUCCESS;
}

int
rsmi_dev_memory_usage_get (guint32 index, int type, guint64 *bytes)
{
  *bytes = (guint64)(1e6 * fake_script_read ().memory_mb);
  return SUCCESS;
}

int
rsmi_dev_busy_percent_get (guint32 index, guint32 *percent)
{
  *percent = (guint32)fake_script_read ().busy;
  return SUCCESS;
}

int
rsmi_dev_memory_busy_percent_get (guint32 index, guint32 *percent)
{
  *percent = (guint32)fake_script_read ().memory_busy;
  return SUCCESS;
}

/* Two halves of eight bytes for the process, then its memory. */
int
rsmi_compute_process_info_by_device_get (guint32 pid, guint32 index, guint64 *process)
{
  double megabytes = fake_script_read ().process_mb;

  process[0] = pid;
  process[1] = (guint64)(1e6 * megabytes);
  return megabytes > 0 ? SUCCESS : NOT_FOUND;
}
