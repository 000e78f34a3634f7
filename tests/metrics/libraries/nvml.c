/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The part of NVIDIA's management library that Dyno calls, without a device. It is an old version: some functions have
 * only their first names, and power has no separate field. */
#include <unistd.h>

#include "fake-script.h"

#define SUCCESS       0
#define NOT_SUPPORTED 3
#define GPU_LOST      15

typedef struct
{
  unsigned int pid;
  unsigned long long used;
  unsigned int gpu_instance;
  unsigned int compute_instance;
} Process;

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
