/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-amd-library.h"
#include "dyno-error.h"
#include "dyno-system-file.h"

/* AMD's library ROCm SMI, as its header declares it; only the parts that Dyno uses. Clocks come from the
 * kernel's driver amdgpu, because the library changed the layout of its clocks from version to version. */
#define RSMI_SUCCESS      0
#define RSMI_TEMP_EDGE    0
#define RSMI_TEMP_CURRENT 0
#define RSMI_MEMORY_VRAM  0

#define JOULES_PER_TICK 15.259e-6
#define TEXT_LENGTH     128

/* Later versions of the library may write more than the declared members. */
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
  int (*get_name) (guint32 index, char *name, size_t length);
  int (*get_energy) (guint32 index, guint64 *ticks, float *microjoules_per_tick, guint64 *timestamp);
  int (*get_socket_power) (guint32 index, guint64 *microwatts);
  int (*get_average_power) (guint32 index, guint32 sensor, guint64 *microwatts);
  int (*get_memory) (guint32 index, int type, guint64 *bytes);
  int (*get_activity) (guint32 index, guint32 *percent);
  int (*get_memory_activity) (guint32 index, guint32 *percent);
  int (*get_process) (guint32 pid, guint32 index, RsmiProcess *process);
  int (*get_temperature) (guint32 index, guint32 sensor, int metric, gint64 *millicelsius);
} rsmi;

static const DynoVendorFunction functions[] = {
  { (gpointer *)&rsmi.init, { "rsmi_init" }, TRUE },
  { (gpointer *)&rsmi.get_count, { "rsmi_num_monitor_devices" }, TRUE },
  { (gpointer *)&rsmi.get_pci_id, { "rsmi_dev_pci_id_get" } },
  { (gpointer *)&rsmi.get_name, { "rsmi_dev_name_get" } },
  { (gpointer *)&rsmi.get_energy, { "rsmi_dev_energy_count_get" } },
  { (gpointer *)&rsmi.get_socket_power, { "rsmi_dev_current_socket_power_get" } },
  { (gpointer *)&rsmi.get_average_power, { "rsmi_dev_power_ave_get" } },
  { (gpointer *)&rsmi.get_memory, { "rsmi_dev_memory_usage_get" } },
  { (gpointer *)&rsmi.get_activity, { "rsmi_dev_busy_percent_get" } },
  { (gpointer *)&rsmi.get_memory_activity, { "rsmi_dev_memory_busy_percent_get" } },
  { (gpointer *)&rsmi.get_process, { "rsmi_compute_process_info_by_device_get" } },
  { (gpointer *)&rsmi.get_temperature, { "rsmi_dev_temp_metric_get" } },
};

static GPtrArray *
list_boards (GError **error)
{
  g_autoptr (GPtrArray) boards = g_ptr_array_new ();
  guint32 n = 0;
  int code;

  if (!dyno_vendor_library_load (dyno_vendor_library_rocm_smi, functions, G_N_ELEMENTS (functions)))
    {
      g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
                           _ ("AMD’s library ROCm SMI is not installed."));
      return NULL;
    }
  code = rsmi.init (0);
  if (code == RSMI_SUCCESS)
    code = rsmi.get_count (&n);
  for (guint32 i = 0; i < n; i++)
    g_ptr_array_add (boards, GUINT_TO_POINTER (i));
  if (boards->len > 0)
    return g_steal_pointer (&boards);
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED, _ ("ROCm SMI found no device (error %d)."), code);
  return NULL;
}

/* The library packs an address on the PCI bus into a number, with the domain in the upper half. */
static char *
dup_address (gpointer board)
{
  guint64 id;

  if (rsmi.get_pci_id == NULL || rsmi.get_pci_id (GPOINTER_TO_UINT (board), &id) != RSMI_SUCCESS)
    return NULL;
  return dyno_amd_library_format_address (id >> 32, id);
}

static char *
dup_name (gpointer board)
{
  char name[TEXT_LENGTH] = "";

  if (rsmi.get_name == NULL || rsmi.get_name (GPOINTER_TO_UINT (board), name, sizeof name) != RSMI_SUCCESS ||
      *name == '\0')
    return NULL;
  return g_utf8_make_valid (name, -1);
}

static gboolean
read_energy (gpointer board, guint64 *steps, double *joules_per_step)
{
  guint64 timestamp;
  float microjoules = 0;

  if (rsmi.get_energy == NULL ||
      rsmi.get_energy (GPOINTER_TO_UINT (board), steps, &microjoules, &timestamp) != RSMI_SUCCESS)
    return FALSE;
  *joules_per_step = microjoules > 0 ? (double)microjoules / 1e6 : JOULES_PER_TICK;
  return TRUE;
}

static gboolean
read_power (gpointer board, double *watts)
{
  guint32 index = GPOINTER_TO_UINT (board);
  guint64 microwatts;

  if ((rsmi.get_socket_power == NULL || rsmi.get_socket_power (index, &microwatts) != RSMI_SUCCESS) &&
      (rsmi.get_average_power == NULL || rsmi.get_average_power (index, 0, &microwatts) != RSMI_SUCCESS))
    return FALSE;
  *watts = (double)microwatts / 1e6;
  return TRUE;
}

static gboolean
read_temperature (gpointer board, double *celsius)
{
  gint64 millicelsius;

  if (rsmi.get_temperature == NULL || rsmi.get_temperature (GPOINTER_TO_UINT (board), RSMI_TEMP_EDGE,
                                                            RSMI_TEMP_CURRENT, &millicelsius) != RSMI_SUCCESS)
    return FALSE;
  *celsius = (double)millicelsius / 1e3;
  return TRUE;
}

static gboolean
read_memory (gpointer board, double *megabytes)
{
  guint64 bytes;

  if (rsmi.get_memory == NULL ||
      rsmi.get_memory (GPOINTER_TO_UINT (board), RSMI_MEMORY_VRAM, &bytes) != RSMI_SUCCESS)
    return FALSE;
  *megabytes = (double)bytes / 1e6;
  return TRUE;
}

static gboolean
read_share (int (*get) (guint32 index, guint32 *percent), gpointer board, double *value)
{
  guint32 percent;

  if (get == NULL || get (GPOINTER_TO_UINT (board), &percent) != RSMI_SUCCESS)
    return FALSE;
  *value = percent;
  return TRUE;
}

static gboolean
read_activity (gpointer board, double *percent)
{
  return read_share (rsmi.get_activity, board, percent);
}

static gboolean
read_memory_activity (gpointer board, double *percent)
{
  return read_share (rsmi.get_memory_activity, board, percent);
}

static gboolean
read_process_memory (gpointer board, GPid pid, double *megabytes)
{
  RsmiProcess process = { .vram = 0 };

  if (rsmi.get_process == NULL ||
      rsmi.get_process ((guint32)pid, GPOINTER_TO_UINT (board), &process) != RSMI_SUCCESS)
    return FALSE;
  *megabytes = (double)process.vram / 1e6;
  return TRUE;
}

const DynoAmdLibrary dyno_rocm_smi = {
  .name = "ROCm SMI",
  .list_boards = list_boards,
  .dup_address = dup_address,
  .dup_name = dup_name,
  .read_energy = read_energy,
  .read_power = read_power,
  .read_temperature = read_temperature,
  .read_memory = read_memory,
  .read_activity = read_activity,
  .read_memory_activity = read_memory_activity,
  .read_process_memory = read_process_memory,
};
