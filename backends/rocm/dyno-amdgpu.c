/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "dyno-amd-library.h"
#include "dyno-amdgpu.h"
#include "dyno-error.h"
#include "dyno-paths.h"

#define DRIVER "amdgpu"

static char *
read_line (const char *folder, const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  char *text = NULL;

  return g_file_get_contents (path, &text, NULL, NULL) ? g_strstrip (text) : NULL;
}

/* Reads the value of one line `KEY=VALUE` among many. */
static char *
read_value (const char *folder, const char *name, const char *key)
{
  g_autofree char *text = read_line (folder, name);
  g_auto (GStrv) lines = text != NULL ? g_strsplit (text, "\n", -1) : NULL;

  for (guint i = 0; lines != NULL && lines[i] != NULL; i++)
    if (g_str_has_prefix (lines[i], key) && lines[i][strlen (key)] == '=')
      return g_strdup (lines[i] + strlen (key) + 1);
  return NULL;
}

static char *
dup_name (const char *folder, const char *address)
{
  g_autofree char *product = read_line (folder, "product_name");
  g_autofree char *pci_id = read_value (folder, "uevent", "PCI_ID");
  g_autoptr (GPtrArray) boards = NULL;
  const DynoAmdLibrary *library = dyno_amd_library_open (&boards, NULL);

  /* Only AMD's library has names for people, not the kernel. */
  for (guint i = 0; library != NULL && i < boards->len; i++)
    {
      g_autofree char *own = library->dup_address (boards->pdata[i]);
      char *name = g_strcmp0 (own, address) == 0 ? library->dup_name (boards->pdata[i]) : NULL;

      if (name != NULL)
        return name;
    }
  if (product != NULL && *product != '\0')
    return g_steal_pointer (&product);
  return g_strdup_printf (_ ("AMD device %s"), pci_id != NULL ? pci_id : address);
}

static DynoDevice *
describe (const char *folder)
{
  g_autofree char *driver = read_value (folder, "uevent", "DRIVER");
  g_autofree char *address = read_value (folder, "uevent", "PCI_SLOT_NAME");
  g_autofree char *memory = read_line (folder, "mem_info_vram_total");
  g_autofree char *serial = read_line (folder, "unique_id");
  g_autofree char *id = NULL;
  g_autofree char *name = NULL;
  DynoDevice *device;

  if (g_strcmp0 (driver, DRIVER) != 0 || address == NULL)
    return NULL;
  /* The serial number is the best id of a board, but older boards have none. */
  id = serial != NULL && *serial != '\0' ? g_strconcat ("GPU-", serial, NULL) : g_strdup (address);
  name = dup_name (folder, address);
  device = dyno_device_new (id, name, driver, memory != NULL ? g_ascii_strtoll (memory, NULL, 10) : 0, NULL);
  dyno_device_set_address (device, address);
  return device;
}

static int
compare_addresses (gconstpointer a, gconstpointer b)
{
  return g_strcmp0 (dyno_device_get_address (*(DynoDevice *const *)a),
                    dyno_device_get_address (*(DynoDevice *const *)b));
}

GPtrArray *
dyno_amdgpu_list_devices (GError **error)
{
  g_autofree char *cards = dyno_paths_build (DYNO_PATH_SYSFS, "class", "drm", NULL);
  g_autoptr (GPtrArray) devices = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GDir) dir = g_dir_open (cards, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *folder = g_build_filename (cards, name, "device", NULL);
      DynoDevice *device =
          g_str_has_prefix (name, "card") && strchr (name, '-') == NULL ? describe (folder) : NULL;

      if (device != NULL)
        g_ptr_array_add (devices, device);
    }
  g_ptr_array_sort (devices, compare_addresses);
  if (devices->len > 0)
    return g_steal_pointer (&devices);
  g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
                       _ ("The kernel driver “amdgpu” has no device."));
  return NULL;
}
