/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-error.h"
#include "dyno-cuda-private.h"
#include "dyno-system-file.h"

/* NVIDIA's management library, declared as in its documentation, as far as Dyno calls it. */
#define NVML_SUCCESS 0

#define TEXT_LENGTH 96

typedef struct NvmlDevice *NvmlHandle;

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

typedef struct
{
  unsigned long long total;
  unsigned long long unused;
  unsigned long long used;
} NvmlMemory;

static struct
{
  int (*init) (void);
  int (*get_driver_version) (char *version, unsigned int length);
  int (*get_count) (unsigned int *n);
  int (*get_handle) (unsigned int index, NvmlHandle *handle);
  int (*find_handle) (const char *uuid, NvmlHandle *handle);
  int (*get_name) (NvmlHandle handle, char *name, unsigned int length);
  int (*get_uuid) (NvmlHandle handle, char *uuid, unsigned int length);
  int (*get_pci_info) (NvmlHandle handle, NvmlPciInfo *info);
  int (*get_memory) (NvmlHandle handle, NvmlMemory *memory);
  int (*get_capability) (NvmlHandle handle, int *major, int *minor);
  int (*get_mig_mode) (NvmlHandle handle, unsigned int *current, unsigned int *pending);
  int (*get_mig_count) (NvmlHandle handle, unsigned int *n);
  int (*get_mig_handle) (NvmlHandle handle, unsigned int index, NvmlHandle *instance);
} nvml;

static const DynoVendorFunction functions[] = {
  { (gpointer *)&nvml.init, { "nvmlInit_v2", "nvmlInit" }, TRUE },
  { (gpointer *)&nvml.get_count, { "nvmlDeviceGetCount_v2", "nvmlDeviceGetCount" }, TRUE },
  { (gpointer *)&nvml.get_handle, { "nvmlDeviceGetHandleByIndex_v2", "nvmlDeviceGetHandleByIndex" }, TRUE },
  { (gpointer *)&nvml.get_name, { "nvmlDeviceGetName" }, TRUE },
  { (gpointer *)&nvml.get_uuid, { "nvmlDeviceGetUUID" }, TRUE },
  { (gpointer *)&nvml.find_handle, { "nvmlDeviceGetHandleByUUID" }, FALSE },
  { (gpointer *)&nvml.get_driver_version, { "nvmlSystemGetDriverVersion" }, FALSE },
  { (gpointer *)&nvml.get_pci_info, { "nvmlDeviceGetPciInfo_v3" }, FALSE },
  { (gpointer *)&nvml.get_memory, { "nvmlDeviceGetMemoryInfo" }, FALSE },
  { (gpointer *)&nvml.get_capability, { "nvmlDeviceGetCudaComputeCapability" }, FALSE },
  { (gpointer *)&nvml.get_mig_mode, { "nvmlDeviceGetMigMode" }, FALSE },
  { (gpointer *)&nvml.get_mig_count, { "nvmlDeviceGetMaxMigDeviceCount" }, FALSE },
  { (gpointer *)&nvml.get_mig_handle, { "nvmlDeviceGetMigDeviceHandleByIndex" }, FALSE },
};

static char *
dup_text (int (*get) (NvmlHandle, char *, unsigned int), NvmlHandle handle)
{
  char text[TEXT_LENGTH] = "";

  return get (handle, text, sizeof text) == NVML_SUCCESS ? g_utf8_make_valid (text, -1) : NULL;
}

static gint64
get_memory (NvmlHandle handle)
{
  NvmlMemory memory;

  if (nvml.get_memory == NULL || nvml.get_memory (handle, &memory) != NVML_SUCCESS)
    return 0;
  return (gint64)memory.total;
}

/* A slice of a board is a device, but has the board's address and driver. If the library knows its memory, it has its
 * own. */
static void
add_device (GPtrArray *devices, NvmlHandle board, NvmlHandle handle)
{
  g_autofree char *uuid = dup_text (nvml.get_uuid, handle);
  g_autofree char *name = dup_text (nvml.get_name, handle);
  g_autofree char *driver = NULL;
  g_autofree char *address = NULL;
  char version[TEXT_LENGTH] = "";
  int major, minor;
  NvmlPciInfo info = { .bus = 0 };
  gint64 memory = get_memory (handle);
  DynoDevice *device;

  if (uuid == NULL || name == NULL)
    return;
  /* The driver's version comes with the board's compute capability. */
  if (nvml.get_driver_version != NULL && nvml.get_driver_version (version, sizeof version) == NVML_SUCCESS)
    driver = nvml.get_capability != NULL && nvml.get_capability (board, &major, &minor) == NVML_SUCCESS
                 ? g_strdup_printf (_ ("NVIDIA %s, compute capability %d.%d"), version, major, minor)
                 : g_strdup_printf ("NVIDIA %s", version);
  device = dyno_device_new (uuid, name, driver, memory, NULL);
  if (nvml.get_pci_info != NULL && nvml.get_pci_info (board, &info) == NVML_SUCCESS)
    address = g_strdup_printf ("%04x:%02x:%02x.0", info.domain, info.bus, info.device);
  dyno_device_set_address (device, address);
  dyno_device_set_kind (device, memory > 0 ? DYNO_DEVICE_KIND_DISCRETE_GPU : DYNO_DEVICE_KIND_UNKNOWN);
  g_ptr_array_add (devices, device);
}

GPtrArray *
dyno_nvml_list_devices (GError **error)
{
  g_autoptr (GPtrArray) devices = g_ptr_array_new_with_free_func (g_object_unref);
  unsigned int n = 0;
  int code;

  if (!dyno_vendor_library_load (dyno_vendor_library_nvml, functions, G_N_ELEMENTS (functions)))
    {
      g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
                           _ ("NVIDIA’s driver and its library NVML are not installed."));
      return NULL;
    }
  code = nvml.init ();
  if (code == NVML_SUCCESS)
    code = nvml.get_count (&n);
  for (unsigned int i = 0; code == NVML_SUCCESS && i < n; i++)
    {
      NvmlHandle board, slice;
      unsigned int n_slices = 0, mode = 0, pending;

      if (nvml.get_handle (i, &board) != NVML_SUCCESS)
        continue;
      /* A board that is divided into slices (MIG) computes only in them. */
      if (nvml.get_mig_mode != NULL && nvml.get_mig_count != NULL && nvml.get_mig_handle != NULL &&
          nvml.get_mig_mode (board, &mode, &pending) == NVML_SUCCESS && mode != 0)
        nvml.get_mig_count (board, &n_slices);
      else
        add_device (devices, board, board);
      for (unsigned int k = 0; k < n_slices; k++)
        if (nvml.get_mig_handle (board, k, &slice) == NVML_SUCCESS)
          add_device (devices, board, slice);
    }
  if (devices->len > 0)
    return g_steal_pointer (&devices);
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
               _ ("NVIDIA’s driver is installed but finds no device (NVML: %u boards, error %d)."), n, code);
  return NULL;
}

gboolean
dyno_nvml_has_tf32 (const char *uuid)
{
  NvmlHandle handle;
  int major, minor;

  if (g_str_has_prefix (uuid, "MIG-"))
    return TRUE; /* no older board can be divided */
  return nvml.find_handle != NULL && nvml.get_capability != NULL &&
         nvml.find_handle (uuid, &handle) == NVML_SUCCESS &&
         nvml.get_capability (handle, &major, &minor) == NVML_SUCCESS && major >= 8;
}
