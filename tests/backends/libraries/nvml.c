/* SPDX-License-Identifier: GPL-3.0-or-later */
/* NVIDIA's management library as far as Dyno asks it for devices. DYNO_FAKE_NVML says which boards there are, each a
 * word: `whole`, `old` and so without TF32, or `sliced` in two. */
#include <glib.h>
#include <string.h>

#define SUCCESS       0
#define NOT_SUPPORTED 3
#define NOT_FOUND     6

#define SLICE 16 /* the handle of a slice is its board's and a multiple of this */

typedef struct
{
  char bus_id_legacy[16];
  unsigned int domain;
  unsigned int bus;
  unsigned int device;
  unsigned int pci_device_id;
  unsigned int pci_subsystem_id;
  char bus_id[32];
} PciInfo;

int nvmlInit_v2 (void);
int nvmlSystemGetDriverVersion (char *version, unsigned int length);
int nvmlDeviceGetCount_v2 (unsigned int *n);
int nvmlDeviceGetHandleByIndex_v2 (unsigned int index, gpointer *handle);
int nvmlDeviceGetHandleByUUID (const char *uuid, gpointer *handle);
int nvmlDeviceGetName (gpointer handle, char *name, unsigned int length);
int nvmlDeviceGetUUID (gpointer handle, char *uuid, unsigned int length);
int nvmlDeviceGetPciInfo_v3 (gpointer handle, PciInfo *info);
int nvmlDeviceGetMemoryInfo (gpointer handle, unsigned long long *memory);
int nvmlDeviceGetCudaComputeCapability (gpointer handle, int *major, int *minor);
int nvmlDeviceGetMigMode (gpointer handle, unsigned int *current, unsigned int *pending);
int nvmlDeviceGetMaxMigDeviceCount (gpointer handle, unsigned int *n);
int nvmlDeviceGetMigDeviceHandleByIndex (gpointer handle, unsigned int index, gpointer *slice);

int
nvmlInit_v2 (void)
{
  return SUCCESS;
}

int
nvmlSystemGetDriverVersion (char *version, unsigned int length)
{
  g_strlcpy (version, "550.54", length);
  return SUCCESS;
}

int
nvmlDeviceGetCount_v2 (unsigned int *n)
{
  g_auto (GStrv) boards = g_strsplit (g_getenv ("DYNO_FAKE_NVML"), " ", -1);

  *n = *boards != NULL && **boards != '\0' ? g_strv_length (boards) : 0;
  return SUCCESS;
}

int
nvmlDeviceGetHandleByIndex_v2 (unsigned int index, gpointer *handle)
{
  *handle = GUINT_TO_POINTER (index + 1);
  return SUCCESS;
}

int
nvmlDeviceGetHandleByUUID (const char *uuid, gpointer *handle)
{
  *handle = GUINT_TO_POINTER ((guint)g_ascii_strtoull (uuid + strlen ("GPU-"), NULL, 10));
  return SUCCESS;
}

int
nvmlDeviceGetName (gpointer handle, char *name, unsigned int length)
{
  g_snprintf (name, length, "Difference Engine %u", GPOINTER_TO_UINT (handle));
  return SUCCESS;
}

int
nvmlDeviceGetUUID (gpointer handle, char *uuid, unsigned int length)
{
  guint number = GPOINTER_TO_UINT (handle);

  g_snprintf (uuid, length, "%s-%u", number < SLICE ? "GPU" : "MIG", number);
  return SUCCESS;
}

int
nvmlDeviceGetPciInfo_v3 (gpointer handle, PciInfo *info)
{
  info->domain = 0;
  info->bus = 0x40 + GPOINTER_TO_UINT (handle);
  info->device = 0;
  return SUCCESS;
}

int
nvmlDeviceGetMemoryInfo (gpointer handle, unsigned long long *memory)
{
  memory[0] = GPOINTER_TO_UINT (handle) < SLICE ? 80000000000 : 10000000000;
  return SUCCESS;
}

int
nvmlDeviceGetCudaComputeCapability (gpointer handle, int *major, int *minor)
{
  g_auto (GStrv) boards = g_strsplit (g_getenv ("DYNO_FAKE_NVML"), " ", -1);
  gboolean is_old = g_str_equal (boards[GPOINTER_TO_UINT (handle) - 1], "old");

  *major = is_old ? 7 : 9;
  *minor = is_old ? 5 : 0;
  return SUCCESS;
}

int
nvmlDeviceGetMigMode (gpointer handle, unsigned int *current, unsigned int *pending)
{
  g_auto (GStrv) boards = g_strsplit (g_getenv ("DYNO_FAKE_NVML"), " ", -1);

  *current = *pending = g_str_equal (boards[GPOINTER_TO_UINT (handle) - 1], "sliced");
  return SUCCESS;
}

int
nvmlDeviceGetMaxMigDeviceCount (gpointer handle, unsigned int *n)
{
  *n = 7;
  return SUCCESS;
}

int
nvmlDeviceGetMigDeviceHandleByIndex (gpointer handle, unsigned int index, gpointer *slice)
{
  *slice = GUINT_TO_POINTER (GPOINTER_TO_UINT (handle) + (index + 1) * SLICE);
  return index < 2 ? SUCCESS : NOT_FOUND;
}
