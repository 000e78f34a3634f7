/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-metrics-sources-private.h"
#include "dyno-sensor-source.h"
#include "dyno-system-file.h"

/* NVIDIA's management library, declared as in its documentation, as far as Dyno calls it. */
#define NVML_SUCCESS               0
#define NVML_TEMPERATURE_GPU       0
#define NVML_NOT_AVAILABLE         (~0ULL)
#define NVML_CLOCK_SM              1
#define NVML_FI_DEV_POWER_INSTANT  186
#define NVML_REASON_SW_POWER_CAP   0x04ULL
#define NVML_REASON_HW_SLOWDOWN    0x08ULL
#define NVML_REASON_SW_THERMAL     0x20ULL
#define NVML_REASON_HW_THERMAL     0x40ULL
#define NVML_REASON_HW_POWER_BRAKE 0x80ULL
#define NVML_REASONS_HEAT          (NVML_REASON_SW_THERMAL | NVML_REASON_HW_THERMAL)
#define NVML_REASONS_POWER         (NVML_REASON_SW_POWER_CAP | NVML_REASON_HW_POWER_BRAKE)

/* The counter updates about every 100 ms, and so does the power. */
#define PERIOD_SECONDS   0.1
#define JOULES_PER_MILLI 1e-3

/* If the driver does not report the momentary power, it reports the mean over this time: nvmlDeviceGetPowerUsage,
 * documentation. */
#define MEAN_SECONDS 1.0

#define MAX_PROCESSES 128

typedef struct NvmlDevice *NvmlHandle;

typedef struct
{
  unsigned int field;
  unsigned int scope;
  long long timestamp;
  long long latency;
  int value_type;
  int result;
  union
  {
    double d;
    unsigned int ui;
    unsigned long ul;
    unsigned long long ull;
    long long sll;
  } value;
} NvmlFieldValue;

typedef struct
{
  unsigned long long total;
  unsigned long long free;
  unsigned long long used;
} NvmlMemory;

typedef struct
{
  unsigned int pid;
  unsigned long long used;
  unsigned int gpu_instance;
  unsigned int compute_instance;
} NvmlProcess;

typedef int (*NvmlListProcesses) (NvmlHandle handle, unsigned int *n, NvmlProcess *processes);

typedef struct
{
  char bus_id_legacy[16];
  unsigned int domain;
  unsigned int bus;
  unsigned int device;
  unsigned int pci_device_id;
  unsigned int pci_subsystem_id;
  char bus_id[32];
} NvmlPciInfo;

static struct
{
  int (*init) (void);
  int (*get_count) (unsigned int *n);
  int (*get_handle) (unsigned int index, NvmlHandle *handle);
  int (*get_name) (NvmlHandle handle, char *name, unsigned int length);
  int (*get_uuid) (NvmlHandle handle, char *uuid, unsigned int length);
  int (*get_pci_info) (NvmlHandle handle, NvmlPciInfo *info);
  int (*get_energy) (NvmlHandle handle, unsigned long long *millijoules);
  int (*get_power) (NvmlHandle handle, unsigned int *milliwatts);
  int (*get_fields) (NvmlHandle handle, int n, NvmlFieldValue *values);
  int (*get_temperature) (NvmlHandle handle, int sensor, unsigned int *celsius);
  int (*get_clock) (NvmlHandle handle, int type, unsigned int *megahertz);
  int (*get_memory) (NvmlHandle handle, NvmlMemory *memory);
  NvmlListProcesses list_compute;
  NvmlListProcesses list_graphics;
  int (*get_reasons) (NvmlHandle handle, unsigned long long *reasons);
} nvml;

static const DynoVendorFunction functions[] = {
  { (gpointer *)&nvml.init, { "nvmlInit_v2", "nvmlInit" }, TRUE },
  { (gpointer *)&nvml.get_count, { "nvmlDeviceGetCount_v2", "nvmlDeviceGetCount" }, TRUE },
  { (gpointer *)&nvml.get_handle, { "nvmlDeviceGetHandleByIndex_v2", "nvmlDeviceGetHandleByIndex" }, TRUE },
  { (gpointer *)&nvml.get_name, { "nvmlDeviceGetName" } },
  { (gpointer *)&nvml.get_uuid, { "nvmlDeviceGetUUID" } },
  { (gpointer *)&nvml.get_pci_info, { "nvmlDeviceGetPciInfo_v3" } },
  { (gpointer *)&nvml.get_energy, { "nvmlDeviceGetTotalEnergyConsumption" } },
  { (gpointer *)&nvml.get_power, { "nvmlDeviceGetPowerUsage" } },
  { (gpointer *)&nvml.get_fields, { "nvmlDeviceGetFieldValues" } },
  { (gpointer *)&nvml.get_temperature, { "nvmlDeviceGetTemperature" } },
  { (gpointer *)&nvml.get_clock, { "nvmlDeviceGetClockInfo" } },
  { (gpointer *)&nvml.get_memory, { "nvmlDeviceGetMemoryInfo" } },
  { (gpointer *)&nvml.list_compute,
    { "nvmlDeviceGetComputeRunningProcesses_v3", "nvmlDeviceGetComputeRunningProcesses_v2" } },
  { (gpointer *)&nvml.list_graphics,
    { "nvmlDeviceGetGraphicsRunningProcesses_v3", "nvmlDeviceGetGraphicsRunningProcesses_v2" } },
  { (gpointer *)&nvml.get_reasons,
    { "nvmlDeviceGetCurrentClocksEventReasons", "nvmlDeviceGetCurrentClocksThrottleReasons" } },
};

typedef struct
{
  NvmlHandle handle;
  DynoEnergyCounter counter;
  unsigned long long reasons;
} NvmlData;

static gboolean
read_energy (gpointer data, gint64 now_ns, double *value)
{
  NvmlData *self = data;
  unsigned long long millijoules;

  return nvml.get_energy (self->handle, &millijoules) == NVML_SUCCESS &&
         dyno_energy_counter_advance (&self->counter, millijoules, now_ns, value);
}

static gboolean
read_instant_power (NvmlHandle handle, unsigned int *milliwatts)
{
  NvmlFieldValue field = { .field = NVML_FI_DEV_POWER_INSTANT };

  if (nvml.get_fields == NULL || nvml.get_fields (handle, 1, &field) != NVML_SUCCESS ||
      field.result != NVML_SUCCESS)
    return FALSE;
  *milliwatts = field.value.ui;
  return TRUE;
}

/* Reads the momentary power, not the mean of the last second, if the driver reports both. */
static gboolean
read_power (gpointer data, gint64 now_ns, double *value)
{
  NvmlData *self = data;
  unsigned int milliwatts;

  if (!read_instant_power (self->handle, &milliwatts) &&
      (nvml.get_power == NULL || nvml.get_power (self->handle, &milliwatts) != NVML_SUCCESS))
    return FALSE;
  *value = (double)milliwatts / 1e3;
  return TRUE;
}

static gboolean
read_temperature (gpointer data, gint64 now_ns, double *value)
{
  NvmlData *self = data;
  unsigned int celsius;

  if (nvml.get_temperature (self->handle, NVML_TEMPERATURE_GPU, &celsius) != NVML_SUCCESS)
    return FALSE;
  *value = celsius;
  return TRUE;
}

static gboolean
read_clock (gpointer data, gint64 now_ns, double *value)
{
  NvmlData *self = data;
  unsigned int megahertz;

  if (nvml.get_clock (self->handle, NVML_CLOCK_SM, &megahertz) != NVML_SUCCESS)
    return FALSE;
  *value = megahertz;
  return TRUE;
}

static gboolean
read_throttle (gpointer data, gint64 now_ns, double *value)
{
  NvmlData *self = data;
  unsigned long long reasons;

  if (nvml.get_reasons (self->handle, &reasons) != NVML_SUCCESS)
    return FALSE;
  *value = (reasons & self->reasons) != 0;
  return TRUE;
}

/* Heat, the power brake and too high a power all set this reason; the first two also have their own. */
static gboolean
read_slowdown (gpointer data, gint64 now_ns, double *value)
{
  NvmlData *self = data;
  unsigned long long reasons;

  if (nvml.get_reasons (self->handle, &reasons) != NVML_SUCCESS)
    return FALSE;
  *value = (reasons & NVML_REASON_HW_SLOWDOWN) != 0 &&
           (reasons & (NVML_REASON_HW_THERMAL | NVML_REASON_HW_POWER_BRAKE)) == 0;
  return TRUE;
}

static gboolean
read_memory (gpointer data, gint64 now_ns, double *value)
{
  NvmlData *self = data;
  NvmlMemory memory;

  if (nvml.get_memory (self->handle, &memory) != NVML_SUCCESS)
    return FALSE;
  *value = (double)memory.used / 1e6;
  return TRUE;
}

/* Returns whether the process is on the list with its memory; a process that uses the board in two ways is on both
 * lists. */
static gboolean
find_process (NvmlHandle handle, NvmlListProcesses list, GPid pid, double *megabytes)
{
  NvmlProcess processes[MAX_PROCESSES];
  unsigned int n = MAX_PROCESSES;

  if (list == NULL || list (handle, &n, processes) != NVML_SUCCESS)
    return FALSE;
  for (unsigned int i = 0; i < n; i++)
    if (processes[i].pid == (unsigned int)pid && processes[i].used != NVML_NOT_AVAILABLE)
      {
        *megabytes = (double)processes[i].used / 1e6;
        return TRUE;
      }
  return FALSE;
}

static gboolean
read_process_memory (gpointer data, GPid pid, double *value)
{
  NvmlData *self = data;
  double compute = 0, graphics = 0;
  gboolean is_listed = find_process (self->handle, nvml.list_compute, pid, &compute);

  is_listed = find_process (self->handle, nvml.list_graphics, pid, &graphics) || is_listed;
  *value = MAX (compute, graphics);
  return is_listed;
}

/* A board that does not answer the first query has no such sensor. */
static void
add (GPtrArray *sensors,
     const DynoNvmlBoard *board,
     DynoSensorInfo *info,
     DynoSensorRead read,
     unsigned long long reasons)
{
  NvmlData *data = g_new0 (NvmlData, 1);
  g_autofree char *source = g_strdup_printf ("NVML, %s, %s", board->description, info->source);
  g_autofree char *name = g_strconcat (board->name, info->name, NULL);
  double value;

  data->handle = board->handle;
  data->counter.joules_per_unit = JOULES_PER_MILLI;
  data->reasons = reasons;
  info->domain = DYNO_DOMAIN_DEVICE;
  info->name = name;
  info->source = source;
  info->device = board->address;
  info->uuid = board->uuid;
  info->period_seconds = PERIOD_SECONDS;
  if (read (data, 0, &value))
    {
      data->counter = (DynoEnergyCounter){ .joules_per_unit = JOULES_PER_MILLI };
      g_ptr_array_add (sensors, dyno_sensor_new (info, read, data, g_free));
    }
  else
    g_free (data);
}

/* No process is on the board yet, so the first query would be useless. */
static void
add_process_memory (GPtrArray *sensors, const DynoNvmlBoard *board)
{
  NvmlData *data = g_new0 (NvmlData, 1);
  g_autofree char *source =
      g_strdup_printf (_ ("NVML, %s, memory of the processes that do the work"), board->description);
  g_autofree char *name = g_strconcat (board->name, "_process", NULL);
  const DynoSensorInfo info = {
    .kind = DYNO_SENSOR_MEMORY,
    .domain = DYNO_DOMAIN_DEVICE,
    .name = name,
    .source = source,
    .device = board->address,
    .uuid = board->uuid,
  };

  data->handle = board->handle;
  g_ptr_array_add (sensors, dyno_sensor_new_of_processes (&info, read_process_memory, data, g_free));
}

static void
add_all (GPtrArray *sensors, const DynoNvmlBoard *board)
{
  DynoSensorInfo energy = { DYNO_SENSOR_ENERGY, .name = "", .source = _ ("counter of the board’s energy"),
                            .resolution = JOULES_PER_MILLI };
  DynoSensorInfo power = { DYNO_SENSOR_POWER, .name = "", .source = _ ("the board’s power") };
  DynoSensorInfo temperature = { DYNO_SENSOR_TEMPERATURE, .name = "",
                                 .source = _ ("temperature of the chip") };
  DynoSensorInfo clock = { DYNO_SENSOR_CLOCK, .name = "", .source = _ ("clock of its multiprocessors") };
  DynoSensorInfo memory = { DYNO_SENSOR_MEMORY, .name = "",
                            .source = _ ("memory in use, by all processes together") };
  DynoSensorInfo heat = { DYNO_SENSOR_THROTTLE, .name = "_heat", .source = _ ("slowed down by heat"),
                          .by_heat = TRUE };
  DynoSensorInfo slowdown = { DYNO_SENSOR_THROTTLE, .name = "_hardware",
                              .source = _ ("slowed down by the hardware") };
  DynoSensorInfo limit = { DYNO_SENSOR_THROTTLE, .name = "_power", .source = _ ("held at its power limit") };

  if (!read_instant_power (board->handle, &(unsigned int){ 0 }))
    power.rise_seconds = MEAN_SECONDS;
  if (nvml.get_energy != NULL)
    add (sensors, board, &energy, read_energy, 0);
  add (sensors, board, &power, read_power, 0);
  if (nvml.get_temperature != NULL)
    add (sensors, board, &temperature, read_temperature, 0);
  if (nvml.get_clock != NULL)
    add (sensors, board, &clock, read_clock, 0);
  if (nvml.get_memory != NULL)
    add (sensors, board, &memory, read_memory, 0);
  if (nvml.list_compute != NULL || nvml.list_graphics != NULL)
    add_process_memory (sensors, board);
  if (nvml.get_reasons == NULL)
    return;
  add (sensors, board, &heat, read_throttle, NVML_REASONS_HEAT);
  add (sensors, board, &limit, read_throttle, NVML_REASONS_POWER);
  add (sensors, board, &slowdown, read_slowdown, 0);
}

static DynoProbe *
discover (GPtrArray *sensors, double tdp_watts)
{
  guint n_before = sensors->len;
  unsigned int n = 0;
  g_autofree char *reason = NULL;
  int code;

  if (!dyno_vendor_library_load (dyno_vendor_library_nvml, functions, G_N_ELEMENTS (functions)))
    return dyno_probe_new_unsupported (_ ("NVIDIA’s driver and its library NVML are not installed."),
                                       _ ("Where there is an NVIDIA device, install its driver."));
  code = nvml.init ();
  if (code == NVML_SUCCESS)
    code = nvml.get_count (&n);
  for (unsigned int i = 0; i < n; i++)
    {
      DynoNvmlBoard board = { NULL };
      NvmlPciInfo place = { .bus = 0 };
      char text[96] = "";

      if (nvml.get_handle (i, (NvmlHandle *)&board.handle) != NVML_SUCCESS)
        continue;
      board.name = g_strdup_printf ("nvidia%u", i);
      /* The kernel writes a domain with four digits, the library with eight, and in capitals. */
      if (nvml.get_pci_info != NULL && nvml.get_pci_info (board.handle, &place) == NVML_SUCCESS)
        board.address = g_strdup_printf ("%04x:%02x:%02x.0", place.domain, place.bus, place.device);
      if (nvml.get_name != NULL && nvml.get_name (board.handle, text, sizeof text) == NVML_SUCCESS)
        board.description = g_utf8_make_valid (text, -1);
      else
        board.description = g_strdup (board.name);
      if (nvml.get_uuid != NULL && nvml.get_uuid (board.handle, text, sizeof text) == NVML_SUCCESS)
        board.uuid = g_utf8_make_valid (text, -1);
      add_all (sensors, &board);
      dyno_nvml_usage_add (sensors, &board);
      g_free (board.name);
      g_free (board.description);
      g_free (board.address);
      g_free (board.uuid);
    }
  if (sensors->len > n_before)
    return dyno_probe_new_available ("NVML");
  reason = g_strdup_printf (_ ("NVML found no device that reports power (%u devices, error %d)."), n, code);
  return dyno_probe_new_unsupported (reason, _ ("“nvidia-smi” says whether the driver works."));
}

const DynoSensorSource dyno_nvml_source = { "nvml", "NVML", discover };
