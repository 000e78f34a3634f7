/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "dyno-amd-library.h"
#include "dyno-error.h"
#include "dyno-system-file.h"

/* AMD's library AMD SMI, as its header declares it from version 25.3 (ROCm 6.4) to 26; only the parts that
 * Dyno uses. Earlier versions lay out the answers about power and processes differently, and a new major
 * version may change them again. */
#define OLDEST_MAJOR 25
#define OLDEST_MINOR 3
#define NEWEST_MAJOR 26

#define AMDSMI_SUCCESS       0
#define AMDSMI_NO_PERMISSION 10
#define AMDSMI_INIT_GPUS     2
#define AMDSMI_TEMP_EDGE     0
#define AMDSMI_TEMP_CURRENT  0
#define AMDSMI_MEMORY_VRAM   0

/* An unknown number is all ones, of 16 bits or more. */
#define NOT_TOLD 0xffff

#define MAX_PROCESSES 256
#define TEXT_LENGTH   256

typedef gpointer AmdSmiSocket;
typedef gpointer AmdSmiBoard;

/* Before 26, the year comes first, and it is the same number. */
typedef struct
{
  guint32 major;
  guint32 minor;
  guint32 rest[2];
  const char *build;
} AmdSmiVersion;

typedef struct
{
  guint64 socket_watts;
  guint32 current_watts;
  guint32 average_watts;
  guint64 rest[62];
} AmdSmiPower;

typedef struct
{
  char name[TEXT_LENGTH];
  guint8 rest[3840];
} AmdSmiChip;

typedef struct
{
  guint32 graphics;
  guint32 memory;
  guint32 media;
  guint32 reserved[13];
} AmdSmiActivity;

typedef struct
{
  char name[TEXT_LENGTH];
  guint32 pid;
  guint64 memory;
  guint64 gfx_ns;
  guint64 enc_ns;
  guint32 engine_reserved[12];
  guint64 gtt;
  guint64 cpu;
  guint64 vram;
  guint32 memory_reserved[10];
  char container[TEXT_LENGTH];
  guint32 reserved[12];
} AmdSmiProcess;

/* The library exists for 64 bits only. */
G_STATIC_ASSERT (sizeof (gpointer) < 8 || sizeof (AmdSmiProcess) == 704);

static struct
{
  int (*init) (guint64 flags);
  int (*get_version) (AmdSmiVersion *version);
  int (*list_sockets) (guint32 *n, AmdSmiSocket *sockets);
  int (*list_boards) (AmdSmiSocket socket, guint32 *n, AmdSmiBoard *boards);
  int (*get_address) (AmdSmiBoard board, guint64 *address);
  int (*get_chip) (AmdSmiBoard board, AmdSmiChip *chip);
  int (*get_energy) (AmdSmiBoard board, guint64 *steps, float *microjoules_per_step, guint64 *timestamp);
  int (*get_power) (AmdSmiBoard board, AmdSmiPower *power);
  int (*get_temperature) (AmdSmiBoard board, int sensor, int metric, gint64 *celsius);
  int (*get_memory) (AmdSmiBoard board, int type, guint64 *bytes);
  int (*get_activity) (AmdSmiBoard board, AmdSmiActivity *activity);
  int (*list_processes) (AmdSmiBoard board, guint32 *n, AmdSmiProcess *processes);
} amdsmi;

static const DynoVendorFunction functions[] = {
  { (gpointer *)&amdsmi.init, { "amdsmi_init" }, TRUE },
  { (gpointer *)&amdsmi.get_version, { "amdsmi_get_lib_version" }, TRUE },
  { (gpointer *)&amdsmi.list_sockets, { "amdsmi_get_socket_handles" }, TRUE },
  { (gpointer *)&amdsmi.list_boards, { "amdsmi_get_processor_handles" }, TRUE },
  { (gpointer *)&amdsmi.get_address, { "amdsmi_get_gpu_device_bdf" } },
  { (gpointer *)&amdsmi.get_chip, { "amdsmi_get_gpu_asic_info" } },
  { (gpointer *)&amdsmi.get_energy, { "amdsmi_get_energy_count" } },
  { (gpointer *)&amdsmi.get_power, { "amdsmi_get_power_info" } },
  { (gpointer *)&amdsmi.get_temperature, { "amdsmi_get_temp_metric" } },
  { (gpointer *)&amdsmi.get_memory, { "amdsmi_get_gpu_memory_usage" } },
  { (gpointer *)&amdsmi.get_activity, { "amdsmi_get_gpu_activity" } },
  { (gpointer *)&amdsmi.list_processes, { "amdsmi_get_gpu_process_list" } },
};

static gboolean
start (GError **error)
{
  int code;

  if (!dyno_vendor_library_load (dyno_vendor_library_amd_smi, functions, G_N_ELEMENTS (functions)))
    {
      g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
                           _ ("AMD’s library AMD SMI is not installed."));
      return FALSE;
    }
  code = amdsmi.init (AMDSMI_INIT_GPUS);
  if (code == AMDSMI_SUCCESS)
    {
      AmdSmiVersion version = { 0 };

      if (amdsmi.get_version (&version) == AMDSMI_SUCCESS && version.major <= NEWEST_MAJOR &&
          (version.major > OLDEST_MAJOR || (version.major == OLDEST_MAJOR && version.minor >= OLDEST_MINOR)))
        return TRUE;
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
                   _ ("AMD SMI %u.%u is installed; Dyno supports versions from %u.%u to %u."), version.major,
                   version.minor, OLDEST_MAJOR, OLDEST_MINOR, NEWEST_MAJOR);
      return FALSE;
    }
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED, _ ("AMD SMI could not be started (error %d)."),
               code);
  return FALSE;
}

/* Called without an array, the library returns the number. */
static void
add_boards (GPtrArray *boards, AmdSmiSocket socket)
{
  g_autofree AmdSmiBoard *found = NULL;
  guint32 n = 0;

  if (amdsmi.list_boards (socket, &n, NULL) != AMDSMI_SUCCESS || n == 0)
    return;
  found = g_new0 (AmdSmiBoard, n);
  if (amdsmi.list_boards (socket, &n, found) != AMDSMI_SUCCESS)
    return;
  for (guint32 i = 0; i < n; i++)
    g_ptr_array_add (boards, found[i]);
}

static GPtrArray *
list_boards (GError **error)
{
  g_autoptr (GPtrArray) boards = g_ptr_array_new ();
  g_autofree AmdSmiSocket *sockets = NULL;
  guint32 n = 0;

  if (!start (error))
    return NULL;
  if (amdsmi.list_sockets (&n, NULL) == AMDSMI_SUCCESS && n > 0)
    {
      sockets = g_new0 (AmdSmiSocket, n);
      if (amdsmi.list_sockets (&n, sockets) != AMDSMI_SUCCESS)
        n = 0;
    }
  for (guint32 i = 0; i < n; i++)
    add_boards (boards, sockets[i]);
  if (boards->len > 0)
    return g_steal_pointer (&boards);
  g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED, _ ("AMD SMI found no device."));
  return NULL;
}

/* Unlike ROCm SMI, AMD SMI puts the domain directly above the 16 bits of bus, device and function. */
static char *
dup_address (gpointer board)
{
  guint64 address;

  if (amdsmi.get_address == NULL || amdsmi.get_address (board, &address) != AMDSMI_SUCCESS)
    return NULL;
  return dyno_amd_library_format_address (address >> 16, address);
}

static char *
dup_name (gpointer board)
{
  AmdSmiChip chip = { "" };

  if (amdsmi.get_chip == NULL || amdsmi.get_chip (board, &chip) != AMDSMI_SUCCESS || *chip.name == '\0')
    return NULL;
  return g_utf8_make_valid (chip.name, (gssize)strnlen (chip.name, TEXT_LENGTH));
}

static gboolean
read_energy (gpointer board, guint64 *steps, double *joules_per_step)
{
  guint64 timestamp;
  float microjoules = 0;

  if (amdsmi.get_energy == NULL ||
      amdsmi.get_energy (board, steps, &microjoules, &timestamp) != AMDSMI_SUCCESS || !(microjoules > 0))
    return FALSE;
  *joules_per_step = (double)microjoules / 1e6;
  return TRUE;
}

static gboolean
is_told (guint64 watts)
{
  return watts > 0 && watts < NOT_TOLD;
}

/* Depending on the board, its power is momentary or a short mean. */
static gboolean
read_power (gpointer board, double *watts)
{
  AmdSmiPower power = { 0 };

  if (amdsmi.get_power == NULL || amdsmi.get_power (board, &power) != AMDSMI_SUCCESS)
    return FALSE;
  if (is_told (power.current_watts))
    *watts = power.current_watts;
  else if (is_told (power.average_watts))
    *watts = power.average_watts;
  else if (is_told (power.socket_watts))
    *watts = (double)power.socket_watts;
  else
    return FALSE;
  return TRUE;
}

static gboolean
read_temperature (gpointer board, double *value)
{
  gint64 celsius;

  if (amdsmi.get_temperature == NULL ||
      amdsmi.get_temperature (board, AMDSMI_TEMP_EDGE, AMDSMI_TEMP_CURRENT, &celsius) != AMDSMI_SUCCESS)
    return FALSE;
  *value = (double)celsius;
  return TRUE;
}

static gboolean
read_memory (gpointer board, double *megabytes)
{
  guint64 bytes;

  if (amdsmi.get_memory == NULL || amdsmi.get_memory (board, AMDSMI_MEMORY_VRAM, &bytes) != AMDSMI_SUCCESS)
    return FALSE;
  *megabytes = (double)bytes / 1e6;
  return TRUE;
}

static gboolean
read_shares (AmdSmiBoard board, AmdSmiActivity *activity)
{
  return amdsmi.get_activity != NULL && amdsmi.get_activity (board, activity) == AMDSMI_SUCCESS;
}

static gboolean
read_activity (gpointer board, double *percent)
{
  AmdSmiActivity activity = { 0 };

  if (!read_shares (board, &activity) || activity.graphics >= NOT_TOLD)
    return FALSE;
  *percent = activity.graphics;
  return TRUE;
}

static gboolean
read_memory_activity (gpointer board, double *percent)
{
  AmdSmiActivity activity = { 0 };

  if (!read_shares (board, &activity) || activity.memory >= NOT_TOLD)
    return FALSE;
  *percent = activity.memory;
  return TRUE;
}

/* A failure to read other users' processes does not matter for our own. */
static gboolean
read_process_memory (gpointer board, GPid pid, double *megabytes)
{
  g_autofree AmdSmiProcess *processes = g_new0 (AmdSmiProcess, MAX_PROCESSES);
  guint32 n = MAX_PROCESSES;
  int code = amdsmi.list_processes != NULL ? amdsmi.list_processes (board, &n, processes) : -1;

  if (code != AMDSMI_SUCCESS && code != AMDSMI_NO_PERMISSION)
    return FALSE;
  for (guint32 i = 0; i < MIN (n, MAX_PROCESSES); i++)
    if (processes[i].pid == (guint32)pid)
      {
        *megabytes = (double)processes[i].vram / 1e6;
        return TRUE;
      }
  return FALSE;
}

const DynoAmdLibrary dyno_amd_smi = {
  .name = "AMD SMI",
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
