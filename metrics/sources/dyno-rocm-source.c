/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <unistd.h>

#include "dyno-energy-counter.h"
#include "dyno-sensor-source.h"
#include "dyno-vendor-library.h"

/* AMD's ROCm SMI library, as its header declares it; only what is called here. Clocks come from the kernel's driver
 * amdgpu, because the layout of the library's answer about them changed from version to version. */
#define RSMI_SUCCESS      0
#define RSMI_TEMP_EDGE    0
#define RSMI_TEMP_CURRENT 0

#define RSMI_MEMORY_VRAM 0

#define PERIOD_SECONDS  1e-3
#define JOULES_PER_TICK 15.259e-6
#define WATTS_PER_MICRO 1e-6

/* Later versions of the library may write more than is declared here. */
typedef struct
{
  guint32 pid;
  guint32 address_space;
  guint64 vram;
  guint64 reserved[14];
} RsmiProcess;

static struct
{
  int (*init) (guint64 flags);
  int (*get_count) (guint32 *n);
  int (*get_pci_id) (guint32 index, guint64 *address);
  int (*get_energy) (guint32 index, guint64 *ticks, float *microjoules_per_tick, guint64 *timestamp);
  int (*get_socket_power) (guint32 index, guint64 *microwatts);
  int (*get_average_power) (guint32 index, guint32 sensor, guint64 *microwatts);
  int (*get_memory) (guint32 index, int type, guint64 *bytes);
  int (*get_process) (guint32 pid, guint32 index, RsmiProcess *process);
  int (*get_temperature) (guint32 index, guint32 sensor, int metric, gint64 *millicelsius);
} rsmi;

static const DynoVendorFunction functions[] = {
  { (gpointer *)&rsmi.init, { "rsmi_init" }, TRUE },
  { (gpointer *)&rsmi.get_count, { "rsmi_num_monitor_devices" }, TRUE },
  { (gpointer *)&rsmi.get_pci_id, { "rsmi_dev_pci_id_get" } },
  { (gpointer *)&rsmi.get_energy, { "rsmi_dev_energy_count_get" } },
  { (gpointer *)&rsmi.get_socket_power, { "rsmi_dev_current_socket_power_get" } },
  { (gpointer *)&rsmi.get_average_power, { "rsmi_dev_power_ave_get" } },
  { (gpointer *)&rsmi.get_memory, { "rsmi_dev_memory_usage_get" } },
  { (gpointer *)&rsmi.get_process, { "rsmi_compute_process_info_by_device_get" } },
  { (gpointer *)&rsmi.get_temperature, { "rsmi_dev_temp_metric_get" } },
};

typedef struct
{
  guint32 index;
  DynoEnergyCounter counter;
} RocmData;

static gboolean
read_energy (gpointer data, gint64 now_ns, double *value)
{
  RocmData *self = data;
  guint64 ticks, timestamp;
  float microjoules = 0;

  if (rsmi.get_energy (self->index, &ticks, &microjoules, &timestamp) != RSMI_SUCCESS)
    return FALSE;
  self->counter.joules_per_unit = microjoules > 0 ? (double)microjoules * 1e-6 : JOULES_PER_TICK;
  return dyno_energy_counter_advance (&self->counter, ticks, now_ns, value);
}

static gboolean
read_power (gpointer data, gint64 now_ns, double *value)
{
  RocmData *self = data;
  guint64 microwatts;

  if ((rsmi.get_socket_power == NULL || rsmi.get_socket_power (self->index, &microwatts) != RSMI_SUCCESS) &&
      (rsmi.get_average_power == NULL ||
       rsmi.get_average_power (self->index, 0, &microwatts) != RSMI_SUCCESS))
    return FALSE;
  *value = (double)microwatts * WATTS_PER_MICRO;
  return TRUE;
}

static gboolean
read_temperature (gpointer data, gint64 now_ns, double *value)
{
  RocmData *self = data;
  gint64 millicelsius;

  if (rsmi.get_temperature (self->index, RSMI_TEMP_EDGE, RSMI_TEMP_CURRENT, &millicelsius) != RSMI_SUCCESS)
    return FALSE;
  *value = (double)millicelsius / 1e3;
  return TRUE;
}

static gboolean
read_memory (gpointer data, gint64 now_ns, double *value)
{
  RocmData *self = data;
  guint64 bytes;

  if (rsmi.get_memory (self->index, RSMI_MEMORY_VRAM, &bytes) != RSMI_SUCCESS)
    return FALSE;
  *value = (double)bytes / 1e6;
  return TRUE;
}

static gboolean
read_process_memory (gpointer data, gint64 now_ns, double *value)
{
  RocmData *self = data;
  RsmiProcess process = { .vram = 0 };

  if (rsmi.get_process ((guint32)getpid (), self->index, &process) != RSMI_SUCCESS)
    return FALSE;
  *value = (double)process.vram / 1e6;
  return TRUE;
}

/* The library packs an address on the PCI bus into a number: domain, bus, device, function. */
static char *
dup_address (guint32 index)
{
  guint64 id;

  if (rsmi.get_pci_id == NULL || rsmi.get_pci_id (index, &id) != RSMI_SUCCESS)
    return NULL;
  return g_strdup_printf ("%04x:%02x:%02x.%x", (guint)(id >> 32), (guint)(id >> 8) & 0xff,
                          (guint)(id >> 3) & 0x1f, (guint)id & 0x7);
}

/* A board that does not answer the first question has no such sensor; only the process is not on it yet. */
static void
add (GPtrArray *sensors, guint32 index, DynoSensorKind kind, const char *what, DynoSensorRead read)
{
  RocmData *data = g_new0 (RocmData, 1);
  g_autofree char *name = g_strdup_printf (read == read_process_memory ? "amd%u_process" : "amd%u", index);
  g_autofree char *source = g_strdup_printf ("ROCm SMI, %s", what);
  g_autofree char *address = dup_address (index);
  DynoSensorInfo info = {
    .kind = kind,
    .domain = DYNO_DOMAIN_DEVICE,
    .name = name,
    .source = source,
    .device = address,
    .of_process = read == read_process_memory,
    .period_seconds = PERIOD_SECONDS,
  };
  double value;

  data->index = index;
  if (info.of_process || read (data, 0, &value))
    {
      /* The library tells what a tick is worth together with the ticks. */
      if (kind == DYNO_SENSOR_ENERGY)
        info.resolution = data->counter.joules_per_unit;
      data->counter = (DynoEnergyCounter){ 0 };
      g_ptr_array_add (sensors, dyno_sensor_new (&info, read, data, g_free));
    }
  else
    g_free (data);
}

static DynoProbe *
discover (GPtrArray *sensors, double tdp_watts)
{
  guint n_before = sensors->len;
  guint32 n = 0;
  g_autofree char *reason = NULL;
  int code;

  if (!dyno_vendor_library_load (dyno_vendor_library_rocm_smi, functions, G_N_ELEMENTS (functions)))
    return dyno_probe_new_unsupported (
        _ ("AMD’s library ROCm SMI is not installed."),
        _ ("Where there is an AMD device, install the package rocm-smi-lib; without "
           "it, the kernel’s driver amdgpu tells most."));
  code = rsmi.init (0);
  if (code == RSMI_SUCCESS)
    code = rsmi.get_count (&n);
  for (guint32 i = 0; i < n; i++)
    {
      if (rsmi.get_energy != NULL)
        add (sensors, i, DYNO_SENSOR_ENERGY, _ ("counter of the board’s energy"), read_energy);
      add (sensors, i, DYNO_SENSOR_POWER, _ ("the board’s power"), read_power);
      if (rsmi.get_temperature != NULL)
        add (sensors, i, DYNO_SENSOR_TEMPERATURE, _ ("temperature at the board’s edge"), read_temperature);
      if (rsmi.get_memory != NULL)
        add (sensors, i, DYNO_SENSOR_MEMORY, _ ("memory in use, by all processes together"), read_memory);
      if (rsmi.get_process != NULL)
        add (sensors, i, DYNO_SENSOR_MEMORY, _ ("memory of this process"), read_process_memory);
    }
  if (sensors->len > n_before)
    return dyno_probe_new_available ("ROCm SMI");
  reason =
      g_strdup_printf (_ ("ROCm SMI found no device that tells its power (%u devices, error %d)."), n, code);
  return dyno_probe_new_unsupported (reason, _ ("“rocm-smi” says whether the driver works."));
}

const DynoSensorSource dyno_rocm_source = { "rocm", "ROCm SMI", discover };
