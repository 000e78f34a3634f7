/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The part of NVIDIA's management library that Dyno calls, without a device. It is an old version: some functions have
 * only their first names, and power has no separate field. */
#include <unistd.h>

#include "fake-script.h"

#define SUCCESS       0
#define NOT_SUPPORTED 3
#define NO_PERMISSION 4
#define NOT_FOUND     6
#define GPU_LOST      15

typedef struct
{
  unsigned int pid;
  unsigned long long used;
  unsigned int gpu_instance;
  unsigned int compute_instance;
} Process;

typedef struct
{
  unsigned int pid;
  unsigned long long timestamp;
  unsigned int sm_util;
  unsigned int mem_util;
  unsigned int enc_util;
  unsigned int dec_util;
} ProcessUtilization;

typedef struct
{
  unsigned int metric_id;
  int nvml_return;
  double value;
  char *names[3];
} GpmMetric;

typedef struct
{
  unsigned int version;
  unsigned int num_metrics;
  gint64 *sample1;
  gint64 *sample2;
  GpmMetric metrics[333];
} GpmMetricsGet;

int nvmlInit (void);
int nvmlDeviceGetCount_v2 (unsigned int *n);
int nvmlDeviceGetHandleByIndex_v2 (unsigned int index, gpointer *handle);
int nvmlDeviceGetName (gpointer handle, char *name, unsigned int length);
int nvmlDeviceGetUUID (gpointer handle, char *uuid, unsigned int length);
int nvmlDeviceGetTotalEnergyConsumption (gpointer handle, unsigned long long *millijoules);
int nvmlDeviceGetPowerUsage (gpointer handle, unsigned int *milliwatts);
int nvmlDeviceGetTemperature (gpointer handle, int sensor, unsigned int *celsius);
int nvmlDeviceGetClockInfo (gpointer handle, int type, unsigned int *megahertz);
int nvmlDeviceGetCurrentClocksThrottleReasons (gpointer handle, unsigned long long *reasons);
int nvmlDeviceGetMemoryInfo (gpointer handle, unsigned long long *memory);
int nvmlDeviceGetComputeRunningProcesses_v3 (gpointer handle, unsigned int *n, Process *processes);
int nvmlDeviceGetUtilizationRates (gpointer handle, unsigned int *rates);
int nvmlDeviceGetProcessUtilization (gpointer handle,
                                     ProcessUtilization *processes,
                                     unsigned int *n,
                                     unsigned long long last);
int nvmlDeviceGetMemoryBusWidth (gpointer handle, unsigned int *bits);
int nvmlDeviceGetMaxClockInfo (gpointer handle, int type, unsigned int *megahertz);
int nvmlGpmQueryDeviceSupport (gpointer handle, unsigned int *support);
int nvmlGpmSampleAlloc (gint64 **sample);
int nvmlGpmSampleFree (gint64 *sample);
int nvmlGpmSampleGet (gpointer handle, gint64 *sample);
int nvmlGpmMetricsGet (GpmMetricsGet *query);

int
nvmlInit (void)
{
  return SUCCESS;
}

int
nvmlDeviceGetCount_v2 (unsigned int *n)
{
  *n = (unsigned int)fake_script_read ().n_devices;
  return SUCCESS;
}

int
nvmlDeviceGetHandleByIndex_v2 (unsigned int index, gpointer *handle)
{
  *handle = GUINT_TO_POINTER (index + 1);
  return SUCCESS;
}

int
nvmlDeviceGetName (gpointer handle, char *name, unsigned int length)
{
  g_snprintf (name, length, "Fake Board %u", GPOINTER_TO_UINT (handle));
  return SUCCESS;
}

int
nvmlDeviceGetUUID (gpointer handle, char *uuid, unsigned int length)
{
  g_snprintf (uuid, length, "GPU-fake-%u", GPOINTER_TO_UINT (handle));
  return SUCCESS;
}

int
nvmlDeviceGetTotalEnergyConsumption (gpointer handle, unsigned long long *millijoules)
{
  FakeScript script = fake_script_read ();

  if (script.energy_factor == 0)
    return NOT_SUPPORTED;
  *millijoules = (unsigned long long)(1e3 * fake_script_joules (&script));
  return script.is_broken != 0 ? GPU_LOST : SUCCESS;
}

int
nvmlDeviceGetPowerUsage (gpointer handle, unsigned int *milliwatts)
{
  FakeScript script = fake_script_read ();

  *milliwatts = (unsigned int)(1e3 * fake_script_watts (&script));
  return script.is_broken != 0 ? GPU_LOST : SUCCESS;
}

int
nvmlDeviceGetTemperature (gpointer handle, int sensor, unsigned int *celsius)
{
  *celsius = (unsigned int)fake_script_read ().temperature;
  return SUCCESS;
}

int
nvmlDeviceGetClockInfo (gpointer handle, int type, unsigned int *megahertz)
{
  *megahertz = (unsigned int)fake_script_read ().clock;
  return SUCCESS;
}

int
nvmlDeviceGetCurrentClocksThrottleReasons (gpointer handle, unsigned long long *reasons)
{
  *reasons = (unsigned long long)fake_script_read ().reasons;
  return SUCCESS;
}

/* Total, free, used. */
int
nvmlDeviceGetMemoryInfo (gpointer handle, unsigned long long *memory)
{
  memory[0] = 80000000000;
  memory[2] = (unsigned long long)(1e6 * fake_script_read ().memory_mb * GPOINTER_TO_UINT (handle));
  memory[1] = memory[0] - memory[2];
  return SUCCESS;
}

/* Another process comes first, as it would. */
int
nvmlDeviceGetComputeRunningProcesses_v3 (gpointer handle, unsigned int *n, Process *processes)
{
  FakeScript script = fake_script_read ();

  *n = script.process_mb > 0 ? 2 : 1;
  processes[0] = (Process){ .pid = 1, .used = 7000000 };
  if (script.process_mb > 0)
    processes[1] =
        (Process){ .pid = (unsigned int)getpid (), .used = (unsigned long long)(1e6 * script.process_mb) };
  return SUCCESS;
}

/* Of the device and of its memory, in per cent. */
int
nvmlDeviceGetUtilizationRates (gpointer handle, unsigned int *rates)
{
  FakeScript script = fake_script_read ();

  rates[0] = (unsigned int)MAX (script.busy, 0);
  rates[1] = (unsigned int)script.memory_busy;
  return script.is_broken != 0 ? GPU_LOST : script.busy < 0 ? NOT_SUPPORTED : SUCCESS;
}

/* Lists only the processes that worked; another comes first. */
int
nvmlDeviceGetProcessUtilization (gpointer handle,
                                 ProcessUtilization *processes,
                                 unsigned int *n,
                                 unsigned long long last)
{
  FakeScript script = fake_script_read ();

  if (script.process_busy < 0)
    return NO_PERMISSION;
  if (script.process_busy == 0)
    return NOT_FOUND;
  processes[0] = (ProcessUtilization){ .pid = 1, .timestamp = last + 1, .sm_util = 7 };
  processes[1] = (ProcessUtilization){ .pid = (unsigned int)getpid (),
                                       .timestamp = last + 1,
                                       .sm_util = (unsigned int)script.process_busy };
  *n = 2;
  return SUCCESS;
}

/* Those of an H100. */
int
nvmlDeviceGetMemoryBusWidth (gpointer handle, unsigned int *bits)
{
  *bits = 5120;
  return SUCCESS;
}

int
nvmlDeviceGetMaxClockInfo (gpointer handle, int type, unsigned int *megahertz)
{
  *megahertz = type == 2 ? 2619 : 1980;
  return SUCCESS;
}

/* The version, and whether the device has the counters. */
int
nvmlGpmQueryDeviceSupport (gpointer handle, unsigned int *support)
{
  support[1] = fake_script_read ().gpm > 0;
  return support[0] == 1 ? SUCCESS : NOT_SUPPORTED;
}

/* A sample is its time. */
int
nvmlGpmSampleAlloc (gint64 **sample)
{
  *sample = g_new0 (gint64, 1);
  return SUCCESS;
}

int
nvmlGpmSampleFree (gint64 *sample)
{
  g_free (sample);
  return SUCCESS;
}

int
nvmlGpmSampleGet (gpointer handle, gint64 *sample)
{
  FakeScript script = fake_script_read ();

  *sample = (gint64)(1e9 * fake_script_seconds (&script));
  return script.is_broken != 0 ? GPU_LOST : SUCCESS;
}

/* This board has no NVLink. */
int
nvmlGpmMetricsGet (GpmMetricsGet *query)
{
  FakeScript script = fake_script_read ();

  if (query->version != 1 || *query->sample2 <= *query->sample1)
    return NOT_SUPPORTED;
  for (unsigned int i = 0; i < query->num_metrics; i++)
    {
      GpmMetric *metric = &query->metrics[i];

      metric->nvml_return = metric->metric_id >= 60 ? NOT_SUPPORTED : SUCCESS;
      metric->value = metric->metric_id == 2    ? script.sm
                      : metric->metric_id == 3  ? script.sm / 2
                      : metric->metric_id == 5  ? script.tensor
                      : metric->metric_id == 10 ? script.bandwidth
                      : metric->metric_id == 20 ? script.pcie_mib
                      : metric->metric_id == 21 ? 2 * script.pcie_mib
                                                : -1;
    }
  return SUCCESS;
}
