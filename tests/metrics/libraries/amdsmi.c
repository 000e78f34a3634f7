/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The part of AMD SMI that Dyno calls, with the layout of version 26, without a device. One socket per board; all
 * boards but the last use three times as much. */
#include <string.h>
#include <unistd.h>

#include "fake-script.h"

#define SUCCESS       0
#define INVALID       1
#define NOT_SUPPORTED 2
#define NO_PERMISSION 10
#define INIT_GPUS     2
#define MAX_BOARDS    8

#define MICROJOULES_PER_STEP 15.3f

typedef struct
{
  guint32 major;
  guint32 minor;
  guint32 release;
  const char *build;
} Version;

typedef struct
{
  guint64 socket;
  guint32 current;
  guint32 average;
  guint64 voltages[3];
  guint32 limit;
  guint32 node;
  guint64 reserved[18];
} Power;

typedef struct
{
  char market_name[256];
  guint32 vendor_id;
} Chip;

typedef struct
{
  char name[256];
  guint32 pid;
  guint64 memory;
  guint64 engines[2];
  guint32 engines_reserved[12];
  guint64 memories[3]; /* GTT, processor, VRAM */
  guint32 memories_reserved[10];
  char container[256];
  guint32 occupancy;
  guint32 evicted;
  guint64 sdma;
  guint32 reserved[8];
} Process;

int amdsmi_init (guint64 flags);
int amdsmi_get_lib_version (Version *version);
int amdsmi_get_socket_handles (guint32 *n, gpointer *sockets);
int amdsmi_get_processor_handles (gpointer socket, guint32 *n, gpointer *boards);
int amdsmi_get_gpu_device_bdf (gpointer board, guint64 *address);
int amdsmi_get_gpu_asic_info (gpointer board, Chip *chip);
int amdsmi_get_energy_count (gpointer board, guint64 *steps, float *resolution, guint64 *timestamp);
int amdsmi_get_power_info (gpointer board, Power *power);
int amdsmi_get_temp_metric (gpointer board, int sensor, int metric, gint64 *celsius);
int amdsmi_get_gpu_memory_usage (gpointer board, int type, guint64 *bytes);
int amdsmi_get_gpu_process_list (gpointer board, guint32 *n, Process *processes);
int amdsmi_get_gpu_activity (gpointer board, guint32 *activity);

/* Boards are identified by their addresses. */
static char boards[MAX_BOARDS];

static guint64
get_index (gpointer board)
{
  return (guint64)((char *)board - boards);
}

static double
get_factor (gpointer board, const FakeScript *script)
{
  return (double)get_index (board) + 1 < script->n_devices ? 3 : 1;
}

int
amdsmi_init (guint64 flags)
{
  return flags == INIT_GPUS ? (int)fake_script_read ().init_error : INVALID;
}

int
amdsmi_get_lib_version (Version *version)
{
  FakeScript script = fake_script_read ();

  *version = (Version){ script.major > 0 ? (guint32)script.major : 26, (guint32)script.minor, 0, "made up" };
  return SUCCESS;
}

int
amdsmi_get_socket_handles (guint32 *n, gpointer *sockets)
{
  guint32 n_boards = (guint32)fake_script_read ().n_devices;

  for (guint32 i = 0; sockets != NULL && i < MIN (*n, n_boards); i++)
    sockets[i] = &boards[i];
  *n = n_boards;
  return SUCCESS;
}

int
amdsmi_get_processor_handles (gpointer socket, guint32 *n, gpointer *found)
{
  if (found != NULL && *n > 0)
    found[0] = socket;
  *n = 1;
  return SUCCESS;
}

/* Function, device, bus, domain; each board is in a domain of its own. */
int
amdsmi_get_gpu_device_bdf (gpointer board, guint64 *address)
{
  guint64 index = get_index (board);

  *address = index << 16 | (index + 3) << 8;
  return SUCCESS;
}

int
amdsmi_get_gpu_asic_info (gpointer board, Chip *chip)
{
  g_snprintf (chip->market_name, sizeof chip->market_name, "Fake Board %u", (guint)get_index (board) + 1);
  chip->vendor_id = 0x1002;
  return SUCCESS;
}

int
amdsmi_get_energy_count (gpointer board, guint64 *steps, float *resolution, guint64 *timestamp)
{
  FakeScript script = fake_script_read ();

  if (script.energy_factor <= 0)
    return NOT_SUPPORTED;
  *resolution = MICROJOULES_PER_STEP;
  *timestamp = 0;
  *steps = (guint64)(get_factor (board, &script) * fake_script_joules (&script) * 1e6 /
                     (double)MICROJOULES_PER_STEP);
  return SUCCESS;
}

/* Like a board that only reports its average. */
int
amdsmi_get_power_info (gpointer board, Power *power)
{
  FakeScript script = fake_script_read ();

  *power = (Power){
    .socket = G_MAXUINT64,
    .current = G_MAXUINT32,
    .average = (guint32)(get_factor (board, &script) * fake_script_watts (&script) + 0.5),
  };
  return SUCCESS;
}

int
amdsmi_get_temp_metric (gpointer board, int sensor, int metric, gint64 *celsius)
{
  *celsius = (gint64)fake_script_read ().temperature;
  return sensor == 0 && metric == 0 ? SUCCESS : NOT_SUPPORTED;
}

int
amdsmi_get_gpu_memory_usage (gpointer board, int type, guint64 *bytes)
{
  FakeScript script = fake_script_read ();

  *bytes = (guint64)(1e6 * get_factor (board, &script) * script.memory_mb);
  return type == 0 ? SUCCESS : NOT_SUPPORTED;
}

/* Another process comes first, and there is a third that belongs to somebody else. */
int
amdsmi_get_gpu_process_list (gpointer board, guint32 *n, Process *processes)
{
  guint64 bytes = (guint64)(1e6 * fake_script_read ().process_mb);

  processes[0] = (Process){ .pid = 1, .memory = 7, .memories = { 7, 7, 7 } };
  processes[1] = (Process){ .pid = (guint32)getpid (), .memory = 2 * bytes, .memories = { bytes, 0, bytes } };
  *n = bytes > 0 ? 2 : 1;
  return NO_PERMISSION;
}

/* Graphics, memory and media, and 13 more numbers; this board knows nothing of media. */
int
amdsmi_get_gpu_activity (gpointer board, guint32 *activity)
{
  FakeScript script = fake_script_read ();

  memset (activity, 0, 16 * sizeof *activity);
  activity[0] = script.busy < 0 ? 0xffff : (guint32)script.busy;
  activity[1] = (guint32)script.memory_busy;
  activity[2] = G_MAXUINT32;
  return script.is_broken != 0 ? NOT_SUPPORTED : SUCCESS;
}
